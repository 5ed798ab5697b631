'use strict'

// permessage-deflate (RFC 7692): the offer, the response of the server, and the compression of messages.
//
// A message is inflated by one synchronous call, because a stream of node:zlib would add the latency of its thread
// pool. With context takeover, the end of earlier messages is the dictionary of the call. It takes 2 µs for a message
// of 50 bytes, 5 µs with a dictionary of 32 KiB, and 16 µs for a message of 16 KiB.
//
// Messages of the client do not refer to earlier ones, which is always allowed (§7.2.1). So a repeated message is
// compressed once.

const zlib = require('node:zlib')
const { parseExtensions } = require('./extensions')

const NAME = 'permessage-deflate'
const { Z_SYNC_FLUSH } = zlib.constants

/** The end of each message, which senders omit (§7.2.1). */
const TAIL = Buffer.from([0, 0, 0xff, 0xff])
const EMPTY = Buffer.alloc(0)

const MAX_WINDOW = 32 * 1024

/**
 * @typedef {object} Offer
 * @property {string} text the value of Sec-WebSocket-Extensions
 * @property {number | null} clientBits the largest client window that the server may choose; null when it must not
 *   choose one
 * @property {number | null} serverBits the largest server window that it may choose
 *
 * The negotiated parameters.
 * @typedef {object} Deflate
 * @property {boolean} serverTakesOver whether messages of the server refer to earlier ones
 * @property {number} serverBits of the window: 8 to 15
 * @property {number} clientBits
 */

/** The offer of browsers. */
const DEFAULT_OFFER = `${NAME}; client_max_window_bits`

/**
 * @param {string} [text] `permessage-deflate` with parameters
 * @returns {Offer}
 * @throws {TypeError} with the problem
 */
function parseOffer (text = DEFAULT_OFFER) {
  const [extension, ...others] = parseExtensions(text) ?? []
  if (extension === undefined || others.length > 0 || extension.name !== NAME) {
    throw new TypeError(`expected ${NAME} and its parameters (RFC 7692), got '${text}'`)
  }
  const found = parametersOf(extension.parameters, true)
  if (typeof found === 'string') throw new TypeError(`${found} in '${text}'`)
  const clientBits = found.get('client_max_window_bits')
  return {
    text,
    clientBits: clientBits === undefined ? null : bitsOf(clientBits),
    serverBits: bitsOf(found.get('server_max_window_bits') ?? null)
  }
}

/**
 * @param {Offer} offer
 * @param {Array<[name: string, value: string | null]>} parameters of the extension in the response
 * @returns {Deflate | string} a sentence for a response that does not match the offer
 */
function acceptResponse (offer, parameters) {
  const found = parametersOf(parameters, false)
  if (typeof found === 'string') return found
  const clientBits = found.get('client_max_window_bits')
  const serverBits = bitsOf(found.get('server_max_window_bits') ?? null)
  if (clientBits !== undefined && offer.clientBits === null) return 'client_max_window_bits was not offered'
  if (bitsOf(clientBits ?? null) > (offer.clientBits ?? 15) && clientBits !== undefined) {
    return `client_max_window_bits=${clientBits} is more than the ${offer.clientBits} of the offer`
  }
  if (found.has('server_max_window_bits') && serverBits > (offer.serverBits ?? 15)) {
    return `server_max_window_bits=${serverBits} is more than the ${offer.serverBits} of the offer`
  }
  return {
    serverTakesOver: !found.has('server_no_context_takeover'),
    serverBits,
    clientBits: bitsOf(clientBits ?? null)
  }
}

/** @param {string | null} value null means the largest */
const bitsOf = value => value === null ? 15 : Number(value)

/**
 * @param {Array<[name: string, value: string | null]>} parameters
 * @param {boolean} isOffer whether client_max_window_bits may lack a value
 * @returns {Map<string, string | null> | string} a sentence for invalid parameters
 */
function parametersOf (parameters, isOffer) {
  /** @type {Map<string, string | null>} */
  const found = new Map()
  for (const [name, value] of parameters) {
    if (found.has(name)) return `${name} is there twice`
    if (name === 'server_no_context_takeover' || name === 'client_no_context_takeover') {
      if (value !== null) return `${name} has a value`
    } else if (name === 'server_max_window_bits' || name === 'client_max_window_bits') {
      const mayLack = isOffer && name === 'client_max_window_bits'
      if (value === null ? !mayLack : !/^(?:[89]|1[0-5])$/.test(value)) return `${name} is not a number from 8 to 15`
    } else return `${NAME} has no parameter ${name}`
    found.set(name, value)
  }
  return found
}

