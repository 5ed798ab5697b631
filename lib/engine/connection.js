'use strict'

// One connection to the server over its whole life, reconnects included. It decides when to send, handles responses,
// and settles every request exactly once when the connection ends. The peer owns the socket and the wire format, the
// source chooses the requests, the exchange table holds requests in flight, and reopening.js decides when the
// connection opens again.
//
// Cost per request: one row of the table, one comparison of the head, one histogram value. A read that completes k
// responses leads to one write of k requests.

const { ConnectionError } = require('../core/errors')
const { ELSEWHERE, NO_MORE, IDLE } = require('../users/sequence')
const { Responses } = require('./responses')
const { Budget } = require('../shapes/budget')
const { Exchanges, NONE } = require('./exchanges')
const { Fates } = require('./fates')
const { Reopening } = require('./reopening')
const { isEndedByPeer } = require('../net/ended-by-peer')
const { shortageOf } = require('../net/shortage')

const WAITING = 0
const CONNECTING = 1
const OPEN = 2
const ENDED = 3

/** @type {ReadonlySet<number>} */
const NO_ROWS = new Set()

/**
 * @typedef {import('../protocols/peer').Owner} Owner
 * @implements {Owner}
 */
class Connection {
  /**
   * @param {object} needs
   * @param {import('./shared').Shared} needs.shared
   * @param {import('../shapes/budget').Budget} needs.budget
   * @param {import('./pacing/queue').Queue | null} [needs.queue] due requests, perhaps shared between connections; null
   *   to send whenever there is room
   * @param {number} [needs.number] of the connection in the whole run
   * @param {number} [needs.group] index of its group of connections, if groups have separate loads
   */
  constructor ({ shared, budget, queue = null, group = 0, number = 0 }) {
    this.shared = shared
    this.now = shared.now
    this.recorder = shared.recorder
    this.observer = shared.observer
    /**
     * @type {import('../users/sequence').Source} set before the connection is opened; a Client may change it at any
     *   time
     */
    this.source = NOTHING
    this.budget = budget
    this.queue = queue
    this.group = group
    this.number = number
    // Whether the queue counts its room: it is open, its socket accepts writes, and its budget is not used up.
    this.offersRoom = false
    this.attempted = false
    this.stages = shared.recorder.instruments.stages
    this.exchanges = new Exchanges(shared.pipelining, this.stages !== null)
    /** The limit of requests in flight: `pipelining`, or fewer if the peer limits them. */
    this.capacity = shared.pipelining
    // A deep pipeline that is refilled at each response falls into a lockstep of one response, one request, when the
    // client is faster than the server: each costs both sides a system call, and pipelining gains nothing. While more
    // than half of the requests are in flight, a closed loop waits for more responses, for 1 ms at most. Against
    // node:http on the other core, pipelining 10, the server went from 104,000 to 149,000 requests/s with that.
    this.lowWater = queue === null ? Math.max(1, Math.floor(shared.pipelining / 2)) : shared.pipelining
    this.held = false
    this.inLastIteration = false
    this.responses = new Responses(this, this.exchanges, shared)
    this.fates = new Fates(this.exchanges, this.responses, shared)
    this.peer = shared.protocol.peer(this, this.responses, this.exchanges, shared)
    this.state = WAITING
    /** Its idle peers to other targets; null with one target. @type {import('./idle-peers').IdlePeers | null} */
    this.idlePeers = null
    // The time until which the source has nothing to send: -Infinity if it may have a request, Infinity until an
    // iteration is due.
    this.idleUntil = -Infinity
    // Whether the connection opens at that time.
    this.opensLater = false
    // The start of the wait of the oldest request at the loss of the connection; before `readAt` after a response.
    this.waitsFrom = -1
    this.connectingSince = 0
    // The connect time, ms. −0: see Recorder.
    this.connectMs = -0
    this.leftOnSocket = 0
    this.reopening = new Reopening(this)
    /** @type {import('../response/client').Client | null} */
    this.ownClient = null
  }

  /** The Client of the connection for hooks and listeners; lazy. */
  get client () {
    this.ownClient ??= this.shared.makeClient(this)
    return this.ownClient
  }

  /** The arrival time of the last bytes. */
  get readAt () {
    return this.responses.readAt
  }

