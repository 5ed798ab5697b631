'use strict'

// Owns one connection to the server over its whole life, reconnects included: keeps the pipeline full, matches answers to
// requests, and settles every request exactly once when the connection ends.
//
// Paid per request: one entry in the ring, one look at the head, one histogram value. A read that completes k responses
// leads to one write of k requests.

const { ConnectionError } = require('../errors')
const { InFlight } = require('./in-flight')
const { ResponseParser, BODY, NO_BODY, UNREQUESTED, TUNNEL } = require('../wire/http1/response-parser')
const { FINE, FAILED, MISMATCHED } = require('../response/reader')
const { shortageOf } = require('../wire/shortage')

const WAITING = 0
const CONNECTING = 1
const OPEN = 2
const ENDED = 3

/** The first pause before a reconnect after a connection that brought nothing, in ms; it doubles up to the last. */
const FIRST_PAUSE = 10
const LAST_PAUSE = 200

/**
 * What a connection needs of the thread it runs in.
 * @typedef {object} Surroundings
 * @property {import('../clock').Clock} now
 * @property {typeof import('../wire/transport').connect} connect
 * @property {Buffer} readBuffer shared by all connections of the thread
 * @property {import('../wire/http1/head-memo').HeadMemo} memo shared likewise
 * @property {import('../record/recorder').Recorder} recorder
 * @property {Observer} observer
 * @property {number} pipelining
 * @property {number} timeout ms
 * @property {number} perSocket requests after which the connection is made anew; Infinity for never
 * @property {number} startedAt when the load started, on the clock `now`: what a pace counts from; Infinity before that
 * @property {boolean} correctsOmission whether latency counts from the intended time
 * @property {(delay: number, action: () => void) => void} after so many ms, unless the run ends before
 * @property {(connection: Connection) => void} hold fills the pipeline of the connection a little later
 * @property {WaitingRoom} waitingRoom for those that find no descriptor or port to connect with
 * @property {() => void} onAttempt called once for each connection, when its first attempt has led to something
 * @property {(connection: Connection) => void} onEnd called once, when the connection has nothing left to do
 * @property {(error: Error) => void} onFailure a hook failed: the run can't go on
 * @property {(connection: Connection) => import('../response/client').Client} makeClient
 */

/**
 * @typedef {object} WaitingRoom
 * @property {number} holders how many connections have a socket
 * @property {boolean} crowded whether anybody waits
 * @property {(shortage: Error) => boolean} admits whether it makes sense to wait
 * @property {(connection: Connection) => void} enter the connection is opened again when there may be something to connect with
 * @property {() => void} onOpened
 */

/**
 * Who wants to know of single requests. A function is null while nobody listens. The connection is null when it is in
 * another thread.
 * @typedef {object} Observer
 * @property {((connection: Connection | null, status: number, size: number, ms: number) => void) | null} response
 * @property {((error: Error & { code?: string }) => void) | null} requestError
 * @property {((body: string) => void) | null} mismatch the body of an answer was not as expected
 */

class Connection {
  /**
   * @param {Surroundings} around
   * @param {import('../scenario/target').Target} target
   * @param {import('./budget').Budget} budget
   * @param {import('./queue').Queue | null} queue of what is due, shared with others perhaps; null to send whenever there is room
   */
  constructor (around, target, budget, queue) {
    this.around = around
    this.now = around.now
    this.recorder = around.recorder
    this.observer = around.observer
    this.target = target
    /** @type {import('../scenario/sequence').Requests} set before the connection is opened */
    this.requests = NO_REQUESTS
    /** Those that what is in flight belongs to: a Client may have changed what follows. */
    this.answering = this.requests
    this.budget = budget
    this.queue = queue
    // Whether its room is counted there: it is open, its socket takes more, and its budget is not used up.
    this.offersRoom = false
    this.attempted = false
    // Whether it has found no descriptor or port, and is in the waiting room for that.
    this.short = false
    this.queued = false
    this.inFlight = new InFlight(around.pipelining)
    // A deep pipeline that is refilled at each answer falls into a lockstep of one answer, one request, when the client is
    // faster than the server: each costs both sides a system call, and pipelining gains nothing. While more than half of
    // the requests are in flight, a closed loop waits for more answers, for 1 ms at the most. Against node:http on the other
    // core, pipelining 10, the server went from 104,000 to 149,000 requests/s with that (`node bench/pipelining.js`).
    this.lowWater = queue === null ? Math.max(1, Math.floor(around.pipelining / 2)) : around.pipelining
    this.held = false
    this.parser = new ResponseParser(this, around.memo)
    /** @type {import('../response/reader').ResponseReader | null} null while nobody looks into responses */
    this.reader = null
    this.wantsBody = false
    this.state = WAITING
    /** @type {import('node:net').Socket | null} */
    this.socket = null
    this.blocked = false
    this.status = 0
    this.readAt = 0
    this.begunAt = 0
    // Since when something has waited in vain; earlier than readAt when nothing has since then.
    this.waitsFrom = -1
    this.connectingSince = 0
    this.leftOnSocket = 0
    this.answers = 0
    this.pause = 0
    /** @type {import('../response/client').Client | null} */
    this.ownClient = null
  }

