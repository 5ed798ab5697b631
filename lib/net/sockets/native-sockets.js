'use strict'

// The sockets of one load generator in the add-on: it reads and writes many per call, and times reads by their arrival
// in the kernel. It connects to servers itself, and takes over sockets of node:net, for example through a proxy.

const { getSystemErrorName } = require('node:util')
const { Attempts } = require('./attempts')
const { NativeSocket } = require('./native-socket')

/** Buffer sizes of one turn: a read has up to 64 KiB. */
const INPUT = 1024 * 1024
const OUTPUT = 256 * 1024

/** The limit of reads before the resulting requests are sent: the first request of a batch waits for the last one. */
const BATCH = 64

/** The limit of sends per batch, and the fields of each: socket, offset, length, and the number of accepted bytes. */
const MOST_SENDS = 4 * BATCH
const FIELDS = 4

/** Larger writes are not batched. */
const LARGEST = 16 * 1024

/** After a longer gap between two polls, reads have an arrival time, ms. */
const GAP = 0.05

/**
 * The limit of the difference between the clocks of the add-on and of JavaScript, ms, and the number of attempts to
 * open a group within it.
 */
const APART = 0.02
const TRIES = 10

/** Instead of the number of a socket. */
const NONE = -1

/** -errno of a closed descriptor (errno(3)). */
const EBADF = -9

/** Instead of the length of a read. */
const WRITABLE = 2 ** 31 - 1
const CONNECTED = 2 ** 31 - 2

/** Instead of an arrival time. */
const WITHIN_GAP = 0

/**
 * @typedef {object} Table of requests in flight
 * @property {(row: number, n: number, at: number) => void} restart
 */

class NativeSockets {
  /**
   * @param {import('./binding').Binding} binding
   * @param {object} needs
   * @param {{ now: import('../../core/clock').Clock, real: import('../../core/clock').Clock, at: (real: number) =>
   *   number }} needs.clock of the connections; `real` is the clock without excluded times, and `at` converts from it
   * @param {boolean} needs.arrivals whether responses are timed by their arrival
   * @param {boolean} needs.batches whether bytes are sent at the end of a turn; with a rate they are sent at once
   * @param {(reason: string) => void} [needs.onFallback] called when a connection has to stay with node:net
   */
  constructor (binding, { clock, arrivals, batches, onFallback = () => {} }) {
    this.binding = binding
    this.clock = clock
    this.arrivals = arrivals
    this.batches = batches
    this.onFallback = onFallback
    this.input = Buffer.from(new ArrayBuffer(INPUT))
    this.output = Buffer.from(new ArrayBuffer(OUTPUT))
    this.events = new Int32Array(3 * BATCH)
    this.times = new Float64Array(BATCH)
    this.sends = new Int32Array(FIELDS * MOST_SENDS)
    this.sentAt = new Float64Array(MOST_SENDS)
    this.polled = new Float64Array(2)
    /** @type {Array<NativeSocket | null>} by number */
    this.list = []
    /** Whether a turn is running, at the end of which bytes are sent. */
    this.inTurn = false
    /** Index of the next event of the turn. */
    this.event = 0
    // The pending sends, their sockets, and the last copied bytes.
    this.count = 0
    this.used = 0
    /** @type {NativeSocket[]} */
    this.writers = []
    /** @type {Buffer | null} */
    this.copied = null
    this.copiedAt = 0
    // Rows of requests with a latency that begins when they are sent.
    this.marks = 0
    /** @type {Table[]} */
    this.tables = []
    this.rows = new Int32Array(3 * MOST_SENDS)
    this.group = this.openGroup()
    /** Whether it accepts connections. */
    this.open = this.group >= 0
  }

  /** @returns {number} of a group, or -errno */
  openGroup () {
    const { binding, clock, polled, arrivals } = this
    for (let tries = 1; ; tries++) {
      const group = binding.open(
        n => this.turn(n), this.input, this.output, this.events, this.times, this.sends, this.sentAt, polled,
        clock.real(), arrivals ? GAP : Infinity
      )
      // A thread that is preempted between both clocks would have all arrivals of the run too early.
      if (group < 0 || clock.real() - polled[0] < APART || tries === TRIES) return group
      binding.close(group)
    }
  }

