'use strict'

// Owns whether the load generator may have decided a threshold: one that had no core, was blocked or was the limit reads responses late and sends
// requests late, so latencies are too high, request rates too low, and the load of a closed loop is less than it was to be.

const { isTimedByArrival } = require('../figures/arrivals')
const { explains, lossIn } = require('../figures/generator-cause')
const { troubleOf, verdictOf } = require('../figures/generator-verdict')
const { findStage } = require('../figures/parts')

/** A rate that is kept to this share is the load that was asked for. */
const KEPT = 0.99

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {number} actual
 * @param {boolean} isKept whether that keeps to it
 * @param {Record<string, any>} result
 * @returns {string | null} why the generator may be the reason; null when it is not
 */
function bentBy ({ metric, operator, limit, part }, actual, isKept, result) {
  const { unit, row, name } = metric
  if (row.server !== undefined) return null
  const stage = part === null ? null : findStage(result, part)
  const trouble = troubleOf(stage?.generator ?? result.generator)?.predicate
  if (trouble === undefined) return null
  const wantsMore = operator.startsWith('>')
  // What is too low where the generator is the limit.
  if (unit.endsWith('/s') || name === 'rate ratio') {
    const missing = 1 - (wantsMore ? actual / limit : limit / actual)
    return isKept !== wantsMore && mayBeMissing(stage, result, missing) ? `the load generator ${trouble}, and the rate is too low because of that` : null
  }
  if (unit !== 'ms' || row.time === 'read late' || isTimedByArrival(result)) return null
  const { ratio = 0 } = (stage ?? result).rate ?? {}
  // Latencies are too high, so those that are low enough at the whole load are.
  if (isKept && !wantsMore && ratio >= KEPT) return null
  return `the load generator ${trouble}, and latencies are too high because of that${isKept ? ', or too low, as the load was less' : ''}`
}

/**
 * @param {import('../figures/parts').StagePart | null} stage null for the whole run
 * @param {Record<string, any>} result
 * @param {number} share of the requests
 * @returns {boolean} whether the generator may have lost them: it had no CPU for so long
 */
function mayBeMissing (stage, { series = [], generator }, share) {
  const points = stage === null ? series : series.filter((/** @type {any} */ { time, length }) => time + length / 2 >= stage.from * 1000 && time + length / 2 < stage.to * 1000)
  const { lost, cpu } = points.length === 0 ? { lost: null, cpu: 0 } : lossIn(points)
  return explains({ verdict: verdictOf(stage?.generator ?? generator), lost, cpu }, share)
}

/**
 * With a rate, what was sent and had no response at the end of the run is missing in the request rate.
 * @param {import('./threshold').Threshold} threshold that is not kept
 * @param {Record<string, any>} result
 * @returns {boolean} whether the rate was held: all that was due was sent, and more than that does not come
 */
function isHeld ({ metric, operator, limit, part }, { rate, requests, errors, unfinished, duration }) {
  if (metric.name !== 'rps' || part !== null || !operator.startsWith('>') || rate === undefined || rate.unsent > 0 || errors > 0) return false
  const all = (requests.total + unfinished) / duration
  const allowed = operator === '>' ? rate.target > limit : rate.target >= limit
  // The last request is due before the end.
  return allowed && rate.ratio >= KEPT && all + 1 / duration >= limit && unfinished <= Math.max(1, (1 - KEPT) * requests.total)
}

module.exports = { bentBy, isHeld }
