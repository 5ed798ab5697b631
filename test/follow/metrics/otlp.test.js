'use strict'

// What a collector gets of a run by OTLP, decoded: its totals are those of the result. Whatever a collector does, the run and its end do not suffer.

const t = require('tap')
const fc = require('fast-check')
const { createServer } = require('node:http')
const { once } = require('node:events')
const { ExponentialHistogramAggregator } = require('@opentelemetry/sdk-metrics/build/src/aggregator')
const hdr = require('hdr-histogram-js')
const { SCALE, exponentialOf } = require('../../../lib/follow/metrics/buckets')
const { openOtlp } = require('../../../lib/follow/metrics/otlp')
const { Histogram } = require('../../../lib/record/histogram')
const { Instance } = require('../../../lib/run/instance')
const { cli } = require('../../helpers/processes/cli')
const { serve } = require('../../helpers/servers/http-server')
const { readFigures } = require('../../helpers/results/metric-figures')

/**
 * @param {import('tap').Test} t
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} [answer]
 * @returns {Promise<{ url: string, got: Array<{ path: string, headers: any, body: any }> }>}
 */
async function collector (t, answer = (request, response) => response.setHeader('content-type', 'application/json').end('{}')) {
  /** @type {Array<{ path: string, headers: any, body: any }>} */
  const got = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part
    got.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) })
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { url: `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/v1/metrics`, got }
}

/** @param {any} value */
const plain = ({ stringValue, intValue, doubleValue }) => String(stringValue ?? intValue ?? doubleValue)

/**
 * @param {any} body ExportMetricsServiceRequest as JSON
 * @returns what it says, under the names that Prometheus has for it
 */
function decode (body) {
  const [{ resource, scopeMetrics: [{ scope, metrics }] }] = body.resourceMetrics
  const suffix = (/** @type {any} */ { unit, sum }) => (/** @type {any} */ ({ s: '_seconds', By: '_bytes' })[unit] ?? '') + (sum?.isMonotonic ? '_total' : '')
  const families = new Map(metrics.map((/** @type {any} */ metric) => {
    const { gauge, sum, exponentialHistogram } = metric
    const { dataPoints } = gauge ?? sum ?? exponentialHistogram
    const name = metric.name.replaceAll('.', '_') + suffix(metric)
    const samples = dataPoints.flatMap((/** @type {any} */ point) => {
      const labels = Object.fromEntries(point.attributes.map((/** @type {any} */ { key, value }) => [key.replaceAll('.', '_'), plain(value)]))
      if (exponentialHistogram === undefined) return [{ name, labels, value: Number(point.asInt ?? point.asDouble) }]
      const counted = point.positive.bucketCounts.reduce((/** @type {number} */ sum, /** @type {any} */ n) => sum + Number(n), Number(point.zeroCount))
      return [{ name: `${name}_count`, labels, value: Number(point.count) }, { name: `${name}_counted`, labels, value: counted }, { name: `${name}_sum`, labels, value: point.sum }]
    })
    return [name, { name, type: '', help: '', samples }]
  }))
  return { families, scope, metrics, resource: Object.fromEntries(resource.attributes.map((/** @type {any} */ { key, value }) => [key, plain(value)])) }
}

let answers = 0
/** @type {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} */
const answer = (request, response) => {
  if (++answers % 7 === 0) response.statusCode = 503
  response.end('hello')
}

t.test('totals are those of the result, over iterations, names, checks and thresholds', async t => {
  const { url: target } = await serve(t, answer)
  const { url, got } = await collector(t)
  /** @type {string[]} */
  const said = []
  const view = await openOtlp({ otlp: url, tag: { commit: 'abc', 'service.name': 'shop' }, version: '1.2.3' }, { say: sentence => said.push(sentence) })
  const instance = new Instance({ url: target, connections: 3, amount: 60, forever: true, requests: [{ method: 'GET', path: '/a', name: 'a' }, { method: 'GET', path: '/b' }], expect: { body: 'hello' }, thresholds: ['p99 < 10s', 'errors < 0'] })
  /** @type {any[]} */
  const results = []
  view.follow(instance)
  instance.on('done', result => { if (results.push(result) === 2) instance.stop() })
  await instance
  await view.end()
  t.strictSame(said, [])
  const { path, body } = /** @type {any} */ (got.at(-1))
  t.equal(path, '/v1/metrics')
  const { families, resource, metrics, scope } = decode(body)
  t.strictSame(readFigures(families), readFigures.of(results))
  t.match(resource, { 'service.name': 'shop', commit: 'abc', 'service.version': '1.2.3', 'service.instance.id': /^[\da-f-]{36}$/ })
  t.strictSame(scope, { name: 'autocannon', version: '1.2.3' })
  for (const metric of metrics) {
    const { aggregationTemporality = 2 } = metric.sum ?? metric.exponentialHistogram ?? {}
    t.equal(aggregationTemporality, 2, `${metric.name} is cumulative`)
  }
  for (const { name, samples } of families.values()) {
    const count = samples.filter((/** @type {any} */ sample) => sample.name === `${name}_count`).map((/** @type {any} */ { value }) => value)
    t.strictSame(samples.filter((/** @type {any} */ sample) => sample.name === `${name}_counted`).map((/** @type {any} */ { value }) => value), count, 'the buckets hold all values')
  }
})

