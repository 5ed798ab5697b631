'use strict'

// Counts of goodput: how many of the ended requests met all bounds.

const { withParts } = require('../../record/waited-tally')

/**
 * @typedef {{ good: number, requests: number }} Counts
 * @typedef {{ counts: Record<string, Counts> }} Report by expression
 * @typedef {Report & Record<Family, Array<Report & { name: string }>>} GoodputReport a plain object
 * @typedef {import('../../record/waited-tally').Family} Family
 * @typedef {{ goodput: GoodputTally | null }} Stage of a request; null if no threshold on stages is a goodput
 */

/** Of a run, of a named request, or of a scenario. */
class GoodputTally {
  constructor () {
    /** @type {Map<string, Counts>} */
    this.counts = new Map()
  }

  get hasCounted () {
    return this.counts.size > 0
  }

  /** @param {string} expression @param {number} good @param {number} requests */
  count (expression, good, requests) {
    const counts = this.counts.get(expression)
    if (counts === undefined) this.counts.set(expression, { good, requests })
    else {
      counts.good += good
      counts.requests += requests
    }
  }

  /** @param {Report} report */
  add ({ counts }) {
    for (const [expression, { good, requests }] of Object.entries(counts)) this.count(expression, good, requests)
  }

  reset () {
    this.counts.clear()
  }

  skip () {
    this.reset()
  }

  /** @returns {Report} */
  encode () {
    const counts = Array.from(this.counts, ([expression, { good, requests }]) => [expression, { good, requests }])
    return { counts: Object.fromEntries(counts) }
  }
}

class Goodputs extends withParts(GoodputTally) {
  /** @param {ReadonlyArray<import('../../figures/goodput').Goodput>} [goodputs] the bounds; none in a total */
  constructor (goodputs = []) {
    super()
    this.goodputs = goodputs
  }

  /**
   * A request has ended.
   * @param {string} expression
   * @param {boolean} isGood
   * @param {string | null} name
   * @param {string | null} scenario
   * @param {Stage | null} stage
   * @param {number} [n] number of such requests
   */
  end (expression, isGood, name, scenario, stage, n = 1) {
    for (const tally of this.talliesOf(name, scenario)) tally.count(expression, isGood ? n : 0, n)
    stage?.goodput?.count(expression, isGood ? n : 0, n)
  }

  /** @type {import('../../record/recorder').OnLost} */
  onLost (ms, n, stage, { name, scenario }) {
    for (const { expression } of this.goodputs) this.end(expression, false, name, scenario, stage, n)
  }

  /**
   * Requests without a response when the run ended count if they can no longer meet a bound.
   * @type {import('../../record/recorder').OnAbandoned}
   */
  onAbandoned (ms, paced, n, stage, { name, scenario }) {
    for (const { expression, bounds } of this.goodputs) {
      if (bounds.some(bound => isLate(bound, ms))) this.end(expression, false, name, scenario, stage, n)
    }
  }

  /** @param {boolean} [isLast] @returns {GoodputReport} the counts since the last call */
  take (isLast) {
    // A goodput without a request is in the result as well.
    for (const { expression } of this.goodputs) this.count(expression, 0, 0)
    return super.take(isLast)
  }
}

/** Times that start with the latency, at the due time or write of a request. */
const FROM_THE_START = new Set(['first token', 'first reasoning', 'first event', 'latency'])

/** @type {(bound: import('../../figures/goodput').Bound, ms: number) => boolean} whether that age misses it */
const isLate = ({ of, operator, limit }, ms) =>
  FROM_THE_START.has(of) && (operator === '<' ? ms >= limit : operator === '<=' && ms > limit)

module.exports = { Goodputs, GoodputTally, Total: Goodputs }
