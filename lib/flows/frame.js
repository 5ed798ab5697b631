'use strict'

// The position of a flow's iteration, and the pauses that are left when it is aborted there.

const { IterationCut } = require('../functions/iteration-cut')
const { isTrue } = require('./value')

/**
 * @typedef {import('../functions/sockets/flow-socket').FlowSocket} FlowSocket
 * @typedef {import('../functions/iteration').Iteration} Iteration
 * @typedef {import('./value').Value} Value
 *
 * @typedef {object} Part of a flow
 * @property {(frame: Frame) => Promise<unknown> | null} run null when there is nothing to wait for
 * @property {(frame: Frame) => number} rest ms of the pauses that it would have, when it is not run any more
 */

/**
 * Where a list, a loop or parallel branches are.
 * @typedef {object} Cursor
 * @property {{ restAfter: (frame: Frame, at: Cursor) => number }} part
 * @property {number} i
 * @property {number} count of turns of a loop
 * @property {Frame[] | null} frames of branches
 * @property {Cursor | null} outer
 */

/** @type {ReadonlyMap<string, FlowSocket>} */
const NO_SOCKETS = new Map()

/** This number of turns of a loop go on without a wait; then other users have theirs. */
const TURNS_AT_ONCE = 100

/** Where an iteration is: each parallel branch has a frame of its own. */
class Frame {
  /** @param {Iteration} iteration @param {Frame | null} parent of which it is a branch */
  constructor (iteration, parent) {
    this.iteration = iteration
    this.user = iteration.of
    this.context = iteration.context
    this.own = iteration.of.user.own
    this.random = iteration.of.draw
    /** @type {number | null} */
    this.status = parent === null ? null : parent.status
    /** Its WebSockets by name, of which those that were opened last. @type {ReadonlyMap<string, FlowSocket>} */
    this.sockets = parent === null ? NO_SOCKETS : parent.sockets
    /** @type {number | null} */
    this.index = parent === null ? null : parent.index
    /**
     * The message that an expression of a `receive` entry reads.
     * @type {import('../functions/sockets/received-message').ReceivedMessage | null}
     */
    this.message = null
    this.turns = 0
    this.parent = parent
    /** @type {Frame} */
    this.root = parent === null ? this : parent.root
    /** Lists and loops that go on here, the innermost first. @type {Cursor | null} */
    this.cursor = null
    /** A request without an outcome, which is followed by pauses. @type {{ rest: (frame: Frame) => number } | null} */
    this.sending = null
    /** Until when its last pause goes on. */
    this.restsUntil = -Infinity
    this.isAborted = false
  }

  /**
   * @param {import('../users/compiled-scenario').CompiledStep} step
   * @returns {import('../requests/request').Request} with values, which may be refused
   */
  requestOf (step) {
    if (this.index !== null) this.context.index = this.index
    return step.given === null ? step.request : step.given(this.own)
  }

  /**
   * @param {import('../users/compiled-scenario').CompiledStep} step that can't be sent with its values
   * @throws {IterationCut}
   */
  refuseValues (step) {
    const { own, user } = this
    const reason = own.refused
    if (reason === null) return
    own.refused = null
    throw user.refused(step, reason)
  }

  /** The iteration is aborted: its user waits for the pauses that the rest would have had, once. */
  abort () {
    const { root } = this
    if (root.isAborted) return
    root.isAborted = true
    root.user.pausesLeft = root.rest()
  }

  /** @returns {number} ms of the pauses that are left from where it is */
  rest () {
    let ms = Math.max(0, this.restsUntil - this.user.runtime.now())
    if (this.sending !== null) ms += this.sending.rest(this)
    for (let at = this.cursor; at !== null; at = at.outer) ms += at.part.restAfter(this, at)
    return ms
  }

  /** @param {Value} value */
  is (value) {
    return isTrue(value(this))
  }

  /**
   * A loop without requests would block the thread: lets other users run now and then. @returns {Promise<void> | null}
   */
  breathe () {
    return ++this.turns % TURNS_AT_ONCE === 0 ? this.user.breathe() : null
  }

  /**
   * A check of the flow itself.
   * @param {string} name
   * @param {string | null} reason null when it passed
   * @throws {IterationCut} when it has failed
   */
  check (name, reason) {
    const { runtime } = this.user
    const tally = runtime.checks.of(name, null)
    if (reason === null) {
      tally.passed++
      return
    }
    tally.fail(reason, null)
    runtime.onFailedCheck()
    throw new IterationCut(name)
  }
}

module.exports = { Frame }
