'use strict'

// What a scraper gets of a run: text that a strict parser takes, with the totals of the result, for any load and generator.

const t = require('tap')
const fc = require('fast-check')
const hdr = require('hdr-histogram-js')
const http = require('node:http')
const protobuf = require('protobufjs')
const net = require('node:net')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { readFigures } = require('../../helpers/results/metric-figures')
const { BOUNDS, classicOf } = require('../../../lib/follow/metrics/buckets')
const { openListen } = require('../../../lib/follow/metrics/listen')
const { MetricsServer } = require('../../../lib/follow/metrics/server')
const { Histogram } = require('../../../lib/record/histogram')
const { Find, readSearch } = require('../../../lib/experiments/find/find')
const { readGoal } = require('../../../lib/experiments/find/options')
const { Instance } = require('../../../lib/run/instance')
const { noAgents, withAgents } = require('../../helpers/agents/agents')
const { cli, start } = require('../../helpers/processes/cli')
const { parseExposition } = require('../../helpers/results/exposition')
const { HOSTILE } = require('../../helpers/hostile-text')
const { exampleResult } = require('../../helpers/results/example-result')
const { Totals } = require('../../../lib/record/totals')
const { serve } = require('../../helpers/servers/http-server')
const { webSocketServer } = require('../../helpers/servers/websocket-server')

const OPEN = 'application/openmetrics-text; version=1.0.0'

/**
 * @param {string} url
 * @param {string} [accept]
 * @returns {Promise<{ status: number, type: string, text: string }>}
 */
async function scrape (url, accept = '*/*') {
  const response = await fetch(url, { headers: { accept } })
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

/** @param {string} url */
const figuresAt = async url => readFigures(parseExposition((await scrape(url)).text, false))

/**
 * @param {import('tap').Test} t
 * @param {{ metricsLinger?: number, tag?: Record<string, string> }} [options]
 */
async function listening (t, options = {}) {
  /** @type {string[]} */
  const said = []
  const view = await openListen({ metricsListen: { host: '127.0.0.1', port: 0, isLoopback: true }, ...options }, { say: sentence => said.push(sentence) })
  t.teardown(() => view.end())
  return { view, said, url: said[0].replace('metrics are at ', '') }
}

/**
 * Refuses the first handshake, sends a message by itself on each connection, and responds to most messages: to one late, to one not at all, and closes at another.
 * @param {import('tap').Test} t
 */
async function messages (t) {
  let isFirst = true
  const { url } = await webSocketServer(t, (socket, message, _, n) => {
    if (n % 20 === 7) return socket.close(4001)
    if (n % 20 !== 13) setTimeout(() => socket.send(String(message)), n === 2 ? 500 : 0)
  }, {
    verifyClient: (/** @type {unknown} */ _, /** @type {Function} */ done) => {
      done(!isFirst, 503)
      isFirst = false
    }
  }, socket => socket.send(JSON.stringify({ sentAt: Date.now() })))
  return url
}

const EVENT = 'id: 1\ndata: {"choices":[{"delta":{"content":"a"}}]}\n\n'

let answers = 0
/** @type {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} */
const answer = (request, response) => {
  answers++
  if (request.url === '/events') return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${EVENT}${EVENT}`)
  if (request.url === '/completions') return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${EVENT}data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}\n\ndata: [DONE]\n\n`)
  if (answers % 17 === 0) response.statusCode = 503
  if (answers % 101 === 0) return request.socket.destroy()
  response.end('hello')
}

