'use strict'

// Rules across the options for the amount of load and its change: rates, stages, bursts, arrivals.

const { problemWith, problemAt } = require('../../core/problem')
const { formatInteger } = require('../../core/units')
const { traitsIn } = require('../../protocols/protocol')
const { SHAPED, arrivalsIn, mostIn, shapeIn, unitIn } = require('../../shapes/shape')
const { overConnections, secondsOf } = require('../../shapes/stages')

/** Options that each set the load. */
const LOADS = [...new Set(['rate', 'connectionRate', 'overallRate', ...SHAPED])]

/**
 * A load of iterations without a number of connections has one user per due iteration and second, within these limits.
 */
const LEAST_USERS = 10
const MOST_USERS = 1000

/**
 * @param {import('../normalize').Values} values
 * @returns {boolean} whether requests are due at times, or iterations, and not as soon as there is a response
 */
function isPaced (values) {
  const { connectionRate, overallRate, scenarios = [] } = values
  return [values, ...scenarios].some(one => unitIn(one) !== null) || (connectionRate ?? overallRate) !== undefined
}

/**
 * @param {import('../normalize').Values} values of a load that is paced
 * @returns {string} the place that sets when requests or iterations are due
 */
function pacedBy (values) {
  const { scenarios = [] } = values
  const isSet = (/** @type {string} */ name) => SHAPED.includes(name)
    ? unitIn({ [name]: values[name] }) !== null
    : values[name] !== undefined
  const i = scenarios.findIndex((/** @type {Record<string, any>} */ scenario) => unitIn(scenario) !== null)
  return LOADS.find(isSet) ?? `scenarios[${i}].rate`
}

/**
 * @param {import('../normalize').Values} values
 * @returns {string | null} the option with the rate of iterations; null for none
 */
function inIterations (values) {
  const { scenarios = [] } = values
  const isOf = (/** @type {Record<string, any>} */ load) => unitIn(load) === 'iterations'
  return SHAPED.find(name => isOf({ [name]: values[name] })) ?? (scenarios.some(isOf) ? 'scenarios' : null)
}

/** Stages define the duration, and those of connections their number. @type {import('../derived').Derivation} */
function withStages (values, { raw, call, problems }) {
  const seconds = secondsOf(values.stages)
  const isGiven = raw.duration !== undefined && raw.duration !== null && values.duration !== undefined
  if (isGiven && values.duration !== seconds) {
    problems.push(problemWith(call, ['duration', 'stages'], `each set the duration, ${values.duration} s and ` +
      `${seconds} s: use one of them`))
  }
  const startsEmpty = overConnections(values.stages) && (raw.connections === undefined || raw.connections === null)
  return { ...values, duration: seconds, ...startsEmpty && { connections: 0 } }
}

/**
 * @param {import('../normalize').Values} values
 * @returns {number} how many users a connection carries, if they share connections
 */
function streamsOf (values) {
  return traitsIn(values).sharesConnections ? values.pipelining : 1
}

/**
 * @param {Record<string, any>} load of iterations
 * @param {number} streams how many users a connection carries
 * @returns {number} connections for one user per iteration that is due per second or at once, within bounds
 */
function connectionsFor (load, streams) {
  return Math.ceil(Math.min(MOST_USERS, Math.max(LEAST_USERS, Math.ceil(mostIn(load)))) / streams)
}

/**
 * @param {import('../normalize').Values} values
 * @returns {number} how many connections there are when there are most
 */
function mostConnections ({ connections, stages = [] }) {
  return Math.max(
    connections,
    ...stages.map((/** @type {import('../../shapes/stages').GivenStage} */ { connections = 0 }) => connections)
  )
}

/**
 * @param {import('../normalize').Values} values
 * @returns {number} requests per second that are due when there are most
 */
function highestRate (values) {
  const { connectionRate, overallRate = 0, connections } = values
  return mostIn(values) || (connectionRate === undefined ? overallRate : connectionRate * connections)
}

/** @type {import('../normalize').Rules} */
function aboutLoad (values, call) {
  const { stages, replay, arrivals, pace, amount, warmup, pick, until } = values
  const problems = []
  const loads = LOADS.filter(name => values[name] !== undefined)
  // In autocannon 9, too, connectionRate takes precedence over overallRate.
  if (loads.length > 1 && loads.join() !== 'connectionRate,overallRate') {
    problems.push(problemWith(call, loads, 'each set the load: use one of them'))
  }
  const none = `expected a rate as well, such as ${call('rate')}, got none: each connection sends as soon as it has ` +
    'its response then'
  for (const [name, value] of Object.entries({ pace, arrivals })) {
    if (value !== undefined && !isPaced(values)) problems.push(problemAt(call, name, none))
  }
  const shape = shapeIn(values)
  const { most } = arrivalsIn(values) ?? { most: Infinity }
  if (arrivals !== undefined && shape?.setsArrivals) {
    problems.push(problemWith(call, ['arrivals', shape.option.name], 'each set when requests are due: use one of them'))
  } else if (highestRate(values) > most) {
    problems.push(problemAt(call, 'arrivals', `expected at most ${formatInteger(most)} requests/s at ` +
      `random, got ${formatInteger(highestRate(values))}: use even ones or less load`))
  }
  for (const [name, given] of Object.entries({
    amount, stages, replay, pick: pick === 'once' ? pick : undefined
  })) {
    if (until !== undefined && given !== undefined) {
      problems.push(problemWith(call, ['until', name], `${name === 'pick' ? 'once ' : ''}each set the end of the ` +
        'run: use one of them'))
    }
  }
  if (stages !== undefined && amount !== undefined) {
    problems.push(problemWith(call, ['stages', 'amount'], 'each set the end of the run: use one of them'))
  }
  if (stages !== undefined && warmup !== undefined) {
    problems.push(problemAt(call, ['warmup', 'stages'], 'a warm-up has no stages; make it the first stage, or ' +
      `exclude the start with ${call('skipFirst')}`))
  }
  return problems
}

module.exports = { aboutLoad, connectionsFor, inIterations, isPaced, mostConnections, pacedBy, streamsOf, withStages }
