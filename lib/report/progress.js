'use strict'

// Owns what is shown while a run goes on: the banner, the progress bar with its live figures, and at the end the report.

const { now } = require('../clock')
const { colorsFor } = require('./colors')
const { printable } = require('../foreign-text')
const { formatRate } = require('./figures')
const { printResult } = require('./text')
const { withoutUserinfo } = require('../secrets')
const { formatCount, formatInteger, formatMs, plural } = require('../units')

const LIVE_BAR = 'running [:bar] :percent :live'
const BAR_WIDTH = 20
/** How often the bar moves, ms. */
const REFRESH = 100

/** After so long without an answer a closed loop is asked about, ms, */
const QUIET = 10_000
/** if that is so many times as long as p99. */
const TIMES = 2

/**
 * @typedef {import('./text').TextOptions & { renderProgressBar?: boolean, progressBarString?: string }} TrackOptions
 */

/**
 * Shows the progress of an instance and its result.
 * @template {import('node:events').EventEmitter & { opts: Record<string, any> }} T
 * @param {T} instance
 * @param {TrackOptions} [options]
 * @param {import('../clock').Clock} [clock] for tests
 * @returns {T}
 */
function track (instance, options = {}, clock = now) {
  if (typeof instance?.on !== 'function') throw new TypeError('track needs an instance that autocannon() returned')
  const { outputStream = process.stderr, renderProgressBar = true, renderResultsTable = true, progressBarString } = options
  const color = colorsFor(outputStream)
  /** @type {Progress | null} */
  let progress = null

  instance.on('warmup', ({ connections, duration }) => {
    if (renderProgressBar || renderResultsTable) outputStream.write(`Warming up for ${duration}s with ${plural(connections, 'connection')}\n`)
  })
  let quiet = new Quiet()
  instance.on('start', () => {
    quiet = new Quiet()
    if (renderProgressBar || renderResultsTable) outputStream.write(banner(instance.opts) + '\n\n')
    if (renderProgressBar) progress = new Progress(instance.opts, outputStream, progressBarString, color, clock)
  })
  instance.on('tick', tick => {
    progress?.tick(tick)
    const hint = quiet.tick(tick, instance.opts)
    if (hint === null) return
    if (progress === null) outputStream.write(color.yellow(hint) + '\n')
    else progress.say(color.yellow(hint))
  })
  instance.on('done', result => {
    progress?.end()
    if (!instance.opts.skipAggregateResult) outputStream.write(printResult(result, options))
  })
  instance.on('error', () => progress?.end())
  return instance
}

/** How long nothing has been answered, in one round. */
class Quiet {
  constructor () {
    this.ms = 0
    this.told = false
  }

  /**
   * @param {import('../../index').Tick} tick
   * @param {Record<string, any>} opts with defaults
   * @returns {string | null} a hint, once, when a server seems to answer no more; null when there is nothing to say
   */
  tick ({ counter, length, p99 }, { rate, connectionRate, overallRate, bailout }) {
    this.ms = counter > 0 ? 0 : this.ms + length
    // A low rate may ask for nothing so long.
    if (this.told || this.ms < QUIET || this.ms <= TIMES * p99 || (rate ?? connectionRate ?? overallRate) !== undefined) return null
    this.told = true
    return `No answer for ${Math.round(this.ms / 1000)} s.${bailout === undefined ? ' --bailout 10 ends a run after 10 errors.' : ''}`
  }
}

/** The bar of one round. */
class Progress {
  /**
   * @param {Record<string, any>} opts
   * @param {NodeJS.WritableStream & { columns?: number }} stream
   * @param {string | undefined} format
   * @param {ReturnType<typeof colorsFor>} color
   * @param {import('../clock').Clock} clock not the system's, which may be set meanwhile
   */
  constructor (opts, stream, format, color, clock) {
    this.opts = opts
    this.stream = stream
    this.format = format ?? LIVE_BAR
    this.color = color
    this.live = ''
    this.completed = 0
    this.clock = clock
    this.startedAt = clock()
    const ProgressBar = require('progress')
    this.bar = new ProgressBar(this.format, { stream, total: 1000, width: BAR_WIDTH, incomplete: ' ', clear: true })
    this.timer = setInterval(() => this.show(), REFRESH)
    this.timer.unref()
    this.show()
  }

  /** @param {import('../../index').Tick} tick */
  tick ({ counter, length, p99, generator }) {
    this.completed += counter
    const figures = `| ${formatCount(counter / length * 1000)} req/s, p99 ${formatMs(p99)} ms`
    const health = `, generator ${Math.round(generator.eventLoopUtilization * 100)} %`
    const room = this.roomForLive()
    const live = [figures + health, figures].find(text => text.length <= room)
    this.live = live === undefined ? '' : this.color.dim(live)
    this.show()
  }

  /** A line that wraps could not be drawn over: each redraw would add one. */
  roomForLive () {
    return (this.stream.columns || 80) - this.format.length - BAR_WIDTH
  }

  show () {
    const { amount, duration } = this.opts
    const ratio = amount === undefined ? (this.clock() - this.startedAt) / (duration * 1000) : this.completed / amount
    // A full bar would end itself; the run ends it.
    this.bar.update(Math.min(ratio, 0.999), { live: this.live })
  }

  /** @param {string} text a line of its own, above the bar */
  say (text) {
    if (/** @type {{ isTTY?: boolean }} */ (this.stream).isTTY) this.bar.interrupt(text)
    else this.stream.write(text + '\n')
  }

  end () {
    clearInterval(this.timer)
    this.bar.terminate()
  }
}

/**
 * @param {Record<string, any>} opts with defaults
 * @returns {string}
 */
function banner ({ url, socketPath, connections, pipelining, duration, amount, workers, maxOverallRequests, overallRate, connectionRate, rate }) {
  const what = amount === undefined ? `${duration}s` : plural(amount, 'request')
  const where = [url].flat().map(withoutUserinfo).join(', ') + (socketPath === undefined ? '' : ` (${socketPath})`)
  const depth = pipelining > 1 ? ` with ${pipelining} pipelining factor` : ''
  const lines = [`Running ${what} test @ ${printable(where)}`, `${plural(connections, 'connection')}${depth}`]
  if (rate !== undefined) lines.push(`${formatRate(rate)} requests/s in all`)
  if (connectionRate !== undefined) lines.push(`${formatRate(connectionRate)} requests/s per connection`)
  else if (overallRate !== undefined && workers === undefined) lines.push(`${formatRate(overallRate)} requests/s in all`)
  if (workers !== undefined) {
    lines.push(plural(workers, 'worker') + (workers > 1 && workers === connections ? ', one connection each' : ''))
    // The overall limits hold for each worker: nobody should have to find that out from the totals.
    if (maxOverallRequests !== undefined) lines.push(`${formatInteger(maxOverallRequests)} requests per worker, ${formatInteger(maxOverallRequests * workers)} in all`)
    if (overallRate !== undefined && connectionRate === undefined) lines.push(`${formatRate(overallRate)} requests/s per worker, ${formatRate(overallRate * workers)} in all`)
  }
  return lines.join('\n')
}

module.exports = { track, banner, Progress }
