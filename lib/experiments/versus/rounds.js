'use strict'

// The order and number of the runs of two servers. In each round both run once, and the first one alternates (base new,
// new base, base new …). So a drift of the machine, such as its temperature, affects both sides alike.

const { LEAST_ROUNDS } = require('./early-stop')

/**
 * @typedef {'base' | 'new'} Side
 * @typedef {Record<string, any>} Result
 *
 * @typedef {object} Rounds
 * @property {Record<Side, Result[]>} results of complete runs
 * @property {'done' | 'certain' | 'stopped'} ended
 */

/**
 * @param {number} round from 1 on
 * @returns {Side[]} both sides in their order
 */
function orderOf (round) {
  return round % 2 === 1 ? ['base', 'new'] : ['new', 'base']
}

/**
 * @param {number} rounds at most
 * @param {object} how
 * @param {(side: Side, round: number) => Promise<Result | null>} how.run null ends the rounds
 * @param {(results: Record<Side, Result[]>) => boolean} how.isCertain whether the verdict is certain
 * @returns {Promise<Rounds>}
 */
async function inRounds (rounds, { run, isCertain }) {
  /** @type {Record<Side, Result[]>} */
  const results = { base: [], new: [] }
  for (let round = 1; round <= rounds; round++) {
    for (const side of orderOf(round)) {
      const result = await run(side, round)
      if (result === null) return { results, ended: 'stopped' }
      results[side].push(result)
    }
    if (round >= LEAST_ROUNDS && round < rounds && isCertain(results)) return { results, ended: 'certain' }
  }
  return { results, ended: 'done' }
}

module.exports = { inRounds, orderOf }
