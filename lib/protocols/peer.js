'use strict'

// One socket to a server and the protocol on it: opening, write backpressure and end. Subclasses interpret the bytes.

/**
 * A connection to a server, with the protocol that is spoken on it. It is opened repeatedly; each `open` follows a
 * `close`, or is the first one.
 * @typedef {object} Peer
 * @property {Owner} owner
 * @property {boolean} closed before `open`, and after `close`
 * @property {boolean} blocked whether the socket takes no more until the server reads
 * @property {number} capacity how many requests may be in flight; Infinity when the server sets no limit
 * @property {boolean} stopped whether this connection brings no further response
 * @property {Error & { code?: string } | null} error why; null after its last one
 * @property {Error & { code?: string } | null} late why it takes no requests yet, where more is known than that it
 *   takes too long
 * @property {(target: import('../requests/target').Target) => void} open
 * @property {() => void} greet the owner has read while the connection was not open: it is `opened` or `closed`, or
 *   waits for more
 * @property {(bytes: Buffer, row: number) => void} send bytes of requests, the first of which has that row. They may
 *   wait for `flush`
 * @property {() => void} flush
 * @property {(buffer: Buffer, end: number, start: number) => void} read
 * @property {(buffer: Buffer, end: number, start: number) => boolean} readIdle while no request is in flight; whether
 *   the connection can still be used
 * @property {(row: number) => boolean} cancel ends one request; false when the connection has to end for that
 * @property {(row: number) => void} [leave] no more is wanted of its response, which is complete with that; none where
 *   responses are no streams
 * @property {(at: number) => boolean} isStalled whether the server has not read for as long as a request may take
 * @property {(at: number) => void} [look] called several times a second, for changes without an event
 * @property {() => void} finish the server has ended the connection in an orderly way: so ends a response that lasts
 *   until then
 * @property {() => void} [retire] it is closed next, in order, as it carries no more requests
 * @property {() => void} close no event follows; `hasBegun` and `untouched` are of the closed connection until it is
 *   opened again
 * @property {(row: number) => boolean} hasBegun whether its response has
 * @property {(row: number) => boolean} untouched whether the server has reported, or it is known here, that it did
 *   nothing with that request
 * @property {() => boolean} countFailure whether a failure to connect counts as an error; false where another peer
 *   has reported the same one
 *
 * Events of the connection, without a request.
 * @typedef {object} Owner
 * @property {() => void} opened it takes requests
 * @property {(size: number, buffer: Buffer, start: number, arrival: number, seen: number) => void} received notes the
 *   time, and calls `read`: `arrival` is when the last bytes arrived, -1 when that is not known, and `seen` when they
 *   were read, or as much later as they may have waited
 * @property {() => void} goOn responses have been reported that another connection's `received` led to
 * @property {() => void} stalled `blocked` is true now
 * @property {() => void} drained it is false again
 * @property {(error: Error & { code?: string } | null) => void} closed by the server, or it could not be made: the
 *   owner closes the peer; null for an orderly end
 *
 * Events of requests, by their rows.
 * @typedef {object} Receiver
 * @property {number} readAt when the bytes arrived that are read now
 * @property {number} arrival the same where the kernel has reported it; -1 where it is the time of the read
 * @property {number} completed how many responses have come since the connection was opened
 * @property {boolean} looks whether `onHead` is called
 * @property {(row: number, head: ResponseHead) => boolean} onHead whether the body is wanted
 * @property {(row: number, bytes: Buffer, start: number, end: number) => void} onBody
 * @property {(row: number, raw: string[]) => void} onTrailers names and values alternate, after the body; only after
 *   `onHead`
 * @property {(row: number, status: number, size: number, begunAt: number) => void} onComplete `begunAt` is when its
 *   first byte came
 * @property {(row: number, error: Error & { code?: string }) => void} onLost the request gets no response, and others
 *   do
 * @property {() => void} onLimit `capacity` has changed
 * @property {(row: number) => void} onWait the request waits for a stream
 * @property {(row: number) => void} onRepeat the request, which waited for a stream or was refused, is sent now
 *
 * @typedef {object} ResponseHead
 * @property {number} status
 * @property {() => string[]} rawHeaders names and values alternate
 * @property {{ statusMessage: string, versionMajor: number, versionMinor: number }} statusLine
 * @property {() => void} keep the buffer of the read is about to be used again
 *
 * The requests that are sent and have no response yet.
 * @typedef {object} InFlight
 * @property {number} capacity
 * @property {number} count
 * @property {number} oldest row of the one that was sent first
 * @property {ArrayLike<number>} newer rows in the order of sending
 * @property {(row: number) => string} methodOf
 * @property {(row: number) => Buffer} bytesOf
 *
 * @typedef {object} Net
 * @property {import('../net/transport').Connect} connect
 * @property {Buffer} readBuffer
 * @property {import('../core/clock').Clock} now
 * @property {number} timeout ms that a request may take
 * @property {MessageCounts | null} messages null where the protocol has none
 * @property {EventCounts | null} pushed null where messages that respond to nothing are not timed
 * @property {import('../core/clock').Clock} wallNow ms since 1970
 * @property {(error: Error) => void} onFailure a function of the user failed, or the server lacks the protocol: the run
 *   can't go on
 * @property {(streams: number) => void} onStreamLimit the server allows fewer streams on a connection than are wanted
 *
 * Where messages are counted, beside those that are requests and have a fate.
 * @typedef {object} MessageCounts
 * @property {number} opened handshakes that the server accepted
 * @property {number} compressed of these, those that negotiated compression
 * @property {number} sent
 * @property {number} received
 * @property {number} unmatched of these, those that respond to nothing
 * @property {number} late responses to messages that timed out
 * @property {(status: number) => void} refuse a handshake got that status
 * @property {(ms: number) => void} ponged its round trip, or its age when it timed out
 * @property {(ms: number) => void} pendingPing it has waited for so long when its connection or the run ended
 * @property {(code: number) => void} close by the server
 * @property {(ms: number) => void} aged a message that responds to nothing had that age
 *
 * Where messages are counted that respond to nothing; each connection is a stream of them.
 * @typedef {object} EventCounts
 * @property {() => void} begin
 * @property {() => void} leave it is over, in whatever way
 * @property {number} events
 * @property {number} reads that had some
 * @property {number} stalls
 * @property {(ms: number) => void} first from the handshake
 * @property {(ms: number, paced: boolean) => unknown} pending none has come in that time
 * @property {{ record: (ms: number) => void }} gap
 * @property {(ms: number, events: number, isClosed: boolean) => void} close
 *
 * @typedef {(owner: Owner, receiver: Receiver, inFlight: InFlight, net: Net) => Peer} MakePeer
 *
 * How requests and responses are bytes.
 * @typedef {object} Protocol
 * @property {import('../templates/template').Encode} encode
 * @property {(bytes: Buffer, request: import('../requests/request').Request) => import('../requests/request').Request}
 *   [decode] the sent request, from its bytes; redirects of requests with their own values need it
 * @property {import('../templates/template').Finish} [finish] completes the bytes of `encode` after its values are
 *   filled in; left out where they are complete
 * @property {(bytes: Buffer) => Buffer} [keep] for bytes that are written repeatedly: the same, or an equivalent that
 *   is written faster
 * @property {boolean} joins whether the bytes of several requests may go in one write
 * @property {ReadonlyArray<string>} alpn its names in TLS (RFC 7301)
 * @property {number} [perSocket] how many requests a connection can carry
 * @property {{ readonly open: number }} [connections] how many are open, where peers share them
 * @property {MakePeer} peer
 *
 * Connects a socket: until it is connected, it has at most an error.
 * @typedef {object} Opening
 * @property {(event: 'drain' | 'error' | 'end' | 'close', listener: (error: Error) => void) => unknown} [on] none of a
 *   socket of the add-on, which has a listener
 * @property {() => unknown} destroy
 * @property {Error} [late] why it takes too long
 *
 * The interface of a socket of node:net, node:tls or the add-on for a peer.
 * @typedef {Opening & { write: (bytes: Buffer) => boolean, writableLength: number, alpnProtocol?: string | false | null
 *   } & Room} Socket
 *
 * Of one of the add-on: `reserve` returns where bytes can be put into `output`, and `commit` sends them; -1 where there
 * is no room, and `write` has to take them.
 * @typedef {{ output?: Buffer, reserve?: (length: number) => number, commit?: (length: number) => void }} Room
 */

