'use strict'

// Searches for limits that are known, in simulated time.
//
// Run first: it takes longer than most.

const t = require('tap')
const { runSearch } = require('../../../lib/experiments/find/run-search')
const { Search } = require('../../../lib/experiments/find/search')
const { longestSearch } = require('../../../lib/experiments/find/time-limit')
const { intervalIn, judgeThreshold } = require('../../../lib/experiments/find/trial-certainty')
const { parseThreshold } = require('../../../lib/judge/threshold')
const { simulated } = require('../../helpers/effort')
const { STEADY, bursts, judgeOne, wandering } = require('../../helpers/simulated/restless-server')
const { KNOWN, SimulatedQueue, exponential, findKnown, fixed } = require('../../helpers/simulated/simulated-queue')

// `npm run bench:accuracy` makes 100 of each.
for (const known of KNOWN) {
  t.test(`${known.name}: the limit of ${Math.round(known.limit)} requests/s is found${known.behaviour.poisson ? ' as a range' : ''}`, async t => {
    const runs = known.behaviour.poisson ? simulated(6, 3) : simulated(20, 8)
    const { good, known: values, width, steps, seconds } = await findKnown(known, runs)
    t.comment(`${good} of ${runs}, ${values} within 3 %, ${(width * 100).toFixed(1)} % wide, in ${steps.toFixed(1)} steps and ${Math.round(seconds)} s on average`)
    t.ok(good >= runs - 1, `${good}`)
    if (!known.behaviour.poisson) t.ok(values >= 0.7 * runs, `${values}`)
    t.ok(width < 0.15 && steps < 40, `${width} ${steps}`)
  })
}

/**
 * @param {object} behaviour
 * @param {object} [how]
 */
async function find (behaviour, { thresholds = ['p99 < 50ms'], most = Infinity, space = {}, generator = {}, widen = () => null } = {}) {
  const queue = new SimulatedQueue(1, behaviour)
  const search = new Search({ from: 100, to: 20_000, precision: 0.03, whole: false, ...space })
  let lengths = 0
  const steps = []
  await runSearch(search, {
    criteria: { thresholds: thresholds.map(parseThreshold), precision: 0.03, isOpen: true },
    onStep: step => steps.push(step),
    widen: (value, responseMs) => widen(queue, value, responseMs),
    measure: async ({ value }) => ++lengths > most ? null : { ...queue.measure(value, { settleMs: 2000, judgeMs: 8000 }), ...generator }
  })
  return { search, steps, lengths }
}

t.test('a run that ends early leaves the steps that are over', async t => {
  const { search, steps } = await find({ service: fixed(1) }, { most: 3 })
  t.strictSame(steps.map(({ value }) => value), [100, 200, 400])
  t.equal(search.best, 400)
  t.equal(search.limit, null)
})

t.test('on a busy machine the limit is that of the server as far as its generator does not explain it', async t => {
  const { search, steps } = await find({ service: fixed(1000 / 440) }, { generator: { generator: 'starved', lost: 0.15, cpu: 0.3 } })
  t.equal(search.limit, 'server')
  t.ok(search.best > 400 && search.best <= 445, String(search.best))
  t.ok(search.ceiling >= 440 / 0.85 && search.ceiling <= 800, String(search.ceiling))
  t.match(steps.find(({ value }) => value === 800), { outcome: 'failed', reason: 'threshold' })
  t.ok(steps.some(({ outcome }) => outcome === 'generator'), 'between the two it can\'t be told')
})

/** Answers take long, and the server has time for 200 requests/s. */
const DISTANT = { service: fixed(600), servers: 120, connections: 10 }

t.test('too few connections for the first load are not the server: more are opened, and its limit is found', async t => {
  for (const thresholds of [['p99 < 1s'], ['failures == 0']]) {
    const { search, steps } = await find(DISTANT, {
      thresholds,
      widen: (queue, value, responseMs) => {
        const connections = Math.ceil(value * responseMs * 1.5 / 1000)
        if (connections <= queue.open.length) return null
        queue.grow(connections)
        return connections
      }
    })
    t.match(steps[0], { value: 100, attempt: 1, outcome: 'generator', reason: 'connections', connections: 10, widened: 93 })
    t.match(steps[1], { value: 100, attempt: 1, outcome: 'held', connections: 93, widened: null })
    t.equal(search.limit, 'server')
    t.ok(search.best > 194 && search.best <= 206, String(search.best))
  }
})

