'use strict'

// Writes the frames of a WebSocket client, which are masked (RFC 6455 §5.3).
//
// A frame is built once, with a mask key of zeros: its payload is plain then, so values of templates can be set in it.
// Each time it is sent, `masked` makes a copy with a new key. The key has to be unpredictable for each frame, so
// masked frames can't be kept.

const { randomFillSync } = require('node:crypto')
const { BINARY, CLOSE, FIN, MASKED, MAX_CONTROL, PING, PONG, RSV1, TEXT } = require('./frames')

const KEY = 4

/** Keys are made 2048 at a time: a call for each would cost more than to mask a short message. */
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

/** Returns how many bytes stand in front of a payload of that length. @type {(length: number) => number} */
function headLength (length) {
  return length < 126 ? 2 + KEY : length < 65536 ? 4 + KEY : 10 + KEY
}

/**
 * @param {Buffer} frame any of a client, from its first byte on
 * @returns {number} where its payload begins
 */
function payloadStart (frame) {
  const length = frame[1] & 127
  return length < 126 ? 2 + KEY : length === 126 ? 4 + KEY : 10 + KEY
}

/**
 * @param {number} opcode
 * @param {string | Uint8Array} payload
 * @param {boolean} [isDeflated]
 * @returns {Buffer} a whole message as one frame that is not masked yet
 */
function plainFrame (opcode, payload, isDeflated = false) {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  const start = headLength(length)
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = FIN | (isDeflated ? RSV1 : 0) | opcode
  if (length < 126) {
    frame[1] = MASKED | length
  } else if (length < 65536) {
    frame[1] = MASKED | 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = MASKED | 127
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2)
    frame.writeUInt32BE(length % 2 ** 32, 6)
  }
  frame.fill(0, start - KEY, start)
  if (typeof payload === 'string') frame.write(payload, start)
  else frame.set(payload, start)
  return frame
}

/** @type {(payload: string | Uint8Array, isDeflated?: boolean) => Buffer} */
const plainText = (payload, isDeflated) => plainFrame(TEXT, payload, isDeflated)
/** @type {(payload: string | Uint8Array, isDeflated?: boolean) => Buffer} */
const plainBinary = (payload, isDeflated) => plainFrame(BINARY, payload, isDeflated)

/**
 * @param {Buffer} frame a plain one, which is not changed
 * @returns {Buffer} the same message with a new mask key, to be written
 */
function masked (frame) {
  const out = Buffer.allocUnsafe(frame.length)
  const start = payloadStart(frame)
  const key = randomKey()
  for (let i = 0; i < start - KEY; i++) out[i] = frame[i]
  const a = out[start - 4] = key & 255
  const b = out[start - 3] = key >>> 8 & 255
  const c = out[start - 2] = key >>> 16 & 255
  const d = out[start - 1] = key >>> 24
  let i = start
  for (; i + 3 < frame.length; i += 4) {
    out[i] = frame[i] ^ a
    out[i + 1] = frame[i + 1] ^ b
    out[i + 2] = frame[i + 2] ^ c
    out[i + 3] = frame[i + 3] ^ d
  }
  if (i < frame.length) out[i] = frame[i] ^ a
  if (i + 1 < frame.length) out[i + 1] = frame[i + 1] ^ b
  if (i + 2 < frame.length) out[i + 2] = frame[i + 2] ^ c
  return out
}

/** @type {(payload: string | Uint8Array, isDeflated?: boolean) => Buffer} */
const textFrame = (payload, isDeflated) => masked(plainText(payload, isDeflated))
/** @type {(payload: string | Uint8Array, isDeflated?: boolean) => Buffer} */
const binaryFrame = (payload, isDeflated) => masked(plainBinary(payload, isDeflated))
/** Of at most 125 bytes. @type {(payload: string | Uint8Array) => Buffer} */
const pingFrame = payload => masked(plainFrame(PING, payload))
/** Answers a ping with its payload. @type {(bytes: Buffer, start: number, end: number) => Buffer} */
const pongFrame = (bytes, start, end) => masked(plainFrame(PONG, bytes.subarray(start, end)))

/**
 * @param {number} code 1005 for none
 * @param {string} [reason] which is cut where a frame has no room for it
 */
function closeFrame (code, reason = '') {
  if (code === 1005) return masked(plainFrame(CLOSE, ''))
  const payload = Buffer.alloc(MAX_CONTROL)
  payload.writeUInt16BE(code)
  // Writes whole characters only.
  return masked(plainFrame(CLOSE, payload.subarray(0, 2 + payload.write(reason, 2))))
}

module.exports = {
  binaryFrame, closeFrame, masked, payloadStart, pingFrame, plainBinary, plainFrame, plainText, pongFrame, textFrame
}
