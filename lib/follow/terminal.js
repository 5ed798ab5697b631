'use strict'

// The follower that shows a run on a terminal: banner, progress, and the report at the end.

const { amountText } = require('../core/amount')
const { MESSAGES, countedAt } = require('../core/counted')
const { now } = require('../core/clock')
const { cut, printable, printableData } = require('../core/foreign-text')
const { colorsFor } = require('../report/colors')
const { headlineOf } = require('../report/headline')
const { sideTexts } = require('../report/load')
const { SHAPES } = require('../parts')
const { ALL } = require('../shapes/shape')
const { screenOf, wrapped, wrappedFor } = require('../report/prose')
const { printResult } = require('../report/text')
const { withoutUserinfo } = require('../core/secrets')
const { formatInteger, formatRate, plural } = require('../core/units')

/** A hint is shown after this time without a response in a closed loop, ms, */
const QUIET = 10_000
/** if it is also this multiple of p99. */
const TIMES = 2

/**
 * @typedef {import('./followers').Follower} Follower
 * @typedef {import('../report/text').TextOptions & { renderProgressBar?: boolean, progressBarString?: string }}
 *   TrackOptions
 * @typedef {import('./progress-bar').ProgressBar | import('./live/live').Live} Progress
 */

/** @implements {Follower} */
class Terminal {
  /**
   * @param {{ opts: Record<string, any>, users?: number | null, whyNode?: string | null }} instance its options have
   *   their defaults after the start
   * @param {TrackOptions} [options]
   * @param {import('../core/clock').Clock} [clock] for tests
   * @param {() => Progress} [progressOf] makes the live view of a run: the progress bar by default
   */
  constructor (
    instance, options = {}, clock = now,
    progressOf = () => new (require('./progress-bar').ProgressBar)(
      instance.opts, this.stream, options.progressBarString, this.color, clock)
  ) {
    const { outputStream = process.stderr, renderProgressBar = true, renderResultsTable = true } = options
    this.instance = instance
    this.options = options
    this.stream = outputStream
    this.color = colorsFor(outputStream)
    this.hasBar = renderProgressBar
    this.hasBanner = renderProgressBar || renderResultsTable
    this.progressOf = progressOf
    /** @type {Progress | null} */
    this.bar = null
    /** Replaces the bar in a search for the limit. @type {import('./search-progress').SearchProgress | null} */
    this.search = null
    this.quiet = new Quiet()
    /** Whether the last line is the empty line below the banner, so that the report adds none. */
    this.isBelowBanner = false
    this.runs = 0
  }

  /** @param {{ connections: number, duration: number }} warmUp */
  warmUp ({ connections, duration }) {
    if (this.hasBanner) this.stream.write(`Warming up for ${duration}s with ${plural(connections, 'connection')}\n`)
  }

  start () {
    const { instance: { opts }, stream } = this
    this.quiet = new Quiet()
    this.runs++
    if (opts.over !== undefined) {
      if (this.hasBar) this.search = new (require('./search-progress').SearchProgress)(this.instance, stream)
      return this.search?.start()
    }
    if (this.hasBanner && opts.forever) {
      stream.write(`${this.runs > 1 ? '\n' : ''}Run ${formatInteger(this.runs)}\n`)
    }
    if (this.hasBanner && opts.title !== undefined && this.runs === 1) {
      stream.write(`${this.color.bold(printable(opts.title))}\n`)
    }
    if (this.hasBanner) {
      stream.write(`${wrappedFor(stream, banner(opts, this.instance.users, this.instance.whyNode))}\n\n`)
    }
    this.isBelowBanner = this.hasBanner
    if (this.hasBar) this.bar = this.progressOf()
  }

  /** @param {import('./followers').Tick} tick */
  tick (tick) {
    if (this.search !== null) return this.search.tick(tick)
    this.bar?.tick(tick)
    const hint = this.quiet.tick(tick, this.instance.opts)
    if (hint === null) return
    this.isBelowBanner = false
    if (this.bar === null) this.stream.write(this.color.yellow(hint) + '\n')
    else this.bar.say(this.color.yellow(hint))
  }

  /** @param {import('./followers').Sample} sample */
  sample (sample) {
    if (this.bar !== null && 'sample' in this.bar) this.bar.sample(sample)
  }

  /** @param {Record<string, any>} step of a search */
  step (step) {
    this.search?.step(step)
  }

  /** @param {Record<string, any>} result */
  done (result) {
    this.bar?.end()
    this.search?.done()
    if (this.instance.opts.skipAggregateResult) return
    const report = printResult(result, this.options)
    const isBelow = this.isBelowBanner && !(this.bar !== null && 'hasLines' in this.bar && this.bar.hasLines)
    this.stream.write(isBelow ? report.replace(/^\n/, '') : report)
    if (this.hasBanner && this.instance.opts.forever) this.stream.write(`${this.verdictOf(printableData(result))}\n`)
  }

  failed () {
    this.bar?.end()
    this.search?.failed()
  }

  /**
   * Prints the verdict of a run in a series: the last line of the command covers only the last run.
   * @param {Record<string, any>} result of a run
   */
  verdictOf (result) {
    const { level, sentence, reason = sentence } = headlineOf(result)
    const [mark, paint] =
      /** @type {const} */ ({ good: ['✓', 'green'], warning: ['!', 'yellow'], bad: ['✗', 'red'] })[level]
    return wrapped(
      this.color[paint](`${mark} Run ${formatInteger(this.runs)}: ${reason || 'ended early'}`),
      screenOf(this.stream)
    )
  }
}

/**
 * Shows the progress and the result of an instance, or of any other emitter of the public events.
 * @template {import('node:events').EventEmitter & { opts: Record<string, any> }} T
 * @param {T} instance
 * @param {TrackOptions} [options]
 * @param {import('../core/clock').Clock} [clock] for tests
 * @returns {T}
 */
