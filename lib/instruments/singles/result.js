'use strict'

// Owns what a result says of single requests: the slowest, and the first that failed.

const { withReferences } = require('../../core/secrets')
const { round } = require('../../core/units')

/** What rounds to 0 µs counts as 1 µs, as in every distribution. */
const SHORTEST = 0.001

/**
 * @param {unknown} _
 * @param {import('../../figures/result').Context} context
 * @returns {{ slowest: Array<Record<string, any>>, firstFailures: Array<Record<string, any>> }}
 */
function derive (_, { outcome: { totals: { singles: { slowest, failures } }, start }, tellsWire }) {
  /** @param {import('./record').Single} single */
  const shown = ({ time, connect, waited, firstByte, total, size, ...rest }) => {
    const { name, request, connection, status, error, ...traced } = rest
    const [connectMs, firstByteMs] = [tellsWire ? connect : null, firstByte].map(ms => ms === null ? null : round(ms))
    return { time: new Date(Math.round(+start + time)), name, request: withReferences(request), connection, connect: connectMs, waited: round(waited), firstByte: firstByteMs, total: round(total) || SHORTEST, status, size: tellsWire ? size : null, error, ...traced }
  }
  return { slowest: slowest.map(shown), firstFailures: failures.map(shown) }
}

module.exports = { derive }
