'use strict'

// Users in a result: the iterations of each scenario and of all, and the numbers of redirects and of retries.

const { findIterations, rounded, summaryOf } = require('../../figures/parts')
const { ArrivalTally } = require('./arrival-tally')
const { IterationTally } = require('./iteration-tally')
const { Iterations } = require('./record')
const { paceOf } = require('../rate/kept-pace')
const { sumOf } = require('../../core/statistics')
const { round } = require('../../core/units')

/**
 * @typedef {object} Users the users of a run
 * @property {ReadonlyArray<string>} scenarios their names; empty if the only one has no name
 * @property {number | null} rate the target of iterations per second; null without one
 * @property {ReadonlyArray<number | null>} rates the target of each scenario; null without one or
 *   with a shared one
 * @property {boolean} redirects whether they follow redirects
 * @property {boolean} retries whether they send failed requests again
 */

/**
 * @param {import('./record').Iterations | null} counted without the iterations of a generator that died
 * @param {import('../../figures/result').Context} context
 * @returns {Record<string, any>} the additional keys of the result
 */
function derive (counted, { outcome: { totals, users: given, agents }, seconds, ofPart, identity: { percentiles } }) {
  const users = /** @type {Users} */ (given)
  const iterations = counted ?? new Iterations()
  // During a run, the number of due iterations that have not started is unknown.
  const isComplete = !agents?.some(({ lost }) => lost !== null) && totals.silentFrom !== null
  const all = new IterationTally(-1)
  for (const tally of iterations.tallies.values()) all.add(tally.encode())
  // An iteration hangs if it takes much longer than others of its scenario.
  const hanging = sumOf([...iterations.tallies.values()], tally => tally.hanging)
  /** @param {number} i the index of the scenario */
  const ofScenario = i => ({
    ...iterationsOf(iterations.tallies.get(i) ?? new IterationTally(i), seconds, percentiles),
    ...arrivalsOf(iterations.arrivals.get(i), users.rates[i], seconds, isComplete, percentiles)
  })
  return {
    ...users.scenarios.length > 0 && {
      byScenario: Object.fromEntries(
        users.scenarios.map((name, i) => [name, { ...ofScenario(i), ...ofPart('scenario', name) }])
      )
    },
    iterations: {
      ...iterationsOf(all, seconds, percentiles),
      hanging,
      ...arrivalsOf(iterations.allArrivals, users.rate, seconds, isComplete, percentiles),
      ...users.rate !== null && totals.keptPace !== null && paceOf(totals.keptPace)
    },
    // A request of a user function may have redirects and retries although the options have none.
    ...(users.redirects || totals.redirects > 0) && { redirects: totals.redirects },
    ...(users.retries || totals.retries > 0) && { retries: totals.retries }
  }
}

/** @param {IterationTally} tally @param {number} seconds @param {number[]} [percentiles] */
function iterationsOf (tally, seconds, percentiles) {
  const { started, completed, cuts, cutBy, unfinished, hanging, duration, active } = tally
  return {
    started,
    completed,
    cut: cuts,
    cutBy: Object.fromEntries([...cutBy].sort(([, a], [, b]) => b - a)),
    unfinished,
    hanging,
    perSecond: round(completed / seconds),
    duration: summaryOf(duration, percentiles),
    active: summaryOf(active, percentiles)
  }
}

/**
 * @param {ArrivalTally | undefined} tally undefined if nothing was counted
 * @param {number | null} target iterations per second; null without one
 * @param {number} seconds
 * @param {boolean} isComplete whether all due iterations are known: a lost agent has not reported some
 * @param {number[]} [percentiles]
 */
function arrivalsOf (tally, target, seconds, isComplete, percentiles) {
  if (target === null) return {}
  const { arrived, neverStarted, wait } = tally ?? new ArrivalTally(null)
  const perSecond = arrived / seconds
  // If all due iterations started, the target was achieved. Only the wait for the last responses lengthens the run.
  const achieved = neverStarted > 0 || arrived === 0 || !isComplete ? perSecond : Math.max(perSecond, target)
  return {
    ...rounded({ target, achieved }), due: arrived + neverStarted, waited: wait.count, neverStarted,
    wait: summaryOf(wait, percentiles)
  }
}