  /**
   * Connects and then sends. During a pause it connects at the end of the pause, unless a request must be sent again.
   */
  open () {
    const { reconnect = null, readyAt = 0 } = this.responses.user ?? {}
    if (reconnect !== null && reconnect.isDue && readyAt > this.now()) this.idle(readyAt)
    if (this.exchanges.count === 0 && this.idleUntil > this.now()) {
      this.state = WAITING
      this.opensLater = true
      return
    }
    const { source: { target }, responses: { user } } = this
    if (user !== null) user.connectedTo = target
    if (this.resume(target)) return this.fill()
    this.state = CONNECTING
    this.reopening.isWaiting = false
    this.connectingSince = this.now()
    this.leftOnSocket = this.shared.perSocket - this.exchanges.count
    this.responses.completed = 0
    this.peer.open(target)
    this.shared.waitingRoom.holders++
  }

  // Events of the peer about the connection.

  drained () {
    this.offerRoom(this.now())
    this.fill()
  }

  stalled () {
    this.withdrawRoom()
  }

  /**
   * Switches to the target of the next request. The peer becomes idle, because later requests may use it again.
   * @returns {boolean} whether there is a connection to that target already
   */
  move () {
    const { peer, idlePeers, leftOnSocket: left, source: { target }, responses: { user } } = this
    const from = user?.connectedTo
    this.withdrawRoom()
    this.responses.readers?.reset()
    this.state = WAITING
    if (idlePeers === null || peer.closed || !from || left === 0) {
      this.release()
    } else {
      idlePeers.add(peer, from, left)
      this.peer = this.shared.protocol.peer(this, this.responses, this.exchanges, this.shared)
    }
    if (user !== null) user.connectedTo = target
    if (this.resume(target)) return true
    this.open()
    return false
  }

  /**
   * @param {import('../requests/target').Target} target
   * @returns {boolean} whether an idle peer to the target exists, which becomes the current one
   */
  resume (target) {
    const idle = this.idlePeers === null ? null : this.idlePeers.take(target)
    if (idle === null) return false
    this.peer = idle.peer
    this.peer.owner = this
    this.leftOnSocket = idle.left
    // The idle peer has completed responses before, so unanswered requests may be sent again.
    this.responses.completed = 1
    this.reopening.pause = 0
    this.state = OPEN
    this.limit()
    this.offerRoom(this.now())
    return true
  }

  /** The connection is open for requests. */
  opened () {
    const at = this.now()
    this.connectMs = at - this.connectingSince
    this.shared.onConnected(this.connectMs)
    this.state = OPEN
    this.reopening.isShort = false
    this.limit()
    // The schedule starts when the connections are open.
    this.offerRoom(this.shared.startedAt === Infinity ? -Infinity : at)
    this.noteAttempt()
    if (this.exchanges.count > 0) this.repeat()
    this.fill()
    this.shared.waitingRoom.onOpened()
  }

  /**
   * Writes the requests without a response again, at most a full pipeline. Their latency still counts from the first
   * attempt.
   */
  repeat () {
    const { responses, exchanges, source: { maxRun } } = this
    const { waiting } = responses
    responses.waiting = null
    for (let row = exchanges.oldest; row !== NONE;) {
      const first = row
      const run = []
      for (; row !== NONE && run.length < maxRun; row = exchanges.newer[row]) run.push(exchanges.bytesOf(row))
      this.peer.send(run.length === 1 ? run[0] : Buffer.concat(run), first)
    }
    responses.onResent(waiting)
    this.peer.flush()
  }

  /** The peer has changed its limit of requests in flight, or accepts no more. */
  limit () {
    const { peer, exchanges } = this
    const offers = this.offersRoom
    this.withdrawRoom()
    this.capacity = Math.min(exchanges.capacity, peer.capacity)
    if (this.capacity < exchanges.capacity && this.capacity > 0) this.recorder.limitStreams(this.capacity)
    if (offers) this.offerRoom(this.now())
  }

  /** Counts the room of this connection for due requests. @param {number} at */
  offerRoom (at) {
    if (this.queue === null || this.state !== OPEN || this.offersRoom || this.peer.blocked || this.budget.left === 0) {
      return
    }
    this.queue.add(this.room, at)
    this.offersRoom = true
  }