t.test('when their number is given, the limit is not said to be that of the server', async t => {
  for (const thresholds of [['p99 < 1s'], ['failures == 0']]) {
    const { search, steps } = await find(DISTANT, { thresholds })
    t.match({ best: search.best, limit: search.limit }, { best: null, limit: 'generator' })
    t.strictSame(steps.map(({ value, outcome, reason }) => [value, outcome, reason]), Array(2).fill([100, 'generator', 'connections']))
  }
})

t.test('a server that answers late since it is slow is the limit, with as few connections', async t => {
  for (const [thresholds, reason] of [[['p99 < 1s'], 'threshold'], [['failures == 0'], 'unsent']]) {
    for (const servers of [1, 3]) {
      const { search, steps } = await find({ service: fixed(60 * servers), servers, connections: 10 }, { thresholds, widen: () => { throw new Error('more are opened') } })
      t.match({ best: search.best, limit: search.limit }, { best: null, limit: 'range' })
      t.strictSame(steps.map(({ outcome, reason }) => [outcome, reason]), Array(2).fill(['failed', reason]))
    }
  }
  const { search, steps } = await find(DISTANT, { thresholds: ['p99 < 500ms'] })
  t.match({ best: search.best, limit: search.limit }, { best: null, limit: 'range' }, 'or since its answers take longer than they may')
  t.match(steps[0], { outcome: 'failed', reason: 'threshold' })
})

t.test('a server that answers no more is told at once, and has no limit', async t => {
  const queue = new SimulatedQueue(1, { service: fixed(1) })
  const search = new Search({ from: 100, to: 20_000, precision: 0.03, whole: false })
  const steps = []
  await runSearch(search, {
    criteria: { thresholds: ['p99 < 50ms', 'failure rate < 1%'].map(parseThreshold), precision: 0.03, isOpen: true },
    onStep: step => steps.push(step),
    widen: () => null,
    measure: async ({ value }) => {
      const measured = queue.measure(value, { settleMs: 2000, judgeMs: 8000 })
      if (steps.length > 20) return null
      if (steps.length < 3) return measured
      return { ...measured, achieved: 0, parts: measured.parts.map(part => ({ ...part, counted: { responses: 0, ended: part.due, errors: part.due, failures: part.due } })) }
    }
  })
  t.strictSame(steps.map(({ value }) => value), [100, 200, 400, 800, 800, 400, 400])
  t.match({ best: search.best, limit: search.limit, done: search.done }, { best: null, limit: 'server', done: true })
})

for (const server of [bursts(200, 2200), bursts(1000, 11_000), wandering(2), wandering(20)]) {
  t.test(`${server.name}: what is certain of one load is seldom wrong, and what is not certain is inconclusive`, async t => {
    const runs = simulated(30, 12)
    const [beyond, within] = await Promise.all([110, 92].map(ms => judgeOne(server, ms, runs)))
    t.comment(JSON.stringify({ beyond, within }))
    t.ok(beyond.held <= runs / 10, 'p99 is 10 % beyond its limit')
    t.ok(within.failed <= 1, 'p99 is 8 % within it, and nothing fails for certain')
    t.ok(beyond.open > 0 && within.open > 0)
  })
}

t.test('a server that stays as it is has a verdict near its limit, too', async t => {
  const [beyond, within] = await Promise.all([110, 92].map(ms => judgeOne(STEADY, ms, 10)))
  t.match({ beyond: beyond.failed, within: within.held }, { beyond: 10, within: 10 })
})

