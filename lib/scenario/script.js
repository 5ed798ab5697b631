'use strict'

// Owns one connection's way through a scenario when hooks or ids have a say in its requests: builds each request when it is
// due, and keeps the context of the round. What is in flight stands in the connection's exchange table.

const { Ids } = require('./ids')
const { MAX_RESTARTS, restartsForEver, setUp } = require('./set-up')
const { Template, compileRequest } = require('./template')

/**
 * @typedef {import('./sequence').Source} Source
 * @typedef {import('./sequence').Rows} Rows
 * @typedef {import('./context').Context} Context
 * @typedef {import('./compiled-scenario').CompiledScenario} CompiledScenario
 */

/** @implements {Source} */
class Script {
  /**
   * @param {CompiledScenario} scenario
   * @param {() => void} onReset the scenario starts over because setupRequest returned nothing
   */
  constructor (scenario, onReset) {
    this.scenario = scenario
    this.onReset = onReset
    this.ids = new Ids()
    this.sending = 0
    this.context = scenario.means.makeContext()
    this.maxRun = scenario.means.pipelining
    /** @type {Buffer} */
    this.bytes = NO_BYTES
    this.readyAt = -Infinity
  }

  get target () {
    return this.scenario.steps[this.sending].target
  }

  /**
   * Starts with another scenario from now on. What is in flight keeps its own.
   * @param {CompiledScenario} scenario
   */
  replace (scenario) {
    this.scenario = scenario
    this.restart()
  }

  /** The next request is the first one, of a new round. */
  restart () {
    this.sending = 0
    this.context = this.scenario.means.makeContext()
  }

  /**
   * @param {number} n
   * @param {Rows} rows
   * @throws {import('../errors').HookError}
   */
  next (n, rows) {
    let row = rows.free
    if (n === 1) {
      this.bytes = this.one(row, rows)
      return 1
    }
    const all = new Array(n)
    for (let i = 0; i < n; i++) {
      all[i] = this.one(row, rows)
      row = rows.following(row)
    }
    this.bytes = Buffer.concat(all)
    return n
  }

  /**
   * @param {number} row
   * @param {Rows} rows
   * @returns {Buffer} the bytes of the next request, which stands in the row from now on
   */
  one (row, rows) {
    let last = 0
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      const { context, scenario } = this
      const step = scenario.steps[this.sending]
      last = step.index
      // Before the hook, which may change what follows this request.
      if (this.sending + 1 === scenario.steps.length) this.restart()
      else this.sending++
      if (step.setupRequest === undefined) {
        const bytes = step.bytes ?? /** @type {Template} */ (step.template).fill(this)
        rows.write(row, step, context, step.request, bytes)
        return bytes
      }
      const request = setUp(step, step.setupRequest, context)
      if (request !== null) {
        const made = compileRequest(request, step.target, scenario.means)
        const bytes = made instanceof Template ? made.fill(this) : made
        rows.write(row, step, context, request, bytes)
        return bytes
      }
      this.restart()
      this.onReset()
    }
    throw restartsForEver(last)
  }

  /** The request that is sent next. */
  get current () {
    return this.scenario.steps[this.sending].request
  }

  /**
   * Changes the request that is sent next, and from then on at each round. What is in flight keeps its step.
   * @param {import('./request').Request} request
   */
  edit (request) {
    this.scenario = this.scenario.edit(this.sending, request)
    return this
  }
}

const NO_BYTES = Buffer.alloc(0)

module.exports = { Script }
