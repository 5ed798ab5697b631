'use strict'

// Reads the option `retries`: the number of retries, the outcomes, and the delay.

const { parseStatus } = require('../../checks/expectation')
const { CODES, FOREIGN_CODES, meaningOf } = require('../../core/errors')
const { isRecord, show } = require('../../core/foreign-text')
const { within } = require('../../requests/place')
const { suggest } = require('../../core/suggest')
const { toNumber } = require('../../core/numbers')
const { formatInteger } = require('../../core/units')
const { readObject } = require('../../requests/fields')
const { parsePause } = require('./pauses')

/** @typedef {import('../../users/retries').RetryPlan} RetryPlan */

const MOST_TIMES = 1000

/**
 * The default outcomes: temporary rejections (RFC 9110 §15.6.3 to §15.6.5, RFC 6585 §4), and connections that end
 * without a response. A 500 is not retried, because a benchmark has to show failures of the server.
 */
const ON = Object.freeze([
  '429', '502', '503', '504', 'AC_CLOSED', 'AC_TRUNCATED', 'AC_TIMEOUT', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT',
  'UND_ERR_SOCKET'
])

/** Error codes that `on` accepts: those of requests that were sent. */
const KNOWN =
  [...Object.keys(CODES).slice(Object.keys(CODES).indexOf('AC_TIMEOUT')).filter(code =>
    !['AC_BEHIND_TIMEOUT', 'AC_CONNECT_TIMEOUT', 'AC_UNREQUESTED'].includes(code)),
  'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_SOCKET']

const FIELDS = Object.freeze(/** @satisfies {import('../../requests/fields').Fields} */ ({
  times: {
    ts: 'number', schema: ({ boundsOf, number }, field) => number(boundsOf(field), 'integer'), parse: timesOf,
    min: 0, max: MOST_TIMES, required: true, help: 'Maximum number of retries of a request.'
  },
  on: {
    ts: 'number | string | ReadonlyArray<number | string>',
    schema: ({ A_STATUS, statusOr }) => statusOr(`^${A_STATUS}$|^[A-Z][A-Z\\d_]+$|`),
    parse: reasonsOf,
    help: 'Statuses, classes such as 5xx and codes of errors such as AC_CLOSED.'
  },
  pause: {
    ts: 'Exclude<Pause, Function>', schema: ({ ref }) => ref('pause'), parse: pauseOf,
    help: 'Pause before each attempt. Default: that of Retry-After, or none.'
  }
}))

/**
 * @param {unknown} given a number of retries, or an object with times, on and pause
 * @returns {RetryPlan | 0} 0 for no retries
 * @throws {TypeError}
 */
function parseRetries (given) {
  if (!isRecord(given)) return retriesOf(timesOf(given), ON, null)
  const { times, on = ON, pause = null } = readObject(given, FIELDS)
  return retriesOf(times, on, pause)
}

/**
 * @param {number} times
 * @param {ReadonlyArray<string>} on
 * @param {import('../../users/pause').TimedPause | null} pause
 */
function retriesOf (times, on, pause) {
  return times === 0
    ? 0
    : Object.freeze({ times, statuses: on.filter(isStatus), codes: on.filter(one => !isStatus(one)), pause })
}

/** @param {unknown} given */
function timesOf (given) {
  const times = toNumber(given)
  if (Number.isInteger(times) && times >= 0 && times <= MOST_TIMES) return times
  throw new TypeError('expected how often a request is sent again, a whole number from 0 to ' +
    `${formatInteger(MOST_TIMES)}, or { times, on, pause }, got ${show(given)}`)
}

/**
 * @throws {TypeError}
 * @type {(given: unknown) => string[]}
 */
function reasonsOf (given) {
  const list = Array.isArray(given) ? Array.from(given) : [given]
  if (list.length === 0) throw new TypeError("expected statuses and codes such as ['5xx', 429, 'AC_CLOSED'], got none")
  return list.map((one, i) => within(`[${i}]`, () => {
    if (typeof one === 'string' && KNOWN.includes(one)) return one
    if (typeof one === 'string' && (one === 'AC_CONNECT_TIMEOUT' || one in FOREIGN_CODES)) {
      throw new TypeError(`expected an outcome of a request that was sent, got '${one}' (${meaningOf(one)}): a ` +
        'failed connection is always opened again')
    }
    if (typeof one === 'number' || (typeof one === 'string' && isStatus(one.toLowerCase()))) return parseStatus(one)[0]
    throw new TypeError('expected a status such as 503 or 5xx, or the code of an error such as AC_CLOSED or ' +
      `ECONNRESET, got ${show(one)}${typeof one === 'string' ? suggest(one, KNOWN) : ''}`)
  }))
}

/** @param {string} one */
function isStatus (one) {
  return /^[1-9](\d\d|xx)$/.test(one)
}

/** @param {unknown} given */
function pauseOf (given) {
  const pause = parsePause(given)
  if ('hook' in pause) {
    throw new TypeError(
      `expected a time such as 1s, ['500ms', '2s'] for any in between or { exponential: '1s' }, got ${show(given)}`
    )
  }
  return pause
}

module.exports = { FIELDS, parseRetries }
