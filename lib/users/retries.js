'use strict'

// Determines which outcomes of a user's requests are retried, and after which delay. The user counts the attempts.

const { draw } = require('./pause')
const { statusesOf } = require('../requests/statuses')

/** The longest delay by Retry-After, ms. */
const LONGEST_WAIT = 30_000

/**
 * @typedef {object} RetryPlan
 * @property {number} times the limit of retries, at least 1
 * @property {ReadonlyArray<string>} statuses statuses that are retried: codes, and classes such as 5xx
 * @property {ReadonlyArray<string>} codes error codes that are retried
 * @property {import('./pause').TimedPause | null} pause the delay before each retry; null for that of Retry-After, or
 *   none
 *
 * @typedef {object} Headed
 * @property {() => Readonly<Record<string, string | string[]>>} lowerCaseHeaders
 */

class Retries {
  /** @param {RetryPlan} plan */
  constructor ({ times, statuses, codes, pause }) {
    this.times = times
    this.statuses = statusesOf(statuses)
    this.codes = new Set(codes)
    this.pause = pause
  }

  /**
   * @param {Headed | null} response null without a response
   * @param {() => number} random
   * @returns {number} ms until the next attempt
   */
  wait (response, random) {
    if (this.pause !== null) return draw(this.pause, random)
    return response === null ? 0 : retryAfter(response.lowerCaseHeaders())
  }
}

/**
 * A date is compared with the Date header of the same response, because the clock of the server may differ.
 * @param {Readonly<Record<string, string | string[]>>} headers
 * @returns {number} ms of Retry-After (RFC 9110 §10.2.3), at most LONGEST_WAIT; 0 where it is missing or invalid
 */
function retryAfter (headers) {
  const given = textOf(headers, 'retry-after')
  const ms = /^\d+$/.test(given) ? Number(given) * 1000 : timeOf(given) - timeOf(textOf(headers, 'date'))
  return ms > 0 ? Math.min(ms, LONGEST_WAIT) : 0
}

/** @type {(headers: Readonly<Record<string, string | string[]>>, name: string) => string} */
function textOf (headers, name) {
  const value = Object.hasOwn(headers, name) ? headers[name] : ''
  return typeof value === 'string' ? value : value[0]
}

/** Returns ms since 1970 of an HTTP date (RFC 9110 §5.6.7); NaN for anything else. @type {(text: string) => number} */
function timeOf (text) {
  return /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : NaN
}

module.exports = { Retries }
