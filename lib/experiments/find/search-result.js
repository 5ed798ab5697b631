'use strict'

// The result of a search for the limit: its steps, the highest load that was held, the cause of the limit, the knee,
// and the judgements.

const { round } = require('../../core/units')
const { explained } = require('../../judge/reason')
const { sumOf } = require('../../core/statistics')
const { mergedLatency } = require('./criterion')
const { findKnee } = require('./knee')
const { bestStep, firstSilent, unsureStep, unknownBetween } = require('./search-steps')
const { intervalIn } = require('./trial-certainty')

/**
 * @typedef {import('./search').Goal} Goal
 * @typedef {import('./search').Step} Step
 * @typedef {import('../../judge/reason').Reason} Reason
 */

/** The unit of the load. */
const UNITS = Object.freeze({ rate: 'requests/s', connections: 'connections' })

/** The reason of a load whose figures are too close to the limit. */
const UNCERTAIN = Object.freeze({ code: 'uncertain-load', facts: {} })

/** The reason if the time of the search was over before the limit was certain. */
const EXPIRED = Object.freeze({ code: 'search-expired', facts: {} })

/** @param {'load' | 'above' | 'limit'} where @returns {Reason} that the load generator was at its limit there */
const clientLimit = where => ({ code: 'client-limit', facts: { where } })

/**
 * @param {Step} step
 * @param {Goal['thresholds']} judged those of the search
 * @returns {Record<string, any>} in the form of a result
 */
function stepResult ({
  value, attempt, outcome, reason, certain, parts, achieved, growth, connections, generator, cause, thresholds, from,
  to, widened, server
}, judged) {
  const latency = mergedLatency(parts)
  /** @param {'ended' | 'failures' | 'responses'} what */
  const total = what => sumOf(parts, ({ counted }) => counted[what] ?? 0)
  const [ended, failures] = [total('ended'), total('failures')]
  const seconds = sumOf(parts, ({ ms }) => ms) / 1000
  /** @param {number} percentile */
  const percentile = percentile =>
    latency.count === 0 || total('responses') === 0 ? null : round(latency.percentile(percentile))
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
    completed: round(total('responses') / seconds),
    p50: percentile(50),
    p99: percentile(99),
    failures,
    failureRate: ended === 0 ? null : round(failures / ended),
    growth: round(growth * 1000),
    generator: { verdict: generator, cause },
    ...server !== undefined && { server },
    thresholds: thresholds.map((one, i) => ({
      ...one,
      actual: typeof one.actual === 'number' ? round(one.actual) : one.actual,
      ...intervalIn(judged[i], parts)
    }))
  }
}

/**
 * @param {Goal} goal
 * @param {Pick<import('./search').Search, 'best' | 'above' | 'ceiling' | 'limit' | 'silent' | 'expired'>} search
 * @param {Array<Record<string, any>>} steps as stepResult() gives them
 * @returns {Record<string, any>} documented in docs/load.md and in index.d.ts
 */
function searchResult (
  { over, from, to, precision, stepMs, longestMs, thresholds, implied, failBelow },
  { best, ceiling, above, limit, silent, expired },
  steps
) {
  const points = steps.filter(({ outcome, p99 }) => outcome !== 'generator' && outcome !== 'unsure' && p99 !== null)
    .map(({ value, p99 }) => ({ x: value, y: p99 }))
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
    longest: longestMs / 1000,
    ...expired && { expired },
    thresholds: thresholds.map(({ expression }) => expression).filter((_, i) => !implied || i < thresholds.length - 1),
    ...implied && { implied: thresholds[thresholds.length - 1].expression },
    ...failBelow !== null && { failBelow },
    ...silent && { silentSince: firstSilent(steps).from },
    steps
  }
}

/**
 * @param {Record<string, any>} search of a result
 * @param {{ interrupted?: boolean }} [run]
 * @returns {Array<Record<string, any>>} the judgements: the thresholds at the best load, or at the lowest one if none
 *   was held; and the load that had to be held (--fail-below, or the lowest load), or an unknown limit
 */
