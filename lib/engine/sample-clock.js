'use strict'

// The samples of a run: when results begin, when each sample ends, and the handover of its counts.

const { samplesPerPoint } = require('../record/timeline')

/**
 * @typedef {object} Needs
 * @property {import('../options/plan').Plan} plan
 * @property {import('../record/recorder').Recorder} recorder
 * @property {import('../core/timers').Timers} timers whose stop ends it
 * @property {() => number} elapsed ms since the start of the load, -Infinity before
 * @property {() => number} inFlight how many requests are in flight
 * @property {() => void} onFigures the figures begin: earlier measurements are dropped
 * @property {() => import('../record/usage').Usage} takeUsage the usage of the generator's thread since the last call
 * @property {(snapshot: import('../record/recorder').Snapshot) => void} report
 */

class SampleClock {
  /** @param {Needs} needs */
  constructor (needs) {
    this.needs = needs
    /** When the figures begin, ms since the start of the load. */
    this.figuresFrom = 0
    this.measures = false
    this.sampledAt = 0
    /** The index of the last sample that has ended. */
    this.last = -1
  }

  start () {
    this.measureFrom(this.needs.plan.skipFirst)
  }

  /** The figures may begin later than the load. @param {number} start ms after it; timers may fire a little early */
  measureFrom (start) {
    const left = start === 0 ? 0 : start - this.needs.elapsed()
    if (left > 0) this.needs.timers.after(Math.ceil(left), () => this.measureFrom(start))
    else this.measure()
  }

  /** The figures begin: earlier ones are excluded. */
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

  /** @returns {number} ms since the figures began, -Infinity before the load did */
  measured () {
    return this.needs.elapsed() - this.figuresFrom
  }

  sample () {
    const { plan: { sampleInt, apart }, recorder, takeUsage, report } = this.needs
    const elapsed = this.measured()
    // Timers may fire up to 1 ms early.
    const last = Math.floor((elapsed + Math.min(1, sampleInt / 4)) / sampleInt) - 1
    if (last <= this.last) return
    // Histograms are handed over when a point of the series has ended.
    const width = samplesPerPoint(sampleInt)
    const withDistributions = apart || Math.floor((last + 1) / width) > Math.floor((this.last + 1) / width)
    const snapshot = recorder.take(this.sampledAt, elapsed, last, takeUsage(), withDistributions)
    this.last = last
    this.sampledAt = elapsed
    report(snapshot)
  }

  /** A run that is stopped before its figures begin has none. */
  stop () {
    if (!this.measures && this.needs.plan.skipFirst > 0) this.measure()
  }

  end () {
    const { recorder, takeUsage, report } = this.needs
    report(recorder.takeLast(this.sampledAt, Math.max(0, this.measured()), this.last + 1, takeUsage()))
  }
}

module.exports = { SampleClock }
