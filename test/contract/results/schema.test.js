'use strict'

// docs/result.schema.json describes what comes out, and nothing else.

const t = require('tap')
const Ajv = require('ajv/dist/2020').default
const addFormats = require('ajv-formats').default
const autocannon = require('../../..')
const schema = require('../../../docs/result.schema.json')
const { cli } = require('../../helpers/processes/cli')
const { WITH_WORKERS } = require('../modes')
const { serve, closedPort } = require('../../helpers/servers/http-server')
const { exampleResult, exampleIterations, VERDICTS } = require('../../helpers/results/example-result')

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, allowMatchingProperties: true })
addFormats(ajv)
const validate = ajv.compile(schema)

/**
 * @param {{ strictSame: Function }} t
 * @param {object} result
 * @param {string} name
 */
function isValid (t, result, name) {
  validate(JSON.parse(JSON.stringify(result)))
  t.strictSame(validate.errors ?? [], [], name)
}

t.test('a result from the command line', async t => {
  const server = await serve(t)
  const { stdout } = await cli(['--json', '-a', '20', '-c', '2', '-T', 'x', '-H', 'accept: */*', '--percentiles', '50,98', server.url])
  isValid(t, JSON.parse(stdout), '--json')
})

t.test('results of all kinds of runs', async t => {
  const server = await serve(t, (request, response) => {
    if (request.url === '/gone') return request.socket.destroy()
    if (request.url === '/chat') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.end('data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}\n\n')
    }
    response.statusCode = request.url === '/' ? 200 : 404
    response.end('ok')
  })
  const { url } = server
  const raw = await Promise.all([1, 2].map(() => autocannon({ url, amount: 10, connections: 2, skipAggregateResult: true })))
  const results = {
    plain: await autocannon({ url, amount: 10 }),
    rate: await autocannon({ url, duration: 0.3, rate: 100, sampleInt: 20 }),
    ...Object.fromEntries(await Promise.all(WITH_WORKERS.map(async mode => [mode.name, await mode.run({ url: [url, url], duration: 0.3, connections: 4, sampleInt: 100 })]))),
    warmup: await autocannon({ url, amount: 10, warmup: { connections: 1, duration: 0.1 } }),
    errors: await autocannon({ url, amount: 30, requests: [{ path: '/' }, { path: '/no' }, { path: '/gone' }], title: 'mixed', expectBody: 'other' }),
    nothing: await autocannon({ url: `http://127.0.0.1:${await closedPort()}`, duration: 0.2 }),
    until: await autocannon({ url, rate: 200, duration: 0.2, until: 'rps ±50%' }),
    merged: autocannon.aggregateResult(raw),
    stages: await autocannon({ url, connections: 2, stages: ['200ms:100/s', 'hold=100ms:100/s'], sampleInt: 50, thresholds: ['hold: errors < 1'] }),
    users: await autocannon({ url, amount: 30, redirects: 2, retries: 1, scenarios: [{ name: 'a', requests: [{ path: '/' }, { path: '/no', capture: { token: 'json token' } }] }, { name: 'b', requests: [{ path: '/gone' }] }], thresholds: ['scenario a: cut == 0', 'iterations: completed > 99%', 'iterations/s > 1'] }),
    'a rate of iterations': await autocannon({ url, connections: 2, rate: '50 iterations/s', duration: 0.2 }),
    groups: await autocannon({ url, amount: 10, user: async ({ http, group }) => { await group('a', () => http.get('/')) }, thresholds: ['group a: p95 < 1s', 'group b: max < 1s'] }),
    'streams over time': await autocannon({ url, duration: 0.4, connections: 2, stream: 'chunks', sampleInt: 100 }),
    streams: await autocannon({ url, amount: 10, stream: 'chunks', requests: [{ path: '/', name: 'a' }] }),
    completions: await autocannon({ url: `${url}/chat`, amount: 10, stream: 'openai', thresholds: ['goodput(first token < 1s) > 1%', 'first token p99 < 1s'], requests: [{ name: 'a', body: '{}' }] }),
    'stages of connections': await autocannon({ url, connections: 2, stages: ['200ms:2'] }),
    thresholds: await autocannon({ url, amount: 10, thresholds: ['p99 < 1s', { threshold: 'errors < 1', abortOn: true }], requests: [{ name: 'a', expect: { status: 201 } }] })
  }
  const { plain } = results
  isValid(t, { ...plain, comparison: autocannon.compareResults(results.rate, plain, { failIf: 'p99 +10%' }) }, 'comparison')
  for (const [name, result] of Object.entries(results)) isValid(t, result, name)
})

t.test('a result with thresholds, checks and names', async t => {
  isValid(t, exampleResult(VERDICTS), 'verdicts')
  isValid(t, exampleResult(exampleIterations({ rate: 50 })), 'iterations')
})

t.test('what is missing, unknown or of another type is not valid', async t => {
  const result = JSON.parse(JSON.stringify(exampleResult()))
  t.ok(validate(result))
  for (const key of schema.required) {
    const { [key]: missing, ...rest } = result
    t.notOk(validate(rest), key)
  }
  t.notOk(validate({ ...result, more: 1 }))
  t.notOk(validate({ ...result, latency: { ...result.latency, p99: '5' } }))
  t.notOk(validate({ ...result, series: [{ ...result.series[0], p50: '1' }] }))
})
