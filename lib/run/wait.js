'use strict'

// Waits for a server that is still starting: connects to the targets until one accepts. It is not part of the result.

const { setTimeout: sleep } = require('node:timers/promises')
const { now } = require('../core/clock')
const { buildPlan } = require('../options/plan')
const { checkCiphers, makeConnect } = require('../net/transport')
const { attempt } = require('./attempt')
const { NameLookup } = require('./name-lookup')
const { noConnection } = require('./no-connection')

/** The interval of attempts, ms. */
const PAUSE = 100

/**
 * @typedef {import('../options/plan').Plan['targets'][number]} Target
 *
 * @typedef {object} Wait
 * @property {import('../net/transport').Connect} connect
 * @property {number} until deadline on the clock
 * @property {number} timeout of one attempt, ms
 * @property {AbortSignal} signal aborts the wait
 */

/**
 * @param {import('../options/read').Reading['values']} values with `wait`, in seconds
 * @param {AbortSignal} signal
 * @returns {Promise<void>} resolves when a target has accepted a connection including TLS, or after an abort
 * @throws {import('../core/errors').AutocannonError} AC_NO_CONNECTION after the deadline
 */
async function waitForServer (values, signal) {
  const { targets, network, connectTimeout: timeout, tls } = buildPlan({
    ...values, http: values.http === 'auto' ? '1.1' : values.http
  })
  if (tls !== null) checkCiphers(tls.ciphers)
  const ms = values.wait * 1000
  const names = targets.some(({ named }) => named) || network?.named ? new NameLookup() : null
  const first = new AbortController()
  const wait = { until: now() + ms, timeout, signal: AbortSignal.any([signal, first.signal]) }
  try {
    await names?.start()
    const connect = makeConnect(network, { lookup: names?.lookup, timeout })
    const codes = await Promise.all(targets.map(async target => {
      const code = await failureOf(target, { ...wait, connect })
      if (code === null) first.abort()
      return code
    }))
    if (!codes.includes(null) && !signal.aborted) {
      throw noConnection(values.url, ms, codes[0] ?? null, 'To wait longer, raise --wait.')
    }
  } finally {
    names?.stop()
  }
}

/**
 * Returns the code of the last error; null after a successful connection.
 * @type {(target: Target, wait: Wait) => Promise<string | null>}
 */
async function failureOf (target, { connect, until, timeout, signal }) {
  /** @type {string | null} */
  let code = 'AC_CONNECT_TIMEOUT'
  while (!signal.aborted && now() < until) {
    code = (await attempt(connect, target, Math.min(timeout, until - now()), signal)).code
    if (code === null) return null
    await sleep(PAUSE, undefined, { signal }).catch(() => {})
  }
  return code
}

module.exports = { waitForServer }
