'use strict'

// When requests are due while the rate changes by stages, as pure arithmetic: the integral of the rate, in closed form.

const { Stages } = require('../stages')

/** @typedef {import('../pace').Pace} Pace */

/** As for a constant pace: for rounding errors. */
const TOLERANCE = 1e-9

/**
 * In a stage the rate is linear, so the number of due requests by t is a quadratic of t, and the due time of the n-th
 * is its root. A request is due where the integral has reached its number and continues to grow, so a request at the
 * start of a stage with rate 0 is due after that stage. `dueAt` accepts fractions of requests.
 * @implements {Pace}
 */
class StagedPace {
  /** @param {ReadonlyArray<import('../stages').Stage>} stages over a rate */
  constructor (stages) {
    this.stages = new Stages([])
    /**
     * The number of requests before each stage, and at the end, times 2,000: sums of whole ms and rates are then exact.
     */
    this.before = [0]
    /** The stage of the last call, usually that of the next call as well. */
    this.last = 0
    this.total = 0
    for (const stage of stages) this.extend(stage)
  }

  /** @param {import('../stages').Stage} stage that begins within the last one, which it shortens, or later */
  extend (stage) {
    const { stages, before } = this
    stages.extend(stage)
    const { list } = stages
    // The previous stage may be shorter now.
    for (let i = Math.max(0, list.length - 2); i < list.length; i++) {
      before[i + 1] = before[i] + (list[i].start + list[i].end) * (list[i].until - list[i].from)
    }
    this.total = Math.ceil(this.countBefore(list.length) - TOLERANCE)
  }

  /** Returns the number of requests before this stage, as a fraction. @type {(i: number) => number} */
  countBefore (i) {
    return this.before[i] / 2000
  }

  /** @param {number} n */
  dueAt (n) {
    const { list } = this.stages
    let i = this.last
    while (i > 0 && this.countBefore(i) - TOLERANCE > n) i--
    while (i < list.length && this.countBefore(i + 1) - TOLERANCE <= n) i++
    if (i === list.length) return Infinity
    this.last = i
    const { from, until, start, end } = list[i]
    const left = n - this.countBefore(i)
    if (left <= 0) return from
    // The root of start × t + (end − start) × t² ÷ (2 × length) = left, in the numerically stable form; rates per ms.
    const rate = start / 1000
    const square = rate * rate + 2 * (end - start) / 1000 / (until - from) * left
    return Math.min(until, from + 2 * left / (rate + Math.sqrt(Math.max(0, square))))
  }

  /** @param {number} at */
  dueBy (at) {
    if (!(at >= 0) || this.total === 0) return 0
    let n = Math.min(this.total, Math.floor(this.countUntil(at)) + 1)
    // Corrects rounding, so that `dueBy` is the exact inverse of `dueAt`.
    while (n > 0 && this.dueAt(n - 1) > at) n--
    while (n < this.total && this.dueAt(n) <= at) n++
    return n
  }

  /** Returns the integral of the rate. @type {(at: number) => number} */
  countUntil (at) {
    const { list } = this.stages
    let i = Math.min(this.last, list.length - 1)
    while (i > 0 && list[i].from > at) i--
    while (i < list.length - 1 && list[i + 1].from <= at) i++
    this.last = i
    const { from, until, start, end } = list[i]
    const length = until - from
    const past = Math.max(0, Math.min(at - from, length))
    return this.countBefore(i) + past * (start + (end - start) * past / (2 * length)) / 1000
  }
}

module.exports = { StagedPace }
