'use strict'

const t = require('tap')
const { causeOf } = require('../../../lib/instruments/generator/cause')

t.test('a CPU wait does not spoil latencies that end at the arrival in the kernel', async t => {
  const usage = { cpuMs: 500, wallMs: 1000, activeMs: 400, gcMs: 0, runDelayMs: 500, blockedMs: 0, stalledMs: 0, waitingMs: 0, idleMs: 0, delay: { p50: 0, p99: 0, max: 0 } }
  const [read, arrived] = [false, true].map(byArrival => causeOf([usage], [], '--workers', { byArrival }).cause)
  t.match(read, /latencies are too high/)
  t.match(arrived, /the achieved rate is too low; latencies end at the arrival in the kernel and are not affected/)
  t.notMatch(arrived, /latencies are too high/)
})

t.test('a closed loop has no target rate that it could miss', async t => {
  const usage = { cpuMs: 500, wallMs: 1000, activeMs: 400, gcMs: 0, runDelayMs: 500, blockedMs: 0, stalledMs: 0, waitingMs: 0, idleMs: 0, delay: { p50: 0, p99: 0, max: 0 } }
  t.match(causeOf([usage], [], '--workers', { hasTarget: false }).cause, /p99 above all, and the throughput is too low\./)
  // Of messages over WebSocket as well.
  t.notMatch(causeOf([usage], [], '--workers', { hasTarget: false }).cause, 'request')
  t.match(causeOf([{ ...usage, runDelayMs: 0, blockedMs: 500 }], [], '--workers', { hasTarget: false }).cause, /the highest latencies are too high, and the throughput is too low\./)
})
