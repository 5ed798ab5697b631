'use strict'

// Owns what one thread counts: every request by its fate, every answer by its status, every failure by its code. The hot
// path adds to fields; `take` hands over what has been added since the last time.

const { Checks } = require('./checks')
const { Distributions } = require('./distributions')
const { Histogram } = require('./histogram')
const { Requests } = require('./requests')

/**
 * What one generator counted in one span of time. Snapshots are added up, never overwritten.
 * @typedef {object} Snapshot
 * @property {number} from ms since the generator started
 * @property {number} to
 * @property {number} sample the index of the sample that it ends in
 * @property {number} sent requests written
 * @property {number} completed
 * @property {number} timedOut
 * @property {number} failed
 * @property {number} abandoned in flight when the run ended
 * @property {number} resent written a second time, because the server closed the connection behind an earlier answer
 * @property {number} neverSent errors without a fate: requests that found no connection, answers that nobody asked for
 * @property {number} forgone requests of a budget that attempts to connect used up: part of neverSent
 * @property {number} mismatches completed requests whose body was not as expected
 * @property {number} compared completed requests whose body was compared
 * @property {number} allowed answers of 4xx and 5xx whose status was expected
 * @property {number} faulty answers that were found wrong, of those below 400 and those that are allowed
 * @property {number} resets sequences that started over because setupRequest returned nothing
 * @property {number} late with a rate: requests that had to wait because no pipeline had room, or no socket took more, when they were due
 * @property {number} sentUntil ms since the figures began: when the last request was written
 * @property {number} connectingMs how long it took until the first attempts to connect had all led to something, or took so far
 * @property {number | null} silentFrom ms since the figures began: from then on something waited for the server in vain, until the end; the
 *   end when it did not; null before the last snapshot
 * @property {boolean} bailedOut whether there have been so many failures that the run was ended
 * @property {Skipped | null} skipped what came before the figures; in the first snapshot of a run that leaves its start out
 * @property {number} unsent with a rate: requests that were due and not sent when the run ended
 * @property {number} bytes read
 * @property {Record<string, number>} statuses completed requests by status code
 * @property {Record<string, number>} errorCodes errors by code
 * @property {Distributions | null} distributions valid until the next `take`; null while they are still being filled
 * @property {import('./usage').Usage} usage how busy the generator was
 * @property {import('./checks').CheckCounts[]} checks
 * @property {import('./requests').RequestCounts[]} requests those with a name, all at once in the last snapshot
 * @property {KeptPace | null} keptPace how requests were sent that had a rate to keep; null without one
 */

/**
 * @typedef {import('./requests').RequestTally} RequestTally
 *
 * @typedef {object} KeptPace
 * @property {'even' | 'batched'} pace
 * @property {string | null} reason why it is not even although nobody asked for that: a sentence
 */

/**
 * What is left out of the figures.
 * @typedef {object} Skipped
 * @property {number} ms how long it lasted
 * @property {number} requests that were sent and ended in it
 * @property {number} inFlight requests that were sent in it and had no answer yet: they count as sent when the figures begin
 * @property {number} forgone requests of a budget that attempts to connect used up in it
 */

/** What is added up. */
const COUNTERS = /** @type {const} */ (['sent', 'completed', 'timedOut', 'failed', 'abandoned', 'resent', 'neverSent', 'forgone', 'mismatches',
  'compared', 'allowed', 'faulty', 'resets', 'late', 'unsent', 'bytes'])

class Recorder {
  /**
   * @param {number} [bailout] after how many errors and mismatches `onBailout` is called
   * @param {() => void} [onBailout]
   */
  constructor (bailout = Infinity, onBailout = () => {}) {
    this.untilBailout = bailout
    this.onBailout = onBailout
    this.sent = 0
    this.completed = 0
    this.timedOut = 0
    this.failed = 0
    this.abandoned = 0
    this.resent = 0
    this.neverSent = 0
    this.forgone = 0
    this.mismatches = 0
    this.compared = 0
    this.allowed = 0
    this.faulty = 0
    this.resets = 0
    this.late = 0
    this.unsent = 0
    // −0 makes it a double from the start, as in Histogram.
    this.sentUntil = -0
    this.connectingMs = -0
    // When the figures begin, ms since the generator started.
    this.startsAt = -0
    /** @type {Skipped | null} */
    this.skipped = null
    this.bailedOut = false
    this.bytes = 0
    this.statuses = new Float64Array(1000)
    /** @type {Map<string, number>} */
    this.errorCodes = new Map()
    this.current = new Distributions()
    this.spare = new Distributions()
    // Latency, service time and time to first byte of most answers are one value: that of a request that was written when it
    // was due, and answered in one piece. It is recorded once, and comes to the three when they are handed over.
    this.common = new Histogram()
    this.checks = new Checks()
    this.requests = new Requests()
    /** @type {KeptPace | null} */
    this.keptPace = null
    // Of the latencies handed over so far.
    this.latencyCount = 0
    this.latencySum = -0
    this.latencyMax = -0
    /** @type {number | null} */
    this.silentFrom = null
  }

