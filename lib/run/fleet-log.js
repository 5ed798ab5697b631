'use strict'

// Owns what a run notes of its agents: when their generators began, which agents are lost, and from that what its result says of each.

const { healthOf } = require('../figures/generator-health')
const { missingLoad } = require('./missing-load')

/**
 * @typedef {import('./coordinator').Fleet} Fleet
 * @typedef {import('../errors').AgentLostError} AgentLostError
 */

class FleetLog {
  /**
   * @param {Fleet} fleet
   * @param {ReadonlyArray<import('../options/plan').Plan>} slices of the generators
   */
  constructor (fleet, slices) {
    this.fleet = fleet
    this.slices = slices
    /** The generators of each agent, by their numbers; none of an agent that there is no part of the load for. @type {number[][]} */
    this.generators = fleet.agents.map(() => [])
    for (const i of slices.keys()) this.generators[fleet.agentOf(i)].push(i)
    /** How much later than the common start each generator began, ms. @type {number[]} */
    this.skews = []
    /** By the index of the agent. @type {Map<number, { after: number, reason: string }>} */
    this.losses = new Map()
  }

  get hasLosses () {
    return this.losses.size > 0
  }

  /** @returns {boolean} whether no agent is left that has a part of the load */
  get isEmpty () {
    return this.generators.every((generators, agent) => generators.length === 0 || this.losses.has(agent))
  }

  /**
   * @param {number} generator
   * @param {number} skew ms
   */
  began (generator, skew) {
    this.skews[generator] = skew
  }

  /**
   * @param {number} generator one of an agent that is lost
   * @param {AgentLostError} error
   * @param {number} after ms since the start of the load
   */
  lose (generator, { reason }, after) {
    const agent = this.fleet.agentOf(generator)
    if (!this.losses.has(agent)) this.losses.set(agent, { after: Math.max(0, after) / 1000, reason })
  }

  /**
   * @param {import('./measurement').Measurement} measurement at the end of the run
   * @returns {import('../figures/agents').AgentOutcome[]}
   */
  report ({ reported, usages, elapsed }) {
    return this.fleet.agents.map(({ name, host, cores, node, clockError }, agent) => {
      const generators = this.generators[agent]
      const sum = (/** @type {(generator: number) => number | undefined} */ what) => generators.reduce((sum, generator) => sum + (what(generator) ?? 0), 0)
      const skews = generators.flatMap(generator => this.skews[generator] ?? [])
      const loss = this.losses.get(agent)
      return {
        name,
        host,
        cores,
        node,
        workers: generators.length,
        connections: sum(generator => this.slices[generator].connections),
        requests: { sent: sum(generator => reported[generator].sent), total: sum(generator => reported[generator].completed) },
        health: healthOf(generators.map(generator => usages[generator]), undefined, [], 'more agents'),
        skew: skews.length === 0 ? null : Math.max(...skews),
        clockError,
        lost: loss === undefined ? null : { ...loss, missing: missingLoad(this.slices, generators, generator => reported[generator], elapsed) }
      }
    })
  }
}

module.exports = { FleetLog }
