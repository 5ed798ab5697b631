'use strict'

const t = require('tap')
const { Search } = require('../../../lib/experiments/find/search')

const SPACE = { from: 100, to: 20_000, precision: 0.03, whole: false }

/**
 * @param {object} space
 * @param {(value: number, count: number) => string} server what becomes of a trial
 */
function run (space, server) {
  const search = new Search({ ...SPACE, ...space })
  const values = []
  for (let trial = search.next(); trial !== null; trial = search.next()) {
    values.push(trial.value)
    search.record(server(trial.value, values.length))
    if (values.length > 200) throw new Error('a search without end')
  }
  return { search, values }
}

const below = limit => value => value <= limit ? 'held' : 'failed'

t.test('the load doubles until it fails twice, then the middle is tried, and the best is tried again', async t => {
  const { search, values } = run({}, below(1000))
  t.strictSame(values.slice(0, 6), [100, 200, 400, 800, 1600, 1600])
  t.equal(values[6], 1130, 'the geometric middle, with digits that can be read')
  t.equal(values.at(-1), search.best)
  t.equal(values.filter(value => value === search.best).length, 2)
  t.ok(search.above.value <= search.best * 1.015 && search.best <= 1000 && search.above.value > 1000)
  t.equal(search.limit, 'server')
})

t.test('any limit is found, as close as was asked for, in a number of trials that grows as its logarithm', async t => {
  for (const precision of [0.005, 0.03, 0.1, 0.5]) {
    for (let limit = 103; limit < 20_000; limit = Math.ceil(limit * 1.37)) {
      const { search, values } = run({ precision }, below(limit))
      t.ok(search.best <= limit && search.best * (1 + precision) >= limit, `${limit} ± ${precision}: ${search.best}`)
      t.ok(values.length <= 2 * Math.log2(limit / 100) + 2 * Math.log2(2 / precision) + 8, `${limit} ± ${precision}: ${values.length} trials`)
    }
  }
})

t.test('a hiccup is no failure: the same load is tried once more', async t => {
  const { search, values } = run({}, (value, count) => count === 3 ? 'failed' : below(1000)(value))
  t.strictSame(values.slice(0, 5), [100, 200, 400, 400, 800])
  t.ok(search.best > 970)
})

t.test('what can\'t tell is tried once more, and then said', async t => {
  const { search, values } = run({}, (value, count) => count === 2 ? 'unsure' : value === 200 && count === 3 ? 'failed' : below(1000)(value))
  t.strictSame(values.slice(0, 4), [100, 200, 200, 141], 'the second says it')
  t.ok(search.best < 200)
})

/**
 * Trials of one length are clear, and certain is only what decides.
 * @param {object} space
 * @param {(trial: import('../../../lib/experiments/find/search').Trial, count: number) => string} server
 */
function search (space, server) {
  const search = new Search({ ...SPACE, ...space })
  const trials = []
  for (let trial = search.next(); trial !== null; trial = search.next()) {
    trials.push(trial)
    const outcome = server(trial, trials.length)
    search.record(outcome, false, trial.decides && outcome !== 'unsure')
    if (trials.length > 200) throw new Error('a search without end')
  }
  return { search, trials, last: trials.slice(-2).map(({ value, decides }) => [value, decides]) }
}

t.test('what the result rests on is tried until it is certain', async t => {
  const { search: { best, above, limit }, trials, last } = search({}, ({ value }) => below(1000)(value))
  t.strictSame(last, [[best, true], [above.value, true]])
  t.equal(trials.filter(({ decides }) => decides).length, 2, 'and nothing else is')
  t.equal(limit, 'server')
  const none = search({}, () => 'failed')
  t.strictSame(none.trials.map(({ value, decides }) => [value, decides]), [[100, false], [100, false], [100, true]], 'not even the lowest load')
  t.equal(none.search.limit, 'range')
  t.strictSame(search({ to: 200 }, () => 'held').last, [[200, false], [200, true]], 'the highest')
})

t.test('a load that stays inconclusive is left out, and the limit is a range around it', async t => {
  const { search: { best, above, unsure, limit } } = search({}, ({ value }) => value <= 800 ? 'held' : value < 1200 ? 'unsure' : 'failed')
  t.ok(best <= 800 && best >= 800 / 1.03 && above.value >= 1200 && above.value <= 1200 * 1.03, `${best} to ${above.value}`)
  t.ok(unsure.length > 0)
  t.equal(limit, 'server')
  const narrow = search({}, ({ value }) => value <= 990 ? 'held' : value < 1005 ? 'unsure' : 'failed').search
  t.ok(narrow.above.value <= narrow.best * 1.03, 'within the precision it is known')
  const lowest = search({}, ({ value }) => value === 100 ? 'unsure' : 'failed')
  t.match({ best: lowest.search.best, limit: lowest.search.limit, above: lowest.search.above.value }, { best: null, limit: 'inconclusive', above: 200 })
  const all = search({ to: 400 }, () => 'unsure').search
  t.match({ best: all.best, limit: all.limit, above: all.above }, { best: null, limit: 'inconclusive', above: null })
  const highest = search({ to: 400 }, ({ value }) => value > 300 ? 'unsure' : 'held').search
  t.ok(highest.best > 290 && highest.best <= 300 && highest.limit === 'inconclusive')
})

