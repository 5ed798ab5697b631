'use strict'

// Writes the frames of a WebSocket client, which are masked (RFC 6455 §5.3).
//
// A message is stored as one byte for the opcode, and its payload. Each time it is sent, it becomes a frame with a new
// mask key, because the key of each frame must be unpredictable. With room for a whole head instead of one byte, a
// message of a template was copied twice, which took 0.25 µs.
//
// 21 ns for a payload of 50 bytes, in a loop of `maskTo` alone; `npm run bench -- --only echo` measures a whole
// message.

const { randomFillSync } = require('node:crypto')
const { NO_STATUS } = require('./close-codes')
const { BINARY, CLOSE, FIN, MASKED, MAX_CONTROL, PING, PONG, RSV1, TEXT } = require('./frames')

/** Bytes of the mask key. */
const KEY = 4

/** From this length on, a payload is masked in words of 32 bits: 16 KiB in 4.0 µs instead of 11.2. */
const WORDS = 1024

/** 2,048 keys are generated at once, because a call for one key takes longer than masking a short message. */
const keys = new Int32Array(2048)
let nextKey = keys.length

/** Returns 32 bits. */
function randomKey () {
  if (nextKey === keys.length) {
    randomFillSync(keys)
    nextKey = 0
  }
  return keys[nextKey++]
}

/** The offset of the payload in a message: after its opcode. */
const PAYLOAD_START = 1

/**
 * @param {number} opcode
 * @param {string | Uint8Array} payload of at most 125 bytes in a control frame
 * @param {boolean} [isDeflated]
 * @returns {Buffer} a message that is sent as one frame
 */
function plainMessage (opcode, payload, isDeflated = false) {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  const message = Buffer.allocUnsafe(PAYLOAD_START + length)
  message[0] = isDeflated ? RSV1 | opcode : opcode
  if (typeof payload === 'string') message.write(payload, PAYLOAD_START)
  else message.set(payload, PAYLOAD_START)
  return message
}

/**
 * A text is sent as text, bytes as they are.
 * @type {(request: Pick<import('../../requests/request').Request, 'body'>) => Buffer}
 */
function encode ({ body }) {
  return plainMessage(typeof body === 'string' ? TEXT : BINARY, body ?? '')
}

/** @param {Buffer} message @returns {string} its payload */
const textOf = message => message.toString('utf8', PAYLOAD_START)

/** Returns the size of the head for a payload of that length. @type {(length: number) => number} */
function headLength (length) {
  return length < 126 ? 2 + KEY : length < 65536 ? 4 + KEY : 10 + KEY
}

/** Returns the size of its frame. @param {Buffer} message */
function frameLength (message) {
  const length = message.length - PAYLOAD_START
  return headLength(length) + length
}

/**
 * @param {Buffer} message
 * @param {Buffer} out
 * @param {number} at offset of the frame
 * @returns {number} the offset of the mask key
 */
function writeHead (message, out, at) {
  const length = message.length - PAYLOAD_START
  out[at++] = FIN | message[0]
  if (length < 126) {
    out[at++] = MASKED | length
    return at
  }
  out[at++] = MASKED | (length < 65536 ? 126 : 127)
  if (length < 65536) return out.writeUInt16BE(length, at)
  at = out.writeUInt32BE(Math.floor(length / 2 ** 32), at)
  return out.writeUInt32BE(length % 2 ** 32, at)
}

/**
 * @param {Buffer} message from `plainMessage`; it is not changed
 * @returns {Buffer} its frame with a new mask key, to be sent once
 */
function masked (message) {
  const length = message.length - PAYLOAD_START
  if (length >= WORDS) return maskedInWords(message)
  const out = Buffer.allocUnsafe(headLength(length) + length)
  maskTo(message, out, 0)
  return out
}

/**
 * @param {Buffer} message
 * @param {Buffer} out receives its frame with a new mask key
 * @param {number} at offset of the frame
 * @returns {number} the offset after the frame
 */
function maskTo (message, out, at) {
  let to = writeHead(message, out, at)
  const end = message.length
  const key = randomKey()
  const a = out[to++] = key & 255
  const b = out[to++] = key >>> 8 & 255
  const c = out[to++] = key >>> 16 & 255
  const d = out[to++] = key >>> 24
  let i = PAYLOAD_START
  for (; i + 3 < end; i += 4, to += 4) {
    out[to] = message[i] ^ a
    out[to + 1] = message[i + 1] ^ b
    out[to + 2] = message[i + 2] ^ c
    out[to + 3] = message[i + 3] ^ d
  }
  if (i < end) out[to++] = message[i++] ^ a
  if (i < end) out[to++] = message[i++] ^ b
  if (i < end) out[to++] = message[i] ^ c
  return to
}

/** @type {(message: Buffer) => Buffer} */
function maskedInWords (message) {
  const length = message.length - PAYLOAD_START
  const start = headLength(length)
  const end = start + length
  // The mask key is at a multiple of 4, with room for whole words after it.
  const pad = -start & 3
  const memory = Buffer.allocUnsafeSlow((pad + end + 3) & ~3)
  const out = memory.subarray(pad, pad + end)
  writeHead(message, out, 0)
  message.copy(out, start, PAYLOAD_START)
  const words = new Int32Array(memory.buffer, pad + start - KEY)
  const key = words[0] = randomKey()
  for (let i = 1; i < words.length; i++) words[i] ^= key
  return out
}

/**
 * Writes several messages at once.
 * @param {import('../peer').Socket} socket
 * @param {Buffer[]} messages from `plainMessage`, at least one
 * @returns {boolean} whether it accepts more
 */
function writeMasked (socket, messages) {
  let length = 0
  for (let i = 0; i < messages.length; i++) length += frameLength(messages[i])
  const { output } = socket
  // A long message is masked in words, which needs its own buffer.
  let at = output !== undefined && length < WORDS ? /** @type {Required<typeof socket>} */ (socket).reserve(length) : -1
  if (output === undefined || at === -1) {
    return socket.write(messages.length === 1 ? masked(messages[0]) : Buffer.concat(messages.map(masked), length))
  }
  for (let i = 0; i < messages.length; i++) at = maskTo(messages[i], output, at)
  socket.commit?.(length)
  return true
}

/** The payload has at most 125 bytes. @type {(payload: string | Uint8Array) => Buffer} */
const plainPing = payload => plainMessage(PING, payload)
/** A pong has the payload of its ping. @type {(bytes: Buffer, start: number, end: number) => Buffer} */
const plainPong = (bytes, start, end) => plainMessage(PONG, bytes.subarray(start, end))

/**
 * @param {number} code 1005 for no code
 * @param {string} [reason] truncated after the last character that fits
 */
function plainClose (code, reason = '') {
  if (code === NO_STATUS) return plainMessage(CLOSE, '')
  const payload = Buffer.alloc(MAX_CONTROL)
  payload.writeUInt16BE(code)
  return plainMessage(CLOSE, payload.subarray(0, 2 + payload.write(reason, 2)))
}

module.exports = {
  PAYLOAD_START, encode, masked, plainClose, plainMessage, plainPing, plainPong, textOf, writeMasked
}