  /** What hooks and listeners see of this connection; made when it is asked for. */
  get client () {
    this.ownClient ??= this.around.makeClient(this)
    return this.ownClient
  }

  /** Connects, and sends as soon as that is done. */
  open () {
    this.state = CONNECTING
    this.queued = false
    this.connectingSince = this.now()
    this.leftOnSocket = this.around.perSocket - this.inFlight.count
    this.answers = 0
    this.blocked = false
    const onread = {
      buffer: this.around.readBuffer,
      /** @param {number} size */
      callback: size => {
        if (this.socket === socket) this.read(size)
        return true
      }
    }
    const socket = this.around.connect(this.target, onread, () => {
      if (this.socket !== socket) return
      this.becomeOpen()
    })
    this.socket = socket
    this.around.waitingRoom.holders++
    socket.on('drain', () => {
      if (this.socket !== socket || !this.blocked) return
      this.blocked = false
      this.offerRoom(this.now())
      this.fill()
    })
    socket.on('error', error => { if (this.socket === socket) this.settle(error) })
    socket.on('end', () => { if (this.socket === socket) this.settle(null) })
    socket.on('close', () => { if (this.socket === socket) this.settle(null) })
  }

  becomeOpen () {
    const at = this.now()
    this.recorder.distributions.current.connect.record(at - this.connectingSince)
    this.state = OPEN
    this.short = false
    // The schedule starts when the connections are there: nothing was due before.
    this.offerRoom(this.attempted ? at : -Infinity)
    this.noteAttempt()
    if (this.inFlight.count > 0) this.repeat()
    this.fill()
    this.around.waitingRoom.onOpened()
  }

  /** Writes again what the last connection left unanswered, at once: it is as much as a pipeline holds. Its clock goes on. */
  repeat () {
    const { inFlight, answering, recorder } = this
    const socket = /** @type {import('node:net').Socket} */ (this.socket)
    recorder.resent += inFlight.count
    for (let left = inFlight.count; left > 0;) {
      const n = Math.min(left, answering.maxRun)
      if (!socket.write(answering.repeat(left, n))) this.waitForDrain(socket)
      left -= n
    }
  }

  /**
   * A write has said that the socket wants no more. It says so of each that is larger than its buffer in this process, also
   * when the kernel has taken all of it: only what is left here waits for the server.
   * @param {import('node:net').Socket} socket
   */
  waitForDrain (socket) {
    if (socket.writableLength === 0) return
    this.blocked = true
    this.withdrawRoom()
  }

  /**
   * What is due may be sent here from now on.
   * @param {number} at
   */
  offerRoom (at) {
    if (this.queue === null || this.offersRoom || this.blocked || this.budget.left === 0) return
    this.queue.add(this.room, at)
    this.offersRoom = true
  }

  /** Nothing can be sent here for now, however much room the pipeline has. */
  withdrawRoom () {
    if (!this.offersRoom) return
    /** @type {import('./queue').Queue} */ (this.queue).free -= this.room
    this.offersRoom = false
  }

  noteAttempt () {
    if (this.attempted) return
    this.attempted = true
    this.around.onAttempt()
  }

  /**
   * Bytes have arrived in the shared buffer.
   * @param {number} size
   */
  read (size) {
    this.readAt = this.now()
    this.recorder.read(size)
    const parser = this.parser
    if (!parser.inside) this.begunAt = this.readAt
    parser.execute(this.around.readBuffer, size)
    if (this.reader !== null) this.reader.keep()
    // A listener may have stopped the run meanwhile.
    if (this.state !== OPEN) return
    if (parser.stopped) this.settle(parser.error)
    else if (this.inFlight.count > this.lowWater) this.around.hold(this)
    // With a rate, what was due and found no room goes now; all else when the pacer says so, in batches up to 1 ms
    // later but many at a time: sent at each answer, 20,000/s took twice the CPU time of the kernel, most of it for waking the thread.
    else if (this.queue === null || this.queue.fullUntil === this.readAt) this.fill()
    else this.conclude()
  }

