'use strict'

// Chooses the next load of a search, and finds the limit. It uses neither clocks nor sockets: it returns a value and
// receives its outcome.
//
// The load doubles until it fails, then the geometric middle of the highest that held and the lowest that failed is
// tried, until the two are close. A failed load is tried once more, as a hiccup does not come twice. The loads that
// decide are tried again at the end, until they are certain: the highest that held, since near the limit chance may let
// a load pass, a server may not have recovered from what was too much, and a rate limiter may have had tokens left; and
// the lowest that failed. An inconclusive load is excluded, and the search narrows down around it from both sides: the
// limit is then a range.

/**
 * The outcome of a trial: the thresholds were met; they were not; it is inconclusive; the load generator did not keep
 * up.
 * @typedef {'held' | 'failed' | 'unsure' | 'generator'} Outcome
 *
 * @typedef {object} Trial
 * @property {number} value
 * @property {number} attempt counted from 1, of those of this value one after the other
 * @property {boolean} decides whether the result will rest on it, so that it has to be certain
 *
 * @typedef {object} Found
 * @property {Outcome} outcome
 * @property {boolean} certain
 * @property {number} times how often it held
 * @property {number} last in which trial it was found
 *
 * @typedef {object} Space
 * @property {number} from
 * @property {number} to
 * @property {number} precision relative
 * @property {boolean} whole whether only whole numbers make sense, as of connections
 */

/**
 * The goal of a search.
 * @typedef {object} Goal
 * @property {'rate' | 'connections'} over
 * @property {number} from
 * @property {number} to
 * @property {number} precision 0.03 for 3 %
 * @property {number} stepMs
 * @property {number} longestMs after which the search ends with a partial result (time-limit.js)
 * @property {number | null} failBelow
 * @property {import('../../judge/threshold').Threshold[]} thresholds
 * @property {boolean} implied whether the last of them is taken for granted
 * @property {number | null} connections of a rate, when they were given
 *
 * @typedef {Trial & import('./trial').Measured & Omit<import('./trial').Judged, 'outcome'> & { outcome: Outcome,
 *   widened: number | null }} Step a trial that is over; how many connections it is tried again with, when there were
 *   too few
 */

/** The part of the precision between the highest load that held and the lowest that failed; the rest is for chance. */
const BETWEEN = 0.5
/** So often the highest load holds, once at least after all that failed before, and certainly the last time. */
const TIMES = 2
/**
 * After this number of failures without a success, the best load is tried again at once: the server may have stopped
 * responding.
 */
const FAILURES = 3

class Search {
  /** @param {Space} space */
  constructor ({ from, to, precision, whole }) {
    this.to = to
    this.precision = precision
    this.rounded = roundingOf(precision, whole)
    this.count = 0
    /** @type {Map<number, Found>} outcomes by value */
    this.found = new Map()
    /** It sent no response at a load that it had held. */
    this.silent = false
    /** Which trial was the first that was confirmed to have failed. */
    this.firstFailure = Infinity
    /** How many values failed one after the other. */
    this.failures = 0
    this.value = from
    this.decides = false
    /** @type {Outcome[]} those of this value */
    this.outcomes = []
    this.done = false
    /** Its time was over before the limit was known. */
    this.expired = false
  }

  /** @param {Outcome[]} outcomes @returns {number[]} the values of which that was found, from the least on */
  valuesOf (...outcomes) {
    return [...this.found].filter(([, { outcome }]) => outcomes.includes(outcome)).map(([value]) => value)
      .sort((a, b) => a - b)
  }

  /** @returns {{ value: number, outcome: Outcome } | null} the lowest that failed */
  get above () {
    const [value] = this.valuesOf('failed', 'generator')
    return value === undefined ? null : { value, outcome: /** @type {Found} */ (this.found.get(value)).outcome }
  }

  /** @returns {number | null} the lowest at which the server failed */
  get ceiling () {
    return this.valuesOf('failed')[0] ?? null
  }

  /** @returns {number | null} the highest that held below all that failed */
  get best () {
    const { above, silent } = this
    return silent ? null : this.valuesOf('held').findLast(value => above === null || value < above.value) ?? null
  }

  /** @returns {number[]} inconclusive values between the best and the lowest that failed */
  get unsure () {
    const { above, best } = this
    return this.valuesOf('unsure').filter(value => value > (best ?? 0) && value < (above?.value ?? Infinity))
  }

