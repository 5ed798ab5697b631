'use strict'

// Chooses the next load of a search, and finds the limit. It uses neither clocks nor sockets: it returns a load and
// receives its outcome.
//
// The load doubles until it fails. Then the geometric mean of the highest load that was held and the lowest that failed
// is tried, until the two are close. A failed load is tried once more, to exclude a single hiccup. The loads that
// decide are tried again at the end, until they are certain. The highest load that was held, because near the limit a
// load may pass by chance, a server may recover slowly from a higher load, and a rate limiter may have tokens left. And
// the lowest load that failed. An inconclusive load is excluded, and the search continues on both sides of it: the
// limit is a range then.

/**
 * The outcome of a trial: the thresholds were met, or not; it is inconclusive; or the load generator did not keep up.
 * @typedef {'held' | 'failed' | 'unsure' | 'generator'} Outcome
 *
 * @typedef {object} Trial
 * @property {number} value
 * @property {number} attempt number of the attempt at this value, from 1 on
 * @property {boolean} decides whether the result depends on it, so that it has to be certain
 *
 * @typedef {object} Found
 * @property {Outcome} outcome
 * @property {boolean} certain
 * @property {number} times how often it was held
 * @property {number} last the number of its last trial
 *
 * @typedef {object} Space
 * @property {number} from
 * @property {number} to
 * @property {number} precision relative
 * @property {boolean} whole whether loads are whole numbers, as of connections
 */

/**
 * The goal of a search.
 * @typedef {object} Goal
 * @property {'rate' | 'connections'} over
 * @property {number} from
 * @property {number} to
 * @property {number} precision 0.03 for 3 %
 * @property {number} stepMs
 * @property {number} longestMs the time limit of the search (time-limit.js)
 * @property {number | null} failBelow
 * @property {import('../../judge/threshold').Threshold[]} thresholds
 * @property {boolean} implied whether the last threshold was added by default
 * @property {number | null} connections for a rate; null if they were not given
 *
 * @typedef {Trial & import('./trial').Measured & Omit<import('./trial').Judged, 'outcome'> & { outcome: Outcome,
 *   widened: number | null }} Step a trial that is over; `widened`: the connections for another attempt, if there were
 *   too few
 */

/**
 * The share of the precision between the highest load that was held and the lowest that failed; the rest is for chance.
 */
const BETWEEN = 0.5
/** How often the highest load must be held: once after all failed loads, and the last time for certain. */
const TIMES = 2
/**
 * After this number of failures in a row, the best load is tried again at once: the server may have stopped responding.
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
    /** Whether the server sent no response at a load that it had held. */
    this.silent = false
    /** The number of the first trial whose failure was confirmed. */
    this.firstFailure = Infinity
    /** The number of values that failed in a row. */
    this.failures = 0
    this.value = from
    this.decides = false
    /** The outcomes of this value. @type {Outcome[]} */
    this.outcomes = []
    this.done = false
    /** Whether its time was over before the limit was known. */
    this.expired = false
  }

  /** @param {Outcome[]} outcomes @returns {number[]} the values with one of these outcomes, rising */
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
   * @returns {'server' | 'generator' | 'range' | 'inconclusive' | null} what limited the load; `range`: the highest
   *   load; null while it is unknown
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
   * @param {Outcome} outcome of the trial of next(), together with an inconclusive one before it
   * @param {boolean} [silent] whether there was no response in it
   * @param {boolean} [certain]
   */
  record (outcome, silent = false, certain = true) {
    this.count++
    this.outcomes.push(outcome)
    const { outcomes, value, count, found } = this
    const before = found.get(value)
    // A second failure of a load decides.
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
      // Without a response, the best load is tried again at once.
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
    // If the whole range can be within the precision, it is searched that closely. Otherwise its ends suffice.
    const close = width <= precision * BETWEEN ? (precision - width) / 2 : precision
    return this.middle(best, lowest, close) ?? (above === null ? null : this.middle(highest, above.value, close))
  }

  /**
   * @param {number} low
   * @param {number} high
   * @param {number} close relative
   * @returns {number | null} null if they are that close
   */
  middle (low, high, close) {
    const middle = this.rounded(Math.sqrt(low * high))
    return high <= low * (1 + close) || middle <= low || middle >= high ? null : middle
  }

  /** @param {number | undefined} value on which the result depends: the search is over once it is certain */
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
 * @returns {Outcome | null} null if another trial is needed
 */
function settledOf (outcomes) {
  if (outcomes.includes('held')) return 'held'
  if (outcomes.length > 1 && outcomes.slice(-2).every(outcome => outcome === 'unsure')) return 'unsure'
  const clear = outcomes.filter(outcome => outcome !== 'unsure')
  const found = outcomes.length > 1 && outcomes[0] === 'unsure'
    ? clear[0]
    : clear.find((outcome, i) => clear.indexOf(outcome) !== i)
  return found ?? null
}

/**
 * Rounds loads to few digits, which changes them by at most a fifth of the precision.
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
