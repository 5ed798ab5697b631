'use strict'

// The counts of one thread: every request by its fate, every response by its status, every failure by its code. The hot
// path adds to fields; `take` returns the sums since the last call.

const { codeOf } = require('../core/errors')
const { KEYS, places } = require('../instruments')
const { Counters, COUNTERS } = require('./counters')
const { statusesIn } = require('./statuses')

/**
 * The counts of one generator in one span of time. Snapshots are added up, never overwritten.
 * @typedef {Counters & Span & import('../instruments').Reports} Snapshot with reports of instruments if it has
 *   distributions. The last snapshot has all remaining counts
 *
 * @typedef {object} Span
 * @property {number} from ms since the generator started
 * @property {number} to
 * @property {number} sample the index of the sample that it ends in
 * @property {number} sentUntil time of the last written request, ms since the start of the figures
 * @property {number} connectingMs time until every first attempt to connect had succeeded or failed, or the time so far
 * @property {number | null} silentFrom start of the last wait without data from the server, ms since the start of the
 *   figures; the end of the run if no request waits; null before the last snapshot
 * @property {boolean} bailedOut whether too many failures ended the run
 * @property {number} bailing failures of all samples so far that count towards `bailout`; 0 without one
 * @property {Skipped | null} skipped counts before the start of the figures; in the first snapshot of a run that
 *   excludes its start
 * @property {Record<string, number>} statuses completed requests by status code
 * @property {Record<string, number>} errorCodes errors by code
 * @property {import('./usage').Usage} usage load of the generator
 * @property {KeptPace | null} keptPace the pace; null without a rate
 * @property {number} connections number of open ones
 * @property {number | null} streamLimit the lowest limit of streams per connection of a server; null if it did not
 *   restrict the run
 */

/**
 * @typedef {object} StreamPart the part of a run to which a request for a stream belongs
 * @property {string | null} name of the request; null for none
 * @property {string | null} scenario
 * @property {boolean} isCompletion whether the stream may bring tokens
 *
 * @typedef {import('../instruments').StageTally} StageTally
 * @typedef {(ms: number, n: number, stage: StageTally | null, part: StreamPart) => void} OnLost see `losePending`
 * @typedef {(ms: number, paced: boolean, n: number, stage: StageTally | null, part: StreamPart) => void} OnAbandoned
 *   see `abandonPending`
 * @typedef {import('./tally').Tally} Tally of a named request or of a stage
 * @typedef {import('./totals').Skipped} Skipped
 *
 * @typedef {{ requestError: ((error: Error & { code?: string }) => void) | null }} ErrorObserver null without a
 *   listener
 *
 * @typedef {object} KeptPace
 * @property {'even' | 'batched'} pace
 * @property {PaceReason | string | null} reason why the default pace is not even; a sentence in raw results of older
 *   versions
 *
 * @typedef {{ code: 'cpu-wait', from: number }} PaceWait
 * @typedef {{ code: 'few-cores' | 'few-cores-of-agent', threads: number, cores: number }} PaceCores
 * @typedef {PaceWait | PaceCores} PaceReason `from`: seconds after the start; `cores`: available to this process
 */

/** @type {StreamPart} */
const WHOLE_RUN = Object.freeze({ name: null, scenario: null, isCompletion: true })

