'use strict'

// Assigns generators to agents: the number for each by its weight, and the order.

const { OptionsError } = require('../../core/errors')
const { printable } = require('../../core/foreign-text')
const { plural } = require('../../core/units')

/**
 * @param {ReadonlyArray<{ name: string, workers: number }>} agents in order; `workers` is the number of threads without
 *   weights
 * @param {Readonly<Record<string, number>> | ReadonlyArray<number> | undefined} weights the number of generators of
 *   each, by name or in order
 * @returns {{ counts: number[], total: number, agentOf: (generator: number) => number }} the number for each agent, and
 *   the assignment: agents alternate, so that a remainder, or a few generators, are spread evenly
 * @throws {OptionsError} if the weights do not match the agents
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
