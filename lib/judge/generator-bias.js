'use strict'

// Whether the load generator may have decided a threshold. With a high CPU wait, a blocked event loop or no CPU left,
// it reads responses late and sends requests late. Latencies are then too high, request rates too low, and the load of
// a closed loop is too small.
//
// A late read makes a latency higher, never lower. So if the whole interval of a latency is below the limit, the true
// latency is, too, for the load that was sent:
//
// - If a rate was kept, that load is the target load.
// - A closed loop has no target load. By Little's law (1961), connections = requests per second × mean latency, where a
//   latency ends when the response is read. So fewer requests per second show as a higher latency in the same run. A
//   server whose throughput does not fall with the load has a lower latency with a faster generator:
//   test/judge/generator-bias.test.js simulates it. The opposite stays hidden (a CPU quota that only the full load uses
//   up), so the note has the rate that was sent. To require that rate, add a threshold on `rps`.
// - A rate that was not kept proves nothing: the rest of the load was never sent.
//
// A figure above a limit proves nothing in any case.

const { isTimedByArrival } = require('../instruments/clock/arrivals')
const { explains, lossIn } = require('../instruments/generator/cause')
const { troubleOf, verdictOf } = require('../instruments/generator/verdict')
const { KEPT, isRateKept, isSentLate } = require('../instruments/rate/kept-pace')
const { findStage, pointsIn } = require('../figures/parts')
const { OPERATORS } = require('./operators')

/**
 * @typedef {object} Bias
 * @property {boolean} isOpen whether the threshold is inconclusive because of it; else the figure is a bound, and
 *   decides on one side
 * @property {import('./reason').Reason} reason
 */

/**
 * @param {import('./threshold').Threshold} threshold
 * @param {number} actual
 * @param {boolean} isKept whether the figure meets the threshold
 * @param {Record<string, any>} result
 * @returns {Bias | null} null when the generator is not the reason
 */
function biasOf ({ metric, operator, limit, part }, actual, isKept, result) {
  const { unit, row, name } = metric
  const { better } = OPERATORS[operator]
  if (row.server !== undefined || better === null) return null
  const stage = part === null ? null : findStage(result, part)
  const trouble = troubleOf(stage?.generator ?? result.generator)
  if (trouble === null) return null
  const wantsMore = better === '>'
  const { rate } = stage ?? result
  const wasSent = isRateKept({ rate })
  // Too low if the generator is the limit.
  if (unit.endsWith('/s') || name === 'rate ratio') {
    // If all requests were sent in time, missing responses are the server's fault.
    if (isKept === wantsMore || (wasSent && name !== 'rate ratio')) return null
    const missing = 1 - (wantsMore ? actual / limit : limit / actual)
    return mayBeMissing(stage, result, missing)
      ? { isOpen: true, reason: { code: 'late-rate', facts: { trouble } } }
      : null
  }
  // The latency of a request that was sent late includes the delay of the load generator: it starts at the due time.
  if (unit !== 'ms' || row.time === 'read late' ||
      (isTimedByArrival(result) && !(row.time === undefined && isSentLate({ rate })))) {
    return null
  }
  const isBelow = isKept !== wantsMore
  if (isBelow && wasSent) return null
  if (!isBelow) return { isOpen: true, reason: { code: 'late-reads', facts: { trouble } } }
  if (rate !== undefined) return { isOpen: true, reason: { code: 'late-reads-or-less-load', facts: { trouble } } }
  const sent = stage === null ? result.requests.average : stage.count / (stage.to - stage.from)
  // Connections that listen only send nothing.
  return { isOpen: false, reason: { code: 'late-reads', facts: { trouble, ...sent > 0 && { rate: sent } } } }
}

/**
 * @param {import('../figures/parts').StagePart | null} stage null for the whole run
 * @param {Record<string, any>} result
 * @param {number} share of the requests
 * @returns {boolean} whether the generator may have lost them while it had no CPU
 */
function mayBeMissing (stage, { series = [], generator }, share) {
  const points = stage === null ? series : pointsIn(series, stage.from * 1000, stage.to * 1000)
  const { lost, cpu } = points.length === 0 ? { lost: null, cpu: 0 } : lossIn(points)
  return explains({ verdict: verdictOf(stage?.generator ?? generator), lost, cpu }, share)
}

/**
 * With a rate, requests without a response at the end of the run are missing in the request rate.
 * @param {import('./threshold').Threshold} threshold that was not met
 * @param {Record<string, any>} result
 * @returns {boolean} whether all due requests were sent: a higher rate is impossible
 */
function isHeld ({ metric, operator, limit, part }, { rate, requests, errors, unfinished, duration }) {
  if (metric.name !== 'rps' || part !== null || OPERATORS[operator].better !== '>' || rate === undefined ||
      rate.unsent > 0 || errors > 0) {
    return false
  }
  const all = (requests.total + unfinished) / duration
  const allowed = OPERATORS[operator].isKept(rate.target, limit)
  // The last request is due before the end.
  return allowed && isRateKept({ rate }) && all + 1 / duration >= limit &&
    unfinished <= Math.max(1, (1 - KEPT) * requests.total)
}

module.exports = { biasOf, isHeld }
