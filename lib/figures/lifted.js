'use strict'

// Saved results and raw results, with the keys of this version. Iterations were called rounds, stalls standstills, and
// `completed` of a step of `find` was called `answered`.

const { isRecord } = require('../core/foreign-text')

/** In the same order, which reports show. @type {(part: any, from: string, to: string) => any} */
function renamed (part, from, to) {
  if (!isRecord(part) || part[from] === undefined || part[to] !== undefined) return part
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key === from ? to : key, value]))
}

/** @type {(list: any, change: (one: any) => any) => any} */
const each = (list, change) => Array.isArray(list) ? list.map(change) : list

const withIterations = (/** @type {any} */ part) => renamed(part, 'rounds', 'iterations')

/** @param {any} health of load generators, or the usage of one in a raw result */
function withStalls (health) {
  const changed = renamed(health, 'standstillMs', 'stalledMs')
  return changed?.reason === 'standstill' ? { ...changed, reason: 'stall' } : changed
}

/** An agent has its health as `generator` in a result, and as `health` in a raw one. @param {any} agent */
function withStallsOf (agent) {
  if (!isRecord(agent)) return agent
  const health = ['generator', 'health'].filter(key => Object.hasOwn(agent, key))
  return { ...agent, ...Object.fromEntries(health.map(key => [key, withStalls(agent[key])])) }
}

/** The parts of a result that have such keys. @type {Readonly<Record<string, (part: any) => any>>} */
const PARTS = Object.freeze({
  agents: agents => each(agents, withStallsOf),
  generator: withStalls,
  loads: loads => each(loads, withStalls),
  byStage: stages => each(stages, withIterations),
  options: options => isRecord(options) && isRecord(options.burst)
    ? { ...options, burst: withIterations(options.burst) }
    : options,
  search: search => isRecord(search) && Array.isArray(search.steps)
    ? { ...search, steps: search.steps.map(step => renamed(step, 'answered', 'completed')) }
    : search,
  // Of a raw result.
  totals: withIterations,
  stages: stages => each(stages, stage => stage?.over === 'rounds' ? { ...stage, over: 'iterations' } : stage)
})

/** @param {any} given maybe no result @returns {any} unchanged where it has no such key */
function lifted (given) {
  if (!isRecord(given)) return given
  const result = withIterations(given)
  const changed = Object.entries(PARTS).filter(([key]) => Object.hasOwn(result, key))
  return { ...result, ...Object.fromEntries(changed.map(([key, lift]) => [key, lift(result[key])])) }
}

module.exports = { lifted }
