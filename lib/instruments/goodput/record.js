'use strict'

// What is counted of goodput: how many requests met all bounds of each, of all that ended.

/**
 * @typedef {{ good: number, requests: number }} Counts
 * @typedef {Record<string, Counts>} Report by expression
 * @typedef {{ all: Report, named: Array<{ name: string, counts: Report }> }} GoodputReport a plain object
 */

/** Of a run, or of a named request. */
class GoodputTally {
  constructor () {
    /** @type {Map<string, Counts>} */
    this.counts = new Map()
  }

  /**
   * @param {string} expression
   * @param {number} good
   * @param {number} requests
   */
  count (expression, good, requests) {
    const counts = this.counts.get(expression)
    if (counts === undefined) this.counts.set(expression, { good, requests })
    else {
      counts.good += good
      counts.requests += requests
    }
  }

  /** @param {Report} report */
  add (report) {
    for (const [expression, { good, requests }] of Object.entries(report)) this.count(expression, good, requests)
  }

  /** @returns {Report} */
  encode () {
    return Object.fromEntries(Array.from(this.counts, ([expression, counts]) => [expression, { ...counts }]))
  }
}

class Goodputs {
  constructor () {
    this.all = new GoodputTally()
    /** @type {Map<string, GoodputTally>} */
    this.named = new Map()
    /** Of a generator: what requests are held to. @type {ReadonlyArray<import('../../figures/goodput').Goodput>} */
    this.goodputs = []
  }

  /** @param {string} name of a request, whose names are bounded (instruments/requests) */
  of (name) {
    let tally = this.named.get(name)
    if (tally === undefined) this.named.set(name, tally = new GoodputTally())
    return tally
  }

  /**
   * @param {string} expression
   * @param {string | null} name of the request
   * @param {boolean} isGood
   * @param {number} [n] how many such requests
   */
  count (expression, name, isGood, n = 1) {
    const good = isGood ? n : 0
    this.all.count(expression, good, n)
    if (name !== null) this.of(name).count(expression, good, n)
  }

  /**
   * Requests have failed.
   * @param {string | null} name
   * @param {number} [n]
   */
  fail (name, n = 1) {
    for (const { expression } of this.goodputs) this.count(expression, name, false, n)
  }

  /**
   * The run is over before requests have ended. Those that can meet the bounds no more count.
   * @param {string | null} name
   * @param {number} ms for how long they have waited for their first byte
   * @param {number} [n]
   */
  unanswered (name, ms, n = 1) {
    for (const { expression, bounds } of this.goodputs) {
      if (bounds.some(bound => isLate(bound, ms))) this.count(expression, name, false, n)
    }
  }

  /** @param {GoodputReport} report */
  add ({ all, named }) {
    this.all.add(all)
    for (const { name, counts } of named) this.of(name).add(counts)
  }

  skip () {
    this.all = new GoodputTally()
    this.named.clear()
  }

  /** @returns {GoodputReport} what was counted since the last time */
  take () {
    // What no request was held to is in the result as well.
    for (const { expression } of this.goodputs) this.all.count(expression, 0, 0)
    const report = this.encode()
    this.skip()
    return report
  }

  /** @returns {GoodputReport} */
  encode () {
    return {
      all: this.all.encode(), named: Array.from(this.named, ([name, tally]) => ({ name, counts: tally.encode() }))
    }
  }
}

/** Times that begin with the latency. */
const FROM_THE_START = new Set(['first token', 'first reasoning', 'first event', 'latency'])

/** @type {(bound: import('../../figures/goodput').Bound, ms: number) => boolean} whether that time is too long */
const isLate = ({ of, operator, limit }, ms) =>
  FROM_THE_START.has(of) && (operator === '<' ? ms >= limit : operator === '<=' && ms > limit)

module.exports = { Goodputs, GoodputTally, Total: Goodputs }
