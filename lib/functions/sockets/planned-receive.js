'use strict'

// A `receive` entry of a flow: it sends nothing, and waits for messages that respond to nothing.

const { PlannedMessage } = require('./planned-message')

/** What a connection takes for nothing to send. */
const NO_FRAME = Buffer.alloc(0)

/** No message responds to it. */
const RULE = Object.freeze({ kind: 'function', keyOf: () => undefined, key: undefined, matches: () => false, id: '' })

class PlannedReceive extends PlannedMessage {
  /**
   * @param {import('../planned-call').Place} place
   * @param {import('../../users/compiled-scenario').CompiledStep} step
   * @param {import('./flow-socket').FlowSocket} lane
   * @param {import('./flow-socket').ReceiveOptions} options
   * @param {number} at the time now
   */
  constructor (place, step, lane, { isWanted, count, timeoutMs, expected }, at) {
    super(place, step, lane, { request: step.request, frame: NO_FRAME, timeoutMs, expected }, at)
    this.rule = RULE
    this.isWanted = isWanted
    /** How many more it waits for. */
    this.left = count
  }

  /**
   * @param {import('./received-message').ReceivedMessage} message
   * @returns {boolean} whether the entry waits for it
   */
  takes (message) {
    if (!this.isWanted(message)) return false
    this.left--
    return true
  }
}

module.exports = { PlannedReceive }
