'use strict'

// Owns what a run shows while it goes on where autocannon writes for people: an area of a terminal that is drawn over, or a line now and then in a pipe, the
// log of a CI job and a terminal that can do no more than write lines.

const { now } = require('../../clock')
const { colorsFor } = require('../../report/colors')
const { widthOf } = require('../../report/table')
const { Area } = require('./area')
const { logLine } = require('./brief')
const { liveLines } = require('./lines')
const { RoundState } = require('./state')

/** How often the area is drawn, ms. bench/live-terminal.js measures what that costs. */
const REFRESH = 1000
/** How often there is a line at the most, ms. */
const LINE = 10_000

/**
 * @typedef {import('./area').Terminal} Terminal
 *
 * @typedef {object} Live in place of the progress bar
 * @property {(tick: import('../followers').Tick) => void} tick
 * @property {(sample: import('../followers').Sample) => void} sample
 * @property {(text: string) => void} say a line of its own
 * @property {() => void} end
 */

/**
 * @param {Terminal} stream
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean} whether it can be drawn over, and somebody sees it
 */
function isLively (stream, env) {
  const isCi = env.CI !== undefined && !['', '0', 'false'].includes(env.CI)
  return stream.isTTY === true && env.TERM !== 'dumb' && !isCi
}

/**
 * @param {import('./state').Watched} instance
 * @param {Terminal} stream
 * @param {{ title?: string, env?: NodeJS.ProcessEnv, others?: Terminal[], clock?: import('../../clock').Clock }} [how] `title`: printable, which run it is; `others`: streams
 *   that may be the same terminal
 * @returns {Live}
 */
function goLive (instance, stream, { title = '', env = process.env, others = [], clock = now } = {}) {
  const state = new RoundState(instance, title, clock)
  return isLively(stream, env) ? new LiveArea(state, stream, others, colorsFor(stream, env)) : new LiveLog(state, stream, clock)
}

class LiveArea {
  /**
   * @param {RoundState} state
   * @param {Terminal} stream
   * @param {Terminal[]} others
   * @param {ReturnType<typeof colorsFor>} color
   */
  constructor (state, stream, others, color) {
    this.state = state
    this.stream = stream
    this.color = color
    this.area = new Area(stream, [stream, ...others])
    // Loaded before the load, which may leave no descriptor to open a file with.
    widthOf('ü')
    this.timer = setInterval(() => this.draw(), REFRESH)
    this.timer.unref()
    this.isEmpty = true
    this.redraw = () => this.draw()
    this.resume = () => {
      this.area.forget()
      this.draw()
    }
    stream.on('resize', this.redraw)
    process.on('SIGCONT', this.resume)
    this.draw()
  }

  draw () {
    const { columns, rows } = this.stream
    // One that does not know how large it is says 0.
    this.area.show(liveLines(this.state.now(), { columns: columns || 80, rows: rows || 24, color: this.color }))
  }

  /** @param {import('../followers').Tick} tick */
  tick (tick) {
    this.state.tick(tick)
  }

  /** @param {import('../followers').Sample} sample */
  sample (sample) {
    this.state.sample(sample)
    // The first figures are there at once; from then on the timer draws.
    if (this.isEmpty) this.draw()
    this.isEmpty = false
  }

  /** @param {string} text */
  say (text) {
    this.stream.write(text + '\n')
  }

  end () {
    clearInterval(this.timer)
    this.stream.off('resize', this.redraw)
    process.off('SIGCONT', this.resume)
    this.area.end()
  }
}

class LiveLog {
  /**
   * @param {RoundState} state
   * @param {NodeJS.WritableStream} stream
   * @param {import('../../clock').Clock} clock
   */
  constructor (state, stream, clock) {
    this.state = state
    this.stream = stream
    this.clock = clock
    this.writtenAt = clock()
  }

  /** @param {import('../followers').Tick} tick */
  tick (tick) {
    this.state.tick(tick)
  }

  /** @param {import('../followers').Sample} sample */
  sample (sample) {
    this.state.sample(sample)
    if (this.clock() - this.writtenAt < LINE) return
    this.writtenAt = this.clock()
    this.stream.write(logLine(this.state.now()) + '\n')
  }

  /** @param {string} text */
  say (text) {
    this.stream.write(text + '\n')
  }

  end () {}
}

module.exports = { goLive, isLively }
