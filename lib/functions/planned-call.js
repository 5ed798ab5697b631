'use strict'

// One request of a flow, whose step is known before the run: its templates get their values when it is sent.

const { Call } = require('./call')
const { IterationCut } = require('./iteration-cut')

/**
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../requests/request').Request} Request
 * @typedef {object} Stage where requests of it are counted
 *
 * @typedef {object} Place in a flow
 * @property {import('./iteration').Iteration} iteration
 * @property {Place | null} parent of which it is a branch
 * @property {number | null} status of the last response there
 * @property {number | null} index of the turn of the innermost loop
 *
 * @typedef {Place & { sockets: ReadonlyMap<string, import('./sockets/flow-socket').FlowSocket> }} SocketPlace with its
 *   WebSockets by name
 */

class PlannedCall extends Call {
  /**
   * @param {Place} place
   * @param {CompiledStep} step
   * @param {{ request: Request, literal: Request | null } | null} made by a hook; null for the request of the step
   * @param {number} at the time now
   */
  constructor (place, step, made, at) {
    super(place.iteration, {
      target: step.target, request: made === null ? step.request : made.request, step,
      sent: made === null && step.given === null ? /** @type {any} */ (step) : null, redirects: null, timeout: null,
      name: step.inspector?.name ?? undefined, check: undefined, compressed: false
    }, at)
    this.place = place
    this.index = place.index
    this.made = made
    /** The verdict of an async check; null for none. @type {Promise<boolean> | null} */
    this.late = null
    /** Whether only that check may still find a failure, apart from the status. */
    this.isOpen = false
    this.isUnexpected = false
    /** @type {Stage | null} */
    this.stage = null
    /** The exemplar of the response if it fails. */
    this.single = null
  }

  /** It waits for a connection, as a request of a fixed sequence does. */
  get waits () {
    return true
  }

  /** @type {Call['bytesFor']} */
  bytesFor (lane, at) {
    const { step, made, index } = this
    const { own } = lane
    if (index !== null) own.context.index = index
    if (made === null && step.given !== null) this.request = step.given(own)
    const bytes = super.bytesFor(lane, at, made === null ? step.given === null ? null : this.request : made.literal)
    if (step.expected !== null) lane.expected = step.expected(own)
    const { functionUser: user } = this.iteration
    if (own.refused === null) {
      user.refusals = 0
      return bytes
    }
    user.refused(step, own.refused)
    own.refused = null
    return null
  }

  /** @type {Call['receive']} */
  receive (reader) {
    // After the branches, `status` has the status of the last response in any of them.
    for (let at = /** @type {Place | null} */ (this.place); at !== null; at = at.parent) at.status = reader.status
    this.late = reader.late
    return true
  }

  /** @type {Call['judgesLater']} */
  judgesLater (stage, isUnexpected) {
    this.isOpen = true
    this.isUnexpected = isUnexpected
    this.stage = stage
    if (!isUnexpected) this.single = this.iteration.functionUser.runtime.setAside()
  }

  /** @type {Call['complete']} */
  complete (at, lane) {
    if (this.late === null) return super.complete(at)
    const { functionUser: { runtime } } = this.iteration
    if (lane !== undefined) lane.judging++
    const end = () => {
      super.complete(runtime.now())
      lane?.judged()
    }
    this.late.then(isFault => {
      const { step, stage, single, isUnexpected } = this
      if (isFault && this.isOpen) runtime.onLateFault(step, stage, single, isUnexpected)
      end()
    }, error => {
      this.failure = error
      end()
    })
  }

  /** @type {Call['miss']} */
  miss (reason, at) {
    this.reject(new IterationCut(reason))
    this.iteration.functionUser.settled(this.iteration, at)
  }
}

module.exports = { PlannedCall }