  /** How many more requests may be in flight on this socket. */
  get room () {
    const room = this.inFlight.capacity - this.inFlight.count
    // As an integer, also for V8: `leftOnSocket` may be Infinity.
    return room < this.leftOnSocket ? room : this.leftOnSocket | 0
  }

  /** Whether a request that is due could be sent here. */
  get takesMore () {
    return this.state === OPEN && !this.blocked && this.room > 0 && this.budget.left > 0
  }

  /** Sends as many requests as are due and the pipeline and the budget have room for, in as few writes as possible. */
  fill () {
    if (this.state !== OPEN) return
    let { room } = this
    if (this.queue !== null) {
      const due = this.queue.due(this.now() - this.around.startedAt)
      if (due < room) room = due
    }
    while (room > 0 && !this.blocked) {
      const sent = this.send(room)
      if (sent === 0) break
      room -= sent
    }
    if (!this.ended) this.conclude()
  }

  /**
   * Sends requests in one write, on a socket that takes more (`takesMore`).
   * @param {number} n there has to be room for them
   * @returns {number} how many they were: n, or what the budget has left, or what the requests are made of at once; 0 also
   *   when a hook failed or stopped the run
   */
  send (n) {
    const { inFlight, queue, requests } = this
    const { maxRun } = requests
    n = this.budget.take(n < maxRun ? n : maxRun)
    if (n === 0) return 0
    const bytes = this.next(n)
    if (bytes === null || this.ended) return 0
    this.answering = requests
    if (queue === null) inFlight.push(this.now(), n)
    else this.pushPaced(queue, n)
    this.recorder.sent += n
    this.leftOnSocket -= n
    const socket = /** @type {import('node:net').Socket} */ (this.socket)
    if (!socket.write(bytes)) this.waitForDrain(socket)
    if (this.budget.left === 0) this.withdrawRoom()
    return n
  }

  /** Ends when nothing is left to send, and changes the socket when it may carry no more. */
  conclude () {
    if (this.inFlight.count > 0) return
    if (this.budget.left === 0) this.end()
    else if (this.leftOnSocket === 0) this.renew()
  }

  /**
   * @param {number} n
   * @returns {Buffer | null} the bytes of the next n requests; null when a hook failed
   */
  next (n) {
    try {
      return this.requests.next(n)
    } catch (error) {
      this.around.onFailure(/** @type {Error} */ (error))
      return null
    }
  }

  /**
   * A request that is late because no pipeline had room, or no socket took more, keeps its intended time: the server is to
   * blame. One that is late although there was room, or by no more than the generator itself had to catch up with, counts
   * from its write: that is the generator's lag, not the server's.
   * @param {import('./queue').Queue} queue
   * @param {number} n
   */
  pushPaced (queue, n) {
    const { around, recorder, inFlight } = this
    const at = this.now()
    const start = around.startedAt
    queue.free -= n
    recorder.sentUntil = at - start
    for (let i = 0; i < n; i++) {
      const intended = start + queue.take()
      if (queue.waited(intended, at)) {
        recorder.late++
        inFlight.pushFrom(at, around.correctsOmission ? intended + queue.debt : at)
      } else {
        recorder.distributions.current.lag.record(at - intended)
        inFlight.pushFrom(at, at)
      }
    }
  }

  // The handler of the parser.

  /**
   * @param {number} status
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   */
  onHead (status, buf, start, end) {
    if (this.inFlight.count === 0) return UNREQUESTED
    this.status = status
    const method = this.answering.answeringMethod()
    if (this.reader !== null) this.wantsBody = this.reader.begin(status, buf, start, end, this.answering)
    if (method === 'GET') return BODY
    return method === 'HEAD' ? NO_BODY : method === 'CONNECT' ? TUNNEL : BODY
  }

  /**
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   */
  onBody (buf, start, end) {
    /** @type {import('../response/reader').ResponseReader} */ (this.reader).add(buf, start, end)
  }

