'use strict'

// Close codes (RFC 6455 §7.4 and the registry of IANA): their names, the errors for received codes, and the codes that
// are sent for errors.

/** Never in a frame: the close frame had no code (§7.1.5). */
const NO_STATUS = 1005

const NORMAL = 1000
const PROTOCOL_ERROR = 1002
const INVALID_PAYLOAD = 1007
const TOO_LARGE = 1009

/** The registered codes that a frame may have. @type {Readonly<Record<number, string>>} */
const NAMES = Object.freeze({
  1000: 'NORMAL',
  1001: 'GOING_AWAY',
  1002: 'PROTOCOL_ERROR',
  1003: 'UNSUPPORTED_DATA',
  1007: 'INVALID_PAYLOAD',
  1008: 'POLICY_VIOLATION',
  1009: 'TOO_LARGE',
  1010: 'EXTENSION_MISSING',
  1011: 'INTERNAL_ERROR',
  1012: 'SERVICE_RESTART',
  1013: 'TRY_AGAIN_LATER',
  1014: 'BAD_GATEWAY'
})

/** The lowest code of applications and the highest one (§7.4.2). */
const FIRST_OWN = 3000
const LAST_OWN = 4999

/** Returns whether a close frame may carry it. @type {(code: number) => boolean} */
function isValidCloseCode (code) {
  return code in NAMES || (code >= FIRST_OWN && code <= LAST_OWN)
}

/**
 * @param {number} code of a close frame
 * @returns {import('../../core/errors').Code} the error code of messages in flight
 */
function errorOfClose (code) {
  if (code === NO_STATUS) return 'AC_WS_CLOSE'
  return `AC_WS_CLOSE_${NAMES[code] ?? code}`
}

/**
 * Close codes by errors of the frame reader; all other errors are protocol errors.
 * @type {Readonly<Record<string, number>>}
 */
const SENT = Object.freeze({ AC_WS_UTF8: INVALID_PAYLOAD, AC_WS_DEFLATE: INVALID_PAYLOAD, AC_WS_SIZE: TOO_LARGE })

/**
 * @param {Error & { code?: string }} error of the frame reader
 * @returns {number} the code of the close frame in response
 */
function closeCodeOf ({ code = '' }) {
  return SENT[code] ?? PROTOCOL_ERROR
}

module.exports = { NORMAL, NO_STATUS, closeCodeOf, errorOfClose, isValidCloseCode }