class Recorder extends Counters {
  /**
   * @param {number} [bailout] number of errors and mismatches before `onBailout` is called
   * @param {() => void} [onBailout]
   */
  constructor (bailout = Infinity, onBailout = () => {}) {
    super()
    this.bailout = bailout
    // The remaining failures until then.
    this.untilBailout = bailout
    this.onBailout = onBailout
    // −0 is a double for V8, and 0 a small integer. The first fraction in an integer field during a run would cause a
    // recompilation of all functions that use the Recorder.
    this.sentUntil = -0
    this.connectingMs = -0
    // The start of the figures, ms since the start of the generator.
    this.startsAt = -0
    /** @type {Skipped | null} */
    this.skipped = null
    this.bailedOut = false
    this.statuses = new Float64Array(1000)
    /** @type {Map<string, number>} */
    this.errorCodes = new Map()
    /** @type {import('../instruments').Live} */
    this.instruments = places('Live')
    // Instruments that count every response.
    this.distributions = this.instruments.distributions
    /** Instruments that count errors, samples, and requests before the start of their stream. @type {any[]} */
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

  /** @param {number} streams limit of a server per connection, lower than configured */
  limitStreams (streams) {
    this.streamLimit = Math.min(streams, this.streamLimit ?? streams)
  }

  /** @param {number} size bytes that have arrived */
  read (size) {
    this.bytes += size
  }

  /**
   * @param {number} responses completed by one read; their latency ends at the arrival of its last bytes
   * @param {number} ms between arrival and read
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
   * @returns {boolean} whether the latencies include it
   */
  complete (status, size, ms, serviceMs, ttfb) {
    this.completed++
    this.statuses[status]++
    this.distributions.record(ms, serviceMs, ttfb)
    return true
  }

  /** Whether latencies include requests without a response. */
  get hasPending () {
    return true
  }

  /**
   * Counts the last completed response for a part of the run: a named request or a stage.
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

  /** The last completed response had an unexpected body. */
  mismatch () {
    this.mismatches++
    this.countTowardsBailout(1)
  }

  /**
   * The last completed response had an expected status of 4xx or 5xx.
   * @param {Tally | null} tally
   * @param {Tally | null} stage
   */
  allow (tally, stage) {
    this.allowed++
    if (tally !== null) tally.allowed++
    if (stage !== null) stage.allowed++
  }

  /**
   * The last completed response failed a check, with a status below 400 or an allowed status. Any other status is a
   * failure itself.
   * @param {Tally | null} tally
   * @param {Tally | null} stage
   */
  fault (tally, stage) {
    this.faulty++
    if (tally !== null) tally.faulty++
    if (stage !== null) stage.faulty++
  }

  /** Ends the run at the limit of `bailout`. @param {number} failures */
  countTowardsBailout (failures) {
    const before = this.untilBailout
    this.untilBailout -= failures
    if (before <= 0 || this.untilBailout > 0) return
    this.bailedOut = true
    this.onBailout()
  }

  /**
   * Counts a failed request. A timed-out one is in the latency with its age.
   * @param {Error & { code?: string }} error
   * @param {number} ms latency so far
   * @param {number} serviceMs service time so far
   * @param {ErrorObserver} observer
   * @param {Tally | null} [tally]
   * @param {Tally | null} [stage]
   * @param {number} [wholeMs] of the named request, if it began with another request
   */
  timeOut (error, ms, serviceMs, observer, tally = null, stage = null, wholeMs = ms) {
    this.timedOut++
    tally?.timeOut(codeOf(error))
    stage?.timeOut(codeOf(error))
    this.recordWait(ms, serviceMs, tally, stage, wholeMs)
    this.countError(error, 1, observer)
  }

  /**
   * Includes the wait of a request without a response in the figures.
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
   * Counts errors that are not the fate of a request.
   * @param {Error & { code?: string }} error of a failed connect or of an unsolicited response
   * @param {number} n number of requests for the connection, or of unsolicited responses
   * @param {ErrorObserver} observer
   */
  failUnsent (error, n, observer) {
    this.neverSent += n
    this.countError(error, n, observer, true)
  }

  /**
   * Counts failed requests for streams.
   * @param {number} ms until their timeout before the start of the stream; NaN for other failures
   * @param {number} n
   * @param {StageTally | null} [stage]
   * @param {StreamPart} [part]
   */
  losePending (ms, n, stage = null, part = WHOLE_RUN) {
    for (const instrument of this.ofPending) instrument.onLost(ms, n, stage, part)
  }

  /**
   * Counts requests without a stream at the end of the run.
   * @param {number} ms their wait so far
   * @param {boolean} paced whether requests have an intended time
   * @param {number} n
   * @param {StageTally | null} [stage]
   * @param {StreamPart} [part]
   */
  abandonPending (ms, paced, n, stage = null, part = WHOLE_RUN) {
    for (const instrument of this.ofPending) instrument.onAbandoned(ms, paced, n, stage, part)
  }

  /**
   * With a rate: includes a request without a response at the end of the run with its wait so far. Waits below the mean
   * latency are excluded, because they would only make latencies look shorter.
   * @param {number} ms
   * @param {number} mean latency of the responses
   * @param {number} [n] number of such requests
   * @param {Tally | null} [tally]
   * @param {Tally | null} [stage]
   * @param {number} [wholeMs] of the named request, if it began with another request
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
   * Without a rate: includes a request without a response at the end of the run with its wait so far, if it exceeds all
   * latencies: its own would have been even longer. Shorter waits are excluded.
   * @param {number} ms
   * @param {number} longest latency of the responses; 0 without any
   * @param {Tally | null} tally
   * @param {Tally | null} stage
   * @param {number} wholeMs of the named request
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
   * @param {boolean} [isUnsent] whether they are not the fate of a request
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
   * Returns the counts since the last call, and restarts from 0.
   * @param {number} from ms since the start
   * @param {number} to
   * @param {number} sample
   * @param {import('./usage').Usage} usage
   * @param {boolean} [withDistributions] whether to include distributions, which takes about 0.1 ms, too much for many
   *   short samples
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

  /** Resets the counts of a snapshot. */
  clear () {
    this.skipped = null
    for (const counter of COUNTERS) this[counter] = 0
    this.statuses.fill(0)
    this.errorCodes.clear()
  }

  /**
   * Excludes the counts so far from the figures. Requests in flight get their fate later, so they count as sent after
   * it, and current iterations as started.
   * @param {number} at ms since the start of the generator
   * @param {number} inFlight number of requests in flight
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
   * @param {number} from see `take`
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
