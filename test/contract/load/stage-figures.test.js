'use strict'

// What a run with stages says of each: the same in one thread, with workers, and merged.

const t = require('tap')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')
const { overHttp1 } = require('../modes')

const STAGES = ['0s:100/s', '500ms:100/s', 'peak=500ms:200/s', '0s:20/s', '0.5s:20/s']

/** Requests that are due in each. */
const DUE = [50, 75, 10]

overHttp1(t, 'the figures of each stage, and thresholds about one', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end('ok'), 5))
  const result = await mode.run({
    url: server.url,
    connections: 20,
    stages: STAGES,
    sampleInt: 100,
    thresholds: ['stage 1: requests == 50', 'peak: errors == 0', 'stage 2: rate ratio >= 0%', 'Stage 3: p99 < 1us', 'stage3: rps >= 0', 'peak: timeouts < 1%', 'stage peak: bytes/s >= 0', 'p99 < 20s']
  })
  t.strictSame(result.byStage.map(({ rate: { sent, unsent } }) => sent + unsent), DUE, 'what was due in each is exact')
  t.strictSame(result.byStage.map(({ name, from, target }) => [name, from, target.start, target.end]), [[undefined, 0, 100, 100], ['peak', 0.5, 100, 200], [undefined, 1, 20, 20]])
  t.match(result.thresholds.slice(0, 7).map(({ stage, passed, exact }) => [stage, passed ?? exact]), [[1, true], [2, true], [2, true], [3, false], [3, true], [2, true], [2, true]])
  const { series } = result
  t.ok(series.length >= 10 && series.every(({ target, connections }) => target > 0 && connections === 20), 'each point has its target and its connections')
  t.match(series.map(({ target }) => target)[1], 100)
  t.ok(series.at(-1).target < 25)
  conserves(t, result)
})

overHttp1(t, 'stages of connections have the figures of what was sent in them', async (t, mode) => {
  const server = await serve(t, (request, response) => setTimeout(() => response.end('ok'), 20))
  const result = await mode.run({ url: server.url, stages: ['0s:4', '600ms:4', '0s:2', '600ms:2'], connections: undefined, sampleInt: 200, thresholds: ['stage 2: failures == 0'] })
  t.strictSame(result.byStage.map(({ target, rate, connections }) => [target.end, target.unit, rate, connections]), [[4, 'connections', undefined, 4], [2, 'connections', undefined, 2]])
  t.ok(result.requests.total > 0)
  t.equal(result.byStage.reduce((sum, { count }) => sum + count, 0), result.requests.total)
  t.match(result.thresholds, [{ stage: 2, passed: true }])
  conserves(t, result)
})

t.test('raw results are merged, stage by stage', async t => {
  const server = await serve(t)
  const raws = await Promise.all([1, 2].map(() => autocannon({ url: server.url, connections: 5, stages: STAGES, skipAggregateResult: true })))
  const result = autocannon.aggregateResult(JSON.parse(JSON.stringify(raws)), { thresholds: ['peak: errors == 0', 'stage 4: errors == 0'] })
  t.strictSame(result.byStage.map(({ name, target, fates: { sent }, rate: { unsent } }) => [name, target.start, target.end, sent + unsent]), [
    [undefined, 200, 200, 100], ['peak', 200, 400, 150], [undefined, 40, 40, 20]
  ])
  t.ok(result.series[0].target > 100)
  t.match(result.thresholds, [{ stage: 2, passed: true }, { expression: 'stage 4: errors == 0', actual: null, passed: false }])
  conserves(t, result)
  const other = await autocannon({ url: server.url, connections: 1, stages: ['1s:10/s'], skipAggregateResult: true })
  t.throws(() => autocannon.aggregateResult([raws[0], other]), { message: 'result 1 can\'t be aggregated: its stages are not those of result 0: all runs need the same names and times, and may have other loads' })
  const skipping = { ...raws[1], options: { ...raws[1].options, skipFirst: 0.6 } }
  t.throws(() => autocannon.aggregateResult([raws[0], skipping]), { message: 'result 1 can\'t be aggregated: its figures begin 0.6 s after the load, those of result 0 0 s: runs with stages need the same skipFirst' })
  for (const [change, message] of [
    [{ stages: 5 }, /stages is 5, expected an array/],
    [{ stages: [{ ...raws[0].stages[0], over: 'users' }] }, /stages\[0\]\.over is 'users', expected rate, iterations or connections/],
    [{ totals: { ...raws[0].totals, stages: { counts: [{ stage: 0 }] } } }, /it has no totals\.stages\.counts\[0\]\.\w+/]
  ]) t.throws(() => autocannon.aggregateResult([{ ...raws[0], ...change }]), { message })
})