/** @abstract */
class SocketPeer {
  /** @param {Owner} owner @param {Receiver} receiver @param {InFlight} inFlight @param {Net} net */
  constructor (owner, receiver, inFlight, net) {
    this.owner = owner
    this.receiver = receiver
    this.inFlight = inFlight
    this.net = net
    /** @type {Opening | null} */
    this.socket = null
    this.capacity = Infinity
    this.blocked = false
    // Since when, if it is.
    this.blockedAt = 0
  }

  get closed () {
    return this.socket === null
  }

  /** @returns {Error & { code?: string } | null} */
  get late () {
    return this.socket?.late ?? null
  }

  /** @param {import('../requests/target').Target} target */
  open (target) {
    const { connect, readBuffer } = this.net
    const onread = {
      buffer: readBuffer,
      listener: this,
      /** @type {import('../net/transport').ReadInto['callback']} */
      callback: (size, buffer, start, arrival, seen) => {
        this.received(socket, size, buffer, start, arrival, seen)
        return true
      }
    }
    /** @type {Opening} */
    let socket = connect(target, onread, ready => {
      if (this.socket !== socket) return
      // Through a proxy, there is a socket only now.
      if (ready !== socket) this.hear(this.socket = socket = ready)
      this.begin(ready)
      this.greet()
    })
    this.socket = socket
    this.hear(socket)
  }

