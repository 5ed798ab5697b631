'use strict'

// A scenario with hooks, ids or templates on one connection: it builds each request when it is due, and begins
// iterations. Requests in flight are in the exchange table of the connection.

const { NO_MORE } = require('./sequence')
const { MAX_RESTARTS, restartsForEver, setUp } = require('./set-up')
const { Template, compileRequest } = require('../templates/template')

/**
 * @typedef {import('./sequence').Source} Source
 * @typedef {import('./sequence').Rows} Rows
 * @typedef {import('./compiled-scenario').CompiledScenario} CompiledScenario
 */

/** @implements {Source} */
class Script {
  /**
   * @param {CompiledScenario} scenario
   * @param {import('../templates/own').Own} own of its connection
   * @param {() => void} onReset called when the scenario starts over because setupRequest returned nothing
   * @param {(step: import('./compiled-scenario').CompiledStep, reason: string) => void} onRefused called when it starts
   *   over because a request cannot be sent with its values
   */
  constructor (scenario, own, onReset, onRefused) {
    this.scenario = scenario
    this.own = own
    this.onReset = onReset
    this.onRefused = onRefused
    this.sending = 0
    /** Whether the iteration has its rows of data. */
    this.begun = false
    this.maxRun = scenario.means.pipelining
    /** @type {Buffer} */
    this.bytes = NO_BYTES
    this.readyAt = -Infinity
  }

  get target () {
    return this.scenario.steps[this.sending].target
  }

  get inIteration () {
    return this.begun
  }

  /** Continues with another scenario. Requests in flight keep their steps. @param {CompiledScenario} scenario */
  replace (scenario) {
    this.scenario = scenario
    this.restart()
  }

  /** Begins a new iteration with the next request. */
  restart () {
    this.sending = 0
    this.begun = false
    this.own.context = this.scenario.means.makeContext()
  }

  /** @returns {boolean} false when no row of data is left for another iteration */
  begin () {
    const { own, scenario: { sources, means: { sharedValues } } } = this
    this.begun = sharedValues === null || sharedValues.begin(own, sources) === null
    return this.begun
  }

  /**
   * @throws {import('../core/errors').AutocannonError}
   * @type {(n: number, rows: Rows) => number}
   */
  next (n, rows) {
    let row = rows.free
    if (n === 1) {
      const bytes = this.one(row, rows)
      if (bytes === null) return NO_MORE
      this.bytes = bytes
      return 1
    }
    const all = []
    for (let i = 0; i < n; i++) {
      const bytes = this.one(row, rows)
      if (bytes === null) break
      all.push(bytes)
      row = rows.following(row)
    }
    if (all.length === 0) return NO_MORE
    this.bytes = Buffer.concat(all)
    return all.length
  }

  /**
   * Writes the next request into the row. Returns its bytes; null at the end.
   * @type {(row: number, rows: Rows) => Buffer | null}
   */
  one (row, rows) {
    const { own } = this
    own.isUnsent = false
    /** @type {number | string} */
    let last = 0
    /** @type {string | null} */
    let refused = null
    for (let restarts = 0; restarts < MAX_RESTARTS; restarts++) {
      if (!this.begun && !this.begin()) return null
      const { scenario } = this
      const { context } = own
      const step = scenario.steps[this.sending]
      last = step.index
      const { setupRequest } = step
      const given = step.given === null ? step.request : step.given(own)
      const bytes = step.bytes ?? (step.template === null ? null : step.template.fill(own))
      if (step.expected !== null) rows.expected[row] = step.expected(own)
      refused = own.refused
      // Before the hook is called, because the hook may edit the next step.
      if (refused !== null || this.sending + 1 === scenario.steps.length) this.restart()
      else this.sending++
      if (refused !== null) {
        own.refused = null
        own.isUnsent = true
        this.onRefused(step, refused)
        continue
      }
      if (bytes !== null) {
        rows.write(row, step, context, given, bytes)
        return bytes
      }
      const request = setupRequest === undefined ? given : setUp(step, setupRequest, given, context)
      if (request !== null) {
        const made = compileRequest(request, step.target, scenario.means, false, step.given === null ? null : given)
        const bytes = made instanceof Template ? made.fill(own) : made
        rows.write(row, step, context, request, bytes)
        return bytes
      }
      own.isUnsent = true
      this.restart()
      this.onReset()
    }
    throw restartsForEver(last, refused)
  }

  get current () {
    return this.scenario.steps[this.sending].request
  }

  /**
   * Changes the next request, for all later iterations. Requests in flight keep their steps.
   * @param {import('../requests/request').Request} request
   */
  edit (request) {
    this.scenario = this.scenario.edit(this.sending, request)
    return this
  }
}

const NO_BYTES = Buffer.alloc(0)

module.exports = { Script }
