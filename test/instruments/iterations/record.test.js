'use strict'

const t = require('tap')
const { toRaw, merge } = require('../../../lib/figures/aggregate')
const { problemOfRaw } = require('../../../lib/figures/shape')
const { Recorder } = require('../../../lib/record/recorder')
const { IterationTally } = require('../../../lib/instruments/iterations/iteration-tally')
const { Iterations } = require('../../../lib/instruments/iterations/record')
const { Samples } = require('../../../lib/record/samples')
const { Totals } = require('../../../lib/record/totals')

/** @type {any} */
const usage = {}

/** @param {Iterations} iterations */
function fill (iterations) {
  const [browse, checkout] = [iterations.of(0), iterations.of(3)]
  for (let i = 0; i < 5; i++) browse.start()
  browse.complete(1000, 10)
  browse.complete(3000, 30)
  browse.cut('capture token')
  checkout.start()
  checkout.cut('AC_TIMEOUT')
  const arrivals = iterations.arrivalsOf(3)
  arrivals.arrived++
  arrivals.wait.record(20)
  arrivals.neverStarted += 4
  return iterations
}

/** @param {Iterations} iterations */
const figures = iterations => iterations.encode().scenarios.map(({ scenario, started, completed, cutBy, duration, active }) =>
  ({ scenario, started, completed, cutBy, duration: [duration.count, duration.sum / 1000], active: [active.count, active.sum / 1000] }))

t.test('iterations of a scenario have started, are completed or cut short, or are unfinished', async t => {
  const tally = fill(new Iterations()).of(0)
  t.match(tally, { started: 5, completed: 2, cuts: 1, unfinished: 2 })
})

t.test('the iterations of each scenario come with the distributions, and add up, whatever way they travelled', async t => {
  const totals = new Totals()
  const recorder = new Recorder()
  recorder.measure('iterations', new Iterations())
  for (const times of [1, 2]) {
    fill(recorder.instruments.iterations)
    t.equal(recorder.take(0, 1, 0, usage, false).iterations, null, 'not with each short sample')
    const { iterations } = times === 1 ? recorder.take(1, 2, 1, usage) : recorder.takeLast(2, 3, 2, usage)
    totals.add({ ...new Recorder().take(0, 1, 0, usage), iterations: times === 1 ? iterations : JSON.parse(JSON.stringify(iterations)) })
    t.strictSame(figures(totals.instruments.iterations), [
      { scenario: 0, started: 5 * times, completed: 2 * times, cutBy: { 'capture token': times }, duration: [2 * times, 4000 * times], active: [2 * times, 40 * times] },
      { scenario: 3, started: times, completed: 0, cutBy: { AC_TIMEOUT: times }, duration: [0, 0], active: [0, 0] }
    ])
    t.match(totals.instruments.iterations.allArrivals, { arrived: times, neverStarted: 4 * times, wait: { count: times } })
  }
})

t.test('an iteration that ends in a later sample than it began in is one iteration; that of a generator that died is unfinished', async t => {
  const totals = new Totals()
  const recorder = new Recorder()
  recorder.measure('iterations', new Iterations())
  const tally = recorder.instruments.iterations.of(1)
  for (const happens of [() => { tally.start(); tally.start(); tally.start() }, () => tally.complete(9000, 5), () => {}, () => tally.cut('AC_CLOSED')]) {
    happens()
    totals.add(recorder.take(0, 1, 0, usage))
  }
  t.match(totals.instruments.iterations.of(1), { started: 3, completed: 1, cuts: 1, unfinished: 1, duration: { count: 1 } })
  t.strictSame(recorder.take(0, 1, 0, usage).iterations.scenarios, [], 'each is handed over once')
})