  /** @param {number} size bytes that have arrived */
  read (size) {
    this.bytes += size
  }

  /**
   * @param {number} status
   * @param {number} size bytes of the response on the wire
   * @param {number} ms latency
   * @param {number} serviceMs service time
   * @param {number} ttfb ms
   */
  complete (status, size, ms, serviceMs, ttfb) {
    this.completed++
    this.statuses[status]++
    if (ms === serviceMs && serviceMs === ttfb) {
      this.common.record(ms)
    } else {
      this.current.latency.record(ms)
      this.current.serviceTime.record(serviceMs)
      this.current.ttfb.record(ttfb)
    }
  }

  /**
   * The request of the last completed response has a name.
   * @param {RequestTally} tally
   * @param {number} status
   * @param {number} ms latency
   * @param {number} ttfb ms
   */
  completeNamed (tally, status, ms, ttfb) {
    tally.complete(status)
    tally.latency.record(ms)
    tally.ttfb.record(ttfb)
  }

  /** The last completed response had not the body that was expected. */
  mismatch () {
    this.mismatches++
    this.countTowardsBailout(1)
  }

  /**
   * The last completed response is one of 4xx or 5xx, and its status was expected.
   * @param {RequestTally | null} tally of a request with a name
   */
  allow (tally) {
    this.allowed++
    if (tally !== null) tally.allowed++
  }

  /**
   * The last completed response is below 400 or allowed, and was found wrong. Any other is a failure by its status.
   * @param {RequestTally | null} tally of a request with a name
   */
  fault (tally) {
    this.faulty++
    if (tally !== null) tally.faulty++
  }

  /** @param {number} failures */
  countTowardsBailout (failures) {
    const before = this.untilBailout
    this.untilBailout -= failures
    if (before <= 0 || this.untilBailout > 0) return
    this.bailedOut = true
    this.onBailout()
  }

