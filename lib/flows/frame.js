'use strict'

// The position of an iteration in its flow, and the remaining pauses if it is aborted there.

const { IterationCut } = require('../functions/iteration-cut')
const { isTrue } = require('./value')

/**
 * @typedef {import('../functions/sockets/flow-socket').FlowSocket} FlowSocket
 * @typedef {import('../functions/iteration').Iteration} Iteration
 * @typedef {import('./value').Value} Value
 *
 * @typedef {object} Part of a flow
 * @property {(frame: Frame) => Promise<unknown> | null} run runs it; null when it is already complete
 * @property {(frame: Frame) => number} rest returns the length of its pauses in ms, for an iteration that is aborted
 *   before it
 */

/**
 * The position in a list, a loop or parallel branches.
 * @typedef {object} Cursor
 * @property {{ restAfter: (frame: Frame, at: Cursor) => number }} part
 * @property {number} i
 * @property {number} count of turns of a loop
 * @property {Frame[] | null} frames of branches
 * @property {Cursor | null} outer
 */

/** @type {ReadonlyMap<string, FlowSocket>} */
const NO_SOCKETS = new Map()

/** After this number of turns without a wait, a loop lets other users run. */
const TURNS_AT_ONCE = 100

/** The state of an iteration at its position. Each parallel branch has its own frame. */
class Frame {
  /** @param {Iteration} iteration @param {Frame | null} parent of which it is a branch */
  constructor (iteration, parent) {
    this.iteration = iteration
    this.user = iteration.functionUser
    this.context = iteration.context
    this.own = iteration.functionUser.user.own
    this.random = iteration.functionUser.draw
    /** @type {number | null} */
    this.status = parent === null ? null : parent.status
    /** Its WebSockets by name: the last one that was opened. @type {ReadonlyMap<string, FlowSocket>} */
    this.sockets = parent === null ? NO_SOCKETS : parent.sockets
    /** @type {number | null} */
    this.index = parent === null ? null : parent.index
    /**
     * The message that the expression of a `receive` entry reads.
     * @type {import('../functions/sockets/received-message').ReceivedMessage | null}
     */
    this.message = null
    this.turns = 0
    this.parent = parent
    /** @type {Frame} */
    this.root = parent === null ? this : parent.root
    /** The lists and loops around this position, the innermost first. @type {Cursor | null} */
    this.cursor = null
    /** A pending request that is followed by pauses. @type {{ rest: (frame: Frame) => number } | null} */
    this.sending = null
    /** The end of its last pause. */
    this.restsUntil = -Infinity
    this.isAborted = false
  }

  /**
   * @param {import('../users/compiled-scenario').CompiledStep} step
   * @returns {import('../requests/request').Request} with values, which may be invalid: see `refuseValues`
   */
  requestOf (step) {
    if (this.index !== null) this.context.index = this.index
    return step.given === null ? step.request : step.given(this.own)
  }

  /**
   * @param {import('../users/compiled-scenario').CompiledStep} step that was filled last
   * @throws {IterationCut}
   */
  refuseValues (step) {
    const { own, user } = this
    const reason = own.refused
    if (reason === null) return
    own.refused = null
    throw user.refused(step, reason)
  }

  /** Aborts the iteration. Its user waits once for all remaining pauses, so that failures do not raise the load. */
  abort () {
    const { root } = this
    if (root.isAborted) return
    root.isAborted = true
    root.user.pausesLeft = root.rest()
  }

  /** @returns {number} the remaining pauses after this position, ms */
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
   * Lets other users run at intervals, because a loop without requests would block the thread. @returns {Promise<void>
   * | null}
   */
  breathe () {
    return ++this.turns % TURNS_AT_ONCE === 0 ? this.user.breathe() : null
  }

  /**
   * Counts a check of the flow itself.
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
