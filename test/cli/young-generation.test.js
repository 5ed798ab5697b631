'use strict'

// How far the young generation of V8 grows while a run opens its connections.

const t = require('tap')
const { keepYoungGeneration } = require('../../lib/cli/young-generation')

t.test('from 1,000 connections on it stays as it is, until no more of them are opened', async t => {
  const factors = []
  t.equal(keepYoungGeneration(999, factor => factors.push(factor)), null)
  const follower = keepYoungGeneration(1000, factor => factors.push(factor))
  t.strictSame(factors, [1])
  // None is open yet, and then they are opened for two seconds.
  for (const connections of [0, 0, 400, 1000]) follower.tick({ connections })
  t.strictSame(factors, [1])
  follower.tick({ connections: 1000 })
  t.strictSame(factors, [1, 2])
})

t.test('whatever ends the run, it grows again', async t => {
  for (const end of ['done', 'failed']) {
    const factors = []
    keepYoungGeneration(10_000, factor => factors.push(factor))[end]()
    t.strictSame(factors, [1, 2])
  }
})
