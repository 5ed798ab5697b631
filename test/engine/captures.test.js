'use strict'

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { finish, resets, runOf, says } = require('./helpers/scripted-run')

/** Sends what the context has as the path. */
const echo = (request, context) => ({ ...request, path: `/got-${JSON.stringify(context.token ?? null).replace(/\W/g, '')}` })

/** @param {any} log */
const paths = log => log.sent.map(({ bytes }) => bytes.split(' ')[1])

t.test('a captured value is in the context of the iteration, and in no other iteration', async t => {
  const log = runOf({ duration: 1, amount: 4, requests: [{ path: '/login', capture: { token: { from: 'json token', default: 'none' } } }, { setupRequest: echo }] },
    [says(200, '', '{"token":"abc"}'), says(200), says(200, '', '{}')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/got-abc', '/login', '/got-none'])
  t.strictSame(result.checks.map(({ name, request, passed, failed }) => [name, request, passed, failed]), [['capture token', 'GET /login', 2, 0]])
  conserves(t, result)
})

t.test('a value that is not there fails a check of its own, with the answer as sample, and ends the iteration', async t => {
  const log = runOf({ duration: 1, amount: 4, requests: [{ path: '/login', name: 'login', capture: { token: 'json token', next: 'header location' } }, { path: '/b' }] },
    [says(200, '', '{"token":1}'), says(200, 'Location: /x\r\n', '<a>'), says(200, 'Location: /x\r\n', '{"token":2}')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/login', '/login', '/b'])
  const [token, next] = result.checks
  t.strictSame([token.name, token.request, token.passed, token.failed, token.reasons], ['capture token', 'login', 2, 1, { 'the body is not JSON': 1 }])
  t.equal(token.samples['the body is not JSON'].body, '<a>')
  t.strictSame([next.name, next.passed, next.failed, next.reasons], ['capture next', 2, 1, { 'no header location': 1 }])
  t.equal(result.failures, 2)
  conserves(t, result)
})

t.test('the answer that counts is the one of the last try', async t => {
  const log = runOf({ duration: 1, amount: 4, retries: 2, requests: [{ path: '/login', capture: { token: 'json token' } }, { setupRequest: echo }] },
    [says(503, '', '{"token":"no"}'), resets, says(200, '', '{"token":"yes"}')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/login', '/login', '/got-yes'])
  conserves(t, result)
})

t.test('a try after a redirect is one of what the redirect asked for, and those are counted anew', async t => {
  const log = runOf({ duration: 1, amount: 6, byRequest: true, redirects: 3, retries: { times: 2, pause: 0.05 }, requests: [{ path: '/login', name: 'login', capture: { token: 'json token' } }, { setupRequest: echo }] },
    [says(503), says(302, 'Location: /session?a=1\r\n'), says(503), resets, says(200, '', '{"token":"yes"}')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/login', '/session?a=1', '/session?a=1', '/session?a=1', '/got-yes'])
  t.strictSame([result.retries, result.redirects], [3, 1])
  t.strictSame([result.byRequest.login.count, result.byRequest.login.latency.max], [1, 5])
  conserves(t, result)
})

t.test('requests of scenarios with one each are told apart', async t => {
  const log = runOf({ duration: 1, amount: 2, scenarios: [{ name: 'a', requests: [{ path: '/a', capture: { token: 'body' } }] }, { name: 'b', requests: [{ path: '/b', capture: { token: 'body' } }] }] }, [])
  const result = finish(log)
  t.strictSame(result.checks.map(({ name, request, passed }) => [name, request, passed]).sort(), [['capture token', 'GET /a', 1], ['capture token', 'GET /b', 1]])
  conserves(t, result)
})

t.test('hooks of the answer see what was captured of it, and may change it', async t => {
  const seen = []
  const log = runOf({
    duration: 1,
    amount: 2,
    requests: [{ path: '/login', capture: { token: response => response.json().token }, onResponse: (status, body, context) => { seen.push(context.token); context.token = 'changed' } }, { setupRequest: echo }]
  }, [says(200, '', '{"token":"abc"}')])
  conserves(t, finish(log))
  t.strictSame(seen, ['abc'])
  t.strictSame(paths(log), ['/login', '/got-changed'])
})

t.test('a value cannot reach a prototype', async t => {
  const log = runOf({ duration: 1, amount: 2, requests: [{ path: '/login', capture: { token: 'json a' } }, { setupRequest: (request, context) => ({ ...request, path: `/${context.token.polluted}-${{}.polluted}` }) }] },
    [says(200, '', '{"a":{"__proto__":{"polluted":"yes"}}}')])
  conserves(t, finish(log))
  t.equal({}.polluted, undefined)
  t.equal(paths(log)[1], '/undefined-undefined')
})

t.test('a function that throws ends the run', async t => {
  const log = runOf({ duration: 1, amount: 2, requests: [{ path: '/login', capture: { token: () => { throw new Error('broken') } } }] }, [])
  finish(log)
  t.match(log.generator.failure, { code: 'AC_HOOK', message: 'capture token of request 0 failed: broken' })
  conserves(t, log.result())
})

t.test('of a body without end no more is kept than the longest that is looked at', async t => {
  const { LONGEST_BODY, ResponseReader } = require('../../lib/response/reader')
  const reader = new ResponseReader(/** @type {any} */ ({ hooks: { free: [] }, client: null, judgesBody: false, decoder: null }))
  reader.begin(/** @type {any} */ ({ status: 200, keep () {} }), /** @type {any} */ ({ inspector: { inspects: true, readsBody: true }, onResponse: undefined }), /** @type {any} */ ({}), {}, undefined)
  const part = Buffer.alloc(100_000)
  for (let i = 0; i < 200; i++) {
    reader.add(part, 0, part.length)
    reader.keep()
  }
  t.equal(reader.bodySize, 20_000_000)
  t.equal(reader.copied.reduce((sum, { length }) => sum + length, 0), LONGEST_BODY)
})
