'use strict'

// Shows a run in progress: a redrawn area on a terminal, or periodic lines in a pipe, a CI log or a simple terminal.

const { now } = require('../../core/clock')
const { Histogram } = require('../../record/histogram')
const { colorsFor } = require('../../report/colors')
const { logLine } = require('./brief')
const { RunState } = require('./state')

/** The shortest interval between lines, ms. */
const LINE = 10_000

/**
 * @typedef {import('./area').Terminal} Terminal
 *
 * @typedef {object} Live view of a run, instead of the progress bar
 * @property {(tick: import('../followers').Tick) => void} tick
 * @property {(sample: import('../followers').Sample) => void} sample
 * @property {(text: string) => void} say prints a separate line
 * @property {boolean} hasLines whether lines have been printed that stay above the report
 * @property {() => void} end
 */

/**
 * Returns whether the stream is a terminal that can be redrawn.
 * @type {(stream: Terminal, env: NodeJS.ProcessEnv) => boolean}
 */
function isLively (stream, env) {
  const isCi = env.CI !== undefined && !['', '0', 'false'].includes(env.CI)
  return stream.isTTY === true && env.TERM !== 'dumb' && !isCi
}

/**
 * @param {import('./state').Watched} instance
 * @param {Terminal} stream
 * @param {{ title?: string, env?: NodeJS.ProcessEnv, others?: Terminal[], chart?: boolean, clock?:
 *   import('../../core/clock').Clock }} [how] `title`: of this run in a series, printable; `others`: streams that may
 *   go to the same terminal; `chart`: whether latencies are shown as bars
 * @returns {Live}
 */
function goLive (instance, stream, { title = '', env = process.env, others = [], chart = true, clock = now } = {}) {
  const state = new RunState(instance, title, clock)
  return isLively(stream, env)
    ? new (require('./live-area').LiveArea)(state, stream, others, { color: colorsFor(stream, env), chart, clock })
    : new LiveLog(state, stream, clock)
}

class LiveLog {
  /** @param {RunState} state @param {NodeJS.WritableStream} stream @param {import('../../core/clock').Clock} clock */
  constructor (state, stream, clock) {
    this.state = state
    this.stream = stream
    this.clock = clock
    this.writtenAt = clock()
    this.hasLines = false
    /** Since the last line. @type {import('./brief').Stretch} */
    this.stretch = { requests: 0, ms: 0, latency: new Histogram() }
  }

  /** @param {import('../followers').Tick} tick */
  tick (tick) {
    this.state.tick(tick)
  }

  /** @param {import('../followers').Sample} sample */
  sample (sample) {
    const { stretch } = this
    const { point, latency } = sample
    this.state.sample(sample)
    stretch.requests += point.requests
    const { streams } = point
    if (streams !== undefined) stretch.events = (stretch.events ?? 0) + streams.events
    if (streams?.tokens !== undefined) stretch.tokens = (stretch.tokens ?? 0) + streams.tokens
    stretch.ms += point.length
    if (latency !== null) stretch.latency.add(latency)
    if (this.clock() - this.writtenAt < LINE) return
    this.writtenAt = this.clock()
    this.stream.write(logLine(this.state.now(), stretch) + '\n')
    this.hasLines = true
    stretch.requests = stretch.ms = 0
    stretch.events = stretch.tokens = undefined
    stretch.latency.reset()
  }

  /** @param {string} text */
  say (text) {
    this.stream.write(text + '\n')
    this.hasLines = true
  }

  end () {}
}

module.exports = { goLive, isLively }
