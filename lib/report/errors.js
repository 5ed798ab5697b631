'use strict'

// The errors of a result: how many of each code, its meaning, and what to do.

const { hintOf, meaningOf } = require('../core/errors')
const { SHORTAGES } = require('../figures/error-words')
const { formatInteger, plural } = require('../core/units')

/** The number of codes that are listed. */
const MOST = 10

/**
 * @param {Record<string, any>} result with errors, also of autocannon 9
 * @param {import('./table').Colors} color
 * @returns {string[]} the most frequent code first
 */
function errorLines ({ errors, timeouts = 0, errorCodes, requests }, color) {
  const all = plural(errors, 'error') + (timeouts > 0 ? ` (${plural(timeouts, 'timeout')})` : '')
  // autocannon 9 distinguishes timeouts from the rest only.
  if (errorCodes === undefined) return [color.red(all)]
  const codes = Object.entries(/** @type {Record<string, number>} */ (errorCodes)).sort(([, a], [, b]) => b - a)
  const shown = new Set()
  return [
    color.red(`${all}:`),
    ...codes.slice(0, MOST).map(([code, n], i) => {
      const meaning = meaningOf(code)
      // For a run without responses, and for exhausted resources of this machine, a sentence below has the advice.
      const hint = SHORTAGES.has(code) || (requests.total === 0 && i === 0) ? undefined : hintOf(code)
      const isNew = hint !== undefined && !shown.has(hint)
      shown.add(hint)
      const error = `${formatInteger(n)} × ${code}${meaning === undefined ? '' : `: ${meaning}`}`
      return `  ${color.red(error)}${isNew ? `. ${hint}` : ''}`
    }),
    ...codes.length > MOST ? [color.red(`  and ${plural(codes.length - MOST, 'more code')}`)] : []
  ]
}

module.exports = { errorLines }
