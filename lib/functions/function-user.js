'use strict'

// The iterations of a user whose scenario is a function: calls it, gives its requests to lanes, and knows when an
// iteration has ended. It has no socket and no timer.

const { isPromise } = require('../requests/hook-result')
const { MAX_RESTARTS, restartsForEver } = require('../users/set-up')
const { Call } = require('./call')
const { NEVER } = require('./ends')
const { Iteration } = require('./iteration')
const { IterationCut } = require('./iteration-cut')
const { misuse } = require('./misuse')
const { Pauses } = require('./pauses')
const { PlannedCall } = require('./planned-call')
const { randomWith } = require('./random')
const { watched, watchedStream } = require('./unawaited')
const { noteMisuse } = require('./unhandled')
const { Waiting } = require('./waiting')

/** The least time of an iteration without a request, ms: otherwise it could repeat for ever within a turn. */
const IDLE = 1

/**
 * A connection of the user, which sends the requests of its source.
 * @typedef {object} UserConnection
 * @property {import('../users/sequence').Source} source
 * @property {{ user: any, readers: { expect: (stream: any) => void } | null }} responses
 * @property {{ left: number }} budget
 * @property {{ count: number, oldest: number, started: ArrayLike<number> }} exchanges
 * @property {boolean} ended
 * @property {() => void} open
 * @property {(at: number) => void} checkDeadline
 * @property {() => void} conclude it ends when nothing is left to send
 * @property {() => void} finish it sends no more
 *
 * @typedef {object} Runtime shared by the functions of a generator
 * @property {() => number} now
 * @property {(connection: UserConnection) => void} wake it has something to send
 * @property {(until: number, sleeper: { wake: () => void }) => void} sleep
 * @property {number} pausesToWatch the number of further pauses that are checked for a missing await
 * @property {number} groupsToWatch likewise of groups
 * @property {number} responsesToWatch likewise of requests
 * @property {(action: () => void) => void} later in another turn of the event loop
 * @property {(error: Error) => void} fail the run can't go on
 * @property {import('./awaited').Awaited | null} awaited where hooks may take their time
 * @property {(user: FunctionUser, connection: UserConnection) => Lane} laneOf
 * @property {(user: FunctionUser) => Lane} openLane one more, whose connection is not open yet
 * @property {number} mostLanes requests of one user that are in flight at the same time
 * @property {import('./requests/requests').Requests} requests
 * @property {import('../instruments/checks/record').Checks} checks
 * @property {() => void} onFailedCheck
 * @property {() => any} setAside keeps the judged response if a check fails
 * @property {(step: import('../users/compiled-scenario').CompiledStep, stage: import('./planned-call').Stage | null,
 *   single: any, isUnexpected: boolean) => void} onLateFault an async check failed; `isUnexpected`: the status already
 *   counts as a failure
 * @property {{ record: (name: string, ms: number) => void }} groups
 * @property {() => import('./stream-call').StreamNeeds} streams lazy
 * @property {() => import('./sockets/socket-lane').SocketNeeds} sockets lazy
 * @property {(connection: UserConnection) => void} settle the stream on it needs no more events
 * @property {number} longPause the length of the run, ms; Infinity if it is unknown, or a pause of that length was
 *   reported
 * @property {(seconds: number) => void} onLongPause a pause as long as the run was given as a number
 * @property {(details: unknown[]) => void} log
 * @property {AbortSignal} signal aborted when the run ends
 * @property {import('./faults').Faults} faults
 *
 * @typedef {import('./lane').Lane} Lane
 * @typedef {import('../users/user').Code} Code
 */

