'use strict'

// A WebSocket of a scenario as data: its messages are steps of a flow.

const { HookError } = require('../../core/errors')
const { ReceivedMessage } = require('./received-message')
const { Inbox } = require('./inbox')
const { PlannedMessage } = require('./planned-message')
const { PlannedReceive } = require('./planned-receive')
const { SocketLane } = require('./socket-lane')

/**
 * @typedef {object} MessageOptions of a message of a flow
 * @property {string} match
 * @property {number | null} timeoutMs null for that of the socket
 * @property {string[] | null} expected of its response; null for none
 *
 * @typedef {object} ReceiveOptions of messages that a flow waits for
 * @property {(message: ReceivedMessage) => boolean} isWanted
 * @property {number} count
 * @property {number | null} timeoutMs null for that of the socket
 * @property {string[] | null} expected of the last one; null for none
 */

class FlowSocket extends SocketLane {
  /**
   * @param {import('../function-user').FunctionUser} user
   * @param {import('../iteration').Iteration} iteration
   * @param {import('../requests/requests').PreparedSocket} prepared
   * @param {ConstructorParameters<typeof SocketLane>[3] & { keeps: boolean }} options whether it keeps messages for a
   *   later entry
   * @param {import('./socket-lane').SocketNeeds} needs
   */
  constructor (user, iteration, prepared, options, needs) {
    super(user, iteration, prepared, options, needs)
    /** @type {Inbox | null} */
    this.inbox = options.keeps ? new Inbox(needs.backlog) : null
    /** Rows of those that wait, the oldest first. @type {number[]} */
    this.waiting = []
  }

  /**
   * @param {import('../planned-call').Place} place in a flow
   * @param {import('../../users/compiled-scenario').CompiledStep} step
   * @param {import('../../requests/request').Request} request with the message as its body
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

  /**
   * @param {import('../planned-call').Place} place in a flow
   * @param {import('../../users/compiled-scenario').CompiledStep} step
   * @param {ReceiveOptions} options
   * @returns {Promise<unknown>}
   */
  receiveStep (place, step, options) {
    this.usable()
    const at = this.user.runtime.now()
    return this.ask(new PlannedReceive(place, step, this, options, at), at)
  }

  /** @type {SocketLane['received']} */
  received (isText, bytes) {
    return new ReceivedMessage(bytes)
  }

  /** @type {SocketLane['waits']} */
  waits (row) {
    const call = this.receiveOf(row)
    const last = /** @type {Inbox} */ (this.inbox).take(message => call.takes(message), call.left)
    if (last === null) this.waiting.push(row)
    else this.connection.deliver(row, last)
  }

  /** @param {ReceivedMessage} message that responds to nothing */
  take (message) {
    const row = this.waiting.find(row => this.receiveOf(row).takes(message))
    if (row === undefined) this.inbox?.put(message.bytes)
    else if (this.receiveOf(row).left === 0) this.connection.deliver(row, message.bytes)
  }

  /** @param {number} row */
  receiveOf (row) {
    return /** @type {PlannedReceive} */ (/** @type {unknown} */ (this.calls[row]))
  }

  /** @type {SocketLane['release']} */
  release (row) {
    if (this.waiting.length > 0) this.waiting = this.waiting.filter(other => other !== row)
    return super.release(row)
  }

  /** Whether it waits for unsolicited messages only, which may take long. */
  get isListening () {
    return this.waiting.length > 0 && this.waiting.length === this.connection.exchanges.count
  }

  leave () {
    this.inbox?.close()
    super.leave()
  }

  drop () {
    this.inbox?.close()
    super.drop()
  }

  ended () {
    this.inbox?.close()
    super.ended()
  }

  /** Why nothing can be sent over it; null while it can. @returns {string | null} */
  get trouble () {
    const { error, leaving } = this
    return leaving !== null || error?.code === 'AC_WS_CLOSED' ? 'the WebSocket is closed' : error?.message ?? null
  }
}

module.exports = { FlowSocket }
