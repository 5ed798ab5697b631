'use strict'

// Arrivals at random, and many at once: exact where they can be, and distributed as they should be where they can't.

const t = require('tap')
const fc = require('fast-check')
const { BurstPace } = require('../../lib/shapes/burst')
const { ConstantPace } = require('../../lib/shapes/constant')
const { Slice, paceOf } = require('../../lib/shapes/pace')
const { PoissonPace } = require('../../lib/shapes/poisson')
const { StagedPace } = require('../../lib/shapes/staged/pace')

const ramp = [{ name: null, over: 'rate', from: 0, until: 10_000, start: 0, end: 1000 }, { name: null, over: 'rate', from: 10_000, until: 20_000, start: 1000, end: 1000 }]

t.test('a seed gives the same arrivals, in whatever order they are asked for', async t => {
  const times = (seed, n = 5000) => {
    const pace = new PoissonPace(new ConstantPace(1000), seed)
    return Array.from({ length: n }, (_, i) => pace.dueAt(i))
  }
  const first = times(1)
  t.ok(times(1).every((at, i) => at === first[i]))
  t.ok(times(2).some((at, i) => at !== first[i]))
  const asked = new PoissonPace(new ConstantPace(1000), 1)
  fc.assert(fc.property(fc.nat(4999), n => asked.dueAt(n) === first[n] && asked.dueBy(first[n]) === n + 1), { seed: 21, numRuns: 2000 })
  // Blocks that were kept no more are made again.
  const far = new PoissonPace(new ConstantPace(1000), 1)
  far.dueAt(200_000)
  t.equal(far.dueAt(3), first[3])
  t.equal(far.dueAt(200_000), new PoissonPace(new ConstantPace(1000), 1).dueAt(200_000))
})

t.test('a queue may be any number of blocks behind what is due: none is made again for each request', async t => {
  for (const behind of [0, 1, 63, 64, 65, 128]) {
    const pace = new PoissonPace(new ConstantPace(1000), 1)
    const due = 1024 * 200
    const at = pace.dueAt(due)
    pace.dueBy(at)
    const { make } = pace
    let made = 0
    pace.make = block => {
      made++
      return make.call(pace, block)
    }
    for (let i = 0; i < 100; i++) {
      pace.dueAt(due - 1024 * behind + i)
      pace.dueBy(at + i / 100)
    }
    t.ok(made <= 2, `${made} blocks for 100 requests, ${behind} blocks behind`)
  }
})

t.test('the times between arrivals are exponential: their mean, their spread, and no memory', async t => {
  const n = 200_000
  const pace = new PoissonPace(new ConstantPace(1000), 7)
  let [sum, squares, products, last, before] = [0, 0, 0, 0, 0]
  let longer = 0
  for (let i = 0; i < n; i++) {
    const at = pace.dueAt(i)
    const gap = at - last
    last = at
    sum += gap
    squares += gap * gap
    products += (gap - 1) * (before - 1)
    if (gap > 2) longer++
    before = gap
  }
  const mean = sum / n
  t.ok(Math.abs(mean - 1) < 5 / Math.sqrt(n), `mean ${mean}`)
  t.ok(Math.abs(squares / n - mean * mean - 1) < 0.05, 'the variance is the square of the mean')
  t.ok(Math.abs(products / n) < 5 / Math.sqrt(n), 'neighbours are not correlated')
  t.ok(Math.abs(longer / n - Math.exp(-2)) < 0.005)
})

t.test('counts in windows have their mean as their variance, also while the rate changes', async t => {
  const counts = []
  for (let seed = 1; seed <= 300; seed++) {
    const pace = new PoissonPace(new StagedPace(ramp), seed, 20_000)
    // Of the second between 500/s and 600/s there are 550 on average.
    counts.push(pace.dueBy(6000) - pace.dueBy(5000))
  }
  const mean = counts.reduce((a, b) => a + b) / counts.length
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1)
  t.ok(Math.abs(mean - 550) < 4 * Math.sqrt(550 / 300), `mean ${mean}`)
  t.ok(variance / mean > 0.7 && variance / mean < 1.4, `variance ${variance}`)
})

t.test('nothing is due at the end or later, and no run has more than the total', async t => {
  for (let seed = 1; seed <= 200; seed++) {
    for (const pace of [new PoissonPace(new ConstantPace(5, 1000), seed, 1000), new PoissonPace(new StagedPace(ramp), seed, 20_000)]) {
      const due = pace.dueBy(1e9)
      if (due > pace.total || pace.dueAt(due) !== Infinity || (due > 0 && pace.dueAt(due - 1) >= pace.end)) t.fail(`seed ${seed}: ${due} of ${pace.total}`)
    }
  }
  t.equal(new PoissonPace(new ConstantPace(5), 1).total, Infinity)
  t.strictSame([-Infinity, -1, 0].map(at => new PoissonPace(new ConstantPace(5), 1).dueBy(at)), [0, 0, 0])
})

t.test('generators take turns at the same arrivals, whatever their number', async t => {
  for (const pacing of [{ rate: 100 }, { rate: 750, shape: 'staged', form: ramp }, { rate: 20, shape: 'burst', form: { requests: 100, every: 5000 }, arrivals: 'even' }]) {
    const whole = paceOf({ arrivals: 'poisson', seed: 3, ...pacing, part: 0, parts: 1 }, 20_000)
    for (const parts of [2, 3, 7]) {
      const paces = Array.from({ length: parts }, (_, part) => paceOf({ arrivals: 'poisson', seed: 3, ...pacing, rate: pacing.rate / parts, part, parts }, 20_000))
      // A rate that is divided and multiplied again may be off by a rounding error.
      for (let n = 0; n < 400; n++) if (Math.abs(paces[n % parts].dueAt(Math.floor(n / parts)) - whole.dueAt(n)) > 1e-6) t.fail(`${n} of ${parts}`)
    }
  }
})

t.test('a burst is due at once, and again after each interval', async t => {
  const pace = new BurstPace({ requests: 100, every: 5000 }, 12_000)
  t.equal(pace.total, 300)
  t.strictSame([0, 99, 100, 299].map(n => pace.dueAt(n)), [0, 0, 5000, 10_000])
  t.strictSame([-Infinity, -1, 0, 4999, 5000, 1e9].map(at => pace.dueBy(at)), [0, 0, 100, 100, 200, 300])
  t.equal(new BurstPace({ requests: 3, every: 1 }).total, Infinity)
  t.equal(new BurstPace({ requests: 5, every: 1000 }, 2000).total, 10, 'what would be due at the end is not part of it')
  const slices = [0, 1, 2].map(part => new Slice(pace, part, 3))
  t.strictSame(slices.map(slice => slice.dueBy(0)), [34, 33, 33])
})
