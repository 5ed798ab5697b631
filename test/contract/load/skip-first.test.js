'use strict'

// --skip-first: the load begins, and its figures later.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')
const { overHttp1 } = require('../modes')

/** Fails as long as it has not run for so long, as a server that is not warm yet. */
async function cold (t, ms) {
  const begun = Date.now()
  return serve(t, (request, response) => {
    response.statusCode = Date.now() - begun < ms ? 503 : 200
    setTimeout(() => response.end('ok'), 5)
  })
}

overHttp1(t, 'thresholds, named requests, checks and series are those of the time behind it', async (t, mode) => {
  const server = await cold(t, 500)
  const begun = Date.now()
  const result = await mode.run({
    url: server.url,
    connections: 4,
    duration: 2.5,
    skipFirst: '1.5s',
    sampleInt: 100,
    requests: [{ name: 'one', path: '/1', expect: { status: 200 } }, { name: 'two', path: '/2' }],
    thresholds: ['failures == 0', 'one: failures == 0', 'checks == 0', { threshold: 'errors < 1', abortOn: true }, { threshold: 'non2xx < 1', abortOn: true }]
  })
  t.same(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, true, true, true, true])
  t.match(result, { non2xx: 0, failures: 0, interrupted: false, options: { skipFirst: 1.5 } })
  t.ok(result.skipped.requests > 0)
  t.equal(result.byRequest.one.count + result.byRequest.two.count, result.requests.total)
  t.ok(result.series[0].time === 0 && result.series.every(({ non2xx }) => non2xx === 0))
  t.ok(result.duration < 1.5, `${result.duration} s are measured`)
  // Clocks may be apart by as much as timers are early.
  t.ok(new Date(result.start).getTime() >= begun + 1490, 'start is that of the figures')
  conserves(t, result, { arrived: result.requests.sent })
})

t.test('raw results of it are merged', async t => {
  const server = await cold(t, 0)
  const raws = await Promise.all([1, 2].map(() => autocannon({ url: server.url, connections: 2, duration: 1, skipFirst: 0.5, skipAggregateResult: true })))
  const result = autocannon.aggregateResult(JSON.parse(JSON.stringify(raws)))
  t.equal(result.skipped.requests, raws[0].totals.skipped.requests + raws[1].totals.skipped.requests)
  conserves(t, result, { arrived: result.requests.sent })
  for (const [skipped, message] of [[5, /totals\.skipped is 5, expected an object/], [{ ms: -1 }, /totals\.skipped\.ms is -1/]]) {
    t.throws(() => autocannon.aggregateResult([{ ...raws[0], totals: { ...raws[0].totals, skipped } }]), { message })
  }
})

t.test('a run that has not so much time is refused', async t => {
  const server = await cold(t, 0)
  for (const [args, message] of [
    [['-d', '2', '--skip-first', '2s'], '--skip-first: expected less than the 2 s of the run, got 2 s: nothing would be measured; skip less, or give the run more time with -d/--duration'],
    [['--skip-first', '0'], '--skip-first: expected'],
    [['--skip-first', 'x'], '--skip-first: expected']
  ]) {
    const { code, stderr } = await cli([...args, server.url])
    t.equal(code, 2)
    t.match(stderr, message)
  }
  t.equal(server.requests.length, 0)
})

t.test('the report says what is left out, and when nothing is left', async t => {
  const server = await cold(t, 0)
  const { stderr } = await cli(['-d', '1.2', '--skip-first', '0.6', '-c', '2', server.url])
  t.match(stderr, /^The first [\d.]+ s with [\d,]+ requests are excluded$/m)
  const short = await cli(['-a', '5', '--skip-first', '20', '-c', '2', server.url])
  t.equal(short.code, 1)
  t.match(short.stderr, 'the run ended within the first 20 s, which --skip-first excludes: 5 requests are in no figure.')
})

t.test('what could not be sent in the start and is sent later is in the achieved rate, and the report says so', async t => {
  /** @type {number | undefined} */
  let begun
  const server = await serve(t, (request, response) => {
    begun ??= Date.now()
    setTimeout(() => response.end('ok'), Math.max(0, begun + 1600 - Date.now()))
  })
  const file = path.join(t.testdir(), 'result.json')
  // By amount: however late the connections are there, all of it is sent.
  const { code, stderr } = await cli(['-c', '2', '-R', '100', '-a', '200', '--skip-first', '1.5', '--pace', 'batched', '-o', file, server.url])
  t.equal(code, 0)
  const { rate, skipped, duration, requests } = JSON.parse(readFileSync(file, 'utf8'))
  t.ok(rate.ratio > 1.1, `${rate.achieved} of ${rate.target} req/s`)
  t.ok(Math.abs(rate.achieved / ((requests.sent - skipped.inFlight) / duration) - 1) < 0.1, 'that of the requests written in the time of the figures')
  t.match(stderr, /^The rate was \d+ of 100 req\/s: requests that were due in the excluded start/m)
})
