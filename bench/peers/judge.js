'use strict'

// The verdict: which ratios of costs have a bound, and whether all of them are within it.

const { CASES, BESIDE_BASE } = require('./cases')
const { held } = require('./paired')

/**
 * @param {string} name of a case
 * @param {{ base: boolean, counted: boolean }} how `base`: beside another checkout. `counted`: the cost is in instructions
 * @returns {Array<[other: string, atMost: number]>} the tools, and the cases of ours, that our cost has a bound beside
 */
function boundsOf (name, { base, counted }) {
  return base ? [['base', counted ? BESIDE_BASE.instructions : BESIDE_BASE.cpu]] : Object.entries(CASES[name].atMost ?? {})
}

/**
 * @param {Record<string, import('./paired').Comparison>} comparisons by case
 * @returns {{ misses: string[], unjudged: string[] }} what is out of its bound, and what could not be compared
 */
function judge (comparisons, how) {
  const misses = []
  const unjudged = []
  for (const [name, { tools: { ours, 'autocannon 9': nine }, ratios }] of Object.entries(comparisons)) {
    const { name: title, bytesAtLeast, mebibytesAtMost } = CASES[name]
    if (!held(name, ours)) {
      misses.push(`${title}: only ${Math.round(ours.rate).toLocaleString('en')} requests/s, so its cost is not that of the rate (is the machine busy?)`)
    }
    for (const [other, atMost] of boundsOf(name, how)) {
      const what = `${title} beside ${titleOf(other)}`
      const ratio = ratios[other]
      if (ratio === undefined) unjudged.push(what)
      else if (!(ratio.median <= atMost)) misses.push(`${what}: ${show(ratio)}, at most ${atMost.toFixed(2)}`)
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

/** @type {(ratio: import('./paired').Ratio) => string} its median, and the range of all rounds */
const show = ({ median, low, high, rounds }) => rounds === 1 ? median.toFixed(2) : `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`

module.exports = { judge, boundsOf, titleOf, show }
