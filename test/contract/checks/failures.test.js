'use strict'

// What counts as a failure, and that no gate is green on a broken server: through the API, and through all outputs of the
// command line.

const t = require('tap')
const path = require('node:path')
const { readFileSync } = require('node:fs')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { serve, closedPort } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { WITH_WORKERS, inAllModes, run } = require('../modes')

/** Answers with the status that the path says; /gone gets none. */
const byPath = (/** @type {any} */ { url, socket }, /** @type {any} */ response) => {
  const [, status, body = 'ok'] = url.split('/')
  if (status === 'gone') return socket.destroy()
  response.writeHead(Number(status) || 200).end(body)
}

/** @param {number} status */
const always = status => (/** @type {any} */ request, /** @type {any} */ response) => response.writeHead(status).end('x')

const SENTENCE = /^\d+ of \d+ responses were 4xx or 5xx, which no expect option allows$/

inAllModes(t, 'failures are the requests that did not get what they should, each once', async (t, mode) => {
  const { url } = await serve(t, byPath)
  const requests = ['/200', '/302', '/404', '/500', '/gone'].map(path => ({ path, name: path }))
  for (const [title, opts, failures, unexpected, byRequest] of [
    ['no answer, 4xx and 5xx', {}, 24, 16, [0, 0, 8, 8, 8]],
    ['but for those that are expected', { expect: { status: [200, 302, 404] } }, 16, 8, [0, 0, 0, 8, 8]],
    ['what is expected and is no 4xx', { expect: { status: 404 } }, 32, 8, [8, 8, 0, 8, 8]],
    ['an allowed one that is wrong otherwise', { expect: { status: [200, 302, 404], body: 'other' } }, 40, 8, [8, 8, 8, 8, 8]],
    ['one that is wrong twice is one', { expect: { status: 200, body: 'other' }, check: mode.hook('checks/check-status.js') }, 40, 16, [8, 8, 8, 8, 8]],
    ['what a check refuses', { check: mode.hook('checks/check-status.js') }, 32, 16, [0, 8, 8, 8, 8]],
    ['another body', { expectBody: 'other' }, 40, 16, [8, 8, 8, 8, 8]],
    ['another body, beside a failed check', { expectBody: 'other', expect: { status: 200 } }, 40, 16, [8, 8, 8, 8, 8]]
  ]) {
    await t.test(title, async t => {
      const result = await mode.run({ url, amount: 40, requests, ...opts })
      t.strictSame([result.failures, result.unexpected], [failures, unexpected])
      t.strictSame(requests.map(({ name }) => result.byRequest[name].failures), byRequest)
      t.equal(result.series.reduce((sum, point) => sum + point.failures, 0), failures, 'as in the series')
      conserves(t, result)
    })
  }
})

inAllModes(t, 'failures and the failure rate are judged, by request too', async (t, mode) => {
  const { url } = await serve(t, byPath)
  const result = await mode.run({
    url,
    amount: 40,
    requests: [{ path: '/200', name: 'good' }, { path: '/200', name: 'fine' }, { path: '/500', name: 'bad' }, { path: '/404', name: 'missing', expect: { status: 404 } }],
    thresholds: ['failures == 10', 'failure rate < 25%', 'failures <= 25%', 'good: failures == 0', 'bad: failure rate == 100%', 'bad: failures < 10', 'missing: failures < 1%', { threshold: 'failure rate < 100%', abortOn: true }]
  })
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, false, true, true, true, false, true, true])
  t.match(result.thresholds[6], { metric: 'failures', request: 'missing', actual: 0, unit: 'share' })
  conserves(t, result)
})

inAllModes(t, 'abortOn ends a run that fails too much', async (t, mode) => {
  const { url } = await serve(t, always(500))
  const result = await mode.run({ url, duration: 60, sampleInt: 50, thresholds: [{ threshold: 'failures < 5', abortOn: true }] })
  t.ok(result.duration < 30)
  t.match(result.thresholds[0], { passed: false, aborted: true })
  conserves(t, result)
})