class FunctionUser {
  /**
   * @param {Runtime} runtime
   * @param {import('../users/user').User} user whose iterations these are
   * @param {UserConnection} connection of the user
   * @param {number} number of the user in the whole run
   */
  constructor (runtime, user, connection, number) {
    this.runtime = runtime
    this.user = user
    this.number = number
    this.draw = user.random
    /** @type {import('./random').Random | null} */
    this.drawn = null
    this.connection = connection
    this.home = runtime.laneOf(this, connection)
    /** @type {Lane[]} */
    this.lanes = [this.home]
    /** Calls without a lane yet. */
    this.queue = new Waiting()
    /** The one that goes on. @type {Iteration | null} */
    this.iteration = null
    this.count = 0
    /** Why the iteration that goes on is aborted; null while it is not. */
    this.cutBy = null
    /** ms of the pauses that the rest of a flow that is aborted would have had. */
    this.pausesLeft = 0
    /** How many requests of flows in a row could not be sent. */
    this.refusals = 0
    /** The return value of the module's export `user`. @type {unknown} */
    this.state = undefined
    this.isSetUp = false
    /** @type {Pauses | null} */
    this.ownPauses = null
    /**
     * Requests that the callback of a group begins while it is called.
     * @type {import('./group-calls').GroupCalls | null}
     */
    this.grouped = null
    /** Null before the first. @type {import('./sockets/user-sockets').UserSockets | null} */
    this.sockets = null
    /** Whether the export `user` is called. */
    this.isSettingUp = false
    /** How many wrong calls are about to be reported. */
    this.wrong = 0
    this.closed = false
    // Closures of each iteration would be garbage that only a collection of the whole heap frees.
    this.onReturned = () => this.returned(null)
    this.onThrown = (/** @type {any} */ error) => this.returned({ error })
  }

  /** Lazy: most functions never use it. */
  get random () {
    return (this.drawn ??= randomWith(this.draw))
  }

  /** Lazy: many functions have none. */
  get pauses () {
    return (this.ownPauses ??= new Pauses(this))
  }

  /** Lazy, and so is its code: few functions open any. */
  get webSockets () {
    return (this.sockets ??= new (require('./sockets/user-sockets').UserSockets)(this))
  }

  /**
   * The next iteration begins.
   * @param {import('../users/user').IterationKind} kind with a function
   */
  run (kind) {
    const { connection, home, user } = this
    home.connectedTo = user.connectedTo
    connection.source = home
    connection.responses.user = home
    this.cutBy = null
    this.pausesLeft = 0
    const iteration = this.iteration = new Iteration(this, this.count++, user.context, kind.setup)
    iteration.changedAt = this.runtime.now()
    const code = /** @type {Code} */ (kind.code)
    let returned
    try {
      returned = this.isSetUp || code.user === null ? code.run(iteration) : this.setUp(code, iteration)
    } catch (error) {
      returned = Promise.reject(error)
    }
    const promise = isPromise(returned) ? Promise.resolve(returned) : Promise.resolve()
    promise.then(this.onReturned, this.onThrown)
  }

  /** Once, before the first iteration of the user. @type {(code: Code, iteration: Iteration) => Promise<unknown>} */
  async setUp (code, iteration) {
    this.isSettingUp = true
    try {
      this.state = await /** @type {Function} */ (code.user)(iteration)
    } finally {
      this.isSettingUp = false
    }
    this.isSetUp = true
    return code.run(iteration)
  }

  /** The function of the iteration that goes on has ended. @param {{ error: any } | null} thrown */
  returned (thrown) {
    if (this.closed) return
    const iteration = /** @type {Iteration} */ (this.iteration)
    iteration.over = true
    const mistake = thrown === null && this.ownPauses !== null ? this.ownPauses.takeMistake() : null
    if (mistake !== null) thrown = { error: mistake }
    iteration.isCut = thrown !== null
    if (thrown !== null) {
      this.cutBy = this.runtime.faults.reasonOf(thrown.error, this)
      // Its requests that were not sent when it threw are dropped.
      this.dropQueue(iteration)
      this.sockets?.dropQueues(iteration)
    }
    // Streams that are read no more are closed.
    if (iteration.streams !== null) for (const call of [...iteration.streams]) call.abort()
    if (iteration.requests === 0 && iteration === this.iteration) this.end(iteration, this.runtime.now())
  }

  /** @type {(iteration: Iteration, at: number) => void} */
  end (iteration, at) {
    const { connection, home, user, runtime } = this
    iteration.change(at, 0, 0)
    user.paused = iteration.paused
    if (this.ownPauses !== null) this.ownPauses.drop()
    if (this.sockets !== null) this.sockets.endIteration(this.isSetUp || user.kind.code?.user == null)
    this.iteration = null
    user.connectedTo = home.connectedTo
    connection.source = user
    connection.responses.user = user
    if (this.cutBy === null) user.completed(at)
    else user.cut(this.cutBy, at)
    if (!iteration.hasAsked) user.readyAt = Math.max(user.readyAt, at + IDLE)
    runtime.wake(connection)
  }

