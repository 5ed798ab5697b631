'use strict'

// Redraws a run in an area of the terminal. A run in a pipe does not load it.

const { widthOf } = require('../../report/table')
const { Area } = require('./area')
const { liveLines } = require('./lines')

/**
 * How often the area is drawn, ms: with a sample, so that its figures are new. A drawing takes about 5 ms of CPU time.
 */
const REFRESH = 1000
/** A sample that comes a little early is no reason to wait for the next one. */
const EARLY = 100
/** Without samples for this time it is drawn all the same. */
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
    // Loaded before the load, which may leave no descriptor to open a file with.
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
    // The first figures are shown at once.
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