  /** A request has left the table. @param {number} at */
  noteRoom (at) {
    const { capacity, exchanges, queue } = this
    // Not if the socket's own limit of requests is lower.
    if (this.offersRoom && capacity > exchanges.count && capacity - exchanges.count <= this.leftOnSocket) {
      queue?.add(1, at)
    }
  }

  /** Excludes the room of this connection: nothing can be sent, even if the pipeline has room. */
  withdrawRoom () {
    if (!this.offersRoom) return
    /** @type {import('./pacing/queue').Queue} */ (this.queue).free -= this.room
    this.offersRoom = false
  }

  noteAttempt () {
    if (this.attempted) return
    this.attempted = true
    this.shared.onAttempt(this)
  }

  /** Bytes have arrived. @type {Owner['received']} */
  received (size, buffer, start, arrival, seen) {
    const { responses, recorder } = this
    const { arrived } = recorder
    responses.arrival = arrival
    responses.readAt = arrival === -1 ? this.now() : arrival
    recorder.read(size)
    this.peer.read(buffer, start + size, start)
    const goesOn = responses.readers === null || this.settle(responses.readers)
    if (arrival !== -1) recorder.readLate(recorder.arrived - arrived, seen - arrival)
    if (goesOn) this.proceed()
  }

  /** Reads the bytes that have arrived. */
  goOn () {
    const { readers } = this.responses
    if (readers === null || this.settle(readers)) this.proceed()
  }

  /** All bytes that have arrived are read. */
  proceed () {
    const { responses, peer } = this
    // A listener may have stopped the run.
    if (this.state !== OPEN) return this.state === CONNECTING ? peer.greet() : undefined
    if (peer.stopped) return this.closed(peer.error)
    if (this.exchanges.count > this.lowWater) this.shared.hold(this)
    // With a rate, only due requests that found no room are sent now. The pacer sends others in batches, up to 1 ms
    // later: sending at each response took twice the CPU time of the kernel at 20,000/s, mostly for waking the thread.
    else if (this.queue === null || this.queue.fullUntil === responses.readAt) return this.fill()
    else this.conclude()
    this.peer.flush()
  }

  /** Closes streams that have reached their time limit. @param {number} at the time now */
  lookAtStreams (at) {
    const { responses, exchanges } = this
    const readers = /** @type {import('../response/readers').Readers} */ (responses.readers)
    if (this.state !== OPEN || exchanges.count === 0) return
    for (const row of exchanges.rows()) {
      const stream = readers.streamOf(row)
      if (stream === null) continue
      stream.look(at)
      if (stream.isOver) readers.hasOver = true
    }
    if (!readers.hasOver) return
    responses.readAt = at
    responses.arrival = -1
    this.goOn()
  }

  /**
   * Ends streams that need no more messages, at the end of a read.
   * @param {import('../response/readers').Readers} readers
   * @returns {boolean} false if the connection ended with a stream
   */
  settle (readers) {
    readers.keep()
    if (!readers.hasOver || this.state !== OPEN) return true
    const { responses, exchanges, fates } = this
    readers.hasOver = false
    for (const row of exchanges.rows()) {
      const stream = readers.streamOf(row)
      if (stream === null || !stream.isOver) continue
      if (stream.error === null) {
        stream.isLeft = true
        this.peer.leave?.(row)
      } else if (this.peer.cancel(row)) {
        fates.lose(row, stream.error, responses.readAt)
        if (!this.ended) this.noteRoom(responses.readAt)
      } else {
        this.closed(stream.error)
      }
      if (this.state !== OPEN) return false
    }
    return true
  }

  /** The number of further requests that may be in flight on this socket. */
  get room () {
    const room = this.capacity - this.exchanges.count
    // `leftOnSocket` may be Infinity, but is less than room here: `| 0` tells V8 that the result is always an integer.
    return room < this.leftOnSocket ? (room > 0 ? room : 0) : this.leftOnSocket | 0
  }

  /** Whether a due request could be sent here. */
  get takesMore () {
    return this.state === OPEN && !this.peer.blocked && this.room > 0 && this.budget.left > 0 &&
      this.idleUntil === -Infinity
  }