t.test('a search without an end ends when its time is over, with the range so far and no verdict', async t => {
  const goal = { from: 100, to: 20_000, precision: 0.03, stepMs: 10_000 }
  const longestMs = longestSearch(goal)
  t.equal(longestMs / 10_000, (9 + 6 + 2) * 2 * 4, 'twice four steps for each load on the way')
  const thresholds = ['p99 < 50ms'].map(parseThreshold)
  const queue = new SimulatedQueue(1, { service: fixed(1) })
  const search = new Search({ ...goal, whole: false })
  // Whatever is found, it is asked for once more.
  search.decide = value => search.try(value ?? 100, true)
  const steps = []
  await runSearch(search, { criteria: { thresholds, precision: 0.03, isOpen: true }, longestMs, widen: () => null, onStep: step => steps.push(step), measure: async ({ value }) => queue.measure(value, { settleMs: 2000, judgeMs: 8000 }) })
  t.match({ done: search.done, expired: search.expired, limit: search.limit }, { done: true, expired: true, limit: 'inconclusive' })
  t.ok(search.best > 900 && search.above.value > search.best, 'the range is there')
  t.ok(steps.at(-1).to >= longestMs && steps.at(-1).to < longestMs + 20_000, 'it ends with the step that passes the bound')
  const short = new Search({ ...goal, whole: false })
  const restless = new SimulatedQueue(1, { service: fixed(1) })
  await runSearch(short, { criteria: { thresholds: ['p99.99 < 50ms'].map(parseThreshold), precision: 0.03, isOpen: true }, longestMs: 25_000, widen: () => null, onStep: step => steps.push(step), measure: async ({ value }) => restless.measure(value, { settleMs: 2000, judgeMs: 8000 }) })
  t.match(steps.at(-1), { value: 100, outcome: 'unsure', certain: false }, 'a trial in the middle is no verdict')
  t.match({ best: short.best, above: short.above, expired: short.expired }, { best: null, above: null, expired: true })
})

t.test('a search whose step is stuck ends, and is inconclusive', async t => {
  const search = new Search({ from: 100, to: 20_000, precision: 0.03, whole: false })
  await runSearch(search, { criteria: { thresholds: [], precision: 0.03, isOpen: true }, widen: () => null, onStep: () => {}, measure: async () => null, isStuck: () => true })
  t.match({ done: search.done, expired: search.expired, limit: search.limit }, { done: true, expired: true, limit: 'inconclusive' })
})

t.test('a figure has the interval of the limits that would have been inconclusive', async t => {
  const threshold = parseThreshold('p99 < 50ms')
  const queue = new SimulatedQueue(3, { service: exponential(2), poisson: true })
  const { parts } = queue.measure(300, { settleMs: 2000, judgeMs: 30_000 })
  t.strictSame(intervalIn(threshold, parts), {}, 'one length of a step is too short for any')
  const more = [...parts, ...queue.measure(300, { settleMs: 2000, judgeMs: 30_000 }).parts, ...queue.measure(300, { settleMs: 2000, judgeMs: 30_000 }).parts]
  const { low, high } = intervalIn(threshold, more)
  const { actual } = judgeThreshold(threshold, more)
  t.ok(low < actual && actual < high, `${low} ${actual} ${high}`)
  for (const [limit, passed, certain] of [[low * 0.97, false, true], [high * 1.03, true, true], [(low + actual) / 2, false, false], [(high + actual) / 2, true, false]]) {
    t.match(judgeThreshold({ ...threshold, limit }, more), { passed, certain }, String(limit))
  }
  t.strictSame(intervalIn(parseThreshold('errors == 0'), more), {}, 'what is counted has none')
})

t.test('a step goes on while it is inconclusive, but not for ever', async t => {
  const few = await find({ service: fixed(1) }, { thresholds: ['p99.9 < 50ms'], most: 8 })
  t.equal(few.steps[0].parts.length, 40, 'p99.9 takes 3,000 requests')
  t.match(few.steps[0], { outcome: 'held', clear: true })
  const never = await find({ service: fixed(1) }, { thresholds: ['p99.99 < 50ms'], space: { to: 100 } })
  t.strictSame(never.steps.map(({ outcome, certain, parts }) => [outcome, certain, parts.length]), [['unsure', false, 40], ['unsure', false, 80]])
  t.match({ best: never.search.best, limit: never.search.limit }, { best: null, limit: 'inconclusive' })
})
