'use strict'

// One message of a flow that has a response.

const { PlannedCall } = require('../planned-call')

class PlannedMessage extends PlannedCall {
  /**
   * @param {import('../planned-call').Place} place
   * @param {import('../../users/compiled-scenario').CompiledStep} step
   * @param {import('./flow-socket').FlowSocket} lane
   * @param {{ request: import('../../requests/request').Request, frame: Buffer, timeoutMs: number | null, expected:
   *   string[] | null }} message
   * @param {number} at the time now
   */
  constructor (place, step, lane, { request, frame, timeoutMs, expected }, at) {
    super(place, step, null, at)
    // Templates of the handshake have made its path.
    this.request = step.request.path === null ? { ...request, path: lane.prepared.request.path } : request
    this.lane = lane
    this.frame = frame
    this.timeout = timeoutMs
    /** Of its response. */
    this.expected = expected
    /** @type {any} */
    this.rule = null
  }

  /** @type {PlannedCall['receive']} */
  receive (reader) {
    this.late = reader.late
    return true
  }

  /** @type {PlannedCall['errorOf']} */
  errorOf (code, message) {
    return this.lane.errorOf(code, message, this.name)
  }
}

module.exports = { PlannedMessage }