  /** Sends due requests within the limits of pipeline and budget, in as few writes as possible. */
  fill () {
    if (this.state !== OPEN) return
    let { room } = this
    if (this.queue !== null) {
      const due = this.queue.due(this.now() - this.shared.startedAt)
      if (due < room) room = due
    }
    while (room > 0 && !this.peer.blocked && this.idleUntil === -Infinity) {
      const sent = this.put(room)
      if (sent === 0) break
      room -= sent
    }
    if (this.ended) return
    this.peer.flush()
    this.conclude()
  }

  /**
   * Sends requests on a socket that accepts writes (`takesMore`).
   * @param {number} n at most the room
   * @returns {number} the number of sent requests: see `put`
   */
  send (n) {
    const sent = this.put(n)
    this.peer.flush()
    return sent
  }

  /**
   * Writes requests. The peer may buffer them until it is flushed.
   * @param {number} n at most the room
   * @returns {number} their number: n, or fewer if the budget or the source has fewer; 0 also if a hook failed or
   *   stopped the run
   */
  put (n) {
    const { exchanges, queue, source, budget } = this
    const { maxRun } = source
    if (n > maxRun) n = maxRun
    // `left` may be Infinity, but is less than n here: `| 0` tells V8 that n is always an integer.
    if (n > budget.left) n = budget.left | 0
    if (n > 0) n = this.draw(source, n)
    if (n === 0) return 0
    const { free: first } = exchanges
    budget.take(n)
    const at = this.now()
    if (queue === null) {
      for (let i = 0; i < n; i++) exchanges.add(at, at)
      if (this.stages !== null) exchanges.enter(first, this.stages.write(n, at - this.shared.startedAt))
    } else {
      this.addPaced(queue, n, at)
    }
    this.recorder.sent += n
    this.leftOnSocket -= n
    const { sockets } = this.shared
    if (queue === null && sockets !== null) sockets.mark(exchanges, first, n)
    this.peer.send(source.bytes, first)
    const late = sockets === null ? 0 : sockets.sentAfter(at)
    if (late > 0) exchanges.delay(first, n, late)
    if (queue !== null) this.recordLags(queue.lags, late)
    if (budget.left === 0) this.withdrawRoom()
    return n
  }

  /** Ends if nothing is left to send, and reconnects if the socket has reached its limit of requests. */
  conclude () {
    if (this.exchanges.count > 0) return
    if (this.isDone) this.end()
    else if (this.leftOnSocket === 0) this.renew()
  }

  /**
   * @param {import('../users/sequence').Source} source
   * @param {number} n more than 0
   * @returns {number} the number of requests written into free rows of the table; 0 if none is ready, or if a hook
   *   failed or stopped the run
   */
  draw (source, n) {
    if (this.inLastIteration && source.inIteration === false) {
      this.finish()
      return 0
    }
    let ready
    try {
      ready = source.next(n, this.exchanges, this.now)
      if (ready === ELSEWHERE && this.move()) ready = source.next(n, this.exchanges, this.now)
    } catch (error) {
      this.shared.onFailure(/** @type {Error} */ (error))
      return 0
    }
    if (this.ended) return 0
    if (ready > 0) return ready
    if (ready === NO_MORE) this.finish()
    else if (ready !== ELSEWHERE) this.idle(source.readyAt)
    return 0
  }

  /** The source is exhausted. */
  finish () {
    this.withdrawRoom()
    // Other connections may share the budget.
    this.budget = new Budget(0)
    this.conclude()
  }

  /** Starts no further iteration: ends now, or after the rest of the current iteration. */
  endAfterIteration () {
    if (this.ended) return
    this.inLastIteration = this.source.inIteration === true
    if (this.inLastIteration) return
    this.budget = new Budget(0)
    this.allow(0)
  }

  /** Whether nothing is left to send. */
  get isDone () {
    const { budget, inLastIteration, source } = this
    return (budget.left === 0 && source.lingers?.() !== true) || (inLastIteration && source.inIteration === false)
  }

  /**
   * Sets the number of further requests. With 0 it ends as soon as nothing is in flight.
   * @param {number} limit
   */
  allow (limit) {
    if (this.ended) return
    this.budget.left = limit
    if (limit > 0) {
      this.offerRoom(this.now())
      this.fill()
      return
    }
    this.withdrawRoom()
    if (this.exchanges.count > 0) return
    this.noteAttempt()
    if (!this.ended) this.end()
  }

