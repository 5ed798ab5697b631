'use strict'

// The iterations of a user whose scenario is a function: calls it, gives its requests to lanes, and knows when an
// iteration has ended. It has no socket and no timer.

const { types } = require('node:util')
const { HookError, codeOf, ProtocolError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { redactedText } = require('../core/secrets')
const { isAssertion, reasonOf } = require('../checks/failure')
const { parseName } = require('../checks/rule')
const { isPromise } = require('../requests/hook-result')
const { urlOf } = require('../requests/target')
const { MAX_RESTARTS, restartsForEver } = require('../users/set-up')
const { Call, RequestError } = require('./call')
const { ends } = require('./ends')
const { GroupCalls } = require('./group-calls')
const { failureOf, hintFor } = require('./habits')
const { Iteration, MISUSES } = require('./iteration')
const { IterationCut } = require('./iteration-cut')
const { Pause } = require('./pause')
const { PlannedCall } = require('./planned-call')
const { randomWith } = require('./random')
const { Rest } = require('./rest')
const { watched, watchedSocket, watchedStream } = require('./unawaited')
const { noteMisuse } = require('./unhandled')
const { Waiting } = require('./waiting')

/** The least time of an iteration without a request, ms: otherwise it could repeat for ever within a turn. */
const IDLE = 1

const GROUP_FORM = "write await group('buy', async () => { … })"

/** @type {Promise<never>} */
const NEVER = new Promise(() => {})

/**
 * A connection of the user, which sends the requests of its source.
 * @typedef {object} Carrier
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
 * @property {(connection: Carrier) => void} wake it has something to send
 * @property {(until: number, sleeper: { wake: () => void }) => void} sleep
 * @property {number} pausesToWatch of how many more pauses it is watched whether something waits for them
 * @property {number} groupsToWatch likewise of the requests in groups
 * @property {number} responsesToWatch of how many more requests a promise that is taken for the response throws
 * @property {(action: () => void) => void} later in a turn of its own
 * @property {(error: Error) => void} fail the run can't go on
 * @property {import('./awaited').Awaited | null} awaited where hooks may take their time
 * @property {(user: FunctionUser, connection: Carrier) => Lane} laneOf
 * @property {(user: FunctionUser) => Lane} openLane one more, whose connection is not open yet
 * @property {number} mostLanes requests of one user that are in flight at the same time
 * @property {import('./requests/requests').Requests} requests
 * @property {import('../instruments/checks/record').Checks} checks
 * @property {() => void} onFailedCheck
 * @property {() => any} setAside keeps the judged response if a check fails
 * @property {(step: import('../users/compiled-scenario').CompiledStep, stage: import('./planned-call').Stage | null,
 *   single: any, isUnexpected: boolean) => void} onLateFault it has; whether its status has made it a failure already
 * @property {{ record: (name: string, ms: number) => void }} groups
 * @property {() => import('./stream-call').StreamNeeds} streams made for the first of them
 * @property {() => import('./sockets/socket-lane').SocketNeeds} sockets likewise of WebSockets
 * @property {(connection: Carrier) => void} settle no more is wanted of the stream on it
 * @property {number} longPause the pause that is as long as the run, ms; Infinity where that is unknown, or was
 *   reported
 * @property {(seconds: number) => void} onLongPause such a pause is given as a number
 * @property {(details: unknown[]) => void} log
 * @property {AbortSignal} signal aborted when the run ends
 * @property {(error: unknown) => string} exceptionOf why an iteration is aborted by that
 * @property {boolean} keepGoing whether an exception ends the iteration and not the run
 *
 * @typedef {import('./lane').Lane} Lane
 * @typedef {import('./sockets/socket-lane').SocketLane} SocketLane
 * @typedef {import('../users/user').Code} Code
 */

class FunctionUser {
  /**
   * @param {Runtime} runtime
   * @param {import('../users/user').User} user whose iterations these are
   * @param {Carrier} connection of the user
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
    /** The pause that began last of those that go on. @type {Rest | null} */
    this.resting = null
    /** Pauses of the iteration that nothing has waited for so far; null before the first. @type {Set<Pause> | null} */
    this.ignored = null
    /** Requests that the callback of a group begins while it is called. @type {GroupCalls | null} */
    this.grouped = null
    /** Its WebSockets that are open, or are about to be; null before the first. @type {Set<SocketLane> | null} */
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

  /**
   * The next iteration begins.
   * @param {import('../users/user').RoundKind} kind with a function
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
    let told
    try {
      told = this.isSetUp || code.user === null ? code.run(iteration) : this.setUp(code, iteration)
    } catch (error) {
      told = Promise.reject(error)
    }
    const promise = isPromise(told) ? Promise.resolve(told) : Promise.resolve()
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
    thrown ??= this.ignoredPause()
    iteration.isCut = thrown !== null
    if (thrown !== null) this.cutBy = this.reasonOf(thrown.error)
    // Its requests that were not sent when it threw are dropped.
    if (thrown !== null) this.dropQueue(iteration)
    if (thrown !== null && this.sockets !== null) for (const socket of [...this.sockets]) socket.dropQueue(iteration)
    if (iteration.streams !== null) this.dropStreams(iteration.streams)
    if (iteration.requests === 0 && iteration === this.iteration) this.end(iteration, this.runtime.now())
  }

  /** Those that are read no more are closed. @param {Set<import('./stream-call').StreamCall>} streams */
  dropStreams (streams) {
    for (const call of [...streams]) call.abort()
  }

  /** @returns {{ error: Error } | null} the problem if a pause was not awaited */
  ignoredPause () {
    if (this.ignored === null || this.ignored.size === 0) return null
    const [first] = this.ignored
    this.ignored.clear()
    const error = first.mistake
    MISUSES.add(error)
    return { error }
  }

  /**
   * @param {any} error that the function has thrown
   * @returns {string | null} why the iteration is aborted; null where the run ends with that
   */
  reasonOf (error) {
    const { runtime } = this
    // The prototype trap of a proxy may throw.
    const isError = types.isNativeError(error)
    if (isError && error instanceof RequestError) return codeOf(error)
    if (isError && error instanceof IterationCut) return error.reason
    // A server under load responds with another page than usual: no reason to end the run.
    if (isError && error instanceof ProtocolError) {
      runtime.checks.of('body', null).fail(redactedText(reasonOf(error)), null)
      runtime.onFailedCheck()
      return `body ${codeOf(error)}`
    }
    if (isAssertion(error)) {
      runtime.checks.of('assertion', null).fail(reasonOf(error), null)
      runtime.onFailedCheck()
      return 'assertion'
    }
    if (isError && error instanceof HookError) {
      runtime.fail(error)
    } else if (runtime.keepGoing) {
      this.countException(error)
      return runtime.exceptionOf(error)
    } else {
      const what = `the function of user ${this.number}`
      runtime.fail(MISUSES.has(error) ? HookError.failed(what, error) : failureOf(what, error, this.user.context))
    }
    return 'exception'
  }

  /** As a failed check, which fails a run without thresholds. @param {any} error */
  countException (error) {
    const { runtime, user } = this
    runtime.checks.of('exception', null).fail(redactedText(reasonOf(error)) + hintFor(error, user.context), null)
    runtime.onFailedCheck()
  }

  /** @type {(iteration: Iteration, at: number) => void} */
  end (iteration, at) {
    const { connection, home, user, runtime } = this
    iteration.change(at, 0, 0)
    user.paused = iteration.paused
    this.dropPauses()
    if (this.sockets !== null) this.leaveSockets(this.sockets)
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
   * An iteration ends, and with it its sockets: all of them where the user is not set up.
   * @param {Set<SocketLane>} sockets
   */
  leaveSockets (sockets) {
    const isSetUp = this.isSetUp || this.user.kind.code?.user == null
    for (const socket of [...sockets]) if (!socket.keeps || !isSetUp) socket.leave()
  }

  /**
   * @param {Iteration} iteration
   * @param {unknown} where
   * @param {unknown} given
   * @returns {Promise<import('./sockets/socket').Socket>}
   * @throws {TypeError | import('./call').RequestError} likewise
   */
  openSocket (iteration, where, given) {
    const { SocketLane } = require('./sockets/socket-lane')
    const { runtime } = this
    if (this.closed) return NEVER
    const options = require('./sockets/socket-options').readSocketOptions(given)
    const asked = runtime.requests.socket(where, options, this.user.home)
    const needs = runtime.sockets()
    needs.checkHeaders(asked.own)
    const promise = this.beginSocket(new SocketLane(this, iteration, asked, options, needs))
    if (promise === NEVER) return NEVER
    return watchedSocket(this.grouped === null ? promise : this.grouped.add(promise))
  }

  /**
   * @param {SocketLane} lane
   * @returns {Promise<any>} its socket
   * @throws {import('./call').RequestError}
   */
  beginSocket (lane) {
    lane.usable()
    // Nothing is sent any more.
    if (this.connection.budget.left === 0) return NEVER
    this.sockets ??= new Set()
    this.sockets.add(lane)
    lane.iteration.change(this.runtime.now(), 1, 0)
    lane.begin()
    return lane.promise
  }

  /**
   * @param {import('./planned-call').SocketPlace} place in a flow, which has the WebSocket from now on
   * @param {import('../users/compiled-scenario').CompiledStep} step
   * @param {import('../requests/request').Request} request of the handshake
   * @param {{ protocols: ReadonlyArray<string>, compressed: boolean, timeoutMs: number | null, keeps: boolean,
   *   as: string }} options
   * @returns {Promise<unknown>}
   * @throws {IterationCut | import('./call').RequestError}
   */
  openStep (place, step, request, options) {
    const { FlowSocket } = require('./sockets/flow-socket')
    if (this.closed) return NEVER
    const { iteration } = place
    if (iteration.over) throw new IterationCut('AC_ITERATION_OVER')
    this.refusals = 0
    const { target } = step
    const asked = { target, request, own: [], url: urlOf(target, request.path).replace(/^http/, 'ws') }
    const socket = new FlowSocket(this, iteration, asked, options, this.runtime.sockets())
    place.sockets = new Map(place.sockets).set(options.as, socket)
    return this.beginSocket(socket)
  }

  /**
   * @param {import('./planned-call').Place} place in a flow
   * @param {() => Promise<unknown>} ask for something over a WebSocket
   * @returns {Promise<unknown>}
   * @throws {IterationCut | import('./call').RequestError}
   */
  socketStep ({ iteration }, ask) {
    if (this.closed) return NEVER
    if (iteration.over) throw new IterationCut('AC_ITERATION_OVER')
    this.refusals = 0
    return ask()
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
    const asked = runtime.requests.ask(method, where, options, this.user.home)
    const at = runtime.now()
    const promise = this.ask(iteration, new Call(iteration, asked, at), at)
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
    const asked = runtime.requests.ask(options.method, where, options.rest, this.user.home)
    const at = runtime.now()
    const call = new StreamCall(iteration, asked, options, runtime.streams(), at)
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
    const { lanes, queue, resting, runtime } = this
    return queue.length > 0 && resting === null && lanes.length >= runtime.mostLanes &&
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
   * @param {Iteration} iteration
   * @param {number} ms
   * @param {unknown} given as the function has it
   * @param {Function} caller with stack frames that mean nothing to a user
   * @returns {Promise<void>} resolves when they are over, and rejects when the run is
   */
  rest (iteration, ms, given, caller) {
    if (this.closed) return NEVER
    if (iteration.over && !iteration.isCut) {
      throw new TypeError(`pause(${show(given)}) begins after the function has returned: is an await missing? An ` +
        'async callback of forEach is not awaited: use for … of, or Promise.all')
    }
    const { runtime } = this
    // An await that is missing is in the first iterations, too. To look for it takes memory in each user that pauses.
    if (runtime.pausesToWatch === 0) return this.wait(iteration, ms)
    runtime.pausesToWatch--
    this.ignored ??= new Set()
    return this.begin(iteration, ms, Pause.of(given, this.ignored, caller))
  }

  /** @type {(iteration: Iteration, ms: number) => Promise<void>} */
  wait (iteration, ms) {
    return this.closed ? NEVER : this.begin(iteration, ms, new Promise(ends.keep))
  }

  /** @type {(iteration: Iteration, ms: number, promise: Promise<void>) => Promise<void>} */
  begin (iteration, ms, promise) {
    new Rest(this, iteration, promise).begin(ms)
    return promise
  }

  /**
   * Later than the current turn: a function that repeats a rejected call would block the thread.
   * @param {any} error
   * @returns {Promise<never>}
   */
  refuse (error) {
    const { runtime, iteration } = this
    if (error.isMistake !== false) noteMisuse(error, error => this.reportMisuse(error))
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

  /** @param {Error} error of a wrong call that nothing has waited for */
  reportMisuse (error) {
    const { runtime, closed, number } = this
    if (closed) return
    if (runtime.keepGoing) this.countException(error)
    else runtime.fail(HookError.failed(`the function of user ${number}`, error))
  }

  /** @param {Iteration} iteration @param {unknown} name @param {unknown} run */
  async group (iteration, name, run) {
    const key = this.nameOf(name)
    if (typeof run !== 'function') {
      throw this.misused(new TypeError(`group(${show(key)}): expected a function, got ${show(run)}: ${GROUP_FORM}`))
    }
    const { runtime, grouped } = this
    const calls = new GroupCalls(runtime.groupsToWatch > 0)
    if (calls.ignored !== null) runtime.groupsToWatch--
    const at = runtime.now()
    let given
    // Parallel groups are called one after the other, and each has the requests of its callback.
    this.grouped = calls
    try {
      given = run()
    } finally {
      this.grouped = grouped
    }
    const told = await given
    if (this.closed) return told
    const mistake = calls.mistakeIn(key, isPromise(given))
    if (mistake !== null) throw this.misused(mistake)
    if (iteration === this.iteration) runtime.groups.record(key, runtime.now() - at)
    return told
  }

  /** @param {unknown} name of a group */
  nameOf (name) {
    try {
      return parseName(name)
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      throw this.misused(new TypeError(`group: its name comes first: ${message}: ${GROUP_FORM}`))
    }
  }

  /**
   * Fails the run at once: without an await, the rejection may come after the end of the run.
   * @param {Error} error of a wrong call
   * @returns {Error}
   */
  misused (error) {
    MISUSES.add(error)
    if (!this.runtime.keepGoing) this.reportMisuse(error)
    // Its rejection may be without a handler.
    noteMisuse(error, error => this.reportMisuse(error))
    return error
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
    const sockets = [...this.sockets ?? []]
    for (const socket of sockets) if (!socket.connection.ended && !socket.isBusy) socket.connection.finish()
    if ([...this.lanes, ...sockets].every(({ connection }) => connection.ended)) this.close()
  }

  /** Nothing of an iteration that has ended goes on: at high rates its pauses would fill the memory. */
  dropPauses () {
    for (let rest = this.resting; rest !== null;) {
      const { next } = rest
      rest.drop()
      rest = next
    }
  }

  /** The run is over for this user: waiting calls end. */
  close () {
    if (this.closed) return
    this.closed = true
    const waiting = [...this.queue.takeAll(), ...this.lanes.flatMap(({ call }) => call ?? [])]
    for (const call of waiting) call.reject(call.errorOf('AC_RUN_ENDED'))
    for (const socket of this.sockets ?? []) socket.drop()
    for (let rest = this.resting; rest !== null; rest = rest.next) rest.fail()
    this.resting = null
  }
}

module.exports = { FunctionUser }
