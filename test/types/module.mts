import autocannon, { track, printResult, aggregateResult, compareResults, type Result, type ResultThroughUndici, type Options } from 'autocannon'

const options: Options = { url: 'http://localhost:3000' }
const instance = autocannon(options)
track(instance)
const result: Result = await instance
process.stdout.write(printResult(result))
export const merged: Result = aggregateResult([await autocannon({ ...options, skipAggregateResult: true })])
export const compared: autocannon.Comparison = compareResults(result, merged)

const search = autocannon.find({ url: 'http://localhost:3000', thresholds: ['p99 < 50ms'], from: '100/s', to: 20_000, precision: '3%', step: '10s', over: 'rate', failBelow: '4000/s' })
search.on('step', ({ value, outcome, next }) => { console.log(value, outcome === 'held', next?.attempt) })
search.then(({ search: { best, limit, knee, steps } }) => [best?.toFixed(), limit === 'generator', knee?.p99, steps[0].certain])
// @ts-expect-error the search sets the rate
autocannon.find({ url: 'http://localhost:3000', thresholds: 'p99 < 50ms', rate: 100 })
// @ts-expect-error it needs something to hold
autocannon.find({ url: 'http://localhost:3000' })

const versus = autocannon.versus({ url: ['http://localhost:3000', new URL('http://localhost:4000')], runs: 5, failIf: ['p99 +10%'], connections: 5, duration: '5s' })
versus.on('run', ({ side, run, result }) => { console.log(side === 'base', run.toFixed(), result.requests.average) })
versus.stop()
versus.then(({ metrics, limits: [{ passed, reason }], runs }) => [metrics[0].verdict === 'better', passed === null, reason, runs.new])
autocannon.versus({ url: ['http://localhost:3000', 'http://localhost:4000'] }, (error, comparison) => { if (error === null) console.log(comparison?.basis) })
// @ts-expect-error it compares two servers
autocannon.versus({ url: 'http://localhost:3000' })
// @ts-expect-error runs of different lengths can not be compared
autocannon.versus({ url: ['http://localhost:3000', 'http://localhost:4000'], until: 'p99 5%' })

/** The vocabulary of whole users. */
const shop: Options = {
  url: 'http://localhost:3000',
  sticky: false,
  pause: ['500ms', 2],
  every: '5s',
  amount: '1000 iterations',
  data: { users: 'users.csv', more: { file: 'more.tsv', separator: '|' }, ids: { rows: [1, 2], pick: 'once', end: 'scenario' } },
  cookies: { keep: 'iteration', start: { sid: 'abc' } },
  redirects: 5,
  retries: { times: 2, on: ['5xx', 429, 'AC_CLOSED'], pause: '200ms' },
  scenarios: [
    { name: 'browse', weight: 3, pause: { exponential: '1s' }, requests: [{ path: '/{{users.email}}', pause: context => context.slow ? '2s' : 1 }, { pause: './think.js' }] },
    { name: 'buy', connections: 5, rate: '50 iterations/s', stages: ['30s:50iterations/s'], every: 5, requests: [{ once: true, capture: { token: 'json auth.token', csrf: /a(b)/, all: response => response.json(), page: { from: 'json next', default: 1 }, item: { from: 'json items[*].id', pick: 'random' }, links: { from: /href="(.*?)"/, all: true } }, retries: 0 }] }
  ],
  thresholds: ['scenario buy: p95 < 5s']
}
autocannon(shop)
// @ts-expect-error an element of a list is picked at random
autocannon({ url: 'http://localhost:3000', requests: [{ capture: { a: { from: 'json a', pick: 'first' } } }] })
// @ts-expect-error a pause has two times
autocannon({ url: 'http://localhost:3000', pause: ['1s'] })
autocannon({ url: 'http://localhost:3000', scenarios: [{ name: 'a', user: './shop.mjs', exec: 'buy' }, { name: 'b', requests: [{ path: '/', json: { a: ['{{id}}', 1] } }] }] })
// @ts-expect-error a scenario has requests, or a function
autocannon({ url: 'http://localhost:3000', scenarios: [{ name: 'a', user: 5 }] })

const through: ResultThroughUndici = await autocannon({ url: 'https://localhost:3000', client: 'undici', http: 2 })
printResult(through)
// @ts-expect-error undici does not tell how many bytes it reads
export const average = through.throughput.average
const behind = await autocannon({ url: 'http://localhost:3000', dispatcher: './dispatcher.js' })
// @ts-expect-error nor how long it connects
export const connects = behind.connect.average
autocannon({ url: 'http://localhost:3000', client: 'undici' }, (error, result) => {
  // @ts-expect-error with a callback as well
  if (error === null) console.log(result?.throughput.total)
})
export const ours: Result = await autocannon({ url: 'http://localhost:3000', client: 'autocannon', http: 1.1 })
// @ts-expect-error there is no such version
autocannon({ url: 'http://localhost:3000', http: 3 })
