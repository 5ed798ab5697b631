'use strict'

// Finds effects of the load generator on the figures, and a pace that was not even.

const { info, warning } = require('../core/finding')

/** @typedef {import('./findings').Finding} Finding */

/** @param {Record<string, any>} result @returns {Finding[]} why requests were sent in batches, against the option */
function pace ({ rate, iterations }) {
  const { paceReason, paceCause } = rate?.paceReason === undefined ? iterations ?? {} : rate
  if (paceReason === undefined) return []
  // Results of older versions have a sentence only.
  const { code: reason, ...facts } = paceCause ?? {}
  return [info('batched-pace', reason === undefined ? {} : { reason, ...facts })]
}

/** @param {Record<string, any>} result @returns {Finding[]} */
function loadGenerator ({ generator, requests }) {
  // Without a response, the load generator cannot have changed a latency.
  if (generator === undefined || requests?.total === 0) return []
  const { cause = null, reason, saturated, cpu, verdict = null, stalledMs = 0 } = generator
  /** @type {Finding[]} */
  const found = []
  if (cause !== null || saturated) {
    found.push(warning('load-generator', { verdict, reason, cpu }))
  }
  // Results of older versions have no cause.
  if (stalledMs > 0 && reason !== 'stall') {
    found.push(warning('load-generator-stalled', { ms: stalledMs }))
  }
  return found
}

module.exports = { loadGenerator, pace }