  /**
   * @param {Iteration} iteration
   * @param {string} method
   * @param {unknown} where
   * @param {unknown} options
   * @returns {Promise<any>}
   * @throws {TypeError | import('./call').RequestError} if the arguments are wrong, or its iteration has ended
   */
  send (iteration, method, where, options) {
    const { runtime } = this
    if (this.closed) return NEVER
    const prepared = runtime.requests.prepare(method, where, options, this.user.home)
    const at = runtime.now()
    const promise = this.ask(iteration, new Call(iteration, prepared, at), at)
    return this.given(this.grouped === null ? promise : this.grouped.add(promise))
  }

  /**
   * @param {Iteration} iteration
   * @param {unknown} where
   * @param {unknown} given
   * @returns {Promise<any>} for a loop, too
   * @throws {TypeError | import('./call').RequestError} likewise
   */
  stream (iteration, where, given) {
    const { StreamCall, NEVER_STREAM } = require('./stream-call')
    const { runtime } = this
    if (this.closed) return NEVER_STREAM
    const options = require('./stream-options').readStreamOptions(given)
    const prepared = runtime.requests.prepare(options.method, where, options.rest, this.user.home)
    const at = runtime.now()
    const call = new StreamCall(iteration, prepared, options, runtime.streams(), at)
    const promise = this.ask(iteration, call, at)
    this.grouped?.addStream()
    iteration.streams ??= new Set()
    iteration.streams.add(call)
    return this.given(promise, watchedStream)
  }

  /** @type {(promise: Promise<any>, watch?: typeof watched) => Promise<any>} as the function has it */
  given (promise, watch = watched) {
    const { runtime } = this
    // Properties cost more than the promise.
    if (runtime.responsesToWatch === 0) return promise
    runtime.responsesToWatch--
    return watch(promise)
  }

  /**
   * @template {Call} C
   * @param {Iteration} iteration
   * @param {C} call
   * @param {number} at
   * @returns {C['promise']}
   * @throws {import('./call').RequestError}
   */
  ask (iteration, call, at) {
    iteration.hasAsked = true
    if (iteration !== this.iteration || iteration.over) {
      const error = call.errorOf('AC_ITERATION_OVER')
      error.isMistake = !iteration.isCut
      throw error
    }
    return this.submit(call, at)
  }

  /**
   * @param {import('./planned-call').Place} place in a flow
   * @param {import('../users/compiled-scenario').CompiledStep} step
   * @param {ConstructorParameters<typeof PlannedCall>[2]} made
   * @returns {Promise<unknown>}
   * @throws {IterationCut} when another branch has ended the iteration
   */
  sendStep (place, step, made) {
    if (this.closed) return NEVER
    const { iteration } = place
    if (iteration.over) throw new IterationCut('AC_ITERATION_OVER')
    const at = this.runtime.now()
    iteration.hasAsked = true
    return this.submit(new PlannedCall(place, step, made, at), at)
  }

  /** @type {(call: Call, at: number) => Promise<any>} */
  submit (call, at) {
    call.iteration.change(at, 1, 0)
    this.queue.push(call)
    this.dispatch()
    return call.promise
  }

  /**
   * A request of a flow can't be sent, so its iteration ends.
   * @param {import('../users/compiled-scenario').CompiledStep} step
   * @param {string | null} reason of its values; null when its hook returned nothing
   * @returns {IterationCut}
   */
  refused (step, reason) {
    const { user, runtime } = this
    if (reason === null) user.onReset()
    else user.onRefused(step, reason)
    if (++this.refusals === MAX_RESTARTS) runtime.fail(restartsForEver(step.index, reason))
    return new IterationCut(reason === null ? 'setupRequest' : 'value')
  }

  /** @returns {Promise<void>} resolves in another turn, so that others have theirs */
  breathe () {
    return this.closed ? NEVER : new Promise(resolve => this.runtime.later(resolve))
  }

  /**
   * @returns {boolean} whether a request waits that can't be sent: streams of the same function have all connections,
   *   and it reads none of them
   */
  get isBlocked () {
    const { lanes, queue, ownPauses, runtime } = this
    return queue.length > 0 && (ownPauses === null || ownPauses.last === null) && lanes.length >= runtime.mostLanes &&
      lanes.every(({ call }) => call?.isUnread)
  }