/** The limit of deflate streams in one message: each takes a call, so many of them are an attack. */
const MAX_STREAMS = 16

/** Room beyond the window for earlier messages, so that the history is not moved for each message. */
const SLACK = 16 * 1024

class Inflater {
  /** @param {Deflate} deflate */
  constructor ({ serverTakesOver, serverBits }) {
    this.windowSize = serverTakesOver ? 2 ** serverBits : 0
    this.history = EMPTY
    this.historyLength = 0
    /** @type {'AC_WS_DEFLATE' | 'AC_WS_SIZE'} the reason why the last message could not be inflated */
    this.code = 'AC_WS_DEFLATE'
  }

  /**
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   * @param {number} maxSize limit of the inflated size in bytes: a few bytes may expand to gigabytes
   * @returns {Buffer | null} null for an invalid or larger message: `code` has the reason
   */
  inflate (buf, start, end, maxSize) {
    const input = Buffer.concat([buf.subarray(start, end), TAIL])
    const plain = []
    let size = 0
    let pos = 0
    try {
      // A message may consist of several streams (§7.2.1, §7.2.3.4).
      for (let streams = 0; pos < input.length; streams++) {
        if (streams === MAX_STREAMS) return this.refuse('AC_WS_DEFLATE')
        const { buffer, engine } = inflateOne(input.subarray(pos), this.dictionary, maxSize - size)
        plain.push(buffer)
        size += buffer.length
        if (size > maxSize) return this.refuse('AC_WS_SIZE')
        if (this.windowSize > 0 || engine.bytesWritten < input.length - pos) this.keep(buffer)
        pos += engine.bytesWritten
      }
    } catch (error) {
      const { code } = /** @type {Error & { code?: string }} */ (error)
      return this.refuse(code === 'ERR_BUFFER_TOO_LARGE' ? 'AC_WS_SIZE' : 'AC_WS_DEFLATE')
    }
    if (this.windowSize === 0) this.historyLength = 0
    return plain.length === 1 ? plain[0] : Buffer.concat(plain)
  }

  /** @returns {Buffer | undefined} the dictionary of the next stream */
  get dictionary () {
    const { history, historyLength } = this
    if (historyLength === 0) return undefined
    return history.subarray(Math.max(0, historyLength - MAX_WINDOW), historyLength)
  }

  /** @param {Buffer} plain */
  keep (plain) {
    // Without context takeover, a stream may still refer to earlier streams of the same message.
    const most = this.windowSize || MAX_WINDOW
    const added = Math.min(plain.length, most)
    const length = this.historyLength + added
    if (length > this.history.length) {
      const kept = Math.min(this.historyLength, most - added)
      const largest = most + SLACK
      const to = this.history.length < largest
        ? Buffer.allocUnsafeSlow(Math.min(2 * length, largest))
        : this.history
      this.history.copy(to, 0, this.historyLength - kept, this.historyLength)
      this.history = to
      this.historyLength = kept
    }
    this.historyLength += plain.copy(this.history, this.historyLength, plain.length - added)
  }

  /** @param {'AC_WS_DEFLATE' | 'AC_WS_SIZE'} code */
  refuse (code) {
    this.code = code
    return null
  }
}

/**
 * @param {Buffer} input
 * @param {Buffer | undefined} dictionary
 * @param {number} maxSize
 * @returns {{ buffer: Buffer, engine: { bytesWritten: number } }} the inflated bytes, and the number of consumed ones
 */
function inflateOne (input, dictionary, maxSize) {
  const inflated = zlib.inflateRawSync(input, {
    finishFlush: Z_SYNC_FLUSH, info: true, maxOutputLength: Math.max(1, maxSize), dictionary
  })
  return /** @type {any} */ (inflated)
}

/** @param {string | Uint8Array} payload @param {Deflate} deflate @returns {Buffer} the payload of a compressed frame */
function deflated (payload, { clientBits }) {
  const bytes = zlib.deflateRawSync(payload, { finishFlush: Z_SYNC_FLUSH, windowBits: clientBits })
  return bytes.subarray(0, bytes.length - TAIL.length)
}

module.exports = { Inflater, NAME, acceptResponse, deflated, parseOffer }
