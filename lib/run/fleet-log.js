'use strict'

// Records for the result of a run: the start of each agent's generators, and lost agents.

const { endsByArrival } = require('../instruments/clock/arrivals')
const { healthOf, latencyOf } = require('../instruments/generator/health')
const { paceCircumstances } = require('../instruments/rate/kept-pace')
const { missingLoad } = require('./missing-load')

/**
 * @typedef {import('./coordinator').Fleet} Fleet
 * @typedef {import('../core/errors').AgentLostError} AgentLostError
 */

class FleetLog {
  /** @param {Fleet} fleet @param {ReadonlyArray<import('../options/plan').Plan>} slices of the generators */
  constructor (fleet, slices) {
    this.fleet = fleet
    this.slices = slices
    /**
     * The numbers of each agent's generators; empty for an agent without a part of the load.
     * @type {number[][]}
     */
    this.generators = fleet.agents.map(() => [])
    for (const i of slices.keys()) this.generators[fleet.agentOf(i)].push(i)
    /** The delay of each generator after the common start, ms. @type {number[]} */
    this.skews = []
    /**
     * The reasons of losses, by index of the agent.
     * @type {Map<number, { reason: string, code: AgentLostError['how'] }>}
     */
    this.losses = new Map()
  }

  get hasLosses () {
    return this.losses.size > 0
  }

  /** @returns {boolean} whether every agent with a part of the load is lost */
  get isEmpty () {
    return this.generators.every((generators, agent) => generators.length === 0 || this.losses.has(agent))
  }

  /** @param {number} generator @param {number} skew ms */
  began (generator, skew) {
    this.skews[generator] = skew
  }

  /**
   * @param {number} generator of a lost agent
   * @param {AgentLostError} error
   * @returns {boolean} whether the loss is new
   */
  lose (generator, { reason, how }) {
    const agent = this.fleet.agentOf(generator)
    if (this.losses.has(agent)) return false
    this.losses.set(agent, { reason, code: how })
    return true
  }

  /**
   * @param {ReadonlyArray<import('./measurement').Reported>} reported
   * @param {number[]} generators of an agent
   * @returns {{ sent: number, late: number, unsent: number, ratio: number } | undefined} counts of requests; undefined
   *   without a rate
   */
  rateOf (reported, generators) {
    if (generators.length === 0 || generators.some(generator => this.slices[generator].pacing?.unit !== 'requests')) {
      return undefined
    }
    const sum = (/** @type {'sent' | 'late' | 'unsent'} */ what) =>
      generators.reduce((sum, generator) => sum + reported[generator][what], 0)
    const [sent, late, unsent] = [sum('sent'), sum('late'), sum('unsent')]
    return { sent, late, unsent, ratio: sent / (sent + unsent) }
  }

  /**
   * @param {import('./measurement').Measurement} measurement at the end of the run
   * @returns {import('../instruments/agents/result').AgentOutcome[]}
   */
  report ({ reported, usages, elapsed, totals }) {
    return this.fleet.agents.map(({ name, host, cores, node, clockError }, agent) => {
      const generators = this.generators[agent]
      const sum = (/** @type {(generator: number) => number | undefined} */ what) =>
        generators.reduce((sum, generator) => sum + (what(generator) ?? 0), 0)
      const rate = this.rateOf(reported, generators)
      const skews = generators.flatMap(generator => this.skews[generator] ?? [])
      const loss = this.losses.get(agent)
      // The loss is detected much later than the last report.
      const after =
        Math.max(0, ...generators.map(generator => reported[generator].to + reported[generator].skipped.ms)) / 1000
      return {
        name,
        host,
        cores,
        node,
        workers: generators.length,
        connections: sum(generator => this.slices[generator].connections),
        requests: {
          sent: sum(generator => reported[generator].sent), total: sum(generator => reported[generator].completed)
        },
        health: healthOf(generators.map(generator => usages[generator]), undefined, [], 'more agents', {
          hasHooks: true,
          // Latencies are only recorded for all agents together.
          latency: latencyOf(totals.distributions.latency),
          byArrival: endsByArrival({
            arrived: sum(generator => reported[generator].arrived),
            completed: sum(generator => reported[generator].completed)
          }),
          ...paceCircumstances({ rate }),
          hasTarget: generators.some(generator => this.slices[generator].pacing !== null)
        }),
        skew: skews.length === 0 ? null : Math.max(...skews),
        clockError,
        lost: loss === undefined
          ? null
          : { after, ...loss, missing: missingLoad(this.slices, generators, generator => reported[generator], elapsed) }
      }
    })
  }
}

module.exports = { FleetLog }
