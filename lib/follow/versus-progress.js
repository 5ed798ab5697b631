'use strict'

// The progress of `versus`: a line per ended run with its figures and the remaining time, and on a terminal the current
// run.

const { now } = require('../core/clock')
const { printable } = require('../core/foreign-text')
const { colorsFor } = require('../report/colors')
const { runFiguresOf } = require('../report/run-figures')
const { screenOf, wrapped, wrappedFor } = require('../report/prose')
const { formatDuration, formatInteger, formatLatency, formatRate, plural } = require('../core/units')
const { goLive, isLively } = require('./live/live')

/**
 * @typedef {'base' | 'new'} Side
 *
 * @typedef {object} Versus
 * @property {Record<Side, string>} sides the measured sides: a URL, or the command of a server
 * @property {number} runs of each side, at most
 * @property {number | null} seconds of one run; null when unknown
 * @property {boolean} starts whether a server is started for each run, which takes additional time
 */

class VersusProgress {
  /**
   * @param {Versus} versus
   * @param {NodeJS.WritableStream & { isTTY?: boolean, columns?: number }} stream
   * @param {import('../core/clock').Clock} [clock]
   */
  constructor ({ sides, runs, seconds, starts }, stream, clock = now) {
    this.sides = sides
    this.runs = runs
    this.seconds = seconds
    this.starts = starts
    this.stream = stream
    this.clock = clock
    this.color = colorsFor(stream)
    this.startedAt = clock()
    this.done = 0
  }

  begin () {
    const { sides, runs, seconds, starts } = this
    const each = seconds === null ? '' : `, ${formatDuration(seconds)} each`
    const all = seconds === null
      ? ''
      : `, at most ${formatDuration(seconds * runs * 2)} of load${starts ? ' and the starts of the servers' : ''}`
    this.stream.write(wrappedFor(this.stream, `base  ${printable(sides.base)}\nnew   ${printable(sides.new)}\n` +
      `${plural(runs, 'run')} of base and of new${each}, alternating${all}\n\n`))
  }

  /**
   * @param {Side} side
   * @param {number} run
   * @param {import('./live/state').Watched} instance the current run
   * @param {import('./live/area').Terminal[]} others streams that may go to the same terminal
   * @returns {import('./followers').Follower} a live view of one run on a terminal that can be redrawn; otherwise a
   *   line at its end
   */
  liveOf (side, run, instance, others) {
    if (!isLively(this.stream, process.env)) return {}
    /** @type {import('./live/live').Live | null} */
    let live = null
    const end = () => { live?.end() }
    return {
      start: () => {
        live = goLive(instance, this.stream, { title: this.name(side, run), others, clock: this.clock })
      },
      tick: tick => { live?.tick(tick) },
      sample: sample => { live?.sample(sample) },
      done: end,
      failed: end
    }
  }

  /** @param {Side} side @param {number} run @param {Record<string, any>} result of a complete run */
  ended (side, run, result) {
    const { failures } = result
    const { rate, unit, time, p50, p99 } = runFiguresOf(result)
    this.done++
    const left = this.runs * 2 - this.done
    const bad = failures > 0 ? `  ${this.color.red(plural(failures, 'failure'))}` : ''
    const rest = left === 0
      ? ''
      : this.color.dim(`  ${formatDuration(Math.ceil((this.clock() - this.startedAt) / 1000 / this.done * left))} left`)
    const line = `${this.name(side, run)}  ${formatRate(rate).padStart(7)} ${unit}  ${time === 'gap' ? 'gap ' : ''}` +
      `p50 ${formatLatency(p50).padEnd(8)}  p99 ${formatLatency(p99).padEnd(8)}${bad}${rest}`
    this.stream.write(`${wrapped(line, screenOf(this.stream))}\n`)
  }

  /** @param {boolean} isInterrupted whether the terminal shows ^C, so that the report needs a new line */
  end (isInterrupted) {
    if (this.stream.isTTY) this.stream.write(isInterrupted ? '\n\n' : '\n')
  }

  /** @type {(side: Side, run: number) => string} */
  name (side, run) {
    return `run ${formatInteger(run).padStart(formatInteger(this.runs).length)} of ` +
      `${formatInteger(this.runs)}  ${side.padEnd(4)}`
  }
}

module.exports = { VersusProgress }
