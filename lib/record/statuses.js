'use strict'

// Owns what is counted of answers by their status.

/**
 * @param {Record<string, number>} statuses how many answers had each
 * @returns {number} those other than 2xx
 */
function countNon2xx (statuses) {
  return count(statuses, status => status < 200 || status > 299)
}

/**
 * @param {Record<string, number>} statuses
 * @returns {number} those of 4xx and 5xx; a status beyond is taken for one of 5xx (RFC 9110 §15)
 */
function countErrors (statuses) {
  return count(statuses, status => status >= 400)
}

/**
 * @param {Record<string, number>} statuses
 * @param {(status: number) => boolean} counts
 */
function count (statuses, counts) {
  let total = 0
  for (const [status, n] of Object.entries(statuses)) if (counts(Number(status))) total += n
  return total
}

module.exports = { countNon2xx, countErrors }
