'use strict'

// Checks one response against the bounds of a goodput. Gaps of events and tokens are compared on arrival and not
// stored. A share of gaps is exact: p99 is below a limit if 99 % of the gaps are.

/**
 * @typedef {import('../figures/goodput').Bound} Bound
 * @typedef {import('../figures/goodput').Goodput} Goodput
 */

/** @type {(operator: string, value: number, limit: number) => boolean} */
function isKept (operator, value, limit) {
  switch (operator) {
    case '<': return value < limit
    case '<=': return value <= limit
    case '>': return value > limit
    default: return value >= limit
  }
}

/** Counts the gaps between events or tokens of a response for one bound. */
class Gaps {
  /** @param {Bound} bound */
  constructor ({ figure, operator, limit }) {
    this.figure = figure
    this.operator = operator
    this.limit = limit
    this.count = 0
    this.kept = 0
    this.sum = -0
  }

  reset () {
    this.count = this.kept = 0
    this.sum = 0
  }

  /** @param {number} ms @param {number} n */
  add (ms, n) {
    this.count += n
    this.sum += ms * n
    if (isKept(this.operator, ms, this.limit)) this.kept += n
  }

  /** @returns {boolean} whether the gaps meet the bound; true without gaps */
  get isMet () {
    if (this.count === 0) return true
    if (this.figure === 'average') return isKept(this.operator, this.sum / this.count, this.limit)
    const rank = Math.ceil(Number(this.figure) / 100 * this.count * (1 - Number.EPSILON))
    return this.kept >= rank
  }
}

class ResponseGoodput {
  /** @param {ReadonlyArray<Goodput>} goodputs @param {import('../instruments/goodput/record').Goodputs} counts */
  constructor (goodputs, counts) {
    this.counts = counts
    this.goodputs = goodputs.map(({ expression, bounds }) => ({
      expression, bounds: bounds.map(bound => ({ ...bound, gaps: bound.figure === null ? null : new Gaps(bound) }))
    }))
    const all = this.goodputs.flatMap(({ bounds }) => bounds)
    /** @type {(of: string) => Gaps[]} */
    const gapsOf = of => all.flatMap(bound => bound.of === of && bound.gaps !== null ? [bound.gaps] : [])
    this.eventGaps = gapsOf('gap')
    this.tokenGaps = gapsOf('inter token')
    /** Single times of a response, by the name of their bound; NaN while unknown. @type {Record<string, number>} */
    this.facts = {}
    this.origin = 0
    this.events = 0
    this.outputs = 0
    this.deltas = 0
    this.lastEventAt = 0
    this.firstOutputAt = 0
    this.lastOutputAt = 0
  }

  /** @param {number} origin start of the response's latency */
  open (origin) {
    this.origin = origin
    this.facts = {}
    this.events = this.outputs = this.deltas = 0
    for (const gaps of this.eventGaps) gaps.reset()
    for (const gaps of this.tokenGaps) gaps.reset()
  }

  /** @param {number} n events that arrived together @param {number} at */
  deliver (n, at) {
    if (this.events === 0) this.facts['first event'] = at - this.origin
    else for (const gaps of this.eventGaps) gaps.add(at - this.lastEventAt, 1)
    if (n > 1) for (const gaps of this.eventGaps) gaps.add(0, n - 1)
    this.events += n
    this.lastEventAt = at
  }

  /** @param {import('../streams/stream').Delivered} delivered by the events of one read @param {number} at */
  read ({ outputs, contents, reasonings, deltas }, at) {
    if (outputs === 0) return
    const { facts } = this
    if (contents > 0) facts['first token'] ??= at - this.origin
    if (reasonings > 0) facts['first reasoning'] ??= at - this.origin
    if (this.outputs === 0) this.firstOutputAt = at
    else for (const gaps of this.tokenGaps) gaps.add(at - this.lastOutputAt, 1)
    if (outputs > 1) for (const gaps of this.tokenGaps) gaps.add(0, outputs - 1)
    this.outputs += outputs
    this.deltas += deltas
    this.lastOutputAt = at
  }

  /**
   * Completes the response.
   * @param {number} ms from its head
   * @param {import('../streams/stream').Delivered | undefined} delivered
   */
  finish (ms, delivered) {
    const { facts, outputs, deltas } = this
    facts['stream duration'] = ms
    facts.events = this.events
    if (delivered === undefined) return
    const isKnown = delivered.tokens > 0 || (delivered.tokens === 0 && deltas === 0)
    const tokens = isKnown ? delivered.tokens : deltas
    const whole = this.lastOutputAt - this.origin
    facts.tokens = tokens
    facts['tokens/s'] = outputs === 0 || whole <= 0 ? 0 : tokens / whole * 1000
    // A single token has no time between tokens.
    facts['time per output token'] = outputs > 1 && tokens > 1
      ? (this.lastOutputAt - this.firstOutputAt) / (tokens - 1)
      : 0
  }

  /**
   * @param {string | null} name of its request
   * @param {string | null} scenario of its request
   * @param {boolean} isFine whether it is a stream without failure
   * @param {number} latency ms
   * @param {import('../instruments/goodput/record').Stage | null} stage
   */
  conclude (name, scenario, isFine, latency, stage) {
    this.facts.latency = latency
    for (const { expression, bounds } of this.goodputs) {
      this.counts.end(expression, isFine && bounds.every(bound => this.isMet(bound)), name, scenario, stage)
    }
  }

  /** @param {Bound & { gaps: Gaps | null }} bound */
  isMet ({ of, operator, limit, gaps }) {
    return gaps === null ? isKept(operator, this.facts[of] ?? NaN, limit) : gaps.isMet
  }

  /**
   * Counts an incomplete response at the end of the run if it can no longer meet the bounds.
   * @param {string | null} name
   * @param {string | null} scenario
   * @param {number} at the time now
   * @param {import('../streams/stream').Delivered | undefined} delivered
   */
  abandon (name, scenario, at, delivered) {
    // The wait so far is the minimum length of the current gap, unless the response needs no more data.
    const goesOn = delivered === undefined || delivered.fault !== null
    if (goesOn && this.events > 0) for (const gaps of this.eventGaps) gaps.add(at - this.lastEventAt, 1)
    if (goesOn && this.outputs > 0) for (const gaps of this.tokenGaps) gaps.add(at - this.lastOutputAt, 1)
    for (const { expression, bounds } of this.goodputs) {
      if (bounds.some(bound => this.isLost(bound, at - this.origin))) {
        this.counts.end(expression, false, name, scenario, null)
      }
    }
  }

  /** @param {Bound & { gaps: Gaps | null }} bound @param {number} ms */
  isLost ({ of, operator, limit, gaps }, ms) {
    if (gaps !== null) return gaps.figure === 100 && !gaps.isMet
    if (!operator.startsWith('<')) return false
    const known = of === 'latency' ? ms : of.startsWith('first ') ? this.facts[of] ?? ms : NaN
    return !Number.isNaN(known) && !isKept(operator, known, limit)
  }
}

module.exports = { ResponseGoodput }
