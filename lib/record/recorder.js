'use strict'

// The counts of one thread: every request by its fate, every response by its status, every failure by its code. The hot
// path adds to fields; `take` hands over the sums since the last call.

const { codeOf } = require('../core/errors')
const { KEYS, places } = require('../instruments')
const { Counters, COUNTERS } = require('./counters')
const { statusesIn } = require('./statuses')

/**
 * The counts of one generator in one span of time. Snapshots are added up, never overwritten.
 * @typedef {Counters & Span & import('../instruments').Reports} Snapshot of an instrument it has a report together with
 *   the distributions; in the last one nothing is kept for later
 *
 * @typedef {object} Span
 * @property {number} from ms since the generator started
 * @property {number} to
 * @property {number} sample the index of the sample that it ends in
 * @property {number} sentUntil ms since the figures began: when the last request was written
 * @property {number} connectingMs how long it took until the first attempts to connect had all led to something, or
 *   took so far
 * @property {number | null} silentFrom ms since the figures began: from then on something waited for the server in
 *   vain, until the end; the end when it did not; null before the last snapshot
 * @property {boolean} bailedOut whether too many failures ended the run
 * @property {number} bailing failures of all samples so far that count towards `bailout`; 0 without one
 * @property {Skipped | null} skipped counts from before the figures; in the first snapshot of a run that excludes its
 *   start
 * @property {Record<string, number>} statuses completed requests by status code
 * @property {Record<string, number>} errorCodes errors by code
 * @property {import('./usage').Usage} usage how busy the generator was
 * @property {KeptPace | null} keptPace how requests were sent that had a rate to keep; null without one
 * @property {number} connections how many are open
 * @property {number | null} streamLimit how many requests a server allowed in flight on a connection, at least; null
 *   when that was enough
 */

/**
 * @typedef {object} StreamPart of a run, of which requests for streams are
 * @property {string | null} name of the request; null for none
 * @property {string | null} scenario
 * @property {boolean} isCompletion whether the stream may bring tokens
 *
 * @typedef {import('../instruments').StageTally} StageTally
 * @typedef {(ms: number, n: number, stage: StageTally | null, part: StreamPart) => void} OnLost as `losePending`
 * @typedef {(ms: number, paced: boolean, n: number, stage: StageTally | null, part: StreamPart) => void} OnAbandoned as
 *   `abandonPending`
 * @typedef {import('./tally').Tally} Tally of a request with a name, or of the stage to which it belongs
 * @typedef {import('./totals').Skipped} Skipped
 *
 * @typedef {{ requestError: ((error: Error & { code?: string }) => void) | null }} ErrorObserver null while there is no
 *   listener
 *
 * @typedef {object} KeptPace
 * @property {'even' | 'batched'} pace
 * @property {PaceReason | string | null} reason why it is not even without an option for that; a sentence in raw
 *   results of older versions
 *
 * @typedef {{ code: 'cpu-wait', from: number }} PaceWait
 * @typedef {{ code: 'few-cores' | 'few-cores-of-agent', threads: number, cores: number }} PaceCores
 * @typedef {PaceWait | PaceCores} PaceReason `from`: seconds after the start; `cores` that this process may use
 */

/** @type {StreamPart} */
const WHOLE_RUN = Object.freeze({ name: null, scenario: null, isCompletion: true })

class Recorder extends Counters {
  /**
   * @param {number} [bailout] after how many errors and mismatches `onBailout` is called
   * @param {() => void} [onBailout]
   */
  constructor (bailout = Infinity, onBailout = () => {}) {
    super()
    this.bailout = bailout
    // How many failures are left until then.
    this.untilBailout = bailout
    this.onBailout = onBailout
    // −0 is a double for V8, 0 a small integer: a field that got its first fraction in the middle of a run would have
    // all functions that use the Recorder compiled again.
    this.sentUntil = -0
    this.connectingMs = -0
    // When the figures begin, ms since the generator started.
    this.startsAt = -0
    /** @type {Skipped | null} */
    this.skipped = null
    this.bailedOut = false
    this.statuses = new Float64Array(1000)
    /** @type {Map<string, number>} */
    this.errorCodes = new Map()
    /** @type {import('../instruments').Live} */
    this.instruments = places('Live')
    // Every response is counted in them.
    this.distributions = this.instruments.distributions
    /** Of these, those that look at errors, at samples, and at requests whose stream has not begun. @type {any[]} */
    this.ofErrors = []
    /** @type {any[]} */
    this.ofSamples = []
    /** @type {any[]} */
    this.ofPending = []
    for (const key of KEYS) {
      if (this.instruments[key] !== null) this.measure(key, /** @type {any} */ (this.instruments[key]))
    }
    /** @type {KeptPace | null} */
    this.keptPace = null
    this.connections = 0
    /** @type {number | null} */
    this.streamLimit = null
    /** @type {number | null} */
    this.silentFrom = null
  }