t.test('exponential buckets are those of the SDK for the values of an HdrHistogram', async t => {
  const other = /** @type {any} */ (hdr.build({ lowestDiscernibleValue: 1, highestTrackableValue: 3.6e9, numberOfSignificantValueDigits: 3 }))
  fc.assert(fc.property(fc.array(fc.tuple(fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 3_600_000_000 })), fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 40 }), values => {
    const histogram = new Histogram()
    for (const [us, n] of values) histogram.record(us / 1000, n)
    const max = Math.max(...values.map(([us]) => us))
    const aggregator = new ExponentialHistogramAggregator(1000, true)
    const accumulation = aggregator.createAccumulation([0, 0])
    for (const [us, n] of values) for (let i = 0; i < n; i++) accumulation.record(Math.min(other.highestEquivalentValue(us), max) / 1e6)
    const { scale, positive: { offset, bucketCounts } } = accumulation.toPointValue()
    // The SDK is as fine as its room allows.
    /** @type {Record<number, number>} */
    const expected = {}
    bucketCounts.forEach((/** @type {number} */ n, /** @type {number} */ i) => { if (n > 0) expected[(offset + i) >> (scale - SCALE)] = (expected[(offset + i) >> (scale - SCALE)] ?? 0) + n })
    const ours = exponentialOf(histogram)
    t.strictSame(Object.fromEntries(ours.counts.map((n, i) => [ours.offset + i, n]).filter(([, n]) => n > 0)), expected)
  }), { numRuns: 150, seed: 22 })
})

t.test('a collector that is down, refuses, hangs or lies costs a line and no more than 3 s at the end', async t => {
  const { url: target } = await serve(t, answer)
  const hanging = await collector(t, () => {})
  const refusing = await collector(t, (request, response) => response.writeHead(400).end('no\x1b[2J'))
  const garbage = await collector(t, (request, response) => response.end('<<<'))
  const gone = await collector(t, request => request.socket.destroy())
  for (const [name, url, line] of /** @type {Array<[string, string, RegExp | null]>} */ ([
    ['down', 'http://127.0.0.1:1', /the last metrics did not reach http:\/\/127\.0\.0\.1:1\/v1\/metrics: \S/],
    ['hanging', hanging.url, /the last metrics did not reach \S+: \S/],
    ['refusing', refusing.url, /the last metrics did not reach \S+: \S/],
    ['gone', gone.url, /the last metrics did not reach \S+: \S/],
    ['garbage', garbage.url, null]
  ])) {
    const started = Date.now()
    const { code, stdout, stderr } = await cli(['-a', '20', '-c', '2', '--otlp', url, '--json', target])
    t.equal(code, 0, name)
    t.equal(JSON.parse(stdout).requests.total, 20)
    if (line === null) t.equal(stderr, '', name)
    else t.match(stderr, line, name)
    t.notMatch(stderr, /\x1b|\n\s+at /, name) // eslint-disable-line no-control-regex
    t.ok(stderr.split('\n').length <= 2, 'a line')
    t.ok(Date.now() - started < 30_000)
  }
})

t.test('what is in front of the host is for the collector alone', async t => {
  const { url: target } = await serve(t, answer)
  const { url, got } = await collector(t)
  const { code, stderr } = await cli(['-a', '5', '-c', '1', '--otlp', url.replace('//', '//user:s%40cret@'), '--json', target])
  t.equal(code, 0)
  t.equal(got[0].headers.authorization, `Basic ${Buffer.from('user:s@cret').toString('base64')}`)
  t.equal(stderr, '')
  await cli(['-a', '5', '-c', '1', '--otlp', url.replace('//', '//:s%40cret@'), '--json', target])
  t.equal(got.at(-1).headers.authorization, `Basic ${Buffer.from(':s@cret').toString('base64')}`)
  const down = await cli(['-a', '5', '-c', '1', '--otlp', 'http://127.0.0.1:1/v1/metrics?api_key=s3cret', '--json', target])
  t.match(down.stderr, 'did not reach http://127.0.0.1:1/v1/metrics?api_key=***: ')
  const unencoded = await cli(['--otlp', 'http://u:100%s3cret@h/', target])
  t.equal(unencoded.code, 2)
  t.equal(unencoded.stderr.split('\n')[0], 'autocannon: --otlp: \'http://***@h/\' has a % in its user or password that starts no encoded character: write it as %25')
  for (const given of ['x', 'ftp://u:secret@h', 'http://']) {
    const wrong = await cli(['--otlp', given, target])
    t.equal(wrong.code, 2, given)
    t.match(wrong.stderr, /^autocannon: --otlp: expected the URL of a collector such as http:\/\/localhost:4318, got '.*'\n/)
    t.notMatch(wrong.stderr, 'secret')
  }
})
