'use strict'

// What is due while the rate changes by stages is what the integral of the rate says, to one request.

const t = require('tap')
const fc = require('fast-check')
const { Slice } = require('../../../lib/shapes/pace')
const { StagedPace } = require('../../../lib/shapes/staged/pace')
const { Stages } = require('../../../lib/shapes/stages')

/** Stages of [seconds, rate at the end], where one begins as the last has ended; 0 seconds are a jump. */
function staged (...list) {
  const stages = []
  let [from, start] = [0, 0]
  for (const [seconds, end] of list) {
    const until = from + seconds * 1000
    if (seconds > 0) stages.push({ name: null, over: 'rate', from, until, start, end })
    start = end
    from = until
  }
  return stages
}

const rate = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.constant(0), fc.double({ min: 0, max: 50, noNaN: true }).map(one => one < 1e-3 ? 0 : one))
const length = fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constant(0), fc.integer({ min: 1, max: 3000 }).map(ms => ms / 1000))
const someStages = fc.array(fc.tuple(length, rate), { minLength: 1, maxLength: 8 }).map(list => staged(...list)).filter(list => list.length > 0)

/** The integral of the rate by the midpoints of small steps: exact for lines. */
function integral (stages, at) {
  let sum = 0
  for (const { from, until, start, end } of stages) {
    const to = Math.max(from, Math.min(at, until))
    const steps = 64
    for (let i = 0; i < steps; i++) {
      const middle = from + (to - from) * (i + 0.5) / steps
      sum += (start + (end - start) * (middle - from) / (until - from)) * (to - from) / steps / 1000
    }
  }
  return sum
}

t.test('by any time as many are due as the integral of the rate says, to one request', async t => {
  fc.assert(fc.property(someStages, fc.array(fc.double({ min: -0.1, max: 1.1, noNaN: true }), { maxLength: 20 }), (stages, shares) => {
    const pace = new StagedPace(stages)
    const { until } = stages.at(-1)
    const counts = shares.map(share => share * until).concat(stages.map(({ until }) => until))
    const all = integral(stages, until)
    return Math.abs(pace.total - all) < 1 + 1e-6 && counts.every(at => {
      const due = pace.dueBy(at)
      const exact = integral(stages, at)
      // The first is due at 0 of them.
      return Number.isInteger(due) && due <= pace.total && due >= Math.min(pace.total, exact) - 1e-6 - 1 && due <= exact + 1 + 1e-6
    })
  }), { seed: 11, numRuns: 3000 })
})

t.test('each stage has as many as its own integral says, to one request', async t => {
  fc.assert(fc.property(someStages, stages => {
    const pace = new StagedPace(stages)
    return stages.every(({ from, until, start, end }) => {
      const within = pace.dueBy(until - 1e-6) - pace.dueBy(from - 1e-6)
      return Math.abs(within - (start + end) / 2 * (until - from) / 1000) <= 1 + 1e-3
    })
  }), { seed: 12, numRuns: 3000 })
})

t.test('its two answers are inverse, its times rise, and each is a number within the stages', async t => {
  fc.assert(fc.property(someStages, fc.double({ min: 0, max: 1, noNaN: true }), (stages, share) => {
    const pace = new StagedPace(stages)
    if (pace.total === 0) return pace.dueAt(0) === Infinity && pace.dueBy(1e9) === 0
    const n = Math.min(pace.total - 1, Math.floor(share * pace.total))
    const at = pace.dueAt(n)
    if (!(at >= 0 && at <= stages.at(-1).until) || pace.dueAt(pace.total) !== Infinity) return false
    const next = pace.dueAt(n + 1)
    return next >= at && pace.dueBy(at) >= n + 1 && pace.dueAt(pace.dueBy(at) - 1) <= at && pace.dueAt(pace.dueBy(at)) > at && pace.dueBy(at - 1e-3 * (1 + at)) <= n + 1
  }), { seed: 13, numRuns: 5000 })
})

t.test('its slices are the whole of it, whatever was asked before', async t => {
  fc.assert(fc.property(someStages, fc.integer({ min: 1, max: 9 }), fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }), (stages, parts, shares) => {
    const whole = new StagedPace(stages)
    const slices = Array.from({ length: parts }, (_, i) => new Slice(new StagedPace(stages), i, parts))
    const sum = numbers => numbers.reduce((a, b) => a + b, 0)
    return shares.every(share => {
      const at = share * stages.at(-1).until
      const n = Math.floor(share * whole.total)
      return sum(slices.map(slice => slice.dueBy(at))) === whole.dueBy(at) && slices[n % parts].dueAt(Math.floor(n / parts)) === new StagedPace(stages).dueAt(n)
    }) && sum(slices.map(({ total }) => total)) === whole.total
  }), { seed: 14, numRuns: 1000 })
})

