'use strict'

// The report byte by byte: each result here has a file of the same name in test/golden/text. After a change that is meant,
// UPDATE_GOLDEN=1 writes them anew; read the diff.

const t = require('tap')
const { toHtml } = require('../../lib/report/html/page')
const { toMarkdown } = require('../../lib/report/markdown/result')
const { printResult } = require('../../lib/report/text')
const { PERCENTILES, percentileKey } = require('../../lib/record/percentiles')
const results = require('../helpers/results/golden')

/** What decides on colours, given here so that nothing of the surroundings does. */
const plain = /** @type {any} */ ({ isTTY: false })
const colourful = /** @type {any} */ ({ isTTY: true, hasColors: () => true })
for (const name of ['NO_COLOR', 'FORCE_COLOR']) delete process.env[name]

/** @type {(t: { equal: Function, fail: Function }, name: string, text: string) => void} */
const golden = (t, name, text) => results.golden(t, `text/${name}.txt`, text)

/**
 * @param {number[]} values one for each of the percentiles of a result, rising
 * @param {Record<string, number>} more
 */
function distribution (values, more) {
  if (values.length !== PERCENTILES.length) throw new Error(`${PERCENTILES.length} percentiles are needed`)
  return { ...Object.fromEntries(PERCENTILES.map((percentile, i) => [percentileKey(percentile), values[i]])), ...more }
}

//                         0.001  0.01   0.1    1      2.5    10     25     50     75     90     95     97.5   99     99.9   99.99  99.999
const MILLISECONDS = [1.01, 1.02, 1.05, 1.2, 1.3, 1.8, 2.4, 3.2, 4.9, 7.1, 9.3, 12.4, 18.6, 45.2, 99.95, 120.4]
const MICROSECONDS = [0.011, 0.012, 0.013, 0.014, 0.026, 0.041, 0.068, 0.099, 0.0995, 0.12, 0.214, 0.412, 0.999, 1.25, 3.73, 9.995]
const SECONDS = [812.4, 830, 861.2, 902.8, 950.1, 990, 999.6, 1204.4, 2501, 4100.2, 5200, 6100.7, 7400, 9800, 9990, 10000]

/** @param {number[]} values */
const series = values => distribution([...Array(4).fill(values[0]), ...Array(3).fill(values[1]), ...Array(4).fill(values[2]), ...Array(5).fill(values[3])],
  { average: values[4], mean: values[4], stddev: values[5], min: values[6], max: values[7] })

/**
 * A run of ten seconds in which nothing went wrong.
 * @param {Record<string, any>} [changes]
 * @returns {Record<string, any>}
 */
function result (changes = {}) {
  return {
    title: undefined,
    url: 'http://localhost:3000',
    socketPath: undefined,
    connections: 10,
    pipelining: 1,
    workers: undefined,
    sampleInt: 1000,
    samples: 10,
    start: new Date(0),
    finish: new Date(10_050),
    duration: 10.05,
    errors: 0,
    timeouts: 0,
    mismatches: 0,
    resets: 0,
    resent: 0,
    non2xx: 0,
    '1xx': 0,
    '2xx': 251_312,
    '3xx': 0,
    '4xx': 0,
    '5xx': 0,
    statusCodeStats: { 200: { count: 251_312 } },
    errorCodes: {},
    fates: { sent: 251_322, completed: 251_312, timedOut: 0, failed: 0, abandoned: 10 },
    latency: distribution(MILLISECONDS, { average: 3.871, mean: 3.871, stddev: 2.904, min: 1.01, max: 120.4, totalCount: 251_312 }),
    requests: { ...series([20_623, 25_583, 25_900, 26_271, 25_131.2, 1540.94, 20_615, 26_300]), total: 251_312, sent: 251_322 },
    throughput: { ...series([2_289_153, 2_839_713, 2_874_900, 2_916_081, 2_789_563.2, 171_044.34, 2_288_265, 2_919_300]), total: 27_895_632 },
    ...changes
  }
}

/** A result without responses. */
const NOTHING = {
  '2xx': 0,
  statusCodeStats: {},
  fates: { sent: 0, completed: 0, timedOut: 0, failed: 0, abandoned: 0 },
  latency: distribution(Array(16).fill(0), { average: 0, mean: 0, stddev: 0, min: 0, max: 0, totalCount: 0 }),
  requests: { ...series(Array(8).fill(0)), total: 0, sent: 0 },
  throughput: { ...series(Array(8).fill(0)), total: 0 }
}

t.test('a normal run', async t => {
  golden(t, 'normal', printResult(result(), { outputStream: plain }))
})

t.test('says how many reconnects there were where the server closes each connection', async t => {
  const printed = (/** @type {Record<string, any>} */ changes) => printResult(result(changes), { outputStream: plain }).replace(/\s+/g, ' ')
  const connect = (/** @type {number} */ totalCount) => ({ connect: { ...result().latency, totalCount } })
  t.match(printed(connect(251_322)), 'The server closed each connection after one response. There were 251,312 reconnects, which take time of the client and of the server.')
  for (const few of [connect(10), connect(20_000), { ...connect(251_322), options: { reconnectRate: 1 } }]) t.notMatch(printed(few), 'reconnects')
  const timeouts = { ...connect(251_322), fates: { ...result().fates, sent: 502_634, timedOut: 251_312 }, errors: 251_312, timeouts: 251_312, errorCodes: { AC_TIMEOUT: 251_312 } }
  t.notMatch(printed(timeouts), 'reconnects', 'a connection whose request timed out was closed by us')
})

t.test('latencies below a millisecond keep the digits they have', async t => {
  const latency = distribution(MICROSECONDS, { average: 0.117, mean: 0.117, stddev: 0.094, min: 0.011, max: 9.995, totalCount: 251_312 })
  golden(t, 'sub-millisecond', printResult(result({ latency }), { outputStream: plain, renderLatencyTable: true }))
})