inAllModes(t, 'a gate on a server that answers only 500 is not green', async (t, mode) => {
  const { url } = await serve(t, always(500))
  const result = await mode.run({ url, amount: 20, thresholds: ['p99 < 60s', 'errors == 0', 'error rate < 0.1%'] })
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, true, true, false])
  t.match(result.thresholds[3], { implied: true, actual: 1, note: SENTENCE })
  t.match(result.thresholds[1].note, /^errors are requests without a response: 20 of 20 responses were other than 2xx, which failures counts$/)
  conserves(t, result)
})

t.test('unless an expect allows what it answers', async t => {
  const { url } = await serve(t, always(404))
  const result = await run({ url, amount: 20, expect: { status: 404 }, thresholds: ['p99 < 60s', 'failures == 0', 'non2xx == 20'] })
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, true, true])
  conserves(t, result)
})

t.test('aggregateResult and compareResults say it, too', async t => {
  const { url } = await serve(t, always(503))
  const { url: good } = await serve(t)
  const raws = await Promise.all([1, 2].map(() => run({ url, amount: 5, skipAggregateResult: true })))
  t.match(autocannon.aggregateResult(raws, { thresholds: 'p99 < 60s' }).thresholds, [{ passed: true }, { implied: true, passed: false, note: '10 of 10 responses were 4xx or 5xx, which no expect option allows' }])
  const [bad, fine] = [await run({ url, amount: 5 }), await run({ url: good, amount: 5 })]
  t.match(autocannon.compareResults(fine, bad).limits, [{ expression: 'new not mostly errors, 4xx or 5xx', passed: false, implied: true, reason: /^new: 5 of 5 responses/ }])
  t.match(autocannon.compareResults(bad, fine).limits, [{ expression: 'base not mostly errors, 4xx or 5xx', passed: false, implied: true, reason: /^base: / }])
  t.strictSame(autocannon.compareResults(fine, await run({ url: good, amount: 5 })).limits, [])
})

t.test('a metric of which nothing was measured does not pass', async t => {
  const { url } = await serve(t)
  const result = await run({
    url,
    amount: 1,
    requests: [{ name: 'first' }, { name: 'never', expect: { status: 200 } }],
    thresholds: ['never: errors < 1', 'never: failures == 0', 'never: requests < 5', 'never: checks < 1', 'checks < 1', 'mismatches < 1', 'first: checks < 1', 'first: errors < 1', 'failures == 0']
  })
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [false, false, false, false, false, false, false, true, true])
})

