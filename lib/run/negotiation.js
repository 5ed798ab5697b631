'use strict'

// Owns what `http: 'auto'` means: one handshake with each server before the run says which version of HTTP it prefers (ALPN, RFC 7301). It is
// in no figure.

const { buildPlan } = require('../options/plan')
const { makeConnect } = require('../wire/transport')
const { NameLookup } = require('./name-lookup')

/** What is offered, what we prefer first. */
const OFFERED = ['h2', 'http/1.1']

/** @typedef {import('../options/plan').Plan} Plan */

/**
 * @param {import('../options/read').Reading['values']} values that leave the version open
 * @returns {Promise<import('../options/read').Reading['values']>} 2 when all servers take it over TLS, and 1.1 otherwise: also when one can't be
 *   reached, which the run tells of
 */
async function withVersion (values) {
  const plan = buildPlan({ ...values, http: '2' })
  const { targets, network, timeout } = plan
  if (!targets.every(({ tls }) => tls)) return { ...values, http: '1.1' }
  const names = targets.some(({ named }) => named) || network?.named ? new NameLookup() : null
  await names?.start()
  const connect = makeConnect(network, { lookup: names?.lookup, alpn: OFFERED })
  const chosen = await Promise.all(targets.map(target => chosenBy(connect, target, timeout)))
  names?.stop()
  return { ...values, http: chosen.every(protocol => protocol === 'h2') ? '2' : '1.1' }
}

/**
 * @param {import('../wire/transport').Connect} connect
 * @param {Plan['targets'][number]} target
 * @param {number} timeout ms
 * @returns {Promise<string | null>} null when it can't be known
 */
function chosenBy (connect, target, timeout) {
  return new Promise(resolve => {
    const onread = { buffer: Buffer.alloc(1024), callback: () => true }
    const socket = connect(target, onread, ready => end(/** @type {import('node:tls').TLSSocket} */ (ready).alpnProtocol || null))
    const timer = setTimeout(() => end(null), timeout)
    /** @param {string | null} protocol */
    const end = protocol => {
      clearTimeout(timer)
      socket.destroy()
      resolve(protocol)
    }
    socket.on('error', () => end(null)).on('close', () => end(null))
  })
}

module.exports = { withVersion }