t.test('percentiles of too few values are marked, with one note for each table', async t => {
  const few = (/** @type {number} */ totalCount) => ({ ...result().latency, totalCount })
  const printed = printResult(result({ latency: few(70), byRequest: { login: { count: 30, latency: few(30) }, list: { count: 40, latency: few(40) } } }), { outputStream: plain })
  t.match(printed, /│ Latency │ 1.30 ms │ 3.20 ms │ 12.4 ms │ 18.6 ms\* │/)
  t.match(printed, /│ login .* 12.4 ms\* ?│ 18.6 ms\* ?│/)
  t.match(printed, /│ list .* 12.4 ms *│ 18.6 ms\* ?│/)
  t.strictSame(printed.split('\n').filter(line => line.startsWith('*')), ['* p99 of 70 values is the maximum: it needs 100 values.', '* p97.5 and p99 of so few values are the maximum: they need 40 and 100 values.'])
  t.notMatch(printResult(result({ latency: few(100) }), { outputStream: plain }), /\*/)
})

t.test('latencies of seconds are whole milliseconds', async t => {
  golden(t, 'seconds', printResult(result({
    latency: distribution(SECONDS, { average: 1873.92, mean: 1873.92, stddev: 1204.61, min: 812.4, max: 10_000, totalCount: 53 }),
    requests: { ...series([3, 5, 6, 7, 5.27, 1.333, 3, 7]), total: 53, sent: 63 },
    throughput: { ...series([327, 545, 654, 763, 574.43, 145.297, 327, 763]), total: 5777 }
  }), { outputStream: plain }))
})

t.test('non-2xx answers', async t => {
  golden(t, 'non-2xx', printResult(result({
    non2xx: 1312,
    '2xx': 250_000,
    '3xx': 12,
    '4xx': 1000,
    '5xx': 300,
    statusCodeStats: { 200: { count: 249_999 }, 204: { count: 1 }, 301: { count: 12 }, 404: { count: 1000 }, 503: { count: 300 } }
  }), { outputStream: plain, renderStatusCodes: true }))
})

t.test('errors of several codes, the most frequent first', async t => {
  golden(t, 'errors', printResult(result({
    errors: 1207,
    timeouts: 4,
    errorCodes: { AC_TIMEOUT: 4, ECONNREFUSED: 1200, AC_CLOSED: 2, EPIPE: 1 },
    fates: { sent: 251_319, completed: 251_312, timedOut: 4, failed: 3, abandoned: 0 }
  }), { outputStream: plain }))
})

t.test('one of each', async t => {
  golden(t, 'one', printResult(result({
    duration: 1,
    errors: 1,
    timeouts: 1,
    errorCodes: { AC_TIMEOUT: 1 },
    mismatches: 1,
    resets: 1,
    resent: 1,
    non2xx: 1,
    '2xx': 1,
    '5xx': 1,
    samples: 1,
    requests: { ...result().requests, total: 2, sent: 3 },
    throughput: { ...result().throughput, total: 1 }
  }), { outputStream: plain }))
})

t.test('mismatched bodies, resets and requests sent again', async t => {
  golden(t, 'mismatches-and-resets', printResult(result({ mismatches: 1234, resets: 5678, resent: 9000 }), { outputStream: plain, renderResultsTable: false }))
})

t.test('a count that was asked for is exact, and so is a small one; one that a duration made is rounded', async t => {
  const sent = (/** @type {Record<string, any> | undefined} */ options, count = 15_400) =>
    printResult(result({ options, requests: { ...result().requests, sent: count } }), { outputStream: plain, renderResultsTable: false }).trim().split('\n').slice(1).join('\n')
  for (const name of ['amount', 'maxConnectionRequests', 'maxOverallRequests']) {
    t.equal(sent({ [name]: 15_400 }), '15,400 requests in 10.05s, 27.9 MB read', name)
  }
  for (const options of [{ duration: 10 }, {}, undefined]) {
    t.equal(sent(options), '15k requests in 10.05s, 27.9 MB read')
    t.equal(sent(options, 9999), '9,999 requests in 10.05s, 27.9 MB read')
  }
})

t.test('samples of 100 ms', async t => {
  golden(t, 'sample-100', printResult(result({ sampleInt: 100, samples: 1005 }), { outputStream: plain }))
})

t.test('every percentile', async t => {
  golden(t, 'latency-table', printResult(result(), { outputStream: plain, renderLatencyTable: true }))
})

t.test('every status', async t => {
  golden(t, 'status-codes', printResult(result(), { outputStream: plain, renderStatusCodes: true }))
})

t.test('just the summary', async t => {
  golden(t, 'summary', printResult(result(), { outputStream: plain, renderResultsTable: false }))
})

t.test('nothing answered', async t => {
  const nothing = result({ ...NOTHING, duration: 0.012, errors: 10, errorCodes: { ECONNREFUSED: 10 }, samples: 1, url: ['http://a', 'http://b'] })
  const options = { outputStream: plain, renderLatencyTable: true, renderStatusCodes: true }
  golden(t, 'nothing', printResult(nothing, options))
})

t.test('nothing answered and nothing failed', async t => {
  golden(t, 'silence', printResult(result({ ...NOTHING, fates: { sent: 10, completed: 0, timedOut: 0, failed: 0, abandoned: 10 } }), { outputStream: plain }))
})

/** How a generator was that had time to spare. */
const IDLE = { cpu: 0.31, cpuTotal: 0.31, eventLoopUtilization: 0.29, lag: { p50: 0.05, p99: 0.4, max: 2.1 }, gcMs: 12.5, saturated: false }
const BUSY = { ...IDLE, cpu: 0.991, cpuTotal: 1.85, eventLoopUtilization: 0.998, saturated: true }

const STARVED = { ...IDLE, runDelayMs: 4600, blockedMs: 0, stalledMs: 0, verdict: 'starved', cause: 'The generator waited 46 % of the time for a core.' }

/**
 * A run with `rate: 1000` that was held.
 * @param {Record<string, any>} [changes]
 */
const paced = changes => result({
  requests: { ...series([998, 999, 1000, 1001, 999.8, 1.2, 998, 1002]), total: 9998, sent: 10_000 },
  throughput: { ...series([97_804, 97_902, 98_000, 98_098, 97_980, 117.6, 97_804, 98_196]), total: 979_804 },
  latency: distribution(SECONDS, { average: 1873.92, mean: 1873.92, stddev: 1204.61, min: 812.4, max: 10_000, totalCount: 9998 }),
  serviceTime: distribution(MILLISECONDS, { average: 3.871, mean: 3.871, stddev: 2.904, min: 1.01, max: 120.4, totalCount: 9998 }),
  rate: { target: 1000, achieved: 999.8, ratio: 1, sent: 10_000, late: 12, unsent: 0 },
  generator: IDLE,
  unfinished: 2,
  ...changes
})