  /**
   * A request that took too long stays in the tail of the latency, at its age.
   * @param {Error & { code?: string }} error
   * @param {number} ms latency so far
   * @param {number} serviceMs service time so far
   * @param {import('../load/connection').Observer} observer
   * @param {RequestTally | null} [tally] of a request with a name
   */
  timeOut (error, ms, serviceMs, observer, tally = null) {
    this.timedOut++
    this.current.latency.record(ms)
    this.current.serviceTime.record(serviceMs)
    if (tally !== null) {
      tally.errors++
      tally.latency.record(ms)
    }
    this.countError(error, 1, observer)
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {import('../load/connection').Observer} observer
   * @param {RequestTally | null} [tally] of a request with a name
   */
  fail (error, observer, tally = null) {
    this.failed++
    if (tally !== null) tally.errors++
    this.countError(error, 1, observer)
  }

  /**
   * Errors that are no request's fate.
   * @param {Error & { code?: string }} error why there was no connection, or what came unasked
   * @param {number} n how many requests would have been sent on it, or answers that came
   * @param {import('../load/connection').Observer} observer
   */
  failUnsent (error, n, observer) {
    this.neverSent += n
    this.countError(error, n, observer)
  }

  /** @returns {number} ms; 0 while there is no latency */
  get meanLatency () {
    const { common, current: { latency } } = this
    const count = this.latencyCount + latency.count + common.count
    return count === 0 ? 0 : (this.latencySum + (latency.sum + common.sum) / 1000) / count
  }

  /**
   * With a rate: what a request that has no answer when the run ends has suffered so far. One that is younger than the mean
   * answer tells nothing, and would only make latencies look shorter than they are.
   * @param {number} ms
   * @param {number} mean latency of what was answered
   * @param {number} [n] how many such requests
   * @param {RequestTally | null} [tally] of a request with a name
   */
  recordUnansweredPaced (ms, mean, n = 1, tally = null) {
    if (ms < mean) return
    this.current.latency.record(ms, n)
    if (tally !== null) tally.latency.record(ms, n)
  }

  /** @returns {number} ms; 0 while there is no latency */
  get longestLatency () {
    return Math.max(this.latencyMax, this.current.latency.max, this.common.max) / 1000
  }

  /**
   * Without a rate: what a request that has no answer when the run ends has waited so far, if that is longer than any answer took. Its
   * latency would have been longer still. A younger one tells nothing.
   * @param {number} ms
   * @param {number} longest latency of what was answered; 0 when nothing was
   * @param {RequestTally | null} tally of a request with a name
   */
  recordUnansweredUnpaced (ms, longest, tally) {
    if (longest === 0 || ms <= longest) return
    this.current.latency.record(ms)
    this.current.serviceTime.record(ms)
    if (tally !== null) tally.latency.record(ms)
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {number} n
   * @param {import('../load/connection').Observer} observer
   */
  countError (error, n, observer) {
    if (n === 0) return
    const code = error.code ?? error.name
    this.errorCodes.set(code, (this.errorCodes.get(code) ?? 0) + n)
    if (observer.requestError !== null) {
      for (let i = 0; i < n; i++) observer.requestError(error)
    }
    this.countTowardsBailout(n)
  }

  /**
   * Hands over what was counted since the last time, and starts from 0.
   * @param {number} from ms since the start
   * @param {number} to
   * @param {number} sample
   * @param {import('./usage').Usage} usage
   * @param {boolean} [withDistributions] handing them over costs about 0.1 ms, too much for each of many short samples
   * @returns {Snapshot}
   */
  take (from, to, sample, usage, withDistributions = true) {
    const { sent, completed, timedOut, failed, abandoned, resent, neverSent, forgone, mismatches, compared, allowed, faulty, resets, late, unsent, bytes } = this
    const distributions = withDistributions ? this.current : null
    const snapshot = {
      from,
      to,
      sample,
      sent,
      completed,
      timedOut,
      failed,
      abandoned,
      resent,
      neverSent,
      forgone,
      mismatches,
      compared,
      allowed,
      faulty,
      resets,
      late,
      unsent,
      sentUntil: Math.max(0, this.sentUntil - this.startsAt),
      connectingMs: this.connectingMs + 0,
      silentFrom: this.silentFrom,
      bailedOut: this.bailedOut,
      skipped: this.skipped,
      bytes,
      statuses: seenIn(this.statuses),
      errorCodes: Object.fromEntries(this.errorCodes),
      distributions,
      usage,
      checks: this.checks.take(),
      requests: /** @type {import('./requests').RequestCounts[]} */ ([]),
      keptPace: this.keptPace
    }
    this.clear()
    if (distributions !== null) this.handOver()
    return snapshot
  }

  /** What is counted in each snapshot starts from 0. */
  clear () {
    this.skipped = null
    for (const counter of COUNTERS) this[counter] = 0
    this.statuses.fill(0)
    this.errorCodes.clear()
  }

  /** The distributions are complete, and others take their place. */
  handOver () {
    const { current, common } = this
    for (const histogram of [current.latency, current.serviceTime, current.ttfb]) histogram.add(common)
    common.reset()
    this.latencyCount += current.latency.count
    this.latencySum += current.latency.sum / 1000
    this.latencyMax = Math.max(this.latencyMax, current.latency.max)
    this.current = this.spare
    this.current.reset()
    this.spare = current
  }

  /**
   * Leaves out of the figures what was counted so far. Requests in flight get their fate later, so they count as sent from now on.
   * @param {number} at ms since the generator started
   * @param {number} inFlight how many they are
   */
  skip (at, inFlight) {
    const { completed, timedOut, failed, forgone } = this
    this.clear()
    this.handOver()
    this.latencyCount = 0
    this.latencySum = 0
    this.latencyMax = 0
    this.requests.reset()
    this.checks.reset()
    this.startsAt = at
    this.sent = inFlight
    this.skipped = { ms: at, requests: completed + timedOut + failed, inFlight, forgone }
  }

  /**
   * The last one. Named requests come with it alone: encoding their histograms takes 0.2 ms each.
   * @param {Parameters<Recorder['take']>} span
   * @returns {Snapshot}
   */
  takeLast (...span) {
    return { ...this.take(...span), requests: this.requests.encode() }
  }
}

/**
 * A function of its own, because V8 compiles all of what has a long loop (see buckets.js).
 * @param {Float64Array} counts by status
 * @returns {Record<string, number>} those of statuses that have been seen
 */
function seenIn (counts) {
  /** @type {Record<string, number>} */
  const seen = {}
  for (let status = 0; status < counts.length; status++) if (counts[status] > 0) seen[status] = counts[status]
  return seen
}

/** Leaves out of latency and bytes what is not a 2xx response (`excludeErrorStats`). It is counted all the same. */
class SuccessRecorder extends Recorder {
  read () {}

  /**
   * @param {number} status
   * @param {number} size
   * @param {number} ms
   * @param {number} serviceMs
   * @param {number} ttfb
   */
  complete (status, size, ms, serviceMs, ttfb) {
    if (status >= 200 && status <= 299) {
      this.bytes += size
      super.complete(status, size, ms, serviceMs, ttfb)
    } else {
      this.completed++
      this.statuses[status]++
    }
  }

  recordUnansweredPaced () {}

  recordUnansweredUnpaced () {}

  /**
   * @param {RequestTally} tally
   * @param {number} status
   * @param {number} ms
   * @param {number} ttfb
   */
  completeNamed (tally, status, ms, ttfb) {
    if (status >= 200 && status <= 299) super.completeNamed(tally, status, ms, ttfb)
    else tally.complete(status)
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {number} ms
   * @param {number} serviceMs
   * @param {import('../load/connection').Observer} observer
   * @param {RequestTally | null} [tally]
   */
  timeOut (error, ms, serviceMs, observer, tally = null) {
    this.timedOut++
    if (tally !== null) tally.errors++
    this.countError(error, 1, observer)
  }
}

module.exports = { Recorder, SuccessRecorder, COUNTERS }
