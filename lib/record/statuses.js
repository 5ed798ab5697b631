'use strict'

// Counts of responses by status.

/** Replaces the status of a response without one: a message. */
const NONE = 0

/**
 * @param {Record<string, number>} statuses number of responses by status
 * @returns {number} responses with a status other than 2xx
 */
function countNon2xx (statuses) {
  return count(statuses, status => status !== NONE && (status < 200 || status > 299))
}

/** @param {number} status @returns {boolean} whether it is 2xx, or stands for a message */
function isSuccess (status) {
  return status === NONE || (status >= 200 && status <= 299)
}

/**
 * @param {Record<string, number>} statuses
 * @returns {number} responses of 4xx and 5xx; a higher status counts as 5xx (RFC 9110 §15)
 */
function countErrors (statuses) {
  return count(statuses, status => status >= 400)
}

/** @param {Record<string, number>} statuses @param {(status: number) => boolean} counts */
function count (statuses, counts) {
  let total = 0
  for (const [status, n] of Object.entries(statuses)) if (counts(Number(status))) total += n
  return total
}

/**
 * A separate function, because V8 compiles all of a function with a long loop (see buckets.js).
 * @param {Float64Array} counts by status
 * @returns {Record<string, number>} the counts above 0
 */
function statusesIn (counts) {
  /** @type {Record<string, number>} */
  const seen = {}
  for (let status = 0; status < counts.length; status++) if (counts[status] > 0) seen[status] = counts[status]
  return seen
}

module.exports = { NONE, countNon2xx, countErrors, isSuccess, statusesIn }
