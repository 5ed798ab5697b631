'use strict'

// Makes the arguments of `http` in a user function a typed request with its target and step. Requests without their
// own body and headers are kept with their bytes, so that each is compiled once. Others with the same place and
// name share all but their headers and JSON.

const { parseRetries } = require('../../options/users/retries')
const { ACCEPTED } = require('../../requests/content-coding')
const { framed, hasFraming } = require('../../requests/framing')
const { mergeHeaders, parseHeaders, withoutCredentials } = require('../../requests/headers')
const { within } = require('../../requests/place')
const { MESSAGE, parseMethod } = require('../../requests/request')
const { urlOf } = require('../../requests/target')
const { KeptByTarget } = require('../kept')
const { Places } = require('./places')
const { JSON_TYPE, bodyOf, isPlainData, jsonOf } = require('./request-body')
const { authorizationOf, checkOf, msOf, readOptions, redirectsOf } = require('./request-options')
const { Steps } = require('./steps')
const { SuspectRequests } = require('./suspect-requests')

/**
 * @typedef {import('../../requests/request').Request} Request
 * @typedef {import('../../requests/target').Target} Target
 * @typedef {import('../../users/compiled-scenario').CompiledStep} CompiledStep
 *
 * @typedef {import('../../users/session').Sent & { template: import('../../templates/template').Template | null }} Sent
 *
 * @typedef {object} PreparedRequest
 * @property {Target} target
 * @property {Request} request
 * @property {CompiledStep} step
 * @property {Sent | null} sent with its bytes, where they are known; null where they are made each time
 * @property {number | null} redirects that are followed at most; null for as many as users do
 * @property {number | null} timeout ms; null for that of the run
 * @property {string | undefined} name
 * @property {((response: any) => unknown) | undefined} check
 * @property {boolean} compressed
 *
 * @typedef {object} PreparedSocket
 * @property {Target} target
 * @property {Request} request of the handshake
 * @property {import('../../requests/headers').Pairs} own headers that were given for it
 * @property {string} url
 *
 * @typedef {import('./steps').Needs & OwnNeeds} Needs
 *
 * @typedef {object} OwnNeeds
 * @property {ReadonlyArray<Target>} targets of the run
 * @property {ReadonlyArray<Target>} [origins] other ones that it may load, without its credentials
 * @property {Request} defaults of a request
 * @property {(target: Target, request: Request) => Sent} compile its bytes, or a template of them
 * @property {(sentence: string) => void} onSuspect a request is hardly the intended one
 */

/** @type {import('../../requests/headers').Pairs} */
const JSON_HEADERS = [['Content-Type', JSON_TYPE]]

/** The limit of requests that are kept with their bytes. Each path with an id in it is a new one. */
const MOST = 1000
/** A path may have 100,000 characters. */
const MOST_BYTES = 8 * 1024 * 1024
/** Of requests whose headers or JSON are their own, which are kept without bytes. */
const MOST_BARE_BYTES = 2 * 1024 * 1024

class Requests {
  /** @param {Needs} needs */
  constructor ({ targets, origins = [], defaults, retries, byRequest, stepOf, compile, onSuspect }) {
    this.suspects = new SuspectRequests(onSuspect)
    this.defaults = defaults
    this.home = new Set(targets)
    this.abroad = { ...defaults, headers: withoutCredentials(defaults.headers) }
    this.retries = retries
    this.compile = compile
    /** Whether the defaults set a length, which is right for one body only. */
    this.framesAll = hasFraming(defaults.headers)
    this.places = new Places([...targets, ...origins], path => this.suspects.lookAtPath(path))
    this.steps = new Steps({ byRequest, retries, stepOf })
    /** @type {KeptByTarget<PreparedRequest>} */
    this.kept = new KeptByTarget(MOST, MOST_BYTES)
    /** Shared by those with own headers or JSON. @type {KeptByTarget<PreparedRequest>} */
    this.bare = new KeptByTarget(MOST, MOST_BARE_BYTES)
  }

  /**
   * @param {string} method
   * @param {unknown} where a path, or a URL of an origin that the run may load
   * @param {any} options
   * @param {Target} home of the user
   * @returns {PreparedRequest}
   * @throws {TypeError} if the arguments are wrong
   */
  prepare (method, where, options, home) {
    if (typeof where === 'string') {
      if (options === undefined || isNameAlone(options)) return this.plain(method, where, options, home)
      if (!this.framesAll && isCommon(options)) return this.common(method, where, options, home)
    }
    return this.withBytes(this.make(method, where, options ?? {}, home))
  }

  /** @type {(method: string, where: string, own: { name: string } | undefined, home: Target) => PreparedRequest} */
  plain (method, where, own, home) {
    const kept = this.kept.of(home)
    const key = keyOf(method, where, own?.name)
    let prepared = kept.get(key)
    if (prepared !== undefined) return prepared
    prepared = this.withBytes(this.make(method, where, own ?? {}, home))
    kept.set(key, prepared, prepared.sent?.bytes?.length ?? 0)
    return prepared
  }

