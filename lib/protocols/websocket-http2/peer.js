'use strict'

// WebSocket over HTTP/2: the differences from WebSocket over HTTP/1.1. The tunnel is the socket, and the response to
// CONNECT is that to the handshake.

const { openHead } = require('../http2/requests')
const { Tunnels } = require('../http2/tunnels')
const { HandshakeError } = require('../websocket/handshake')
const { WebSocketPeer, commonOf, websocket } = require('../websocket/peer')
const { connectFields, readConnectResponse } = require('./handshake')

/** @typedef {import('../http2/tunnel').Tunnel} Tunnel */

class TunnelledPeer extends WebSocketPeer {
  /**
   * @param {import('../peer').Owner} owner
   * @param {import('../peer').Receiver} receiver
   * @param {import('../peer').InFlight} inFlight
   * @param {import('../peer').Net} net that connects tunnels
   * @param {import('../websocket/peer').Common} common
   */
  constructor (owner, receiver, inFlight, net, common) {
    super(owner, receiver, inFlight, net, common)
    /** The last tunnel. @type {Tunnel | null} */
    this.tunnel = null
  }

  /** @type {import('../peer').Peer['open']} */
  open (target) {
    super.open(target)
    this.tunnel = /** @type {Tunnel} */ (this.socket)
  }

  /** @param {import('../peer').Socket} socket a tunnel with a response */
  begin (socket) {
    const { status, rawHeaders, readAt } = /** @type {Tunnel} */ (socket)
    const { wanted } = /** @type {import('../websocket/handshake').Handshake} */ (this.handshake)
    const choice = readConnectResponse(wanted, status, rawHeaders)
    this.receiver.readAt = readAt
    if (choice instanceof HandshakeError) {
      this.counts.refuse(status)
      return this.fail(choice)
    }
    this.accept(choice)
  }

  countFailure () {
    return this.tunnel === null || this.tunnel.countFailure()
  }
}

/**
 * @param {import('../../options/plan').Plan} plan
 * @returns {import('../peer').Protocol} WebSocket over HTTP/2 for the connections of one thread
 */
function websocketOverHttp2 (plan) {
  const common = commonOf(plan)
  const tunnels = new Tunnels(plan.streams, target => openHead(connectFields(common.wantedOf(target), target.tls)))
  return {
    ...websocket(plan, common),
    alpn: ['h2'],
    connections: tunnels,
    peer: (owner, receiver, inFlight, net) =>
      new TunnelledPeer(owner, receiver, inFlight, tunnels.through(net), common)
  }
}

module.exports = { websocketOverHttp2 }
