'use strict'

const t = require('tap')
const { Histogram } = require('../../../lib/record/histogram')
const { LiveStages } = require('../../../lib/instruments/stages/live-stages')
const { StageTallies } = require('../../../lib/instruments/stages/record')
const { StageTally } = require('../../../lib/instruments/stages/stage-tally')
const { Totals } = require('../../../lib/record/totals')
const { Stages } = require('../../../lib/shapes/stages')

/** @param {number} stage */
function counted (stage, times = 1) {
  const tally = new StageTally(stage)
  tally.send(3 * times)
  tally.written = 2 * times
  for (let i = 0; i < times; i++) {
    tally.complete(200)
    tally.record(1 + stage, 5, 100)
    tally.timeOut('AC_TIMEOUT')
    tally.latency.record(50)
    tally.abandon()
  }
  tally.failUnsent('ECONNREFUSED', times)
  return tally
}

t.test('counts of a stage are added up, whatever way they travelled, and however many stages there are', async t => {
  const tallies = new StageTallies()
  // More than are open at once, in both orders.
  const stages = Array.from({ length: 50 }, (_, i) => i)
  tallies.add({ counts: stages.map(stage => counted(stage).encode()) })
  tallies.add(JSON.parse(JSON.stringify({ counts: stages.reverse().map(stage => counted(stage, 2).encode()) })))
  t.ok(tallies.open.size <= 16, 'each has a histogram of 190 KB')
  for (const stage of stages) {
    const tally = tallies.of(stage)
    t.match(tally, { stage, sent: 9, written: 6, completed: 3, timedOut: 3, abandoned: 3, neverSent: 3, errors: 6, failures: 6, bytes: 300, statuses: { 200: 3 }, errorCodes: { AC_TIMEOUT: 3, ECONNREFUSED: 3 } })
    t.strictSame([tally.latency.count, tally.latency.min, tally.latency.max], [6, 1000 * (1 + stage), 50_000])
  }
  t.strictSame(tallies.encode().counts.map(({ stage }) => stage), stages.reverse(), 'in the order of time')
})

t.test('a generator that died abandons what it had in flight, in each stage', async t => {
  const totals = new Totals()
  const tally = new StageTally(7)
  tally.send(5)
  tally.complete(200)
  totals.instruments.stages = new StageTallies()
  totals.instruments.stages.add({ counts: [tally.encode()] })
  totals.abandonRest()
  t.equal(totals.instruments.stages.of(7).abandoned, 4)
})

t.test('a generator keeps few stages at once, and hands each count over once', async t => {
  let at = 0
  const list = Array.from({ length: 100 }, (_, i) => ({ name: null, over: /** @type {const} */ ('rate'), from: 10 * i, until: 10 * i + 10, start: 1, end: 1 }))
  const live = new LiveStages(new Stages(list), { elapsed: () => at, settled: () => at }, true)
  const sums = new StageTallies()
  for (; at < 1000; at++) {
    const tally = live.write(2, at)
    tally.complete(200)
    tally.record(1, 1, 10)
    // One of each stage is answered much later.
    if (at % 10 > 0) tally.complete(200)
    if (at % 25 === 24) {
      const report = live.take()
      t.match(report, { settled: at })
      t.ok(report.counts.length <= 4)
      sums.add(report)
    }
  }
  sums.add(live.take())
  t.strictSame(live.take().counts, [])
  t.ok([...live.tallies.keys()].length === 100, 'what is in flight keeps its tally')
  for (const [, tally] of live.tallies) tally.complete(503)
  sums.add(live.take())
  t.ok(live.tallies.size <= 2)
  for (const stage of list.keys()) t.match(sums.of(stage), { sent: 20, written: 20, completed: 20, statuses: { 200: 19, 503: 1 } })
})

