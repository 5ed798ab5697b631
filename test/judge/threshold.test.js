'use strict'

const t = require('tap')
const { Histogram } = require('../../lib/record/histogram')
const { METRICS } = require('../../lib/figures/metric')
const { settle } = require('../../lib/judge/inconclusive')
const { judge: judgeWhole, judgedSoFar } = require('../../lib/judge/judge')
const { exampleResult } = require('../helpers/results/example-result')
const { judgedWithoutFinding: judge } = require('../helpers/results/judged')
const { OPERATORS } = require('../../lib/judge/operators')
const { parseThreshold, tolerates } = require('../../lib/judge/threshold')

const ALL = Object.keys(OPERATORS).join(' ')

/** @param {unknown} given */
function problemOf (given) {
  try {
    parseThreshold(given)
  } catch (error) {
    if (error instanceof TypeError) return error.message.replace(/^expected something like 'p99 < 50ms', got /, '')
    throw error
  }
  throw new Error(`${given} was read`)
}

t.test('reads what other tools call times of tokens', async t => {
  for (const [given, name] of [['TTFT p99', 'first token p99'], ['time to first token p50', 'first token p50'], ['itl max', 'inter token max'], ['tpot avg', 'time per output token avg']]) {
    t.equal(parseThreshold(`${given} < 300ms`).metric.name, name)
  }
})

t.test('reads metrics, operators and units', async t => {
  for (const [given, metric, operator, limit] of [
    ['p99 < 50ms', 'p99', '<', 50],
    ['p99<50', 'p99', '<', 50],
    ['  P99  <=  0.5 s ', 'p99', '<=', 500],
    ['p97.5 < 900us', 'p97.5', '<', 0.9],
    ['p99.99 < 900 µs', 'p99.99', '<', 0.9],
    ['p99.99 < 900 μs', 'p99.99', '<', 0.9],
    ['p100 < 1e3ms', 'p100', '<', 1000],
    ['avg < 1ms', 'avg', '<', 1],
    ['mean < 1ms', 'avg', '<', 1],
    ['average < 1ms', 'avg', '<', 1],
    ['max < 1s', 'max', '<', 1000],
    ['min > 1us', 'min', '>', 0.001],
    ['rps >= 1000', 'rps', '>=', 1000],
    ['requests/s > 1000/s', 'rps', '>', 1000],
    ['req/s > 1000 req/s', 'rps', '>', 1000],
    ['requests == 400', 'requests', '==', 400],
    ['failures == 0', 'failures', '==', 0],
    ['failures < 1%', 'failure rate', '<', 0.01],
    ['failure rate < 0.5 %', 'failure rate', '<', 0.005],
    ['failed requests < 5', 'failures', '<', 5],
    ['errors == 0', 'errors', '==', 0],
    ['errors < 1%', 'error rate', '<', 0.01],
    ['error rate < 0.5 %', 'error rate', '<', 0.005],
    ['Error  Rate < 0.5%', 'error rate', '<', 0.005],
    ['non2xx < 3', 'non2xx', '<', 3],
    ['non2xx < 3%', 'non2xx share', '<', 0.03],
    ['timeouts < 3', 'timeouts', '<', 3],
    ['mismatches < 3%', 'mismatches share', '<', 0.03],
    ['checks == 0', 'checks', '==', 0],
    ['failed checks < 1%', 'checks share', '<', 0.01],
    ['rate ratio > 0.99', 'rate ratio', '>', 0.99],
    ['rate ratio > 99%', 'rate ratio', '>', 0.99],
    ['bytes/s > 5', 'bytes/s', '>', 5],
    ['bytes/s > 2.5 MB/s', 'bytes/s', '>', 2.5e6],
    ['throughput > 2 kb', 'bytes/s', '>', 2000],
    ['throughput > 2 MiB/s', 'bytes/s', '>', 2 * 1024 * 1024],
    ['server rss < 300MB', 'server rss', '<', 300e6],
    ['Server  Memory < 1 GiB', 'server rss', '<', 1024 ** 3],
    ['server rss max < 5', 'server rss', '<', 5],
    ['server rss avg < 5', 'server rss avg', '<', 5],
    ['server cpu < 90%', 'server cpu', '<', 0.9],
    ['server cpu average < 1.5 cores', 'server cpu', '<', 1.5],
    ['server cpu max <= 150 %', 'server cpu max', '<=', 1.5],
    ['server event loop < 80%', 'server event loop', '<', 0.8],
    ['server delay < 20', 'server delay', '<', 20],
    ['server delay max < 1s', 'server delay max', '<', 1000],
    ['server heap < 64 MiB', 'server heap', '<', 64 * 1024 * 1024],
    ['server gc < 5%', 'server gc', '<', 0.05],
    ['server threads < 20', 'server threads', '<', 20],
    ['server open files avg < 1000', 'server files avg', '<', 1000]
  ]) {
    const { metric: { key, percentile }, operator: read, limit: value, part, abortOn } = parseThreshold(given)
    t.strictSame([percentile === null ? key : `p${percentile}`, read, part, abortOn], [metric, operator, null, false], given)
    t.ok(Math.abs(value - limit) < 1e-9, `${given}: ${value}`)
  }
})

t.test('a limit is the written number to the digit', async t => {
  t.throws(() => parseThreshold('goodput(ttft:300 tpot:50) > 95%'), { message: /'ttft:300 tpot:50' is no bound of a goodput: expected a figure, <, / }, 'as vllm bench serve has them')
  t.strictSame(['checks >= 95%', 'goodput(gap max < 1s) >= 95%', 'failure rate <= 0.7%', 'p99 <= 300us'].map(one => parseThreshold(one).limit), [0.95, 0.95, 0.007, 0.3])
})

t.test('reads the name of a request or a stage, whatever is in it', async t => {
  for (const [given, part, key] of [
    ['login: p95 < 100ms', 'login', 'p95'],
    ['log in : errors < 1%', 'log in', 'error rate'],
    ['GET http://a:80/x: rps > 1', 'GET http://a:80/x', 'rps'],
    ['a < b: rps > 1', 'a < b', 'rps'],
    ['stage 3: p99 < 80ms', 'stage 3', 'p99'],
    ['peak: timeouts < 1%', 'peak', 'timeouts share'],
    ['group log in: "a" <b>: p95 < 1s', 'group log in: "a" <b>', 'p95'],
    ['check in: p95 < 1s', 'check in', 'p95']
  ]) {
    t.match(parseThreshold(given), { part, metric: { key } }, given)
  }
})

