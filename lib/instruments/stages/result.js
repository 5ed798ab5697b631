'use strict'

// The figures of each stage of a run: its target load, its achieved load, and its responses.

const { sumOf } = require('../../core/statistics')
const { Stages } = require('../../shapes/stages')
const { StageTally } = require('./stage-tally')
const { round } = require('../../core/units')
const { endsByArrival } = require('../clock/arrivals')
const { verdictIn } = require('../generator/cause')
const { paceCircumstances } = require('../rate/kept-pace')
const { longestOf } = require('../../record/usage')
const { partResult, pointsIn } = require('../../figures/parts')
const { serverResult } = require('../server/result')

/**
 * @typedef {import('../../shapes/stages').Stage} Stage
 *
 * @typedef {object} Measured the outcome of a run with stages
 * @property {ReadonlyArray<Stage>} stages
 * @property {import('../../record/totals').Totals} totals
 * @property {number} elapsed ms since the figures began
 * @property {import('../../figures/series').Point[]} series
 * @property {ReadonlyArray<{ lost: object | null }> | null} [agents] due requests of a lost one are unknown
 */

/** The units of changing loads. */
const UNITS = Object.freeze({ rate: 'requests/s', iterations: 'iterations/s', connections: 'connections' })

/**
 * @param {import('../../record/totals').Totals} totals
 * @param {number} i
 * @returns {StageTally} of a stage, which may be empty
 */
function tallyOf ({ instruments: { stages } }, i) {
  return stages === null ? new StageTally(i) : stages.of(i)
}

/** @param {unknown} _ @param {import('../../figures/result').Context} context */
function derive (_, { outcome, hasWireFigures, identity: { percentiles } }) {
  const measured = /** @type {Measured} */ (outcome)
  return {
    byStage: measured.stages.map((_, i) => {
      const stage = stageResult(measured, i, percentiles)
      return hasWireFigures ? stage : { ...stage, bytes: null }
    })
  }
}

/**
 * @param {Measured} measured
 * @param {number} i which of the stages, counted from 0
 * @param {number[]} [percentiles] beside the documented ones
 * @returns {Record<string, any>} documented in docs/load.md and in index.d.ts
 */
function stageResult ({ stages, totals, elapsed, series, agents }, i, percentiles) {
  const { name, over, from, until, start, end } = stages[i]
  const skipped = totals.skipped?.ms ?? 0
  // The part of the stage after the excluded start, in ms since the figures began.
  const [begun, ended] = [from, until].map(at => Math.min(Math.max(0, at - skipped), elapsed))
  const tally = tallyOf(totals, i)
  const { sent, completed, timedOut, failed, abandoned, unsent, bytes, errorCodes } = tally
  const isWhole = begun === from - skipped && ended === until - skipped
  const isComplete = !agents?.some(({ lost }) => lost !== null)
  const mean = (isWhole && isComplete) || ended <= begun
    ? null
    : new Stages([stages[i]]).meanTarget(begun + skipped, ended + skipped)
  const points = pointsIn(series, begun, ended)
  const rate = over === 'rate' ? rateOf(tally, ended - begun, mean) : undefined
  const iterations = over === 'iterations' ? iterationsOf(tally, ended - begun, mean) : undefined
  return {
    ...name !== null && { name },
    from: round(begun / 1000),
    to: round(ended / 1000),
    target: { start, end, unit: UNITS[over] },
    ...rate !== undefined && { rate },
    ...iterations !== undefined && { iterations },
    ...over === 'connections' && begun < ended && { connections: tally.connections },
    ...partResult(tally, percentiles),
    timeouts: timedOut,
    bytes,
    errorCodes: { ...errorCodes },
    fates: { sent, completed, timedOut, failed, abandoned },
    unfinished: abandoned + unsent,
    generator: {
      ...verdictIn(points, { byArrival: endsByArrival(totals), ...paceCircumstances({ rate, iterations }) }),
      ...timesIn(points)
    },
    ...serverResult(points)
  }
}

/**
 * @param {import('../../figures/series').Point[]} points
 * @returns {{ cpu: number, runDelayMs: number | null, blockedMs: number }} as in the result of a run, from the worst
 *   load generator of each point
 */
function timesIn (points) {
  /** @param {'cpu' | 'runDelay' | 'blocked'} key */
  const total = key => round(sumOf(points, point => (point[key] ?? 0) * point.length))
  const length = sumOf(points, point => point.length)
  return {
    cpu: round(total('cpu') / (length || 1)),
    runDelayMs: longestOf(points.map(({ runDelay }) => runDelay)) === null ? null : total('runDelay'),
    blockedMs: total('blocked')
  }
}

/**
 * @param {StageTally} tally
 * @param {number} ms of the stage that are in the figures
 * @param {number | null} mean of its target rate in that time; null if the whole stage is in the figures: due requests
 *   are counted then, as random arrivals differ from the rate
 * @returns {import('../../figures/parts').StageRate} null without time in the figures
 */
function rateOf ({ sent, written, late, unsent }, ms, mean) {
  return { ...perSecond(sent + unsent, written, ms, mean), sent, late, unsent }
}

/**
 * @param {StageTally} tally
 * @param {number} ms as above
 * @param {number | null} mean
 * @returns {import('../../figures/parts').StageIterations}
 */
function iterationsOf ({ arrived, begun, waited, neverStarted }, ms, mean) {
  const due = arrived + neverStarted
  return { ...perSecond(due, begun, ms, mean), due, waited, neverStarted }
}

/**
 * @param {number} due
 * @param {number} done
 * @param {number} ms
 * @param {number | null} mean per second; null to count due requests
 */
function perSecond (due, done, ms, mean) {
  if (ms <= 0) return { target: null, achieved: null, ratio: null }
  const target = mean ?? due / ms * 1000
  const achieved = done / ms * 1000
  return { target: round(target), achieved: round(achieved), ratio: target > 0 ? round(achieved / target) : null }
}

/**
 * @type {(raws: Array<Record<string, any>>) => { stages: ReadonlyArray<Stage> | null }} the stages of merged runs,
 *   which have the same times: their loads added up
 */
function ofRuns (raws) {
  const all = raws.map(({ stages = null }) => stages)
  const [first] = all
  if (first === null) return { stages: null }
  return {
    stages: first.map((/** @type {Stage} */ stage, /** @type {number} */ i) => ({
      ...stage, start: sumOf(all, list => list[i].start), end: sumOf(all, list => list[i].end)
    }))
  }
}

module.exports = { ofRuns, derive, stageResult, tallyOf }
