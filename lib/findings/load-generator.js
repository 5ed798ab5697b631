'use strict'

// Effects of the load generator on the figures, and its pacing of the requests.

const { info, warning } = require('../core/finding')

/** @typedef {import('./findings').Finding} Finding */

/** @param {Record<string, any>} result @returns {Finding[]} why requests were not sent evenly, although configured */
function pace ({ rate, rounds }) {
  const { paceReason, paceCause } = rate?.paceReason === undefined ? rounds ?? {} : rate
  if (paceReason === undefined) return []
  // Results of older versions have the sentence alone.
  const { code: reason, ...facts } = paceCause ?? {}
  return [info('batched-pace', reason === undefined ? {} : { reason, ...facts })]
}

/** @param {Record<string, any>} result @returns {Finding[]} */
function loadGenerator ({ generator, requests }) {
  // Without a response there is no latency that the load generator could have changed.
  if (generator === undefined || requests?.total === 0) return []
  const { cause = null, reason, saturated, cpu, verdict = null, standstillMs = 0 } = generator
  /** @type {Finding[]} */
  const found = []
  if (cause !== null || saturated) {
    found.push(warning('load-generator', { verdict, reason, cpu }))
  }
  // Results of older versions have no cause.
  if (standstillMs > 0 && reason !== 'standstill') {
    found.push(warning('load-generator-stalled', { ms: standstillMs }))
  }
  return found
}

module.exports = { loadGenerator, pace }
