'use strict'

// A user: one connection that runs iterations of scenarios, one request at a time. Each request waits for the outcome
// of the one before it and for think times. It has no socket and no counters: iterations are reported to their tally.

const { AutocannonError, codeOf } = require('../core/errors')
const { lengthLeft, lengthOfAll } = require('./pause')
const { Sender } = require('./sender')
const { ELSEWHERE, NOT_YET, NO_MORE } = require('./sequence')
const { MAX_RESTARTS, restartsForEver, setUp } = require('./set-up')
const { Template, compileRequest } = require('../templates/template')

/** No iteration goes on. */
const BETWEEN = -1

/** For an iteration that ends without a request in flight. @type {{ inspector: null }} */
const NO_STEP = { inspector: null }

/**
 * @typedef {import('./sequence').Rows} Rows
 * @typedef {import('./sequence').Source} Source
 * @typedef {import('./pause').Pause} Pause
 * @typedef {import('./compiled-scenario').CompiledScenario} CompiledScenario
 * @typedef {import('./compiled-scenario').CompiledStep} CompiledStep
 *
 * @typedef {object} IterationKind scenario of a user
 * @property {string | null} name of its scenario; null for none
 * @property {CompiledScenario} scenario its steps
 * @property {ReadonlyArray<Pause>} lead before its first request
 * @property {ReadonlyArray<Pause> | null} pauses between such an iteration and the next; null for none
 * @property {number | null} every ms from when such an iteration was due until the next is, at least
 * @property {Code | null} code a function that the user runs as an iteration, instead of the steps but the first, which
 *   has the target; null for none
 * @property {any} setup the return value of that module's `setup`
 * @property {number} once how many of its first steps a user sends in its first such iteration only
 * @property {IterationCounts} counts
 *
 * @typedef {object} Code
 * @property {Function} run
 * @property {Function | null} user called once for each user before its first such iteration
 *
 * @typedef {object} Functions the iterations of a user that are functions
 * @property {(kind: IterationKind) => void} run begins one
 * @property {object | null} iteration that goes on
 * @property {number} pausesLeft ms of the pauses that one that is aborted would have had
 * @property {import('./sender').Sender & Source} home its target on this connection
 * @property {() => void} leave the connection has nothing left to do
 *
 * @typedef {object} IterationCounts where iterations of a scenario are counted
 * @property {() => void} start
 * @property {(ms: number, activeMs: number) => void} complete how long the iteration took, with and without its pauses
 * @property {(ms: number, activeMs: number, waitedMs: number) => void} abandon the run ends while the iteration has
 *   waited for a response for this time
 * @property {(reason: string) => void} cut the iteration ends early
 *
 * @typedef {{ left: number, take: (n: number) => number }} Iterations `take` returns how many of them are granted
 *
 * @typedef {object} Arrivals iterations that are due at times
 * @property {(at: number) => boolean} isDue the time now; whether there is one
 * @property {(at: number) => number} take the time now; from when the iteration counts that begins now, as one is due
 *
 * @typedef {object} Needs
 * @property {ReadonlyArray<IterationKind>} kinds
 * @property {import('./weighted-round-robin').WeightedRoundRobin} turns which kind of iteration is next
 * @property {number} phase 0 to 1: the elapsed part of the interval `every` when the user begins
 * @property {() => number} random 0 to 1, without 1; for pauses
 * @property {import('../templates/own').Own} own the values for fillers
 * @property {Arrivals | null} arrivals null where an iteration begins as soon as the user is free for it
 * @property {Iterations | null} iterations that may still begin, of all users; null where they have no number
 * @property {import('./once').Once | null} once null where each iteration has all its requests
 * @property {() => void} onReset an iteration starts over because setupRequest returned nothing
 * @property {() => void} onRetry a request is sent again
 * @property {(step: CompiledStep, reason: string) => void} onRefused an iteration ends because a request can't be sent
 *   with its values
 * @property {import('./session').Session | null} session its cookies, and the redirects that it follows; null without
 * @property {import('./reconnect').Reconnect | null} reconnect null where streams that end are not continued
 * @property {import('./sender').Findings} findings
 */

