'use strict'

// What a step is to the load, on a clock that passes when the stepper waits.

const t = require('tap')
const { criterionOf } = require('../../../lib/experiments/find/criterion')
const { Stepper, firstPool, poolFor } = require('../../../lib/experiments/find/stepper')
const { Histogram } = require('../../../lib/record/histogram')
const { StageTally } = require('../../../lib/instruments/stages/stage-tally')
const { StageTimes } = require('../../../lib/instruments/stages/stage-times')
const { parseThreshold } = require('../../../lib/judge/threshold')

/**
 * A coordinator whose requests are answered so many ms after they were due, and 1 % of them with 500.
 * @param {(stage: object) => number} latencyOf a stage
 */
function fakeCoordinator (latencyOf = () => 5) {
  const log = { extended: [], grown: [], time: 0 }
  const list = [{ from: 0, until: 1, start: 0, end: 0 }]
  let droppedAt = Infinity
  const coordinator = {
    elapsed: () => log.time,
    extend (stage, { drop = false } = {}) {
      list.push(stage)
      log.extended.push({ ...stage, drop })
      if (drop) droppedAt = stage.from
    },
    grow: connections => log.grown.push(connections),
    measurement: {
      stages: { list },
      series: { points: [] },
      totals: { arrived: 0, completed: 0 },
      stage (i) {
        const { from, until, start } = list[i]
        const tally = new StageTally(i)
        const due = Math.round(start * (until - from) / 1000)
        const isDropped = droppedAt < until + latencyOf(list[i])
        if (isDropped) tally.unsent = due
        else tally.sent = tally.written = due
        for (let n = 0; n < due; n++) {
          tally.latency.record(isDropped ? droppedAt - until : latencyOf(list[i]))
          if (!isDropped) tally.count(n % 100 === 99 ? 500 : 200)
        }
        return { complete: isDropped || log.time >= until + latencyOf(list[i]), tally }
      }
    }
  }
  const sleep = async ms => { log.time += ms }
  return { coordinator, log, sleep }
}

const HUNT = { over: 'rate', from: 100, to: 1000, precision: 0.03, stepMs: 10_000, failBelow: null, thresholds: [parseThreshold('p99 < 50ms')], implied: false, connections: null }
const PLAN = { connections: 10, streams: 1, pipelining: 1, timeout: 10_000 }

t.test('a step is a time to settle and ten parts that are judged', async t => {
  const { coordinator, log, sleep } = fakeCoordinator()
  const stepper = new Stepper(coordinator, HUNT, PLAN, sleep)
  const measured = await stepper.measure({ value: 500 })
  const [settling, ...parts] = log.extended
  t.equal(settling.until - settling.from, 2000)
  t.strictSame(parts.map(({ from, until }) => until - from), Array(10).fill(800))
  t.ok(log.extended.every(({ start, end, over, drop }, i) => start === 500 && end === 500 && over === 'rate' && !drop && (i === 0 || log.extended[i - 1].until === log.extended[i].from)))
  t.ok(settling.from >= 50, 'a little ahead')
  t.match(measured, { achieved: 500, from: parts[0].from, to: parts[9].until, connections: 25, slots: 25, rested: 5 })
  t.strictSame(measured.parts.map(({ due, counted: { responses, failures, errors, non2xx } }) => [due, responses, failures, errors, non2xx]), Array(10).fill([400, 400, 4, 0, 4]))
  // What a step counts has the names by which metrics read it.
  for (const [expression, of, per] of [['non2xx < 5%', 4, 400], ['failure rate < 5%', 4, 400], ['error rate < 5%', 0, 400], ['timeouts < 5%', 0, 400]]) {
    const criterion = criterionOf(parseThreshold(expression))
    t.strictSame([criterion.of(measured.parts[0]), criterion.per(measured.parts[0])], [of, per], expression)
  }
  t.ok(log.time >= measured.to + 5 && log.time < measured.to + 200, 'the next step begins when all is answered')
  await stepper.measure({ value: 100 })
  t.equal(log.extended.length, 22)
  t.ok(log.extended[11].from >= log.extended[10].until)
})

t.test('what waits too long behind a step is given up', async t => {
  const { coordinator, log, sleep } = fakeCoordinator(({ start }) => start === 1000 ? 3000 : 5)
  const stepper = new Stepper(coordinator, HUNT, PLAN, sleep)
  const measured = await stepper.measure({ value: 1000 })
  const { from, start, drop } = log.extended.at(-1)
  t.equal(drop, true)
  t.equal(start, 0, 'and nothing is due')
  t.ok(from >= measured.to + 1000 && from < measured.to + 1200, 'after a second')
  t.ok(measured.parts.every(({ latency }) => latency.count > 0 && latency.min >= 1_000_000), 'with what it had waited')
  const slow = fakeCoordinator(() => 3000)
  await new Stepper(slow.coordinator, { ...HUNT, thresholds: [parseThreshold('p99 < 5s')] }, PLAN, slow.sleep).measure({ value: 100 })
  t.notOk(slow.log.extended.some(({ drop }) => drop), 'but a threshold may allow that')
})