t.test('a run of which nothing is left says that alone', async t => {
  const none = { ...result({ generator: IDLE }), requests: { ...result().requests, total: 0, sent: 0 }, duration: 0.01, options: { amount: 500, skipFirst: 5 }, skipped: { seconds: 1.27, requests: 500, inFlight: 0 } }
  const said = printResult(none, { outputStream: plain })
  t.equal(said, '\nThe run ended within the first 5 s, which --skip-first excludes: 500 requests are in no figure.\n')
})

t.test('where nothing was answered, nothing is said of latencies that the generator made too high', async t => {
  const none = { ...result({ generator: { ...BUSY, verdict: 'starved', cause: 'The generator waited.' }, errors: 5, errorCodes: { ECONNREFUSED: 5 } }), requests: { ...result().requests, total: 0, sent: 0 }, latency: { ...result().latency, totalCount: 0 } }
  t.notMatch(printResult(none, { outputStream: plain }), 'The generator')
  const timedOut = { ...none, latency: { ...none.latency, totalCount: 2 } }
  t.notMatch(printResult(timedOut, { outputStream: plain }), 'The generator', 'timeouts are no answers either')
})

t.test('without a result, it is said what is missing', async t => {
  for (const given of [undefined, null, 'x']) t.throws(() => printResult(/** @type {any} */ (given)), { code: 'AC_OPTIONS', message: /expected a result, got / })
})

t.test('with a rate, the service time stands below the latency', async t => {
  golden(t, 'rate', printResult(paced(), { outputStream: plain }))
})

t.test('chosen percentiles are the columns of the latency and the rows of its table', async t => {
  golden(t, 'percentiles', printResult(result({ percentiles: [50, 95, 99.9], generator: IDLE, unfinished: 10 }), { outputStream: plain, renderLatencyTable: true }))
  golden(t, 'percentiles-rate', printResult(paced({ percentiles: [99.999] }), { outputStream: plain, renderLatencyTable: true }))
})

