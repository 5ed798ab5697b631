import autocannon = require('autocannon')

const options: autocannon.Options = {
  url: ['http://localhost:3000', 'http://localhost:3001'],
  connections: 10,
  pipelining: 1,
  duration: '1m30s',
  until: 'p99 ±2%',
  amount: 100,
  sampleInt: 100,
  watch: [1234, '5678'],
  socketPath: '/tmp/socket',
  workers: 2,
  warmup: { connections: 1, duration: 3 },
  method: 'POST',
  timeout: 10,
  title: 'title',
  body: Buffer.from('body'),
  form: { text: { type: 'text', value: 'a' }, file: { type: 'file', path: '/a', options: { filename: 'b' } } },
  headers: { one: '1', many: ['1', '2'] },
  requests: [{
    method: 'GET',
    path: '/',
    headers: { a: 'b' },
    body: 'text',
    setupRequest: (request, context) => ({ ...request, path: `/${context.user}` }),
    onResponse: (status: number, body: string, context: autocannon.Context, headers) => { context.cookie = headers['set-cookie'] }
  }, { setupRequest: '/setup.js', onResponse: '/on-response.js', name: 'login', expect: { status: ['2xx', 304], body: /a/, json: value => value.id === 1 }, check: '/check.js' },
  { name: 'logout', expect: { body: Buffer.from('a') }, onResponse: status => status === 200 ? undefined : new Error('no') }],
  expect: { status: 200, headers: { 'content-type': /json/, 'x-id': 5, etag: true, age: false, vary: [/a/, /b/] }, body: { includes: ['a', 'b'] }, json: { 'user.id': 42, 'roles[0]': /^a/ }, maxBytes: 100, maxMs: 0.5 },
  check: ({ status, headers, body, bytes, size, ms, json, request }, context) => {
    if (status === 404) return `${request.name} ${request.method} ${request.path} ${ms.toFixed()} ${size + bytes.length} ${body.length}`
    return headers.etag === undefined ? new Error('no etag') : json().id === context.id && request.headers.a === 'b'
  },
  byRequest: true,
  har: { log: {} },
  targets: ['GET http://localhost/', new URL('http://localhost/'), { url: '/users', method: 'POST', headers: { a: '1' }, body: Buffer.from('x') }],
  pick: 'random',
  harPauses: true,
  speed: 2,
  idReplacement: true,
  initialContext: { user: 1 },
  setupClient: client => {
    client.setHeaders({ a: 'b' })
    client.setBody('body')
    client.setHeadersAndBody({ a: 'b' }, Buffer.from('body'))
    client.setRequest({ path: '/' })
    client.setRequests([{ path: '/' }])
    client.on('headers', ({ statusCode, headers }) => `${statusCode.toFixed()} ${headers.join()}`)
    client.on('body', body => body.toString('hex'))
    client.on('response', (statusCode, resBytes, responseTime) => statusCode + resBytes + responseTime)
    client.on('reset', () => {})
  },
  verifyBody: body => body.length > 0,
  expectBody: 'text',
  bailout: 1,
  maxConnectionRequests: 1,
  maxOverallRequests: 10,
  rate: 1000,
  pace: 'even',
  stages: ['30s:500/s', { duration: '1m', rate: 500, name: 'peak' }, { duration: 30, connections: 200 }],
  burst: { requests: 100, every: '5s' },
  arrivals: 'poisson',
  seed: 7,
  percentiles: [50, 99.9],
  connectionRate: 0.5,
  overallRate: 10,
  ignoreCoordinatedOmission: true,
  reconnectRate: 1,
  excludeErrorStats: true,
  forever: false,
  servername: 'localhost',
  insecure: true,
  tlsMin: '1.2',
  tlsMax: 1.3,
  ciphers: 'TLS_AES_128_GCM_SHA256',
  alpn: ['http/1.1'],
  tlsSessionReuse: true,
  compressed: true,
  tlsOptions: { ca: 'pem', rejectUnauthorized: true },
  thresholds: ['p99 < 50ms', { threshold: 'errors < 10', abortOn: true }],
  skipAggregateResult: false
}

