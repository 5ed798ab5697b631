'use strict'

// A WebSocket of a scenario as data: its messages are steps of a flow.

const { CODES, HookError } = require('../core/errors')
const { PlannedMessage } = require('./planned-message')
const { SocketLane } = require('./socket-lane')

/**
 * @typedef {object} MessageOptions of a message of a flow
 * @property {string} match
 * @property {number | null} timeoutMs null for that of the socket
 * @property {string[] | null} expected texts that its response is held to; null for none
 */

class FlowSocket extends SocketLane {
  /**
   * @param {import('./planned-call').Place} place in a flow
   * @param {import('../users/compiled-scenario').CompiledStep} step
   * @param {import('../requests/request').Request} request with the message as its body
   * @param {MessageOptions} options
   * @returns {Promise<unknown>}
   */
  sendStep (place, step, request, options) {
    const { user, needs } = this
    const message = needs.messageOf(request.body)
    this.usable()
    const at = user.runtime.now()
    const call = new PlannedMessage(place, step, this, { ...options, request, frame: message.frame }, at)
    try {
      call.rule = needs.ruleFor(needs.readMatch(options.match), message.payload, () => {})
    } catch (error) {
      throw new HookError(`the message of request ${step.index}: ${/** @type {Error} */ (error).message}`, error)
    }
    return this.ask(call, at)
  }

  /** Why nothing can be sent over it; null while it can. @returns {string | null} */
  get trouble () {
    return this.error?.message ?? (this.leaving === null ? null : CODES.AC_WS_CLOSED)
  }
}

module.exports = { FlowSocket }