t.test('says which part it can not read, and what is allowed', async t => {
  for (const [given, message] of [
    ['p99 50ms', '\'p99 50ms\': there is no operator in it: expected one of ' + ALL + ', such as p99 < 50ms'],
    ['p99 => 50ms', '\'p99 => 50ms\': \'=>\' is no operator: expected one of ' + ALL],
    ['p99 = 50ms', '\'p99 = 50ms\': \'=\' is no operator: expected one of ' + ALL],
    ['firstEvent p99 < 1s', /unknown metric 'firstEvent p99', did you mean 'first event p99'\?$/],
    ['p99 first token < 1s', /unknown metric 'p99 first token', did you mean 'first token p99'\?$/],
    ['p99 ttft < 1s', /unknown metric 'p99 ttft', did you mean 'first token p99'\?$/],
    ['inter-token max < 1s', /unknown metric 'inter-token max', did you mean 'inter token max'\?$/],
    ['gap < 1s', /unknown metric 'gap', did you mean 'gap p99'\?$/],
    ['latency p99 < 1s', /unknown metric 'latency p99', did you mean 'p99'\?$/],
    ['eror rate < 1%', /^'eror rate < 1%': unknown metric 'eror rate', did you mean 'error rate'\? More: autocannon help thresholds$/],
    [' < 1%', /: unknown metric ''; there are p50, p99 and any other percentile, avg, rps, failure rate and more: autocannon help thresholds$/],
    ['p(95)<200', /: as it is written in k6; here, it is 'p95 < 200ms'$/],
    ['http_req_duration: p(95)<50', /; here, it is 'p95 < 50ms'$/],
    ['http_req_duration p(95) < 50', /; here, it is 'p95 < 50ms'$/],
    ['http_req_duration{name:log in}: avg<50', /; here, it is 'log in: average < 50ms'$/],
    ['http_req_failed: rate<0.01', /; here, it is 'failures < 1%'$/],
    ['login: p(99)<50ms', /; here, it is 'login: p99 < 50ms'$/],
    ['p(95)<1s', /: 'p\(95\)' \(k6\) is p95 here, as in p95 < 200ms$/],
    ['ttfb p(95)<50', /: unknown metric/],
    ['rate<0.01', /: 'rate' \(k6\) is the failure rate here, as in failure rate < 1%; requests per second are rps, as in rps > 500$/],
    ['checks: rate>0.9', /: of checks, 'rate' \(k6\) is the share of those that passed: write checks > 90%$/],
    ['checks: rate >= 99%', /: write checks >= 99%$/],
    ['check expect: rate > 99%', /: one check has no threshold of its own; all checks together have checks > 99%$/],
    ['checks{check:is 200}: rate>0.9', /: one check has no threshold of its own; all checks together have checks > 90%$/],
    ['checks{check:is 200}>0.9', /: one check has no threshold of its own; all checks together have checks > 90%$/],
    ['iteration duration p95 < 1s', /: unknown metric 'iteration duration p95': a part of the run has a colon after its name, as in iterations: p95$/],
    ['group log in p99.9 < 1s', /: a part of the run has a colon after its name, as in group log in: p99\.9$/],
    ['group_duration < 1s', /: 'group_duration' \(k6\) is a figure of a group here, as in group NAME: p95 < 2s$/],
    ['checks > 0.99', /: for a share of them, write checks > 99%$/],
    ['login: checks >= 0.9', /: for a share of them, write login: checks >= 90%$/],
    ['iterations: completed > 0.99', /: for a share of them, write iterations: completed > 99%$/],
    ['iterations > 5', /: 'iterations' \(k6\) is iterations: completed here, as in iterations: completed > 50; their rate is iterations\/s$/],
    ['iterations: foo > 1', /: unknown metric 'foo'; there are any percentile, .*completed, aborted, /],
    ['scenario buy: foo > 1', /: unknown metric 'foo'; there are any percentile, .*completed, aborted, /],
    ['http_req_failed<0.01', /: 'http_req_failed' \(k6\) is the failure rate here, as in failure rate < 1%$/],
    ['med < 5ms', /: 'med' \(k6\) is p50 here, as in p50 < 5ms$/],
    ['constructor < 5ms', /: unknown metric 'constructor'/],
    ['xyz < 1', /: unknown metric 'xyz'; there are p50, /],
    ['p0 < 1', '\'p0 < 1\': a percentile is above 0 and up to 100, got \'p0\''],
    ['p101 < 1', /: a percentile is above 0 and up to 100, got 'p101'$/],
    ['p99 < 50 minutes', '\'p99 < 50 minutes\': \'minutes\' is no unit of p99: expected us, µs, ms, s, or none, such as 50ms'],
    ['p99 < 5%', /: '%' is no unit of p99: /],
    ['error rate < 1', '\'error rate < 1\': \'\' is no unit of error rate: expected %, such as 1%'],
    ['failure rate < 0.01', '\'failure rate < 0.01\': failure rate is a share in percent: did you mean 1%?'],
    ['error rate < 0.001', '\'error rate < 0.001\': error rate is a share in percent: did you mean 0.1%?'],
    ['latency < 50ms', '\'latency < 50ms\': \'latency\' is a distribution: say which figure of it, such as p99 or avg; also p50, p97.5 and any other percentile, min and max'],
    ['errors < 1ms', '\'errors < 1ms\': \'ms\' is no unit of errors: expected a plain number, such as 10'],
    ['rps < 1%', /: '%' is no unit of rps: /],
    ['server cpu < 90', '\'server cpu < 90\': \'\' is no unit of server cpu: expected %, cores, core, such as 90%'],
    ['server rss < 300ms', /: 'ms' is no unit of server rss: expected B, KB, MB, .*, or none, such as 300MB$/],
    ['server < 1', /: unknown metric 'server'/],
    ['server p99 < 1', /: unknown metric 'server p99'/],
    ['server cpu min < 1%', /: unknown metric 'server cpu min'/],
    ['p99 <', '\'p99 <\': expected a number after the operator, such as 50ms, got \'\''],
    ['p99 < fast', /: expected a number after the operator, such as 50ms, got 'fast'$/],
    ['p99 < -1', /: expected a number after the operator, such as 50ms, got '-1'$/],
    ['p99 < 1.2.3ms', /: expected a number after the operator, /],
    [': p99 < 1ms', /: the name of a request, a stage, a scenario or a group is missing before the colon$/],
    ['login: mismatches < 1', '\'login: mismatches < 1\': mismatches is not counted by request; there are any percentile, avg, min, max, rps, requests, failures, failure rate, errors, error rate, non2xx, checks, passed checks'],
    ['stage 3: checks < 1', /: checks is not counted by stage; there are any percentile, .*, bytes\/s, .*timeouts, waited, never started, rate ratio, server cpu, .*server gc$/],
    [5, 'expected a text such as \'p99 < 50ms\', or an object with it as threshold, got 5'],
    [null, /^expected a text .* got null$/],
    [{ threshold: 'p99 < 1', abort: true }, '\'p99 < 1\': there is nothing but threshold and abortOn, and not \'abort\''],
    [{ threshold: 'p99 < 1', abortOn: 'yes' }, '\'p99 < 1\': abortOn is true or false, and not \'yes\'']
  ]) {
    const found = problemOf(given)
    if (typeof message === 'string') t.equal(found, message)
    else t.match(found, message)
  }
})

