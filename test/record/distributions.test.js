'use strict'

const t = require('tap')
const { Distributions } = require('../../lib/record/distributions')

const NAMES = ['latency', 'serviceTime', 'ttfb', 'connect', 'lag', 'late']

/**
 * @param {Record<string, number[]>} [values] ms
 */
function distributionsOf (values = {}) {
  const distributions = new Distributions()
  for (const [name, list] of Object.entries(values)) for (const ms of list) distributions[name].record(ms)
  return distributions
}

/** All that they can tell. */
const told = distributions => Object.fromEntries(NAMES.map(name => [name, distributions[name].summary([97, 99.5])]))

const ONE = { latency: [1, 2, 3.5, 10_000], serviceTime: [1, 1.5], ttfb: [0.25], connect: [0.001, 3.6e6] }
const OTHER = { latency: [0.5, 2], ttfb: [7, 8, 9], lag: [0.002] }
const BOTH = { latency: [1, 2, 3.5, 10_000, 0.5, 2], serviceTime: [1, 1.5], ttfb: [0.25, 7, 8, 9], connect: [0.001, 3.6e6], lag: [0.002] }

t.test('distributions are added each to its own', async t => {
  for (const [a, b] of [[ONE, OTHER], [OTHER, ONE]]) {
    const sum = distributionsOf(a)
    const added = distributionsOf(b)
    sum.add(added)
    t.strictSame(told(sum), told(distributionsOf(BOTH)))
    t.strictSame(told(added), told(distributionsOf(b)), 'what is added stays as it is')
  }
})

t.test('distributions are the same after a way through their encoded form, JSON and a message', async t => {
  for (const values of [ONE, OTHER, BOTH, {}]) {
    const given = distributionsOf(values)
    const encoded = given.encode()
    t.strictSame(Object.keys(encoded), NAMES)
    for (const travelled of [encoded, JSON.parse(JSON.stringify(encoded)), structuredClone(encoded)]) {
      const arrived = distributionsOf()
      arrived.add(travelled)
      t.strictSame(told(arrived), told(given))
      t.strictSame(arrived.encode(), encoded, 'and may travel on')
    }
  }
})

t.test('encoded distributions are added to what is there', async t => {
  const sum = distributionsOf(ONE)
  sum.add(distributionsOf(OTHER).encode())
  t.strictSame(told(sum), told(distributionsOf(BOTH)))
})

t.test('distributions start anew after reset', async t => {
  const distributions = distributionsOf(BOTH)
  distributions.reset()
  t.strictSame(told(distributions), told(distributionsOf()))
  distributions.add(distributionsOf(OTHER))
  t.strictSame(told(distributions), told(distributionsOf(OTHER)))
})

t.test('distributions that are the same travel with their buckets once', async t => {
  const same = new Distributions()
  for (let ms = 1; ms < 50; ms++) for (const name of ['latency', 'serviceTime', 'ttfb']) same[name].record(ms)
  const encoded = same.encode()
  t.equal(encoded.serviceTime.buckets, encoded.latency.buckets)
  t.equal(encoded.ttfb.buckets, encoded.latency.buckets)
  // As many values, from the same lowest to the same highest.
  same.ttfb.record(7)
  same.latency.record(8)
  same.serviceTime.record(8)
  const other = same.encode()
  t.equal(other.serviceTime.buckets, other.latency.buckets)
  t.not(other.ttfb.buckets, other.latency.buckets)
  for (const name of NAMES) t.strictSame(other[name], same[name].encode())
})
