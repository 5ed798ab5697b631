import autocannon, { track, printResult, aggregateResult, compareResults, type Result, type Options } from 'autocannon'

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
