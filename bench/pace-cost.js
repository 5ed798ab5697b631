'use strict'

// What a pace costs: the share of a core that the generator takes, by rate, how late half of its requests leave, and which part of the time goes into the
// collection of garbage.
//
//   node bench/pace-cost.js [--seconds 3]

const autocannon = require('..')
const { machine } = require('./machine')
const { table } = require('./markdown')
const { median } = require('./peers/paired')
const { withServer } = require('./served')
const { start, readFlags } = require('./program')

const RATES = [10, 300, 1000, 5000, 20_000]
const PACES = ['even', 'batched']
const ROUNDS = 3

async function main () {
  const { seconds = 3 } = readFlags({ seconds: 'positive' })
  const runs = new Map()
  await withServer({ log: false }, async ({ url }) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const rate of RATES) {
        for (const pace of PACES) {
          const { generator: { cpu, runDelayMs, lag, gcMs }, duration } = await autocannon({ url, rate, pace, connections: 50, duration: seconds })
          // What it waited for a core it had taken, if there had been one.
          const cores = cpu + (pace === 'even' && rate >= 1000 ? (runDelayMs ?? 0) / 1000 / duration : 0)
          runs.set(`${rate} ${pace}`, [...runs.get(`${rate} ${pace}`) ?? [], { cores, late: lag.p50, collection: gcMs / 10 / duration }])
        }
      }
    }
  })
  const cells = key => Object.entries({ cores: 2, late: 3, collection: 2 }).map(([figure, digits]) => median(runs.get(key).map(run => run[figure])).toFixed(digits))
  const columns = pace => [`${pace}: of a core`, 'p50 of how late, ms', 'collection, %']
  console.log(`${machine()}\n\n${table(['requests/s', ...PACES.flatMap(columns)], RATES.map(rate => [rate.toLocaleString('en'), ...PACES.flatMap(pace => cells(`${rate} ${pace}`))]))}`)
}

start(main)
