'use strict'

// Connects each target directly or through a proxy.

const { looksUpFor, routeTo } = require('../route')
const { Attempt } = require('./attempt')
const { ConnectMethod } = require('./connect-method')

/**
 * @typedef {import('../route').Proxy} Proxy
 * @typedef {import('../route').Place} Place
 * @typedef {import('../../requests/target').Target} Target
 *
 * @typedef {object} Means
 * @property {boolean} tunnels whether a proxy always has to open a tunnel
 * @property {import('../transport').Connect} direct without a proxy
 * @property {Pick<import('../addresses').Addresses, 'of'>} addresses
 * @property {(place: Place) => import('node:net').Socket | null} beyond returns a failing socket for a destination that
 *   is not allowed; null otherwise
 * @property {(proxy: Proxy, tlsOptions: Record<string, any>, onread: import('../transport').ReadInto | undefined) =>
 *   import('node:net').Socket} reach opens a socket to a proxy
 * @property {(target: Target, where: { socket: import('node:net').Socket }, onReady: (socket:
 *   import('node:net').Socket) => void) => import('node:net').Socket} secure
 * @property {number} [timeout] the timeout of an attempt, ms
 * @property {import('../../core/clock').Clock} now
 * @property {(ms: number) => void} [onProxied] called with the time that the proxy took for a connect
 */

/** @type {(network: import('../route').Network, means: Means) => import('../transport').Connect} */
function makeProxiedConnect (
  network, { tunnels, direct, addresses, beyond, reach, secure, timeout = 30_000, now, onProxied = () => {} }
) {
  const { http, https } = /** @type {import('../route').Proxies} */ (network.proxies)
  const { Socks } = http?.kind === 'socks' || https?.kind === 'socks' ? require('./socks') : { Socks: null }
  /** @type {(proxy: Proxy, place: Place) => import('./attempt').Handshake} */
  const handshakeOf = (proxy, place) => {
    if (Socks === null || proxy.kind === 'http') return new ConnectMethod(proxy, place)
    return new Socks(proxy, place, timeout, looksUpFor(network, proxy, place) ? addresses : null)
  }
  return (target, onread, onReady) => {
    const { proxy, place, tunnel } = routeTo(network, target, tunnels)
    if (proxy === null) return direct(target, onread, onReady)
    const refused = looksUpFor(network, proxy, place) ? null : beyond(place)
    if (refused !== null) return refused
    return new Attempt({
      proxy,
      place,
      handshake: tunnel ? handshakeOf(proxy, place) : null,
      onread,
      reach: onread => reach(proxy, target.tlsOptions, onread),
      secure: target.tls ? (socket, onReady) => secure(target, { socket }, onReady) : null,
      now,
      onReady: (socket, proxyMs) => {
        onProxied(proxyMs)
        onReady(socket)
      }
    })
  }
}

module.exports = { makeProxiedConnect }
