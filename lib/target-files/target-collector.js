'use strict'

// Builds a target list: it adds requests, with their origins, paths and body files. target-file.js parses the formats.

const { existsSync } = require('node:fs')
const { resolve } = require('node:path')
const { isRecord, show } = require('../core/foreign-text')
const { withoutUserinfo } = require('../core/secrets')
const { refuseUnknownKeys } = require('../core/suggest')
const { readFile } = require('../requests/file')
const { framed, hasFraming } = require('../requests/framing')
const { parseHeaders } = require('../requests/headers')
const { parseBody, parseMethod } = require('../requests/request')
const { parseTarget } = require('../requests/target')
const { ListWriter } = require('./target-list')

const TARGET_KEYS = ['method', 'url', 'headers', 'body']

/** A word that is no host, as in http//a:1. */
const BARE = /^[\w-]+(?:[/?#]|$)/

/**
 * A path that a URL parser does not change. It resolves segments of dots, and `%2e` is a dot. Two slashes at the start
 * begin a host.
 */
const PLAIN_PATH = /^\/(?![/.%])[\w.~!$&()*+,;=:@?%-]*(?:\/(?![.%])[\w.~!$&()*+,;=:@?%-]*)*$/

/**
 * @typedef {ReadonlyArray<readonly [string, string]>} Headers
 * @typedef {{ origin: number, authorization: string | undefined }} Host
 *
 * @typedef {object} Parts of one request
 * @property {string | null} method
 * @property {string} url
 * @property {Headers} [headers]
 * @property {string | Uint8Array | null} [body]
 * @property {string} [file] the path of a file with the body
 * @property {boolean} [isForm] whether the body is a form by default
 */

class TargetCollector {
  /**
   * @param {number} size approximate size of the list, bytes
   * @param {string} [folder] the base folder of body files
   */
  constructor (size, folder = '.') {
    this.writer = new ListWriter(size)
    this.folder = folder
    /** @type {Map<string, Host>} by the text of a URL before its path */
    this.hosts = new Map()
    /** @type {Host} of the last parsed URL */
    this.host = { origin: 0, authorization: undefined }
    /** @type {import('./target-list').Shape} */
    this.last = { origin: -1, method: null, names: [], body: 'none', isForm: false }
    this.lastShape = 0
    /** @type {Map<string | null, number>} */
    this.origins = new Map()
    /** Returns the place of the request that is added. */
    this.place = () => ''
    /** @type {string | null} the first URL that is only a path, and its place */
    this.relative = null
    /** @type {Map<string, number>} index of a body file by its path */
    this.files = new Map()
  }

  /**
   * @param {Parts} parts
   * @throws {TypeError}
   */
  add ({ method, url, headers = NO_HEADERS, body = null, file, isForm = false }) {
    const { writer } = this
    const path = this.parseUrl(url)
    const { host: { origin, authorization } } = this
    const own = authorization === undefined || headers.some(isAuthorization)
      ? headers
      : [...headers, /** @type {const} */ (['Authorization', authorization])]
    const index = file === undefined ? -1 : this.file(file)
    const isEmpty = index === -1 ? body !== null && body.length === 0 : writer.files[index].length === 0
    const kind = isEmpty ? 'empty' : index !== -1 ? 'file' : body === null ? 'none' : 'own'
    if (hasFraming(headers)) {
      framed({ headers, body: index === -1 ? body : writer.files[index] })
      // Such a request has the body of the options, if there is one.
      if (kind === 'none' && headers.some(isLength)) {
        throw new TypeError('headers: a request without a body needs no Content-Length: omit it')
      }
    }
    writer.begin(this.shapeOf(origin, method, own, kind, isForm))
    writer.value(path)
    for (let i = 0; i < own.length; i++) writer.value(own[i][1])
    if (kind === 'own') writer.value(/** @type {string | Uint8Array} */ (body))
    else if (kind === 'file') writer.number(index)
  }

  /**
   * Returns the number of the shape. Most requests have the same shape as the previous one.
   * @param {number} origin
   * @param {string | null} method
   * @param {Headers} headers
   * @param {import('./target-list').Shape['body']} body
   * @param {boolean} isForm
   */
  shapeOf (origin, method, headers, body, isForm) {
    const { last } = this
    const isLast = last.origin === origin && last.method === method && last.body === body && last.isForm === isForm &&
      haveNames(headers, last.names)
    if (isLast) return this.lastShape
    this.last = { origin, method, names: headers.map(([name]) => name), body, isForm }
    return (this.lastShape = this.writer.shape(this.last))
  }

  /**
   * @param {string} url
   * @returns {string} its path; `host` is set to its host
   * @throws {TypeError}
   */
  parseUrl (url) {
    const slash = pathStart(url)
    const before = slash === -1 ? url : url.slice(0, slash)
    const written = slash === -1 ? '' : url.slice(slash)
    const path = PLAIN_PATH.test(written) ? written : null
    // A URL that is only a path has no text before it.
    const host = path === null ? undefined : this.hosts.get(before)
    if (host === undefined) {
      const parsed = this.parseStrange(url, before)
      return path !== null && this.hosts.has(before) ? path : parsed
    }
    this.host = host
    return /** @type {string} */ (path)
  }

  /** @param {string} url @param {string} before its path */
  parseStrange (url, before) {
    if (/\s/.test(url)) throw new TypeError(`${show(withoutUserinfo(url))} has a space in it: write %20`)
    const isRelative = /^\/(?!\/)/.test(url)
    if (BARE.test(url) && !/^localhost(?![\w-])/i.test(url)) {
      throw new TypeError(`${show(withoutUserinfo(url))} is not a URL: a path begins with /, and a host without ` +
        'http:// has a dot or a port, or is localhost')
    }
    const target = parseTarget(isRelative ? 'http://localhost' + url : url)
    if (isRelative) this.relative ??= `${show(url)}, ${this.place()},`
    this.host = isRelative
      ? { origin: this.originOf(null), authorization: undefined }
      : {
          origin: this.originOf(`${target.tls ? 'https' : 'http'}://${target.authority}`),
          authorization: target.authorization
        }
    if (!/[?#\\]/.test(before)) this.hosts.set(before, this.host)
    return target.path
  }

  /** @param {string | null} url of an origin; null for that of the option `url` */
  originOf (url) {
    let origin = this.origins.get(url)
    if (origin === undefined) {
      origin = this.writer.origins.push({ url, count: 0 }) - 1
      this.origins.set(url, origin)
    }
    return origin
  }

  /**
   * @param {string} path
   * @returns {number} index of the file; each file is read once
   * @throws {TypeError}
   */
  file (path) {
    let index = this.files.get(path)
    if (index === undefined) {
      index = this.writer.addFile(this.readBody(path))
      this.files.set(path, index)
    }
    return index
  }

  /** @param {string} path */
  readBody (path) {
    if (path === '') throw new TypeError('expected the path of a file, which is the body, got none')
    try {
      return readFile(resolve(this.folder, path), 'the body file')
    } catch (error) {
      if (existsSync(path)) {
        /** @type {Error} */ (error).message += '; paths of body files start at the folder of the targets'
      }
      throw error
    }
  }

  /** @returns {import('./target-list').TargetList} */
  end () {
    return this.writer.end()
  }
}

/** @type {Headers} */
const NO_HEADERS = []

/** Returns the index of the slash that begins its path; −1 without a path. @type {(url: string) => number} */
function pathStart (url) {
  const slash = url.indexOf('/')
  return slash > 0 && url[slash - 1] === ':' && url[slash + 1] === '/' ? url.indexOf('/', slash + 2) : slash
}

/** @type {(headers: Headers, names: ReadonlyArray<string>) => boolean} */
function haveNames (headers, names) {
  for (let i = 0; i < headers.length; i++) if (headers[i][0] !== names[i]) return false
  return headers.length === names.length
}

/** @param {readonly [string, string]} header */
const isAuthorization = ([name]) => name.toLowerCase() === 'authorization'

/** @param {readonly [string, string]} header */
const isLength = ([name]) => name.toLowerCase() === 'content-length'

/**
 * @param {unknown[]} entries of the option `targets`
 * @returns {TargetCollector} with all requests
 * @throws {TypeError} with the index of the entry
 */
function targetsOf (entries) {
  const collector = new TargetCollector(64 * entries.length + 1024)
  let at = 0
  collector.place = () => `entry ${at}`
  // Array.from turns holes into undefined.
  Array.from(entries).forEach((entry, i) => {
    at = i
    try {
      collector.add(
        typeof entry === 'string' ? partsOfText(entry) : partsOf(entry instanceof URL ? { url: entry } : entry)
      )
    } catch (error) {
      throw new TypeError(`entry ${i}: ${error instanceof TypeError ? error.message : `reading it failed: ${error}`}`)
    }
  })
  return collector
}

/** @type {(text: string) => Parts} */
function partsOfText (text) {
  const [, method = null, url] = /^\s*(?:([A-Z]+)\s+)?(\S+)\s*$/.exec(text) ?? []
  if (url === undefined) {
    throw new TypeError(`expected a URL, or a method and a URL, got ${show(withoutUserinfo(text))}`)
  }
  return { method, url }
}

/**
 * @throws {TypeError}
 * @type {(entry: any) => Parts}
 */
function partsOf (entry) {
  if (!isRecord(entry)) throw new TypeError(`expected a URL or an object with url, got ${show(entry)}`)
  refuseUnknownKeys(entry, TARGET_KEYS)
  const { method, url, headers, body } = entry
  const text = url instanceof URL ? url.href : url
  if (typeof text !== 'string' || text === '') {
    throw new TypeError(`expected a url such as http://localhost:3000/path, got ${show(url)}`)
  }
  return {
    method: method === undefined || method === null ? null : parseMethod(method),
    url: text,
    headers: headers === undefined || headers === null ? [] : parseHeaders(headers),
    body: body === undefined || body === null ? null : parseBody(body)
  }
}

module.exports = { TargetCollector, targetsOf }
