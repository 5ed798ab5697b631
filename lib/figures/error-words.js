'use strict'

// The errors of a result in words: their numbers by code.

const { meaningOf } = require('../core/errors')
const { formatInteger, plural } = require('../core/units')

/**
 * @param {Record<string, any>} result
 * @returns {string} `1,204 errors: 1,200 ECONNREFUSED (nothing listens at that address), 4 timeouts`: the most frequent
 *   first
 */
function errorWords (result) {
  const [all, list] = [plural(result.errors, 'error'), errorList(result)]
  return list === null ? all : `${all}: ${list}`
}

/**
 * @param {Record<string, any>} result also of autocannon 9, or of a part of one
 * @returns {string | null} `1,200 ECONNREFUSED (nothing listens at that address), 4 timeouts`; null without codes
 */
function errorList ({ errors, timeouts = 0, errorCodes }) {
  // autocannon 9 distinguishes timeouts from the rest only.
  if (errorCodes === undefined) {
    return timeouts > 0
      ? `${plural(timeouts, 'timeout')}${errors > timeouts ? `, ${plural(errors - timeouts, 'other')}` : ''}`
      : null
  }
  return Object.entries(/** @type {Record<string, number>} */ (errorCodes))
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => code === 'AC_TIMEOUT'
      ? plural(count, 'timeout')
      : `${formatInteger(count)} ${code}${meaningOf(code) === undefined ? '' : ` (${meaningOf(code)})`}`)
    .join(', ')
}

/**
 * @param {Record<string, any>} result also of autocannon 9
 * @returns {number} errors that are no request's fate, mostly failed attempts to connect; 0 if that is unknown
 */
function unsentErrors ({ errors, fates }) {
  return fates === undefined ? 0 : errors - fates.timedOut - fates.failed
}

/** Errors because of exhausted resources of this machine. */
const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'EADDRINUSE'])

module.exports = { SHORTAGES, errorWords, errorList, unsentErrors }
