'use strict'

// The error of a run without any connection: target, time, reason, and advice.

const { AutocannonError, hintOf, meaningOf } = require('../core/errors')
const { printable } = require('../core/foreign-text')
const { withoutUserinfo } = require('../core/secrets')

/** The limit of listed URLs; further ones are counted. */
const MOST_URLS = 3

/**
 * @param {string[]} urls
 * @param {number} ms duration of the attempts
 * @param {string | null} code of the most frequent error; null if the attempts have not ended
 * @param {string} next advice
 */
function noConnection (urls, ms, code, next) {
  const more = urls.length - MOST_URLS
  const where = urls.slice(0, MOST_URLS).map(url => printable(withoutUserinfo(url))).join(', ') +
    (more > 0 ? ` and ${more} others` : '')
  const meaning = code === null ? undefined : meaningOf(code)
  const why = code === null
    ? 'the attempts to connect have no result yet'
    : meaning === undefined
      ? printable(code)
      : `${code} (${meaning})`
  return new AutocannonError(
    'AC_NO_CONNECTION',
    [`No connection to ${where} in ${ms / 1000} s: ${why}.`, hintOf(code ?? 'AC_CONNECT_TIMEOUT'), next].filter(Boolean)
      .join(' ')
  )
}

/** Returns the most frequent code. @type {(errorCodes: Readonly<Record<string, number>>) => string | null} */
function mostFrequent (errorCodes) {
  const [first] = Object.entries(errorCodes).sort(([, a], [, b]) => b - a)
  return first === undefined ? null : first[0]
}

module.exports = { mostFrequent, noConnection }