t.test('a rate gets the connections that it needs, unless they are given', async t => {
  t.strictSame([[100, 50], [20_000, 50], [20_000, 250], [1000, 1000], [1, 250]].map(([rate, latency]) => poolFor(rate, latency)), [10, 1000, 5000, 1000, 10])
  const first = (from, ...thresholds) => firstPool({ from, thresholds: thresholds.map(parseThreshold) })
  t.strictSame([first(100, 'p99 < 50ms'), first(1000, 'p99 < 60s'), first(1000, 'errors == 0')], [10, 1000, 250])
  const { coordinator, log, sleep } = fakeCoordinator()
  const stepper = new Stepper(coordinator, HUNT, PLAN, sleep)
  for (const value of [400, 1000, 600]) await stepper.measure({ value })
  t.strictSame(log.grown, [20, 50, 50], 'those that there are stay')
  const given = fakeCoordinator()
  await new Stepper(given.coordinator, { ...HUNT, connections: 10 }, PLAN, given.sleep).measure({ value: 1000 })
  t.strictSame(given.log.grown, [])
  t.equal(stepper.widen(1000, 30), null, 'there are enough for answers of 30 ms')
  t.equal(stepper.widen(1000, 600), 900, 'with as many again to spare, half of them')
  t.equal(stepper.widen(1e6, 600), 5000)
  await stepper.measure({ value: 400 })
  t.equal(log.grown.at(-1), 360, 'and for all steps behind it')
  t.equal(new Stepper(given.coordinator, { ...HUNT, connections: 10 }, PLAN, given.sleep).widen(1000, 600), null)
})

t.test('how long an answer takes at rest is told by the requests that found a free connection', async t => {
  for (const [waiting, rested] of [[5, 5], [3000, 20]]) {
    const { coordinator, sleep } = fakeCoordinator(({ start }) => start)
    const { stage } = coordinator.measurement
    coordinator.measurement.stage = i => {
      const one = stage(i)
      const latency = new Histogram()
      for (let n = 0; n < 190; n++) latency.record(waiting)
      for (let n = 0; n < 10; n++) latency.record(20)
      return { ...one, tally: Object.assign(one.tally, { latency }) }
    }
    const measured = await new Stepper(coordinator, { ...HUNT, connections: 10 }, PLAN, sleep).measure({ value: 100 })
    t.equal(Math.round(measured.rested), rested)
  }
})

t.test('connections are the load of a closed loop', async t => {
  const { coordinator, log, sleep } = fakeCoordinator()
  const measured = await new Stepper(coordinator, { ...HUNT, over: 'connections' }, { ...PLAN, pipelining: 2 }, sleep).measure({ value: 7 })
  t.ok(log.extended.every(({ over, start, end }) => over === 'connections' && start === 7 && end === 7))
  t.match(measured, { connections: 7, slots: 14 })
  t.strictSame(log.grown, [])
})

t.test('a run that ends in a step leaves nothing of it', async t => {
  const { coordinator, log, sleep } = fakeCoordinator()
  const stepper = new Stepper(coordinator, HUNT, PLAN, async ms => {
    await sleep(ms)
    if (log.time > 4000) stepper.end()
  })
  t.equal(await stepper.measure({ value: 100 }), null)
  t.ok(log.time < 4200)
})

t.test('a step whose requests do not end is stuck, and one that the run ends is not', async t => {
  const { coordinator, log, sleep } = fakeCoordinator()
  const { stage } = coordinator.measurement
  coordinator.measurement.stage = i => ({ ...stage.call(coordinator.measurement, i), complete: false })
  const stuck = new Stepper(coordinator, HUNT, PLAN, sleep)
  t.equal(await stuck.measure({ value: 100 }), null)
  t.equal(stuck.isStuck, true)
  const begin = log.time
  const ended = new Stepper(coordinator, HUNT, PLAN, async ms => {
    await sleep(ms)
    if (log.time > begin + 14_000) ended.end()
  })
  t.equal(await ended.measure({ value: 100 }), null)
  t.equal(ended.isStuck, false)
})

t.test('times of streams are those of the requests that were due in a part', async t => {
  const { coordinator, sleep } = fakeCoordinator()
  const { stage } = coordinator.measurement
  const times = new StageTimes(['firstToken', 'gap'])
  coordinator.measurement.stage = i => {
    const { complete, tally } = stage.call(coordinator.measurement, i)
    times.reset()
    times.firstToken.record(10 * i)
    times.deliver(false, 5, 3)
    tally.times = times
    tally.goodput = { counts: new Map([['gap max < 1s', { good: i, requests: 20 }]]) }
    return { complete, tally }
  }
  const { parts } = await new Stepper(coordinator, HUNT, PLAN, sleep).measure({ value: 500 })
  t.strictSame(parts.map(({ times: { firstToken } }) => Math.round(firstToken.max / 10_000)), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 'copies: the tally is filled again')
  t.strictSame(parts.map(({ times: { gap } }) => gap.count), Array(10).fill(3))
  t.strictSame(Object.keys(parts[0].times), ['gap', 'firstToken'])
  t.match(parts[1].counted, { 'good: gap max < 1s': 3, 'ended: gap max < 1s': 20 })
})

t.test('a step waits for streams that last longer than the timeout', async t => {
  const isMeasured = async (/** @type {any} */ stream) => {
    const { coordinator, log, sleep } = fakeCoordinator()
    const { stage } = coordinator.measurement
    coordinator.measurement.stage = i => ({ ...stage.call(coordinator.measurement, i), complete: log.time >= 50_000 })
    return await new Stepper(coordinator, HUNT, { ...PLAN, stream }, sleep).measure({ value: 10 }) !== null
  }
  t.equal(await isMeasured({ kind: 'openai', openMs: null, messages: null }), true)
  t.equal(await isMeasured({ kind: 'sse', openMs: 40_000, messages: null }), true)
  t.equal(await isMeasured({ kind: 'sse', openMs: 1000, messages: null }), false, 'they are closed before')
  t.equal(await isMeasured({ kind: 'sse', openMs: null, messages: 100 }), true, 'they are closed here')
  t.equal(await isMeasured({ kind: 'sse', openMs: null, messages: null }), false, 'they may never end')
  t.equal(await isMeasured({ kind: null, openMs: null, messages: null }), false)
  t.equal(await isMeasured(null), false)
})
