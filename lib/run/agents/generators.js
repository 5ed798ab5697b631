'use strict'

// The generators of each agent: how many it has, by its weight, and their order.

const { OptionsError } = require('../../core/errors')
const { printable } = require('../../core/foreign-text')
const { plural } = require('../../core/units')

/**
 * @param {ReadonlyArray<{ name: string, workers: number }>} agents in their order; `workers` threads each has where
 *   there are no weights
 * @param {Readonly<Record<string, number>> | ReadonlyArray<number> | undefined} weights how many generators each has,
 *   by its name or in that order
 * @returns {{ counts: number[], total: number, agentOf: (generator: number) => number }} how many generators each agent
 *   has, and which of all: they alternate, so that each agent has its part of a remainder, or of fewer generators
 * @throws {OptionsError} when the weights are not those of these agents
 */
function generatorsOf (agents, weights) {
  const counts = weights === undefined ? agents.map(({ workers }) => workers) : weighted(agents, weights)
  /** @type {number[]} */
  const order = []
  const most = Math.max(...counts)
  for (let turn = 0; turn < most; turn++) {
    for (const [agent, count] of counts.entries()) if (turn < count) order.push(agent)
  }
  return { counts, total: order.length, agentOf: generator => order[generator] }
}

/**
 * @param {ReadonlyArray<{ name: string }>} agents
 * @param {Readonly<Record<string, number>> | ReadonlyArray<number>} weights
 */
function weighted (agents, weights) {
  if (weights instanceof Array) {
    if (weights.length !== agents.length) {
      throw new OptionsError([`weights: expected one for each of the ${plural(agents.length, 'agent')} that came, ` +
        `got ${weights.length} by --weights`])
    }
    return [...weights]
  }
  const named = /** @type {Readonly<Record<string, number>>} */ (weights)
  const names = new Set(agents.map(({ name }) => name))
  const without = [...names].filter(name => !Object.hasOwn(named, name))
  const absent = Object.keys(named).filter(name => !names.has(name))
  if (without.length > 0 || absent.length > 0) {
    const found = [
      ...without.map(name => `none for ${printable(name)} (it came)`),
      ...absent.map(name => `one for ${printable(name)} (it did not come)`)
    ]
    throw new OptionsError([
      `weights: expected one for each agent by its name, got ${found.join(', ')}: change --weights`
    ])
  }
  return agents.map(({ name }) => named[name])
}

module.exports = { generatorsOf }
