'use strict'

// The idle peers of one connection to other targets: a user that follows redirects returns to them.

/** The limit, such as for a login, a shop and its pictures. More origins are rare, and each takes a file descriptor. */
const MAX_IDLE = 3

/**
 * A shared empty list, because most connections have no idle peers, and an array for each takes memory.
 * @type {IdlePeer[]}
 */
const NONE = []

/**
 * The owner of a peer while no request is in flight on it.
 * @typedef {import('../protocols/peer').Owner} Owner
 * @implements {Owner}
 */
class IdlePeer {
  /**
   * @param {IdlePeers} peers
   * @param {import('../protocols/peer').Peer} peer
   * @param {import('../requests/target').Target} target
   * @param {number} left number of requests that its socket may still carry
   */
  constructor (peers, peer, target, left) {
    this.peers = peers
    this.peer = peer
    this.target = target
    this.left = left
    peer.owner = this
  }

  /** @type {Owner['received']} */
  received (size, buffer, start) {
    if (!this.peer.readIdle(buffer, start + size, start)) this.closed()
  }

  /** Closes the peer after the server closed it or sent an unsolicited response. */
  closed () {
    const { peers, peer } = this
    peers.list.splice(peers.list.indexOf(this), 1)
    peer.close()
    peers.onClosed()
  }

  opened () {}
  goOn () {}
  stalled () {}
  drained () {}
}

class IdlePeers {
  /** @param {() => void} onClosed called when a peer has closed */
  constructor (onClosed) {
    this.onClosed = onClosed
    /** @type {IdlePeer[]} the most recently used last */
    this.list = NONE
  }

  /**
   * @param {import('../protocols/peer').Peer} peer
   * @param {import('../requests/target').Target} target
   * @param {number} left number of requests that its socket may still carry
   */
  add (peer, target, left) {
    if (this.list.length === MAX_IDLE) this.list[0].closed()
    if (this.list === NONE) this.list = []
    this.list.push(new IdlePeer(this, peer, target, left))
  }

  /**
   * @param {import('../requests/target').Target} target
   * @returns {IdlePeer | null} a peer to the target, which the caller owns from now on
   */
  take (target) {
    const i = this.list.findIndex(idle => idle.target === target)
    return i === -1 ? null : this.list.splice(i, 1)[0]
  }

  close () {
    while (this.list.length > 0) this.list[0].closed()
  }
}

module.exports = { IdlePeers }