t.test('a stage that the run does not have is refused before it, with those that there are', async t => {
  const server = await serve(t)
  for (const [args, message] of [
    [['--stage', '1s:10/s', '--stage', 'peak=1s:20/s', '--threshold', 'stage 9: p99 < 80ms'], "--threshold: 'stage 9: p99 < 80ms': there is no stage 9; there are stage 1, stage 2 (peak)"],
    [['--stage', '0s:10/s', '--stage', '1s:10/s', '--threshold', 'stage 0: p99 < 80ms'], 'there is no stage 0; there is stage 1'],
    [['-d', '1', '--threshold', 'stage 1: p99 < 80ms'], 'there is no stage 1; give the run stages with --stage'],
    [['--stage', 'peak=1s:10/s', '--threshold', 'peek: p99 < 80ms'], "no request and no stage has the name 'peek', did you mean 'peak'?"],
    [['--stage', 'peak=1s:10/s', '--threshold', 'stage peek: p99 < 80ms'], "no request and no stage has the name 'stage peek', did you mean 'peak'?"],
    [['--stage', '1s:10/s', '--threshold', 'stage 1: checks == 0'], 'checks is not counted by stage; there are any percentile, '],
    [['--stage', '1s:4', '--threshold', 'stage 1: rate ratio > 1%'], 'the rate ratio of a stage needs a rate']
  ]) {
    const { code, stderr } = await cli([...args, server.url])
    t.equal(code, 2)
    t.match(stderr, message)
    t.equal(stderr.trim().split('\n').length, 2, stderr)
  }
  t.equal(server.requests.length, 0)
  await t.rejects(autocannon({ url: server.url, stages: 'peak=1s:10/s', requests: [{ name: 'peak' }], thresholds: 'peak: p99 < 1' }), { message: /'peak' is the name of a request and of a stage: use 'stage peak' for the stage, or rename one of them/ })
  const both = await autocannon({ url: server.url, stages: 'peak=1s:10/s', requests: [{ name: 'peak' }], thresholds: 'stage peak: requests == 5' })
  t.match(both.thresholds, [{ stage: 1, actual: 5, passed: true }])
  await t.rejects(autocannon({ url: server.url, stages: 'peak=1s:10/s', requests: [{ name: 'stage peak' }], thresholds: 'stage peak: p99 < 1' }), { message: /'stage peak' is the name of a request and of a stage: rename one of them/ })
})

t.test('a stage that the run did not come to is not passed', async t => {
  const server = await serve(t, (request, response) => {
    response.statusCode = 500
    response.end()
  })
  const result = await autocannon({ url: server.url, connections: 1, sampleInt: 100, stages: ['2s:50/s', '1s:50/s'], thresholds: ['stage 1: errors == 0', 'stage 2: errors == 0', 'stage 2: p99 < 1s', { threshold: 'failures < 5', abortOn: true }] })
  t.equal(result.byStage[1].count, 0)
  t.strictSame([result.byStage[1].from, result.byStage[1].to], [result.duration, result.duration])
  t.match(result.thresholds.slice(1, 3), [{ actual: null, passed: false }, { actual: null, passed: false }])
  t.ok(result.thresholds.some(({ implied, stage, note }) => implied && (stage === 1 || note !== undefined)))
  conserves(t, result)
})