  /**
   * Before the load.
   * @template {import('../instruments').Key} K
   * @param {K} key
   * @param {NonNullable<import('../instruments').Live[K]>} live
   * @returns {NonNullable<import('../instruments').Live[K]>} the same
   */
  measure (key, live) {
    this.instruments[key] = live
    if ('onError' in live) this.ofErrors.push(live)
    if ('onSample' in live) this.ofSamples.push(live)
    if ('onAbandoned' in live) this.ofPending.push(live)
    return live
  }

  /** @param {number} streams that a server allows on a connection, fewer than were to be in flight */
  limitStreams (streams) {
    this.streamLimit = Math.min(streams, this.streamLimit ?? streams)
  }

  /** @param {number} size bytes that have arrived */
  read (size) {
    this.bytes += size
  }

  /**
   * @param {number} responses that one read completed, and whose latency ends at the arrival of its last bytes
   * @param {number} ms between that and the read
   */
  readLate (responses, ms) {
    if (responses <= 0) return
    this.sharedArrivals += responses - 1
    this.distributions.current.late.record(ms, responses)
  }

  /**
   * @param {number} status
   * @param {number} size bytes of the response on the wire
   * @param {number} ms latency
   * @param {number} serviceMs service time
   * @param {number} ttfb ms
   * @returns {boolean} whether it is in the latencies
   */
  complete (status, size, ms, serviceMs, ttfb) {
    this.completed++
    this.statuses[status]++
    this.distributions.record(ms, serviceMs, ttfb)
    return true
  }

  /** Whether latencies have requests without a response in them. */
  get hasPending () {
    return true
  }

  /**
   * The last completed response belongs to a part of the run: its request has a name, or was due in a stage.
   * @param {Tally} tally
   * @param {number} status
   * @param {number} size bytes of the response on the wire
   * @param {number} ms latency
   * @param {number} ttfb ms
   */
  completePart (tally, status, size, ms, ttfb) {
    tally.complete(status)
    tally.record(ms, ttfb, size)
  }

  /** The last completed response had not the body that was expected. */
  mismatch () {
    this.mismatches++
    this.countTowardsBailout(1)
  }

  /**
   * The last completed response is one of 4xx or 5xx, and its status was expected.
   * @param {Tally | null} tally
   * @param {Tally | null} stage
   */
  allow (tally, stage) {
    this.allowed++
    if (tally !== null) tally.allowed++
    if (stage !== null) stage.allowed++
  }

  /**
   * The last completed response is below 400 or allowed, and was found wrong. Any other is a failure by its status.
   * @param {Tally | null} tally
   * @param {Tally | null} stage
   */
  fault (tally, stage) {
    this.faulty++
    if (tally !== null) tally.faulty++
    if (stage !== null) stage.faulty++
  }

  /** Ends the run when these are the last failures that `bailout` allows. @param {number} failures */
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
   * @param {ErrorObserver} observer
   * @param {Tally | null} [tally]
   * @param {Tally | null} [stage]
   * @param {number} [wholeMs] of the request with a name, when it began with another one
   */
  timeOut (error, ms, serviceMs, observer, tally = null, stage = null, wholeMs = ms) {
    this.timedOut++
    tally?.timeOut(codeOf(error))
    stage?.timeOut(codeOf(error))
    this.recordWait(ms, serviceMs, tally, stage, wholeMs)
    this.countError(error, 1, observer)
  }