  /**
   * @param {object} where as net.connect takes it
   * @param {string} [where.path] of a Unix socket, or else
   * @param {string} [where.host]
   * @param {number} [where.port]
   * @param {string} [where.localAddress]
   * @param {import('node:net').LookupFunction} [where.lookup] for a name; undefined for an address
   * @param {number} attemptMs timeout for each address of a name but the last, ms
   * @param {import('./native-socket').Listener} listener
   * @param {(socket: NativeSocket) => void} onReady
   * @returns {NativeSocket | null} null for an immediate error: node:net then reports it
   */
  connect ({ path, host = '', port = -1, localAddress, lookup }, attemptMs, listener, onReady) {
    if (!this.open) return null
    const socket = new NativeSocket(this, NONE, listener)
    const named = path === undefined && lookup !== undefined
    const attempts = named ? new Attempts(socket, { host, port, localAddress, lookup }, attemptMs) : null
    socket.connecting = { address: '', port, attempts, onReady }
    if (attempts !== null) attempts.begin()
    else if (socket.connectTo(path ?? host, path === undefined ? port : -1, localAddress) < 0) return null
    return socket
  }

  /**
   * @param {NativeSocket} socket
   * @param {string} address
   * @param {number} port −1 for a Unix socket
   * @param {string} [localAddress]
   * @returns {number} the number of the socket, or -errno
   */
  begin (socket, address, port, localAddress) {
    const number = this.open ? this.binding.connect(this.group, address, port, localAddress) : EBADF
    if (number < 0) return number
    socket.number = number
    this.list[number] = socket
    return number
  }

  /**
   * @param {import('../transport').Connect} connect
   * @returns {import('../transport').Connect} the same function, with its sockets taken over
   */
  takeOver (connect) {
    return (target, onread, onReady) => connect(target, onread, socket => {
      const listener = socket instanceof NativeSocket || 'encrypted' in socket ? undefined : onread?.listener
      onReady((listener && this.adopt(socket, listener)) ?? socket)
    })
  }

  /**
   * @param {import('../../protocols/peer').Socket & { _handle?: { fd?: number } | null }} socket a connected socket,
   *   which is detached from node:net
   * @param {import('./native-socket').Listener} listener
   * @returns {NativeSocket | null} null when it cannot be taken over
   */
  adopt (socket, listener) {
    const descriptor = socket._handle?.fd
    if (!this.open || descriptor === undefined || descriptor < 0) return null
    const number = this.binding.adopt(this.group, descriptor)
    if (number < 0) {
      this.onFallback(getSystemErrorName(number))
      return null
    }
    socket.destroy()
    return (this.list[number] = new NativeSocket(this, number, listener))
  }

  /** @param {number} n events of sockets */
  turn (n) {
    const { clock, polled } = this
    // Detects stalls before arrival times are converted.
    clock.now()
    const now = clock.at(polled[0])
    const gap = polled[1]
    this.inTurn = true
    for (this.event = 0; this.event < n;) {
      try {
        this.handle(n, now, gap)
      } catch (error) {
        // The exception becomes an uncaught one, which the user may handle. The remaining events are still handled,
        // once.
        process.nextTick(() => { throw error })
      }
    }
    this.inTurn = false
    this.flush()
  }

  /**
   * @param {number} n events of sockets
   * @param {number} now the time of the poll
   * @param {number} gap ms since the previous poll
   */
  handle (n, now, gap) {
    const { clock, events, times, list, input, arrivals } = this
    while (this.event < n) {
      const i = this.event++
      const socket = list[events[3 * i]]
      const size = events[3 * i + 1]
      // An earlier event may have closed it.
      if (socket === null || socket === undefined) continue
      if (size === WRITABLE) socket.resume()
      else if (size === CONNECTED) socket.connected()
      else if (size > 0) {
        const arrival = times[i]
        const start = events[3 * i + 2]
        if (!arrivals) socket.listener.received(socket, size, input, start)
        else if (arrival > WITHIN_GAP) {
          socket.listener.received(socket, size, input, start, clock.at(arrival), clock.now())
        } else if (arrival === WITHIN_GAP) socket.listener.received(socket, size, input, start, now, clock.now() + gap)
        else socket.listener.received(socket, size, input, start)
      } else if (size === 0) socket.listener.lost(socket, null)
      else socket.fail(size, 'read')
    }
  }

  /**
   * @param {NativeSocket} socket of which nothing waits
   * @param {Buffer} bytes
   * @returns {boolean} whether it accepts more
   */
  write (socket, bytes) {
    const { length } = bytes
    if (!this.inTurn || !this.batches || length > LARGEST) return this.writeNow(socket, bytes)
    // Many sockets send the same request: it is copied once.
    if (bytes !== this.copied) {
      if (this.used + length > OUTPUT) {
        this.flush()
        if (socket.rest !== null) {
          socket.keep(bytes)
          return false
        }
      }
      this.output.set(bytes, this.used)
      this.copied = bytes
      this.copiedAt = this.used
      this.used += length
    }
    this.add(socket, this.copiedAt, length)
    return true
  }

