'use strict'

// Owns one connection's way through its requests when they are known beforehand: which is sent next, and which the next
// answer belongs to. Nothing is built per request.

const { isIdempotent } = require('./request')
const { compile, Batch } = require('./template')

/**
 * What a connection needs of its requests. The oldest request in flight is the one that the next answer belongs to. What is
 * in flight never changes: a change concerns what is sent from then on.
 * @typedef {object} Requests
 * @property {number} maxRun how many `next` and `repeat` may be asked for at once
 * @property {(n: number) => Buffer} next the bytes of the next n requests
 * @property {() => string} answeringMethod of the oldest request in flight
 * @property {() => import('./request').Request} answeringRequest that one itself
 * @property {() => import('../response/examiner').Examiner | null} answeringExaminer
 * @property {() => import('./script').Step | null} answeringStep null when no hook has a say in it
 * @property {() => import('./script').Context} answeringContext
 * @property {() => void} answered the oldest request in flight has been answered, or is lost
 * @property {(n: number) => number} repeatable how many of the newest of the n requests in flight may be sent a second time
 * @property {(left: number, n: number) => Buffer} repeat the bytes of n requests in flight, the first of the `left` newest and those behind it
 */

/** @implements {Requests} */
class Sequence {
  /**
   * @param {ReadonlyArray<import('./request').Request>} requests
   * @param {import('./target').Target} target
   * @param {number} pipelining
   * @param {ReadonlyArray<import('../response/examiner').Examiner> | null} [examiners] of each request; null when nobody looks at answers
   */
  constructor (requests, target, pipelining, examiners = null) {
    this.requests = requests
    this.target = target
    this.pipelining = pipelining
    this.batch = new Batch(requests.map(request => compile(request, target)), pipelining)
    this.examiners = examiners
    this.sending = 0
    this.answering = 0
  }

  /** @returns {Sequence} one at its beginning that shares the bytes */
  fork () {
    const fork = Object.create(Sequence.prototype)
    return Object.assign(fork, this, { sending: 0, answering: 0 })
  }

  get maxRun () {
    return this.batch.maxRun
  }

  /** @param {number} n */
  next (n) {
    const bytes = this.batch.view(this.sending, n)
    this.sending = (this.sending + n) % this.requests.length
    return bytes
  }

  answeringMethod () {
    return this.batch.templates[this.answering].method
  }

  answeringRequest () {
    return this.requests[this.answering]
  }

  answeringExaminer () {
    return this.examiners === null ? null : this.examiners[this.answering]
  }

  answeringStep () {
    return null
  }

  /** @returns {import('./script').Context} */
  answeringContext () {
    return {}
  }

  answered () {
    if (++this.answering === this.requests.length) this.answering = 0
  }

  /** @param {number} n */
  repeatable (n) {
    const { length } = this.requests
    let count = 0
    while (count < n && isIdempotent(this.batch.templates[(this.answering + n - 1 - count) % length].method)) count++
    return count
  }

  /**
   * @param {number} left
   * @param {number} n
   */
  repeat (left, n) {
    const { length } = this.requests
    return this.batch.view((this.sending + length - left % length) % length, n)
  }

  /** The request that is sent next. */
  get current () {
    return this.requests[this.sending]
  }

  /**
   * @param {import('./request').Request} request in place of the one that is sent next, and from then on at each round
   * @returns {Sequence} that is sent from now on; what is in flight belongs to this one
   */
  edit (request) {
    const { sending } = this
    const edited = this.fork()
    edited.requests = this.requests.with(sending, request)
    edited.batch = new Batch(this.batch.templates.with(sending, compile(request, this.target)), this.pipelining)
    edited.sending = edited.answering = sending
    return edited
  }
}

module.exports = { Sequence }
