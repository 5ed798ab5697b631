'use strict'

// The numbers of RFC 9113: error codes (§7) and settings (§6.5.2).

const { HTTP2_ERRORS } = require('../../core/errors')

const ERRORS = Object.freeze({
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  FLOW_CONTROL_ERROR: 3,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  ENHANCE_YOUR_CALM: 11
})

const HEADER_TABLE_SIZE = 1
const ENABLE_PUSH = 2
const MAX_CONCURRENT_STREAMS = 3
const INITIAL_WINDOW_SIZE = 4
const MAX_FRAME_SIZE = 5
const MAX_HEADER_LIST_SIZE = 6
/** RFC 8441 §3. */
const ENABLE_CONNECT_PROTOCOL = 8

/**
 * Our error code for one of the peer.
 * @type {(code: 'AC_H2_RESET' | 'AC_H2_GOAWAY', number: number) => import('../../core/errors').Code}
 */
function errorCodeOf (code, number) {
  const name = HTTP2_ERRORS[number]
  if (name === undefined || number === ERRORS.NO_ERROR) return code
  return /** @type {import('../../core/errors').Code} */ (`${code}_${name}`)
}

module.exports = {
  ERRORS, HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE,
  MAX_HEADER_LIST_SIZE, ENABLE_CONNECT_PROTOCOL, errorCodeOf
}
