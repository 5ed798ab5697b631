'use strict'

// The channel to a generator in this thread.

const { Generator } = require('../engine/generator')
const { loadHooks } = require('../options/requests/hooks')

/** The timeout of loading modules of hooks, ms. */
const LOAD_TIMEOUT = 30_000

/**
 * A channel to one generator in this thread, another thread or an agent.
 * @typedef {object} Channel
 * @property {() => Promise<void>} open resolves once the generator is ready to start
 * @property {() => void} start
 * @property {(at: number) => void} begin called when all generators are waiting: the load begins at that time, on the
 *   common clock
 * @property {(connections: number) => void} grow opens connections up to this number
 * @property {(stage: import('../shapes/stages').Stage, drop: boolean) => void} extend adds a stage to the load; `drop`
 *   discards due requests of earlier stages that are not sent by then
 * @property {() => void} stop ends the load; the last snapshot and the end follow
 * @property {() => void} observe called when listeners to single requests are added or removed
 * @property {() => Promise<void>} close releases all its resources
 *
 * @typedef {(plan: import('../options/plan').Plan, sinks: import('../engine/generator').Sinks, observer:
 *   import('../engine/generator').Observer, generator: number) => Channel} MakeChannel
 *   `generator` is its number, counted from 0
 */

/** @implements {Channel} */
class LocalChannel {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {import('../engine/generator').Sinks} sinks
   * @param {import('../engine/generator').Observer} observer
   * @param {{ loadTimeout?: number }} [options] ms
   */
  constructor (plan, sinks, observer, { loadTimeout = LOAD_TIMEOUT } = {}) {
    this.loadTimeout = loadTimeout
    this.plan = plan
    this.sinks = sinks
    this.observer = observer
    /** @type {Generator | null} */
    this.generator = null
    /** @type {import('./name-lookup').NameLookup | null} */
    this.names = null
  }

  async open () {
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const late = new Promise(resolve => { timer = setTimeout(resolve, this.loadTimeout) })
    try {
      const [plan] = await Promise.all([loadHooks(this.plan, late), this.prepareNames(), this.checkAddresses()])
      this.generator = new Generator(plan, this.sinks, this.observer, { lookup: this.names?.lookup })
    } finally {
      clearTimeout(timer)
    }
  }

  async prepareNames () {
    const { targets, network, session } = this.plan
    if (!targets.some(({ named }) => named) && !network?.named && !session?.redirects.anywhere) return
    const { NameLookup } = require('./name-lookup')
    this.names = new NameLookup()
    await this.names.start()
  }

  async checkAddresses () {
    const addresses = this.plan.network?.localAddresses ?? []
    if (addresses.length > 0) await require('./local-addresses').checkLocalAddresses(addresses)
  }

  start () {
    try {
      this.generator?.start()
    } catch (error) {
      // Errors of the first socket, such as an invalid local address.
      this.generator?.fail(/** @type {Error} */ (error))
    }
  }

  /** @param {number} at */
  begin (at) {
    this.generator?.beginAt(at)
  }

  /** @type {(stage: import('../shapes/stages').Stage, drop: boolean) => void} */
  extend (stage, drop) {
    this.generator?.extend(stage, drop)
  }

  /** @param {number} connections */
  grow (connections) {
    this.generator?.grow(connections)
  }

  stop () {
    this.generator?.stop()
  }

  // The generator reads the observer itself.
  observe () {}

  async close () {
    this.names?.stop()
  }
}

module.exports = { LocalChannel }
