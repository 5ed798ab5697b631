'use strict'

// The progress of a run by its end: a time, a number of requests or a number of iterations.

const t = require('tap')
const { ProgressBar } = require('../../../lib/follow/progress-bar')
const { RunState } = require('../../../lib/follow/live/state')

const tick = (/** @type {Record<string, any>} */ more) => ({ counter: 10, bytes: 1, length: 1000, p99: 1, generator: { eventLoopUtilization: 0 }, connections: 1, inFlight: 1, ...more })

/** @param {Record<string, any>} opts */
function stateOf (opts) {
  let now = 0
  /** @type {any} */
  const instance = { opts: { duration: 10, ...opts }, soFar: () => null }
  const state = new RunState(instance, '', () => now)
  now = 4000
  state.tick(/** @type {any} */ (tick({ iterations: 2 })))
  return state.progress()
}

t.test('a time, requests or iterations', async t => {
  t.strictSame(stateOf({}), { ratio: 0.4, done: '4 s of 10 s', left: 6 })
  t.strictSame(stateOf({ amount: 40 }), { ratio: 0.25, done: '10 of 40 requests', left: 12 })
  t.strictSame(stateOf({ amount: '8 iterations' }), { ratio: 0.25, done: '2 of 8 iterations', left: 12 })
})

t.test('the bar of a run by iterations moves with those that have ended', async t => {
  /** @type {any} */
  const stream = { isTTY: true, columns: 200, clearLine () {}, cursorTo () {}, moveCursor () {}, write () {} }
  const bar = new ProgressBar({ duration: 10, amount: '8 iterations' }, stream, 'at :percent', /** @type {any} */ ({ dim: (/** @type {string} */ text) => text }), () => 0)
  t.teardown(() => bar.end())
  const places = [2, 6].map(iterations => {
    bar.tick(/** @type {any} */ (tick({ iterations })))
    return bar.bar.curr
  })
  t.strictSame(places, [250, 750])
})