t.test('every output of a gate that is not green says why, and the exit code is 3', async t => {
  const { url } = await serve(t, always(500))
  const dir = t.testdir({ 'summary.md': '' })
  const file = (/** @type {string} */ name) => path.join(dir, name)
  const gate = ['--threshold', 'p99 < 60s', '--threshold', 'errors == 0']
  const { code, stderr, stdout } = await cli(['-n', '-c', '1', '-a', '20', ...gate, '--github-summary', '-o', file('r.html'), '-o', file('r.md'), '-o', file('r.json'), '--junit', file('r.xml'), url],
    { env: { GITHUB_STEP_SUMMARY: file('summary.md') } })
  t.equal(code, 3, stdout)
  const sentence = '20 of 20 responses were 4xx or 5xx, which no expect option allows'
  const remark = 'errors are requests without a response: 20 of 20 responses were other than 2xx, which failures counts'
  const texts = { terminal: stderr, ...Object.fromEntries(['r.html', 'r.md', 'r.json', 'r.xml', 'summary.md'].map(name => [name, readFileSync(file(name), 'utf8').replace(/&#44;/g, ',')])) }
  for (const [name, text] of Object.entries(texts)) {
    t.ok(text.includes(sentence), `${name} has the sentence`)
    t.ok(text.includes(remark), `${name} has the remark`)
  }
  t.match(texts['r.md'], new RegExp(`^### ❌ ${sentence}`), 'it is the headline')
  t.match(texts['r.html'], `<title>${sentence}</title>`)
  t.match(texts['r.xml'], /failures="[12]"/)
  const merged = await Promise.all([1].map(() => cli(['--raw', '-n', '-c', '1', '-a', '20', '-o', file('raw.json'), url])))
  t.equal(merged[0].code, 0)
  t.equal((await cli(['merge', '--threshold', 'p99 < 60s', file('raw.json')])).code, 3)
  await cli(['-n', '-c', '1', '-a', '20', '-o', file('again.json'), url])
  const compared = await cli(['compare', file('r.json'), file('again.json')])
  t.equal(compared.code, 3)
  t.match(compared.stdout, `✗ new not mostly errors, 4xx or 5xx: new: ${sentence}`)
  t.equal((await cli(['-n', '-c', '1', '-a', '20', '--baseline', file('r.json'), url])).code, 3)
})

t.test('a server that stops answering passes no gate, although a closed loop sends it no more', async t => {
  let n = 0
  const { url } = await serve(t, (request, response) => { if (++n % 1000 < 20) response.end('ok') })
  const measure = (/** @type {any} */ opts) => {
    n = 0
    return run({ url, connections: 2, duration: 2, ...opts })
  }
  const silent = await measure({ thresholds: ['p50 < 60s', 'failures == 0'] })
  t.match(silent.silence, { seconds: Number, waiting: 2 })
  const note = /^No response came in the last [\d.]+ s of [\d.]+ s; 2 requests were waiting$/
  t.match(silent.thresholds, [{ passed: true }, { passed: true }, { expression: 'responds until the end', passed: false, implied: true, note }])
  t.equal(silent.latency.totalCount, silent.requests.total + 2)
  conserves(t, silent)
  for (const mode of WITH_WORKERS) {
    n = 0
    const raw = await mode.run({ url, duration: 2, skipAggregateResult: true })
    t.match(autocannon.aggregateResult([JSON.parse(JSON.stringify(raw))], { thresholds: 'failures == 0' }).thresholds, [{ passed: true }, { implied: true, passed: false }])
  }
  const fine = await run({ url: (await serve(t)).url, amount: 5 })
  t.match(autocannon.compareResults(fine, silent).limits, [{ expression: 'new responds until the end', passed: false, implied: true, reason: /^new: No response came/ }])
  t.match(autocannon.compareResults(silent, fine).limits, [{ expression: 'base responds until the end', passed: false, implied: true }])
  const stopped = autocannon({ url, connections: 2, duration: 60, thresholds: ['failures == 0'] })
  n = 0
  setTimeout(() => stopped.stop(), 1500)
  const interrupted = await stopped
  t.strictSame(interrupted.thresholds.map(({ passed }) => passed), [null])
  const { code, stderr } = await cli(['-n', '-c', '2', '-d', '2', '--threshold', 'failures == 0', '--on-port', '/', '--', process.execPath, '-e', 'let n = 0; require("http").createServer((q, r) => { if (++n < 20) r.end("ok") }).listen(0)'])
  t.equal(code, 3)
  t.match(stderr, /Failed, exit code 3: no response came in the last/)
})

t.test('a threshold of a named request that is mostly answered by 4xx or 5xx fails, however well the others are answered', async t => {
  const { url } = await serve(t, (request, response) => { response.writeHead(request.url === '/login' ? 500 : 200).end() })
  const requests = [{ name: 'login', path: '/login' }, { name: 'home', path: '/' }, { name: 'cart', path: '/cart' }]
  const result = await run({ url, amount: 30, connections: 1, requests, thresholds: ['login: p99 < 60s', 'login: errors == 0', 'home: p99 < 60s'] })
  t.strictSame(result.thresholds.map(({ expression, passed }) => [expression, passed]), [
    ['login: p99 < 60s', true], ['login: errors == 0', true], ['home: p99 < 60s', true], ['login: not mostly errors, 4xx or 5xx', false]
  ])
  t.match(result.thresholds[3], { request: 'login', implied: true, note: '10 of 10 responses to login were 4xx or 5xx, which no expect option allows' })
  const others = await run({ url, amount: 30, connections: 1, requests, thresholds: ['p99 < 60s', 'home: p99 < 60s'] })
  t.ok(others.thresholds.every(({ passed, exact }) => passed ?? exact))
  const expected = [{ ...requests[0], expect: { status: 500 } }, requests[1]]
  t.ok((await run({ url, amount: 30, connections: 1, requests: expected, thresholds: ['login: p99 < 60s'] })).thresholds.every(({ passed, exact }) => passed ?? exact))
})

t.test('no gate is green for a server that breaks off most connections', async t => {
  let asked = 0
  const { url } = await serve(t, (request, response) => { if (++asked % 5 === 0) response.writeHead(200, { connection: 'close' }).end('ok'); else request.socket.destroy() })
  const { url: good } = await serve(t)
  const result = await run({ url, amount: 20, connections: 1, thresholds: ['p99 < 60s', 'generator <= saturated'] })
  t.match(result.thresholds.slice(2), [{ expression: 'not mostly errors, 4xx or 5xx', implied: true, passed: false, actual: 0.8, note: /^16 of 20 requests had no response: 16 (AC_CLOSED|ECONNRESET) / }])
  t.match(autocannon.compareResults(await run({ url: good, amount: 20 }), result, { failIf: 'p99 +1000%' }).limits.slice(1), [{ expression: 'new not mostly errors, 4xx or 5xx', implied: true, passed: false, reason: /^new: 16 of 20 requests had no response/ }])
  const allowed = await run({ url, amount: 20, connections: 1, thresholds: ['p99 < 60s', 'error rate < 90%'] })
  t.ok(allowed.thresholds.every(({ passed, exact }) => passed ?? exact), 'unless a threshold says how many there may be')
  t.strictSame(autocannon.compareResults(allowed, await run({ url, amount: 20, connections: 1, thresholds: ['failure rate < 90%'] })).limits, [])
  const raced = await cli(['versus', '-c', '1', '-a', '20', '--runs', '3', '--no-save', '-n', good, url])
  t.equal(raced.code, 3)
  t.match(raced.stderr, /^autocannon: new \(.*\): 16 of 20 requests had no response: 16 /)
  conserves(t, result)
})

t.test('--strict alone is not green for a server that answers only 500', async t => {
  const { url } = await serve(t, always(500))
  const dir = t.testdir({})
  const { code } = await cli(['-c', '1', '-a', '20', '-n', '--strict', '--junit', path.join(dir, 'r.xml'), '-o', path.join(dir, 'r.md'), url])
  t.equal(code, 3)
  t.match(readFileSync(path.join(dir, 'r.md'), 'utf8'), /^### ❌ 20 of 20 responses were 4xx or 5xx/)
  // On a busy machine a starved generator is the second one.
  t.match(readFileSync(path.join(dir, 'r.xml'), 'utf8'), /failures="[12]"/)
})

t.test('without a gate a broken server is no failed run', async t => {
  const { url } = await serve(t, always(500))
  const { code, stderr } = await cli(['-n', '-c', '1', '-a', '20', url])
  t.equal(code, 0)
  t.match(stderr, '20 of 20 requests failed')
})

t.test('without a listener on the port, errors are failures', async t => {
  const result = await run({ url: `http://127.0.0.1:${await closedPort()}`, amount: 3, thresholds: ['failures == 3', 'failure rate == 100%', 'non2xx == 0'] })
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, true, false])
})
