'use strict'

// Owns one connection's way through its requests when they are known beforehand: which is sent next, and which the next
// answer belongs to. Nothing is built per request.

const { isIdempotent } = require('./request')
const { compile, Batch } = require('./template')

/**
 * What a connection needs of its requests. The oldest request in flight is the one that the next answer belongs to.
 * @typedef {object} Requests
 * @property {number} maxRun how many `next` may be asked for at once
 * @property {ReadonlyArray<import('../http1/examiner').Examiner> | null} examiners of each request; null when nobody looks at answers
 * @property {(n: number) => Buffer} next the bytes of the next n requests
 * @property {() => string} answeringMethod of the oldest request in flight
 * @property {() => import('./request').Request} answeringRequest that one itself
 * @property {() => import('../http1/examiner').Examiner | null} answeringExaminer
 * @property {() => import('./script').Step | null} answeringStep null when no hook has a say in it
 * @property {() => import('./script').Context} answeringContext
 * @property {() => void} answered the oldest request in flight has been answered
 * @property {(n: number) => number} repeatable how many of the newest of the n requests in flight may be sent a second time
 * @property {(kept: number) => void} drop what was in flight is lost but for the newest, which are those that `next` gives next
 */

/** @implements {Requests} */
class Sequence {
  /**
   * @param {ReadonlyArray<import('./request').Request>} requests
   * @param {import('./target').Target} target
   * @param {number} pipelining
   */
  constructor (requests, target, pipelining) {
    this.requests = requests
    this.target = target
    this.pipelining = pipelining
    this.batch = new Batch(requests.map(request => compile(request, target)), pipelining)
    /** @type {ReadonlyArray<import('../http1/examiner').Examiner> | null} of each request; null when nobody looks at answers */
    this.examiners = null
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

  /** @param {number} kept */
  drop (kept) {
    const { length } = this.requests
    this.sending = (this.sending + length - kept % length) % length
    this.answering = this.sending
  }

  /** The request that is sent next. */
  get current () {
    return this.requests[this.sending]
  }

  /**
   * Changes the request that is sent next, and from then on at each round. Other connections keep theirs.
   * @param {import('./request').Request} request
   */
  edit (request) {
    this.requests = this.requests.with(this.sending, request)
    this.batch = new Batch(this.batch.templates.with(this.sending, compile(request, this.target)), this.pipelining)
  }
}

module.exports = { Sequence }
