'use strict'

// The progress bar of one run, with live figures.

const { readAmount } = require('../core/amount')
const { countedAt } = require('../core/counted')
const { formatLatency, formatPercent, formatRate } = require('../core/units')

const LIVE_BAR = 'running [:bar] :percent :live'
const BAR_WIDTH = 20
/** The interval of redraws, ms. */
const REFRESH = 100

class ProgressBar {
  /**
   * @param {Record<string, any>} opts
   * @param {NodeJS.WritableStream & { columns?: number }} stream
   * @param {string | undefined} format
   * @param {ReturnType<typeof import('../report/colors').colorsFor>} color
   * @param {import('../core/clock').Clock} clock monotonic, because the system clock may be set during the run
   */
  constructor (opts, stream, format, color, clock) {
    this.opts = opts
    this.stream = stream
    this.format = format ?? LIVE_BAR
    this.color = color
    this.live = ''
    this.completed = 0
    const { number, unit } = readAmount(opts.amount)
    /** The amount of requests or iterations; NaN without one. */
    this.amount = number
    this.counted = countedAt(opts.url)
    this.byIterations = unit === 'iterations'
    /** The expected length of the run, as a multiple of `duration`. */
    this.durations = opts.until !== undefined && require('../report/until').isDecision(opts.until)
      ? require('../report/until').LONGEST
      : 1
    this.clock = clock
    this.startedAt = clock()
    const Bar = require('progress')
    this.bar = new Bar(this.format, { stream, total: 1000, width: BAR_WIDTH, incomplete: ' ', clear: true })
    this.timer = setInterval(() => this.show(), REFRESH)
    this.timer.unref()
    this.show()
  }

  /** @param {import('./followers').Tick} tick */
  tick ({ counter, iterations, length, p99, generator, until }) {
    if (this.byIterations) this.completed = iterations ?? 0
    else this.completed += counter
    const figures = `| ${formatRate(counter / length * 1000)} ${this.counted.rate}, p99 ` +
      `${formatLatency(p99)}${until === undefined ? '' : this.known(until)}`
    const health = `, generator ${formatPercent(generator.eventLoopUtilization)}`
    const room = this.roomForLive()
    const live = [figures + health, figures].find(text => text.length <= room)
    this.live = live === undefined ? '' : this.color.dim(live)
    this.show()
  }

  /** Returns the precision so far. @type {(until: import('./followers').Known) => string} */
  known (until) {
    const { expectedDurations, formatWidth } = require('../report/until')
    const { metric, width } = until
    this.durations = expectedDurations(until, this.elapsed)
    const now = width === null ? '±?' : formatWidth(width)
    return metric === 'p99' ? ` ${now}` : `, ${metric} ${now}`
  }

  /** The elapsed time, as a multiple of `duration`. */
  get elapsed () {
    return (this.clock() - this.startedAt) / (this.opts.duration * 1000)
  }

  /** Cuts the bar to the terminal's width: a wrapped line cannot be redrawn, and each redraw would add a line. */
  roomForLive () {
    return (this.stream.columns || 80) - this.format.length - BAR_WIDTH
  }

  show () {
    const { amount } = this
    const ratio = Number.isNaN(amount) ? this.elapsed / this.durations : this.completed / amount
    // A full bar would end itself, but only the run may end it.
    this.bar.update(Math.min(ratio, 0.999), { live: this.live })
  }

  /** @param {string} text a separate line above the bar */
  say (text) {
    if (/** @type {{ isTTY?: boolean }} */ (this.stream).isTTY) this.bar.interrupt(text)
    else this.stream.write(text + '\n')
  }

  end () {
    clearInterval(this.timer)
    this.bar.terminate()
  }
}

module.exports = { ProgressBar }
