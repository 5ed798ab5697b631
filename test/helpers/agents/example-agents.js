'use strict'

// Agents of a run that look like real ones.

const { healthOf } = require('../../../lib/instruments/generator/health')

/** @param {number} busy ms of ten seconds */
const usageOf = busy => ({ cpuMs: busy, activeMs: busy, idleMs: 0, gcMs: 3, wallMs: 10_000, stalledMs: 0, runDelayMs: 20, blockedMs: 0, lateMs: 0, delay: { p50: 0.1, p99: 1.2, max: 4 } })

/**
 * @param {number} i
 * @param {{ busy?: number, sent?: number, connections?: number } & Record<string, any>} [how]
 * @returns {any} with the usage of its one generator
 */
function agentOutcome (i, { busy = 3000, sent = 100, connections = 10, ...changes } = {}) {
  const usage = usageOf(busy)
  const health = healthOf([usage], undefined, [], 'more agents')
  return { name: `agent-${i}`, host: `host-${i}`, cores: 4, node: 'v22.1.0', workers: 1, connections, requests: { sent, total: Math.max(0, sent - 1) }, health, skew: 0.4, clockError: 0.25, lost: null, ...changes, usage }
}

module.exports = { agentOutcome, usageOf }
