'use strict'

// Runs a search: measures each trial until its outcome is clear (certain, if the result depends on it), or for the
// longest time. It uses neither clocks nor sockets.

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
 * @param {object} how
 * @param {(trial: Trial) => Promise<Measured | null>} how.measure null when the run has ended
 * @param {Pick<Criteria, 'thresholds' | 'precision' | 'isOpen'>} how.criteria
 * @param {number} [how.longestMs] since the start of the load: the search ends with a partial result after the step
 *   that exceeds it
 * @param {(value: number, responseMs: number) => number | null} how.widen raises the connections for the next
 *   trial of that value, as slow responses require; returns their number, or null if they cannot be raised
 * @param {() => boolean} [how.isStuck] whether requests of a step did not end, so that it was not measured
 * @param {(step: Step) => void} how.onStep
 */
async function runSearch (search, { measure, criteria, longestMs = Infinity, widen, isStuck = () => false, onStep }) {
  /** @type {Step | null} */
  let last = null
  /** @type {number | null} */
  let unloaded = null
  for (let trial = search.next(); trial !== null; trial = search.next()) {
    // An inconclusive trial is judged together with the next one.
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
    // Too few connections are no limit of the server. With more, the load is tried again.
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
