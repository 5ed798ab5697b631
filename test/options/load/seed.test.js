'use strict'

const t = require('tap')
const { readOptions } = require('../../../lib/options/read')
const { readVersus } = require('../../../lib/experiments/versus/options')
const { seededFor, withSeed } = require('../../../lib/options/load/seed')

const URL = 'http://localhost:3000'

t.test('random arrivals have a seed of their own in each run, which the result names', async t => {
  const seeds = new Set(Array.from({ length: 5 }, () => {
    const { values, opts, described } = readOptions({ url: URL, rate: 5, arrivals: 'poisson' })
    t.ok(Number.isSafeInteger(values.seed) && values.seed >= 1 && values.seed <= 4_294_967_295)
    t.equal(opts.seed, values.seed)
    t.equal(described.seed, values.seed)
    return values.seed
  }))
  t.ok(seeds.size > 1)
})

t.test('a seed that is given is kept, and what is not random has none', async t => {
  t.equal(readOptions({ url: URL, rate: 5, arrivals: 'poisson', seed: 7 }).values.seed, 7)
  t.equal(readOptions({ url: URL, rate: 5 }).values.seed, undefined)
  t.strictSame(withSeed({ arrivals: 'even' }), { arrivals: 'even' })
})

t.test('runs that follow each other count up from the first seed', async t => {
  const values = { arrivals: 'poisson', seed: 4_294_967_294 }
  t.strictSame([1, 2, 3, 4].map(run => seededFor(values, run).seed), [4_294_967_294, 4_294_967_295, 1, 2])
  t.equal(seededFor({ arrivals: 'even', seed: 3 }, 2).seed, 3)
})

t.test('versus draws one seed for all its runs', async t => {
  const { values } = readVersus({ url: [URL, 'http://localhost:4000'], rate: 5, arrivals: 'poisson' })
  t.ok(values.seed >= 1)
  t.equal(readOptions({ ...values, url: URL }).values.seed, values.seed)
})
