'use strict'

// Makes the arguments of `http` in a user function a typed request with its target and step. Requests without a body
// and headers of their own are kept with their bytes, so that each is compiled once. Others with the same place and
// name share all but their headers and JSON.

const { types } = require('node:util')
const { cut, isRecord, printable, show } = require('../../core/foreign-text')
const { parseSeconds, toNumber } = require('../../core/numbers')
const { basicAuthorization, redactedUrl } = require('../../core/secrets')
const { parseName } = require('../../checks/rule')
const { parseRetries } = require('../../options/users/retries')
const { ACCEPTED } = require('../../requests/content-coding')
const { framed, hasFraming } = require('../../requests/framing')
const { isFieldValue, mergeHeaders, parseHeaders, withoutCredentials } = require('../../requests/headers')
const { within } = require('../../requests/place')
const { MESSAGE, parseBody, parseMethod } = require('../../requests/request')
const { originOf, urlOf } = require('../../requests/target')
const { Kept } = require('../kept')
const { BODIES, readOptions } = require('./request-options')
const { SuspectRequests } = require('./suspect-requests')

/**
 * @typedef {import('../../requests/request').Request} Request
 * @typedef {import('../../requests/target').Target} Target
 * @typedef {import('../../users/compiled-scenario').CompiledStep} CompiledStep
 *
 * @typedef {import('../../users/session').Sent & { template: import('../../templates/template').Template | null }} Sent
 *
 * @typedef {object} Asked
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
 * @typedef {object} Place where a request goes
 * @property {Target} target
 * @property {string} path
 *
 * @typedef {object} AskedSocket
 * @property {Target} target
 * @property {Request} request of the handshake
 * @property {import('../../requests/headers').Pairs} own headers that were given for it
 * @property {string} url
 *
 * @typedef {object} Rules expectations of a response, apart from the request
 * @property {string | undefined} name
 * @property {unknown} expect
 * @property {unknown} capture
 * @property {import('../../users/retries').RetryPlan | 0} retries
 * @property {boolean} [isMessage] whether it is a message of a WebSocket
 *
 * @typedef {object} Needs
 * @property {ReadonlyArray<Target>} targets of the run
 * @property {ReadonlyArray<Target>} [origins] other ones that it may load, without its credentials
 * @property {Request} defaults of a request
 * @property {import('../../users/retries').RetryPlan | 0} retries the default
 * @property {boolean} byRequest whether requests without a name are counted by method and path
 * @property {(target: Target, request: Request, rules: Rules) => CompiledStep} stepOf
 * @property {(target: Target, request: Request) => Sent} compile its bytes, or a template of them
 * @property {(sentence: string) => void} onSuspect a request is hardly the intended one
 */

const JSON_TYPE = 'application/json'
/** @type {import('../../requests/headers').Pairs} */
const JSON_HEADERS = [['Content-Type', JSON_TYPE]]
const NO_BODY = Object.freeze({ body: null, type: null })

/** The limit of request names. A name with an id in it would fill the memory and every report. */
const MOST_NAMES = 1000
/** Requests that are kept with their bytes; a path with an id in it is another one each time. */
const MOST_KEPT = 1000
/** A path may have 100,000 characters. */
const MOST_BYTES = 8 * 1024 * 1024
/** Of the texts of places, which are short. */
const MOST_PLACE_BYTES = 2 * 1024 * 1024
const LONGEST_TITLE = 100
/** In keys, marks values that JSON lacks. */
const STRANGE = '\0'
const MOST_REDIRECTS = 100
const LONGEST_TIMEOUT = 86_400

class Requests {
  /** @param {Needs} needs */
  constructor ({ targets, origins = [], defaults, retries, byRequest, stepOf, compile, onSuspect }) {
    this.suspects = new SuspectRequests(onSuspect)
    this.defaults = defaults
    this.home = new Set(targets)
    this.abroad = { ...defaults, headers: withoutCredentials(defaults.headers) }
    this.retries = retries
    this.byRequest = byRequest
    this.stepOf = stepOf
    this.compile = compile
    const all = [...targets, ...origins]
    this.origins = new Map(all.map(target => /** @type {const} */ ([originOf(target), target])).reverse())
    /** A length that all of them are given is that of one body. */
    this.framesAll = hasFraming(defaults.headers)
    /** @type {Map<Target, Kept<Asked>>} */
    this.kept = new Map()
    /** Shared by those with own headers or JSON. @type {Map<Target, Kept<Asked>>} */
    this.bare = new Map()
    /** The places of requests by text. @type {Map<Target, Kept<Place>>} */
    this.places = new Map()
    /** @type {Map<Target, Kept<CompiledStep>>} */
    this.steps = new Map()
    /** Those that are given. @type {Set<string>} */
    this.names = new Set()
    /** Those of requests without one. @type {Set<string>} */
    this.titles = new Set()
    /** Numbers of functions in keys. @type {WeakMap<Function, number>} */
    this.numbers = new WeakMap()
    this.numbered = 0
    /** Replaces values that JSON lacks. @type {(key: string, value: any) => unknown} */
    this.keyOf = (key, value) => {
      if (typeof value === 'function') return [STRANGE, 'function', this.numberOf(value)]
      const isKnown = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
      return isKnown || (typeof value === 'object' && !types.isRegExp(value))
        ? value
        : [STRANGE, typeof value, String(value)]
    }
  }

