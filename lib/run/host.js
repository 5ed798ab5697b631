'use strict'

// The generator's side of a channel: receives a plan, opens a generator for it, executes orders, and sends reports. The
// transport delivers the messages.

const { AutocannonError, HookError } = require('../core/errors')
const { decode, encode } = require('./codec')
const { HEARTBEAT, encodeSnapshot } = require('./messages')
const { withMemory } = require('./memory')
const { LocalChannel } = require('./channel-local')

/** Runs a generator for a coordinator in another thread or machine. It ends with its run, or with its transport. */
class Host {
  /**
   * @param {import('./messages').Transport} transport
   * @param {{ setInterval?: (action: () => void, ms: number) => NodeJS.Timeout }} [edge] replaced by tests
   */
  constructor (transport, edge = {}) {
    this.transport = transport
    /** @type {import('../engine/generator').Observer} */
    this.observer = { response: null, requestError: null, mismatch: null }
    /** @type {LocalChannel | null} null until it receives a plan */
    this.channel = null
    /** @type {import('./memory').Memory[] | null} memory that the plan shares; it arrives before the plan */
    this.memory = null
    this.ended = false
    /** @type {number[]} status, size and ms of the responses since the last report */
    this.responses = []
    // In the thread of the load: if a hook blocks it, no heartbeat is sent, and the coordinator reports the failure.
    this.heart = (edge.setInterval ?? setInterval)(() => this.report({ type: 'alive' }), HEARTBEAT)
    transport.onMessage = message => {
      try {
        this.handle(decode(message))
      } catch (error) {
        this.end(/** @type {Error} */ (error))
      }
    }
    transport.onClose = () => this.close()
  }

  /** @param {import('./messages').Order} order */
  handle (order) {
    switch (order?.type) {
      case 'open':
        if (this.channel !== null) throw new AutocannonError('AC_WORKER', 'a host received a second plan')
        this.open(order.plan)
        break
      case 'memory':
        this.memory = order.memory
        break
      case 'observe':
        this.observe(order)
        break
      case 'start':
        this.channel?.start()
        break
      case 'begin':
        this.channel?.begin(order.at)
        break
      case 'extend':
        this.channel?.extend(order.stage, order.drop)
        break
      case 'grow':
        this.channel?.grow(order.connections)
        break
      case 'stop':
        this.channel?.stop()
        break
      default:
        throw new AutocannonError('AC_WORKER', 'a host received an unknown order')
    }
  }

  /** @param {import('../options/plan').Plan} plan */
  open (plan) {
    this.channel = new LocalChannel(this.memory === null ? plan : withMemory(plan, this.memory), {
      snapshot: snapshot => this.report({ type: 'snapshot', snapshot: encodeSnapshot(snapshot) }),
      waiting: () => this.report({ type: 'waiting' }),
      began: at => this.report({ type: 'began', at }),
      log: line => this.report({ type: 'log', line }),
      end: (error, usedUp) => this.end(error, usedUp)
    }, this.observer)
    this.channel.open().then(() => this.report({ type: 'ready' }), error => this.end(error))
  }

  /** @param {{ responses: boolean, errors: boolean, mismatches: boolean }} order */
  observe ({ responses, errors, mismatches }) {
    const { observer } = this
    observer.response = responses ? (_, status, size, ms) => this.collect(status, size, ms) : null
    observer.requestError = errors ? error => this.report({ type: 'requestError', error }) : null
    observer.mismatch = mismatches ? body => this.report({ type: 'mismatch', body }) : null
  }

  /**
   * Sends responses in batches per turn of the event loop, because there may be 100,000 per second.
   * @type {(status: number, size: number, ms: number) => void}
   */
  collect (status, size, ms) {
    if (this.responses.length === 0) setImmediate(() => this.reportResponses())
    this.responses.push(status, size, ms)
  }

  reportResponses () {
    if (this.responses.length === 0) return
    this.report({ type: 'responses', list: Float64Array.from(this.responses) })
    this.responses = []
  }

  /** @param {import('./messages').Report} report */
  report (report) {
    if (!this.ended) this.transport.send(encode(report))
  }

  /** @param {Error | null} error @param {boolean} [usedUp] whether all rows of its data were used */
  end (error, usedUp = false) {
    if (this.ended) return
    this.reportResponses()
    const unusable = error === null ? null : HookError.unusableOf(error)
    this.report({ type: 'end', error, usedUp, ...unusable !== null && { unusable } })
    this.close()
  }

  close () {
    if (this.ended) return
    this.ended = true
    clearInterval(this.heart)
    this.channel?.stop()
    this.channel?.close()
    this.transport.close()
  }
}

module.exports = { Host }