  /** @param {number} size */
  onComplete (size) {
    const { status, recorder, readAt, inFlight } = this
    const requests = this.answering
    const ms = readAt - inFlight.origin()
    const started = inFlight.shift()
    this.answers++
    const ttfb = this.begunAt - started
    recorder.complete(status, size, ms, readAt - started, ttfb)
    this.begunAt = readAt
    // Not where the socket may carry no more than that anyway.
    if (this.offersRoom && inFlight.capacity - inFlight.count <= this.leftOnSocket) this.queue?.add(1, readAt)
    requests.answered()
    if (this.reader !== null && !this.judge(status, size, ms, ttfb)) return
    if (this.observer.response !== null) this.observer.response(this, status, size, ms)
  }

  /**
   * Runs the hooks on a complete response.
   * @param {number} status
   * @param {number} size
   * @param {number} ms
   * @param {number} ttfb
   * @returns {boolean} false when a hook failed, which ends the run
   */
  judge (status, size, ms, ttfb) {
    const { recorder } = this
    const reader = /** @type {import('../response/reader').ResponseReader} */ (this.reader)
    const tally = reader.examiner?.tally ?? null
    if (tally !== null) recorder.completeNamed(tally, status, ms, ttfb)
    // Before a hook has a chance to end the run.
    const isError = status >= 400
    const allowed = isError && reader.examiner !== null && reader.examiner.allows(status)
    if (allowed) recorder.allow(tally)
    if (reader.judgesBody) recorder.compared++
    try {
      const verdict = reader.judge(ms)
      if (verdict !== FINE && (!isError || allowed)) recorder.fault(tally)
      if (verdict === MISMATCHED) {
        // First, because the mismatch may be the one that ends the run.
        if (this.observer.mismatch !== null) this.observer.mismatch(reader.text())
        recorder.mismatch()
      } else if (verdict === FAILED) recorder.countTowardsBailout(1)
    } catch (error) {
      this.around.onFailure(/** @type {Error} */ (error))
      return false
    }
    if (reader.client !== null) reader.client.tell('response', status, size, ms)
    return true
  }

  /**
   * Gives up on a connection or a request that takes longer than the timeout.
   * @param {number} at the time now
   */
  checkDeadline (at) {
    const { timeout } = this.around
    if (this.inFlight.count > 0 && at - this.inFlight.peek() >= timeout) {
      // In the words of autocannon 9, which scripts look for.
      this.settle(new ConnectionError('AC_TIMEOUT', 'request timed out'))
    } else if (this.state === CONNECTING && at - this.connectingSince >= timeout) {
      this.settle(new ConnectionError('AC_CONNECT_TIMEOUT'))
    }
  }

  /**
   * The one place where a connection ends while there is work: every request in flight gets its fate or is kept for the
   * next connection, which is then opened.
   * @param {Error & { code?: string } | null} error null after an orderly end
   */
  settle (error) {
    const connected = this.state === OPEN
    const { inFlight, parser, answering } = this
    this.state = WAITING
    this.release()
    const shortage = connected ? null : shortageOf(error, this.around.waitingRoom.crowded)
    const waits = shortage !== null && this.around.waitingRoom.admits(shortage)
    if (connected && error === null) {
      this.readAt = this.now()
      parser.finish()
    }
    const since = shortage === null ? this.waitingSince : Infinity
    if (since !== Infinity) this.waitsFrom = since
    const repeats = connected && error === null && this.answers > 0 && !parser.inside
    const kept = waits ? inFlight.count : repeats ? answering.repeatable(inFlight.count) : 0
    if (waits) {
      // However often it tries: that is between us and this machine.
      if (!this.short) this.recorder.failUnsent(shortage, 1, this.observer)
      this.short = true
    } else if (inFlight.count > 0) {
      this.settleInFlight(shortage ?? error, kept)
    } else if (!connected) {
      // Nothing was sent, so there is no fate: the attempt uses up what it would have sent, or a run by amount against a
      // dead server would never end. One of it is counted already if it has waited.
      const forgone = this.budget.take(inFlight.capacity)
      const lost = forgone - (this.short && shortage !== null ? 1 : 0)
      this.short = false
      this.recorder.forgone += forgone
      this.recorder.failUnsent(shortage ?? error ?? new ConnectionError('AC_CLOSED'), lost, this.observer)
    } else if (error !== null && error === parser.error) {
      // An answer that nobody asked for is no request's fate, but an error all the same.
      this.recorder.failUnsent(error, 1, this.observer)
    }
    parser.reset()
    this.noteAttempt()
    if (this.ended) return
    if (this.budget.left === 0 && inFlight.count === 0) return this.end()
    // What it was to send again may time out while it waits.
    if (this.queued) return
    if (waits) {
      this.queued = true
      return this.around.waitingRoom.enter(this)
    }
    if (this.answers > 0) {
      this.pause = 0
      this.open()
    } else {
      this.pause = Math.min(Math.max(FIRST_PAUSE, this.pause * 2), LAST_PAUSE)
      this.around.after(this.pause, () => { if (!this.ended) this.open() })
    }
  }