function track (instance, options, clock) {
  if (typeof instance?.on !== 'function') throw new TypeError('track needs an instance that autocannon() returned')
  const terminal = new Terminal(instance, options, clock)
  instance.on('warmup', warmUp => terminal.warmUp(warmUp))
  instance.on('start', () => terminal.start())
  instance.on('tick', tick => terminal.tick(tick))
  instance.on('step', step => terminal.step(step))
  instance.on('done', result => terminal.done(result))
  instance.on('error', () => terminal.failed())
  return instance
}

/** Measures the time without a completed request, in one run. */
class Quiet {
  constructor () {
    this.ms = 0
    this.isShown = false
  }

  /**
   * @param {import('./followers').Tick} tick
   * @param {Record<string, any>} opts with defaults
   * @returns {string | null} a hint, once, when a server seems to have stopped responding; null otherwise
   */
  tick ({ counter, length, p99, bytes, inFlight }, opts) {
    const { connectionRate, overallRate, bailout, stream } = opts
    // Users in think time do not wait for the server, and streams deliver events.
    const hasArrived = counter > 0 || inFlight === 0 || (stream !== undefined && Number(bytes) > 0)
    this.ms = hasArrived ? 0 : this.ms + length
    // At a low rate, in a pause or without a connection no request may be due for this time.
    if (this.isShown || this.ms < QUIET || this.ms <= TIMES * p99 || (connectionRate ?? overallRate) !== undefined ||
      ALL.some(({ option: { name } }) => opts[name] !== undefined)) return null
    this.isShown = true
    return `No response for ${Math.round(this.ms / 1000)} ` +
      `s.${bailout === undefined ? ' --bailout 10 ends a run after 10 errors.' : ''}`
  }
}

/**
 * @param {Record<string, any>} opts with defaults
 * @returns {boolean} whether certificates of an https server are not verified because no option sets it
 */
function isUnverified ({ url, insecure, ca, tlsOptions, client }) {
  const isGiven = [insecure, ca, tlsOptions?.ca, tlsOptions?.rejectUnauthorized].some(one => (one ?? null) !== null)
  return !isGiven && client !== 'undici' && [url].flat().some(one => /^https:/i.test(one))
}

/** The limit of the list of stages, in characters; the first stages are shown. */
const LONGEST_LOAD = 200

/** @param {string} stage */
const isRate = stage => /(\/s|rps)\s*$/i.test(stage)

/**
 * @param {Record<string, any>} opts with defaults
 * @param {number | null} [users] the number of users that share connections; null if none do
 * @param {string | null} [whyNode] the reason for sockets of Node.js
 */
function banner (opts, users = null, whyNode = null) {
  const {
    url, socketPath, http, connections, pipelining, duration, amount, until, workers, maxOverallRequests, overallRate,
    connectionRate, stages, arrivals, seed, scenarios
  } = opts
  const counted = countedAt(url)
  const { one, many, rate: unit } = counted
  const what = amount === undefined ? `${duration}s` : amountText(amount, one)
  const where = [url].flat().map(withoutUserinfo).join(', ') + (socketPath === undefined ? '' : ` (${socketPath})`)
  // `auto` selects the version after the first handshake.
  const kind = http === '2'
    ? 'streams each, over HTTP/2'
    : http === 'auto'
      ? 'requests in flight on each'
      : 'pipelining factor'
  const depth = pipelining > 1 ? ` with ${pipelining} ${kind}` : http === '2' ? ' over HTTP/2' : ''
  const begins = stages !== undefined && !SHAPES.staged.load().texts?.(stages).some(isRate) ? ' at the start' : ''
  const test = until === undefined
    ? `${what} test`
    : `test until ${printable(until.expression ?? until)}, at least ` +
    `${duration} s, at most ${duration * require('../report/until').LONGEST} s`
  const sharers = users ? `${plural(users, counted === MESSAGES ? 'WebSocket' : 'user')} on ` : ''
  const lines = [
    `Running ${test} @ ${printable(where)}`,
    `${sharers}${plural(connections, 'connection')}${begins}${depth}`
  ]
  for (const { option: { name }, line } of ALL) {
    if (opts[name] !== undefined) lines.push(printable(cut(line(opts[name], unit), LONGEST_LOAD)))
  }
  if (connectionRate !== undefined) lines.push(`${formatRate(connectionRate)} ${unit} per connection`)
  else if (overallRate !== undefined && workers === undefined) lines.push(`${formatRate(overallRate)} ${unit} in all`)
  lines.push(...sideTexts(scenarios, unit).map(text => printable(cut(text, LONGEST_LOAD))))
  if (arrivals === 'poisson') {
    lines.push(`random arrivals (Poisson)${seed === undefined ? '' : `, --seed ${seed} repeats them`}`)
  }
  if (workers !== undefined) {
    lines.push(plural(workers, 'worker') + (workers > 1 && workers === connections ? ', one connection each' : ''))
    // The overall limits apply to each worker, so the totals are shown as well.
    if (maxOverallRequests !== undefined) {
      lines.push(`${formatInteger(maxOverallRequests)} ${many} per worker, ` +
        `${formatInteger(maxOverallRequests * workers)} in all`)
    }
    if (overallRate !== undefined && connectionRate === undefined) {
      lines.push(`${formatRate(overallRate)} ${unit} per worker, ${formatRate(overallRate * workers)} in all`)
    }
  }
  if (isUnverified(opts)) lines.push('TLS certificates are not verified (--no-insecure verifies them)')
  if (whyNode !== null) lines.push(`sockets of Node.js: ${printable(whyNode)}`)
  return lines.join('\n')
}

module.exports = { Terminal, track, banner }
