'use strict'

const assert = require('node:assert/strict')
const t = require('tap')
const fc = require('fast-check')
const { Progress } = require('../../lib/record/timeline')

t.test('a sample is complete when every generator has passed it or has ended, in whatever order they come', async t => {
  const step = fc.record({ generator: fc.nat(4), by: fc.integer({ min: 1, max: 3 }), ends: fc.boolean() })
  t.doesNotThrow(() => fc.assert(fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (generators, steps) => {
    const progress = new Progress(generators)
    const passed = new Array(generators).fill(-1)
    for (const { generator, by, ends } of steps) {
      const one = generator % generators
      // One that has ended may end again, and says nothing more.
      if (ends && by === 3) progress.end(one)
      else if (passed[one] < Infinity) progress.advance(one, /** @type {any} */ ({ sample: passed[one] + by, from: 0, to: 1, completed: 0, bytes: 0 }))
      passed[one] = ends && by === 3 ? Infinity : passed[one] + by
      assert.equal(progress.complete, Math.min(...passed))
    }
    for (let one = 0; one < generators; one++) progress.end(one)
    assert.equal(progress.complete, Infinity)
  }), { seed: 17, numRuns: 500 }))
})