const instance: autocannon.Instance = autocannon(options, (error, result) => {
  if (error === null && result !== undefined) result.latency.p97_5.toFixed()
  result?.handshakes?.negotiated.map(({ protocol, cipher, count }) => protocol + cipher + count)
  result?.decoded?.bytes.toFixed()
  result?.slowest.map(({ time, name, request, total, status, trace }) => `${time.getTime()} ${name} ${request} ${total.toFixed()} ${status} ${trace?.id}`)
  result?.firstFailures[0]?.error?.startsWith('AC_')
})
instance.on('start', () => {})
instance.on('tick', ({ counter, bytes, length, p99, generator }) => counter + bytes + length + p99 + generator.cpu)
instance.on('response', (client, statusCode, resBytes, responseTime) => { client?.setBody(`${statusCode + resBytes + responseTime}`) })
instance.on('sample', ({ time, length, requests, bytes, non2xx, errors, errorCodes, average, p50, p95, p99, max, cpu, eventLoopUtilization }) =>
  [time, length, requests, bytes, non2xx, errors, errorCodes.EPIPE, average ?? p50 ?? p95 ?? p99 ?? max, cpu, eventLoopUtilization])
instance.on('reqError', error => error.code?.toUpperCase())
instance.on('reqMismatch', body => body.length)
instance.on('error', error => error.message)
instance.on('done', result => autocannon.printResult(result, { renderLatencyTable: true, renderStatusCodes: true, renderRequestTable: true, outputStream: process.stdout }))
instance.stop()
autocannon.track(instance, { renderProgressBar: false, progressBarString: ':percent', renderResultsTable: true, outputStream: process.stderr })

autocannon({ targets: 'targets.txt', connections: 1 })
// @ts-expect-error there is no such option
autocannon({ url: '', connection: 1 })
// @ts-expect-error there is nothing like it to expect
autocannon({ url: '', expect: { statuses: 200 } })
// @ts-expect-error a check says yes or no
autocannon({ url: '', check: () => {} })
// @ts-expect-error with a callback it is no promise
autocannon(options, () => {}).then(() => {})

async function results (): Promise<number> {
  const result = await autocannon({ url: 'localhost:3000' })
  const { title, url, socketPath, connections, pipelining, workers, sampleInt, samples, start, finish, duration, errors, timeouts, mismatches, resets, resent, non2xx, statusCodeStats, errorCodes, fates, latency, requests, throughput, warmup } = result
  const texts: Array<string | string[] | undefined> = [title, url, socketPath, start.toISOString(), finish.toISOString()]
  const numbers: Array<number | undefined> = [connections, pipelining, workers, sampleInt, samples, duration, errors, timeouts, mismatches, resets, resent, non2xx,
    statusCodeStats['200'].count, errorCodes.ECONNREFUSED, fates.sent, fates.completed, fates.timedOut, fates.failed, fates.abandoned,
    result['1xx'], result['2xx'], result['3xx'], result['4xx'], result['5xx'], warmup?.duration,
    latency.totalCount, latency.histogram.length, latency.p12_5, result.serviceTime.p50, result.ttfb.p50, result.connect.p99, result.unfinished, result.silence?.seconds, result.silence?.waiting, result.agents?.[0].share, result.agents?.[0].requests.sent, result.agents?.[0].generator.cpu, result.agents?.[0].skew ?? 0, result.agents?.[0].lost?.missing.requests ?? 0,
    result.rate?.target, result.rate?.achieved, result.rate?.ratio, result.rate?.sent, result.rate?.late, result.rate?.unsent, result.rate?.pace === 'even' ? 1 : 0,
    result.generator.cpu, result.generator.cpuTotal, result.generator.eventLoopUtilization, result.generator.lag.p99, result.generator.gcMs, Number(result.generator.saturated), result.generator.runDelayMs ?? result.generator.blockedMs, Number(result.generator.verdict === 'starved'), result.generator.cause?.length,
    latency.min, latency.max, latency.average, latency.mean, latency.stddev, latency.p0_001, latency.p0_01, latency.p0_1, latency.p1, latency.p2_5,
    latency.p10, latency.p25, latency.p50, latency.p75, latency.p90, latency.p95, latency.p97_5, latency.p99, latency.p99_9, latency.p99_99, latency.p99_999,
    requests.total, requests.sent, throughput.total, result.series[0].requests, result.server?.rss?.max, result.series[0].server?.eventLoopDelayMax ?? 0, result.environment?.cores]
  for (const { name, request, passed, failed, reasons, samples } of [...result.checks, ...result.byRequest.login.checks]) {
    const { status, headers: [[header, value]], body, truncated } = samples[name]
    texts.push(name, request, header, value, body, String(truncated))
    numbers.push(passed, failed, reasons['status 503, expected 200'], status)
  }
  const { count, errors: failures, latency: named, ttfb, statusCodeStats: statuses } = result.byRequest.login
  numbers.push(count, failures, named.p99, ttfb.p50, statuses['200'].count)
  for (const format of ['json', 'csv', 'md', 'html', 'ndjson', 'junit'] as const) texts.push(autocannon.formatResult(result, format, { baseline: [result] }))
  texts.push(autocannon.formatResult(result, 'html', { baseline: result }), String(result.options?.connections))
  // @ts-expect-error there is no such format
  autocannon.formatResult(result, 'pdf')
  return texts.length + numbers.length
}

