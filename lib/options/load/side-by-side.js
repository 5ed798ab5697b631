'use strict'

// Scenarios that run side by side: the connections and the pace of each, and their common options. A scenario has its
// own load if it sets connections, a rate or stages.

const { problemWith, problemAt } = require('../../core/problem')
const { formatInteger } = require('../../core/units')
const { connectionsFor, streamsOf } = require('./load')
const { loadIn, unitIn } = require('../../shapes/shape')
const { overConnections, secondsOf } = require('../../shapes/stages')

/**
 * @typedef {import('../users/scenarios').GivenScenario} GivenScenario
 *
 * @typedef {object} Side scenarios whose iterations the same connections go through
 * @property {number[]} scenarios indexes
 * @property {number} connections when there are most
 * @property {number} first those that stages of connections begin with
 * @property {Record<string, any>} load options of shapes; none of them for a closed loop
 */

const OWN = /** @type {const} */ (['connections', 'rate', 'stages'])

/** Options that hold for all connections alike. */
const REFUSED = /** @type {const} */ ({
  stages: 'give them to the scenarios',
  connectionRate: 'give the scenarios rates',
  overallRate: 'give the scenarios rates',
  amount: 'set the duration of the run instead',
  warmup: 'exclude the start with skipFirst instead'
})

/** @param {GivenScenario} scenario @returns {typeof OWN[number] | undefined} has its own load */
const ownLoad = scenario => OWN.find(name => scenario[name] !== undefined)

/**
 * @param {GivenScenario} scenario with its own load
 * @param {number} streams how many users a connection carries
 * @returns {number} its largest number of connections
 */
function connectionsOf (scenario, streams) {
  const { connections, stages } = scenario
  return stages !== undefined && overConnections(stages)
    ? Math.max(connections ?? 0, ...stages.map(({ connections = 0 }) => connections))
    : connections ?? connectionsFor(scenario, streams)
}

/**
 * @param {import('../normalize').Values} values
 * @returns {Side[]} scenarios without their own load first. All sides together have the connections of the run
 */
function sidesOf (values) {
  const { scenarios, connections } = values
  const streams = streamsOf(values)
  /** @type {Side[]} */
  const own = scenarios.flatMap((/** @type {GivenScenario} */ one, /** @type {number} */ i) =>
    ownLoad(one) === undefined
      ? []
      : [{ scenarios: [i], connections: connectionsOf(one, streams), first: one.connections ?? 0, load: loadIn(one) }])
  const others = [...scenarios.keys()].filter(i => ownLoad(scenarios[i]) === undefined)
  const left = connections - own.reduce((sum, side) => sum + side.connections, 0)
  return others.length === 0 ? own : [{ scenarios: others, connections: left, first: 0, load: loadIn(values) }, ...own]
}

/** Scenarios define the connections and the duration. @type {import('../derived').Derivation} */
function withSides (values, { raw, call, problems: found }) {
  /** @type {GivenScenario[]} */
  const scenarios = values.scenarios
  const first = scenarios.findIndex(one => ownLoad(one) !== undefined)
  const place = `scenarios[${first}].${ownLoad(scenarios[first])}`
  const problems = Object.entries(REFUSED).flatMap(([name, instead]) =>
    values[name] === undefined ? [] : [problemWith(call, [name, place], `each set the load: ${instead}`)])
  for (const [i, { rate, stages }] of scenarios.entries()) {
    if (rate !== undefined && stages !== undefined) {
      problems.push(problemWith(call, `scenarios[${i}].rate`, 'and .stages each set the load: use one of them'))
    }
  }
  for (const [i, one] of scenarios.entries()) {
    if (one.weight !== 1 && ownLoad(one) !== undefined) {
      problems.push(problemWith(call, `scenarios[${i}].weight`, `and .${ownLoad(one)} each set the frequency of its ` +
        'iterations: use one of them'))
    }
  }
  const isGiven = (/** @type {string} */ name) => raw[name] !== undefined && raw[name] !== null
  const own = scenarios.filter(one => ownLoad(one) !== undefined)
  const sum = own.reduce((sum, one) => sum + connectionsOf(one, streamsOf(values)), 0)
  const share = own.length < scenarios.length
  const connections = isGiven('connections') ? values.connections : sum + (share ? values.connections : 0)
  if (isGiven('connections') && (share ? values.connections <= sum : values.connections !== sum)) {
    problems.push(problemAt(call, 'connections', 'expected ' +
      `${share ? `more than the ${formatInteger(sum)} connections` : `${formatInteger(sum)}, as many as`} that ` +
      `scenarios have of their own, got ${formatInteger(values.connections)}: these are all connections of the run`))
  }
  const longest = Math.max(0, ...own.map(({ stages = [] }) => secondsOf(stages)))
  const duration = longest > 0 && !isGiven('duration') ? longest : values.duration
  if (duration < longest) {
    problems.push(problemAt(call, 'duration', `expected at least the ${longest} s that stages of scenarios take, got ` +
      `${values.duration} s`))
  }
  const sided = { ...values, connections, duration }
  found.push(...problems.length > 0 ? problems : aboutSides(sided, call))
  return sided
}

/** @type {import('../normalize').Rules} */
function aboutSides (values, call) {
  const sides = sidesOf(values)
  const problems = []
  const inRequests = sides.filter(({ load }) => unitIn(load) === 'requests')
  if (inRequests.length > 0 && inRequests.length < sides.length) {
    const [{ scenarios: [with_] }] = inRequests
    const [{ scenarios: [without] }] = sides.filter(side => !inRequests.includes(side))
    problems.push(problemWith(call, `scenarios[${with_}]`, `has a rate of requests and scenarios[${without}] has ` +
      'none: the rate of the run would be that of a part of its requests; give it iterations, such as ' +
      "'50 iterations/s'"))
  }
  for (const { scenarios, load } of sides) {
    const unit = unitIn(load)
    if (unit === null) continue
    for (const i of scenarios) {
      const { pause = values.pause, every = values.every, requests } = values.scenarios[i]
      const inside = requests.some((/** @type {Record<string, unknown>} */ one) => one.pause !== undefined)
      if (pause !== undefined || every !== undefined) {
        problems.push(problemAt(call, `scenarios[${i}]`, `${pause !== undefined ? 'pause' : 'every'} and a rate each ` +
          `set when ${unit === 'iterations' ? 'an iteration begins' : 'a request is sent'}: omit one of them`))
      } else if (inside && unit === 'requests') {
        problems.push(problemAt(call, `scenarios[${i}]`, 'a pause and a rate of requests each set when a request is ' +
          'sent: omit the pauses, or make it a rate of iterations'))
      }
    }
  }
  return problems
}

/** @param {import('../normalize').Values} values */
const runSideBySide = ({ scenarios = [] }) =>
  scenarios.some((/** @type {GivenScenario} */ one) => ownLoad(one) !== undefined)

module.exports = { runSideBySide, sidesOf, withSides }
