'use strict'

// Owns which load is tried next on the way to the limit, and where the limit is once it is known. It knows neither time nor sockets: it says a value,
// and hears what became of it.
//
// The load doubles until it fails, then the geometric middle of the highest that held and the lowest that failed is tried, until the two are close. What
// failed is tried once more: a hiccup does not come twice. The highest that held is tried once more as well, at the end: near the limit chance may let a
// load pass, a server may not have recovered from what was too much, and a rate limiter may have had tokens left.

/**
 * What became of a trial: the thresholds were kept; they were not; it can't tell; the generator could not do its part.
 * @typedef {'held' | 'failed' | 'unsure' | 'generator'} Outcome
 *
 * @typedef {object} Trial
 * @property {number} value
 * @property {number} attempt counted from 1, of those of this value one after the other
 *
 * @typedef {object} Space
 * @property {number} from
 * @property {number} to
 * @property {number} precision relative
 * @property {boolean} whole whether only whole numbers make sense, as of connections
 */

/**
 * What is searched for.
 * @typedef {object} Hunt
 * @property {'rate' | 'connections'} over
 * @property {number} from
 * @property {number} to
 * @property {number} precision 0.03 for 3 %
 * @property {number} stepMs
 * @property {number | null} failBelow
 * @property {import('./threshold').Threshold[]} thresholds
 * @property {boolean} implied whether the last of them is taken for granted
 * @property {number | null} connections of a rate, when they were given
 *
 * @typedef {Trial & import('./trial').Measured & Omit<import('./trial').Judged, 'outcome'> & { outcome: Outcome, widened: number | null }} Step a trial that
 *   is over; how many connections it is tried again with, when there were too few
 */

/** The part of the precision that lies between what holds and what does not; the rest is for chance. */
const BETWEEN = 0.5
/** So often the highest load holds, once at least after all that failed before. */
const TIMES = 2
/** After so many failures and nothing that held, what held before is tried again at once: the server may answer no more at all. */
const FAILURES = 3

class Search {
  /** @param {Space} space */
  constructor ({ from, to, precision, whole }) {
    this.to = to
    this.precision = precision
    this.rounded = roundingOf(precision, whole)
    /** How many trials are over. */
    this.count = 0
    /** @type {Map<number, { times: number, last: number }>} what held: how often, and in which trial the last time */
    this.held = new Map()
    /** @type {{ value: number, outcome: 'failed' | 'generator' } | null} the lowest that failed */
    this.above = null
    /** @type {number | null} the lowest at which the server failed */
    this.ceiling = null
    /** It answered nothing at a load that it had held. */
    this.silent = false
    /** Which trial was the first that was confirmed to have failed. */
    this.firstFailure = Infinity
    /** How many values failed one after the other. */
    this.failures = 0
    this.value = from
    /** @type {Outcome[]} those of this value */
    this.outcomes = []
    this.done = false
  }

  /** @returns {number | null} the highest that held below all that failed */
  get best () {
    const { above, silent } = this
    if (silent) return null
    const values = [...this.held.keys()].filter(value => above === null || value < above.value)
    return values.length === 0 ? null : Math.max(...values)
  }

  /** @returns {'server' | 'generator' | 'range' | null} whose limit it is: range when it lies outside; null while it is not known */
  get limit () {
    const { above, best, done, ceiling, silent } = this
    if (!done) return null
    if (silent) return 'server'
    if (above?.outcome === 'generator') return ceiling === null || best === null ? 'generator' : 'server'
    return above === null || best === null ? 'range' : 'server'
  }

  /** @returns {Trial | null} null when the limit is known */
  next () {
    return this.done ? null : { value: this.value, attempt: this.outcomes.length + 1 }
  }

  /**
   * @param {Outcome} outcome of the trial that next() said; after one that can't tell, what both together say
   * @param {boolean} [silent] whether nothing was answered in it
   */
  record (outcome, silent = false) {
    this.count++
    this.outcomes.push(outcome)
    const { outcomes, value, count } = this
    const settled = settledOf(outcomes)
    if (settled === null) return
    this.outcomes = []
    if (settled === 'held') {
      this.held.set(value, { times: (this.held.get(value)?.times ?? 0) + 1, last: count })
      this.failures = 0
    } else {
      if (settled === 'failed') this.ceiling = value
      this.silent = silent && this.held.has(value)
      this.held.delete(value)
      this.firstFailure = Math.min(this.firstFailure, count)
      // Of one that answers nothing at all is asked at once whether it still does.
      this.failures = silent ? FAILURES : this.failures + 1
      this.above = { value, outcome: settled }
    }
    if (this.silent) this.done = true
    else this.choose()
  }

  /** Chooses the next value. */
  choose () {
    const { above, best, to, value, rounded, precision, firstFailure, failures } = this
    if (above === null) {
      this.done = value === to
      this.value = Math.min(to, rounded(value * 2))
    } else if (best === null) {
      this.done = true
    } else {
      const middle = rounded(Math.sqrt(best * above.value))
      const isClose = above.value <= best * (1 + precision * BETWEEN) || middle <= best || middle >= above.value
      const { times = 0, last = 0 } = this.held.get(best) ?? {}
      const isDoubtful = last < firstFailure && failures >= FAILURES
      this.value = isClose || isDoubtful ? best : middle
      this.done = isClose && times >= TIMES && last > firstFailure
    }
  }
}

/**
 * @param {Outcome[]} outcomes of one value, one after the other
 * @returns {'held' | 'failed' | 'generator' | null} null when one more has to tell
 */
function settledOf (outcomes) {
  if (outcomes.includes('held')) return 'held'
  const told = outcomes.filter(outcome => outcome !== 'unsure')
  const found = outcomes.length > 1 && outcomes[0] === 'unsure' ? told[0] : told.find((outcome, i) => told.indexOf(outcome) !== i)
  return found ?? null
}

/**
 * A fifth of the precision at most is lost to digits that can be read.
 * @param {number} precision
 * @param {boolean} whole
 * @returns {(value: number) => number}
 */
function roundingOf (precision, whole) {
  if (whole) return value => Math.max(1, Math.round(value))
  const digits = Math.ceil(1 - Math.log10(precision))
  return value => Number(value.toPrecision(digits))
}

module.exports = { Search }