t.test('totals are those of the result', async t => {
  const { url: target } = await serve(t, answer)
  const requests = [{ method: 'GET', path: '/a', name: 'a' }, { method: 'POST', path: '/b', name: 'b "quoted" \\n' }]
  const runs = {
    'a warm-up, names, checks, a rate and thresholds': { amount: 300, rate: 1000, requests, warmup: { connections: 1, duration: 0.2 }, expect: { body: 'hello' }, thresholds: ['p99 < 10s', 'errors < 0'] },
    'workers, and a start that is left out': { workers: 2, duration: 0.8, skipFirst: 0.3, sampleInt: 100 },
    'HTTP by undici': { client: 'undici', amount: 100 },
    ...!noAgents() && { agents: { ...withAgents(), duration: 0.5, sampleInt: 100 } },
    'messages over WebSocket': { url: await messages(t), amount: 60, body: '{"id":{{counter}}}', match: 'json id', timeout: 0.2 },
    'a feed over WebSocket': { url: await messages(t), receive: true, age: 'json sentAt', ping: 0.1, duration: 0.5 },
    'streams that are continued': { url: `${target}/events`, stream: 'sse', streamReconnect: '1ms', amount: 20 },
    'tokens of language models': { url: `${target}/completions`, method: 'POST', body: '{}', stream: 'openai', amount: 20 },
    'a raw result': { amount: 50, skipAggregateResult: true }
  }
  for (const [name, opts] of Object.entries(runs)) {
    const { view, url } = await listening(t)
    const instance = new Instance({ url: target, connections: 4, ...opts })
    view.follow(instance)
    const result = /** @type {any} */ (await instance)
    const figures = await figuresAt(url)
    const expected = /** @type {any} */ (result.requests === undefined ? instance.soFar() : result)
    t.strictSame(figures, readFigures.of([expected]), name)
    const { samples } = /** @type {any} */ (parseExposition((await scrape(url)).text, false).get('http_client_request_duration_seconds'))
    const [{ value: sum }, { value: count }] = samples.slice(-2)
    t.ok(count === 0 || Math.abs(sum / count * 1000 - expected.latency.mean) <= 0.01, 'the mean')
    await view.end()
  }
})

t.test('messages over WebSocket have no status', async t => {
  const { view, url } = await listening(t)
  const server = await webSocketServer(t)
  const instance = new Instance({ url: server.url, requests: [{ name: 'say', body: 'hi' }], amount: 3, connections: 1 })
  view.follow(instance)
  await instance
  const { text } = await scrape(url)
  t.match(text, /^autocannon_responses_total 3$/m)
  t.match(text, /^autocannon_named_responses_total\{request="say"\} 3$/m)
})

t.test('runs that follow each other add up', async t => {
  const { url: target } = await serve(t, answer)
  const { view, url } = await listening(t)
  const instance = new Instance({ url: target, connections: 2, amount: 40, forever: true })
  /** @type {any[]} */
  const results = []
  view.follow(instance)
  instance.on('done', result => { if (results.push(result) === 3) instance.stop() })
  await instance
  const figures = await figuresAt(url)
  t.strictSame(figures, readFigures.of(results))
  t.equal(figures.runs, 3)
})

t.test('two servers that are measured in turn have a label each', async t => {
  const { url: target } = await serve(t, answer)
  const { view, url } = await listening(t)
  /** @type {Record<string, any[]>} */
  const results = { base: [], new: [] }
  for (const [side, run] of /** @type {const} */ ([['base', 1], ['new', 1], ['new', 2], ['base', 2]])) {
    const instance = new Instance({ url: target, connections: 2, amount: 30 })
    view.follow(instance, { side, run })
    results[side].push(await instance)
  }
  const families = parseExposition((await scrape(url)).text, false)
  for (const side of ['base', 'new']) t.strictSame(readFigures(families, { side }), readFigures.of(results[side]), side)
})

t.test('a search for the limit is one run', async t => {
  const { url: target } = await serve(t, answer)
  const { view, url } = await listening(t)
  const instance = new Find({ url: target, from: '400/s', to: '800/s', step: 1, precision: '50%', thresholds: ['p99 < 10s'] }, undefined, undefined, given => {
    const { values, goal, warnings } = readGoal(given)
    return readSearch(values, goal, given, warnings)
  })
  view.follow(instance)
  const result = /** @type {any} */ (await instance)
  t.strictSame(await figuresAt(url), readFigures.of([result]))
})