  /**
   * @returns {'server' | 'generator' | 'range' | 'inconclusive' | null} whose limit it is: range when it lies outside;
   *   null while it is not known
   */
  get limit () {
    const { above, best, done, ceiling, silent, expired } = this
    if (!done) return null
    if (silent) return 'server'
    if (expired) return 'inconclusive'
    if (above?.outcome === 'generator') return ceiling === null || best === null ? 'generator' : 'server'
    if (above !== null && best !== null) return 'server'
    return this.unsure.length > 0 ? 'inconclusive' : 'range'
  }

  /** @returns {Trial | null} null when the limit is known */
  next () {
    return this.done ? null : { value: this.value, attempt: this.outcomes.length + 1, decides: this.decides }
  }

  /**
   * @param {Outcome} outcome of the trial of next(); of both together after an inconclusive one
   * @param {boolean} [silent] whether nothing was completed in it
   * @param {boolean} [certain]
   */
  record (outcome, silent = false, certain = true) {
    this.count++
    this.outcomes.push(outcome)
    const { outcomes, value, count, found } = this
    const before = found.get(value)
    // A load that failed before and certainly fails again has failed.
    const settled = before?.outcome === 'failed' && outcome === 'failed' ? 'failed' : settledOf(outcomes)
    if (settled === null) return
    this.outcomes = []
    found.set(value, {
      outcome: settled,
      certain: certain || silent,
      times: settled === 'held' ? (before?.times ?? 0) + 1 : 0,
      last: count
    })
    if (settled === 'held') this.failures = 0
    else if (settled !== 'unsure') {
      this.silent = silent && before?.outcome === 'held'
      this.firstFailure = Math.min(this.firstFailure, count)
      // A server without any response is probed at once.
      this.failures = silent ? FAILURES : this.failures + 1
    }
    if (this.silent) this.done = true
    else this.choose()
  }

  /** The time of the search is over. */
  expire () {
    this.expired = !this.done
    this.done = true
  }

  choose () {
    const { above, best, to, found, firstFailure, failures } = this
    const highest = Math.max(...found.keys())
    if (above === null && highest < to) return this.try(Math.min(to, this.rounded(highest * 2)))
    if (best === null) return this.decide(this.unsure.length === 0 ? above?.value : undefined)
    const { times, last, certain } = /** @type {Found} */ (found.get(best))
    if (last < firstFailure && failures >= FAILURES) return this.try(best)
    const middle = this.between(best)
    if (middle !== null) return this.try(middle)
    if (above === null) return this.decide(best)
    if (times < TIMES || last < firstFailure || !certain) return this.try(best, true)
    this.decide(above.value)
  }

  /** @param {number} best @returns {number | null} the next value; null when the limit is close enough */
  between (best) {
    const { above, unsure, precision } = this
    if (unsure.length === 0) return above === null ? null : this.middle(best, above.value, precision * BETWEEN)
    if (above !== null && above.value <= best * (1 + precision)) return null
    const [lowest, highest] = [unsure[0], unsure[unsure.length - 1]]
    const width = highest / lowest - 1
    // Where all can be within the precision it is to be so; else the range is wider anyway, and its ends are enough.
    const close = width <= precision * BETWEEN ? (precision - width) / 2 : precision
    return this.middle(best, lowest, close) ?? (above === null ? null : this.middle(highest, above.value, close))
  }

  /**
   * @param {number} low
   * @param {number} high
   * @param {number} close relative
   * @returns {number | null} null when they are that close
   */
  middle (low, high, close) {
    const middle = this.rounded(Math.sqrt(low * high))
    return high <= low * (1 + close) || middle <= low || middle >= high ? null : middle
  }

  /** @param {number | undefined} value on which the result rests: it is over when that is certain */
  decide (value) {
    const known = value === undefined ? undefined : this.found.get(value)
    if (value === undefined || known === undefined || known.certain || known.outcome === 'generator') this.done = true
    else this.try(value, true)
  }

  /** @param {number} value @param {boolean} [decides] */
  try (value, decides = false) {
    this.value = value
    this.decides = decides
  }
}

/**
 * @param {Outcome[]} outcomes of one value, one after the other
 * @returns {Outcome | null} null when one more trial is needed
 */
function settledOf (outcomes) {
  if (outcomes.includes('held')) return 'held'
  if (outcomes.length > 1 && outcomes.slice(-2).every(outcome => outcome === 'unsure')) return 'unsure'
  const told = outcomes.filter(outcome => outcome !== 'unsure')
  const found = outcomes.length > 1 && outcomes[0] === 'unsure'
    ? told[0]
    : told.find((outcome, i) => told.indexOf(outcome) !== i)
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

module.exports = { BETWEEN, Search }
