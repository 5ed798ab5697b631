import autocannon, { track, printResult, aggregateResult, compareResults, type Result, type Options } from 'autocannon'

const options: Options = { url: 'http://localhost:3000' }
const instance = autocannon(options)
track(instance)
const result: Result = await instance
process.stdout.write(printResult(result))
export const merged: Result = aggregateResult([await autocannon({ ...options, skipAggregateResult: true })])
export const compared: autocannon.Comparison = compareResults(result, merged)
