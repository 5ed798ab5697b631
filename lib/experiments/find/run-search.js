'use strict'

// Leads a search to the limit. Each trial is measured until its outcome is clear, or certain if the result depends on
// it, or for the longest time. It uses neither clocks nor sockets.

const { rankOf } = require('../../instruments/generator/verdict')
const { sumOf } = require('../../core/statistics')
const { MOST_LENGTHS, responseTime, judgeTrial } = require('./trial')

/**
 * @typedef {import('./search').Trial} Trial
 * @typedef {import('./trial').Criteria} Criteria
 * @typedef {import('./trial').Judged} Judged
 * @typedef {import('./trial').Measured} Measured
 * @typedef {import('./search').Step} Step
 */

/**
 * @param {import('./search').Search} search
 * @param {object} way
 * @param {(trial: Trial) => Promise<Measured | null>} way.measure null when the run has ended
 * @param {Pick<Criteria, 'thresholds' | 'precision' | 'isOpen'>} way.criteria
 * @param {number} [way.longestMs] since the start of the load: when a step ends after it, the search ends with a
 *   partial result
 * @param {(value: number, responseMs: number) => number | null} way.widen has the next trial of that value measured
 *   with more connections, as slow responses require: how many; null when there can't be more
 * @param {() => boolean} [way.isStuck] whether due requests of an unmeasured step never ended
 * @param {(step: Step) => void} way.onStep
 */
async function runSearch (search, { measure, criteria, longestMs = Infinity, widen, isStuck = () => false, onStep }) {
  /** @type {Step | null} */
  let last = null
  /** @type {number | null} */
  let unloaded = null
  for (let trial = search.next(); trial !== null; trial = search.next()) {
    // The data of an inconclusive trial is kept: it is judged together with the next.
    const before = trial.attempt > 1 && last?.outcome === 'unsure' ? last : null
    /** @type {Measured | null} */
    let all = before
    /** @type {Judged | null} */
    let judged = null
    /** @param {Judged} judged */
    const isEnough = ({ clear, certain }) => trial.decides ? certain : clear
    const goesOn = () => all === null || judged === null || (!isEnough(judged) && all.to < longestMs)
    for (let lengths = 0; lengths < MOST_LENGTHS && goesOn(); lengths++) {
      const measured = await measure(trial)
      if (measured === null) {
        if (isStuck()) search.expire()
        return
      }
      all = all === null ? measured : joined(all, measured)
      judged = judgeTrial(all, { ...criteria, unloaded })
    }
    if (all === null || judged === null) return
    const outcome = isEnough(judged) ? judged.outcome : 'unsure'
    const isOver = all.to >= longestMs
    // Connections are of the generator: with more of them the load is tried as if it had not been.
    const widened = judged.reason === 'connections' && !isOver ? widen(trial.value, responseTime(all)) : null
    /** @type {Step} */
    const step = { ...all, ...judged, ...trial, outcome, widened }
    last = step
    if (widened !== null) {
      onStep(step)
      continue
    }
    if (outcome === 'held') unloaded ??= meanOf(step.parts)
    search.record(outcome, outcome === 'failed' && all.parts.every(({ counted }) => !counted.responses), judged.certain)
    if (isOver) search.expire()
    onStep(step)
  }
}

/** @param {Measured} one @param {Measured} next @returns {Measured} both together */
function joined (one, next) {
  const [before, after] = [one, next].map(({ parts }) => sumOf(parts, ({ ms }) => ms))
  return {
    ...next,
    from: one.from,
    parts: [...one.parts, ...next.parts],
    achieved: (one.achieved * before + next.achieved * after) / (before + after),
    lost: one.lost === null || next.lost === null ? null : (one.lost * before + next.lost * after) / (before + after),
    cpu: (one.cpu * before + next.cpu * after) / (before + after),
    generator: rankOf(one.generator) > rankOf(next.generator) ? one.generator : next.generator
  }
}

/** @param {import('./trial').Part[]} parts @returns {number | null} ms */
function meanOf (parts) {
  const count = sumOf(parts, ({ latency }) => latency.count)
  return count === 0 ? null : sumOf(parts, ({ latency }) => latency.sum) / count / 1000
}

module.exports = { runSearch }