  /**
   * Only headers and JSON are its own; all else comes again with its place and name.
   * @type {(method: string, where: string, own: { name?: string, headers?: unknown, json?: unknown }, home: Target) =>
   *   PreparedRequest}
   */
  common (method, where, { name, headers: given, json }, home) {
    const kept = this.bare.of(home)
    const key = keyOf(method, where, name)
    let bare = kept.get(key)
    if (bare === undefined) kept.set(key, bare = this.make(method, where, { name }, home), 2 * where.length)
    let { request: { path, headers, body } } = bare
    if (json !== undefined) {
      this.suspects.lookAtJson(json)
      headers = mergeHeaders(headers, JSON_HEADERS)
      body = jsonOf(json)
    }
    if (given !== undefined) headers = mergeHeaders(headers, this.headersOf(given))
    return { ...bare, request: framed({ method: bare.request.method, path, headers, body }) }
  }

  /** @param {PreparedRequest} prepared @returns {PreparedRequest} compiled if all of its parts are repeated */
  withBytes (prepared) {
    const { target, request } = prepared
    const isPlain = request.body === null && request.headers === this.defaultsAt(target).headers
    if (isPlain) prepared.sent = this.compile(target, request)
    return prepared
  }

  /** @param {Target} target */
  defaultsAt (target) {
    return this.home.has(target) ? this.defaults : this.abroad
  }

  /** Without its bytes. @type {(method: string, where: unknown, given: unknown, home: Target) => PreparedRequest} */
  make (method, where, given, home) {
    const options = readOptions(given, method)
    const { target, path } = this.places.of(where, options.query, home)
    const request = this.requestOf(method, path, options, this.defaultsAt(target))
    const name = this.steps.nameOf(options.name, request)
    const { expect, capture, retries, redirects, timeout, compressed } = options
    const check = checkOf(options.check)
    const step = this.steps.of(target, request, {
      name, expect, capture,
      retries: retries === undefined ? this.retries : within('retries', () => parseRetries(retries))
    })
    return {
      target, request, step, sent: null, redirects: redirectsOf(redirects), timeout: msOf('timeout', timeout), name,
      check, compressed: compressed === true
    }
  }

  /**
   * @param {unknown} where a path, or a URL of an origin that the run may load
   * @param {Record<string, any>} options of ws()
   * @param {Target} home of the user
   * @returns {PreparedSocket}
   * @throws {TypeError}
   */
  socket (where, options, home) {
    const url = where instanceof URL ? where.href : where
    const { target, path } = this.places.of(
      typeof url === 'string' ? url.replace(/^ws(?=s?:\/\/)/i, 'http') : url, options.query, home
    )
    const { headers = {}, auth } = options
    const own = within('headers', parseHeaders, headers)
    const request = this.requestOf('GET', path, /** @type {any} */ ({ bodies: 0, headers, auth }),
      this.defaultsAt(target))
    if (options.name !== undefined) this.steps.checkName(options.name)
    return { target, request: { ...request, body: null }, own, url: urlOf(target, path).replace(/^http/, 'ws') }
  }

  /**
   * @param {Target} target
   * @param {Request} handshake of its socket
   * @param {Record<string, any>} options
   * @returns {PreparedRequest} a message of a WebSocket
   * @throws {TypeError}
   */
  message (target, { path }, { name: given, expect, capture, check }) {
    const request = { method: MESSAGE, path, headers: [], body: null }
    const name = this.steps.nameOf(given, request)
    const step = this.steps.of(target, request, { name, expect, capture, retries: 0, isMessage: true })
    return { target, request, step, sent: null, redirects: null, timeout: null, name, check, compressed: false }
  }

  /**
   * @type {(method: string, path: string, options: import('./request-options').RequestOptions, defaults: Request) =>
   *   Request}
   */
  requestOf (method, path, options, defaults) {
    const { body, type } = bodyOf(options)
    this.suspects.lookAtJson(options.json)
    const { auth, compressed, headers: given } = options
    let { headers } = defaults
    if (type !== null || auth !== undefined || compressed === true) {
      /** @type {Array<[string, string]>} */
      const own = []
      if (type !== null) own.push(['Content-Type', type])
      if (auth !== undefined) own.push(['Authorization', authorizationOf(auth)])
      if (compressed === true) own.push(['Accept-Encoding', ACCEPTED])
      headers = mergeHeaders(headers, own)
    }
    if (given !== undefined) headers = mergeHeaders(headers, this.headersOf(given))
    return framed({ method: parseMethod(method), path, headers, body: body ?? defaults.body })
  }

  /** @param {unknown} given @returns {import('../../requests/headers').Pairs} @throws {TypeError} */
  headersOf (given) {
    const headers = within('headers', parseHeaders, given)
    this.suspects.lookAtHeaders(headers)
    return headers
  }
}

/**
 * No name has a line break in it, so that no path can be taken for one.
 * @type {(method: string, where: string, name: string | undefined) => string}
 */
function keyOf (method, where, name) {
  return name === undefined ? `\n${method} ${where}` : `=${name}\n${method} ${where}`
}

/** Whether they are name, headers and JSON at most, in the usual forms. @param {any} options */
function isCommon (options) {
  if (typeof options !== 'object' || options === null) return false
  // An inherited property is no option.
  if (Object.getPrototypeOf(options) !== Object.prototype) return false
  for (const key in options) {
    const isKnown = key === 'headers' || (key === 'json' && isPlainData(options.json)) ||
      (key === 'name' && typeof options.name === 'string')
    if (!isKnown) return false
  }
  return true
}

/** @param {any} options */
function isNameAlone (options) {
  if (typeof options !== 'object' || options === null || typeof options.name !== 'string') return false
  for (const key in options) if (key !== 'name') return false
  return true
}

module.exports = { Requests }
