'use strict'

// Owns the Plan: what a generator needs to know, in its units, frozen and structured-cloneable.

const { parseTarget } = require('../request/target')

/**
 * @typedef {object} Plan
 * @property {ReadonlyArray<import('../request/target').Target>} targets the connections take turns
 * @property {ReadonlyArray<import('../request/serialize').Request>} requests the sequence of each connection
 * @property {number} connections
 * @property {number} pipelining
 * @property {number} duration ms
 * @property {number | null} amount requests; null when the duration ends the run
 * @property {number} timeout ms
 * @property {number} sampleInt ms
 */

/**
 * @param {import('./normalize').Values} values
 * @returns {Plan}
 */
function buildPlan (values) {
  const targets = values.url.map((/** @type {string} */ url) =>
    Object.freeze(parseTarget(url, { socketPath: values.socketPath })))
  return Object.freeze({
    targets: Object.freeze(targets),
    requests: Object.freeze([Object.freeze({
      method: values.method,
      path: null,
      headers: values.headers ?? [],
      body: values.body ?? values.input ?? null
    })]),
    connections: values.connections,
    pipelining: values.pipelining,
    duration: values.duration * 1000,
    amount: values.amount ?? null,
    timeout: values.timeout * 1000,
    sampleInt: values.sampleInt
  })
}

module.exports = { buildPlan }
