'use strict'

// Redraws a run in an area of the terminal. Lazy: not loaded for a pipe.

const { widthOf } = require('../../report/table')
const { Area } = require('./area')
const { liveLines } = require('./lines')

/**
 * The interval of redraws, ms. Each follows a sample, so that its figures are new, and takes about 5 ms of CPU time.
 */
const REFRESH = 1000
/** A redraw may be this much early, ms, to follow a sample that came early. */
const EARLY = 100
/** After this time without samples the area is redrawn anyway, ms. */
const OVERDUE = 1200

/** @typedef {import('./area').Terminal} Terminal */

class LiveArea {
  /**
   * @param {import('./state').RunState} state
   * @param {Terminal} stream
   * @param {Terminal[]} others
   * @param {{ color: ReturnType<typeof import('../../report/colors').colorsFor>, chart: boolean, clock:
   *   import('../../core/clock').Clock }} how
   */
  constructor (state, stream, others, { color, chart, clock }) {
    this.state = state
    this.stream = stream
    this.color = color
    this.chart = chart
    this.clock = clock
    this.drawnAt = -Infinity
    this.area = new Area(stream, [stream, ...others])
    // Loaded before the run, whose connections may use all file descriptors.
    widthOf('ü')
    this.timer = setInterval(() => this.drawUnless(OVERDUE), REFRESH / 2)
    this.timer.unref()
    this.isEmpty = true
    this.redraw = () => this.draw()
    this.resume = () => {
      this.area.forget()
      this.draw()
    }
    stream.on('resize', this.redraw)
    process.on('SIGCONT', this.resume)
    this.leave = () => this.area.end()
    process.on('exit', this.leave)
    this.draw()
  }

  /** @param {number} ms the time that drawing took */
  drawUnless (ms) {
    if (this.clock() - this.drawnAt >= ms) this.draw()
  }

  draw () {
    const { columns, rows } = this.stream
    this.drawnAt = this.clock()
    // A terminal of unknown size reports 0.
    this.area.show(liveLines(this.state.now(), {
      columns: columns || 80, rows: rows || 24, color: this.color, chart: this.chart
    }))
  }

  /** @param {import('../followers').Tick} tick */
  tick (tick) {
    this.state.tick(tick)
  }

  /** @param {import('../followers').Sample} sample */
  sample (sample) {
    this.state.sample(sample)
    // The first figures appear at once.
    this.drawUnless(this.isEmpty ? 0 : REFRESH - EARLY)
    this.isEmpty = false
  }

  /** @param {string} text */
  say (text) {
    this.stream.write(text + '\n')
  }

  get hasLines () {
    return this.area.disturbedAt > -Infinity
  }

  end () {
    clearInterval(this.timer)
    this.drawnAt = Infinity
    this.stream.off('resize', this.redraw)
    process.off('SIGCONT', this.resume)
    process.off('exit', this.leave)
    this.area.end()
  }
}

module.exports = { LiveArea }
