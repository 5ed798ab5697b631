'use strict'

const assert = require('node:assert/strict')
const t = require('tap')
const fc = require('fast-check')
const { InFlight } = require('../../lib/load/in-flight')

const SEED = Number(process.env.FUZZ_SEED ?? 9112)
const RUNS = Number(process.env.FUZZ_RUNS ?? 3000)

const time = fc.double({ min: 0, max: 1e9, noNaN: true })
const step = fc.oneof(
  fc.record({ kind: fc.constant('push'), at: time, n: fc.nat({ max: 20 }) }),
  fc.record({ kind: fc.constant('pushFrom'), at: time, origin: time }),
  fc.record({ kind: fc.constant('shift'), n: fc.nat({ max: 20 }) })
)

t.test('gives back the times of requests in the order in which they were sent, whatever is sent and answered in between', async () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 17 }), fc.array(step, { maxLength: 40 }), (capacity, steps) => {
    const ring = new InFlight(capacity)
    const plain = []
    const shift = () => {
      const { at, origin } = plain.shift()
      assert.deepEqual([ring.peek(), ring.origin(), ring.shift()], [at, origin, at])
    }
    for (const { kind, at, origin, n } of steps) {
      const room = capacity - ring.count
      if (kind === 'push') {
        const fitting = Math.min(n, room)
        ring.push(at, fitting)
        for (let i = 0; i < fitting; i++) plain.push({ at, origin: at })
      } else if (kind === 'pushFrom' && room > 0) {
        ring.pushFrom(at, origin)
        plain.push({ at, origin })
      } else if (kind === 'shift') {
        for (let i = 0; i < n && plain.length > 0; i++) shift()
      }
      assert.equal(ring.count, plain.length)
    }
    while (plain.length > 0) shift()
    assert.equal(ring.count, 0)
  }), { seed: SEED, numRuns: RUNS })
})

t.test('looks at the oldest request without taking it', async t => {
  const ring = new InFlight(2)
  ring.pushFrom(1.5, 1.25)
  ring.push(2.5, 1)
  t.equal(ring.peek(), 1.5)
  t.equal(ring.peek(), 1.5)
  t.equal(ring.origin(), 1.25)
  t.equal(ring.count, 2)
})

t.test('goes round when it is filled at once, again and again', async t => {
  const ring = new InFlight(3)
  for (let round = 0; round < 4; round++) {
    ring.push(round, 3)
    t.strictSame([ring.shift(), ring.shift()], [round, round])
    ring.push(round + 0.5, 2)
    t.strictSame([ring.shift(), ring.shift(), ring.shift()], [round, round + 0.5, round + 0.5])
  }
  t.equal(ring.count, 0)
})

t.test('takes nothing when there is nothing to send', async t => {
  const ring = new InFlight(1)
  ring.push(1, 0)
  t.equal(ring.count, 0)
  ring.push(2, 1)
  ring.push(3, 0)
  t.equal(ring.count, 1)
  t.equal(ring.shift(), 2)
})