t.test('warnings', async t => {
  const summary = (/** @type {Record<string, any>} */ result, outputStream = plain) => printResult(result, { outputStream, renderResultsTable: false })

  t.test('of a rate that the server did not keep up with', async t => {
    golden(t, 'warnings/server', summary(paced({
      rate: { target: 1000, achieved: 512.345, ratio: 0.512, sent: 5149, late: 5100, unsent: 4901 },
      requests: { ...paced().requests, total: 5139, sent: 5149 },
      unfinished: 4911
    })))
  })

  t.test('of a rate that the generator did not keep up with', async t => {
    golden(t, 'warnings/generator', summary(paced({
      rate: { target: 200_000, achieved: 151_234.5, ratio: 0.756, sent: 1_519_907, late: 1, unsent: 0 },
      requests: { ...paced().requests, total: 1_519_900, sent: 1_519_907 },
      generator: BUSY
    })))
  })

  t.test('of a pace that is not even without an option for that', async t => {
    const paceReason = 'The load was sent in batches, one per ms: an even pace takes a core for itself, and this process may use one.'
    t.match(summary(paced({ rate: { ...paced().rate, pace: 'batched', paceReason } })), `\n${paceReason}\n`)
    t.notMatch(summary(paced({ rate: { ...paced().rate, pace: 'batched' } })), /batches/)
  })

  t.test('of requests that had no response', async t => {
    golden(t, 'warnings/unfinished', summary(paced({
      latency: { ...paced().latency, totalCount: 10_100 },
      rate: { target: 1000, achieved: 995, ratio: 0.995, sent: 10_000, late: 50, unsent: 49 },
      unfinished: 150
    })))
  })

  t.test('of a generator that used all of its core', async t => {
    golden(t, 'warnings/saturated', summary(result({ generator: BUSY, unfinished: 10 })))
  })

  t.test('of a generator that other processes left no time', async t => {
    golden(t, 'warnings/starved', summary(result({ generator: { ...BUSY, cpu: 0.524 }, unfinished: 10 })))
  })

  t.test('are coloured where there are colours', async t => {
    golden(t, 'warnings/colours', summary(paced({
      rate: { target: 0.5, achieved: 0.25, ratio: 0.5, sent: 5, late: 1, unsent: 5 },
      requests: { ...paced().requests, total: 4, sent: 5 },
      generator: BUSY,
      unfinished: 6
    }), colourful))
  })

  /** A server with a service time of 5.4 ms, and 2 connections for 1,000 req/s. @param {Record<string, any>} changes */
  const tooFew = changes => paced({
    duration: 10,
    connections: 2,
    pipelining: 1,
    timeouts: 0,
    generator: IDLE,
    serviceTime: { totalCount: 3700, mean: 5.4, min: 4.2 },
    rate: { target: 1000, achieved: 370, ratio: 0.37, sent: 3700, late: 3700, unsent: 6300 },
    ...changes
  })
  const rate = { target: 1000, achieved: 990, ratio: 0.99, sent: 10_000, late: 1, unsent: 0 }
  /** @type {Array<[title: string, result: Record<string, any>, expected: string[]]>} */
  const cases = [
    ['none of requests in flight at the end of a closed loop that are few of many', result({ generator: IDLE, unfinished: 10 }), []],
    ['none of a single one, however few there are', result({ generator: IDLE, requests: { ...result().requests, total: 5, sent: 6 }, latency: { ...result().latency, totalCount: 5 }, unfinished: 1 }), []],
    ['those that are many of few, and from which percentile on that matters', result({ generator: IDLE, requests: { ...result().requests, total: 100, sent: 110 }, latency: { ...result().latency, totalCount: 100 }, unfinished: 10 }),
      ['10 of 110 requests were still in flight when the run ended, as in every closed loop. The latency does not include them. From p90.9 on, true percentiles can be higher than shown.']],
    ['nothing of a closed loop where iterations are due at times', result({ generator: IDLE, requests: { ...result().requests, total: 100, sent: 110 }, latency: { ...result().latency, totalCount: 100 }, unfinished: 10, iterations: { started: 110, completed: 100, cut: 0, cutBy: {}, unfinished: 10, perSecond: 20, target: 20, achieved: 20, due: 110, waited: 0, neverStarted: 0, wait: { totalCount: 0 } } }),
      ['100 iterations completed, 20 iterations/s; 20 of 20 iterations/s started; 10 unfinished', '10 of 110 requests were still in flight when the run ended. The latency does not include them. From p90.9 on, true percentiles can be higher than shown.']],
    ['how old they are when that is in the latency', result({ generator: IDLE, requests: { ...result().requests, total: 1999, sent: 2001 }, latency: { ...result().latency, totalCount: 2001, max: 7000 }, unfinished: 2 }),
      ['2 requests were still in flight when the run ended. They have waited longer than any response took, the oldest 7.00 s. The latency includes this wait. From p99.9 on, true percentiles can be higher than shown.']],
    ['one of many that is old', result({ generator: IDLE, requests: { ...result().requests, total: 9999, sent: 10_001 }, latency: { ...result().latency, totalCount: 10_000, max: 700 }, unfinished: 2 }),
      ['2 requests were still in flight when the run ended. 1 has waited longer than any response took, 700 ms. The latency includes this wait. From p99.98 on, true percentiles can be higher than shown.']],
    ['that the server fell silent, unless a threshold says so', result({ generator: IDLE, duration: 9, silence: { seconds: 7.123, waiting: 1 } }), ['No response came in the last 7.1 s of 9 s; 1 request was waiting.']],
    ['none at 99 % of the rate', paced({ rate }), []],
    ['none when fewer than 1 % were late', paced({ rate: { ...rate, late: 99 } }), []],
    ['that some were late although the rate was reached', paced({ rate: { ...rate, ratio: 1, late: 2853 } }), ['28.5 % of the requests were sent late (2,853 of 10,000): the server held all connections. Latency counts from the time they were due.']],
    ['that some were late because the generator was', paced({ rate: { ...rate, ratio: 1, late: 100 }, generator: STARVED }), ['1 % of the requests were sent late (100 of 10,000): the load generator had a high CPU wait. Latency', STARVED.cause]],
    ['that many were late because the server was, although the load generator had a high CPU wait for a little', paced({ rate: { ...rate, ratio: 1, late: 9000 }, generator: STARVED }), ['90 % of the requests were sent late (9,000 of 10,000): the server held all connections. Latency', STARVED.cause]],
    ['that some were late and what their latency is without the wait', paced({ rate: { ...rate, late: 2853 }, options: { ignoreCoordinatedOmission: true } }), ['28.5 % of the requests were sent late (2,853 of 10,000): the server held all connections. Latency counts from when they were sent, as ignoreCoordinatedOmission wants it.']],
    ['the rate just below', paced({ rate: { ...rate, ratio: 0.989 } }), ['The rate was']],
    ['that connections came late, and the rate from then on', result({ generator: IDLE, connections: 400, connect: { totalCount: 400 }, duration: 3, connecting: { ms: 1504.2, requestsPerSecond: 16_900.4 } }), ['All 400 connections were open after 1.5 s of 3 s; from then on 16,900 req/s.']],
    ['that they came so late that no sample tells', result({ generator: IDLE, connections: 1, connect: { totalCount: 1 }, duration: 1, connecting: { ms: 300, requestsPerSecond: null } }), ['The connection was open after 0.3 s of 1 s, which lowers the request rate.']],
    ['that some never came', result({ generator: IDLE, connections: 40, connect: { totalCount: 30 }, duration: 3, connecting: { ms: 1500, requestsPerSecond: 10 } }), ['The first attempts to connect took 1.5 s of 3 s; from then on 10 req/s.']],
    ['that some were not there at the end', result({ generator: IDLE, connections: 40, connect: { totalCount: 30 }, duration: 3, connecting: { ms: 3000, requestsPerSecond: null } }), ['Only 30 of 40 connections were open when the run ended after 3 s.']],
    ['none of connections that were there soon, that --skip-first leaves out, or that a rate waited for', result({ generator: IDLE, duration: 10, connecting: { ms: 499, requestsPerSecond: 10 } }), []],
    ['none of connections whose time is left out', result({ generator: IDLE, duration: 2, connecting: { ms: 1050, requestsPerSecond: 10 }, skipped: { seconds: 1, requests: 2500, inFlight: 10 } }), ['The first 1 s with 2,500 requests are excluded']],
    ['none of connections that a rate waited for', paced({ duration: 2, connecting: { ms: 1050, requestsPerSecond: null } }), []],
    ['that the start was slower', result({ generator: IDLE, warmingUp: { seconds: 2, requestsPerSecond: result().requests.average * 1.04 } }), ['The first 2 s were slower than the rest: without them the request rate is 4 % higher (26,136 req/s); --skip-first 2s excludes them.']],
    ['that it was slower with a rate, and behind what is left out already', paced({ warmingUp: { seconds: 2, average: paced().latency.average * 0.875 }, skipped: { seconds: 1, requests: 900, inFlight: 10 } }),
      ['The first 1 s with 900 requests are excluded', 'The first 2 s were slower than the rest: without them the mean latency is 12.5 % lower (']],
    ['none when 1 % is unfinished', paced({ rate, unfinished: 100 }), []],
    ['the unfinished just above', paced({ rate, unfinished: 101 }), ['101 requests had no response']],
    ['that there was no connection', paced({ rate: { ...rate, ratio: 0, unsent: 1000 }, connect: { totalCount: 0 } }), ['The rate was 990 of 1,000 req/s: there was no connection.']],
    ['that what was waited is in the latency', paced({ unfinished: 500, latency: { ...paced().latency, totalCount: 9999 } }), ['500 requests had no response when the run ended. 1 of them had waited longer than the mean latency, and the latency includes this wait. From p95.2 on, true percentiles can be higher than shown.']],
    ['that it is not, as with ignoreCoordinatedOmission', paced({ unfinished: 500 }), ['500 requests had no response when the run ended. The latency does not include their wait. From p95.2 on, true percentiles can be higher than shown.']],
    ['that it is not because the generator was late', paced({ unfinished: 500, generator: { ...IDLE, lag: { p50: 1, p99: 2, max: 2000 } } }), ['500 requests had no response when the run ended. The latency does not include their wait: they waited for the load generator, which was late by up to 2.00 s. From p95.2 on, true percentiles can be higher than shown.']],
    ['that it is not when only timeouts are', paced({ unfinished: 500, timeouts: 3, latency: { ...paced().latency, totalCount: 10_001 } }), ['500 requests had no response when the run ended. The latency does not include their wait. From p95.2 on, true percentiles can be higher than shown.']],
    ['that there were too few connections for the rate, and how many it needs', tooFew({}), ['The rate was 370 of 1,000 req/s: too few connections. It needs about 6 (1,000 req/s × 5.40 ms), there were 2: raise -c. 3,700 requests were sent late, 6,300 never.']],
    ['the server, where its service time grew', tooFew({ serviceTime: { totalCount: 3700, mean: 5.4, min: 1 } }), ['The rate was 370 of 1,000 req/s: the server held all connections.']],
    ['the server, where connections were enough at its service time', tooFew({ connections: 6 }), ['The rate was 370 of 1,000 req/s: the server held all connections.']],
    ['the server, where requests timed out', tooFew({ timeouts: 1 }), ['The rate was 370 of 1,000 req/s: the server held all connections.']],
    ['none of a rate that was met but for the wait for its last answers', paced({ rate: { ...rate, ratio: 0.5, late: 0 } }), []],
    ['the core at more than 90 %', result({ generator: { ...BUSY, cpu: 0.91 } }), ['The load generator used 91 % of its core']],
    ['the other processes at 90 %', result({ generator: { ...BUSY, cpu: 0.9 } }), ['The load generator had no time left although it got only 90 % of a core']],
    ['all that there are', paced({ rate: { ...rate, ratio: 0.5 }, unfinished: 5000, generator: BUSY }), ['The rate was', '5,000 requests had no response', 'The load generator used']],
    ['the limit of open files', result({ generator: IDLE, errors: 9, errorCodes: { EMFILE: 9 }, openFileLimit: 1024 }), ['9 errors', 'This process ran out of file descriptors, 1,024 at most (ulimit -n);']],
    ['that there were too many when the limit is not known', result({ generator: IDLE, errors: 9, errorCodes: { EMFILE: 9 }, openFileLimit: null }), ['9 errors', 'This process ran out of file descriptors;']],
    ['that the system has no descriptor', result({ generator: IDLE, errors: 9, errorCodes: { ENFILE: 9 } }), ['9 errors', 'The whole system ran out of file descriptors']],
    ['that there are no ports left', result({ generator: IDLE, errors: 9, errorCodes: { EADDRNOTAVAIL: 9 }, connect: { totalCount: 5 } }), ['9 errors', 'This machine ran out of local ports']],
    ['that there may be none', result({ generator: IDLE, errors: 9, errorCodes: { EADDRNOTAVAIL: 9 }, connect: { totalCount: 0 } }), ['9 errors', 'No local address or port was free']],
    ['that the generator stood still', result({ generator: { ...IDLE, stalledMs: 3012.5 } }), ['The load generator stalled for 3.01 s: it was stopped']],
    ['the cause that the generator has', result({ generator: STARVED }), [STARVED.cause]],
    ['that the load generator had a high CPU wait, where that explains what is missing of the rate', paced({ rate: { ...rate, ratio: 0.6 }, generator: STARVED, duration: 10 }), ['The rate was 990 of 1,000 req/s: the load generator had a high CPU wait.', STARVED.cause]],
    ['that the load generator had a high CPU wait when it had no time left', paced({ rate: { ...rate, ratio: 0.3 }, generator: { ...STARVED, cpu: 0.5 }, duration: 10 }), ['The rate was 990 of 1,000 req/s: the load generator had a high CPU wait.', STARVED.cause]],
    ['the server, where the load generator had a high CPU wait of too little to explain it', paced({ rate: { ...rate, ratio: 0.1 }, generator: STARVED, duration: 10 }), ['The rate was 990 of 1,000 req/s: the server held all connections.', STARVED.cause]],
    ['the cause once, when it is that the generator stood still', result({ generator: { ...IDLE, stalledMs: 3012.5, verdict: 'busy', reason: 'stall', cause: 'The load generator stalled for 3.01 s: it was stopped.' } }), ['The load generator stalled for 3.01 s: it was stopped.']],
    ['none of an older result, which knows no generator', result(), []]
  ]
  for (const [title, given, expected] of cases) {
    t.test(title, async t => {
      // The errors by code are listed with an indent.
      const lines = summary(given).trim().split('\n').slice(2).filter(line => !line.startsWith(' '))
      t.equal(lines.length, expected.length, lines.join('\n'))
      expected.forEach((start, i) => t.ok(lines[i].startsWith(start), lines[i]))
    })
  }
})

