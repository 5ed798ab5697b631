'use strict'

// The sockets of one load generator in the add-on: many per call, timed by arrival in the kernel. The add-on connects
// to servers, and takes over sockets of node:net, through a proxy for example.

const { getSystemErrorName } = require('node:util')
const { Attempts } = require('./attempts')
const { NativeSocket } = require('./native-socket')

/** Bytes of one turn: a read takes up to 64 KiB. */
const INPUT = 1024 * 1024
const OUTPUT = 256 * 1024

/**
 * How many reads are handled before the resulting requests are sent: the first request of a batch waits for the last.
 */
const BATCH = 64

/** The limit of sends per batch; the fields of each: socket, offset, length, and the number of bytes taken. */
const MOST_SENDS = 4 * BATCH
const FIELDS = 4

/** Larger writes are no part of a batch. */
const LARGEST = 16 * 1024

/** Reads after a longer gap between two polls have an arrival time, ms. */
const GAP = 0.05

/**
 * The limit of the difference between the clocks of the add-on and of JavaScript, ms, and how often a group is opened
 * for that.
 */
const APART = 0.02
const TRIES = 10

/** No number of a socket. */
const NONE = -1

/** -errno: it is closed (errno(3)). */
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
   * @param {{ now: import('../../core/clock').Clock, real: import('../../core/clock').Clock,
   *   at: (real: number) => number }} needs.clock of the connections; `real` is the one that never leaves anything out,
   *   and `at` translates from it
   * @param {boolean} needs.arrivals whether responses are timed by their arrival
   * @param {boolean} needs.batches whether bytes of a turn are sent at its end: with a rate they are sent at once
   * @param {(reason: string) => void} [needs.onFallback] a connection stays one of node:net
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
    /** Whether a turn goes on, at the end of which bytes are sent. */
    this.inTurn = false
    /** Its event that comes next. */
    this.event = 0
    // The pending sends: their sockets, and the bytes that were copied last.
    this.count = 0
    this.used = 0
    /** @type {NativeSocket[]} */
    this.writers = []
    /** @type {Buffer | null} */
    this.copied = null
    this.copiedAt = 0
    // Rows of requests whose clock starts then.
    this.marks = 0
    /** @type {Table[]} */
    this.tables = []
    this.rows = new Int32Array(3 * MOST_SENDS)
    this.group = this.openGroup()
    /** Whether it takes connections. */
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
   * @param {import('node:net').LookupFunction} [where.lookup] of a name; an address has none
   * @param {number} patience ms for each address of a name but the last
   * @param {import('./native-socket').Listener} listener
   * @param {(socket: NativeSocket) => void} onReady
   * @returns {NativeSocket | null} null when that fails at once: node:net reports why
   */
  connect ({ path, host = '', port = -1, localAddress, lookup }, patience, listener, onReady) {
    if (!this.open) return null
    const socket = new NativeSocket(this, NONE, listener)
    const named = path === undefined && lookup !== undefined
    const attempts = named ? new Attempts(socket, { host, port, localAddress, lookup }, patience) : null
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
   * @returns {number} of the socket, or -errno
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
   * @returns {import('../transport').Connect} the same, with its sockets read and written here
   */
  takeOver (connect) {
    return (target, onread, onReady) => connect(target, onread, socket => {
      const listener = socket instanceof NativeSocket || 'encrypted' in socket ? undefined : onread?.listener
      onReady((listener && this.adopt(socket, listener)) ?? socket)
    })
  }

  /**
   * @param {import('../../protocols/peer').Socket & { _handle?: { fd?: number } | null }} socket that is connected, and
   *   is detached when taken over
   * @param {import('./native-socket').Listener} listener
   * @returns {NativeSocket | null} null when it can't be taken over
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
    // Standstills are noticed here, so that arrivals before one are known as such.
    clock.now()
    const now = clock.at(polled[0])
    const gap = polled[1]
    this.inTurn = true
    for (this.event = 0; this.event < n;) {
      try {
        this.handle(n, now, gap)
      } catch (error) {
        // For a listener of the user, who may catch it. Events after it are reported only once.
        process.nextTick(() => { throw error })
      }
    }
    this.inTurn = false
    this.flush()
  }

  /**
   * @param {number} n events of sockets
   * @param {number} now when they were polled
   * @param {number} gap ms between the last poll and this one
   */
  handle (n, now, gap) {
    const { clock, events, times, list, input, arrivals } = this
    while (this.event < n) {
      const i = this.event++
      const socket = list[events[3 * i]]
      const size = events[3 * i + 1]
      // Another one's event may have closed it.
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
   * @returns {boolean} whether it takes more
   */
  write (socket, bytes) {
    const { length } = bytes
    if (!this.inTurn || !this.batches || length > LARGEST) return this.writeNow(socket, bytes)
    // The same request goes out on many sockets.
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
   * Room for bytes that are made for one socket: without a buffer for each, WebSocket spends 90 instead of 460 ns per
   * message on garbage collection.
   * @param {number} length
   * @returns {number} where in `output` they can be put before `commit`; -1 where they have to be given to `write`
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
      // As node:net does: the writer receives the error after the call.
      process.nextTick(() => socket.fail(taken))
      return true
    }
    if (taken < bytes.length) socket.keep(bytes.subarray(taken))
    return taken === bytes.length
  }

  /**
   * Returns how many of them the kernel has taken, or -errno.
   * @type {(socket: NativeSocket, bytes: Buffer) => number}
   */
  send (socket, bytes) {
    return this.open ? this.binding.send(this.group, socket.number, bytes, 0) : EBADF
  }

  /**
   * The clock of requests that are written next in this turn starts when they are sent.
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
   * @param {number} at when bytes were given to `write`
   * @returns {number} how much later they were sent, ms; 0 when they wait for the end of the turn or for room, or when
   *   another socket has them
   */
  sentAfter (at) {
    if (this.inTurn && this.batches) return 0
    const late = this.clock.at(this.sentAt[0]) - at
    return late > 0 ? late : 0
  }

  /** Bytes written meanwhile are sent at the end, as in a turn. @param {() => void} write */
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
    // A single request leaves its mark, even if it was alone: it must not meet a later send.
    this.count = this.used = this.marks = 0
    if (count === 0) return
    this.copied = null
    // Written while all of them were closed.
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

  /** @returns {number} how many are open */
  size () {
    return this.list.reduce((sum, socket) => socket == null ? sum : sum + 1, 0)
  }

  /** @param {NativeSocket} socket that is closed */
  end (socket) {
    // Its earlier bytes have to be sent before.
    this.flush()
    if (this.list[socket.number] === socket) this.list[socket.number] = null
    if (this.open) this.binding.end(this.group, socket.number)
    // Another one will have it.
    socket.number = NONE
  }

  close () {
    if (!this.open) return
    this.open = false
    this.binding.close(this.group)
  }
}

module.exports = { NativeSockets }