  /**
   * Reserves room for bytes of one socket. Without a buffer for each message, WebSocket spends 90 instead of 460 ns per
   * message on garbage collection.
   * @param {number} length
   * @returns {number} the offset in `output` for bytes before `commit`; −1 when `write` has to be used
   */
  reserve (length) {
    const { used } = this
    return this.inTurn && this.batches && length <= LARGEST && used + length <= OUTPUT ? used : -1
  }

  /**
   * @param {NativeSocket} socket of which nothing waits
   * @param {number} length of the bytes, as reserved
   */
  commit (socket, length) {
    const { used } = this
    this.used += length
    this.add(socket, used, length)
  }

  /** @type {(socket: NativeSocket, offset: number, length: number) => void} */
  add (socket, offset, length) {
    const at = FIELDS * this.count
    this.sends[at] = socket.number
    this.sends[at + 1] = offset
    this.sends[at + 2] = length
    this.writers[this.count++] = socket
    if (this.count === MOST_SENDS) this.flush()
  }

  /** @type {(socket: NativeSocket, bytes: Buffer) => boolean} */
  writeNow (socket, bytes) {
    this.flush()
    if (socket.rest !== null) {
      socket.keep(bytes)
      return false
    }
    const taken = this.send(socket, bytes)
    if (taken < 0) {
      // As in node:net, the error is reported after the call.
      process.nextTick(() => socket.fail(taken))
      return true
    }
    if (taken < bytes.length) socket.keep(bytes.subarray(taken))
    return taken === bytes.length
  }

  /**
   * Returns the number of bytes that the kernel has accepted, or -errno.
   * @type {(socket: NativeSocket, bytes: Buffer) => number}
   */
  send (socket, bytes) {
    return this.open ? this.binding.send(this.group, socket.number, bytes, 0) : EBADF
  }

  /**
   * The latency of the requests that are written next in this turn begins when they are sent.
   * @param {Table} table
   * @param {number} row of the first of them
   * @param {number} n
   */
  mark (table, row, n) {
    if (!this.inTurn) return
    const at = 3 * this.marks
    if (at === this.rows.length) return
    this.tables[this.marks++] = table
    this.rows[at] = row
    this.rows[at + 1] = n
    this.rows[at + 2] = this.count
  }

  /**
   * @param {number} at when `write` was called
   * @returns {number} the delay until they were sent, ms; 0 when they wait for the end of the turn or for room
   */
  sentAfter (at) {
    if (this.inTurn && this.batches) return 0
    const late = this.clock.at(this.sentAt[0]) - at
    return late > 0 ? late : 0
  }

  /** Sends all bytes that `write` writes at its end, as in a turn. @param {() => void} write */
  together (write) {
    if (this.inTurn) return write()
    this.inTurn = true
    try {
      write()
    } finally {
      this.inTurn = false
      this.flush()
    }
  }

  /** Sends the bytes of this turn. */
  flush () {
    const { count, marks, sends, sentAt, writers, clock, rows, tables } = this
    // Marks are dropped even without sends: they must not apply to a later send.
    this.count = this.used = this.marks = 0
    if (count === 0) return
    this.copied = null
    // Bytes may have been written after `close`.
    if (!this.open) return
    const incomplete = this.binding.flush(this.group, count)
    for (let i = 0; i < marks; i++) {
      const send = rows[3 * i + 2]
      if (send < count) tables[i].restart(rows[3 * i], rows[3 * i + 1], clock.at(sentAt[send]))
    }
    if (incomplete > 0) this.keepRests(count, sends, writers)
  }

  /** @type {(count: number, sends: Int32Array, writers: NativeSocket[]) => void} */
  keepRests (count, sends, writers) {
    /** @type {Array<[NativeSocket, Buffer | number]>} */
    const rests = []
    for (let i = 0; i < count; i++) {
      const [, offset, length, taken] = sends.subarray(FIELDS * i, FIELDS * (i + 1))
      if (taken !== length) {
        rests.push([writers[i], taken < 0 ? taken : Buffer.from(this.output.subarray(offset + taken, offset + length))])
      }
    }
    for (const [socket, rest] of rests) {
      if (typeof rest === 'number') process.nextTick(() => socket.fail(rest))
      else if (!socket.destroyed) {
        socket.keep(rest)
        socket.listener.filled(socket)
      }
    }
  }

  /** @returns {number} the number of open sockets */
  size () {
    return this.list.reduce((sum, socket) => socket == null ? sum : sum + 1, 0)
  }

  /** @param {NativeSocket} socket that is closed */
  end (socket) {
    // Its earlier bytes have to be sent first.
    this.flush()
    if (this.list[socket.number] === socket) this.list[socket.number] = null
    if (this.open) this.binding.end(this.group, socket.number)
    // The number will be reused.
    socket.number = NONE
  }

  close () {
    if (!this.open) return
    this.open = false
    this.binding.close(this.group)
  }
}

module.exports = { NativeSockets }