/** A check, with the fewest words. */
const check = (/** @type {string} */ name, /** @type {number} */ passed, /** @type {Record<string, number>} */ reasons = {}, /** @type {string} */ request = undefined) =>
  ({ name, ...request && { request }, passed, failed: Object.values(reasons).reduce((a, b) => a + b, 0), reasons, samples: {} })

t.test('checks that passed', async t => {
  golden(t, 'checks/passed', printResult(result({ checks: [check('expect', 251_310), check('check', 2)] }), { outputStream: plain, renderResultsTable: false }))
  golden(t, 'checks/none', printResult(result({ checks: [check('expect', 0)] }), { outputStream: plain, renderResultsTable: false }))
})

t.test('checks that failed, the most frequent reasons first', async t => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`reason ${i}`, 100 - i]))
  const checks = [
    check('expect', 251_000, { 'status 503, expected 200': 1312, 'took more than 50 ms': 1 }, 'login'),
    check('check', 0, { 'sold out': 7 }),
    check('verifyBody', 5)
  ]
  for (const [name, outputStream] of /** @type {Array<[string, any]>} */ ([['checks/failed', plain], ['checks/colours', colourful]])) {
    golden(t, name, printResult(result({ mismatches: 3, checks }), { outputStream, renderResultsTable: false }))
  }
  golden(t, 'checks/one', printResult(result({ checks: [check('expect', 1, { 'another body': 1 })] }), { outputStream: plain, renderResultsTable: false }))
  golden(t, 'checks/many', printResult(result({ checks: [check('expect', 1, many, 'GET /')] }), { outputStream: plain, renderResultsTable: false }))
})

