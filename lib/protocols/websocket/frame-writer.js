'use strict'

// Writes the frames of a WebSocket client, which are masked (RFC 6455 §5.3).
//
// A frame is built once, with a mask key of zeros, so its payload is plain. Each time it is sent, `masked` makes a copy
// with a new key. A masked frame can't be sent again: the key must be unpredictable for each frame.
//
// 73 ns for a payload of 50 bytes, 4.0 µs for one of 16 KiB, allocation included, in a loop of `masked` alone; what a
// whole message costs, `npm run bench -- --only echo` measures.

const { randomFillSync } = require('node:crypto')
const { NO_STATUS } = require('./close-codes')
const { CLOSE, FIN, MASKED, MAX_CONTROL, PING, PONG, RSV1 } = require('./frames')

/** Bytes of the mask key. */
const KEY = 4

/** From this length on, a payload is masked in words of 32 bits: 16 KiB in 4.0 µs instead of 11.2. */
const WORDS = 1024

/** Keys are generated 2048 at a time: one call for each takes longer than to mask a short message. */
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

/** Returns how many bytes precede a payload of that length. @type {(length: number) => number} */
function headLength (length) {
  return length < 126 ? 2 + KEY : length < 65536 ? 4 + KEY : 10 + KEY
}

/**
 * @param {Buffer} frame a whole one of a client
 * @returns {number} where its payload begins
 */
function payloadStart (frame) {
  const length = frame[1] & 127
  return length < 126 ? 2 + KEY : length === 126 ? 4 + KEY : 10 + KEY
}

/**
 * @param {number} start of the payload
 * @param {number} size of the frame
 * @returns {Buffer} for a frame; a long payload lies at a multiple of 4, with room for whole words
 */
function bufferFor (start, size) {
  if (size - start < WORDS) return Buffer.allocUnsafe(size)
  const pad = -start & 3
  return Buffer.allocUnsafeSlow((pad + size + 3) & ~3).subarray(pad, pad + size)
}

/**
 * @param {number} opcode
 * @param {string | Uint8Array} payload of at most 125 bytes in a control frame
 * @param {boolean} [isDeflated]
 * @returns {Buffer} a whole message as one frame, which is not masked yet
 */
function plainFrame (opcode, payload, isDeflated = false) {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
  const start = headLength(length)
  const frame = bufferFor(start, start + length)
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

/**
 * @param {Buffer} frame of `plainFrame`, which is not changed
 * @returns {Buffer} the same message with a new mask key, to be written once
 */
function masked (frame) {
  const start = payloadStart(frame)
  const out = bufferFor(start, frame.length)
  if (frame.length - start < WORDS || !maskWords(frame, out, start)) maskTo(frame, out, 0)
  return out
}

/**
 * @param {Buffer} frame of `plainFrame`
 * @param {Buffer} out gets the same message with a new mask key
 * @param {number} at where it begins there
 */
function maskTo (frame, out, at) {
  const start = payloadStart(frame)
  const end = frame.length
  const key = randomKey()
  let to = at
  for (let i = 0; i < start - KEY; i++) out[to++] = frame[i]
  const a = out[to++] = key & 255
  const b = out[to++] = key >>> 8 & 255
  const c = out[to++] = key >>> 16 & 255
  const d = out[to++] = key >>> 24
  let i = start
  for (; i + 3 < end; i += 4, to += 4) {
    out[to] = frame[i] ^ a
    out[to + 1] = frame[i + 1] ^ b
    out[to + 2] = frame[i + 2] ^ c
    out[to + 3] = frame[i + 3] ^ d
  }
  if (i < end) out[to] = frame[i] ^ a
  if (i + 1 < end) out[to + 1] = frame[i + 1] ^ b
  if (i + 2 < end) out[to + 2] = frame[i + 2] ^ c
}

/**
 * @param {Buffer} frame
 * @param {Buffer} out of `bufferFor`, for the whole frame
 * @param {number} start of the payload
 * @returns {boolean} false for a frame that is not of `bufferFor`, such as a copy
 */
function maskWords (frame, out, start) {
  const count = (frame.length - start + 3) >>> 2
  const at = frame.byteOffset + start
  if ((at & 3) !== 0 || at + 4 * count > frame.buffer.byteLength) return false
  const from = new Int32Array(frame.buffer, at, count)
  const to = new Int32Array(out.buffer, out.byteOffset + start - KEY, count + 1)
  for (let i = 0; i < start - KEY; i++) out[i] = frame[i]
  const key = to[0] = randomKey()
  let i = 0
  for (; i + 3 < count; i += 4) {
    to[i + 1] = from[i] ^ key
    to[i + 2] = from[i + 1] ^ key
    to[i + 3] = from[i + 2] ^ key
    to[i + 4] = from[i + 3] ^ key
  }
  for (; i < count; i++) to[i + 1] = from[i] ^ key
  return true
}

/**
 * Writes messages in one piece.
 * @param {import('../peer').Socket} socket
 * @param {Buffer[]} frames of `plainFrame`, at least one
 * @returns {boolean} whether it takes more
 */
function writeMasked (socket, frames) {
  let length = 0
  for (let i = 0; i < frames.length; i++) length += frames[i].length
  const { output } = socket
  // A long message is masked in words, which needs a buffer of its own.
  let at = output !== undefined && length < WORDS ? /** @type {Required<typeof socket>} */ (socket).reserve(length) : -1
  if (output === undefined || at === -1) {
    return socket.write(frames.length === 1 ? masked(frames[0]) : Buffer.concat(frames.map(masked), length))
  }
  for (let i = 0; i < frames.length; i++) {
    maskTo(frames[i], output, at)
    at += frames[i].length
  }
  socket.commit?.(length)
  return true
}

/** Of at most 125 bytes. @type {(payload: string | Uint8Array) => Buffer} */
const plainPing = payload => plainFrame(PING, payload)
/** The response to a ping has its payload. @type {(bytes: Buffer, start: number, end: number) => Buffer} */
const plainPong = (bytes, start, end) => plainFrame(PONG, bytes.subarray(start, end))

/**
 * @param {number} code 1005 for none
 * @param {string} [reason] which is cut after the last character that has room
 */
function plainClose (code, reason = '') {
  if (code === NO_STATUS) return plainFrame(CLOSE, '')
  const payload = Buffer.alloc(MAX_CONTROL)
  payload.writeUInt16BE(code)
  return plainFrame(CLOSE, payload.subarray(0, 2 + payload.write(reason, 2)))
}

module.exports = { masked, payloadStart, plainClose, plainFrame, plainPing, plainPong, writeMasked }