t.test('while a run goes on, it is told as it stands', async t => {
  const { url: target } = await serve(t, (request, response) => { setTimeout(() => response.end(), 20) })
  const { view, url } = await listening(t)
  t.strictSame(parseExposition((await scrape(url)).text, false).size, 0, 'nothing yet')
  const instance = new Instance({ url: target, connections: 3, duration: 10, sampleInt: 100 })
  view.follow(instance)
  for (let i = 0; i < 4; i++) await once(instance, 'sample')
  const first = parseExposition((await scrape(url)).text, false)
  const value = (/** @type {typeof first} */ families, /** @type {string} */ name) => families.get(name)?.samples[0].value ?? NaN
  t.equal(value(first, 'autocannon_running'), 1)
  t.equal(value(first, 'http_client_open_connections'), 3)
  t.ok(value(first, 'autocannon_sent_total') >= 3)
  for (let i = 0; i < 4; i++) await once(instance, 'sample')
  const second = parseExposition((await scrape(url)).text, false)
  t.ok(value(second, 'autocannon_sent_total') > value(first, 'autocannon_sent_total'))
  instance.stop()
  await instance
  const last = parseExposition((await scrape(url)).text, false)
  t.equal(value(last, 'autocannon_running'), 0)
  t.equal(value(last, 'http_client_active_requests'), 0)
})

t.test('what a watched server does, and what the generator is worth', async t => {
  const { url: target } = await serve(t, answer)
  const idle = spawn('sleep', ['60'])
  t.teardown(() => idle.kill())
  for (const watch of [[idle.pid], undefined]) {
    const { view, url } = await listening(t)
    const instance = new Instance({ url: target, connections: 2, duration: 0.6, sampleInt: 200, watch })
    view.follow(instance)
    const { series, generator } = await instance
    const families = parseExposition((await scrape(url)).text, false)
    const values = Object.fromEntries([...families].filter(([name]) => name.startsWith('autocannon_server_')).map(([name, { samples }]) => [name.replace('autocannon_server_', ''), samples[0].value]))
    const { cpu, rss, processes, threads, files } = series.at(-1).server ?? {}
    t.strictSame(values, watch === undefined ? {} : { cpu, memory_bytes: rss, processes, threads, open_files: files })
    const verdicts = families.get('autocannon_generator_verdict')?.samples.map(({ labels, value }) => [labels.verdict, value])
    t.strictSame(verdicts, ['healthy', 'busy', 'starved', 'saturated'].map(verdict => [verdict, verdict === generator.verdict ? 1 : 0]))
  }
})

t.test('both formats are what their specifications say, whatever stands in labels', async t => {
  const { view, url } = await listening(t, { tag: { 'git.branch': 'a"b\\c', commit: 'é\u{1f600}' } })
  const totals = new Totals()
  const names = ['x', 'y\x00', 'y\\x00', HOSTILE, '"', '\\', '\\n', '\n', '{', '', 'z'.repeat(300), 'z'.repeat(400), '__proto__']
  for (const name of names) {
    totals.instruments.requests.of(name).complete(200)
    totals.instruments.requests.of(name).record(1, 1)
    totals.errorCodes[name] = 1
  }
  const result = { ...exampleResult(), thresholds: names.map(expression => ({ expression, passed: null })), checks: names.map(name => ({ name, request: name, passed: 1, failed: 2 })) }
  view.follow(/** @type {any} */ ({ opts: {}, soFar: () => result, follow: (/** @type {any} */ follower) => follower.sample({ totals, connections: 1, inFlight: 1 }) }))
  const plain = await scrape(url)
  t.equal(plain.type, 'text/plain; version=0.0.4; charset=utf-8')
  const open = await scrape(url, OPEN)
  t.equal(open.type, 'application/openmetrics-text; version=1.0.0; charset=utf-8')
  const [one, other] = [parseExposition(plain.text, false), parseExposition(open.text, true)]
  t.strictSame([...one.keys()].map(name => name.replace(/_total$/, '')), [...other.keys()])
  t.strictSame([...one.values()].flatMap(({ samples }) => samples), [...other.values()].flatMap(({ samples }) => samples), 'the same series in both')
  t.equal([...one.values()][0].samples[0].labels.git_branch, 'a"b\\c')
})