  /**
   * The source has nothing to send yet. The room is still counted, so that due requests do not count as waiting for the
   * server.
   * @param {number} until on the clock of the connections
   */
  idle (until) {
    if (this.idleUntil === until) return
    this.idleUntil = until
    this.shared.pause(this, until)
  }

  /** The source has a request again. */
  unpark () {
    if (this.idleUntil === IDLE) this.wake(IDLE)
  }

  /** Ends a pause. @param {number} until */
  wake (until) {
    if (this.idleUntil !== until || this.ended) return
    this.idleUntil = -Infinity
    this.responses.user?.woken(this.now)
    if (!this.opensLater) return this.fill()
    this.opensLater = false
    this.open()
  }

  /**
   * Latency of a late request counts from the intended time if no pipeline had room or no socket accepted writes,
   * because the server caused the wait. It counts from the write if there was room, or if the delay is within the
   * generator's own lag.
   * @param {import('./pacing/queue').Queue} queue
   * @param {number} n
   * @param {number} at time of the write
   */
  addPaced (queue, n, at) {
    const { shared, recorder, exchanges, stages } = this
    const start = shared.startedAt
    queue.free -= n
    recorder.sentUntil = at - start
    for (let i = 0; i < n; i++) {
      const due = queue.take()
      const intended = start + due
      const waited = queue.waited(intended, at)
      if (waited > 0) {
        recorder.late++
        exchanges.add(at, shared.correctsOmission ? at - waited : at)
      } else {
        queue.lags.push(at - intended)
        exchanges.add(at, at)
      }
      if (stages !== null) exchanges.enter(exchanges.newest, stages.writeDue(due, waited > 0, at - start))
    }
  }

  /**
   * @param {number[]} lags of requests that have been sent, ms; emptied
   * @param {number} late delay between the write and the send, ms
   */
  recordLags (lags, late) {
    const { lag } = this.recorder.distributions.current
    for (let i = 0; i < lags.length; i++) lag.record(lags[i] + late)
    lags.length = 0
  }

  /** Ends a connection or request after the timeout. @param {number} at the time now */
  checkDeadline (at) {
    const { responses, exchanges, shared: { connectTimeout } } = this
    if (this.state === OPEN) this.peer.look?.(at)
    if (responses.readers !== null && responses.readers.areStreams) this.lookAtStreams(at)
    for (let row = responses.overdue(at); row !== NONE; row = responses.overdue(at)) {
      const error = responses.timeoutOf(row)
      if (this.state !== OPEN || this.peer.isStalled(at) || !this.peer.cancel(row)) return this.closed(error)
      this.fates.lose(row, error, at)
      if (this.ended) return
      this.noteRoom(at)
      this.fill()
    }
    // Otherwise the connection would be stalled until the end of the run.
    if (exchanges.count === 0 && this.peer.isStalled(at)) return this.closed(null)
    if (this.state === CONNECTING && at - this.connectingSince >= connectTimeout) {
      this.closed(this.peer.late ?? new ConnectionError('AC_CONNECT_TIMEOUT'))
    }
  }

  /**
   * The only place where a connection ends with pending requests. Each gets its fate or is kept for the next
   * connection, which is then opened.
   * @type {Owner['closed']}
   */
  closed (error) {
    // A request failed right after the connect, and ended the run.
    if (this.ended) return
    const connected = this.state === OPEN
    const { responses, exchanges, fates, peer, reopening } = this
    this.state = WAITING
    this.withdrawRoom()
    if (connected && error === null) {
      responses.readAt = this.now()
      responses.arrival = -1
      peer.finish()
    }
    this.release()
    const shortage = connected ? null : shortageOf(error, this.shared.waitingRoom.hasWaiting)
    const waits = shortage !== null && this.awaits(shortage)
    if (!waits) this.breaksOff(error)
    const isUsed = responses.completed > 0 || responses.hasMessages
    const since = shortage === null ? this.waitingSince : Infinity
    if (since !== Infinity) this.waitsFrom = since
    // A connection without a response is not reused: the request itself may have ended it, and would do so repeatedly.
    const repeats = connected && responses.completed > 0 && isEndedByPeer(error)
    const kept = waits ? new Set(exchanges.rows()) : repeats ? fates.repeatable(peer) : NO_ROWS
    if (connected) reopening.lastEnd = error
    if (waits) {
      reopening.noteShortage(shortage)
    } else if (exchanges.count > 0) {
      const { count } = exchanges
      fates.loseOldest(reopening.causeOf(error, shortage, connected), kept, connected ? peer : null)
      // All requests are sent again and have no fate yet, so the error is counted separately.
      if (error !== null && !repeats && error === peer.error && exchanges.count === count) {
        this.recorder.failUnsent(error, 1, this.observer)
      }
    } else if (!connected) {
      reopening.failAttempt(shortage ?? error ?? new ConnectionError('AC_CLOSED'), shortage !== null)
    } else if (error !== null && error === peer.error) {
      // A response without a request is an error, but no fate of a request.
      this.recorder.failUnsent(error, 1, this.observer)
    }
    // Discards a partial response.
    responses.readers?.reset()
    this.noteAttempt()
    if (this.ended) return
    if (exchanges.count === 0) {
      if (this.isDone) return this.end()
      // A user function still processes its last response. Nothing is left to send, so no connection is opened.
      if (this.budget.left === 0) return
    }
    reopening.begin(waits, isUsed)
  }