  /**
   * The wait of a request without a response is in the figures.
   * @param {number} ms latency so far
   * @param {number} serviceMs service time so far
   * @param {Tally | null} tally
   * @param {Tally | null} stage
   * @param {number} wholeMs of the request with a name
   */
  recordWait (ms, serviceMs, tally, stage, wholeMs) {
    this.distributions.current.latency.record(ms)
    this.distributions.current.serviceTime.record(serviceMs)
    tally?.latency.record(wholeMs)
    stage?.latency.record(ms)
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {ErrorObserver} observer
   * @param {Tally | null} [tally]
   * @param {Tally | null} [stage]
   */
  fail (error, observer, tally = null, stage = null) {
    this.failed++
    tally?.fail(codeOf(error))
    stage?.fail(codeOf(error))
    this.countError(error, 1, observer)
  }

  /**
   * Errors that are no request's fate.
   * @param {Error & { code?: string }} error why there was no connection, or of an unsolicited response
   * @param {number} n how many requests would have been sent on it, or responses that came
   * @param {ErrorObserver} observer
   */
  failUnsent (error, n, observer) {
    this.neverSent += n
    this.countError(error, n, observer, true)
  }

  /**
   * Requests for streams have failed.
   * @param {number} ms until they timed out, before their stream began; NaN for all others
   * @param {number} n
   * @param {StageTally | null} [stage]
   * @param {StreamPart} [part]
   */
  losePending (ms, n, stage = null, part = WHOLE_RUN) {
    for (const instrument of this.ofPending) instrument.onLost(ms, n, stage, part)
  }

  /**
   * The run is over before the streams of requests began.
   * @param {number} ms for how long they have waited
   * @param {boolean} paced whether requests have an intended time
   * @param {number} n
   * @param {StageTally | null} [stage]
   * @param {StreamPart} [part]
   */
  abandonPending (ms, paced, n, stage = null, part = WHOLE_RUN) {
    for (const instrument of this.ofPending) instrument.onAbandoned(ms, paced, n, stage, part)
  }

  /**
   * With a rate: a request that has no response when the run ends is in the latency with the time it has waited so far.
   * One that is younger than the mean response is excluded, as it would only make latencies look shorter.
   * @param {number} ms
   * @param {number} mean latency of the responses
   * @param {number} [n] how many such requests
   * @param {Tally | null} [tally]
   * @param {Tally | null} [stage]
   * @param {number} [wholeMs] of the request with a name, when it began with another one
   * @returns {boolean} whether it is in the latency
   */
  recordPendingPaced (ms, mean, n = 1, tally = null, stage = null, wholeMs = ms) {
    if (ms < mean) return false
    this.distributions.current.latency.record(ms, n)
    tally?.latency.record(wholeMs, n)
    stage?.latency.record(ms, n)
    return true
  }

  /**
   * Without a rate: a request that has no response when the run ends is in the latency with the time it has waited so
   * far, if that is longer than any response took: its latency would have been longer still. A younger one is excluded.
   * @param {number} ms
   * @param {number} longest latency of the responses; 0 without any
   * @param {Tally | null} tally
   * @param {Tally | null} stage
   * @param {number} wholeMs of the request with a name
   * @returns {boolean} whether it is in the latency
   */
  recordPendingUnpaced (ms, longest, tally, stage, wholeMs) {
    if (longest === 0 || ms <= longest) return false
    this.recordWait(ms, ms, tally, stage, wholeMs)
    return true
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {number} n
   * @param {ErrorObserver} observer
   * @param {boolean} [isUnsent] whether they are no request's fate
   */
  countError (error, n, observer, isUnsent = false) {
    if (n === 0) return
    const code = codeOf(error)
    this.errorCodes.set(code, (this.errorCodes.get(code) ?? 0) + n)
    for (const instrument of this.ofErrors) instrument.onError(code, error.message, n, isUnsent)
    if (observer.requestError !== null) {
      for (let i = 0; i < n; i++) observer.requestError(error)
    }
    this.countTowardsBailout(n)
  }

  /**
   * Hands over the counts since the last call, and starts from 0.
   * @param {number} from ms since the start
   * @param {number} to
   * @param {number} sample
   * @param {import('./usage').Usage} usage
   * @param {boolean} [withDistributions] handing them over takes about 0.1 ms, too much for each of many short samples
   * @param {boolean} [isLast]
   * @returns {Snapshot}
   */
  take (from, to, sample, usage, withDistributions = true, isLast = false) {
    const counted = new Counters()
    for (const counter of COUNTERS) counted[counter] = this[counter]
    for (const instrument of this.ofSamples) instrument.onSample(this)
    const { instruments } = this
    /** @type {any} */
    const reports = Object.fromEntries(KEYS.map(key =>
      [key, withDistributions ? instruments[key]?.take(isLast) ?? null : null]))
    const snapshot = {
      from,
      to,
      sample,
      ...counted,
      sentUntil: Math.max(0, this.sentUntil - this.startsAt),
      connectingMs: Math.max(0, this.connectingMs),
      silentFrom: this.silentFrom,
      bailedOut: this.bailedOut,
      bailing: this.bailout === Infinity ? 0 : this.bailout - this.untilBailout,
      skipped: this.skipped,
      statuses: statusesIn(this.statuses),
      errorCodes: Object.fromEntries(this.errorCodes),
      usage,
      ...reports,
      keptPace: this.keptPace,
      connections: this.connections,
      streamLimit: this.streamLimit
    }
    this.clear()
    return snapshot
  }

  /** The counts of a snapshot start from 0. */
  clear () {
    this.skipped = null
    for (const counter of COUNTERS) this[counter] = 0
    this.statuses.fill(0)
    this.errorCodes.clear()
  }

  /**
   * Excludes the counts so far from the figures. Requests in flight get their fate later, so they count as sent from
   * now on, and iterations that go on as started.
   * @param {number} at ms since the generator started
   * @param {number} inFlight how many they are
   */
  skip (at, inFlight) {
    const { completed, timedOut, failed, forgone, resent } = this
    this.clear()
    for (const key of KEYS) this.instruments[key]?.skip(at)
    this.startsAt = at
    this.sent = inFlight
    this.skipped = { ms: at, requests: completed + timedOut + failed, inFlight, forgone, resent }
  }

  /**
   * @param {number} from as in `take`
   * @param {number} to
   * @param {number} sample
   * @param {import('./usage').Usage} usage
   * @returns {Snapshot}
   */
  takeLast (from, to, sample, usage) {
    return this.take(from, to, sample, usage, true, true)
  }
}

module.exports = { Recorder }