t.test('classic buckets hold what an HdrHistogram says, value by value', async t => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 100_000_000 }), fc.constantFrom(...BOUNDS.map(bound => Math.round(bound * 1e6)))), fc.integer({ min: 1, max: 1000 })), { maxLength: 50 }), values => {
    const histogram = new Histogram()
    const other = hdr.build({ lowestDiscernibleValue: 1, highestTrackableValue: 3.6e9, numberOfSignificantValueDigits: 3 })
    for (const [us, n] of values) histogram.record(us / 1000, n)
    const max = Math.max(...values.map(([us]) => us))
    const expected = BOUNDS.map(bound => values.filter(([us]) => Math.min(/** @type {any} */ (other).highestEquivalentValue(us), max) <= Math.round(bound * 1e6)).reduce((sum, [, n]) => sum + n, 0))
    t.strictSame(classicOf(histogram), expected)
  }), { numRuns: 300, seed: 22 })
})

/** Facts of io/prometheus/client/metrics.proto, with names of ours. */
const METRICS_PROTO = `syntax = "proto2";
message Pair { optional string name = 1; optional string value = 2; }
message Gauge { optional double value = 1; }
message Counter { optional double value = 1; }
message Bucket { optional uint64 cumulative = 1; optional double bound = 2; }
message Span { optional sint32 offset = 1; optional uint32 length = 2; }
message Histogram { optional uint64 count = 1; optional double sum = 2; repeated Bucket bucket = 3; optional sint32 schema = 5; optional double zeroThreshold = 6; optional uint64 zeroCount = 7; repeated Span span = 12; repeated sint64 delta = 13; }
message Metric { repeated Pair label = 1; optional Gauge gauge = 2; optional Counter counter = 3; optional Histogram histogram = 7; }
enum Type { COUNTER = 0; GAUGE = 1; HISTOGRAM = 4; }
message Family { optional string name = 1; optional string help = 2; optional Type type = 3; repeated Metric metric = 4; }`

/** @param {Buffer} bytes @returns {any[]} */
function decoded (bytes) {
  const type = protobuf.parse(METRICS_PROTO).root.lookupType('Family')
  const reader = protobuf.Reader.create(bytes)
  const families = []
  while (reader.pos < reader.len) families.push(type.toObject(type.decodeDelimited(reader), { longs: Number, enums: String, defaults: true }))
  return families
}

const PROTOBUF = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,application/openmetrics-text;q=0.5,text/plain;q=0.4'

