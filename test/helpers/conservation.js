'use strict'

// Owns the law that every run obeys, whatever the server did: each request has exactly one fate, and every figure that
// counts requests agrees with the fates.

/**
 * @param {{ strictSame: Function }} t
 * A failure is an error, an answer of 4xx or 5xx that nobody expected, or another one that was found wrong: each once. Without
 * checks and compared bodies nothing is expected and nothing found wrong.
 * @param {Record<string, any>} result
 * @param {{ neverSent?: number, arrived?: number }} [expected] how many errors are no fate of a request, because nothing was
 *   sent; how many requests the server has seen
 */
function conserves (t, { fates, errors, errorCodes, statusCodeStats, requests, latency, serviceTime, ttfb, timeouts, unfinished, rate, resent, failures, unexpected, checks, compared, mismatches }, { neverSent = 0, arrived = requests.sent + resent } = {}) {
  const { sent, completed, timedOut, failed, abandoned } = fates
  // Those that are unfinished may be in the latency with what they have suffered; without a rate that is the service time, too.
  const suffering = Math.min(unfinished, Math.max(0, latency.totalCount - completed - timedOut))
  const ofError = sum(Object.entries(statusCodeStats).map(([status, { count }]) => Number(status) >= 400 ? count : 0))
  const found = sum(checks.map((/** @type {any} */ { failed }) => failed)) + mismatches
  const looked = checks.length > 0 || compared > 0
  const faulty = failures - errors - unexpected
  t.strictSame({
    sent,
    failures,
    'unexpected answers': unexpected,
    'sent + resent': sent + resent,
    'requests.sent': requests.sent,
    'requests.total': requests.total,
    'sum of statusCodeStats': sum(Object.values(statusCodeStats).map(({ count }) => count)),
    errors,
    'sum of errorCodes': sum(Object.values(errorCodes)),
    timeouts,
    unfinished,
    'latency.totalCount': latency.totalCount,
    'serviceTime.totalCount': serviceTime.totalCount,
    'ttfb.totalCount': ttfb.totalCount,
    'rate.sent': rate?.sent
  }, {
    sent: completed + timedOut + failed + abandoned,
    failures: errors + unexpected + (looked ? Math.min(Math.max(faulty, 0), completed - unexpected, found) : 0),
    'unexpected answers': checks.some((/** @type {any} */ { name }) => name === 'expect') ? Math.min(unexpected, ofError) : ofError,
    'sent + resent': arrived,
    'requests.sent': sent,
    'requests.total': completed,
    'sum of statusCodeStats': completed,
    errors: timedOut + failed + neverSent,
    'sum of errorCodes': errors,
    timeouts: timedOut,
    unfinished: abandoned + (rate?.unsent ?? 0),
    'latency.totalCount': completed + timedOut + suffering,
    'serviceTime.totalCount': completed + timedOut + (rate === undefined ? suffering : 0),
    'ttfb.totalCount': completed,
    'rate.sent': rate === undefined ? undefined : sent
  }, 'every request has exactly one fate')
}

/** @param {number[]} numbers */
const sum = numbers => numbers.reduce((a, b) => a + b, 0)

module.exports = { conserves }