  /** Gives waiting calls to free lanes. */
  dispatch () {
    const { runtime, lanes, queue } = this
    // Nothing is sent any more. Waiting calls are rejected when the connections have ended.
    if (this.connection.budget.left === 0) return
    for (let i = 0; i < lanes.length && queue.length > 0; i++) {
      if (lanes[i].call !== null) continue
      lanes[i].take(/** @type {Call} */ (queue.take()))
      runtime.wake(lanes[i].connection)
    }
    while (queue.length > 0 && lanes.length < runtime.mostLanes) {
      const lane = runtime.openLane(this)
      lanes.push(lane)
      lane.take(/** @type {Call} */ (queue.take()))
      lane.connection.open()
    }
  }

  /**
   * @param {Lane} lane that is free
   * @returns {boolean} whether it has something to send now
   */
  assign (lane) {
    const call = this.queue.take()
    if (call === undefined) return false
    lane.take(call)
    return true
  }

  /** A request of the iteration has its outcome. @type {(iteration: Iteration, at: number) => void} */
  settled (iteration, at) {
    iteration.change(at, -1, 0)
    if (this.closed || iteration !== this.iteration) return
    if (iteration.over && iteration.requests === 0) this.end(iteration, at)
  }

  /** @param {Iteration} iteration whose requests that wait for a connection are not sent */
  dropQueue (iteration) {
    for (const call of this.queue.takeAll()) {
      iteration.change(this.runtime.now(), -1, 0)
      call.reject(call.errorOf('AC_ITERATION_OVER'))
    }
  }

  /**
   * Later than the current turn: a function that repeats a rejected call would block the thread.
   * @param {any} error
   * @returns {Promise<never>}
   */
  refuse (error) {
    const { runtime, iteration } = this
    if (error.isMistake !== false) noteMisuse(error, error => runtime.faults.report(error, this))
    // Its iteration and its connections last until a rejection without a handler is reported: otherwise the run could
    // end before.
    iteration?.change(runtime.now(), 1, 0)
    this.wrong++
    return new Promise((resolve, reject) => runtime.later(() => {
      reject(error)
      runtime.later(() => {
        this.wrong--
        if (iteration !== null) this.settled(iteration, runtime.now())
      })
    }))
  }

  /**
   * Fails the run at once: without an await, the rejection may come after the end of the run.
   * @param {Error} error of a wrong call
   * @returns {Error}
   */
  misused (error) {
    const { faults } = this.runtime
    if (!faults.keepGoing) faults.report(error, this)
    // Its rejection may be without a handler.
    noteMisuse(error, error => faults.report(error, this))
    return misuse(error)
  }

  /**
   * The run ends in the middle of the iteration.
   * @param {number} since when its request has waited
   * @param {number} at
   */
  abandoned (since, at) {
    if (this.iteration === null || this.closed) return
    this.iteration.change(at, 0, 0)
    this.user.paused = this.iteration.paused
    this.user.abandoned(since, at)
    this.close()
  }

  /** @param {Lane} lane whose connection has nothing left to do */
  laneEnded (lane) {
    if (lane === this.home || lane.connection.budget.left === 0) this.leave()
  }

  /** A socket has nothing left to do. */
  socketEnded () {
    if (this.connection.budget.left === 0) this.leave()
  }

  /** Its connection has nothing left to do: no others of its have. */
  leave () {
    for (const { connection, call, judging } of this.lanes) {
      if (!connection.ended && call === null && judging === 0) connection.finish()
    }
    const isOver = this.sockets === null || this.sockets.finish()
    if (isOver && this.lanes.every(({ connection }) => connection.ended)) this.close()
  }

  /** The run is over for this user: waiting calls end. */
  close () {
    if (this.closed) return
    this.closed = true
    const waiting = [...this.queue.takeAll(), ...this.lanes.flatMap(({ call }) => call ?? [])]
    for (const call of waiting) call.reject(call.errorOf('AC_RUN_ENDED'))
    this.sockets?.close()
    this.ownPauses?.fail()
  }
}

module.exports = { FunctionUser }