class User extends Sender {
  /** @param {Needs} needs */
  constructor (needs) {
    const { kinds, turns, phase, random, own, arrivals, iterations, once, onReset } = needs
    const { onRetry, onRefused, session, reconnect, findings } = needs
    super({ random, own, onRetry, session, findings })
    this.kinds = kinds
    this.turns = turns
    this.phase = phase
    this.arrivals = arrivals
    this.iterations = iterations
    this.once = once
    this.onReset = onReset
    this.onRefused = onRefused
    this.reconnect = reconnect
    /** The kind of the iteration that goes on, or is the next one. */
    this.kind = kinds[turns.next()]
    /** The step that is sent next, or is in flight; BETWEEN while no iteration goes on. */
    this.sending = BETWEEN
    /** Null where no iteration is a function. @type {Functions | null} */
    this.functions = null
    /** When the iteration that goes on was due, or the next one is; NaN before the first. */
    this.dueAt = NaN
    // Of the iteration that goes on: when it began, how long its pauses were so far, and since when one goes on; NaN
    // for none.
    this.begunAt = NaN
    this.paused = 0
    this.pausesSince = NaN
  }

  /** The one whose request is in flight, or is sent next. */
  get step () {
    return this.kind.scenario.steps[this.sending]
  }

  get inIteration () {
    return this.sending !== BETWEEN
  }

  get target () {
    return this.session === null ? this.kind.scenario.steps[Math.max(0, this.sending)].target : this.session.target
  }