/** @type {(raws: Array<Record<string, any>>) => { users: Users | null }} of runs that are combined */
function ofRuns (raws) {
  /** @type {Users[]} */
  const some = raws.flatMap(({ users }) => users ?? [])
  if (some.length === 0) return { users: null }
  const scenarios = [...new Set(some.flatMap(({ scenarios }) => scenarios))]
  const users = {
    scenarios,
    rate: sumOfRates(some.map(({ rate }) => rate)),
    rates: scenarios.map(name =>
      sumOfRates(some.map(({ scenarios, rates }) => rates[scenarios.indexOf(name)] ?? null))),
    redirects: some.some(({ redirects }) => redirects),
    retries: some.some(({ retries }) => retries)
  }
  return { users }
}

/** @param {Array<number | null>} rates @returns {number | null} null if all are */
function sumOfRates (rates) {
  return rates.every(rate => rate === null) ? null : sumOf(rates, Number)
}

/**
 * Scenarios of several runs are the same if they have the same name.
 * @param {import('./record').IterationsReport} report of one of them
 * @param {import('../../figures/aggregate').Move} move
 * @returns {import('./record').IterationsReport} with the indexes of scenarios in the combined run
 */
function moved ({ scenarios, arrivals }, { raw, together: { users } }) {
  const names = users?.scenarios ?? []
  const numberIn = (/** @type {number} */ scenario) => numberOf(raw.users?.scenarios[scenario], names)
  return {
    scenarios: scenarios.map(counts => ({ ...counts, scenario: numberIn(counts.scenario) })),
    arrivals: arrivals.map(counts => ({
      ...counts, scenario: counts.scenario === null ? null : numberIn(counts.scenario)
    }))
  }
}

/**
 * @param {string | undefined} name
 * @param {ReadonlyArray<string>} names
 * @returns {number} its index; a scenario without a name is the last one
 */
function numberOf (name, names) {
  return name === undefined ? names.length : names.indexOf(name)
}

const noAbortOn = 'iterations: they are handed over when the run is over'

/** The metrics of iterations, of a scenario, a stage or the whole run. */
const METRICS = {
  times: { active: { what: 'the time of an iteration without its pauses', row: { parts: ['scenario'], run: false } } },
  rows: {
    'iterations/s': {
      aliases: ['rounds/s'], unit: 'iterations/s', of: 'completed', per: 'seconds', highIsGood: true,
      parts: ['scenario'], covers: ['load'], noAbortOn
    },
    started: {
      unit: 'count', of: 'started', per: 'started', highIsGood: true, parts: ['scenario'], run: false, covers: ['load'],
      noAbortOn
    },
    completed: {
      unit: 'count', of: 'completed', per: 'iterations', share: true, highIsGood: true, parts: ['scenario'], run: false,
      covers: ['cuts'], noAbortOn
    },
    aborted: {
      aliases: ['cut', 'cut short'], unit: 'count', of: 'cut', per: 'iterations', share: true, parts: ['scenario'],
      run: false, covers: ['cuts'], noAbortOn
    },
    waited: {
      unit: 'count', of: 'waited', per: 'arrived', share: true, parts: ['stage', 'scenario'], run: false,
      arrivals: true, noAbortOn
    },
    'never started': {
      aliases: ['neverstarted'], unit: 'count', of: 'neverStarted', per: 'due', share: true,
      parts: ['stage', 'scenario'], run: false, arrivals: true, covers: ['load'], noAbortOn
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ iterations }) => iterations === undefined
    ? {}
    : { counted: dueOf(iterations), perSecond: iterations.started > 0 ? { completed: iterations.perSecond } : {} },

  /**
   * @param {Record<string, any>} result
   * @param {string} part its name
   * @returns {import('../../figures/figures').About & { figures: Record<string, any> } | null} null if it is no
   *   scenario
   */
  ofPart: (result, part) => {
    const iterations = findIterations(result, part)
    if (iterations === null) return null
    const { started, completed, cut, perSecond, duration, active } = iterations
    return {
      // The figures of other instruments for all iterations are those of the run.
      figures: iterations.scenario === null ? result : iterations,
      latency: duration,
      times: { active },
      counted: { started, completed, cut, iterations: completed + cut, ...dueOf(iterations) },
      perSecond: started > 0 ? { completed: perSecond } : {}
    }
  }
}

/**
 * @param {Record<string, any>} iterations of a result, or of a stage
 * @returns {Record<string, number>} the counts of due iterations; empty without a rate of iterations
 */
function dueOf ({ target, achieved, waited, neverStarted, due = 0 }) {
  return target > 0 && due > 0
    ? { rateRatio: achieved / target, waited, neverStarted, due, arrived: due - neverStarted }
    : {}
}

module.exports = { METRICS, derive, moved, ofRuns }