t.test('figures by request', async t => {
  const { latency } = result()
  const request = (/** @type {number} */ count, /** @type {number} */ errors, /** @type {any[]} */ checks = []) => ({ count, failures: errors + checks.reduce((sum, { failed }) => sum + failed, 0), errors, latency, ttfb: latency, statusCodeStats: {}, checks })
  const byRequest = { login: request(125_656, 0), ['GET /a/very/long/path/' + 'x'.repeat(40)]: request(9, 1234) }
  const texts = {
    shown: printResult(result({ byRequest }), { outputStream: plain }),
    hidden: printResult(result({ byRequest }), { outputStream: plain, renderRequestTable: false }),
    summary: printResult(result({ byRequest }), { outputStream: plain, renderResultsTable: false }),
    alone: printResult(result({ byRequest: { login: byRequest.login } }), { outputStream: plain }),
    none: printResult(result({ byRequest: {} }), { outputStream: plain, renderRequestTable: true })
  }
  golden(t, 'by-request', texts.shown)
  golden(t, 'normal', texts.hidden)
  golden(t, 'normal', texts.alone)
  golden(t, 'normal', texts.none)
  t.notMatch(texts.summary, 'login')
  const failing = { login: request(100, 0, [check('expect', 90, { a: 10 }), check('check', 99, { b: 1 })]), buy: request(100, 0) }
  golden(t, 'by-request-checks', printResult(result({ byRequest: failing, percentiles: [50, 99.9] }), { outputStream: plain, renderResultsTable: false, renderRequestTable: true }))
})

