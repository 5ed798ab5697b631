'use strict'

// Searches for the limit that look like real ones and never change.

/**
 * @param {number} value
 * @param {object} [step]
 */
const stepOf = (value, step = {}) => ({
  value,
  attempt: 1,
  outcome: 'held',
  reason: null,
  certain: true,
  from: 2,
  to: 10,
  seconds: 8,
  connections: 10,
  requests: value * 8,
  achieved: value,
  completed: value,
  p50: 2,
  p99: 4.5,
  failures: 0,
  failureRate: 0,
  growth: 0,
  generator: { verdict: 'healthy', cause: null },
  thresholds: [{ expression: 'p99 < 50ms', metric: 'p99', actual: 4.5, passed: true, unit: 'ms' }],
  ...step
})

/** What a step that did not hold has. */
const failing = { outcome: 'failed', reason: 'threshold', p50: 30, p99: 71, thresholds: [{ expression: 'p99 < 50ms', metric: 'p99', actual: 71, passed: false, unit: 'ms' }] }

/** @param {object} [search] */
const searchOf = (search = {}) => ({
  best: 4210,
  unit: 'requests/s',
  limit: 'server',
  above: 4270,
  knee: null,
  over: 'rate',
  from: 100,
  to: 20_000,
  precision: 0.03,
  step: 10,
  thresholds: ['p99 < 50ms'],
  steps: [stepOf(100), stepOf(4270, failing), stepOf(4270, { ...failing, attempt: 2 }), stepOf(4210, { p50: 8, p99: 48 })],
  ...search
})

module.exports = { failing, searchOf, stepOf }
