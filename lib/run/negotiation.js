'use strict'

// Resolves `http: 'auto'`: one handshake with each server before the run shows its preferred version of HTTP (ALPN, RFC
// 7301). It is not part of the result.

const { buildPlan } = require('../options/plan')
const { withoutUserinfo } = require('../core/secrets')
const { checkCiphers, makeConnect } = require('../net/transport')
const { attempt } = require('./attempt')
const { NameLookup } = require('./name-lookup')

const OFFERED = ['h2', 'http/1.1']

/** The number of attempts, because a handshake may fail by chance. */
const TRIES = 2

/** The wait before a notice, ms. */
const SLOW = 500

/**
 * @typedef {import('../options/plan').Plan} Plan
 * @typedef {import('../options/read').Reading['values']} Values
 *
 * @typedef {object} Negotiated
 * @property {Values} values with the version: 2 if all servers accept it over TLS, otherwise 1.1
 * @property {boolean} isKnown false if a server is unreachable
 */

/**
 * @param {Values} given values with `http: 'auto'`
 * @param {(sentence: string) => void} notify shows a notice
 * @param {AbortSignal} signal aborts the negotiation: the run ended before its load
 * @returns {Promise<Negotiated>}
 * @throws {import('../core/errors').OptionsError} for invalid TLS options
 */
async function negotiate (given, notify, signal) {
  const plan = buildPlan({ ...given, http: '2' })
  const { targets, network, connectTimeout: timeout, tls } = plan
  const old = { ...given, http: '1.1' }
  if (!targets.every(target => target.tls)) return { values: old, isKnown: true }
  if (tls !== null) checkCiphers(tls.ciphers)
  const names = targets.some(({ named }) => named) || network?.named ? new NameLookup() : null
  const waiting = setTimeout(
    () => notify(`asking ${given.url.map(withoutUserinfo).join(', ')} for its preferred HTTP version, for ` +
      `${timeout / 1000} s at most; --http 1.1 or --http 2 skips this`),
    SLOW
  )
  try {
    await names?.start()
    const connect = makeConnect(network, { lookup: names?.lookup, alpn: OFFERED, timeout })
    const chosen = await Promise.all(targets.map(target => chosenBy(connect, target, timeout, signal)))
    return {
      values: chosen.every(protocol => protocol === 'h2') ? { ...given, http: '2' } : old,
      isKnown: !chosen.includes(null)
    }
  } finally {
    clearTimeout(waiting)
    names?.stop()
  }
}

/**
 * @param {import('../net/transport').Connect} connect
 * @param {Plan['targets'][number]} target
 * @param {number} timeout ms of all attempts together
 * @param {AbortSignal} signal
 * @returns {Promise<string | null>} the protocol; empty if the server does not support ALPN, null if unknown
 */
async function chosenBy (connect, target, timeout, signal) {
  const until = Date.now() + timeout
  for (let tries = 0; tries < TRIES; tries++) {
    const protocol = signal.aborted ? null : (await attempt(connect, target, until - Date.now(), signal)).protocol
    if (protocol !== null) return protocol
  }
  return null
}

module.exports = { negotiate }
