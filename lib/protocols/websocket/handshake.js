'use strict'

// The handshake of WebSocket over HTTP/1.1 (RFC 6455 §4): the request of the client, and the validation of the
// response. It has no sockets.

const { createHash, randomBytes } = require('node:crypto')
const { ProtocolError } = require('../../core/errors')
const { shownSubprotocols } = require('../../core/secrets')
const { NAME, acceptResponse } = require('./deflate')
const { parseExtensions } = require('./extensions')

/** The largest head that is read, in bytes. */
const MAX_HEAD = 64 * 1024
/** RFC 6455 §1.3. */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TLS_ALERT = 21
const VERSION = Buffer.from('HTTP/1.')
const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const EMPTY = Buffer.alloc(0)
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: ([^\0]*))?$/

/**
 * The request of the client, for all connections to a server.
 * @typedef {object} Wanted
 * @property {string} authority for Host
 * @property {string} path with the query
 * @property {string | undefined} [authorization] of the URL
 * @property {import('../../requests/headers').Pairs} headers of the user, including Cookie and Origin. Host and
 *   Authorization replace the default ones; the headers in OWN are not allowed
 * @property {ReadonlyArray<string>} protocols subprotocols, the preferred one first
 * @property {import('./deflate').Offer | null} offer null without compression
 */

/** Headers that only the handshake may set: some have options. */
const OWN = Object.freeze([
  'upgrade', 'connection', 'sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol',
  'sec-websocket-extensions'
])