t.test('an iteration hangs when it has waited for long, and has taken more than twice as long as any of its scenario that was completed, at whichever generator', async t => {
  const tallies = [new IterationTally(0), new IterationTally(0)]
  const [one, other] = tallies
  for (const tally of tallies) for (let i = 0; i < 10; i++) tally.start()
  one.complete(9000, 600)
  one.complete(9000, 300)
  t.equal(one.hanging, 0)
  one.abandon(1300, 1300, 1100)
  one.abandon(5000, 5000, 900)
  one.abandon(9000, 1100, 1100)
  t.equal(one.hanging, 1, 'a request that was sent just now does not hang, nor does an iteration that is not much older than others')
  for (const [ms, waited] of [[1150, 1100], [4000, 4000], [8000, 8000]]) other.abandon(ms, ms, waited)
  t.equal(other.hanging, 0, 'where none was completed, the duration of one is unknown')
  const sum = new IterationTally(0)
  for (const tally of tallies) sum.add(JSON.parse(JSON.stringify(tally.encode())))
  t.match(sum, { hanging: 3, longestActive: 600, unfinished: 18 })
  one.reset()
  t.match(one, { hanging: 0, longestActive: 600, waiting: null })
})

t.test('without users there is nothing of iterations', async t => {
  const totals = new Totals()
  totals.add(new Recorder().takeLast(0, 1, 0, usage))
  t.equal(totals.instruments.iterations, null)
})

t.test('what is left out of the figures leaves the iterations that go on: they count as started', async t => {
  const recorder = new Recorder()
  recorder.measure('iterations', fill(new Iterations()))
  const tally = recorder.instruments.iterations.of(0)
  recorder.skip(1000, 0)
  t.match(tally, { started: 2, completed: 0, cuts: 0, running: 2, duration: { count: 0 }, active: { count: 0 } })
  t.match(recorder.instruments.iterations.allArrivals, { arrived: 0, neverStarted: 0, wait: { count: 0 } })
  tally.complete(1500, 20)
  tally.start()
  t.match(recorder.instruments.iterations.of(0), { started: 3, completed: 1, running: 2 }, 'who holds the tally goes on with it')
  t.match(recorder.instruments.iterations.of(3), { started: 0, cuts: 0 })
})

t.test('a reason may be any text, and reaches no prototype', async t => {
  const tally = new IterationTally(0)
  for (const reason of ['__proto__', 'constructor', '__proto__']) tally.cut(reason)
  const sum = new IterationTally(0)
  sum.add(JSON.parse(JSON.stringify(tally.encode())))
  t.strictSame([...sum.cutBy], [['__proto__', 2], ['constructor', 1]])
  t.strictSame(Object.keys(sum.encode().cutBy), ['__proto__', 'constructor'])
})

/**
 * @param {Iterations | null} iterations
 * @param {Record<string, number>} [more]
 * @param {string[]} [scenarios]
 */
function raw (iterations, more = {}, scenarios = ['browse', 'search', 'review', 'checkout']) {
  const totals = Object.assign(new Totals(), more)
  totals.instruments.iterations = iterations
  return toRaw({ title: 'raw', url: 'http://localhost', connections: 1, pipelining: 1, sampleInt: 1000 }, { totals, samples: new Samples(1000, 1), series: [], elapsed: 1000, start: new Date(0), finish: new Date(1000), targetRate: null, users: iterations && { scenarios, rate: null, rates: scenarios.map(() => null), redirects: false, retries: false }, usages: [] })
}

