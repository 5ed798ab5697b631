'use strict'

// Owns the law that every run obeys, whatever the server did: each request has exactly one fate, and every figure that
// counts requests agrees with the fates.

/**
 * @param {{ strictSame: Function }} t
 * @param {Record<string, any>} result
 * @param {{ neverSent?: number, arrived?: number }} [expected] how many errors are no fate of a request, because nothing was
 *   sent; how many requests the server has seen
 */
function conserves (t, { fates, errors, errorCodes, statusCodeStats, requests, latency, serviceTime, ttfb, timeouts, unfinished, rate, resent }, { neverSent = 0, arrived = requests.sent + resent } = {}) {
  const { sent, completed, timedOut, failed, abandoned } = fates
  // With a rate, those that are unfinished may be in the latency with what they have suffered, and nowhere else.
  const suffering = rate === undefined ? 0 : Math.min(unfinished, Math.max(0, latency.totalCount - completed - timedOut))
  t.strictSame({
    sent,
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
    'sent + resent': arrived,
    'requests.sent': sent,
    'requests.total': completed,
    'sum of statusCodeStats': completed,
    errors: timedOut + failed + neverSent,
    'sum of errorCodes': errors,
    timeouts: timedOut,
    unfinished: abandoned + (rate?.unsent ?? 0),
    'latency.totalCount': completed + timedOut + suffering,
    'serviceTime.totalCount': completed + timedOut,
    'ttfb.totalCount': completed,
    'rate.sent': rate === undefined ? undefined : sent
  }, 'every request has exactly one fate')
}

/** @param {number[]} numbers */
const sum = numbers => numbers.reduce((a, b) => a + b, 0)

module.exports = { conserves }