t.test('whole ms and rates are exact: 0 to 500/s within 30 s, hold, down to 0', async t => {
  const pace = new StagedPace(staged([30, 500], [60, 500], [10, 0]))
  t.equal(pace.total, 7500 + 30_000 + 2500)
  t.strictSame([0, 30_000 - 1e-6, 30_000, 90_000, 100_000].map(at => pace.dueBy(at)), [1, 7500, 7501, 37_501, 40_000])
  t.strictSame([0, 7500, 7501, 37_500, 40_000].map(n => pace.dueAt(n)), [0, 30_000, 30_002, 90_000, Infinity])
  // The n-th of a ramp is due at the root of it.
  for (const n of [1, 10, 7499]) t.ok(Math.abs(pace.dueAt(n) - Math.sqrt(n / 7500) * 30_000) < 1e-6)
  t.ok(pace.dueAt(39_999) < 100_000)
})

t.test('a pause puts off what would be due at its start, and rates near 0 are times as any other', async t => {
  const pause = new StagedPace(staged([0, 10], [1, 10], [0, 0], [5, 0], [0, 10], [1, 10]))
  t.strictSame([9, 10, 11, 19, 20].map(n => pause.dueAt(n)), [900, 6000, 6100, 6900, Infinity])
  t.strictSame([1000, 5999, 6000].map(at => pause.dueBy(at)), [10, 10, 11])
  const late = new StagedPace(staged([10, 0], [0, 5], [1, 5]))
  t.strictSame([late.dueAt(0), late.dueBy(9999), late.total], [10_000, 0, 5], 'a load that begins with a pause')
  const faint = new StagedPace(staged([1000, 1e-9], [0, 100], [1, 100]))
  t.ok([0, 1, 50, 99].every(n => Number.isFinite(faint.dueAt(n))))
  t.equal(new StagedPace(staged([1, 0])).dueAt(0), Infinity, 'no load at all')
})

t.test('fractions of requests have times as well, up to the last bit of a ramp that ends at 0', async t => {
  fc.assert(fc.property(fc.double({ min: 1e5, max: 1e7, noNaN: true }), fc.integer({ min: 1e5, max: 1e8 }), fc.nat(20).map(bits => bits * 1e-16), (rate, ms, part) => {
    const pace = new StagedPace(staged([0, rate], [ms / 1000, 0]))
    const at = pace.dueAt(pace.countBefore(1) * (1 - part))
    return at === Infinity || (at >= 0 && at <= ms)
  }), { seed: 16, numRuns: 20_000 })
})

t.test('more stages can follow while it goes on; the last one gives way where they overlap', async t => {
  fc.assert(fc.property(someStages, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 500 }), (stages, share, rate) => {
    const last = stages.at(-1)
    const pace = new StagedPace(stages)
    const from = last.from + share * (last.until - last.from)
    const before = pace.dueBy(from)
    const times = Array.from({ length: Math.min(before - 1, 50) }, (_, n) => pace.dueAt(n))
    pace.extend({ name: null, over: 'rate', from, until: from + 1000, start: rate, end: rate })
    return Math.abs(pace.dueBy(from + 1000) - before - rate) <= 1 && times.every((at, n) => Math.abs(pace.dueAt(n) - at) < 1e-6 * (1 + at))
  }), { seed: 15, numRuns: 2000 })
  const gap = new StagedPace(staged([1, 0]))
  gap.extend({ name: null, over: 'rate', from: 3000, until: 4000, start: 10, end: 10 })
  t.strictSame([gap.total, gap.dueAt(0), gap.dueAt(9), gap.dueBy(3550)], [10, 3000, 3900, 6])
})

t.test('stages say what the load is to be, and which one there is', async t => {
  const stages = new Stages(staged([10, 100], [0, 40], [5, 40], [5, 0]))
  t.strictSame([-1, 0, 5000, 9999.9, 10_000, 15_000, 17_500, 20_000].map(at => [stages.indexAt(at), Math.round(stages.targetAt(at))]),
    [[-1, 0], [0, 0], [0, 50], [0, 100], [1, 40], [2, 40], [2, 20], [-1, 0]])
  stages.extend({ name: null, over: 'rate', from: 18_000, until: 19_000, start: 7, end: 7 })
  t.strictSame([stages.list.length, stages.list[2].until, stages.list[2].end, stages.indexAt(18_000), stages.targetAt(18_500), stages.until], [4, 18_000, 16, 3, 7, 19_000])
  stages.extend({ name: null, over: 'rate', from: 30_000, until: 31_000, start: 0, end: 3 })
  t.strictSame([18_000, 19_000, 25_000, 30_000, 30_400, 31_000].map(at => stages.connectionsAt(at)), [7, 7, 7, 1, 2, 3], 'of connections there are as many as before, behind a stage')
  t.strictSame([new Stages([]).indexAt(0), new Stages([]).until], [-1, 0])
})