t.test('protobuf has what text has, and native histograms', async t => {
  const { url: target } = await serve(t, answer)
  const { view, url } = await listening(t, { tag: { commit: '1a2b' } })
  const instance = new Instance({ url: target, connections: 4, amount: 300, requests: [{ name: 'a "b" ü', path: '/a' }], thresholds: ['p99 < 10s'] })
  view.follow(instance)
  const { latency } = await instance
  const response = await fetch(url, { headers: { accept: PROTOBUF } })
  t.equal(response.headers.get('content-type'), 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited')
  const families = decoded(Buffer.from(await response.arrayBuffer()))
  const written = new Map()
  for (const { name, type, metric } of families) {
    for (const { label, counter, gauge, histogram } of metric) {
      const labels = JSON.stringify(Object.fromEntries(label.map(({ name, value }) => [name, value]).sort()))
      written.set(name + labels, histogram?.count ?? (type === 'COUNTER' ? counter : gauge).value)
    }
  }
  const said = new Map()
  const text = parseExposition((await scrape(url)).text, false)
  for (const [name, { samples }] of text) {
    for (const { name: sample, labels, value } of samples) {
      if (!/_(bucket|sum)$/.test(sample)) said.set(name + JSON.stringify(Object.fromEntries(Object.entries(labels).sort())), value)
    }
  }
  t.strictSame([...written].sort(), [...said].sort(), 'names, labels and values are those of text')
  t.strictSame(families.map(({ name, help }) => [name, help]).sort(), [...text].map(([name, { help }]) => [name, help]).sort())
  const [{ histogram }] = families.find(({ name }) => name === 'http_client_request_duration_seconds').metric
  t.equal(histogram.schema, 3)
  t.strictSame([histogram.count, histogram.zeroCount, histogram.bucket.length, histogram.bucket.at(-1).cumulative], [latency.totalCount, 0, BOUNDS.length, latency.totalCount])
  let [count, cumulative, p99] = [0, 0, 0]
  for (const [i, delta] of histogram.delta.entries()) {
    count += delta
    cumulative += count
    if (p99 === 0 && cumulative >= 0.99 * latency.totalCount) p99 = 2 ** ((histogram.span[0].offset + i) / 8)
  }
  t.equal(cumulative, latency.totalCount)
  t.equal(histogram.delta.length, histogram.span[0].length)
  t.ok(p99 * 1000 >= latency.p99 && p99 * 1000 <= latency.p99 * 2 ** (1 / 8) * 1.001, `${p99} s is the end of the bucket with ${latency.p99} ms`)
})

t.test('who refuses OpenMetrics does not get it', async t => {
  const { url } = await listening(t)
  for (const [accept, isOpen] of [['application/openmetrics-text', true], [`${OPEN};q=0.5,*/*;q=0.1`, true], ['Application/OpenMetrics-Text; q=0.01', true], ['text/plain, application/openmetrics-text;q=1', true],
    [`${OPEN};q=0`, false], ['application/openmetrics-text; q=0.000 , text/plain', false], ['text/plain;q=0', false], ['*/*', false], [`${PROTOBUF},application/vnd.google.protobuf;proto=other`.replace('q=0.6', 'q=0'), true]]) {
    t.equal((await scrape(url, accept)).type.startsWith('application/openmetrics-text'), isOpen, accept)
  }
})

t.test('only /metrics is there, to be read', async t => {
  const { url } = await listening(t)
  t.equal((await scrape(url.replace('/metrics', '/'))).status, 404)
  t.equal((await fetch(url, { method: 'POST' })).status, 405)
  t.equal((await fetch(url, { method: 'HEAD' })).status, 200)
  t.equal((await fetch(`${url}?x`)).status, 200)
})

t.test('many scrapes make one text for each sample, and scrapers that never read do not delay the end', async t => {
  let reads = 0
  const big = 'x'.repeat(5_000_000)
  const ledger = { revision: 1, ended: 0, read: () => { reads++; return [] } }
  let ms = 0
  const server = new MetricsServer(ledger, { write: async () => ({ type: 'text/plain', text: big }) }, { clock: () => ms })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  await Promise.all(Array.from({ length: 10 }, () => scrape(url)))
  t.equal(reads, 1)
  ledger.revision = 2
  await scrape(url)
  t.equal(reads, 1, 'not yet')
  ms = 250
  await scrape(url)
  t.equal(reads, 2)
  const deaf = net.connect(Number(new URL(url).port), '127.0.0.1')
  deaf.on('error', () => {})
  deaf.pause()
  deaf.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(server.server, 'request')
  await server.end(0, new Promise(() => {}))
  deaf.destroy()
  t.pass('it has ended')
})

t.test('a text that takes long to write is written again later', async t => {
  for (const [cost, gap] of [[1, 250], [10, 1000], [70, 5000]]) {
    let [reads, ms] = [0, 0]
    const ledger = { revision: 1, ended: 0, read: () => { reads++; return [] } }
    const server = new MetricsServer(ledger, { write: async () => { ms += cost; return { type: '', text: '' } } }, { clock: () => ms })
    await server.expose(false)
    ledger.revision++
    ms = 250
    await server.expose(false)
    t.equal(reads, 2, 'the first one says nothing of what it costs')
    ledger.revision++
    ms = 250 + gap - 1
    await server.expose(false)
    t.equal(reads, 2)
    ms = 250 + gap
    await server.expose(false)
    t.equal(reads, 3)
    ledger.ended++
    ledger.revision++
    await server.expose(false)
    t.equal(reads, 4, 'the end of a run is told at once')
  }
})

t.test('metrics of this machine alone have no name of others', async t => {
  const { url } = await listening(t)
  const { port } = new URL(url)
  const ask = (/** @type {string} */ host) => new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path: '/metrics', headers: { host } }, response => resolve(response.resume().statusCode)).on('error', reject)
  })
  for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`, `[::1]:${port}`, 'bench.localhost']) t.equal(await ask(host), 200, host)
  for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example', 'a b']) t.not(await ask(host), 200, host)
})

t.test('--metrics-linger stays for one more scrape', async t => {
  const { url: target } = await serve(t, (request, response) => response.end())
  const running = start(['-a', '20', '-c', '2', '--metrics-listen', ':0', '--metrics-linger', '60s', '--json', target])
  await running.says('stderr', 'the metrics stay for 60 s')
  const [, url] = /metrics are at (\S+)/.exec(running.stderr) ?? []
  const families = parseExposition((await scrape(url, OPEN)).text, true)
  const { code, stdout } = await running.ended
  t.equal(code, 0)
  t.strictSame(readFigures(families), readFigures.of([JSON.parse(stdout)]))
  const impatient = start(['-a', '20', '-c', '2', '--metrics-listen', ':0', '--metrics-linger', '60s', '--json', target])
  await impatient.says('stderr', 'the metrics stay for 60 s')
  impatient.kill('SIGINT')
  t.equal((await impatient.ended).code, 0, 'a second signal ends it')
})

t.test('what can not be is told in a line, before any load', async t => {
  const { url: target, requests } = await serve(t, (request, response) => response.end())
  const taken = net.createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = /** @type {net.AddressInfo} */ (taken.address())
  for (const [args, line] of /** @type {Array<[string[], string]>} */ ([
    [['--metrics-listen', `:${port}`], `autocannon: --metrics-listen 127.0.0.1:${port}: that port is in use: give another one, or --metrics-listen :0 for one that is free\n`],
    [['--metrics-listen', 'x'], "autocannon: --metrics-listen: expected a port of this machine such as :9464, or an address and a port such as 0.0.0.0:9464 or [::1]:9464, got 'x'\n"],
    [['--metrics-linger', '5s'], 'autocannon: --metrics-linger: expected --metrics-listen as well, got none: there is nothing to scrape\n'],
    [['--metrics-listen', ':0', '--tag', 'x'], "autocannon: --tag: expected name=value such as commit=1a2b3c, got 'x'\n"],
    [['--metrics-listen', ':0', '--tag', 'a.b=1', '--tag', 'a_b=2'], "autocannon: --tag: expected each name once, got 'a.b' and 'a_b', which are the same in Prometheus\n"],
    [['--metrics-listen', ':0', '--tag', 'a=b\u202ec'], "autocannon: --tag: expected a value of up to 200 characters that can be seen, got 'b\\u202ec'\n"],
    [['--metrics-listen', ':0', '--tag', 'le=1'], "autocannon: --tag: expected a name that no label of the metrics has, got 'le'\n"]
  ])) {
    const { code, stderr } = await cli([...args, '-a', '1', target])
    t.ok(code === 1 || code === 2, args.join(' '))
    t.equal(stderr.replace('Try autocannon --help for more.\n', ''), line)
  }
  t.equal(requests.length, 0)
})
