'use strict'

// permessage-deflate (RFC 7692): the offer, the response of the server, and the compression of messages.
//
// A message is inflated by one synchronous call, so that its latency is not that of a thread pool. The window that the
// server goes on with from message to message (context takeover) is the dictionary of the next call: node:zlib has no
// public way to keep a stream and read it synchronously. Messages are deflated without the window of earlier ones,
// which a client always may (§7.2.1): a message that is sent again and again is compressed once.

const zlib = require('node:zlib')
const { parseExtensions } = require('./extensions')

const NAME = 'permessage-deflate'
const { Z_SYNC_FLUSH } = zlib.constants

/** What a sender leaves out at the end of each message (§7.2.1). */
const TAIL = Buffer.from([0, 0, 0xff, 0xff])
const EMPTY = Buffer.alloc(0)

/**
 * @typedef {object} Offer
 * @property {string} text the value of Sec-WebSocket-Extensions
 * @property {number | null} clientBits the most that the server may answer; null where it must not answer any
 * @property {number | null} serverBits the most that it may answer
 *
 * What was negotiated.
 * @typedef {object} Deflate
 * @property {boolean} serverTakesOver whether messages of the server refer to earlier ones
 * @property {boolean} clientTakesOver whether those of the client may
 * @property {number} serverBits of the window: 8 to 15
 * @property {number} clientBits
 */

/** What browsers offer. */
const DEFAULT_OFFER = `${NAME}; client_max_window_bits`

/**
 * @param {string} [text] `permessage-deflate` with parameters
 * @returns {Offer}
 * @throws {TypeError} that says what is wrong
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
 * @returns {Deflate | string} a sentence for a response that was not offered
 */
function acceptAnswer (offer, parameters) {
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
    clientTakesOver: !found.has('client_no_context_takeover'),
    serverBits,
    clientBits: bitsOf(clientBits ?? null)
  }
}

/** @param {string | null} value none means the largest */
const bitsOf = value => value === null ? 15 : Number(value)

/**
 * @param {Array<[name: string, value: string | null]>} parameters
 * @param {boolean} isOffer where a value for the client's window may be left out
 * @returns {Map<string, string | null> | string} a sentence when they are invalid
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

/** Inflates the messages of one connection. */
class Inflater {
  /** @param {Deflate} deflate */
  constructor ({ serverTakesOver, serverBits }) {
    this.keeps = serverTakesOver ? 2 ** serverBits : 0
    /** The end of what was inflated before. */
    this.window = EMPTY
    /** @type {'AC_WS_DEFLATE' | 'AC_WS_SIZE'} of the last message that could not be inflated */
    this.code = 'AC_WS_DEFLATE'
  }

  /**
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   * @param {number} maxSize in bytes: a few bytes may become gigabytes
   * @returns {Buffer | null} null when it is not deflated data or becomes larger: `code` says which
   */
  inflate (buf, start, end, maxSize) {
    const input = Buffer.concat([buf.subarray(start, end), TAIL])
    const { window } = this
    let plain
    try {
      plain = zlib.inflateRawSync(input, {
        finishFlush: Z_SYNC_FLUSH,
        maxOutputLength: maxSize,
        dictionary: window.length > 0 ? window : undefined
      })
    } catch (error) {
      const { code } = /** @type {Error & { code?: string }} */ (error)
      this.code = code === 'ERR_BUFFER_TOO_LARGE' ? 'AC_WS_SIZE' : 'AC_WS_DEFLATE'
      return null
    }
    if (this.keeps > 0) this.keep(plain)
    return plain
  }

  /** @param {Buffer} plain */
  keep (plain) {
    const { keeps, window } = this
    this.window = plain.length >= keeps
      ? Buffer.from(plain.subarray(plain.length - keeps))
      : Buffer.concat([window.subarray(Math.max(0, window.length + plain.length - keeps)), plain])
  }
}

/**
 * @param {string | Uint8Array} payload
 * @param {Deflate} deflate
 * @returns {Buffer} to be sent in a frame that says so
 */
function deflated (payload, { clientBits }) {
  const bytes = zlib.deflateRawSync(payload, { finishFlush: Z_SYNC_FLUSH, windowBits: clientBits })
  return bytes.subarray(0, bytes.length - TAIL.length)
}

module.exports = { DEFAULT_OFFER, Inflater, NAME, acceptAnswer, deflated, parseOffer }
