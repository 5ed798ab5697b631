'use strict'

// The start of a connection: the preface, our settings and connection window (RFC 9113 §3.4, §6.5), and the
// acknowledgement of the peer's settings.

const { HEADER_TABLE_SIZE, ENABLE_PUSH, INITIAL_WINDOW_SIZE, MAX_HEADER_LIST_SIZE } = require('./codes')
const { ACK, DEFAULT_WINDOW, FRAME_HEAD, SETTINGS, WINDOW_UPDATE, writeFrameHead, writeUint32 } = require('./frames')

/** How much a peer may send before we grant it again, of a connection and of a stream. */
const WINDOW = 2 ** 30

/** The limit of a header block, in bytes, and of the list of fields that we announce. */
const MAX_BLOCK = 64 * 1024

const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  settings([
    [HEADER_TABLE_SIZE, 0], [ENABLE_PUSH, 0], [INITIAL_WINDOW_SIZE, WINDOW], [MAX_HEADER_LIST_SIZE, MAX_BLOCK]
  ]),
  windowUpdate(0, WINDOW - DEFAULT_WINDOW)
])

const SETTINGS_ACK = Buffer.alloc(FRAME_HEAD)
writeFrameHead(SETTINGS_ACK, 0, 0, SETTINGS, ACK, 0)

/** @param {Array<[setting: number, value: number]>} list */
function settings (list) {
  const frame = Buffer.alloc(FRAME_HEAD + 6 * list.length)
  let at = writeFrameHead(frame, 0, 6 * list.length, SETTINGS, 0, 0)
  for (const [setting, value] of list) at = frame.writeUInt32BE(value, frame.writeUInt16BE(setting, at))
  return frame
}

/** @param {number} stream @param {number} increment */
function windowUpdate (stream, increment) {
  const frame = Buffer.alloc(FRAME_HEAD + 4)
  writeUint32(frame, writeFrameHead(frame, 0, 4, WINDOW_UPDATE, 0, stream), increment)
  return frame
}

module.exports = { MAX_BLOCK, PREFACE, SETTINGS_ACK, WINDOW }
