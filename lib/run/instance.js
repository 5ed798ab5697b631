'use strict'

// Owns what autocannon() returns: an EventEmitter that is a promise of the result, too, when no callback is given.

const { EventEmitter } = require('node:events')
const { validate } = require('../options/validate')
const { buildPlan } = require('../options/plan')
const { Coordinator } = require('./coordinator')

/**
 * Events: `start`, `tick`, `response`, `reqError`, `done`, `error`.
 */
class Instance extends EventEmitter {
  /**
   * Starts a run once the current turn of the event loop is over, so that listeners can be added first.
   * @param {Record<string, unknown>} opts
   * @param {(error: Error | null, result?: Record<string, any>) => void} [callback]
   */
  constructor (opts, callback) {
    super()
    /** @type {Record<string, unknown>} the options with their defaults, once they are known to be valid */
    this.opts = { ...opts }
    this.running = true
    /** @type {Coordinator | null} */
    this.coordinator = null
    /** @type {import('../http1/connection').Observer} */
    this.observer = { response: null, requestError: null }
    this.observe()

    const result = this.run()
    if (callback !== undefined) {
      result.then(value => callback(null, value), error => callback(error))
    } else {
      const promise = new Promise((resolve, reject) => result.then(resolve, reject))
      this.then = promise.then.bind(promise)
      this.catch = promise.catch.bind(promise)
      this.finally = promise.finally.bind(promise)
      // Whoever listens to `error` has been told; a rejection that nobody else takes must not end the process.
      promise.catch(() => {})
      result.catch(() => {})
    }
  }

  /** Ends the run early: `done` and the result follow with what was measured. */
  stop () {
    this.running = false
    this.coordinator?.stop()
  }

  async run () {
    try {
      const { values, unknown } = validate(this.opts)
      for (const sentence of unknown) process.emitWarning(`autocannon: ${sentence}`)
      Object.assign(this.opts, values)
      const plan = buildPlan(values)
      this.coordinator = new Coordinator(plan, values, {
        onStart: () => this.emit('start'),
        onTick: tick => this.emit('tick', tick)
      }, this.observer)
      await new Promise(resolve => setImmediate(resolve))
      if (!this.running) this.coordinator.stop()
      const result = await this.coordinator.run()
      this.running = false
      this.emit('done', result)
      return result
    } catch (error) {
      this.running = false
      await null
      if (this.listenerCount('error') > 0) this.emit('error', error)
      throw error
    }
  }

  /** Single requests are told of only while somebody listens. */
  observe () {
    const update = () => {
      const { observer } = this
      observer.response = this.listenerCount('response') === 0
        ? null
        : (connection, status, size, ms) => { this.emit('response', connection, status, size, ms) }
      observer.requestError = this.listenerCount('reqError') === 0 ? null : error => { this.emit('reqError', error) }
    }
    this.on('newListener', () => queueMicrotask(update))
    this.on('removeListener', () => queueMicrotask(update))
  }
}

module.exports = { Instance }