t.test('a load that was clear and turns out not to be certain is left out', async t => {
  const { search: { best, limit } } = search({}, ({ value, decides }) => value > 1000 ? 'failed' : decides && value > 900 ? 'unsure' : 'held')
  t.ok(best <= 900 && best > 870, String(best))
  t.equal(limit, 'server')
  t.equal(search({}, ({ decides }) => decides ? 'unsure' : 'failed').search.limit, 'inconclusive', 'nor does the lowest one fail')
  t.equal(search({}, ({ decides }, count) => decides || count > 3 ? 'held' : 'failed').search.limit, 'range', 'a lowest load that holds after all')
})

t.test('the limit lies outside: nothing failed, or nothing held', async t => {
  const above = run({ to: 1000 }, () => 'held')
  t.strictSame(above.values, [100, 200, 400, 800, 1000])
  t.match({ ...above.search, best: above.search.best, limit: above.search.limit }, { best: 1000, limit: 'range', above: null })
  const none = run({}, () => 'failed')
  t.strictSame(none.values, [100, 100])
  t.match({ best: none.search.best, limit: none.search.limit }, { best: null, limit: 'range' })
})

t.test('a generator that can do no more is not the limit of the server', async t => {
  const { search } = run({}, value => value <= 3000 ? 'held' : 'generator')
  t.equal(search.limit, 'generator')
  t.ok(search.best > 2900 && search.best <= 3000)
  const both = run({}, value => value <= 2000 ? 'held' : value <= 3000 ? 'failed' : 'generator')
  t.equal(both.search.limit, 'server', 'which fails before the generator does')
  t.equal(run({}, () => 'generator').search.limit, 'generator')
})

t.test('what can\'t be told below what the server failed at is between the two', async t => {
  const { search } = run({}, value => value <= 430 ? 'held' : value < 550 ? 'generator' : 'failed')
  t.match({ best: search.best, limit: search.limit }, { limit: 'server' })
  t.ok(search.best > 420 && search.best <= 430, String(search.best))
  t.ok(search.ceiling >= 550 && search.above.value < 440, 'the lowest that failed for the server, and that was not held')
})

t.test('a server that answers nothing at a load that it held is asked no more', async t => {
  const search = new Search(SPACE)
  const values = []
  const outcomes = ['held', 'held', 'failed', 'failed', 'failed', 'failed']
  for (let trial = search.next(); trial !== null; trial = search.next()) {
    values.push(trial.value)
    search.record(outcomes[values.length - 1] ?? t.fail('no end'), values.length > 2)
    if (values.length > 10) break
  }
  t.strictSame(values, [100, 200, 400, 400, 200, 200])
  t.match({ best: search.best, limit: search.limit }, { best: null, limit: 'server' })
  const back = new Search(SPACE)
  const seen = []
  for (let trial = back.next(); trial !== null; trial = back.next()) {
    seen.push(trial.value)
    back.record(trial.value <= 1000 ? 'held' : 'failed', trial.value > 1000)
  }
  t.strictSame(seen.slice(4, 7), [1600, 1600, 800], 'one that comes back has a limit')
  t.ok(back.best > 970)
})

t.test('different reasons take a third trial', async t => {
  const outcomes = ['held', 'failed', 'generator', 'failed']
  const { search, values } = run({}, (value, count) => outcomes[count - 1] ?? below(110)(value))
  t.strictSame(values.slice(0, 5), [100, 200, 200, 200, 141])
  t.equal(search.limit, 'server')
})

t.test('what held before the first failure is tried again when nothing has held since', async t => {
  // A bucket of tokens: at first more is answered than later.
  const { search, values } = run({}, (value, count) => value <= (count <= 4 ? 1000 : 300) ? 'held' : 'failed')
  t.ok(values.slice(5).includes(800), 'again')
  t.ok(search.best <= 300 && search.best > 290, String(search.best))
})

t.test('a server that does not come back has no limit in the range', async t => {
  const { search, values } = run({}, (value, count) => count <= 4 && value <= 1000 ? 'held' : 'failed')
  t.equal(search.best, null)
  t.equal(search.limit, 'range')
  t.ok(values.length <= 22, String(values.length))
})

t.test('connections are whole numbers', async t => {
  for (const limit of [1, 2, 3, 7, 40, 999]) {
    const { search, values } = run({ from: 1, to: 10_000, whole: true }, below(limit))
    t.ok(values.every(Number.isInteger))
    t.ok(search.best <= limit && search.best >= limit / 1.03 - 1e-9, `${limit}: ${search.best}`)
  }
})

t.test('until it is over the cause of the limit is unknown, but not the load that held so far', async t => {
  const search = new Search(SPACE)
  for (const outcome of ['held', 'held', 'failed']) {
    search.next()
    search.record(outcome)
  }
  t.match({ best: search.best, limit: search.limit, above: search.above }, { best: 200, limit: null, above: null })
})
