'use strict'

// Owns what one thread counts: every request by its fate, every answer by its status, every failure by its code. The hot
// path adds to fields; `take` hands over what has been added since the last time.

const { Histogram } = require('./histogram')

/**
 * What one generator counted in one span of time. Snapshots are added up, never overwritten.
 * @typedef {object} Snapshot
 * @property {number} from ms since the generator started
 * @property {number} to
 * @property {number} slot the index of the sample that it ends in
 * @property {number} sent requests written
 * @property {number} completed
 * @property {number} timedOut
 * @property {number} failed
 * @property {number} abandoned in flight when the run ended
 * @property {number} neverSent errors that are no request's fate: requests that found no connection to be sent on, and
 *   answers that nobody asked for
 * @property {number} mismatches completed requests whose body was not as expected
 * @property {number} resets sequences that started over because setupRequest returned nothing
 * @property {number} bytes read
 * @property {Record<string, number>} statuses completed requests by status code
 * @property {Record<string, number>} errorCodes errors by code
 * @property {Histogram} latency valid until the next `take`
 */

class Recorder {
  /**
   * @param {number} [bailout] after how many errors and mismatches `onBailout` is called
   * @param {() => void} [onBailout]
   */
  constructor (bailout = Infinity, onBailout = () => {}) {
    this.patience = bailout
    this.onBailout = onBailout
    this.sent = 0
    this.completed = 0
    this.timedOut = 0
    this.failed = 0
    this.abandoned = 0
    this.neverSentCount = 0
    this.mismatches = 0
    this.resets = 0
    this.bytes = 0
    this.statuses = new Float64Array(1000)
    /** @type {Map<string, number>} */
    this.errorCodes = new Map()
    this.latency = new Histogram()
    this.spare = new Histogram()
  }

  /** @param {number} size bytes that have arrived */
  read (size) {
    this.bytes += size
  }

  /**
   * @param {number} status
   * @param {number} size bytes of the response on the wire
   * @param {number} ms
   */
  complete (status, size, ms) {
    this.completed++
    this.statuses[status]++
    this.latency.record(ms)
  }

  /** The last completed response had not the body that was expected. */
  mismatch () {
    this.mismatches++
    this.losePatience(1)
  }

  /** @param {number} failures */
  losePatience (failures) {
    const before = this.patience
    this.patience -= failures
    if (before > 0 && this.patience <= 0) this.onBailout()
  }

  /**
   * A request that took too long stays in the tail of the latency, at its age.
   * @param {Error & { code?: string }} error
   * @param {number} ms its age
   * @param {import('../http1/connection').Observer} observer
   */
  timeOut (error, ms, observer) {
    this.timedOut++
    this.latency.record(ms)
    this.countError(error, 1, observer)
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {import('../http1/connection').Observer} observer
   */
  fail (error, observer) {
    this.failed++
    this.countError(error, 1, observer)
  }

  /**
   * @param {Error & { code?: string }} error why there was no connection
   * @param {number} n how many requests would have been sent on it
   * @param {import('../http1/connection').Observer} observer
   */
  neverSent (error, n, observer) {
    this.neverSentCount += n
    this.countError(error, n, observer)
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {number} n
   * @param {import('../http1/connection').Observer} observer
   */
  countError (error, n, observer) {
    if (n === 0) return
    const code = error.code ?? error.name
    this.errorCodes.set(code, (this.errorCodes.get(code) ?? 0) + n)
    if (observer.requestError !== null) {
      for (let i = 0; i < n; i++) observer.requestError(error)
    }
    this.losePatience(n)
  }

  /**
   * Hands over what was counted since the last time, and starts from 0.
   * @param {number} from ms since the start
   * @param {number} to
   * @param {number} slot
   * @returns {Snapshot}
   */
  take (from, to, slot) {
    /** @type {Record<string, number>} */
    const statuses = {}
    for (let status = 0; status < 1000; status++) {
      if (this.statuses[status] > 0) statuses[status] = this.statuses[status]
    }
    const snapshot = {
      from,
      to,
      slot,
      sent: this.sent,
      completed: this.completed,
      timedOut: this.timedOut,
      failed: this.failed,
      abandoned: this.abandoned,
      neverSent: this.neverSentCount,
      mismatches: this.mismatches,
      resets: this.resets,
      bytes: this.bytes,
      statuses,
      errorCodes: Object.fromEntries(this.errorCodes),
      latency: this.latency
    }
    this.sent = this.completed = this.timedOut = this.failed = this.abandoned = this.neverSentCount = 0
    this.mismatches = this.resets = this.bytes = 0
    this.statuses.fill(0)
    this.errorCodes.clear()
    this.latency = this.spare
    this.latency.reset()
    this.spare = snapshot.latency
    return snapshot
  }

  /** Gives the memory of the histograms back. */
  destroy () {
    this.latency.destroy()
    this.spare.destroy()
  }
}

/** Leaves out of latency and bytes what is not a 2xx response (`excludeErrorStats`). It is counted all the same. */
class SuccessRecorder extends Recorder {
  read () {}

  /**
   * @param {number} status
   * @param {number} size
   * @param {number} ms
   */
  complete (status, size, ms) {
    this.completed++
    this.statuses[status]++
    if (status < 200 || status > 299) return
    this.bytes += size
    this.latency.record(ms)
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {number} ms
   * @param {import('../http1/connection').Observer} observer
   */
  timeOut (error, ms, observer) {
    this.timedOut++
    this.countError(error, 1, observer)
  }
}

module.exports = { Recorder, SuccessRecorder }