async function raw (): Promise<autocannon.Result> {
  const results = await Promise.all([autocannon({ url: 'localhost:3000', skipAggregateResult: true })])
  return autocannon.aggregateResult(results, { url: 'localhost', title: 'all', connections: 2, pipelining: 1, sampleInt: 1000, workers: 2, socketPath: '/s' })
}

function problems (result: autocannon.Result): string[] {
  return result.findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)
}

function verdicts (result: autocannon.Result): Array<number | string | boolean | null> {
  const comparison: autocannon.Comparison = autocannon.compareResults(result, [result, result], { failIf: ['p99 +10%'] })
  return [...result.thresholds.flatMap(({ expression, actual, passed, unit, aborted }) => [expression, actual, passed, unit, aborted ?? false]),
    ...comparison.metrics.flatMap(({ metric, unit, base, new: next, difference, low, high, verdict }) => [metric, unit, base, next, difference, low, high, verdict]),
    ...comparison.limits.flatMap(({ passed, needs, indication }) => [passed, needs?.runs ?? null, indication ?? null]), comparison.basis, ...comparison.notes, comparison.confidence, comparison.runs.new, result.interrupted,
    ...Object.values(result.byScenario ?? {}).flatMap(({ started, cut, cutBy, hanging, active }) => [started, cut + hanging, cutBy.AC_TIMEOUT ?? 0, active.p99]), result.iterations?.neverStarted ?? result.byScenario?.a?.due ?? result.byStage?.[0]?.iterations?.waited ?? null, result.redirects ?? result.retries ?? 0]
}

const parsed: autocannon.Options = autocannon.parseArguments(['-c', '1', 'localhost'])
const started: Promise<void>[] = [autocannon.start(['--help']), autocannon.start(parsed), autocannon.start()]
export { verdicts, results, raw, parsed, started }

export const session: autocannon.Options = {
  retries: { times: 3, on: ['5xx', 429, 'AC_CLOSED'], pause: ['10ms', '1s'] },
  requests: [{
    path: '/login',
    retries: 0,
    once: true,
    capture: { token: 'json auth.token', csrf: /value="(\w+)"/, all: response => response.json().all, basket: { from: ({ headers }) => headers.location, default: { items: [] } } }
  }]
}
// @ts-expect-error a function would have to be asked in the middle of a connection that ends
export const noFunction: autocannon.Retries = { times: 1, pause: () => 1 }
