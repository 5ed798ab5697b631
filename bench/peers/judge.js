'use strict'

// Owns the verdict: which ratios of costs are bounded, what they are, and whether all is as it has to be.

const { CASES, BESIDE_BASE } = require('./cases')

/** The part of a rate that has to be reached for its cost to be judged. */
const HELD = 0.99

/**
 * @typedef {object} Row what a tool did in a case
 * @property {number} cost of a request
 * @property {boolean} [counted] the cost is in instructions
 * @property {number} rate requests/s
 * @property {number} bytesPerSecond
 * @property {number} [rss] bytes, the highest
 *
 * @typedef {object} Ratio
 * @property {string} other the tool, or the case of ours, that our cost is held against
 * @property {number} atMost
 * @property {number | null} value null when that has no cost
 */

/** @type {(name: string, row: Row) => boolean} whether a row is one of the rate that its case asks for */
const isHeld = (name, { rate }) => rate >= HELD * (CASES[name].rate ?? 0)

/**
 * @param {string} name of a case
 * @param {Record<string, Record<string, Row>>} rows by case and tool
 * @returns {Ratio[]} those that are bounded
 */
function ratiosOf (name, rows) {
  const { base } = rows[name]
  const bounds = base === undefined ? CASES[name].atMost ?? {} : { base: base.counted ? BESIDE_BASE.instructions : BESIDE_BASE.cpu }
  return Object.entries(bounds).map(([other, atMost]) => {
    const reference = CASES[other] === undefined ? rows[name][other] : rows[other]?.ours
    return { other, atMost, value: reference === undefined ? null : rows[name].ours.cost / reference.cost }
  })
}

/**
 * @param {Record<string, Record<string, Row>>} rows by case and tool
 * @returns {{ misses: string[], unjudged: string[] }} what is out of its bound, and what could not be compared
 */
function judge (rows) {
  const misses = []
  const unjudged = []
  for (const [name, { ours, 'autocannon 9': nine }] of Object.entries(rows)) {
    const { name: title, bytesAtLeast, mebibytesAtMost } = CASES[name]
    // Who falls behind has no idle time left, and each request costs less: that would pass for cheap.
    if (!isHeld(name, ours)) {
      misses.push(`${title}: only ${Math.round(ours.rate).toLocaleString('en')} requests/s, so its cost is not that of the rate (is the machine busy?)`)
    }
    for (const { other, atMost, value } of ratiosOf(name, rows)) {
      const what = `${title} beside ${titleOf(other)}`
      if (value === null) unjudged.push(what)
      else if (!(value <= atMost)) misses.push(`${what}: ${value.toFixed(2)}, at most ${atMost.toFixed(2)}`)
    }
    if (bytesAtLeast !== undefined && nine !== undefined && !(ours.bytesPerSecond >= bytesAtLeast * nine.bytesPerSecond)) {
      misses.push(`${title}: ${(ours.bytesPerSecond / nine.bytesPerSecond).toFixed(2)} × the bytes/s of autocannon 9, at least ${bytesAtLeast}`)
    }
    if (mebibytesAtMost !== undefined && !(ours.rss <= mebibytesAtMost * 2 ** 20)) {
      misses.push(`${title}: ${(ours.rss / 2 ** 20).toFixed(1)} MiB, at most ${mebibytesAtMost}`)
    }
  }
  return { misses, unjudged }
}

/** @type {(other: string) => string} what a user calls the other side of a ratio */
const titleOf = other => CASES[other] === undefined ? other : `our ${CASES[other].name}`

module.exports = { judge, ratiosOf, isHeld, titleOf }