t.test('what is before the first stage and after the last belongs to those; between stages that are added it belongs to none', async t => {
  const list = [{ name: null, over: /** @type {const} */ ('rate'), from: 0, until: 10, start: 1, end: 1 }]
  const load = { elapsed: () => 0, settled: () => 0 }
  const closed = new LiveStages(new Stages(list), load, true)
  t.strictSame([-Infinity, -1, 0, 9.9, 10, 50].map(at => closed.now.at(at).stage), [0, 0, 0, 0, 0, 0])
  const open = new LiveStages(new Stages(list), load, false)
  t.strictSame([0, 9.9, 10, 50].map(at => open.now.at(at).stage), [0, 0, -1, -1])
  open.extend({ ...list[0], from: 20, until: 30 })
  t.strictSame([9, 10, 19.9, 20, 29, 30].map(at => open.now.at(at).stage), [0, -1, -1, 1, 1, -1])
  t.strictSame([25, 5, 15].map(at => open.due.at(at).stage), [1, 0, -1], 'in any order')
  // The last one gives way.
  open.extend({ ...list[0], from: 25, until: 40 })
  t.strictSame([24, 25, 39].map(at => open.due.at(at).stage), [1, 2, 2])
  open.write(5, 15)
  t.strictSame(open.take().counts, [])
})

t.test('millions that were never sent are shared out between stages by halves', async t => {
  const list = [0, 1000, 2000].map(from => ({ name: null, over: /** @type {const} */ ('rate'), from, until: from + 1000, start: 1, end: 1 }))
  const live = new LiveStages(new Stages(list), { elapsed: () => 3000, settled: () => 0 }, true)
  let asked = 0
  live.leave('unsent', 3e6 - 5e5, i => {
    asked++
    return (i + 5e5) / 1000
  })
  t.strictSame(live.take().counts.map(({ stage, unsent }) => [stage, unsent]), [[0, 5e5], [1, 1e6], [2, 1e6]])
  t.ok(asked < 200, `${asked} due times`)
})

t.test('a histogram that is used again is empty', async t => {
  const live = new LiveStages(new Stages([0, 10, 20].map(from => ({ name: null, over: /** @type {const} */ ('rate'), from, until: from + 10, start: 1, end: 1 }))), { elapsed: () => 0, settled: () => 0 }, true)
  for (const at of [5, 15, 25]) {
    const tally = live.writeDue(at, at === 15, at)
    tally.complete(200)
    tally.record(at, at, 1)
    const { counts: [{ latency, late }] } = live.take()
    const alone = new Histogram()
    alone.record(at)
    t.strictSame([latency, late], [alone.encode(), at === 15 ? 1 : 0])
  }
})

t.test('times of streams are counted by stage where a search wants them, and travel', async t => {
  let at = 0
  const list = [0, 100, 200].map(from => ({ name: null, over: 'rate', from, until: from + 100, start: 1, end: 1 }))
  const load = { elapsed: () => at, settled: () => at }
  const live = new LiveStages(new Stages(list), load, false, { times: ['firstEvent', 'gap', 'interToken'], goodput: true })
  const tally = live.writeDue(50, false, 50)
  t.equal(tally.times.firstToken, null, 'it is not needed')
  tally.times.deliver(true, 20, 2)
  const tallies = new StageTallies()
  const all = [live.take()]
  at = 150
  live.writeDue(150, false, 150)
  tally.times.deliver(false, 7, 1)
  tally.goodput.count('gap max < 1s', 2, 3)
  all.push(live.take())
  t.ok(all[1].counts.some(({ stage, sent, times }) => stage === 0 && sent === 0 && times.gap.count === 1), 'although nothing else of it was counted meanwhile')
  tally.complete(200)
  tally.times.firstEvent?.record(90)
  all.push(live.take(), live.take())
  t.equal(live.of(2).times, tally.times, 'of stages that are over it is used again')
  t.equal(live.of(2).times.hasCounted, false)
  for (const one of all) tallies.add(JSON.parse(JSON.stringify(one)))
  for (let i = 3; i < 30; i++) tallies.of(i)
  const { firstEvent, gap, firstToken } = tallies.of(0).times
  t.strictSame([firstEvent.count, firstEvent.max, gap.count, gap.max, firstToken], [2, 90_000, 2, 7000, null])
  t.strictSame([...tallies.of(0).goodput.counts], [['gap max < 1s', { good: 2, requests: 3 }]])
  const { times, goodput } = new LiveStages(new Stages(list), load, false).of(0)
  t.strictSame([times, goodput], [null, null], 'no other run has them')
})
