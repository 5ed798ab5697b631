'use strict'

// Owns one connection's way through its requests when they are known beforehand: which is sent next, and which the next
// answer belongs to. Nothing is built per request.

const { isIdempotent } = require('./request')

/**
 * What a connection needs of its requests. The oldest request in flight is the one that the next answer belongs to. What is
 * in flight never changes: a change concerns what is sent from then on.
 * @typedef {object} Requests
 * @property {number} maxRun how many `next` and `repeat` may be asked for at once
 * @property {(n: number) => Buffer} next the bytes of the next n requests
 * @property {() => string} answeringMethod of the oldest request in flight
 * @property {() => import('./request').Request} answeringRequest that one itself
 * @property {() => import('../response/examiner').Examiner | null} answeringExaminer
 * @property {() => import('./compiled-scenario').CompiledStep | null} answeringStep null when no hook has a say in it
 * @property {() => import('./context').Context} answeringContext
 * @property {() => void} answered the oldest request in flight has been answered, or is lost
 * @property {(n: number) => number} repeatable how many of the newest of the n requests in flight may be sent a second time
 * @property {(left: number, n: number) => Buffer} repeat the bytes of n requests in flight, the first of the `left` newest and those behind it
 */

/** @implements {Requests} */
class Sequence {
  /** @param {import('./compiled-scenario').CompiledScenario} scenario whose bytes are known: it has a batch */
  constructor (scenario) {
    this.scenario = scenario
    this.steps = scenario.steps
    this.batch = /** @type {import('./batch').Batch} */ (scenario.batch)
    this.sending = 0
    this.answering = 0
  }

  get maxRun () {
    return this.batch.maxRun
  }

  /** @param {number} n */
  next (n) {
    const bytes = this.batch.view(this.sending, n)
    this.sending = (this.sending + n) % this.steps.length
    return bytes
  }

  answeringMethod () {
    return this.steps[this.answering].method
  }

  answeringRequest () {
    return this.steps[this.answering].request
  }

  answeringExaminer () {
    return this.steps[this.answering].examiner
  }

  answeringStep () {
    return null
  }

  /** @returns {import('./context').Context} */
  answeringContext () {
    return {}
  }

  answered () {
    if (++this.answering === this.steps.length) this.answering = 0
  }

  /** @param {number} n */
  repeatable (n) {
    const { steps } = this
    const { length } = steps
    let count = 0
    while (count < n && isIdempotent(steps[(this.answering + n - 1 - count) % length].method)) count++
    return count
  }

  /**
   * @param {number} left
   * @param {number} n
   */
  repeat (left, n) {
    const { length } = this.steps
    return this.batch.view((this.sending + length - left % length) % length, n)
  }

  /** The request that is sent next. */
  get current () {
    return this.steps[this.sending].request
  }

  /**
   * @param {import('./request').Request} request in place of the one that is sent next, and from then on at each round
   * @returns {Sequence} that is sent from now on; what is in flight belongs to this one
   */
  edit (request) {
    const { sending } = this
    const edited = new Sequence(this.scenario.edit(sending, request))
    edited.sending = edited.answering = sending
    return edited
  }
}

module.exports = { Sequence }
