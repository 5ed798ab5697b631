'use strict'

// The tunnels of one thread: gives each a place on a connection to its server, or on a new one if all are full.

const { Vacancies } = require('../../core/vacancies')
const { serverOf } = require('../../requests/target')
const { makeCommon } = require('./peer')
const { Tunnel } = require('./tunnel')
const { TunnelConnection } = require('./tunnel-connection')

/** @typedef {import('../../requests/target').Target} Target */

/** @extends {Vacancies<TunnelConnection>} */
class Tunnels extends Vacancies {
  /**
   * @param {number} size how many tunnels a connection carries
   * @param {(target: Target) => Buffer} headOf the CONNECT to a target, in frames
   */
  constructor (size, headOf) {
    super()
    /** Fewer once a server allows fewer. */
    this.size = size
    this.headOf = headOf
    this.common = makeCommon()
    /** Whether a server has accepted them. */
    this.hasOpened = false
    /** Connects sockets. @type {import('../peer').Net | null} */
    this.net = null
    /** The same for WebSockets, to which a tunnel is a socket. @type {import('../peer').Net | null} */
    this.tunnelled = null
    /** @type {Map<Target, Buffer>} */
    this.heads = new Map()
  }

  /**
   * @param {import('../peer').Net} net of all connections of the thread
   * @returns {import('../peer').Net} the same, but with tunnels
   */
  through (net) {
    if (this.tunnelled === null) {
      this.net = net
      /** @type {import('../../net/transport').Connect} */
      const connect = (target, onread, onReady) => this.connect(target, onread, onReady)
      this.tunnelled = { ...net, connect }
    }
    return this.tunnelled
  }

  /** @type {(...needs: Parameters<import('../../net/transport').Connect>) => Tunnel} */
  connect (target, onread, onReady) {
    let head = this.heads.get(target)
    if (head === undefined) this.heads.set(target, head = this.headOf(target))
    const { listener } = /** @type {Required<import('../../net/transport').ReadInto>} */ (onread)
    const tunnel = new Tunnel(target, head, listener, onReady)
    this.place(tunnel)
    return tunnel
  }

  /** @param {Tunnel} tunnel which has a place on a connection to its server from now on */
  place (tunnel) {
    const key = serverOf(tunnel.target)
    const net = /** @type {import('../peer').Net} */ (this.net)
    this.assign(tunnel, key, () => new TunnelConnection(this, key, net))?.peer.open(tunnel.target)
  }
}

module.exports = { Tunnels }