t.test('raw results have the iterations, and are refused when these do not add up; those of older versions have none', async t => {
  const { totals } = merge([raw(fill(new Iterations())), JSON.parse(JSON.stringify(raw(fill(new Iterations()), { redirects: 7, retries: 2 })))])
  t.match(figures(totals.instruments.iterations), [{ scenario: 0, started: 10, completed: 4, cutBy: { 'capture token': 2 }, duration: [4, 8000] }, { scenario: 3, started: 2 }])
  t.match(totals, { redirects: 7, retries: 2 })

  const older = raw(null)
  delete older.users
  for (const key of ['iterations', 'redirects', 'retries']) delete older.totals[key]
  t.equal(problemOfRaw(older), null)
  t.match(merge([older]).totals, { iterations: null, redirects: 0, retries: 0 })

  /** @type {Array<[(scenario: any, iterations: any, users: any) => void, string]>} */
  const mistakes = [
    [scenario => { scenario.started = 2 }, 'totals.iterations.scenarios[0].started is 2, and completed and cutBy are 3 together'],
    [scenario => { scenario.completed = 4; scenario.started = 9 }, 'totals.iterations.scenarios[0].completed is 4, and duration has 2 values'],
    [scenario => { scenario.cutBy.AC_CLOSED = -1 }, 'totals.iterations.scenarios[0].cutBy.AC_CLOSED is -1, expected a number of at least 0'],
    [scenario => { scenario.scenario = 0.5 }, 'totals.iterations.scenarios[0].scenario is 0.5, expected a whole number of at least 0'],
    [scenario => { delete scenario.active }, 'it has no totals.iterations.scenarios[0].active'],
    [scenario => { delete scenario.waiting }, 'it has no totals.iterations.scenarios[0].waiting'],
    [scenario => { scenario.waiting = { ...scenario.duration, count: 3, buckets: [5, 3] } }, 'totals.iterations.scenarios[0].waiting has 3 values, and 2 iterations are unfinished'],
    [scenario => { scenario.duration = { ...scenario.duration, count: 5, buckets: [5, 5] } }, 'totals.iterations.scenarios[0].duration has 5 values, and 4 iterations were completed or are unfinished'],
    [scenario => { scenario.longestActive = -1 }, 'totals.iterations.scenarios[0].longestActive is -1, expected a number of at least 0'],
    [(_, { arrivals: [one] }) => { one.neverStarted = 'x' }, "totals.iterations.arrivals[0].neverStarted is 'x', expected a number of at least 0"],
    [(_, { arrivals: [one] }) => { delete one.arrived }, 'it has no totals.iterations.arrivals[0].arrived'],
    [(_, { arrivals: [one] }) => { delete one.wait }, 'it has no totals.iterations.arrivals[0].wait'],
    [(_, { arrivals: [one] }) => { one.arrived = 0 }, 'totals.iterations.arrivals[0].arrived is 0, and wait has 1 values'],
    [(_, { arrivals: [one] }) => { one.scenario = -1 }, 'totals.iterations.arrivals[0].scenario is -1, expected a whole number of at least 0, or null'],
    [(_, iterations) => { delete iterations.arrivals }, 'it has no totals.iterations.arrivals'],
    [(_, __, users) => { users.rates[1] = 'x' }, "users.rates[1] is 'x', expected a number of at least 0"],
    [(_, __, users) => { users.scenarios[1] = 7 }, 'users.scenarios[1] is 7, expected a text'],
    [(_, __, users) => { users.rate = -1 }, 'users.rate is -1, expected a number of at least 0'],
    [(_, __, users) => { users.retries = 'no' }, "users.retries is 'no', expected true or false"]
  ]
  for (const [change, problem] of mistakes) {
    const wrong = JSON.parse(JSON.stringify(raw(fill(new Iterations()))))
    change(wrong.totals.iterations.scenarios[0], wrong.totals.iterations, wrong.users)
    t.equal(problemOfRaw(wrong), problem)
  }
})

t.test('scenarios of several runs are the same when they have the same name, whatever their numbers', async t => {
  const { totals, users } = merge([raw(fill(new Iterations())), raw(fill(new Iterations()), { resets: 1 }, ['checkout', 'a', 'b', 'browse']), raw(fill(new Iterations()), { resets: 2 }, [])])
  t.strictSame(users.scenarios, ['browse', 'search', 'review', 'checkout', 'a', 'b'])
  t.strictSame(figures(totals.instruments.iterations).map(({ scenario, started, cutBy }) => [scenario, started, cutBy]), [
    [0, 6, { 'capture token': 1, AC_TIMEOUT: 1 }],
    [3, 6, { AC_TIMEOUT: 1, 'capture token': 1 }],
    [6, 6, { 'capture token': 1, AC_TIMEOUT: 1 }]
  ], 'one without a name is by itself')
})
