'use strict'

// One request of a flow, whose step is known before the run: its templates get their values when it is sent.

const { Call } = require('./call')
const { IterationCut } = require('./iteration-cut')

/**
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../requests/request').Request} Request
 *
 * @typedef {object} Place in a flow
 * @property {import('./iteration').Iteration} iteration
 * @property {number | null} status of the last response there
 * @property {number | null} index of the turn of the innermost loop
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
      name: step.examiner?.name ?? undefined, check: undefined, compressed: false
    }, at)
    this.place = place
    this.index = place.index
    this.made = made
  }

  /** It waits for a connection, as that of a fixed sequence. */
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
    if (own.refused === null) return bytes
    const reason = own.refused
    own.refused = null
    this.iteration.of.user.onRefused(step, reason)
    return null
  }

  /** @type {Call['receive']} */
  receive (reader) {
    this.place.status = reader.status
    return true
  }

  /** @type {Call['miss']} */
  miss (reason, at) {
    this.reject(new IterationCut(reason))
    this.iteration.of.settled(this.iteration, at)
  }
}

module.exports = { PlannedCall }
