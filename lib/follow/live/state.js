'use strict'

// The state of one run for the terminal: progress, last minute and last sample.

const { amountText, readAmount } = require('../../core/amount')
const { countedAt } = require('../../core/counted')
const { formatInteger } = require('../../core/units')
const { formatTime } = require('./brief')

/** ms */
const MINUTE = 60_000

/**
 * @typedef {object} Watched the used part of an instance
 * @property {Record<string, any>} opts with defaults once it has started
 * @property {() => Record<string, any> | null} soFar
 */

class RunState {
  /**
   * @param {Watched} instance
   * @param {string} title of this run in a series; printable
   * @param {import('../../core/clock').Clock} clock
   */
  constructor (instance, title, clock) {
    this.instance = instance
    this.title = title
    this.clock = clock
    this.startedAt = clock()
    this.completed = 0
    /** Completed iterations. */
    this.iterations = 0
    /** Time without a completed request while requests were waiting, ms. */
    this.quiet = 0
    /** @type {import('./lines').LiveState['tick']} */
    this.last = null
    /** @type {import('../followers').Known | null} */
    this.known = null
    /** @type {import('../../figures/series').Point[]} */
    this.minute = []
  }

  /** @param {import('../followers').Tick} tick */
  tick (tick) {
    this.completed += tick.counter
    this.iterations = tick.iterations ?? 0
    // Streams deliver events long before their response completes.
    const hasArrived = tick.counter > 0 || (this.instance.opts?.stream !== undefined && Number(tick.bytes) > 0)
    this.quiet = hasArrived || tick.inFlight === 0 ? 0 : this.quiet + tick.length
    this.last = tick
    this.known = tick.until ?? null
  }

  /** @param {import('../followers').Sample} sample */
  sample ({ point }) {
    this.minute.push(point)
    const from = point.time + point.length - MINUTE
    while (this.minute[0].time < from) this.minute.shift()
  }

  /** Seconds. */
  get elapsed () {
    return (this.clock() - this.startedAt) / 1000
  }

  /** @returns {import('./lines').LiveState} */
  now () {
    return {
      title: this.title, progress: this.progress(), result: this.instance.soFar(), minute: this.minute, tick: this.last,
      quiet: this.quiet
    }
  }

  /** @returns {import('./lines').Progress} */
  progress () {
    const { elapsed, known, instance: { opts: { amount: given, duration, until, url } } } = this
    if (given !== undefined) {
      const { number: amount, unit } = readAmount(given)
      const completed = unit === 'iterations' ? this.iterations : this.completed
      const left = completed === 0 ? null : Math.max(0, amount - completed) * elapsed / completed
      return {
        ratio: Math.min(1, completed / amount),
        done: `${formatInteger(completed)} of ${amountText(given, countedAt(url).one)}`,
        left
      }
    }
    // The time at which thresholds are decided is unpredictable.
    if (until !== undefined && require('../../report/until').isDecision(until)) {
      const most = duration * require('../../report/until').LONGEST
      return {
        ratio: Math.min(1, elapsed / most), done: `${formatTime(elapsed)}, undecided, at most ${most} s`,
        left: null
      }
    }
    const expected = known === null
      ? duration
      : duration * require('../../report/until').expectedDurations(known, elapsed / duration)
    const done = known === null
      ? `${formatTime(elapsed)} of ${formatTime(expected)}`
      : `${formatTime(elapsed)}, ${require('../../report/until').precisionSoFar(known)}`
    return { ratio: Math.min(1, elapsed / expected), done, left: Math.max(0, expected - elapsed) }
  }
}

module.exports = { RunState }