t.test('abortOn is for what can be lost before the end', async t => {
  for (const threshold of ['p99 < 1ms', 'avg < 1', 'max <= 1', 'min > 1', 'rps > 1', 'bytes/s >= 1', 'requests < 5', 'failures == 0', 'failure rate < 1%', 'errors == 0', 'error rate < 1%', 'non2xx < 1', 'timeouts < 1%', 'mismatches < 1']) {
    t.equal(parseThreshold({ threshold, abortOn: true }).abortOn, true, threshold)
  }
  for (const threshold of ['p99 > 1ms', 'avg >= 1', 'max > 1', 'min < 1', 'min == 1', 'rps < 1', 'bytes/s <= 1', 'requests > 5', 'errors > 0', 'rate ratio > 99%', 'rate ratio < 1']) {
    t.match(problemOf({ threshold, abortOn: true }), /: a run ends early when a threshold can't be kept any more, and .* may still come true until its end(: |$)/, threshold)
  }
  for (const [threshold, instead] of [['errors > 5', 'errors <= 5'], ['p99>=1ms', 'p99<1ms'], ['failure rate > 1%', 'failure rate <= 1%'], ['rps < 5', 'rps >= 5'], ['bytes/s <= 1', 'bytes/s > 1']]) {
    t.match(problemOf({ threshold, abortOn: true }), `: to end it at ${threshold}, write what has to hold, ${instead}`)
  }
  for (const threshold of ['min == 1', 'rate ratio < 1']) t.notMatch(problemOf({ threshold, abortOn: true }), 'what has to hold', threshold)
  t.match(problemOf({ threshold: 'login: p99 < 1', abortOn: true }), /: abortOn watches the whole run only, not a named request, a stage, a scenario or a group$/)
  t.match(problemOf({ threshold: 'server rss < 1GB', abortOn: true }), /: abortOn does not watch the server: it is judged when the run is over$/)
  t.match(problemOf({ threshold: 'checks == 0', abortOn: true }), /: abortOn does not watch checks: use bailout, which counts them$/)
})

t.test('a server is judged by what was seen of it', async t => {
  const figure = (average, max) => ({ average, max })
  const server = { processes: figure(1, 1), cpu: figure(0.8, 1.2), rss: figure(200e6, 290e6), threads: figure(10, 11), files: figure(30, 40), eventLoopUtilization: null, eventLoopDelay: null, heapUsed: null, gc: null }
  const of = (text, more) => judge([parseThreshold(text)], result(more))[0]
  for (const [text, actual, passed] of [['server cpu < 90%', 0.8, true], ['server cpu max < 90%', 1.2, false], ['server rss < 300MB', 290e6, true], ['server rss < 290MB', 290e6, false], ['server rss avg < 201MB', 200e6, true], ['server threads < 12', 11, true], ['server files == 40', 40, true]]) {
    t.match(of(text, { server }), { actual, passed, note: undefined }, text)
  }
  t.match(of('server gc < 5%', { server }), { actual: null, passed: false, note: 'only Node.js programs that --on-port starts report it' })
  t.match(of('server rss < 1GB', { server: { ...server, rss: null } }), { actual: null, passed: false, note: 'this system does not report it, or the run was too short' })
  t.match(of('server rss < 1GB', {}), { actual: null, passed: false, note: 'no server was watched' })
})

/**
 * @param {number[]} latencies ms
 * @returns {Record<string, any>} as a result has it
 */
function latencyOf (latencies) {
  const histogram = new Histogram()
  for (const ms of latencies) histogram.record(ms)
  return { ...histogram.summary(), histogram: histogram.toBase64() }
}

/** @param {Record<string, any>} [changes] */
const result = changes => ({
  duration: 2,
  latency: latencyOf(Array.from({ length: 100 }, (_, i) => (i + 1) / 50)),
  requests: { average: 50, total: 100 },
  throughput: { average: 1e6 },
  failures: 40,
  unexpected: 6,
  errors: 25,
  timeouts: 5,
  non2xx: 10,
  mismatches: 1,
  compared: 100,
  statusCodeStats: { 200: { count: 90 }, 302: { count: 4 }, 503: { count: 6 } },
  interrupted: false,
  checks: [{ name: 'a', passed: 90, failed: 10 }, { name: 'b', request: 'login', passed: 60, failed: 40 }],
  byRequest: {
    login: {
      count: 40,
      latency: latencyOf([0.5, 1, 1.5, 2]),
      statusCodeStats: { 200: { count: 30 }, 302: { count: 4 }, 503: { count: 6 } },
      failures: 20,
      unexpected: 6,
      errors: 10,
      checks: [{ name: 'b', request: 'login', passed: 60, failed: 40 }]
    }
  },
  rate: { ratio: 0.98, sent: 100 },
  ...changes
})

/**
 * @param {string} expression
 * @param {Record<string, any>} [changes]
 */
const judged = (expression, changes) => judge([parseThreshold(expression)], result(changes))[0]

t.test('a percentile that is not in the result is read from its histogram, whatever else stands there', async t => {
  const ramp = latencyOf(Array.from({ length: 1000 }, (_, i) => i + 1))
  for (const changes of [{}, { totalCount: 10 }, { totalCount: 1e6 }, { min: 500 }, { max: undefined }, { max: null }]) {
    t.equal(judged('p99.5 < 1ms', { latency: { ...ramp, ...changes } }).actual, 995.327, JSON.stringify(changes))
  }
  for (const ms of [1.001, 1.005, 2.049, 16.368, 3_599_999.999]) t.equal(judged('p33 > 0ms', { latency: latencyOf([ms]) }).actual, ms)
})

t.test('a threshold has passed when the figure of the result keeps to it', async t => {
  for (const [expression, actual, passed, unit] of [
    ['p50 < 1.01ms', 1, true, 'ms'],
    ['p50 < 1ms', 1, false, 'ms'],
    ['p50 <= 1ms', 1, true, 'ms'],
    ['p50 > 1ms', 1, false, 'ms'],
    ['p50 >= 1ms', 1, true, 'ms'],
    ['p50 == 1ms', 1, true, 'ms'],
    ['p98 <= 1960us', 1.96, true, 'ms'],
    ['avg < 1', 1.01, false, 'ms'],
    ['max <= 2', 2, true, 'ms'],
    ['min < 0.02', 0.02, false, 'ms'],
    ['rps > 49.9', 50, true, 'requests/s'],
    ['bytes/s > 1MB/s', 1e6, false, 'bytes/s'],
    ['requests >= 100', 100, true, 'count'],
    ['failures < 41', 40, true, 'count'],
    ['failures < 32%', 0.32, false, 'share'],
    ['failure rate <= 32%', 0.32, true, 'share'],
    ['errors < 25', 25, false, 'count'],
    ['errors < 25%', 0.2, true, 'share'],
    ['error rate < 20%', 0.2, false, 'share'],
    ['timeouts <= 4%', 0.04, true, 'share'],
    ['timeouts == 5', 5, true, 'count'],
    ['non2xx < 10%', 0.1, false, 'share'],
    ['non2xx <= 10', 10, true, 'count'],
    ['mismatches <= 1%', 0.01, true, 'share'],
    ['checks < 50', 50, false, 'count'],
    ['checks <= 25%', 0.25, true, 'share'],
    ['rate ratio >= 99%', 0.98, false, 'share'],
    ['login: p50 <= 1', 1, true, 'ms'],
    ['login: p60 <= 1', 1.5, false, 'ms'],
    ['login: avg < 1.3', 1.25, true, 'ms'],
    ['login: rps >= 20', 20, true, 'requests/s'],
    ['login: requests == 40', 40, true, 'count'],
    ['login: failures == 20', 20, true, 'count'],
    ['login: failure rate < 40%', 0.4, false, 'share'],
    ['login: errors < 10', 10, false, 'count'],
    ['login: error rate <= 20%', 0.2, true, 'share'],
    ['login: non2xx < 11', 10, true, 'count'],
    ['login: non2xx < 25%', 0.25, false, 'share'],
    ['login: checks == 40', 40, true, 'count'],
    ['login: checks < 40%', 0.4, false, 'share']
  ]) {
    // How certain that is: certainty.test.js.
    const [{ metric, request, note, low, high, exact, ...one }] = settle([judged(expression)], 'exact')
    t.strictSame({ ...one, actual: Math.round(one.actual * 100) / 100 }, { expression, actual, passed, unit }, expression)
    t.strictSame([metric, request], [parseThreshold(expression).metric.name, expression.startsWith('login: ') ? 'login' : undefined], 'it says what it is about')
  }
})

t.test('handshakes are held to their rate, their times and how many resumed a session', async t => {
  const handshakes = { count: 100, perSecond: 50, resumed: 90, latency: latencyOf([1, 2, 3, 4]) }
  for (const [expression, actual, passed, unit] of [
    ['handshakes/s > 49', 50, true, 'handshakes/s'],
    ['handshakes/s >= 51/s', 50, false, 'handshakes/s'],
    ['handshake max < 5ms', 4, true, 'ms'],
    ['handshake p50 < 1.5', 2, false, 'ms'],
    ['handshake avg < 3ms', 2.5, true, 'ms'],
    ['resumed >= 90', 90, true, 'count'],
    ['resumed > 95%', 0.9, false, 'share']
  ]) t.match(settle(judge([parseThreshold(expression)], { ...result(), handshakes }), 'exact'), [{ expression, actual, passed, unit }], expression)
  t.match(problemOf('handshake rps > 5'), /handshake is the time of a TLS handshake: expected a percentile, avg, min or max after it, such as handshake p95, got 'rps'$/)
  t.match(problemOf('handshake active p95 > 5'), /expected a percentile/)
  t.match(problemOf('login: handshake p95 > 5'), /handshake p95 is not counted by request/)
  t.match(problemOf({ threshold: 'handshake p95 < 5', abortOn: true }), /abortOn does not watch handshakes: they are judged when the run is over/)
})

const NOTHING = { count: 0, failures: 0, unexpected: 0, errors: 0, latency: latencyOf([]), statusCodeStats: {}, checks: [{ name: 'expect', request: 'never', passed: 0, failed: 0 }] }

t.test('a metric of which nothing was measured never passes, whatever the operator and the limit', async t => {
  const nothing = {
    latency: latencyOf([]),
    requests: { average: 0, total: 0 },
    throughput: { average: 0 },
    failures: 0,
    unexpected: 0,
    errors: 0,
    timeouts: 0,
    non2xx: 0,
    mismatches: 0,
    compared: 0,
    statusCodeStats: {},
    checks: [],
    rate: { ratio: 0, sent: 0 },
    byRequest: { never: NOTHING }
  }
  const { rate, ...closedLoop } = nothing
  const measured = result()
  const NO_STREAMS = { opened: 0, events: 0, eventsPerSecond: 0, stalls: 0, truncated: 0, firstEvent: latencyOf([]), gap: latencyOf([]), duration: latencyOf([]), firstToken: latencyOf([]), firstReasoning: latencyOf([]), interToken: latencyOf([]), timePerOutputToken: latencyOf([]), tokens: { total: 0, perSecond: 0 } }
  // What is measured beside it says nothing of what is not.
  const rows = [
    ...['p50', 'p99.9', 'avg', 'min', 'max', 'rps', 'bytes/s', 'requests', 'failures', 'errors', 'non2xx', 'timeouts', 'mismatches', 'resent', 'checks', 'passed checks', 'rate ratio'].map(metric => [metric, nothing]),
    ['rate ratio', closedLoop],
    ['rate ratio', { ...measured, rate: undefined }],
    ['mismatches', { ...measured, mismatches: 0, compared: 0 }],
    ['checks', { ...measured, checks: [] }],
    ['checks', { ...measured, checks: undefined }],
    ['non2xx', { ...measured, requests: { average: 0, total: 0 }, non2xx: 0 }],
    ['p95', { ...measured, latency: latencyOf([]) }],
    ...['never: ', 'nobody: ', 'toString: '].flatMap(name => ['p50', 'p99.9', 'avg', 'min', 'max', 'rps', 'requests', 'failures', 'errors', 'non2xx', 'checks'].map(metric => [name + metric, { ...measured, byRequest: { never: NOTHING } }])),
    ['never: errors', nothing],
    ['iterations/s', nothing],
    ...['handshakes/s', 'handshake p99', 'handshake avg', 'resumed'].flatMap(metric => [[metric, measured], [metric, { ...nothing, handshakes: { count: 0, resumed: 0, latency: latencyOf([]) } }]]),
    ...['events', 'events/s', 'stalls', 'truncated streams', 'first event p99', 'gap avg', 'stream duration max', 'first token p99', 'first reasoning p50', 'inter token p99', 'time per output token avg', 'tokens', 'tokens/s'].flatMap(metric => [[metric, measured], [metric, { ...nothing, streams: NO_STREAMS }], [`never: ${metric}`, { ...measured, byRequest: { never: { ...NOTHING, streams: NO_STREAMS } } }]]),
    ...['unmatched', 'late messages', 'ping p99', 'age avg'].flatMap(metric => [[metric, measured], [metric, { ...nothing, websocket: { unmatched: 0, late: 0, received: 0, ping: latencyOf([]), age: latencyOf([]) } }]]),
    ...['started', 'completed', 'aborted', 'waited', 'never started'].map(metric => ['iterations: ' + metric, nothing]),
    ...['rss', 'heap', 'threads', 'files', 'delay'].flatMap(metric => [['server ' + metric, measured], ['server ' + metric, { ...measured, server: {} }]]),
    ...['cpu', 'event loop', 'gc'].map(metric => ['server ' + metric, measured])
  ]
  const utilized = /^server (cpu|event loop|gc)$/
  const shared = /^(?:.*: )?(failures|errors|non2xx|timeouts|mismatches|resent|checks|resumed|stalls|truncated streams|unmatched|late messages)$/
  for (const [metric, of] of rows) {
    for (const operator of Object.keys(OPERATORS)) {
      for (const limit of [...utilized.test(metric) ? ['0%', '100%'] : ['0', '1', '1e9'], ...shared.test(metric) ? ['0%', '100%'] : []]) {
        const [{ actual, passed }] = judge([parseThreshold(`${metric} ${operator} ${limit}`)], of)
        if (actual !== null || passed !== false) t.fail(`${metric} ${operator} ${limit}: ${actual}`)
      }
    }
  }
  t.strictSame([...new Set(rows.map(([metric]) => metric.replace(/^.*: /, '').replace(/^handshake p\d.*/, 'p').replace(/^handshake avg$/, 'avg').replace(/^(first event|gap|stream duration|first token|first reasoning|inter token|time per output token|ping|age) .*/, 'p').replace(/^p\d.*/, 'p')))].sort(),
    ['p', ...METRICS.filter(name => name !== 'generator')].sort(), 'all metrics are in the table, but for the generator, which can not be told then')
})

t.test('a goodput of which a bound had no value in any request was not measured, and did not pass', t => {
  const of = (/** @type {string} */ bounds, /** @type {number} */ good, /** @type {Record<string, any>} */ times) => {
    const streams = { opened: 10, events: 10, eventsPerSecond: 5, stalls: 0, truncated: 0, firstEvent: latencyOf([5]), gap: latencyOf([]), duration: latencyOf([5]), firstToken: latencyOf([5]), firstReasoning: latencyOf([]), interToken: latencyOf([]), timePerOutputToken: latencyOf([]), tokens: { total: 10, perSecond: 5 } }
    return judged(`goodput(${bounds}) > 95%`, { streams: { ...streams, ...times, goodput: [{ expression: bounds, good, requests: 10, share: good / 10 }] } })
  }
  for (const bounds of ['gap p99 < 1ms', 'first event < 1s, gap max < 1ms', 'inter token p99 < 1ms', 'time per output token < 1ms']) {
    t.match(of(bounds, 10, {}), { actual: null, passed: false }, bounds)
  }
  t.match(of('gap p99 < 1ms', 10, { gap: latencyOf([0.5]) }), { actual: 1, passed: true })
  t.match(of('inter token p99 < 1ms', 10, { interToken: latencyOf([0.5]) }), { actual: 1, passed: true })
  t.match(of('first event < 1s', 10, {}), { actual: 1, passed: true })
  t.match(of('gap p99 < 1ms', 0, {}), { actual: 0, passed: false }, 'all of them have failed')
  t.end()
})

t.test('what was measured as 0 is 0', async t => {
  const good = { failures: 0, unexpected: 0, errors: 0, timeouts: 0, non2xx: 0, mismatches: 0, statusCodeStats: { 200: { count: 100 } }, checks: [{ name: 'a', passed: 100, failed: 0 }] }
  for (const metric of ['failures', 'errors', 'timeouts', 'non2xx', 'mismatches', 'checks']) {
    for (const limit of ['== 0', '< 1%']) t.match(judged(`${metric} ${limit}`, good), { actual: 0, passed: true }, metric)
  }
})

t.test('a threshold on errors that passes beside answers other than 2xx says so', async t => {
  const broken = { failures: 90, unexpected: 80, errors: 0, statusCodeStats: { 200: { count: 10 }, 302: { count: 10 }, 500: { count: 80 } }, requests: { average: 50, total: 100 } }
  const note = 'errors are requests without a response: 90 of 100 responses were other than 2xx, which failures counts'
  for (const expression of ['errors == 0', 'errors < 90', 'error rate < 0.1%', 'errors <= 89%']) t.equal(judged(expression, broken).note, note, expression)
  for (const expression of ['errors < 91', 'error rate < 91%', 'errors > 5', 'p99 < 1s', 'timeouts < 6']) t.notOk('note' in judged(expression, broken), `${expression} would pass with them`)
  const moved = { ...broken, unexpected: 0, failures: 0, statusCodeStats: { 301: { count: 100 } } }
  t.match(judged('errors == 0', moved).note, 'were other than 2xx, which non2xx counts')
  t.notOk('note' in judged('errors == 0', { ...broken, statusCodeStats: { 200: { count: 20 }, 404: { count: 80 } }, unexpected: 0 }), 'what was expected is nothing to remark')
  t.match(judged('login: errors < 11'), { passed: true, note: 'errors are requests without a response: 10 of 40 responses were other than 2xx, which failures counts' })
  for (const other of ['failures < 1000', 'non2xx < 1000', 'failure rate < 100%']) {
    t.notOk('note' in judge([parseThreshold('errors == 0'), parseThreshold(other)], result(broken))[0], `${other} looks at them`)
  }
  t.ok('note' in judge([parseThreshold('errors == 0'), parseThreshold('login: failures < 1000')], result(broken))[0])
})

t.test('of a run that bailout ended, what the part that ran kept to can not be told, and what it broke has failed', async t => {
  const bailed = { latency: { totalCount: 1000, p99: 5 }, requests: { total: 1000, average: 100 }, throughput: { average: 1 }, failures: 50, errors: 50, unexpected: 0, statusCodeStats: { 200: { count: 1000 } }, bailedOut: true }
  const [kept, slow, many] = judge(['p99 < 10ms', 'p99 < 1ms', 'failures < 100'].map(parseThreshold), bailed)
  for (const one of [kept, many]) t.match(one, { passed: null, note: 'bailout ended the run, and the rest of it is not known' })
  t.match(slow, { passed: false, actual: 5 })
})

t.test('a percentile of fewer values than it takes says that it is their maximum', async t => {
  const note = 'p99.9 of 100 values is the maximum: it needs 1,000 values'
  const of = (/** @type {string} */ expression, /** @type {object} */ latency) => judge([parseThreshold(expression)], { latency, requests: { total: 100 }, byRequest: { login: { latency, count: 1, statusCodeStats: {} } } })[0]
  const latency = { totalCount: 100, p99: 5, p99_9: 7, p100: 7 }
  t.match(of('p99.9 < 50ms', latency), { actual: 7, passed: true, note })
  t.match(of('p99.9 < 5ms', latency), { actual: 7, passed: false, note })
  t.match(of('login: p99.9 < 5ms', latency), { actual: 7, passed: false, note })
  for (const expression of ['p99 < 50ms', 'p100 < 50ms', 'login: p99 < 50ms']) t.notOk('note' in of(expression, latency), expression)
  t.notOk('note' in of('p99.9 < 50ms', { ...latency, totalCount: 1000 }))
  t.notOk('note' in of('p99.9 < 50ms', { ...latency, totalCount: 0 }), 'nothing was measured')
})

t.test('a gate over answers that are mostly 4xx or 5xx has failed', async t => {
  const of = (/** @type {number} */ unexpected, changes = {}) => judge([parseThreshold('p99 < 1s')], result({ unexpected, errors: 0, ...changes }))
  t.strictSame(of(51)[1], { expression: 'not mostly errors, 4xx or 5xx', actual: 0.51, passed: false, unit: 'share', note: '51 of 100 responses were 4xx or 5xx, which no expect option allows', implied: true })
  t.equal(of(50).length, 1, 'half of them are not most')
  t.equal(judge([], result({ unexpected: 100 })).length, 0, 'who asks for no verdict gets none')
  t.strictSame(of(100, { interrupted: true }).map(({ passed }) => passed), [null])
  t.equal(of(undefined, { '4xx': 30, '5xx': 30, checks: [] }).length, 2, 'a result of another version or tool')
  t.equal(of(undefined, { '4xx': 30, '5xx': 30, checks: [{ name: 'expect', passed: 100, failed: 0 }] }).length, 1, 'which may have expected them')
})

t.test('a gate over requests that mostly fail has failed, whether they had a bad answer or none', async t => {
  const of = (/** @type {number} */ errors, changes = {}, expression = 'p99 < 1s') => judge([expression].flat().map(parseThreshold), result({ errors, unexpected: 0, errorCodes: { ECONNRESET: errors }, ...changes })).slice([expression].flat().length)
  t.strictSame(of(101), [{
    expression: 'not mostly errors, 4xx or 5xx',
    actual: 101 / 201,
    passed: false,
    unit: 'share',
    note: '101 of 201 requests had no response: 101 ECONNRESET (the server reset the connection)',
    implied: true
  }])
  t.strictSame(of(100), [], 'half of them are not most')
  t.match(of(60, { unexpected: 30, errorCodes: { ECONNRESET: 20, AC_TIMEOUT: 40 } }), [{ note: '90 of 160 requests failed: 30 responses were 4xx or 5xx, and 60 had no response: 40 timeouts, 20 ECONNRESET (the server reset the connection)' }])
  t.match(of(60, { unexpected: 51 }), [{ note: '51 of 100 responses were 4xx or 5xx, which no expect option allows' }])
  t.match(of(200, { errorCodes: undefined, timeouts: 150 }), [{ note: '200 of 300 requests had no response: 150 timeouts, 50 others' }], 'autocannon 9')
  for (const expression of ['errors < 500', 'error rate < 90%', 'failures < 500', 'failure rate < 90%']) t.strictSame(of(101, {}, expression), [], `${expression} says how many there may be`)
  for (const expression of ['timeouts < 500', 'non2xx < 500', 'login: errors < 500', 'generator <= saturated']) t.match(of(101, {}, expression), [{ implied: true }], expression)
  t.match(of(500, { unexpected: 51 }, 'error rate < 90%'), [{ implied: true, note: /^51 of 100 responses/ }], 'of the answers it says nothing')
})

t.test('a stage is the same one by its number and by its name, and never another that is called like its number', async t => {
  const stage = { from: 0, to: 1, count: 10, failures: 0, unexpected: 10, errors: 0, statusCodeStats: { 500: { count: 10 } }, latency: { totalCount: 10, p90: 5 } }
  const good = { ...stage, unexpected: 0, statusCodeStats: { 200: { count: 10 } }, latency: { totalCount: 10, p90: 9 } }
  const of = (/** @type {string[]} */ expressions, changes = {}) => judge(expressions.map(parseThreshold), result({ unexpected: 0, errors: 0, byStage: [{ ...stage, name: 'stage2' }, { ...good, name: 'peak' }], ...changes }))
  t.match(of(['stage2: p90 < 10ms', 'stage 2: p90 < 10ms', 'peak: p90 < 10ms', 'Stage peak: p90 < 10ms']).map(({ stage, actual }) => [stage, actual]), [[2, 9], [2, 9], [2, 9], [2, 9]], 'a number first')
  t.match(of(['stage 1: p90 < 10ms', 'stage1: p90 < 11ms']).slice(2), [{ implied: true, stage: 1 }], 'said once')
  t.equal(of(['stage 2: p90 < 10ms', 'stage peak: non2xx <= 10'], { byStage: [good, { ...stage, name: 'peak' }] }).length, 2, 'what may fail is said of the same stage')
  const login = { ...good, latency: { totalCount: 10, p90: 7 } }
  const byRequest = { peak: login }
  t.strictSame(of(['peak: p90 < 8ms', 'stage peak: p90 < 8ms'], { byRequest }).map(({ request, stage, actual }) => [request, stage, actual]), [['peak', undefined, 7], [undefined, 2, 9]])
})

t.test('a gate over a server that fell silent has failed', async t => {
  const silent = { duration: 9, silence: { seconds: 7.123, waiting: 2 } }
  const of = (/** @type {any} */ changes) => judge([parseThreshold('p99 < 1s')], result({ ...silent, ...changes }))
  t.strictSame(of({})[1], { expression: 'responds until the end', actual: 7123, passed: false, unit: 'ms', note: 'No response came in the last 7.1 s of 9 s; 2 requests were waiting', implied: true })
  t.match(of({ url: 'ws://localhost/', websocket: {} })[1].note, /; 2 messages were waiting$/)
  t.equal(of({ silence: { seconds: 7, waiting: 0 } })[1].note, 'No response came in the last 7 s of 9 s')
  t.strictSame(of({ interrupted: true }).map(({ passed }) => passed), [null], 'Ctrl-C judges nothing')
  t.equal(of({ silence: undefined }).length, 1)
  t.equal(judge([], result(silent)).length, 0, 'who asks for no verdict gets none')
})

t.test('a gate over a load that was mostly never sent is not green', async t => {
  const rate = (/** @type {number} */ sent, /** @type {number} */ unsent) => ({ target: 200, achieved: 2.5, ratio: 0.012, sent, late: 4, unsent })
  const stage = (/** @type {number} */ sent, /** @type {number} */ unsent) => ({ from: 0, to: 1, count: sent, errors: 0, latency: {}, statusCodeStats: {}, rate: rate(sent, unsent) })
  const short = { rate: rate(5, 395), byStage: [stage(4, 6), stage(1, 389)] }
  const of = (/** @type {string[]} */ expressions, changes = {}) => judge(expressions.map(parseThreshold), result({ ...short, ...changes })).slice(expressions.length)
  const note = 'only 5 of 400 due requests were sent, so the target load was not tested'
  t.strictSame(of(['errors == 0']), [{ expression: 'most of the load is sent', actual: 0.0125, passed: null, unit: 'share', note, implied: true }])
  t.strictSame(of(['errors == 0'], { rate: rate(200, 200) }), [], 'half of it is enough')
  t.strictSame(of(['errors == 0'], { rate: undefined }), [], 'nothing is due in a closed loop')
  for (const load of ['rate ratio >= 1%', 'rps > 2', 'requests >= 5']) t.strictSame(of(['errors == 0', load]), [], `${load} says how much there has to be`)
  t.strictSame(of(['errors == 0'], { interrupted: true }), [])
  const ofStages = of(['stage 1: errors == 0', 'stage 1: rps > 1', 'stage 2: errors == 0'])
  t.strictSame(ofStages.map(({ expression, stage, passed }) => [expression, stage, passed]), [['stage 2: most of the load is sent', 2, null]])
  t.match(ofStages[0].note, 'only 1 of 390 due requests in stage 2 were sent')
  t.strictSame(of(['login: errors < 5'], { byRequest: { login: { count: 1, errors: 0, latency: {}, statusCodeStats: {} } } }).map(({ note }) => note), [note])
})

t.test('what a threshold tolerates is known from its parsed form: its request, nothing else', async t => {
  const [whole, login, renamed] = ['checks < 5%', 'login: checks < 5%', 'login: failed checks == 1'].map(expression => judged(expression))
  const strip = (/** @type {any} */ { metric, request, ...rest }) => rest
  for (const judgement of [whole, strip(whole)]) {
    for (const check of [{}, { request: 'login' }, { request: 'home' }]) t.equal(tolerates([judgement], check), true)
  }
  for (const judgement of [login, renamed, strip(login), strip(renamed)]) {
    t.strictSame([{}, { request: 'login' }, { request: 'home' }].map(check => tolerates([judgement], check)), [false, true, false])
  }
  for (const expression of ['checks: p99 < 1s', 'failed checks: errors < 5', 'not mostly errors, 4xx or 5xx', 'checks', '', 5]) t.equal(tolerates([{ expression }], {}), false, String(expression))
  t.equal(tolerates([], {}), false)
})

t.test('nothing is judged when the run was interrupted', async t => {
  t.strictSame(judged('p99 < 50ms', { interrupted: true }), { expression: 'p99 < 50ms', metric: 'p99', actual: null, passed: null, unit: 'ms' })
})

t.test('a generator is held to a verdict', async t => {
  const judged = (/** @type {string} */ expression, /** @type {any} */ generator, duration = 10) => judge([parseThreshold(expression)], { generator, duration, interrupted: false, requests: { total: 10 } })
  const healthy = { verdict: 'healthy', cause: null }
  const busy = { verdict: 'busy', cause: 'The load generator used 88 % of its event loop.' }
  const starved = { verdict: 'starved', cause: 'The generator waited 46 % of the time for a core.' }
  const saturated = { verdict: 'saturated', cause: 'The load generator used 99 % of its core.' }
  for (const [expression, passes] of /** @type {const} */ ([
    ['generator == healthy', [true, false, false, false]],
    ['Generator <= Busy', [true, true, false, false]],
    ['generator < starved', [true, true, false, false]],
    ['generator <= saturated', [true, true, true, true]]
  ])) {
    t.strictSame([healthy, busy, starved, saturated].map(generator => judged(expression, generator)[0].passed), passes, expression)
  }
  t.strictSame(judged('generator == healthy', starved), [{ expression: 'generator == healthy', metric: 'generator', actual: 'starved', passed: false, note: 'The generator waited 46 % of the time for a core', unit: 'verdict' }])
  t.strictSame(judged('generator == healthy', healthy), [{ expression: 'generator == healthy', metric: 'generator', actual: 'healthy', passed: true, unit: 'verdict' }])
  for (const older of [undefined, { saturated: true }, { verdict: null, cause: null }]) {
    t.match(judged('generator == healthy', older), [{ actual: null, passed: null, note: /older version/ }], 'what does not say it is not judged')
  }
  t.match(judged('generator <= busy', { verdict: null, cause: null }, 0.4), [{ actual: null, passed: null, note: 'a run of less than half a second is too little to judge the load generator' }])
  t.match(judged('generator <= busy', starved, 0.4), [{ actual: 'starved', passed: false }], 'but for what is known')
  t.match(judge([parseThreshold('generator == healthy')], { generator: starved, interrupted: true }), [{ actual: null, passed: null }])
})

t.test('a wrong verdict, and what is no threshold for one, say what is allowed', async t => {
  t.match(problemOf('generator == fine'), "'generator == fine': expected healthy, busy, starved or saturated after the operator, got 'fine'")
  t.match(problemOf('generator <= 2'), 'expected healthy, busy, starved or saturated after the operator')
  t.match(problemOf('generator >= busy'), 'a generator is held to == or <=, and not to >=: from best to worst there are healthy, busy, starved, saturated')
  t.match(problemOf('login: generator == healthy'), 'generator is not counted by request')
  t.match(problemOf({ threshold: 'generator == healthy', abortOn: true }), 'abortOn does not watch the generator')
})

t.test('a gate on the generator alone is not green for a server that answers only 500', async t => {
  const result = { generator: { verdict: 'healthy', cause: null }, interrupted: false, requests: { total: 10, average: 1 }, errors: 0, failures: 10, unexpected: 10, non2xx: 10, statusCodeStats: { 500: { count: 10 } }, latency: { totalCount: 10, p99: 1 } }
  t.match(judge([parseThreshold('generator == healthy')], result), [{ passed: true }, { passed: false, implied: true, note: '10 of 10 responses were 4xx or 5xx, which no expect option allows' }])
})

t.test('how late responses were read is held to a threshold; without arrival times there is no figure', async t => {
  const clock = { arrival: 1, shared: 0, late: latencyOf([1, 2, 3, 4]) }
  t.match(judge(['read late p50 < 3ms', 'read late max < 4ms', 'read late avg < 3'].map(parseThreshold), { ...result(), clock }), [{ passed: true, actual: 2 }, { passed: false, actual: 4 }, { passed: true, actual: 2.5 }])
  t.match(judge([parseThreshold('read late p99 < 1s')], result()), [{ passed: false, actual: null, note: 'no response has a known arrival: that takes native sockets, which need Linux and are not used for TLS' }])
  t.match(problemOf('read late rps > 5'), /read late is the time between the arrival of a response in the kernel and its read: expected a percentile/)
  t.match(problemOf('login: read late p95 > 5'), /read late p95 is not counted by request/)
  t.match(problemOf({ threshold: 'read late p95 < 5', abortOn: true }), /abortOn does not watch how late responses are read/)
})

t.test('a name that no request has is told with the near ones and those that there are', async t => {
  const named = { login: { count: 1 }, cart: { count: 1 } }
  const noteOf = (name, byRequest) => judgeWhole([parseThreshold(`${name}: p95 < 1s`)], { ...exampleResult({ bad: 0 }), byRequest })[0]
  t.match(noteOf('logn', named), { passed: false, actual: null, note: "no request has this name, did you mean 'login'? There are login, cart", finding: { code: 'unused-name', facts: { near: 'login', names: ['login', 'cart'], more: 0 } } })
  t.equal(noteOf('pay', named).note, 'no request has this name; there are login, cart')
  t.equal(noteOf('pay', { a: { count: 1 } }).note, 'no request has this name; there is a')
  t.equal(noteOf('pay', undefined).note, 'no request has this name, as none was given one')
  t.equal(noteOf('pay', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`n${i}`, { count: 1 }]))).note, 'no request has this name; there are n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 990 more')
  const [soFar] = judgedSoFar({ ...exampleResult({ bad: 0 }), byRequest: named }, [parseThreshold('pay: p95 < 1s')]).thresholds
  t.match(soFar, { passed: null, note: 'nothing was measured yet' }, 'a run that goes on may come to it')
})

