'use strict'

// WebSockets in a flow: `ws` opens one, and messages are sent and received over the last one with a given name.

const { pauseFor, restOf } = require('./pauses')
const { OF_MESSAGES, valueOf } = require('./value')

/**
 * @typedef {import('../functions/sockets/flow-socket').FlowSocket} FlowSocket
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('./frame').Frame} Frame
 * @typedef {import('./frame').Part} Part
 *
 * @typedef {object} SocketOptions
 * @property {ReadonlyArray<string>} protocols subprotocols that are offered
 * @property {boolean} compressed
 * @property {number | null} timeoutMs null for the timeout of the run
 * @property {boolean} keeps whether unsolicited messages are kept for a later entry
 * @property {string} as its name; empty for none
 */

/** @implements {Part} */
class OpenPart {
  /** @param {CompiledStep} step @param {SocketOptions} options */
  constructor (step, options) {
    this.step = step
    this.options = options
  }

  /** @param {Frame} frame */
  async run (frame) {
    const { step, options } = this
    const { sockets, parent, user } = frame
    const before = sockets.get(options.as)
    // A branch must not close the WebSocket of the other branches.
    if (before !== undefined && before !== parent?.sockets.get(options.as)) await before.close()
    const request = frame.requestOf(step)
    frame.refuseValues(step)
    await user.webSockets.connectStep(frame, step, request, options)
  }

  rest () {
    return 0
  }
}

/**
 * A step over an open WebSocket.
 * @abstract
 * @implements {Part}
 */
class MessagePart {
  /** @param {CompiledStep} step @param {any} node of a plan */
  constructor (step, { on, timeoutMs }) {
    this.step = step
    /** The name of the WebSocket; empty for the one without a name. @type {string} */
    this.on = on
    /** @type {number | null} */
    this.timeoutMs = timeoutMs
  }

  /** @param {Frame} frame */
  async run (frame) {
    const { step, on, timeoutMs } = this
    const socket = /** @type {FlowSocket} */ (frame.sockets.get(on))
    const trouble = socket === undefined ? 'no WebSocket is open' : socket.trouble
    if (trouble !== null) frame.check('ws', trouble)
    const request = frame.requestOf(step)
    const expected = step.expected === null ? null : step.expected(frame.own)
    frame.refuseValues(step)
    frame.sending = this
    await frame.user.webSockets.step(frame, () => this.ask(socket, frame, request, { timeoutMs, expected }))
    frame.sending = null
    if (step.pauses !== null) await pauseFor(step.pauses, frame)
  }

  /**
   * @param {FlowSocket} socket
   * @param {Frame} frame
   * @param {import('../requests/request').Request} request with its values
   * @param {{ timeoutMs: number | null, expected: string[] | null }} options
   * @returns {Promise<unknown>}
   */
  ask (socket, frame, request, options) {
    throw new Error('each kind of step sends something else')
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return this.step.pauses === null ? 0 : restOf(this.step.pauses, frame)
  }
}

class SendPart extends MessagePart {
  /** @param {CompiledStep} step @param {any} node of a plan */
  constructor (step, node) {
    super(step, node)
    /** Which message responds; `none` for no response. @type {string} */
    this.match = node.match
  }

  /** @type {MessagePart['ask']} */
  ask (socket, frame, request, options) {
    const { step, match } = this
    return match === 'none' ? socket.post(request.body) : socket.sendStep(frame, step, request, { ...options, match })
  }
}

class ReceivePart extends MessagePart {
  /**
   * @param {CompiledStep} step
   * @param {any} node of a plan
   * @param {import('../templates/shared-values').SharedValues | null} sharedValues where the values of data come from
   */
  constructor (step, node, sharedValues) {
    super(step, node)
    /** The condition for a message; null for any message. */
    this.test = node.test === null ? null : valueOf(node.test, sharedValues, OF_MESSAGES)
    /** @type {number} */
    this.count = node.count
  }

  /** @type {MessagePart['ask']} */
  ask (socket, frame, request, options) {
    const { step, test, count } = this
    const isWanted = (/** @type {NonNullable<Frame['message']>} */ message) => {
      if (test === null) return true
      frame.message = message
      return frame.is(test)
    }
    return socket.receiveStep(frame, step, { ...options, isWanted, count })
  }
}

/** @implements {Part} */
class ClosePart {
  /** @param {string} on the name of the WebSocket; empty for the one without a name */
  constructor (on) {
    this.on = on
  }

  /** @type {Part['run']} */
  run ({ sockets }) {
    return sockets.get(this.on)?.close() ?? null
  }

  rest () {
    return 0
  }
}

/**
 * @param {any} node of a plan
 * @param {ReadonlyArray<CompiledStep>} steps
 * @param {import('../templates/shared-values').SharedValues | null} sharedValues where the values of data come from
 * @returns {Part}
 */
function socketPart (node, steps, sharedValues) {
  switch (node.kind) {
    case 'ws': return new OpenPart(steps[node.step], node.options)
    case 'send': return new SendPart(steps[node.step], node)
    case 'receive': return new ReceivePart(steps[node.step], node, sharedValues)
    default: return new ClosePart(node.on)
  }
}

module.exports = { socketPart }
