'use strict'

// The order of the runs of two servers, by their `start`. A drift of the machine affects both sides alike only if they
// alternated.

const { warning } = require('../../core/finding')

/**
 * @typedef {object} Order
 * @property {import('../../findings/findings').Finding | null} finding that weakens the comparison
 * @property {Array<[base: number, next: number]> | null} pairs the runs of runs that were made one after the other;
 *   null if the order has none, or if one side was first too often, as a drift would affect all differences then
 */

/** @type {Order} */
const UNKNOWN = Object.freeze({ finding: null, pairs: null })

/** @param {Array<Record<string, any>>} base results @param {Array<Record<string, any>>} next @returns {Order} */
function orderOf (base, next) {
  const runs = [
    ...base.map((run, i) => ({ isNew: false, i, ...spanOf(run) })),
    ...next.map((run, i) => ({ isNew: true, i, ...spanOf(run) }))
  ]
  if (runs.some(({ at }) => Number.isNaN(at))) return UNKNOWN
  if (runs.some(one => !one.isNew && runs.some(other => other.isNew && overlaps(one, other)))) {
    return weakenedBy('concurrent-runs')
  }
  if (runs.length === 2 || new Set(runs.map(({ at }) => at)).size < runs.length) return UNKNOWN
  runs.sort((a, b) => a.at - b.at)
  const turns = runs.filter(({ isNew }, i) => i > 0 && isNew !== runs[i - 1].isNew).length
  const [first, second] = runs[0].isNew ? ['new', 'base'] : ['base', 'new']
  if (turns === 1) return weakenedBy('one-side-first', { first, second })
  // A random order changes sides twice as often (Wald and Wolfowitz, "On a Test Whether Two Samples are from the Same
  // Population", 1940).
  if (turns < base.length * next.length / runs.length) return weakenedBy('few-turns', { turns })
  return { finding: null, pairs: pairsOf(runs) }
}

/** @param {string} code of what weakens the comparison @param {Record<string, unknown>} [facts] @returns {Order} */
function weakenedBy (code, facts = {}) {
  return { finding: warning(code, facts), pairs: null }
}

/**
 * @typedef {{ at: number, end: number }} Span ms
 *
 * @param {Record<string, any>} result
 * @returns {Span}
 */
function spanOf ({ start, finish }) {
  const [at, end] = [timeOf(start), timeOf(finish)]
  return { at, end: Number.isNaN(end) ? at : end }
}

/** @param {Span} one @param {Span} other @returns {boolean} whether they overlap */
function overlaps (one, other) {
  return one.at < other.end && other.at < one.end
}

/** @param {unknown} start a Date, or its JSON */
function timeOf (start) {
  return start instanceof Date ? start.getTime() : Date.parse(String(start))
}

/** @param {Array<{ isNew: boolean, i: number }>} runs in their order @returns {Order['pairs']} */
function pairsOf (runs) {
  /** @type {Array<[number, number]>} */
  const pairs = []
  let baseFirst = 0
  for (let k = 0; k < runs.length; k += 2) {
    const [one, other] = [runs[k], runs[k + 1]]
    if (other === undefined || one.isNew === other.isNew) return null
    pairs.push(one.isNew ? [other.i, one.i] : [one.i, other.i])
    if (!one.isNew) baseFirst++
  }
  return Math.abs(2 * baseFirst - pairs.length) <= 1 ? pairs : null
}

module.exports = { orderOf }
