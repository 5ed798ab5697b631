'use strict'

// The tokens in each point of the series, and in merged points. A server reports the tokens of a completion at its end,
// but the series needs them at their arrival. So each delta counts as the average number of tokens per delta in the
// completions so far.

const { sumOf } = require('../../core/statistics')
const { round } = require('../../core/units')
const { TimesInPoints, quantilesTogether } = require('../../record/quantiles')

/**
 * @typedef {object} TokensPoint
 * @property {number} tokens that arrived
 * @property {import('../../record/quantiles').Quantiles | null} firstToken null if no completion had its first token
 * @property {import('../../record/quantiles').Quantiles | null} interToken null if none had a further token
 */

const TIMES = /** @type {const} */ (['firstToken', 'interToken'])

class Course {
  constructor () {
    /** Deltas by the index of the point. @type {Map<number, number>} */
    this.open = new Map()
    this.times = new TimesInPoints(TIMES)
    this.isMeasured = false
    /** Tokens and deltas of completions for which the server reported a usage. */
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
   * @returns {Partial<TokensPoint>} nothing if tokens are not measured
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
 * @param {Array<{ streams: Partial<TokensPoint>, part: number }>} parts `part`: the share of the point that counts
 * @returns {Partial<TokensPoint>} nothing if no tokens were measured
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