t.test('a threshold on a group is about its durations, with an interval', async t => {
  const groups = {
    job: { count: 1000, perSecond: 100, duration: latencyOf(Array.from({ length: 1000 }, (_, i) => 150 + i / 10)) },
    'log in: "a"': { count: 2, perSecond: 1, duration: latencyOf([1, 2]) }
  }
  const changes = { groups, failures: 0, unexpected: 0, errors: 0, non2xx: 0, checks: [] }
  const of = (/** @type {string} */ expression, more = {}) => judge([parseThreshold(expression)], result({ ...changes, ...more }))
  t.match(of('group job: p95 < 1s'), [{ group: 'job', request: undefined, metric: 'p95', passed: true, low: Number, high: Number }])
  t.match(of('group job: avg < 100ms'), [{ group: 'job', actual: 199.95, passed: false }])
  t.match(of('group job: p50 < 200ms'), [{ passed: null, exact: Boolean }])
  t.match(of('Group job: max < 250ms'), [{ group: 'job', passed: true }])
  t.match(of('group log in: "a": p50 > 0.5ms'), [{ group: 'log in: "a"', actual: 1 }])
  t.match(of('group jbo: p95 < 1s'), [{ group: 'jbo', passed: false, actual: null, note: 'no group has this name, did you mean \'job\'? There are job, log in: "a"' }])
  t.match(of('job: p95 < 1s'), [{ request: 'job', passed: false, actual: null, note: "no request has this name, did you mean 'group job'? There is login" }])
  t.match(of('job: p95 < 1s', { byRequest: {} })[0].note, /^no request has this name, did you mean 'group job'\?$/)
  t.equal(of('group job: p95 < 1s', { groups: {} })[0].note, 'no group has this name, as none was completed')
  t.match(of('group job: p95 < 1s', { byRequest: { 'group job': result().byRequest.login } }), [{ request: 'group job', actual: 2 }], 'a request may be called so')
})
