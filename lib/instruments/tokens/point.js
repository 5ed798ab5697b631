'use strict'

// Owns the tokens in each point of the series, and in several of them together. A server reports the tokens of a
// completion at its end, and they are wanted when they arrive: so deltas count as the tokens that they had in the
// completions until then.

const { round } = require('../../core/units')

class Course {
  constructor () {
    /** @type {Map<number, number>} deltas by the index of the point */
    this.open = new Map()
    /** Whether the run measures tokens. */
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
    this.usageTokens += tokens.usageTokens
    this.usageDeltas += tokens.usageDeltas
  }

  /**
   * @param {unknown} _
   * @param {unknown} figures
   * @param {number} index of the next point
   * @returns {{ tokens?: number }}
   */
  next (_, figures, index) {
    if (!this.isMeasured) return {}
    const deltas = this.open.get(index) ?? 0
    this.open.delete(index)
    return { tokens: round(deltas * (this.usageDeltas > 0 ? this.usageTokens / this.usageDeltas : 1)) }
  }
}

/**
 * @param {Array<{ point: { tokens?: number }, part: number }>} parts which share of each
 * @returns {{ tokens?: number }} nothing where no tokens were measured
 */
function together (parts) {
  const known = parts.filter(({ point }) => point.tokens !== undefined)
  if (known.length === 0) return {}
  return { tokens: round(known.reduce((sum, { point, part }) => sum + Number(point.tokens) * part, 0)) }
}

module.exports = { Course, together }