  /**
   * @throws {import('../core/errors').AutocannonError}
   * @type {(n: number, rows: Rows, now: () => number) => number}
   */
  next (n, rows, now) {
    const at = now()
    if (this.failure !== null) throw this.failure
    const { own } = this
    /** @type {number | string} */
    let last = 0
    /** @type {string | null} */
    let refused = null
    // An iteration is due, or the user has another connection.
    if (this.readyAt === Infinity) this.readyAt = -Infinity
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      if (this.sending === BETWEEN && !this.begin(at)) return NO_MORE
      if (this.readyAt > at) return NOT_YET
      if (this.kind.code !== null) return this.call(n, rows, now)
      // The socket was not there when it was over.
      if (!Number.isNaN(this.pausesSince)) this.endPause(this.readyAt)
      if (this.session !== null && this.session.target !== this.connectedTo) return ELSEWHERE
      const step = this.kind.scenario.steps[this.sending]
      if (this.goesOnWith(step, rows, at) || this.reconnects(step, rows, at)) return 1
      last = step.index
      const { setupRequest } = step
      const given = step.given === null ? step.request : step.given(own)
      const bytes = this.bytesOf(step, at)
      if (step.expected !== null) this.expected = step.expected(own)
      refused = own.refused
      if (refused !== null) {
        own.refused = null
        this.cut('value', at)
        this.onRefused(step, refused)
        continue
      }
      if (bytes !== null) return this.begins(step, given, bytes, rows)
      const request = setupRequest === undefined ? given : setUp(step, setupRequest, given, own.context)
      if (request !== null) {
        return this.begins(step, request, this.compile(step, request, step.given === null ? null : given, at), rows)
      }
      this.cut('setupRequest', at)
      this.onReset()
    }
    throw restartsForEver(last, refused)
  }

  /** The step is sent for the first time. @type {import('./sender').Sender['write']} */
  begins (step, request, bytes, rows) {
    this.reconnect?.sentFirst(request, bytes, this.session === null ? '' : this.own.cookies)
    return this.write(step, request, bytes, rows)
  }

  /**
   * @param {CompiledStep} step
   * @param {Rows} rows
   * @param {number} at the time now
   * @returns {boolean} whether the next request continues the stream of the one before
   */
  reconnects (step, rows, at) {
    const { session, own, reconnect, kind: { scenario: { means } } } = this
    if (reconnect === null || !reconnect.isDue) return false
    const sent = reconnect.next(step, means)
    const bytes = session === null
      ? sent.bytes ?? /** @type {Template} */ (sent.template).fill(own)
      : session.bytesOf(sent, own, at)
    reconnect.onReconnect(step)
    return this.write(step, sent.request, /** @type {Buffer} */ (bytes), rows) === 1
  }

  /**
   * @param {boolean} hasEnded whether the stream of the request in flight has
   * @param {number} at when
   * @returns {boolean} whether the user continues it after a wait
   */
  waitsToReconnect (hasEnded, at) {
    const { reconnect } = this
    if (reconnect === null) return false
    if (!hasEnded || !this.step.isStream) {
      reconnect.reset()
      return false
    }
    reconnect.isDue = true
    this.session?.end()
    this.pause(reconnect.waitMs, at)
    return true
  }

  /** The iteration is a function: its requests are sent. @type {Source['next']} */
  call (n, rows, now) {
    const functions = /** @type {Functions} */ (this.functions)
    if (functions.iteration === null) functions.run(this.kind)
    const { home } = functions
    const ready = home.next(n, rows, now)
    this.bytes = home.bytes
    this.readyAt = home.readyAt
    return ready
  }

  /** The function has ended. @param {number} at */
  completed (at) {
    const took = at - this.begunAt
    this.kind.counts.complete(took, took - this.paused)
    this.end(at, 0)
  }

  ended () {
    this.functions?.leave()
  }

  /** @returns {import('../requests/target').Target} the default target of its requests */
  get home () {
    return this.kind.scenario.steps[0].target
  }

  /**
   * @param {CompiledStep} step
   * @param {number} at the time now
   * @returns {Buffer | null} null when they are not known before the request is made
   */
  bytesOf (step, at) {
    const { session, own } = this
    if (session !== null) return session.bytesOf(step, own, at)
    return step.bytes ?? (step.template === null ? null : step.template.fill(own))
  }

  /**
   * @param {CompiledStep} step
   * @param {import('../requests/request').Request} request that was made for it
   * @param {import('../requests/request').Request | null} literal that it was made of, with its values; null where it
   *   had none
   * @param {number} at the time now
   */
  compile (step, request, literal, at) {
    const { session, own, kind: { scenario: { means } } } = this
    const made = session === null
      ? compileRequest(request, step.target, means, false, literal)
      : session.compile(request, step.target, literal, own, at)
    return made instanceof Template ? made.fill(own) : made
  }

  /**
   * The next iteration begins, if it is due.
   * @param {number} at the time now
   * @returns {boolean} false when no row of data is left for one, or no more are to begin
   * @throws {import('../core/errors').HookError}
   */
  begin (at) {
    const { iterations, kind: { every } } = this
    if (iterations !== null && iterations.left === 0) return false
    // As if iterations had gone on before: users that come together do not begin together.
    if (Number.isNaN(this.dueAt)) this.readyAt = this.dueAt = every === null ? at : at + this.phase * every
    if (this.readyAt > at) return true
    const { arrivals } = this
    if (arrivals !== null && !arrivals.isDue(at)) {
      this.readyAt = Infinity
      return true
    }
    if (!this.draw()) return false
    iterations?.take(1)
    const { kind } = this
    this.sending = this.once?.of(kind)?.first ?? 0
    this.begunAt = arrivals === null ? at : arrivals.take(at)
    this.paused = 0
    kind.counts.start()
    if (this.session !== null) this.session.begin(kind.code !== null && kind.code.user !== null)
    if (kind.lead.length > 0) this.pause(lengthOfAll(kind.lead, this.random, this.context), at)
    return true
  }

  /**
   * Gives the iteration its context and its rows of data.
   * @returns {boolean} false when no row is left for an iteration of any kind; another kind with a row is used
   */
  draw () {
    const { kinds, turns, own } = this
    for (;;) {
      const { kind } = this
      const { sources, means: { makeContext, sharedValues } } = kind.scenario
      const start = this.once === null ? null : this.once.of(kind)
      own.context = start === null ? makeContext() : start.makeContext()
      const usedUp = sharedValues === null ? null : sharedValues.begin(own, start === null ? sources : start.sources)
      if (usedUp === null) return true
      if (usedUp.end === 'run' || !turns.stop(kinds.indexOf(kind))) return false
      this.kind = kinds[turns.next()]
    }
  }

  /**
   * Called outside of `next`, which reports a function that fails, so its error is kept. Returns ms; 0 then.
   * @type {(pauses: ReadonlyArray<Pause>) => number}
   */
  lengthOf (pauses) {
    try {
      return lengthOfAll(pauses, this.random, this.context)
    } catch (error) {
      this.failure = /** @type {Error} */ (error)
      return 0
    }
  }

  /** Within an iteration. @type {(ms: number, at: number) => void} */
  pause (ms, at) {
    this.readyAt = at + ms
    this.pausesSince = at
  }

  /** @param {number} at when the user goes on */
  endPause (at) {
    this.paused += at - this.pausesSince
    this.pausesSince = NaN
  }

  /**
   * The connection is woken after a pause: the delay of a timer is not the server's.
   * @param {() => number} now called after a pause alone: each request of a user function wakes its connection
   */
  woken (now) {
    if (!Number.isNaN(this.pausesSince)) this.endPause(now())
  }

  /**
   * The last request has its response, and all checks are done.
   * @param {number} at when the response came
   */
  responseEnded (at) {
    if (this.reconnect !== null && this.waitsToReconnect(this.reconnect.hasEnded, at)) return
    if (this.once !== null) this.once.responseEnded(this.kind, this.sending, this.context)
    const { steps } = this.kind.scenario
    const { pauses } = steps[this.sending]
    const ms = pauses === null ? 0 : this.lengthOf(pauses)
    if (this.sending + 1 < steps.length) {
      this.sending++
      if (ms > 0) this.pause(ms, at)
      return
    }
    const took = at - this.begunAt
    this.kind.counts.complete(took, took - this.paused)
    this.end(at, ms)
  }

  /**
   * The request that was sent last gets no response.
   * @param {Error & { code?: string }} error
   * @param {number} at the time now
   * @returns {boolean} whether it is tried again
   */
  lost (error, at) {
    const code = codeOf(error)
    const again = this.triesAgain(code, at)
    if (!again && this.waitsToReconnect(true, at)) return false
    if (!again) this.cut(code, at)
    return again
  }

  /**
   * There is no connection to the server that is to have its next request.
   * @param {Error & { code?: string }} error
   * @param {number} at the time now
   * @returns {CompiledStep | typeof NO_STEP | null} whose request was redirected there, and gets no response; null for
   *   any other, which waits for a connection
   */
  stranded (error, at) {
    const { session, sending } = this
    if (this.iterations !== null) return this.unreached(codeOf(error), at)
    if (session === null || session.target === session.home) return null
    this.cut(codeOf(error), at)
    return this.kind.scenario.steps[sending]
  }

  /**
   * A run by a number of iterations ends although there is no server: the iteration that would begin now, or that goes
   * on, is aborted.
   * @param {string} code of why there is no connection
   * @param {number} at the time now
   * @returns {CompiledStep | typeof NO_STEP | null} whose request was sent before, and gets no response; null where
   *   nothing ends
   */
  unreached (code, at) {
    const { arrivals, session, kind: { scenario: { steps } } } = this
    if (this.sending === BETWEEN) {
      const isDue = arrivals === null ? !(this.readyAt > at) : arrivals.isDue(at)
      if (!isDue || /** @type {Iterations} */ (this.iterations).take(1) === 0) return null
      arrivals?.take(at)
      if (Number.isNaN(this.dueAt)) this.dueAt = at
      this.kind.counts.start()
      this.sending = 0
      this.cut(code, at)
      return NO_STEP
    }
    const step = this.countNext !== null || (session !== null && session.hop !== null)
      ? steps[this.sending]
      : NO_STEP
    this.countNext = null
    this.cut(code, at)
    return step
  }

  /**
   * The run ends while the request that was sent last has no response.
   * @param {number} since when it was sent
   * @param {number} at the time now
   */
  abandoned (since, at) {
    const took = at - this.begunAt
    this.kind.counts.abandon(took, took - this.paused, at - since)
  }

  /**
   * The run ends while there is no connection on which the next request could be sent.
   * @param {number} since of the last sign of the server
   * @param {number} at the time now
   */
  leftWaiting (since, at) {
    if (this.sending === BETWEEN || this.readyAt > at) return
    if (!Number.isNaN(this.pausesSince)) this.endPause(this.readyAt)
    this.abandoned(Math.max(since, this.readyAt), at)
  }

  /** The iteration ends early. @type {(reason: string, at: number) => void} */
  cut (reason, at) {
    this.kind.counts.cut(reason)
    // Without its think times, an iteration that fails early would multiply the load. Arrivals have a rate instead.
    this.end(at, this.arrivals === null ? this.pausesLeft() : 0)
  }

  /** @returns {number} ms of all pauses that the rest of the iteration would have had */
  pausesLeft () {
    if (this.functions !== null && this.kind.code !== null) return this.functions.pausesLeft
    const { steps } = this.kind.scenario
    let ms = 0
    for (let step = this.sending; step < steps.length; step++) {
      const { pauses } = steps[step]
      if (pauses !== null) ms += lengthLeft(pauses, this.random, this.context)
    }
    return ms
  }

  /**
   * The iteration is over, and the next one is known.
   * @param {number} at
   * @param {number} ms of its last request
   */
  end (at, ms) {
    const { pauses, every } = this.kind
    const rest = pauses === null ? ms : ms + this.lengthOf(pauses)
    // From its due time, not from its start: delays of timers do not add up.
    this.readyAt = this.dueAt = Math.max(at + rest, every === null ? -Infinity : this.dueAt + every)
    this.sending = BETWEEN
    if (this.session !== null) this.session.end()
    this.reconnect?.reset()
    this.pausesSince = NaN
    this.kind = this.kinds[this.turns.next()]
  }

  /**
   * @returns {never} which request a user sends next is not known between iterations
   * @throws {AutocannonError}
   */
  get current () {
    throw new AutocannonError('AC_USERS_CLIENT')
  }

  edit () {
    return this.current
  }

  replace () {
    return this.current
  }
}

module.exports = { NO_STEP, User }