  /** @type {(shortage: Error) => boolean} whether the connection waits for a free file descriptor or port */
  awaits (shortage) {
    return this.shared.waitingRoom.admits(shortage)
  }

  /**
   * Handles a closed socket, unless the connection waits for a file descriptor or port.
   * @param {Error & { code?: string } | null} _error
   */
  breaksOff (_error) {}

  /** @returns {number} the number of requests of an amount that a failed connect uses up */
  get forgoes () {
    return this.exchanges.capacity
  }

  /** Opens the connection again, with nothing in flight. */
  renew () {
    this.peer.retire?.()
    this.release()
    this.responses.readers?.reset()
    this.open()
  }

  /**
   * The start of the longest wait for the server: of a request in flight, or of one without a connection.
   * @returns {number} on the clock of the connections; Infinity if no request waits
   */
  get waitingSince () {
    const { exchanges, readAt } = this
    if (this.waitsFrom >= readAt) return this.waitsFrom
    if (this.budget.left === 0) return Infinity
    if (exchanges.count > 0) return Math.max(readAt, exchanges.started[exchanges.oldest])
    if (this.opensLater) return Infinity
    return this.state !== OPEN && this.connectingSince > readAt ? this.connectingSince : Infinity
  }

  /**
   * Abandons requests in flight at the end of the run.
   * @param {number} meanLatency of the responses, ms
   * @param {number} longestLatency of the responses, ms
   */
  abandon (meanLatency, longestLatency) {
    if (this.ended) return
    const { responses: { user, readAt }, exchanges } = this
    if (user !== null && exchanges.count === 0 && !this.isOpen) user.leftWaiting(readAt, this.now())
    this.fates.abandon(this.queue !== null, meanLatency, longestLatency)
    this.responses.readers?.reconnect?.abandon(this.now())
    // Does not retire it: unsolicited messages would count as a stream that ended in order.
    this.release()
    this.end()
  }

  /** @returns {boolean} whether its socket is connected */
  get isOpen () {
    return this.state === OPEN
  }

  /** @returns {boolean} whether this connection has nothing left to do */
  get ended () {
    return this.state === ENDED
  }

  end () {
    this.state = ENDED
    this.peer.retire?.()
    this.release()
    this.idlePeers?.close()
    const { responses: { user } } = this
    // The user has no further request that would report its failure.
    if (user !== null && user.failure !== null) this.shared.onFailure(user.failure)
    user?.ended()
    this.shared.onEnd(this)
  }

  /** Closes the connection. Its peer reports no further events. */
  release () {
    const { peer } = this
    this.withdrawRoom()
    if (this.idleUntil === Infinity) {
      this.idleUntil = -Infinity
      this.shared.withdraw(this)
    }
    if (peer.closed) return
    this.shared.waitingRoom.holders--
    peer.close()
  }
}

/** @returns {never} */
function nothing () {
  throw new Error('a connection was opened without a source')
}

/** @type {import('../users/sequence').Source} */
const NOTHING = {
  maxRun: 1,
  get target () { return nothing() },
  bytes: Buffer.alloc(0),
  readyAt: 0,
  next: () => nothing()
}

module.exports = { Connection }