  /**
   * An error fails all requests in flight. At an orderly end or a timeout it is the oldest one that was cut off or took too
   * long; those behind it fail because their connection is gone. After an orderly end behind a complete answer the server
   * has not processed what followed (RFC 9112 §9.6), so that is sent again on the next connection, as every client does
   * (§9.3.2) – but not what must not arrive twice, nor what is in front of that. It can't go on for ever: each connection
   * has answered one.
   * @param {Error & { code?: string } | null} error
   * @param {number} kept how many of the newest are sent again
   */
  settleInFlight (error, kept) {
    const { inFlight, recorder, observer, around, answering } = this
    const at = this.now()
    const first = error ?? new ConnectionError(this.parser.inside ? 'AC_TRUNCATED' : 'AC_CLOSED')
    const timeout = first.code === 'AC_TIMEOUT'
    const behind = timeout ? new ConnectionError('AC_BEHIND_TIMEOUT') : error ?? new ConnectionError('AC_CLOSED')
    for (let request = first; inFlight.count > kept; request = behind) {
      const suffered = at - inFlight.origin()
      const age = at - inFlight.shift()
      const tally = takeTally(answering)
      if (timeout && age >= around.timeout) recorder.timeOut(first, suffered, age, observer, tally)
      else recorder.fail(request, observer, tally)
    }
  }

  /** Makes the connection anew, with nothing in flight. */
  renew () {
    this.release()
    this.parser.reset()
    this.open()
  }

  /**
   * Since when something has waited for the server here without a sign of it: a request that is or was in flight, or one that found no
   * connection. The last request of a budget tells of itself only.
   * @returns {number} on the clock of the connections; Infinity when nothing waits
   */
  get waitingSince () {
    const { inFlight, readAt } = this
    if (this.waitsFrom >= readAt) return this.waitsFrom
    if (this.budget.left === 0) return Infinity
    if (inFlight.count > 0) return Math.max(readAt, inFlight.peek())
    return this.connectingSince > readAt ? this.connectingSince : Infinity
  }

  /**
   * The run is over: what is in flight is given up.
   * @param {number} meanLatency of the answers, ms
   * @param {number} longestLatency likewise
   */
  abandon (meanLatency, longestLatency) {
    if (this.ended) return
    const { inFlight, recorder, around, answering } = this
    const suffers = this.queue !== null && around.correctsOmission
    const at = this.now()
    recorder.abandoned += inFlight.count
    while (inFlight.count > 0) {
      if (this.queue === null) recorder.recordUnansweredUnpaced(at - inFlight.origin(), longestLatency, takeTally(answering))
      else if (suffers) recorder.recordUnansweredPaced(at - inFlight.origin(), meanLatency, 1, takeTally(answering))
      inFlight.shift()
    }
    this.end()
  }

  /** @returns {boolean} whether this connection has nothing left to do */
  get ended () {
    return this.state === ENDED
  }

  /** Nothing is left to do. */
  end () {
    this.state = ENDED
    this.release()
    this.parser.stop()
    this.around.onEnd(this)
  }

  /** Lets go of the socket: none of its events reaches this connection any more. */
  release () {
    const { socket } = this
    this.socket = null
    this.withdrawRoom()
    if (socket === null) return
    this.around.waitingRoom.holders--
    socket.destroy()
  }
}

/**
 * The oldest request in flight gets no answer.
 * @param {import('../scenario/sequence').Requests} requests
 * @returns {import('../record/named-requests').RequestTally | null} where it is counted when it has a name
 */
function takeTally (requests) {
  const examiner = requests.answeringExaminer()
  requests.answered()
  return examiner === null ? null : examiner.tally
}

/** @type {import('../scenario/sequence').Requests} */
const NO_REQUESTS = {
  maxRun: 1,
  next () { throw new Error('a connection was opened without requests') },
  answeringMethod: () => '',
  answeringRequest: () => ({ method: '', path: null, headers: [], body: null }),
  answeringExaminer: () => null,
  answeringStep: () => null,
  answeringContext: () => ({}),
  answered () {},
  repeatable: () => 0,
  repeat () { throw new Error('a connection has nothing to send again') }
}

module.exports = { Connection }