function judgeSearch (search, { interrupted = false } = {}) {
  const { best, limit, above, steps, from, failBelow, silentSince } = search
  if (interrupted) return unjudged(search)
  if (search.expired) return undecided(search)
  const isUnsure = unsureStep(search) !== undefined
  if (best === null && isUnsure) {
    const { thresholds } = steps[steps.length - 1]
    return [
      ...thresholds.map((/** @type {any} */ one) => ({ ...one, passed: null, ...explained(null, UNCERTAIN) })),
      atLeast(search, failBelow ?? from, null, UNCERTAIN)
    ]
  }
  const shown = best === null ? steps[steps.length - 1] : bestStep(steps, best)
  const kept = (shown?.thresholds ?? []).filter((/** @type {any} */ { passed }) => best !== null || passed === false)
  const judged = best === null && shown?.outcome === 'generator'
    ? kept.map((/** @type {any} */ one) => ({ ...one, passed: null, ...explained(null, clientLimit('load')) }))
    : kept
  const least = failBelow ?? (best === null && shown !== undefined && judged.length === 0 ? from : undefined)
  const isRange = unknownBetween(search) !== undefined
  const isUnknown = best !== null && (limit === 'generator' || isUnsure || isRange)
  if (least === undefined && !isUnknown) return judged
  const isHeld = best !== null && least !== undefined && best >= least
  const isOpen = least === undefined || (isRange && least < above)
  const passed = isHeld ? true : (limit === 'server' && !isOpen) || limit === 'range' ? false : null
  const unknown = limit === null
    ? { code: 'search-interrupted', facts: {} }
    : isUnsure ? UNCERTAIN : clientLimit(isRange ? 'above' : 'limit')
  const failed = { code: silentSince === undefined ? 'lowest-failed' : 'server-silent', facts: {} }
  return [
    ...judged,
    atLeast(search, least, passed, passed === null ? unknown : passed === false && best === null ? failed : undefined)
  ]
}

/**
 * Further steps might have changed each verdict.
 * @param {Record<string, any>} search that was interrupted
 * @returns {Array<Record<string, any>>} as judgeSearch() returns them, without verdicts
 */
function unjudged (search) {
  const { best, steps, from, failBelow } = search
  const shown = best === null ? steps[steps.length - 1] : bestStep(steps, best)
  const thresholds = (shown?.thresholds ?? [])
    .map((/** @type {any} */ { note, finding, exact, ...one }) => ({ ...one, passed: null }))
  return failBelow === undefined && thresholds.length > 0
    ? thresholds
    : [...thresholds, atLeast(search, failBelow ?? from, null)]
}

/**
 * @param {Record<string, any>} search whose time was over
 * @returns {Array<Record<string, any>>} as judgeSearch() returns them, with verdicts that were certain only
 */
function undecided (search) {
  const { best, steps, from, failBelow } = search
  const failed = surelyFailed(search)
  const shown = best === null ? failed ?? steps[steps.length - 1] : bestStep(steps, best)
  const isKnown = best === null ? failed !== undefined : shown?.certain === true
  const thresholds = (shown?.thresholds ?? [])
    .filter((/** @type {any} */ { passed }) => best !== null || !isKnown || passed === false)
    .map((/** @type {any} */ one) => isKnown ? one : { ...one, passed: null, ...explained(null, EXPIRED) })
  const least = failBelow ?? (best === null ? from : undefined)
  const certain = steps.filter((/** @type {any} */ { outcome, certain, value }) =>
    outcome === 'held' && certain && value <= (best ?? 0))
  const isHeld = least !== undefined && certain.some((/** @type {any} */ { value }) => value >= least)
  const passed = isHeld ? true : least >= failed?.value ? false : null
  return [...thresholds, atLeast(search, least, passed, passed === null ? EXPIRED : undefined)]
}

/**
 * @param {Record<string, any>} search
 * @returns {import('./search-steps').Step | undefined} that of the lowest load that certainly failed, and failed twice:
 *   a single hiccup is excluded
 */
function surelyFailed ({ steps }) {
  /** @type {import('./search-steps').Step[]} */
  const failed = steps.filter((/** @type {any} */ { outcome }) => outcome === 'failed')
  const highest = Math.max(
    0,
    ...steps.filter((/** @type {any} */ { outcome }) => outcome === 'held')
      .map((/** @type {any} */ { value }) => value)
  )
  return failed
    .filter(({ certain, value }) =>
      certain && value > highest && failed.filter(other => other.value === value).length > 1)
    .reduce((/** @type {any} */ lowest, step) =>
      lowest === undefined || step.value <= lowest.value ? step : lowest, undefined)
}

/**
 * @param {Record<string, any>} search
 * @param {number | undefined} least undefined if the limit itself is the goal
 * @param {boolean | null} passed
 * @param {Reason} [reason]
 */
function atLeast ({ best, unit }, least, passed, reason) {
  const isCount = unit === 'connections'
  const expression = least === undefined ? 'limit' : `limit >= ${least}${isCount ? '' : '/s'}`
  return { expression, actual: best, passed, unit: isCount ? 'count' : unit, ...explained(passed, reason) }
}

module.exports = { judgeSearch, searchResult, stepResult }
