'use strict'

// skipAggregateResult and aggregateResult: several runs, of one machine or many, become one result.

const t = require('tap')
const autocannon = require('../../..')
const { serve } = require('../../helpers/servers/http-server')
const { rawServer, answer } = require('../../helpers/servers/raw-server')
const { conserves } = require('../../helpers/results/conservation')
const { overHttp1, run, whenAllAsk } = require('../modes')

overHttp1(t, 'aggregateResult makes one result of several runs', async (t, mode) => {
  const bytes = answer('hello')
  const toAll = whenAllAsk(6)
  const server = await rawServer(t, (connection, { head }) => toAll(connection, () => connection.send(head.includes('/404') ? bytes.replace('200 OK', '404 No') : bytes)))
  const opts = { url: server.url, skipAggregateResult: true }
  const results = await Promise.all([
    mode.run({ ...opts, amount: 10 }),
    mode.run({ ...opts, amount: 20, expectBody: 'other' }),
    mode.run({ ...opts, amount: 30, requests: [{ path: '/404' }] })
  ])
  const result = autocannon.aggregateResult(results, opts)
  t.equal(result.requests.total, 60)
  t.strictSame(result.statusCodeStats, { 200: { count: 30 }, 404: { count: 30 } })
  t.match(result, { url: server.url, '2xx': 30, '4xx': 30, non2xx: 30, mismatches: 20, errors: 0, resets: 0 })
  t.equal(result.latency.totalCount, 60)
  t.equal(result.throughput.total, 30 * bytes.length + 30 * bytes.length)
  t.equal(+result.start, Math.min(...results.map(({ start }) => +start)), 'it starts with the first')
  t.ok(result.finish >= result.start)
  conserves(t, result)
})

t.test('a run with skipAggregateResult has no figures yet', async t => {
  const { url } = await serve(t)
  const raw = await run({ url, amount: 2, skipAggregateResult: true })
  t.equal(raw.requests, undefined)
  t.equal(raw.latency, undefined)
})

t.test('what one run alone would say is what aggregateResult says of it', async t => {
  const { url } = await serve(t)
  const raw = await run({ url, amount: 200, connections: 3, pipelining: 2, title: 'alone', skipAggregateResult: true })
  const result = autocannon.aggregateResult([raw], { url })
  t.match(result, { title: 'alone', url, connections: 3, pipelining: 2, sampleInt: 1000 })
  t.equal(result.requests.total, 200)
  conserves(t, result)
})

t.test('results may come from another machine, as JSON', async t => {
  const { url } = await serve(t)
  const raws = await Promise.all([run({ url, amount: 30, skipAggregateResult: true }), run({ url, amount: 40, skipAggregateResult: true })])
  const travelled = JSON.parse(JSON.stringify(raws))
  t.strictSame(autocannon.aggregateResult(travelled, { url }), autocannon.aggregateResult(raws, { url }))
})

t.test('the options say what the result says of itself', async t => {
  const { url } = await serve(t)
  const raws = await Promise.all([run({ url, amount: 2, skipAggregateResult: true }), run({ url, amount: 2, skipAggregateResult: true })])
  const opts = { url: 'http://example.test', title: 'all', socketPath: '/socket', connections: 7, pipelining: 3, workers: 9 }
  t.match(autocannon.aggregateResult(raws, opts), opts)
})

t.test('options that can not be what a result says of itself are refused', async t => {
  const { url } = await serve(t)
  const raws = [await run({ url, amount: 1, skipAggregateResult: true })]
  for (const [given, message] of /** @type {Array<[any, string]>} */ ([
    [5, 'aggregateResult expects an object after the results, got 5'],
    ['http://localhost', 'aggregateResult expects an object after the results, got \'http://localhost\''],
    [{ url: 5 }, 'url is 5, expected a text'],
    [{ url: [url, null] }, 'url[1] is null, expected a text'],
    [{ title: 7 }, 'title is 7, expected a text'],
    [{ socketPath: {} }, 'socketPath is an object, expected a text'],
    [{ connections: 'ten' }, 'connections is \'ten\', expected a number of at least 0'],
    [{ pipelining: -1 }, 'pipelining is -1, expected a number of at least 0'],
    [{ workers: NaN }, 'workers is NaN, expected a number of at least 0'],
    [{ percentiles: [50, 101] }, 'percentiles[1] is 101, expected a number above 0 and up to 100'],
    [{ percentiles: 50 }, 'percentiles is 50, expected an array']
  ])) {
    t.throws(() => autocannon.aggregateResult(raws, given), { code: 'AC_OPTIONS', message }, message)
  }
})

t.test('what the options omit comes from the results', async t => {
  const [one, two] = [await serve(t), await serve(t)]
  const raws = await Promise.all([
    run({ url: one.url, title: 'both', connections: 2, pipelining: 4, amount: 8, sampleInt: 500, skipAggregateResult: true }),
    run({ url: two.url, connections: 3, pipelining: 4, amount: 8, sampleInt: 500, skipAggregateResult: true })
  ])
  t.match(autocannon.aggregateResult(raws), { title: 'both', url: [one.url, two.url], connections: 5, pipelining: 4, sampleInt: 500 })
  const [again, more] = await Promise.all([run({ url: one.url, amount: 1, skipAggregateResult: true }), run({ url: one.url, amount: 2, skipAggregateResult: true })])
  for (const none of [undefined, null]) t.match(autocannon.aggregateResult([again, more], none), { url: one.url, connections: 2, '2xx': 3 })
})

t.test('refuses results that can not be added up', async t => {
  const { url } = await serve(t)
  const raw = await run({ url, amount: 1, skipAggregateResult: true })
  const refuses = (/** @type {any} */ results, /** @type {RegExp} */ message) =>
    t.throws(() => autocannon.aggregateResult(results, { url }), { code: 'AC_AGGREGATE', message })
  refuses([], /at least one result/)
  refuses(undefined, /at least one result/)
  refuses([raw, await run({ url, amount: 1 })], /^result 1 .*skipAggregateResult/)
  refuses([raw, { ...raw, format: 'autocannon-raw-99' }], /^result 1 .*autocannon-raw-99/)
  refuses([raw, raw], /^result 1 can't be aggregated: it is the same run as result 0, and every request would count twice\. Give each run once$/)
  refuses([raw, { ...raw, url: null }], /^result 1 can't be aggregated: url is null, expected a text$/)
  refuses([raw, JSON.parse(JSON.stringify({ ...raw, title: 'other' }))], /^result 1 .* the same run as result 0/)
  refuses([raw, await run({ url, amount: 1, sampleInt: 100, skipAggregateResult: true })], /^result 1 .*100 ms.*1000 ms/)
})
