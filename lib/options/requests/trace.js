'use strict'

// The value of --trace: nothing, or the share of sampled requests.

const { show } = require('../../core/foreign-text')

const FORM = /^(\d{1,3}(?:\.\d{1,6})?)\s?%$/

/**
 * @param {unknown} given
 * @returns {number | undefined} 0 to 1; undefined for no traces
 * @throws {TypeError}
 */
function parseTrace (given) {
  if (given === false || given === 'false') return undefined
  if (given === true || given === 'true' || given === '') return 1
  const percent = typeof given === 'string' ? Number(FORM.exec(given.trim())?.[1] ?? NaN) : NaN
  if (!(percent <= 100)) {
    throw new TypeError(
      `expected a share of the requests such as 1%, up to 100%, or nothing for all of them, got ${show(given)}`
    )
  }
  return Number((percent / 100).toPrecision(9))
}

/** Returns the text of a share. @type {(share: number) => string} */
function shownTrace (share) {
  return `${Number((share * 100).toPrecision(9))}%`
}

/**
 * @param {string} word after the flag
 * @returns {boolean} whether it is the value of the flag. A number without % is also one, which is rejected, because it
 *   is never a URL
 */
function mayBeShare (word) {
  return FORM.test(word) || /^\d*\.?\d+$/.test(word)
}

module.exports = { parseTrace, shownTrace, mayBeShare }
