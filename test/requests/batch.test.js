'use strict'

const t = require('tap')
const fc = require('fast-check')
const { Batch } = require('../../lib/requests/batch')

const MiB = 1024 * 1024

/** @param {number[]} sizes each filled with a letter of its own */
const requestsOf = sizes => sizes.map((size, i) => Buffer.alloc(size, 97 + i % 26))

/** What a view has to be. */
const joinedOf = (requests, first, run) =>
  Buffer.concat(Array.from({ length: run }, (_, i) => requests[(first + i) % requests.length]))

t.test('every run from every request is the requests one behind the other', async t => {
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })
  fc.assert(fc.property(sizes, fc.integer({ min: 1, max: 20 }), (sizes, pipelining) => {
    const requests = requestsOf(sizes)
    const batch = new Batch(requests, pipelining)
    if (batch.maxRun !== pipelining) return false
    // Twice, because a view is kept.
    for (let round = 0; round < 2; round++) {
      for (let first = 0; first < requests.length; first++) {
        for (let run = 1; run <= pipelining; run++) {
          if (!batch.view(first, run).equals(joinedOf(requests, first, run))) return false
        }
      }
    }
    return true
  }), { seed: 5 })
})

t.test('a view costs no copy', async t => {
  const batch = new Batch(requestsOf([10, 20]), 8)
  t.equal(batch.view(0, 8).buffer, batch.view(1, 5).buffer)
  t.equal(batch.view(1, 3), batch.view(1, 3))
})

t.test('large requests', async t => {
  for (const [name, sizes, pipelining, maxRun] of [
    ['run as far as 1 MiB goes', [100_000], 100, 10],
    ['run alone when two are too many', [600_000], 100, 1],
    ['run alone when one is too large', [5 * MiB], 4, 1],
    ['run as deep as the pipeline when they are small', [100], 1000, 1000],
    ['run to 1 MiB exactly', [MiB / 4], 100, 4]
  ]) {
    t.test(name, async t => t.equal(new Batch(requestsOf(sizes), pipelining).maxRun, maxRun))
  }

  t.test('are never joined to more than 1 MiB or one round of the sequence, and lose nothing', async t => {
    const sizes = fc.array(fc.constantFrom(1, 1000, 100_000, 300_000, 600_000, MiB), { minLength: 1, maxLength: 4 })
    fc.assert(fc.property(sizes, fc.integer({ min: 2, max: 12 }), (sizes, pipelining) => {
      const requests = requestsOf(sizes)
      const once = sizes.reduce((a, b) => a + b, 0)
      const batch = new Batch(requests, pipelining)
      for (let first = 0; first < requests.length; first++) {
        if (!batch.view(first, batch.maxRun).equals(joinedOf(requests, first, batch.maxRun))) throw new Error('not the requests in their order')
      }
      if (batch.joined !== null && batch.joined.length > Math.max(MiB, once)) throw new Error(`${batch.joined.length} bytes were joined`)
    }), { seed: 6, numRuns: 50 })
  })
})