/** @param {Wanted} wanted @param {string} key */
function requestText ({ authority, path, authorization, headers, protocols, offer }, key) {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  let text = `GET ${path} HTTP/1.1\r\n`
  if (!names.has('host')) text += `Host: ${authority}\r\n`
  text += 'Upgrade: websocket\r\nConnection: Upgrade\r\n' +
    `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n`
  if (protocols.length > 0) text += `Sec-WebSocket-Protocol: ${protocols.join(', ')}\r\n`
  if (offer !== null) text += `Sec-WebSocket-Extensions: ${offer.text}\r\n`
  if (authorization !== undefined && !names.has('authorization')) text += `Authorization: ${authorization}\r\n`
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`
  return text + '\r\n'
}

/** Returns the required Sec-WebSocket-Accept. @type {(key: string) => string} */
const acceptOf = key => createHash('sha1').update(key + GUID).digest('base64')

class HandshakeError extends ProtocolError {
  /**
   * @param {import('../../core/errors').Code} code
   * @param {number} status of the response; 0 without one
   * @param {string} [message]
   */
  constructor (code, status, message) {
    super(code, message)
    this.status = status
  }
}

/** @type {(char: number) => boolean} */
const isBlank = char => char === SPACE || char === TAB

/**
 * A regular expression for the end takes quadratic time for many blanks.
 * @param {string} line
 * @param {number} start
 * @returns {string} the value without blanks around it
 */
function trimmed (line, start) {
  let end = line.length
  while (start < end && isBlank(line.charCodeAt(start))) start++
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

/**
 * @param {string[]} raw names and values alternate
 * @param {string} wanted name, in lower case
 * @returns {string | null} the value; several headers with that name are joined by commas
 */
function valueIn (raw, wanted) {
  /** @type {string | null} */
  let joined = null
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i].toLowerCase() === wanted) joined = joined === null ? raw[i + 1] : `${joined}, ${raw[i + 1]}`
  }
  return joined
}

/**
 * The server's choice, over any version of HTTP.
 * @param {string[]} raw headers of an accepting response
 * @param {Wanted} wanted
 * @param {number} status
 * @returns {{ protocol: string | null, deflate: import('./deflate').Deflate | null } | HandshakeError}
 */
function choiceIn (raw, { protocols, offer }, status) {
  const protocol = valueIn(raw, 'sec-websocket-protocol')
  if (protocol === null && protocols.length > 0) {
    // RFC 6455 allows to continue without a subprotocol; browsers do not (WHATWG WebSockets §4.1).
    const none = `the server chose none of the offered subprotocols: ${shownSubprotocols(protocols).join(', ')}`
    return new HandshakeError('AC_WS_SUBPROTOCOL', status, none)
  }
  if (protocol !== null && !protocols.includes(protocol)) {
    const other = `the server chose the subprotocol '${protocol}', which was not offered`
    return new HandshakeError('AC_WS_SUBPROTOCOL', status, other)
  }
  const extensions = valueIn(raw, 'sec-websocket-extensions')
  if (extensions === null) return { protocol, deflate: null }
  const deflate = deflateIn(extensions, offer)
  return typeof deflate === 'string'
    ? new HandshakeError('AC_WS_EXTENSION', status, deflate)
    : { protocol, deflate }
}

/**
 * @param {string} extensions of the server
 * @param {import('./deflate').Offer | null} offer
 * @returns {import('./deflate').Deflate | string} a sentence for a choice that does not match the offer
 */
function deflateIn (extensions, offer) {
  const parsed = parseExtensions(extensions)
  if (parsed === null) return `malformed Sec-WebSocket-Extensions: '${extensions}'`
  const [extension, other] = parsed
  if (offer === null || extension.name !== NAME || other !== undefined) {
    return `the server chose an extension that was not offered: '${extensions}'`
  }
  const accepted = acceptResponse(offer, extension.parameters)
  return typeof accepted === 'string' ? `${NAME} of the server: ${accepted}` : accepted
}

/** The handshakes of one connection, also after reconnects. */
class Handshake {
  /** @param {Wanted} wanted */
  constructor (wanted) {
    this.wanted = wanted
    this.key = ''
    this.head = EMPTY
    this.length = 0
    /** @type {HandshakeError | null} the reason why the handshake failed */
    this.error = null
    /** Whether the handshake is complete: frames can be sent and read. */
    this.done = false
    // The response: its status and headers, and the choice of the server.
    this.status = 0
    /** @type {string[]} names and values alternate */
    this.rawHeaders = []
    this.protocol = null
    /** @type {import('./deflate').Deflate | null} */
    this.deflate = null
  }

  /**
   * Begins the handshake of another connection.
   * @returns {Buffer} the request
   */
  begin () {
    this.key = randomBytes(16).toString('base64')
    this.length = 0
    this.error = null
    this.done = false
    this.status = 0
    this.rawHeaders = []
    this.protocol = null
    this.deflate = null
    return Buffer.from(requestText(this.wanted, this.key))
  }

  /**
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   * @returns {number} the offset of the first frame, when it is `done`; `end` before that, and after an `error`
   */
  read (buf, start, end) {
    let from = start
    while (from < end && !this.done && this.error === null) from = this.readHead(buf, from, end)
    return this.error === null ? from : end
  }

  /** @type {(buf: Buffer, start: number, end: number) => number} */
  readHead (buf, start, end) {
    const before = this.length
    this.keep(buf, start, end)
    const { head, length } = this
    for (let i = before; i < length; i++) {
      if (i < VERSION.length && head[i] !== VERSION[i]) {
        return this.fail(head[0] === TLS_ALERT ? 'AC_TLS_ALERT' : 'AC_STATUS_LINE', end)
      }
      if (head[i] !== LF) continue
      if (head[i - 1] !== CR) return this.fail('AC_HEADER', end)
      if (head[i - 2] !== LF) continue
      this.length = 0
      this.parse(head.toString('latin1', 0, i - 3))
      // The buffer is released, because idle connections would keep it.
      if (this.done) this.head = EMPTY
      return start + i + 1 - before
    }
    return length > MAX_HEAD ? this.fail('AC_HEAD_SIZE', end) : end
  }

  /** @type {(buf: Buffer, start: number, end: number) => void} */
  keep (buf, start, end) {
    const length = Math.min(this.length + end - start, MAX_HEAD + 1)
    if (length > this.head.length) {
      const larger = Buffer.allocUnsafe(Math.max(512, 2 * length))
      this.head.copy(larger, 0, 0, this.length)
      this.head = larger
    }
    buf.copy(this.head, this.length, start, start + length - this.length)
    this.length = length
  }

  /** @param {string} text a head without its empty line */
  parse (text) {
    const [statusLine, ...lines] = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
    const [, digits, reason = ''] = STATUS_LINE.exec(statusLine) ?? []
    if (digits === undefined || /[\r\n]/.test(reason)) return this.fail('AC_STATUS_LINE', 0)
    const raw = []
    for (const line of lines) {
      const colon = line.indexOf(':')
      const name = line.slice(0, colon)
      const value = trimmed(line, colon + 1)
      if (colon < 1 || !TOKEN.test(name) || !VALUE.test(value)) return this.fail('AC_HEADER', 0)
      raw.push(name, value)
    }
    const status = Number(digits)
    // Interim responses precede the final one (RFC 9110 §15.2).
    if (status < 200 && status !== 101) return
    this.status = status
    this.rawHeaders = raw
    if (status !== 101) {
      const shown = `${digits} ${reason}`.trim()
      return this.fail('AC_WS_STATUS', 0, `the server responded to the WebSocket handshake with ${shown}`)
    }
    this.check()
  }

  /** Checks a response with status 101 (§4.1). */
  check () {
    const { rawHeaders } = this
    if (valueIn(rawHeaders, 'upgrade')?.toLowerCase() !== 'websocket') return this.fail('AC_WS_UPGRADE', 0)
    const connection = valueIn(rawHeaders, 'connection')?.toLowerCase().split(',').map(token => token.trim())
    if (!connection?.includes('upgrade')) return this.fail('AC_WS_CONNECTION', 0)
    if (valueIn(rawHeaders, 'sec-websocket-accept') !== acceptOf(this.key)) return this.fail('AC_WS_ACCEPT', 0)
    const choice = choiceIn(rawHeaders, this.wanted, this.status)
    if (choice instanceof HandshakeError) {
      this.error = choice
      return
    }
    this.protocol = choice.protocol
    this.deflate = choice.deflate
    this.done = true
  }

  /**
   * @template {number} T
   * @param {import('../../core/errors').Code} code
   * @param {T} end
   * @param {string} [message]
   * @returns {T}
   */
  fail (code, end, message) {
    this.error = new HandshakeError(code, this.status, message)
    return end
  }
}

module.exports = { Handshake, HandshakeError, OWN, acceptOf, choiceIn }
