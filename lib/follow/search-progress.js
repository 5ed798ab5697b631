'use strict'

// The progress of a search: a line for each finished step, and on a terminal the current step.

const { countedAt } = require('../core/counted')
const { printable } = require('../core/foreign-text')
const { colorsFor } = require('../report/colors')
const { screenOf, wrapped, wrappedFor } = require('../report/prose')
const { briefly, formatLoad, stepTable } = require('../report/search')
const { withoutUserinfo } = require('../core/secrets')
const { formatDuration, formatRate, plural } = require('../core/units')
const { isLively } = require('./live/live')

const SIGNS = /** @type {Record<string, 'green' | 'red' | 'yellow'>} */ ({
  true: 'green', false: 'red', null: 'yellow'
})

/** @typedef {import('./followers').Follower} Follower */

/** @implements {Follower} */
class SearchProgress {
  /**
   * @param {{ opts: Record<string, any>, fleet?: { agents: ReadonlyArray<{ name: string }> } | null }} instance its
   *   options have their defaults after the start
   * @param {NodeJS.WritableStream & { isTTY?: boolean }} stream
   * @param {NodeJS.ProcessEnv} [env]
   */
  constructor (instance, stream, env = process.env) {
    this.instance = instance
    this.stream = stream
    this.color = colorsFor(stream)
    /** Whether the terminal can be redrawn. */
    this.isLive = isLively(stream, env)
    this.status = null
    this.seconds = 0
  }

  get counted () {
    return countedAt(this.instance.opts.url)
  }

  start () {
    const { url, over, from, to, step, longest, thresholds } = this.instance.opts
    const unit = over === 'rate' ? this.counted.rate : 'connections'
    const agents = this.instance.fleet?.agents
    this.stream.write(wrappedFor(this.stream, 'Searching the limit of ' +
      printable([url].flat().map(withoutUserinfo).join(', ')) +
      `${agents === undefined ? '' : ` with ${plural(agents.length, 'agent')}`}\n` +
      `${unit} from ${formatRate(from)} to ${formatRate(to)} with ${printable(thresholds.join(' and '))}, in steps ` +
      `of ${formatDuration(step)}, for ${formatDuration(longest)} at most; the load doubles until a step fails\n\n`))
    this.tryNow({ value: from, attempt: 1 }, { unit, counted: this.counted })
  }

  /** @param {import('./followers').Tick} tick */
  tick ({ length, counter }) {
    this.seconds += length / 1000
    if (this.status !== null && counter >= 0) {
      const progress = `${formatDuration(Math.floor(this.seconds))}, ` +
        `${formatRate(counter / length * 1000)} ${this.counted.rate}`
      this.show(`${this.status}  ${this.color.dim(progress)}`)
    }
  }

  /** @param {Record<string, any>} step */
  step (step) {
    const search = {
      unit: this.instance.opts.over === 'rate' ? this.counted.rate : 'connections', counted: this.counted
    }
    const [cells] = /** @type {any[][]} */ (stepTable({ ...search, steps: [step] }).rows)
    const [{ text: mark, passed }, load, achieved, p50, p99, failed, cpu] = cells.slice(0, -1)
    this.show('')
    const line = `${this.color[SIGNS[String(passed)]](mark)} ` +
      `${load.padStart(9)}${search.unit === 'connections' ? '' : ` ${this.counted.rate}`}  ` +
      `p50 ${p50.padEnd(8)}  p99 ${p99.padEnd(8)}  ${failed.padStart(5)} failed` +
      (search.unit === 'connections' ? `  ${achieved.padStart(12)}` : '') +
      `${cpu === undefined ? '' : `  server ${cpu.padStart(6)}`}  ${briefly(step, search)}`
    this.stream.write(`${wrapped(line, screenOf(this.stream))}\n`)
    this.tryNow(step.next, search, step)
  }

  /**
   * @param {{ value: number, attempt: number } | null} trial
   * @param {Record<string, any>} search
   * @param {{ best?: number | null, above?: number | null }} [range] the current bounds of the limit
   */
  tryNow (trial, search, { best = null, above = null } = {}) {
    this.seconds = 0
    this.status = trial === null || !this.isLive
      ? null
      : `… ${formatLoad(search, trial.value)}${trial.attempt > 1 ? ' once more' : ''}` +
        this.color.dim(rangeText(best, above))
    if (this.status !== null) this.show(this.status)
  }

  /** @param {string} text replaces the current line */
  show (text) {
    if (this.isLive) this.stream.write(`\r\x1b[K${text}`)
  }

  done () {
    this.show('')
  }

  failed () {
    this.show('')
  }
}

/**
 * @param {number | null} best
 * @param {number | null} above
 * @returns {string} the current bounds of the limit, as text
 */
function rangeText (best, above) {
  if (above === null) return best === null ? '' : `  limit: ${formatRate(best)} or more`
  return `  limit: ${best === null ? 'below' : `from ${formatRate(best)} to`} ${formatRate(above)}`
}

module.exports = { SearchProgress }