  /** @param {Opening} socket one of the add-on has this peer as its listener */
  hear (socket) {
    socket.on?.('drain', () => this.drained(socket))
    socket.on?.('error', error => this.lost(socket, error))
    socket.on?.('end', () => this.lost(socket, null))
    socket.on?.('close', () => this.lost(socket, null))
  }

  /**
   * The connection is open.
   * @abstract
   * @param {Socket} socket
   */
  begin (socket) {}

  /** @abstract */
  greet () {}

  // The listener of the socket. An event of an earlier one means nothing.

  /**
   * @param {Opening} socket
   * @param {number} size
   * @param {Buffer} buffer
   * @param {number} [start]
   * @param {number} [arrival]
   * @param {number} [seen]
   */
  received (socket, size, buffer, start = 0, arrival = -1, seen = -1) {
    if (this.socket === socket) this.owner.received(size, buffer, start, arrival, seen)
  }

  /** @param {Opening} socket that takes more */
  drained (socket) {
    if (this.socket !== socket || !this.blocked) return
    this.blocked = false
    this.owner.drained()
  }

  /** @param {Opening} socket that has not taken all written bytes */
  filled (socket) {
    if (this.socket === socket) this.stall()
  }

  /** @param {Opening} socket @param {Error | null} error null at the end of the stream */
  lost (socket, error) {
    if (this.socket === socket) this.owner.closed(error)
  }

  /**
   * A write has reported that the socket takes no more. A write that is larger than the buffer in this process always
   * does, even when the kernel has taken all of it: only bytes that are left here wait for the server.
   */
  stall () {
    const socket = /** @type {Socket | null} */ (this.socket)
    if (this.blocked || socket === null || socket.writableLength === 0) return
    this.blocked = true
    this.blockedAt = this.net.now()
    this.owner.stalled()
  }

  /** @param {number} at the time now */
  isStalled (at) {
    return this.blocked && at - this.blockedAt >= this.net.timeout
  }

  countFailure () {
    return true
  }

  close () {
    const { socket } = this
    this.socket = null
    this.blocked = false
    socket?.destroy()
  }
}

module.exports = { SocketPeer }
