'use strict'

// The samples of a run: the start of the figures, the end of each sample, and the report of its counts.

const { samplesPerPoint } = require('../record/timeline')

/**
 * @typedef {object} Needs
 * @property {import('../options/plan').Plan} plan
 * @property {import('../record/recorder').Recorder} recorder
 * @property {import('../core/timers').Timers} timers stop it at the end of the run
 * @property {() => number} elapsed ms since the start of the load, -Infinity before
 * @property {() => number} inFlight returns the number of requests in flight
 * @property {() => void} onFigures called at the start of the figures, to drop earlier measurements
 * @property {() => import('../record/usage').Usage} takeUsage the usage of the generator's thread since the last call
 * @property {(snapshot: import('../record/recorder').Snapshot) => void} report
 */

class SampleClock {
  /** @param {Needs} needs */
  constructor (needs) {
    this.needs = needs
    /** The start of the figures, ms since the start of the load. */
    this.figuresFrom = 0
    this.measures = false
    this.sampledAt = 0
    /** The index of the last ended sample. */
    this.last = -1
  }

  start () {
    this.measureFrom(this.needs.plan.skipFirst)
  }

  /**
   * Starts the figures after an excluded time.
   * @param {number} start ms since the start of the load; timers may fire a little early
   */
  measureFrom (start) {
    const left = start === 0 ? 0 : start - this.needs.elapsed()
    if (left > 0) this.needs.timers.after(Math.ceil(left), () => this.measureFrom(start))
    else this.measure()
  }

  /** Starts the figures, and excludes earlier counts. */
  measure () {
    const { plan, recorder, timers, elapsed, inFlight, onFigures } = this.needs
    onFigures()
    this.measures = true
    if (plan.skipFirst > 0) {
      this.figuresFrom = Math.max(0, elapsed())
      recorder.skip(this.figuresFrom, inFlight())
    }
    if (!timers.stopped) timers.every(() => (this.last + 2) * plan.sampleInt - this.measured(), () => this.sample())
  }

  /** @returns {number} ms since the start of the figures, -Infinity before the load */
  measured () {
    return this.needs.elapsed() - this.figuresFrom
  }

  sample () {
    const { plan: { sampleInt, apart }, recorder, takeUsage, report } = this.needs
    const elapsed = this.measured()
    // Timers may fire up to 1 ms early.
    const last = Math.floor((elapsed + Math.min(1, sampleInt / 4)) / sampleInt) - 1
    if (last <= this.last) return
    // Histograms are reported at the end of a point of the series.
    const width = samplesPerPoint(sampleInt)
    const withDistributions = apart || Math.floor((last + 1) / width) > Math.floor((this.last + 1) / width)
    const snapshot = recorder.take(this.sampledAt, elapsed, last, takeUsage(), withDistributions)
    this.last = last
    this.sampledAt = elapsed
    report(snapshot)
  }

  /** Reports the last sample. A run that is stopped before the start of its figures has none. */
  stop () {
    if (!this.measures && this.needs.plan.skipFirst > 0) this.measure()
  }

  end () {
    const { recorder, takeUsage, report } = this.needs
    report(recorder.takeLast(this.sampledAt, Math.max(0, this.measured()), this.last + 1, takeUsage()))
  }
}

module.exports = { SampleClock }