  /** Two of the same text may see different variables. @param {Function} hook */
  numberOf (hook) {
    const number = this.numbers.get(hook) ?? this.numbered++
    this.numbers.set(hook, number)
    return number
  }

  /**
   * @param {string} method
   * @param {unknown} where a path, or a URL of an origin that the run may load
   * @param {any} options
   * @param {Target} home of the user
   * @returns {Asked}
   * @throws {TypeError} if the arguments are wrong
   */
  ask (method, where, options, home) {
    if (typeof where === 'string') {
      if (options === undefined || isNameAlone(options)) return this.plain(method, where, options, home)
      if (!this.framesAll && isCommon(options)) return this.common(method, where, options, home)
    }
    return this.withBytes(this.make(method, where, options ?? {}, home))
  }

  /** @type {(method: string, where: string, own: { name: string } | undefined, home: Target) => Asked} */
  plain (method, where, own, home) {
    const kept = keptOf(this.kept, home, MOST_BYTES)
    const key = keyOf(method, where, own?.name)
    let asked = kept.get(key)
    if (asked !== undefined) return asked
    asked = this.withBytes(this.make(method, where, own ?? {}, home))
    kept.set(key, asked, asked.sent?.bytes?.length ?? 0)
    return asked
  }

  /**
   * Only headers and JSON are its own; all else comes again with its place and name.
   * @type {(method: string, where: string, own: { name?: string, headers?: unknown, json?: unknown }, home: Target) =>
   *   Asked}
   */
  common (method, where, { name, headers: given, json }, home) {
    const kept = keptOf(this.bare, home, MOST_PLACE_BYTES)
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

  /** @param {Asked} asked @returns {Asked} the same, compiled if all of its parts are repeated */
  withBytes (asked) {
    const { target, request } = asked
    const isPlain = request.body === null && request.headers === this.defaultsAt(target).headers
    if (isPlain) asked.sent = this.compile(target, request)
    return asked
  }

  /** @param {Target} target */
  defaultsAt (target) {
    return this.home.has(target) ? this.defaults : this.abroad
  }

  /** Without its bytes. @type {(method: string, where: unknown, given: unknown, home: Target) => Asked} */
  make (method, where, given, home) {
    const options = readOptions(given, method)
    const { target, path } = typeof where === 'string' && options.query === undefined
      ? this.knownPlaceOf(where, home)
      : this.placeOf(where, options.query, home)
    const request = this.requestOf(method, path, options, this.defaultsAt(target))
    const name = options.name === undefined ? this.titleOf(request) : within('name', () => parseName(options.name))
    if (options.name !== undefined) this.note(/** @type {string} */ (name))
    const { expect, check, capture, retries, redirects, timeout, compressed = false } = options
    if (check !== undefined && typeof check !== 'function') {
      throw new TypeError(`check: expected a function of the response, got ${show(check)}`)
    }
    const step = this.step(target, request, {
      name, expect, capture,
      retries: retries === undefined ? this.retries : within('retries', () => parseRetries(retries))
    })
    return {
      target, request, step, sent: null,
      redirects: redirects === undefined ? null : countOf(redirects),
      timeout: timeout === undefined ? null : timeoutOf(timeout),
      name, check: /** @type {any} */ (check), compressed: compressed === true
    }
  }

  /**
   * @param {unknown} where a path, or a URL of an origin that the run may load
   * @param {Record<string, any>} options of ws()
   * @param {Target} home of the user
   * @returns {AskedSocket}
   * @throws {TypeError}
   */
  socket (where, options, home) {
    const url = where instanceof URL ? where.href : where
    const { target, path } = this.placeOf(typeof url === 'string' ? url.replace(/^ws(?=s?:\/\/)/i, 'http') : url,
      options.query, home)
    const { headers = {}, auth } = options
    const own = within('headers', parseHeaders, headers)
    const request = this.requestOf('GET', path, /** @type {any} */ ({ bodies: 0, headers, auth }),
      this.defaultsAt(target))
    if (options.name !== undefined) this.note(within('name', () => parseName(options.name)))
    return { target, request: { ...request, body: null }, own, url: urlOf(target, path).replace(/^http/, 'ws') }
  }

  /**
   * @param {Target} target
   * @param {Request} handshake of its socket
   * @param {Record<string, any>} options
   * @returns {Asked} a message of a WebSocket
   * @throws {TypeError}
   */
  message (target, { path }, { name: given, expect, capture, check }) {
    const request = { method: MESSAGE, path, headers: [], body: null }
    const name = given === undefined ? this.titleOf(request) : within('name', () => parseName(given))
    if (given !== undefined) this.note(/** @type {string} */ (name))
    const step = this.step(target, request, { name, expect, capture, retries: 0, isMessage: true })
    return { target, request, step, sent: null, redirects: null, timeout: null, name, check, compressed: false }
  }

  /** @type {(where: string, home: Target) => Place} */
  knownPlaceOf (where, home) {
    const places = keptOf(this.places, home, MOST_PLACE_BYTES)
    let place = places.get(where)
    if (place !== undefined) return place
    place = this.placeOf(where, undefined, home)
    places.set(where, place, 2 * place.path.length)
    return place
  }

  /** @param {unknown} where @param {unknown} query @param {Target} home @returns {Place} */
  placeOf (where, query, home) {
    if (where instanceof URL) where = where.href
    if (typeof where !== 'string' || where === '') {
      throw new TypeError(`expected a path such as /users, or a URL, got ${show(where)}`)
    }
    const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(where)
    const base = `${originOf(home)}/`
    let url
    try {
      url = new URL(isUrl ? where : where.startsWith('/') ? base + where.slice(1) : base + where)
    } catch {
      throw new TypeError(`${show(redactedUrl(where))} is not a path and not a URL`)
    }
    const target = this.targetAt(url.origin === 'null' ? url.protocol : url.origin, home)
    for (const [name, value] of queryOf(query)) url.searchParams.append(name, value)
    const path = url.pathname + url.search
    this.suspects.lookAtPath(path)
    return { target, path }
  }

  /** @type {(origin: string, home: Target) => Target} */
  targetAt (origin, home) {
    if (origin === originOf(home)) return home
    const target = this.origins.get(origin)
    if (target !== undefined) return target
    throw new TypeError(`${show(origin)} is not an origin of this run, so nothing was sent: ` +
      `allow it with --origin ${origin}, or origins: ['${origin}']`)
  }

  /**
   * @type {(method: string, path: string, options: import('./request-options').RequestOptions, defaults: Request) =>
   *   Request}
   */
  requestOf (method, path, options, defaults) {
    const { body, type } = options.bodies === 0 ? NO_BODY : bodyOf(options)
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

  /**
   * @param {Request} request without a name
   * @returns {string | undefined} under which it is counted all the same; of too many different ones none
   */
  titleOf ({ method, path }) {
    if (!this.byRequest) return undefined
    const title = cut(printable(`${method} ${String(path).replace(/[?#].*/s, '')}`), LONGEST_TITLE)
    if (!this.titles.has(title) && this.titles.size >= MOST_NAMES) return undefined
    this.titles.add(title)
    return title
  }

  /** @param {string} name */
  note (name) {
    if (this.names.size >= MOST_NAMES && !this.names.has(name)) {
      throw new TypeError(`more than ${MOST_NAMES} names of requests: name a request by what it does, without ids, ` +
        `got ${show(name)}`)
    }
    this.names.add(name)
  }

  /**
   * Requests with the same expectations share a step.
   * @type {(target: Target, request: Request, rules: Rules) => CompiledStep}
   */
  step (target, request, rules) {
    const { name, expect, capture, retries, isMessage = false } = rules
    const isNamed = expect === undefined && capture === undefined && (isMessage || retries === this.retries)
    const kind = isMessage ? '+' : '='
    // A text in front of the name: that of none is no name.
    const key = kind + (isNamed ? name ?? '' : JSON.stringify([name, expect, capture, retries], this.keyOf))
    let steps = this.steps.get(target)
    if (steps === undefined) this.steps.set(target, steps = new Kept(2 * MOST_NAMES, MOST_BYTES))
    let step = steps.get(key)
    if (step !== undefined) return step
    step = this.stepOf(target, request, rules)
    steps.set(key, step, 0)
    return step
  }
}

/**
 * @template T
 * @param {Map<Target, Kept<T>>} all
 * @param {Target} home
 * @param {number} bytes
 * @returns {Kept<T>}
 */
function keptOf (all, home, bytes) {
  let kept = all.get(home)
  if (kept === undefined) all.set(home, kept = new Kept(MOST_KEPT, bytes))
  return kept
}

/**
 * No name has a line break in it, so that no path can be taken for one.
 * @type {(method: string, where: string, name: string | undefined) => string}
 */
function keyOf (method, where, name) {
  return name === undefined ? `\n${method} ${where}` : `=${name}\n${method} ${where}`
}

/** Whether they have only name, headers and JSON, in the usual forms. @param {any} options */
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

/**
 * @param {import('./request-options').RequestOptions} options
 * @returns {{ body: string | Uint8Array | null, type: string | null }}
 */
function bodyOf (options) {
  if (options.bodies === 1 && isPlainData(options.json)) return { body: jsonOf(options.json), type: JSON_TYPE }
  const kinds = BODIES.filter(key => options[key] !== undefined && options[key] !== null)
  if (kinds.length > 1) throw new TypeError(`${kinds.join(' and ')} each give a body: use one of them`)
  switch (kinds[0]) {
    case 'body':
      if (isPlainData(options.body)) {
        throw new TypeError(`body: expected a string or a Buffer, got ${show(options.body)}: JSON is json, as in ` +
          '{ json: { … } }, and fields of a form are form')
      }
      return { body: within('body', () => parseBody(options.body)), type: null }
    case 'json': return { body: jsonOf(options.json), type: JSON_TYPE }
    case 'form': return {
      body: new URLSearchParams(queryOf(options.form, 'form')).toString(), type: 'application/x-www-form-urlencoded'
    }
    case 'multipart': {
      const { body, contentType } = within('multipart', () =>
        require('../../requests/multipart').buildForm(fieldsOf(options.multipart)))
      return { body, type: contentType }
    }
    default: return NO_BODY
  }
}

/** @param {unknown} value */
function isPlainData (value) {
  return Array.isArray(value) || (isRecord(value) && !types.isUint8Array(value))
}

/** @param {unknown} value */
function jsonOf (value) {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`json: expected a value that JSON has, got ${show(value)}`)
  return text
}

/** A text is a field with that text. @type {(given: any) => any} */
function fieldsOf (given) {
  if (!isRecord(given)) return given
  return Object.fromEntries(Object.entries(given).map(([name, field]) =>
    [name, isRecord(field) ? field : { type: 'text', value: field }]))
}

/** @type {(given: any, what?: string) => Array<[string, string]>} */
function queryOf (given, what = 'query') {
  if (given === undefined || given === null) return []
  if (typeof given === 'string' || given instanceof URLSearchParams) return [...new URLSearchParams(given)]
  if (!isRecord(given)) throw new TypeError(`${what}: expected an object of names and values, got ${show(given)}`)
  return Object.entries(given).flatMap(([name, value]) =>
    [value].flat().filter(one => one !== undefined && one !== null)
      .map(one => /** @type {[string, string]} */ ([name, String(one)])))
}

/** Returns its kind, without its value. @type {(given: unknown) => string} */
function kindOf (given) {
  return typeof given === 'object' || given === undefined ? show(given) : `a ${typeof given}`
}

/** @param {any} given */
function authorizationOf (given) {
  if (typeof given === 'string' && given.includes(':')) {
    const at = given.indexOf(':')
    return basicAuthorization({ user: given.slice(0, at), password: given.slice(at + 1) })
  }
  if (isRecord(given) && typeof given.bearer === 'string') {
    // It is not shown: it is a secret.
    if (!isFieldValue(given.bearer)) throw new TypeError('auth.bearer has characters that no header may have')
    return `Bearer ${given.bearer}`
  }
  if (isRecord(given) && typeof given.user === 'string') {
    return basicAuthorization({ user: given.user, password: String(given.password ?? '') })
  }
  // A text may be a secret, so it is not shown.
  throw new TypeError("auth: expected 'user:password', { user, password } or { bearer }, got " +
    (typeof given === 'string' ? 'a string without a colon: a token is { bearer }' : kindOf(given)))
}

/** @param {unknown} given */
function countOf (given) {
  const count = given === true ? 10 : given === false ? 0 : toNumber(given)
  if (Number.isInteger(count) && count >= 0 && count <= MOST_REDIRECTS) return count
  throw new TypeError(`redirects: expected how many are followed, 0 to ${MOST_REDIRECTS}, got ${show(given)}`)
}

/** Returns ms. @param {unknown} given */
function timeoutOf (given) {
  const seconds = parseSeconds(given)
  if (seconds > 0 && seconds <= LONGEST_TIMEOUT) return seconds * 1000
  throw new TypeError(`timeout: expected seconds or a time such as 5s, more than 0, got ${show(given)}`)
}

module.exports = { Requests }
