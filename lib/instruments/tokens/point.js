'use strict'

// The tokens in each point of the series, and in several merged ones. A server reports the tokens of a completion at
// its end, and they are wanted when they arrive: so deltas count as the tokens that they had in the completions until
// then.

const { sumOf } = require('../../core/statistics')
const { round } = require('../../core/units')
const { TimesInPoints, quantilesTogether } = require('../../record/quantiles')

/**
 * @typedef {object} TokensPoint
 * @property {number} tokens that arrived
 * @property {import('../../record/quantiles').Quantiles | null} firstToken null where no completion had its first one
 * @property {import('../../record/quantiles').Quantiles | null} interToken null where none had another one
 */

const TIMES = /** @type {const} */ (['firstToken', 'interToken'])

class Course {
  constructor () {
    /** @type {Map<number, number>} deltas by the index of the point */
    this.open = new Map()
    this.times = new TimesInPoints(TIMES)
    this.isMeasured = false
    /** Those of completions whose tokens the server has reported. */
    this.usageTokens = 0
    this.usageDeltas = 0
  }

  /**
   * @param {number} index of the point
   * @param {{ tokens?: import('./record').TokensReport | null }} snapshot
   */
  add (index, { tokens }) {
    if (tokens === undefined || tokens === null) return
    this.isMeasured = true
    this.open.set(index, (this.open.get(index) ?? 0) + tokens.deltas)
    this.times.add(index, tokens)
    this.usageTokens += tokens.usageTokens
    this.usageDeltas += tokens.usageDeltas
  }

  /**
   * @param {number} index of the next point
   * @returns {Partial<TokensPoint>} nothing of a run that does not measure them
   */
  next (index) {
    if (!this.isMeasured) return {}
    const deltas = this.open.get(index) ?? 0
    this.open.delete(index)
    return {
      tokens: round(deltas * (this.usageDeltas > 0 ? this.usageTokens / this.usageDeltas : 1)),
      ...this.times.close(index)
    }
  }
}

/**
 * @param {Array<{ streams: Partial<TokensPoint>, part: number }>} parts which share of each
 * @returns {Partial<TokensPoint>} nothing where no tokens were measured
 */
function together (parts) {
  const known = parts.filter(({ streams: { tokens } }) => tokens !== undefined)
  if (known.length === 0) return {}
  /** @param {typeof TIMES[number]} time */
  const quantiles = time => quantilesTogether(known.map(({ streams: { [time]: one = null, tokens = 0 }, part }) =>
    ({ one, part, otherwise: tokens })))
  return {
    tokens: round(sumOf(known, ({ streams: { tokens = 0 }, part }) => tokens * part)),
    firstToken: quantiles('firstToken'),
    interToken: quantiles('interToken')
  }
}

module.exports = { Course, together }
