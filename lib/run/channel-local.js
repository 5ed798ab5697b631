'use strict'

// Owns the channel to a generator in this thread.

const { Generator } = require('../load/generator')
const { loadHooks } = require('../options/hooks')

/**
 * A way to one generator, wherever it runs.
 * @typedef {object} Channel
 * @property {() => Promise<void>} open resolves once the generator is ready to start
 * @property {() => void} start
 * @property {() => void} stop ends the load; the last snapshot and the end follow
 * @property {() => void} observe listeners to single requests have come or gone
 * @property {() => Promise<void>} close nothing of it stays behind
 */

/** @implements {Channel} */
class LocalChannel {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {import('../load/generator').Sinks} sinks
   * @param {import('../http1/connection').Observer} observer
   */
  constructor (plan, sinks, observer) {
    this.plan = plan
    this.sinks = sinks
    this.observer = observer
    /** @type {Generator | null} */
    this.generator = null
  }

  async open () {
    this.generator = new Generator(this.plan, await loadHooks(this.plan.hooks), this.sinks, this.observer)
  }

  start () {
    this.generator?.start()
  }

  stop () {
    this.generator?.stop()
  }

  // The generator looks at the observer itself.
  observe () {}

  async close () {}
}

module.exports = { LocalChannel }
