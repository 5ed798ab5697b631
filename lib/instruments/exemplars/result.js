'use strict'

// Exemplars in a result: the slowest and the first failed requests.

const { withReferences } = require('../../core/secrets')
const { round } = require('../../core/units')

/** A time that rounds to 0 µs counts as 1 µs, as in every distribution. */
const SHORTEST = 0.001

/**
 * @param {import('./record').Exemplars} exemplars
 * @param {import('../../figures/result').Context} context
 * @returns {{ slowest: Array<Record<string, any>>, firstFailures: Array<Record<string, any>> }}
 */
function derive ({ slowest, failures }, { outcome: { start }, hasWireFigures }) {
  /** @param {import('./record').Exemplar} exemplar */
  const shown = ({ time, connect, waited, firstByte, total, size, ...rest }) => {
    const { name, request, connection, status, error, ...traced } = rest
    const [connectMs, firstByteMs] = [hasWireFigures ? connect : null, firstByte]
      .map(ms => ms === null ? null : round(ms))
    return {
      time: new Date(Math.round(+start + time)), name, request: withReferences(request), connection, connect: connectMs,
      waited: round(waited), firstByte: firstByteMs, total: round(total) || SHORTEST, status,
      size: hasWireFigures ? size : null, error, ...traced
    }
  }
  return { slowest: slowest.map(shown), firstFailures: failures.map(shown) }
}

/**
 * @param {import('./record').ExemplarsReport} report
 * @param {import('../../figures/aggregate').Move} move
 * @returns {import('./record').ExemplarsReport} of a run that began later by this
 */
function moved ({ slowest, failures }, { offset }) {
  const [a, b] = [slowest, failures].map(list => list.map(exemplar => ({ ...exemplar, time: exemplar.time + offset })))
  return { slowest: a, failures: b }
}

module.exports = { derive, moved }