t.test('colours', async t => {
  const mixed = result({
    non2xx: 3,
    statusCodeStats: { 101: { count: 1 }, 200: { count: 251_309 }, 302: { count: 1 }, 500: { count: 1 } },
    errors: 2,
    errorCodes: { ECONNRESET: 2 },
    mismatches: 2
  })
  const options = { renderLatencyTable: true, renderStatusCodes: true }
  const coloured = printResult(mixed, { outputStream: colourful, ...options })
  golden(t, 'colours', coloured)
  // eslint-disable-next-line no-control-regex
  t.equal(coloured.replace(/\x1b\[\d+m/g, ''), printResult(mixed, { outputStream: /** @type {any} */ ({ isTTY: true, hasColors: () => false }), ...options }), 'only colours differ')
  golden(t, 'colours-nothing', printResult(result({ ...NOTHING, errors: 1, errorCodes: { ECONNREFUSED: 1 } }), { outputStream: colourful }))
})

t.test('colours are of the stream and of the environment', async t => {
  t.teardown(() => {
    for (const name of ['NO_COLOR', 'FORCE_COLOR']) delete process.env[name]
  })
  const coloured = (/** @type {any} */ outputStream, /** @type {Record<string, string>} */ env) => {
    for (const name of ['NO_COLOR', 'FORCE_COLOR']) delete process.env[name]
    Object.assign(process.env, env)
    return printResult(result(), { outputStream }).includes('\x1b[')
  }
  const noColours = { isTTY: true, hasColors: () => false }
  const unknown = { isTTY: true }
  /** @type {Array<[stream: any, env: Record<string, string>, coloured: boolean]>} */
  const cases = [
    [plain, {}, false],
    [colourful, {}, true],
    [noColours, {}, false],
    [unknown, {}, true],
    [{}, {}, false],
    [colourful, { NO_COLOR: '1' }, false],
    [colourful, { NO_COLOR: '0' }, false],
    [colourful, { NO_COLOR: '' }, true],
    [plain, { FORCE_COLOR: '1' }, true],
    [plain, { FORCE_COLOR: 'true' }, true],
    [noColours, { FORCE_COLOR: '3' }, true],
    [colourful, { FORCE_COLOR: '0' }, false],
    [colourful, { FORCE_COLOR: 'false' }, false],
    [plain, { FORCE_COLOR: '' }, false],
    [plain, { FORCE_COLOR: '1', NO_COLOR: '1' }, false]
  ]
  for (const [stream, env, expected] of cases) t.equal(coloured(stream, env), expected, JSON.stringify([stream, env]))
})

t.test('the report is a function of the result', async t => {
  const given = Object.freeze(result())
  t.equal(printResult(given, { outputStream: plain }), printResult(given, { outputStream: plain }))
  t.equal(printResult(JSON.parse(JSON.stringify(given)), { outputStream: plain }), printResult(given, { outputStream: plain }), 'also of one that was saved')
  t.ok(printResult(given).endsWith(' read\n'), 'options may be left out')
})

t.test('says what to try when nothing answered', async t => {
  const lastLine = (/** @type {Record<string, any>} */ changes) =>
    printResult(result({ ...NOTHING, options: { duration: 10, timeout: 10 }, ...changes }), { outputStream: plain }).trim().split('\n').pop()
  const errors = (/** @type {Record<string, number>} */ errorCodes, /** @type {any} */ url = 'http://a:81/x') => ({ errors: Object.values(errorCodes).reduce((a, b) => a + b), errorCodes, url })
  /** @type {Array<[result: Record<string, any>, line: string]>} */
  const cases = [
    [errors({ ECONNREFUSED: 3 }), 'No response from http://a:81/x: is the server running there?'],
    [errors({ ECONNREFUSED: 3, AC_TIMEOUT: 1 }), 'No response from http://a:81/x: is the server running there?'],
    [{ ...errors({ ENOENT: 3 }), socketPath: '/run/x' }, 'No response from http://a:81/x (/run/x): is the server running there?'],
    [errors({ AC_WS_SIZE: 3 }, 'ws://a'), 'No response from ws://a: a WebSocket message is larger than 16 MiB. Check why the server sends a message of that size.'],
    [errors({ AC_WS_MASKED: 3 }, 'ws://a'), 'No response from ws://a: the server masks its WebSocket frames, which only clients do. The server, or a proxy in front of it, violates WebSocket (RFC 6455): check its library.'],
    [errors({ AC_H2_RESET_CANCEL: 3 }), 'No response from http://a:81/x: the server reset the stream: CANCEL. Check the log of the server, which sent this code.'],
    [errors({ AC_EVENT_SIZE: 3 }), 'No response from http://a:81/x: an event of a stream is larger than 16 MiB. Check that the server ends its events: an empty line in SSE, a line break in NDJSON.'],
    [errors({ ENOTFOUND: 3 }), 'No response from http://a:81/x: is the name of the host right?'],
    [errors({ CERT_HAS_EXPIRED: 3 }, 'https://a'), 'No response from https://a: the certificate of the server has expired (CERT_HAS_EXPIRED). Trust its authority with --ca, or disable verification with -k (--insecure).'],
    [errors({ AC_TLS_ALERT: 3 }), 'No response from http://a:81/x: it expects TLS. Try https://a:81/x'],
    [errors({ AC_TLS_ALERT: 3 }, ['http://a', 'https://b', 'http://c']), 'No response from http://a, https://b, http://c: it expects TLS. Try https://a, https://c'],
    [errors({ AC_CLOSED: 3, ECONNRESET: 1 }), 'No response from http://a:81/x: the server ends connections without a response. If it expects TLS, try https://a:81/x'],
    [errors({ ECONNRESET: 3 }, 'https://a'), 'No response from https://a: the server ends connections without a response. If it does not speak TLS, try http://a'],
    [errors({ ERR_SSL_WRONG_VERSION_NUMBER: 3 }, 'https://a'), 'No response from https://a: it does not speak TLS. Try http://a'],
    [errors({ ERR_SSL_PACKET_LENGTH_TOO_LONG: 3 }, 'https://a'), 'No response from https://a: it does not speak TLS. Try http://a'],
    [errors({ AC_STATUS_LINE: 3 }), 'No response from http://a:81/x: what listens there does not speak HTTP/1.1. If it speaks HTTP/2, add --http2.'],
    [{ ...errors({ AC_H2_HTTP1: 3 }), http: '2' }, 'The server at http://a:81/x speaks HTTP/1, not HTTP/2. Omit --http2, or, if it expects TLS, try https://a:81/x'],
    [{ ...errors({ AC_H2_ALPN: 3 }, 'https://a'), http: '2' }, 'The server at https://a speaks HTTP/1, not HTTP/2. Omit --http2, or use --http auto.'],
    [{ ...errors({ AC_H2_HTTP1: 3 }, 'ws://a'), http: '2', websocket: { refused: {}, closed: {}, unmatched: 0, late: 0, ping: { totalCount: 0 }, age: { totalCount: 0 } } }, 'The server at ws://a speaks HTTP/1, not HTTP/2. Omit --http2.'],
    [{ ...errors({ AC_H2_SILENT: 3 }), http: '2' }, 'No response from http://a:81/x: it takes connections and does not begin HTTP/2. If it speaks HTTP/1.1, omit --http2.'],
    [errors({ AC_TIMEOUT: 3, AC_BEHIND_TIMEOUT: 9 }), 'No response from http://a:81/x: every request timed out after 10 s. If the server needs longer, raise -t (--timeout).'],
    [{ ...errors({ AC_TIMEOUT: 3 }), options: undefined }, 'No response from http://a:81/x: every request timed out. If the server needs longer, raise -t (--timeout).'],
    [{ ...errors({ AC_CONNECT_TIMEOUT: 3 }), options: { timeout: 0.5 } }, 'No response from http://a:81/x: every attempt to connect timed out after 0.5 s. Is the address right, and does a firewall let it through? To wait longer, raise -t (--timeout).'],
    [{ ...errors({ AC_TIMEOUT: 3 }), throughput: { total: 3044 }, groups: {} }, 'No response from http://a:81/x: every request timed out after 10 s. If the server needs longer, raise -t (--timeout). Responses had begun: if they are streams, measure them with http.stream().'],
    [{ errors: 3, timeouts: 3, errorCodes: undefined, options: undefined, url: 'http://a' }, 'No response from http://a: every request timed out. If the server needs longer, raise -t (--timeout).'],
    [{}, 'The run ended before the first response: give it more time with -d (--duration).'],
    [{ options: { amount: 3 } }, 'The run ended before the first response.'],
    [{ throughput: { total: 3044 } }, 'The run ended before the end of the first response, of which 3.04 kB came. For endless streams (text/event-stream) add --stream sse; for long responses, raise -d (--duration).'],
    [{ throughput: { total: 3044 }, options: { amount: 3 } }, 'The run ended before the end of the first response, of which 3.04 kB came. For endless streams (text/event-stream) add --stream sse.'],
    [{ throughput: { total: 3044 }, groups: {} }, 'The run ended before the first response: give it more time with -d (--duration).']
  ]
  for (const [changes, line] of cases) t.equal(lastLine(changes), line)
})

t.test('status codes are shown whenever an answer is not 2xx', async t => {
  const only = (/** @type {string} */ status, /** @type {Record<string, any>} */ changes = {}) => result({
    '2xx': 0, [status[0] + 'xx']: 20, non2xx: 20, statusCodeStats: { [status]: { count: 20 } }, requests: { ...result().requests, total: 20, sent: 20 }, ...changes
  })
  const wide = /** @type {any} */ ({ isTTY: true, columns: 200, hasColors: () => true })
  const shown = (/** @type {Record<string, any>} */ given, /** @type {Record<string, any>} */ options = {}) => printResult(given, { outputStream: wide, ...options })
  t.match(shown(only('404')), '│ \x1b[31m404\x1b[39m  │ 20    │')
  t.match(shown(only('404')), '\x1b[31m0 2xx responses, 20 non 2xx responses\x1b[39m')
  t.match(shown(only('302')), '│ \x1b[33m302\x1b[39m  │ 20    │')
  t.match(shown(only('302')), '\x1b[33m0 2xx responses, 20 non 2xx responses\x1b[39m')
  t.match(shown(only('302')), 'Every response was a redirect, and redirects are not followed: benchmark the address that it leads to, or follow them with --redirects 5.')
  t.notMatch(shown(only('304')), 'redirect')
  t.match(shown(only('400')), 'Every response was 400: the server refuses the request as it is, or expects TLS (try https://localhost:3000).')
  t.match(shown(only('400', { url: 'https://localhost' })), 'Every response was 400 over TLS: the server refuses the request as it is, or requires a client certificate (--cert and --key).')
  const below = (/** @type {string} */ path, changes = {}) => shown(only('404', { url: 'http://localhost:3000/api/', groups: {}, firstFailures: [{ request: `GET ${path}` }], ...changes }))
  t.match(below('/list?a=1'), "Every response was 404, and no request was below /api of the URL: paths of user functions start at the origin, as in http.get('/api/list').")
  t.match(below('/apis'), 'below /api')
  for (const other of [below('/api/list'), below('/api'), below('/list', { url: 'http://localhost:3000' }), below('/list', { groups: undefined }), below('/list', { firstFailures: undefined })]) t.notMatch(other, 'below')
  t.notMatch(shown(result()), '200')
  t.match(shown(result(), { renderStatusCodes: true }), '│ \x1b[32m200\x1b[39m  │')
  t.match(printResult(only('404'), { outputStream: plain, renderResultsTable: false }), '\n0 2xx responses, 20 non 2xx responses\nStatus codes: 20 × 404\n', 'without tables, too')
})

t.test('the first line of a report is the result, also without tables and of a run that was interrupted', async t => {
  const shown = (/** @type {Record<string, any>} */ changes, options = {}) => printResult(result(changes), { outputStream: plain, ...options })
  const line = '25,131 req/s · p50 3.20 ms · p90 7.10 · p95 9.30 · p99 18.6 · p99.9 45.2 · max 120 · 0 failures of 251,312'
  t.ok(shown({}).startsWith(`\n${line}\n\n┌`))
  t.ok(shown({}, { renderResultsTable: false }).startsWith(`\n${line}\n251k requests in`))
  const text = shown({ interrupted: true, duration: 1.312, options: { duration: 10 } })
  t.ok(text.startsWith(`\n${line} · ended after 1.31 s of 10 s\n`))
  t.notMatch(text, /Ended early/)
})

t.test('what the last line of the command says is not in the report above it', async t => {
  const shown = (/** @type {Record<string, any>} */ changes, concluded = true) => printResult(result(changes), { outputStream: plain, concluded })
  const unjudged = { interrupted: true, thresholds: [{ expression: 'p99 < 1s', actual: null, passed: null, unit: 'ms' }] }
  t.match(shown(unjudged, false), 'no threshold was judged')
  t.notMatch(shown(unjudged), 'no threshold was judged')
  const silent = { ...NOTHING, errors: 10, errorCodes: { ECONNREFUSED: 10 } }
  t.match(shown(silent, false), 'No response from http://localhost:3000: is the server running there?')
  t.notMatch(shown(silent), 'No response')
  const unsure = { expression: 'p99 < 9ms', metric: 'p99', actual: 8.9, passed: null, unit: 'ms', note: 'about 20 s more would decide' }
  const failed = { expression: 'p50 < 1ms', metric: 'p50', actual: 3, passed: false, unit: 'ms', note: 'latencies are too high' }
  t.match(shown({ thresholds: [unsure, failed] }, false), '\np99 < 9ms: about 20 s more would decide.\np50 < 1ms: latencies are too high.\n')
  const text = shown({ thresholds: [unsure, failed] })
  t.notMatch(text, 'about 20 s', 'the last line has the reason')
  t.match(text, 'p50 < 1ms: latencies are too high.', 'of a failure it has the figure alone')
  t.match(shown({ thresholds: [1, 2, 3, 4].map(n => ({ ...unsure, note: `reason ${n}` })) }), /│\n└[^\n]*\np99 < 9ms: reason 4\.\n$/, 'nor has it more than three')
  const until = { expression: 'p99 ±2%', metric: 'p99', unit: 'ms', target: 0.02, reached: false, value: null, low: null, high: null, width: null, after: 3 }
  t.match(shown({ until }, false), 'p99 ±2% is inconclusive')
  t.notMatch(shown({ until }), 'p99 ±2%')
})

t.test('Markdown and the page have the reason of an inconclusive threshold once, in the headline', async t => {
  const unsure = { expression: 'p99 < 9ms', metric: 'p99', actual: 8.9, passed: null, unit: 'ms', note: 'about 20 s more would decide' }
  const one = result({ thresholds: [unsure, { ...unsure, expression: 'p50 < 1s', actual: 3, passed: true, note: 'a note of one that passed' }] })
  for (const [text, headline] of [[toMarkdown(one), /^### .*about 20 s more/], [toHtml(one), /<h1[^>]*>.*about 20 s more/]]) {
    t.match(text, headline)
    t.equal(text.replace(/<title>.*<\/title>/, '').split('about 20 s more').length, 2)
    t.match(text, 'a note of one that passed')
  }
})

t.test('a result of autocannon 9 is shown with what it has', async t => {
  const old = require('../fixtures/results/autocannon-9.json')
  golden(t, 'autocannon-9', printResult(old, { outputStream: plain, renderLatencyTable: true, renderStatusCodes: true }))
  const silent = { ...old, errors: 20, timeouts: 5, non2xx: 0, '2xx': 0, statusCodeStats: {}, requests: { ...old.requests, total: 0 } }
  golden(t, 'autocannon-9-nothing', printResult(silent, { outputStream: plain }))
  // It says no more than this of a run without a single answer.
  const bare = { ...old, statusCodeStats: undefined, non2xx: 0, url: undefined, socketPath: '/run/x' }
  t.match(printResult(bare, { outputStream: plain, renderStatusCodes: true }), '1,758 requests in 3.02s')
})

t.test('a missing figure is no 0', async t => {
  const { latency } = result()
  const without = { ...latency, totalCount: 0 }
  const text = printResult(result({ latency: without, byRequest: { a: { count: 3, errors: 0, latency: without, checks: [] }, b: { count: 3, errors: 0, latency } } }), { outputStream: plain, renderLatencyTable: true })
  t.match(text, /│ Latency │ – +│ – +│ – +│ – +│ – +│ – +│ – +│/)
  t.notMatch(text, 'Percentile')
})
