'use strict'

// The tunnels of one thread: gives each a place on a connection to its server, or on a new one if all are full.

const { serverOf } = require('../../requests/target')
const { makeCommon } = require('./peer')
const { Tunnel } = require('./tunnel')
const { TunnelConnection } = require('./tunnel-connection')

/** @typedef {import('../../requests/target').Target} Target */

class Tunnels {
  /**
   * @param {number} size how many tunnels a connection carries
   * @param {(target: Target) => Buffer} headOf the CONNECT to a target, in frames
   */
  constructor (size, headOf) {
    /** Fewer once a server allows fewer. */
    this.size = size
    this.headOf = headOf
    this.common = makeCommon()
    /** Whether a server has said that it takes them. */
    this.hasOpened = false
    /** What connects sockets. @type {import('../peer').Net | null} */
    this.net = null
    /** The same for WebSockets, to which a tunnel is a socket. @type {import('../peer').Net | null} */
    this.tunnelled = null
    /** @type {Map<Target, Buffer>} */
    this.heads = new Map()
    /** @type {Set<TunnelConnection>} */
    this.all = new Set()
    /**
     * Those that may have a place left, by server; the last one is asked first.
     * @type {Map<string, TunnelConnection[]>}
     */
    this.vacant = new Map()
  }

  /** @returns {number} how many connections are open */
  get open () {
    let count = 0
    for (const { isOpen } of this.all) if (isOpen) count++
    return count
  }

  /**
   * @param {import('../peer').Net} net of all connections of the thread
   * @returns {import('../peer').Net} the same, but what it connects is a tunnel
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
    const vacant = this.vacant.get(key) ?? []
    if (vacant.length === 0) this.vacant.set(key, vacant)
    while (vacant.length > 0 && !vacant[vacant.length - 1].takes) vacant.pop()
    if (vacant.length > 0) return vacant[vacant.length - 1].take(tunnel)
    const connection = new TunnelConnection(this, key, /** @type {import('../peer').Net} */ (this.net))
    this.all.add(connection)
    vacant.push(connection)
    connection.take(tunnel)
    connection.peer.open(tunnel.target)
  }

  /** @param {TunnelConnection} connection that has a place left */
  offer (connection) {
    if (!connection.takes) return
    const vacant = this.vacant.get(connection.key)
    if (vacant === undefined) this.vacant.set(connection.key, [connection])
    else if (!vacant.includes(connection)) vacant.push(connection)
  }

  /** @param {TunnelConnection} connection that takes no more */
  forget (connection) {
    if (!connection.isOpen) this.all.delete(connection)
    const vacant = this.vacant.get(connection.key) ?? []
    const i = vacant.indexOf(connection)
    if (i !== -1) vacant.splice(i, 1)
    if (vacant.length === 0) this.vacant.delete(connection.key)
  }
}

module.exports = { Tunnels }
