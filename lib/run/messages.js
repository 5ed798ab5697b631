'use strict'

// Owns the forms in which snapshots and errors travel between threads and machines: plain objects, which structuredClone
// and JSON both leave as they are.

const { AutocannonError, OptionsError } = require('../errors')
const { Distributions } = require('../record/distributions')

/**
 * Every message between a coordinator and the thread of a generator.
 * @typedef {{ type: 'start' } | { type: 'stop' } | { type: 'observe', responses: boolean, errors: boolean, mismatches: boolean }} Order
 * @typedef {{ type: 'ready' } | { type: 'alive' }
 *   | { type: 'snapshot', snapshot: ReturnType<typeof encodeSnapshot> }
 *   | { type: 'responses', list: Float64Array }
 *   | { type: 'mismatch', body: string }
 *   | { type: 'requestError', error: ReturnType<typeof encodeError> }
 *   | { type: 'end', error: ReturnType<typeof encodeError> | null }} Report
 */

/** How often a thread says that it lives, ms. */
const HEARTBEAT = 1000

/** @param {import('../record/recorder').Snapshot} snapshot */
function encodeSnapshot (snapshot) {
  return { ...snapshot, distributions: snapshot.distributions?.encode() ?? null }
}

/**
 * @param {ReturnType<typeof encodeSnapshot>} message
 * @returns {import('../record/recorder').Snapshot}
 */
function decodeSnapshot (message) {
  if (message.distributions === null) return { ...message, distributions: null }
  const distributions = new Distributions()
  distributions.addEncoded(message.distributions)
  return { ...message, distributions }
}

/** @param {Error & { code?: string }} error */
function encodeError ({ name, code, message, stack }) {
  return { name, code, message, stack }
}

/**
 * @param {ReturnType<typeof encodeError>} message
 * @returns {Error & { code?: string }}
 */
function decodeError ({ name, code, message, stack }) {
  if (code === 'AC_OPTIONS') return new OptionsError(message.split('\n'))
  const error = code !== undefined && code.startsWith('AC_') ? new AutocannonError(code, message) : new Error(message)
  return Object.assign(error, { name, stack }, code === undefined ? {} : { code })
}

module.exports = { HEARTBEAT, encodeSnapshot, decodeSnapshot, encodeError, decodeError }
