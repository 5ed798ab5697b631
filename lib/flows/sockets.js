'use strict'

// WebSockets in a flow: `ws` opens one, and messages are sent over the last one that was opened.

const { pauseFor, restOf } = require('./pauses')

/**
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('./frame').Frame} Frame
 * @typedef {import('./frame').Part} Part
 *
 * @typedef {object} SocketOptions
 * @property {ReadonlyArray<string>} protocols subprotocols that are offered
 * @property {boolean} compressed
 * @property {number | null} timeoutMs null for that of the run
 */

/** @implements {Part} */
class OpenPart {
  /**
   * @param {CompiledStep} step
   * @param {SocketOptions} options
   */
  constructor (step, options) {
    this.step = step
    this.options = options
  }

  /** @type {Part['run']} */
  run (frame) {
    return this.open(frame)
  }

  /** @param {Frame} frame */
  async open (frame) {
    const { step, options } = this
    const { socket, parent, user } = frame
    // A branch leaves that of the others open.
    if (socket !== null && socket !== parent?.socket) await socket.close()
    const request = frame.requestOf(step)
    frame.refuseValues(step)
    await user.openStep(frame, step, request, options)
  }

  rest () {
    return 0
  }
}

/** @implements {Part} */
class SendPart {
  /**
   * @param {CompiledStep} step
   * @param {string} match which message responds; `none` for no response
   * @param {number | null} timeoutMs
   */
  constructor (step, match, timeoutMs) {
    this.step = step
    this.match = match
    this.timeoutMs = timeoutMs
  }

  /** @type {Part['run']} */
  run (frame) {
    return this.send(frame)
  }

  /** @param {Frame} frame */
  async send (frame) {
    const { step, match, timeoutMs } = this
    const trouble = frame.socket === null ? 'no WebSocket is open' : frame.socket.trouble
    if (trouble !== null) frame.check('ws', trouble)
    const request = frame.requestOf(step)
    const expected = step.expected === null ? null : step.expected(frame.own)
    frame.refuseValues(step)
    frame.sending = this
    await (match === 'none'
      ? frame.user.postStep(frame, request.body)
      : frame.user.sendMessage(frame, step, request, { match, timeoutMs, expected }))
    frame.sending = null
    if (step.pauses !== null) await pauseFor(step.pauses, frame)
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return this.step.pauses === null ? 0 : restOf(this.step.pauses, frame)
  }
}

/** @implements {Part} */
class ClosePart {
  /** @type {Part['run']} */
  run ({ socket }) {
    return socket === null ? null : socket.close()
  }

  rest () {
    return 0
  }
}

/**
 * @param {any} node of a plan
 * @param {ReadonlyArray<CompiledStep>} steps
 * @returns {Part}
 */
function socketPart (node, steps) {
  switch (node.kind) {
    case 'ws': return new OpenPart(steps[node.step], node.options)
    case 'send': return new SendPart(steps[node.step], node.match, node.timeoutMs)
    default: return new ClosePart()
  }
}

module.exports = { socketPart }
