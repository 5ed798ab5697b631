'use strict'

// A response as a user function sees it. Its body is a copy, and is decoded on access.

const { decodeText, charsetOf } = require('../requests/charset')
const { decodeAll } = require('../requests/content-coding')
const { headersObject } = require('../requests/headers')
const { parseJsonPath, valueAt } = require('../requests/json-path')
const { urlOf } = require('../requests/target')
const { redacted, redactedText } = require('../core/secrets')
const { HookError, ProtocolError } = require('../core/errors')
const { OF_RESPONSE } = require('./habits')
const { Kept } = require('./kept')

/** The limit of the kept body of a response that fails a check, bytes. */
const SAMPLE_BODY = 2048

/** Contents that a check may read, and show when it fails. @abstract */
class Sampled {
  /** @returns {string | undefined} the name of its request */
  get name () {
    return undefined
  }

  /** @returns {import('../instruments/checks/record').FailedResponse} with secrets hidden */
  sample () {
    throw new Error('each subclass has its own sample()')
  }
}

class FunctionResponse extends Sampled {
  /** @type {string[]} */
  #raw
  /** @type {import('./call').Call} */
  #call
  /** @type {Readonly<Record<string, string | string[]>> | null} */
  #headers = null
  /** @type {Buffer} */
  #bytes
  /** @type {boolean} */
  #decodes
  /** @type {string | null} */
  #text = null
  /** @type {unknown} undefined until it is parsed */
  #json
  /** @type {any} */
  #page = null

  /** @param {import('../response/reader').ResponseReader} reader valid for now @param {import('./call').Call} call */
  constructor (reader, call) {
    super()
    this.status = reader.status
    /** ms: until the response was complete, and until its first byte came. */
    this.timings = { duration: reader.ms, firstByte: reader.ttfb }
    this.#raw = reader.rawHeaders()
    this.#bytes = Buffer.from(reader.bytes())
    this.#call = call
    this.#decodes = call.compressed && reader.unpacked === null
  }

  get name () {
    return this.#call.name
  }

  /** @returns {string} of the request, or of the last redirect that was followed */
  get url () {
    const { target, request } = this.#call.landed ?? this.#call
    return urlOf(target, request.path)
  }

  /** @returns {boolean} whether the status is 200 to 299 */
  get ok () {
    return this.status >= 200 && this.status < 300
  }

  /** @returns {Readonly<Record<string, string | string[]>>} by lower-case name; several of a name as an array */
  get headers () {
    this.#headers ??= Object.freeze(headersObject(pairsOf(this.#raw, name => name.toLowerCase())))
    return this.#headers
  }

  /**
   * @param {string} name in any case
   * @returns {string | undefined} its value; several of them with a comma between them (RFC 9110 §5.3)
   */
  header (name) {
    const { headers } = this
    const key = String(name).toLowerCase()
    if (!Object.hasOwn(headers, key)) return undefined
    const value = headers[key]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** @param {string} name @returns {string | undefined} the value of the cookie that this response sets */
  cookie (name) {
    for (const [key, line] of pairsOf(this.#raw, name => name.toLowerCase()).reverse()) {
      if (key !== 'set-cookie') continue
      const [pair] = line.split(';', 1)
      const equals = pair.indexOf('=')
      if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
    }
    return undefined
  }

  get body () {
    if (this.#decodes) {
      const coding = this.header('content-encoding') ?? ''
      if (coding !== '' && this.#bytes.length > 0) this.#bytes = decodeAll(coding, this.#bytes)
      // Not set if decoding throws: the next call would return the compressed bytes.
      this.#decodes = false
    }
    return this.#bytes
  }

  /**
   * @returns {string} the body by its charset
   * @throws {ProtocolError} when it is not in that charset, likewise
   */
  text () {
    if (this.#text === null) {
      const charset = charsetOf(this.#raw)
      this.#text = charset === '' ? this.body.toString() : decodeText(this.body, charset)
    }
    return this.#text
  }

  /**
   * @param {string} [path] of a value in it, such as `items[0].id`
   * @returns {any} the body, or that value; undefined where there is none
   * @throws {ProtocolError} when the body is no JSON: not caught, it aborts the iteration
   */
  json (path) {
    if (this.#json === undefined) {
      const text = this.text()
      try {
        this.#json = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
      } catch {
        const type = this.header('content-type')
        throw new ProtocolError('AC_JSON', `the body is not JSON: the response to ${this.#called()} has status ` +
          `${this.status}${type === undefined ? '' : ` and is ${type}`}`)
      }
    }
    return path === undefined ? this.#json : valueAt(this.#json, knownPath(path))
  }

  /**
   * @param {string} [selector] CSS
   * @returns {any} the elements that cheerio finds, or cheerio itself without a selector
   * @throws {HookError} without the package cheerio
   * @throws {ProtocolError} for a page that would take too long: not caught, it aborts the iteration
   */
  html (selector) {
    this.#page ??= pageOf(this.text())
    return selector === undefined ? this.#page : this.#page(selector)
  }

  #called () {
    const { name, request: { method, path } } = this.#call
    return name ?? `${method} ${path ?? this.#call.target.path}`
  }

  sample () {
    const bytes = this.#bytes
    return {
      status: this.status,
      headers: /** @type {Array<[string, string]>} */ (redacted(pairsOf(this.#raw, name => name))),
      body: redactedText(bytes.toString('utf8', 0, SAMPLE_BODY)),
      truncated: bytes.length > SAMPLE_BODY
    }
  }
}

for (const [name, instead] of Object.entries(OF_RESPONSE)) {
  const get = () => {
    const error = new TypeError(`a response has no ${name} here: ${instead}`)
    Error.captureStackTrace(error, get)
    throw error
  }
  Object.defineProperty(FunctionResponse.prototype, name, {
    get,
    // It is an object of the function as well.
    set (value) { Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true }) },
    configurable: true
  })
}

/** Functions use the same ones each time. @type {Kept<ReturnType<typeof parseJsonPath>>} */
const PATHS = new Kept(1000, 1024 * 1024)

/** @param {string} path */
function knownPath (path) {
  let parsed = PATHS.get(path)
  if (parsed !== undefined) return parsed
  parsed = parseJsonPath(path)
  // Its steps are parts of it.
  PATHS.set(path, parsed, 2 * path.length)
  return parsed
}

/** @type {(raw: string[], as: (name: string) => string) => Array<[string, string]>} */
function pairsOf (raw, as) {
  return Array.from({ length: raw.length / 2 }, (_, i) => [as(raw[2 * i]), raw[2 * i + 1]])
}

/** @param {string} text */
function pageOf (text) {
  const html = require('../checks/html')
  if (html.loadHtml() === null) throw new HookError(html.missingFor('response.html()'))
  return html.pageOf(text)
}

module.exports = { FunctionResponse, SAMPLE_BODY, Sampled, knownPath }
