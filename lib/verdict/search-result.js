'use strict'

// Owns what a result says of a search for the limit: its steps, the highest load that held, whose limit it is, the knee, and how all that is judged.

const { round } = require('../units')
const { mergedLatency, sumOf } = require('./criterion')
const { findKnee } = require('./knee')
const { bestStep, firstSilent, untoldStep } = require('./search-steps')

/**
 * @typedef {import('./search').Hunt} Hunt
 * @typedef {import('./search').Step} Step
 */

/** The unit of the load. */
const UNITS = Object.freeze({ rate: 'requests/s', connections: 'connections' })

/**
 * @param {Step} step
 * @returns {Record<string, any>} as a result has it
 */
function stepResult ({ value, attempt, outcome, reason, certain, parts, achieved, growth, connections, generator, cause, thresholds, from, to, widened, server }) {
  const latency = mergedLatency(parts)
  /** @param {'ended' | 'failures' | 'answers'} what */
  const total = what => sumOf(parts, ({ counted }) => counted[what] ?? 0)
  const [ended, failures] = [total('ended'), total('failures')]
  const seconds = sumOf(parts, ({ ms }) => ms) / 1000
  /** @param {number} percentile */
  const percentile = percentile => latency.count === 0 || total('answers') === 0 ? null : round(latency.percentile(percentile))
  return {
    value,
    attempt,
    outcome,
    reason,
    certain,
    from: round(from / 1000),
    to: round(to / 1000),
    seconds: round(seconds),
    connections,
    ...widened !== null && { widened },
    requests: ended,
    achieved: round(achieved),
    answered: round(total('answers') / seconds),
    p50: percentile(50),
    p99: percentile(99),
    failures,
    failureRate: ended === 0 ? null : round(failures / ended),
    growth: round(growth * 1000),
    generator: { verdict: generator, cause },
    ...server !== undefined && { server },
    thresholds: thresholds.map(one => ({ ...one, actual: typeof one.actual === 'number' ? round(one.actual) : one.actual }))
  }
}

/**
 * @param {Hunt} hunt
 * @param {Pick<import('./search').Search, 'best' | 'above' | 'ceiling' | 'limit' | 'silent'>} search
 * @param {Array<Record<string, any>>} steps as stepResult() gives them
 * @returns {Record<string, any>} documented in docs/load.md and in index.d.ts
 */
function searchResult ({ over, from, to, precision, stepMs, thresholds, implied, failBelow }, { best, ceiling, above, limit, silent }, steps) {
  const points = steps.filter(({ outcome, p99 }) => outcome !== 'generator' && outcome !== 'unsure' && p99 !== null).map(({ value, p99 }) => ({ x: value, y: p99 }))
  const knee = findKnee([...new Map(points.map(point => [point.x, point])).values()])
  return {
    best,
    unit: UNITS[over],
    limit,
    above: (limit === 'server' && best !== null ? ceiling : null) ?? above?.value ?? null,
    knee: knee === null ? null : { value: knee.x, p99: knee.y },
    over,
    from,
    to,
    precision,
    step: stepMs / 1000,
    thresholds: thresholds.map(({ expression }) => expression).filter((_, i) => !implied || i < thresholds.length - 1),
    ...implied && { implied: thresholds[thresholds.length - 1].expression },
    ...failBelow !== null && { failBelow },
    ...silent && { silentSince: firstSilent(steps).from },
    steps
  }
}

/**
 * @param {Record<string, any>} search of a result
 * @returns {Array<Record<string, any>>} what the result was held to: the thresholds at the best load, or where not even the lowest held, at that; and the
 *   load that had to be held, the lowest unless more was asked for, or the limit when it was asked for alone and is not known
 */
function judgeSearch (search) {
  const { best, limit, above, unit, steps, from, failBelow, silentSince } = search
  const shown = best === null ? steps[steps.length - 1] : bestStep(steps, best)
  const kept = (shown?.thresholds ?? []).filter((/** @type {any} */ { passed }) => best !== null || passed === false)
  const judged = best === null && shown?.outcome === 'generator' ? kept.map((/** @type {any} */ one) => ({ ...one, passed: null, note: 'the load generator was at its limit' })) : kept
  const least = failBelow ?? (best === null && shown !== undefined && judged.length === 0 ? from : undefined)
  const isUnknown = limit === 'generator' && best !== null
  if (least === undefined && !isUnknown) return judged
  const isHeld = best !== null && least !== undefined && best >= least
  const passed = isHeld ? true : (limit === 'server' && !(untoldStep(search) !== undefined && Number(least) < above)) || limit === 'range' ? false : null
  return [...judged, {
    expression: least === undefined ? 'limit' : `limit >= ${least}${unit === 'connections' ? '' : '/s'}`,
    actual: best,
    passed,
    unit: unit === 'connections' ? 'count' : unit,
    ...passed === null && { note: limit !== null ? 'the load generator was at its limit, and not the server' : 'the search was interrupted' },
    ...passed === false && best === null && { note: silentSince === undefined ? 'not even the lowest load was held' : 'the server no longer responds' }
  }]
}

module.exports = { judgeSearch, searchResult, stepResult }
