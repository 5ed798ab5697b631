'use strict'

// The order and number of the runs of two servers. Both run once in turn, and the first one alternates (base new, new
// base, base new …). So a drift of the machine, such as its temperature, affects both sides alike.

const { LEAST_RUNS } = require('./early-stop')

/**
 * @typedef {'base' | 'new'} Side
 * @typedef {Record<string, any>} Result
 *
 * @typedef {object} Alternated
 * @property {Record<Side, Result[]>} results of complete runs
 * @property {'done' | 'certain' | 'stopped'} ended
 */

/**
 * @param {number} run from 1 on
 * @returns {Side[]} both sides in their order
 */
function orderOf (run) {
  return run % 2 === 1 ? ['base', 'new'] : ['new', 'base']
}

/**
 * @param {number} most runs of each side
 * @param {object} how
 * @param {(side: Side, run: number) => Promise<Result | null>} how.measure null ends the runs
 * @param {(results: Record<Side, Result[]>) => boolean} how.isCertain whether the verdict is certain
 * @returns {Promise<Alternated>}
 */
async function alternate (most, { measure, isCertain }) {
  /** @type {Record<Side, Result[]>} */
  const results = { base: [], new: [] }
  for (let run = 1; run <= most; run++) {
    for (const side of orderOf(run)) {
      const result = await measure(side, run)
      if (result === null) return { results, ended: 'stopped' }
      results[side].push(result)
    }
    if (run >= LEAST_RUNS && run < most && isCertain(results)) return { results, ended: 'certain' }
  }
  return { results, ended: 'done' }
}

module.exports = { alternate, orderOf }
