'use strict'

// What a pace costs: the share of a core that the generator takes, by rate, how late half of its requests leave, and which part of the time goes into the
// collection of garbage.
//
//   node bench/pace-cost.js [--seconds 3]

const autocannon = require('..')
const { machine } = require('./machine')
const { withServer } = require('./served')
const { start, readFlags } = require('./program')

const RATES = [10, 300, 1000, 5000, 20_000]
const ROUNDS = 3

async function main () {
  const { seconds = 3 } = readFlags({ seconds: 'positive' })
  const runs = new Map()
  await withServer({ log: false }, async ({ url }) => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const rate of RATES) {
        for (const pace of ['even', 'batched']) {
          const { generator: { cpu, runDelayMs, lag, gcMs }, duration } = await autocannon({ url, rate, pace, connections: 50, duration: seconds })
          // What it waited for a core it had taken, if there had been one.
          const cores = cpu + (pace === 'even' && rate >= 1000 ? (runDelayMs ?? 0) / 1000 / duration : 0)
          runs.set(`${rate} ${pace}`, [...runs.get(`${rate} ${pace}`) ?? [], { cores, late: lag.p50, collection: gcMs / 10 / duration }])
        }
      }
    }
  })
  /** @type {(key: string, figure: 'cores' | 'late' | 'collection', digits: number) => string} the median round */
  const median = (key, figure, digits) => runs.get(key).map(run => run[figure]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)].toFixed(digits)
  console.log(`${machine()}\n\n| requests/s | even: of a core | p50 of how late, ms | collection, % | batched: of a core | p50 of how late, ms | collection, % |\n|---|---|---|---|---|---|---|`)
  for (const rate of RATES) {
    console.log(`| ${rate.toLocaleString('en')} | ${['even', 'batched'].map(pace => `${median(`${rate} ${pace}`, 'cores', 2)} | ${median(`${rate} ${pace}`, 'late', 3)} | ${median(`${rate} ${pace}`, 'collection', 2)}`).join(' | ')} |`)
  }
}

start(main)
