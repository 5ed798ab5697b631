'use strict'

// autocannon.versus(): an emitter, and a promise of the comparison.

const { EventEmitter } = require('node:events')
const { throwOutside } = require('../../follow/followers')
const { OptionsError } = require('../../core/errors')
const { isRecord, printable } = require('../../core/foreign-text')
const { readValues } = require('../../options/read')
const { seededFor } = require('../../options/load/seed')
const { readVersus } = require('./options')
const { Instance } = require('../../run/instance')
const { checkCallback, settleBy } = require('../../run/promised')
const { VersusRuns } = require('./runs')

/** Events: `run`, `notice`, `done`, `error`. */
class Versus extends EventEmitter {
  /**
   * Starts the first run in the next turn of the event loop, so that listeners can be added before.
   * @param {Record<string, unknown>} opts
   * @param {(error: Error | null, comparison?: Record<string, any>) => void} [callback]
   */
  constructor (opts, callback) {
    super()
    this.running = true
    /** The current run. @type {Instance | null} */
    this.instance = null
    settleBy(this, this.run(opts, callback), callback)
  }

  /** Ends the runs early: `done` and the comparison of the complete runs follow. */
  stop () {
    this.running = false
    this.instance?.stop()
  }

  /** @param {any} given options @param {unknown} [callback] */
  async run (given, callback) {
    try {
      checkCallback(callback)
      const { values, own, urls: [base, next], names, warnings } = readVersus(
        OptionsError.reading('the options', () => isRecord(given) ? { ...given } : given),
        undefined,
        undefined,
        { env: process.env }
      )
      // Warnings are emitted once, and not for each run.
      const reading = readValues(values)
      for (const sentence of [...warnings, ...reading.warnings, ...reading.notices]) {
        process.emitWarning(`autocannon: ${printable(sentence)}`)
      }
      await new Promise(resolve => setImmediate(resolve))
      const runs = new VersusRuns(
        { ...own, names: { base: names[0], new: names[1] } },
        (side, run) => this.measure(seededFor({ ...values, url: [side === 'base' ? base : next] }, run)),
        (side, run, result) => { this.tell('run', { side, run, result }) }
      )
      await runs.run()
      const comparison = runs.comparison({ isStopped: !this.running && runs.ended === 'stopped', same: base === next })
      const error = runs.trouble?.error
      if (error !== undefined) {
        throw Object.assign(error, {
          message: [runs.trouble?.reason, runs.trouble?.details].filter(Boolean).join('\n'), result: comparison
        })
      }
      this.running = false
      this.tell('done', comparison)
      return comparison
    } catch (error) {
      this.running = false
      // A listener that is added directly after the call must receive the error.
      await null
      // Without a listener, emit() would throw it. The promise rejects with it in any case.
      if (this.listenerCount('error') > 0) this.tell('error', error)
      throw error
    }
  }

  /**
   * @param {import('../../options/read').Reading['values']} values of one run
   * @returns {Promise<Record<string, any> | null>} null if `stop` ended it
   */
  async measure (values) {
    if (!this.running) return null
    const quiet = (/** @type {import('../../options/read').Reading['values']} */ one) => ({
      ...readValues(one), warnings: [], notices: []
    })
    const ofServer = { ...values, har: values.har?.only(values.url[0]) }
    const instance = this.instance = new Instance(ofServer, undefined, undefined, quiet)
    // Without a listener, a run emits its notices as warnings.
    if (this.listenerCount('notice') > 0) instance.on('notice', sentence => { this.tell('notice', sentence) })
    const result = await /** @type {Promise<Record<string, any>>} */ (/** @type {unknown} */ (instance))
    return result.interrupted && !this.running ? null : result
  }

  /** @param {string} event @param {unknown} details */
  tell (event, details) {
    try {
      this.emit(event, details)
    } catch (error) {
      throwOutside(error)
    }
  }
}

/**
 * @param {Record<string, any>} opts
 * @param {(error: Error | null, comparison?: Record<string, any>) => void} [callback]
 * @returns {Versus}
 */
function versus (opts, callback) {
  return new Versus(opts, callback)
}

module.exports = { versus }
