'use strict'

// A search for the limit: a run whose load changes from step to step until the limit is known. It is an Instance that
// also emits `step`.

const { readGoal } = require('./options')
const { STAGE_TIMES } = require('../../instruments/stages/stage-times')
const { readValues } = require('../../options/read')
const { goodputsOf } = require('../../options/streams')
const { neededTimes } = require('../../figures/goodput')
const { buildResult, identityOf } = require('../../figures/result')
const { Search } = require('./search')
const { findingsOf } = require('../../findings/findings')
const { passedOf } = require('../../judge/passed')
const { judgeSearch, searchResult, stepResult } = require('./search-result')
const { Instance } = require('../../run/instance')
const { PartialResult } = require('../../run/partial-result')
const { runSearch } = require('./run-search')
const { Stepper, firstPool } = require('./stepper')

/** @typedef {import('./search').Goal} Goal */

/** The sample interval, ms. The figures of a step are known one sample after its end. */
const [LEAST_SAMPLE, MOST_SAMPLE] = [100, 500]
/** The least samples of a step, for a verdict on the load generator. */
const SAMPLES = 20

class Find extends Instance {
  /**
   * @param {Goal} goal
   * @param {import('../../options/plan').Plan} plan
   * @returns {import('../../options/plan').Plan} the same, with a load that changes during the run
   */
  static steered (goal, plan) {
    const { over, stepMs, connections } = goal
    /** @type {import('../../shapes/stages').Stage[]} */
    const stages = [{ name: null, over, from: 0, until: 1, start: 0, end: 0 }]
    return Object.freeze({
      ...plan,
      stages,
      steered: true,
      stageTimes: stageTimesOf(goal),
      goodput: goodputsOf({ stream: plan.stream?.kind ?? undefined, thresholds: goal.thresholds }),
      connections: over === 'connections'
        ? 0
        : (connections ?? Math.max(plan.connections / plan.streams, firstPool(goal))) * plan.streams,
      pacing: plan.pacing === null ? null : { ...plan.pacing, form: stages },
      sampleInt: Math.min(plan.sampleInt, Math.max(LEAST_SAMPLE, Math.min(MOST_SAMPLE, stepMs / SAMPLES)))
    })
  }

  /**
   * @override
   * @param {import('../../options/plan').Plan} given
   * @param {import('../../options/read').Reading['values']} values
   * @returns {Promise<Record<string, any>>}
   */
  async measure (given, values) {
    /** @type {Goal} */
    const goal = values.goal
    const plan = Find.steered(goal, given)
    const search = new Search({ ...goal, whole: goal.over === 'connections' })
    /** @type {Array<Record<string, any>>} */
    const steps = []
    const running = this.coordinate(plan, values.workers, this.followers, this.observer)
    const coordinator = /** @type {import('../../run/coordinator').Coordinator} */ (this.coordinator)
    const stepper = new Stepper(coordinator, goal, plan)
    const resultOf = (/** @type {import('../../figures/result').Outcome} */ outcome) => {
      const identity = identityOf(
        { ...values, sampleInt: plan.sampleInt, connections: stepper.connections }, this.origin
      )
      const result = buildResult(identity, { ...outcome, stages: null })
      result.search = searchResult(goal, search, steps)
      return result
    }
    this.partial = new PartialResult(resultOf)
    const searching = runSearch(search, {
      measure: trial => stepper.measure(trial),
      longestMs: goal.longestMs,
      isStuck: () => stepper.isStuck,
      widen: (value, responseMs) => stepper.widen(value, responseMs),
      criteria: { ...goal, isOpen: goal.over === 'rate' },
      onStep: step => {
        steps.push(stepResult(step, goal.thresholds))
        this.followers.notify('step', {
          ...steps[steps.length - 1], next: search.next(), best: search.best, above: search.above?.value ?? null
        })
      }
    }).finally(() => coordinator.halt())
    running.finally(() => stepper.end()).catch(() => {})
    const [{ outcome, failure }] = await Promise.all([running, searching])
    const result = resultOf(outcome)
    result.thresholds = judgeSearch(result.search, { interrupted: result.interrupted && failure === null })
    result.findings = findingsOf(result)
    result.passed = passedOf({ ...result, ...failure !== null && { endedBy: [] } })
    if (failure !== null) throw Object.assign(failure, { result })
    return result
  }
}

/**
 * @param {Goal} goal
 * @returns {Array<import('../../instruments/stages/stage-times').StageTime>} the times of streams that its thresholds
 *   need
 */
function stageTimesOf ({ thresholds }) {
  const names = new Set(thresholds.flatMap(({ metric: { row } }) =>
    row.goodput === undefined ? [row.time] : neededTimes(row.goodput.expression)))
  return Object.entries(STAGE_TIMES).flatMap(([name, time]) => names.has(name) ? [time] : [])
}

/**
 * @param {import('../../options/read').Reading['values']} values of a run
 * @param {Goal} goal
 * @param {Record<string, any>} [given] the options as the user gave them
 * @param {string[]} [warnings]
 * @returns {import('../../options/read').Reading}
 */
function readSearch (values, goal, given = values, warnings = []) {
  const reading = readValues(values, given, warnings)
  const { over, from, to, precision, stepMs, longestMs, failBelow } = goal
  const { stages, rate, duration, connections, ...described } = reading.described
  const shown = {
    over,
    from,
    to,
    precision,
    step: stepMs / 1000,
    longest: longestMs / 1000,
    ...failBelow !== null && { failBelow },
    thresholds: goal.thresholds.map(({ expression }) => expression)
  }
  return {
    ...reading,
    values: { ...reading.values, goal },
    opts: { ...reading.opts, ...shown, stages: undefined, duration: undefined },
    described: { ...described, ...goal.connections !== null && { connections } }
  }
}

/**
 * @param {Record<string, any>} opts
 * @param {(error: Error | null, result?: Record<string, any>) => void} [callback]
 * @returns {Find}
 */
function find (opts, callback) {
  return new Find(opts, callback, undefined, given => {
    const { values, goal, warnings } = readGoal(given, undefined, undefined, process.env)
    return readSearch(values, goal, given, warnings)
  })
}

module.exports = { Find, find, readSearch }
