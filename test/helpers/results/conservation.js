'use strict'

// The law that every run obeys, whatever the server did: each request has exactly one fate, and every figure that
// counts requests agrees with the fates.

const { countsMessages } = require('../../../lib/core/counted')

/**
 * @param {{ strictSame: Function }} t
 * A failure is an error, an answer of 4xx or 5xx that was not expected, or another one that was found wrong: each once. Without
 * checks and compared bodies nothing is expected and nothing found wrong.
 * @param {Record<string, any>} result
 * @param {{ neverSent?: number, arrived?: number }} [expected] how many errors are no fate of a request, because nothing was
 *   sent; how many requests the server has seen
 */
function conserves (t, result, { neverSent = 0, arrived = result.requests.sent + result.resent } = {}) {
  const { fates, errors, errorCodes, statusCodeStats, requests, latency, serviceTime, ttfb, timeouts, unfinished, rate, resent, failures, unexpected, checks, compared, mismatches, byStage, iterations, handshakes, slowest, firstFailures } = result
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
    // Messages have none. Of a user function, some may be requests of HTTP.
    'sum of statusCodeStats': result.websocket === undefined ? completed : countsMessages(result) ? 0 : sum(Object.values(statusCodeStats).map(({ count }) => count)),
    errors: timedOut + failed + neverSent,
    'sum of errorCodes': errors,
    timeouts: timedOut,
    unfinished: abandoned + (rate?.unsent ?? 0),
    'latency.totalCount': completed + timedOut + suffering,
    'serviceTime.totalCount': completed + timedOut + (rate === undefined ? suffering : 0),
    'ttfb.totalCount': completed,
    'rate.sent': rate === undefined ? undefined : sent
  }, 'every request has exactly one fate')
  // Those that were never sent are in the latency, too, and are no requests.
  const unsent = rate?.unsent ?? 0
  t.ok(slowest.length <= Math.min(KEPT, latency.totalCount) && slowest.length >= Math.min(KEPT, latency.totalCount - Math.min(unsent, suffering)), `the slowest are kept: ${slowest.length} of ${latency.totalCount}`)
  if (suffering === 0 && slowest.length > 0) t.equal(slowest[0].total, latency.max, 'the slowest request is the longest latency')
  t.equal(firstFailures.length, Math.min(KEPT, failures - neverSent), 'the first failures are kept')
  if (byStage !== undefined) stagesConserve(t, result)
  if (byStage?.[0].iterations !== undefined) for (const key of ['due', 'waited', 'neverStarted']) t.equal(sum(byStage.map((/** @type {any} */ { iterations }) => iterations[key])), iterations[key], `iterations of all stages: ${key}`)
  if (iterations !== undefined) iterationsConserve(t, result)
  if (handshakes !== undefined) handshakesConserve(t, handshakes)
}

/** How many single requests a result has of each kind. */
const KEPT = 20

/** Each handshake has taken a time and agreed on something. */
function handshakesConserve (/** @type {any} */ t, /** @type {any} */ { count, resumed, latency, negotiated }) {
  t.strictSame([latency.totalCount, sum(negotiated.map((/** @type {any} */ one) => one.count))], [count, count], 'every handshake is in the distribution, and agreed on something')
  t.ok(resumed <= count, 'a handshake that resumed a session is one')
}

/** Each iteration that has started is completed, cut short for one reason, or unfinished, and counted in one scenario. */
function iterationsConserve (t, { iterations, byScenario = { only: iterations }, errorCodes }) {
  const scenarios = Object.values(byScenario)
  for (const one of [iterations, ...scenarios]) {
    const { started, completed, cut, cutBy, unfinished, duration, active } = one
    // Those that are unfinished may be among the durations with their age.
    const stuck = Math.min(unfinished, Math.max(0, duration.totalCount - completed))
    t.strictSame({ started, cut, durations: duration.totalCount, actives: active.totalCount },
      { started: completed + cut + unfinished, cut: sum(Object.values(cutBy)), durations: completed + stuck, actives: completed + stuck }, 'every iteration has exactly one end')
    t.ok(unfinished >= 0 && active.max <= duration.max && active.mean <= duration.mean, 'no iteration ends that has not started, and none has pauses of less than nothing')
    // A complete response that cannot be decoded, has no such value, or is a failed completion, is a failed check.
    t.strictSame(Object.entries(cutBy).filter(([reason, n]) => /^(?:AC_(?!(?:CAPTURE|CONTENT_ENCODING|DECODED_SIZE|LLM_[A-Z]+)$)|E[A-Z])/.test(reason) && n > (errorCodes[reason] ?? 0)), [], 'an error cuts one iteration at the most')
  }
  const timed = scenarios.filter(({ due }) => due !== undefined)
  for (const one of iterations.due === undefined ? timed : [iterations, ...timed]) t.ok(one.neverStarted + one.waited <= one.due && one.wait.totalCount === one.waited, 'an iteration that is due begins at its time, later or never')
  for (const key of ['due', 'waited', 'neverStarted']) t.ok(timed.length < scenarios.length ? sum(timed.map(one => one[key])) <= (iterations[key] ?? 0) : sum(timed.map(one => one[key])) === iterations[key], `iterations of those with a rate of their own: ${key}`)
  for (const key of ['started', 'completed', 'cut', 'unfinished']) t.equal(sum(scenarios.map(one => one[key])), iterations[key], `iterations of all scenarios: ${key}`)
}

/** What is counted of a request is counted in its stage, and nowhere else: over all stages it is what the run has. */
function stagesConserve (t, { byStage, requests, errors, timeouts, failures, unexpected, unfinished, fates, errorCodes, statusCodeStats, latency, rate }) {
  const total = (/** @type {(stage: any) => number} */ read) => sum(byStage.map(read))
  const added = (/** @type {(stage: any) => Record<string, number>} */ read) => byStage.map(read).reduce((all, counts) => {
    for (const [key, n] of Object.entries(counts)) all[key] = (all[key] ?? 0) + n
    return all
  }, /** @type {Record<string, number>} */ ({}))
  const counts = (/** @type {Record<string, { count: number }>} */ stats) => Object.fromEntries(Object.entries(stats).map(([status, { count }]) => [status, count]))
  for (const { fates: { sent, ...ended }, count } of byStage) t.strictSame([sent, ended.completed], [sum(Object.values(ended)), count], 'every request of a stage has exactly one fate')
  t.strictSame({
    answers: total(({ count }) => count),
    errors: total(({ errors }) => errors),
    timeouts: total(({ timeouts }) => timeouts),
    failures: total(({ failures }) => failures),
    unexpected: total(({ unexpected }) => unexpected),
    unfinished: total(({ unfinished }) => unfinished),
    latencies: total(({ latency }) => latency.totalCount),
    fates: added(({ fates }) => fates),
    errorCodes: added(({ errorCodes }) => errorCodes),
    statuses: added(({ statusCodeStats }) => counts(statusCodeStats)),
    late: rate && total(stage => stage.rate?.late ?? 0),
    unsent: rate && total(stage => stage.rate?.unsent ?? 0)
  }, {
    answers: requests.total,
    errors,
    timeouts,
    failures,
    unexpected,
    unfinished,
    latencies: latency.totalCount,
    fates,
    errorCodes,
    statuses: counts(statusCodeStats),
    late: rate?.late,
    unsent: rate?.unsent
  }, 'the stages together are the run')
}

/** @param {number[]} numbers */
const sum = numbers => numbers.reduce((a, b) => a + b, 0)

module.exports = { conserves }
