'use strict'

// The additive counters of a run, for recorders, snapshots, totals and raw results. A new counter is one line here.

class Counters {
  constructor () {
    this.sent = 0
    this.completed = 0
    this.timedOut = 0
    this.failed = 0
    /** In flight when the run ended. */
    this.abandoned = 0
    /** Sent again, because the server closed a connection that was in use. */
    this.resent = 0
    /** Errors that are not the fate of a request: failed connects, unsolicited responses. */
    this.neverSent = 0
    /** Requests of a budget that attempts to connect used up: part of neverSent. */
    this.forgone = 0
    /** Completed requests with an unexpected body. */
    this.mismatches = 0
    /** Completed requests with a compared body. */
    this.compared = 0
    /** Responses with an expected status of 4xx or 5xx. */
    this.allowed = 0
    /** Responses that failed a check, with a status below 400 or an allowed status. */
    this.faulty = 0
    /** Sequences that started over because setupRequest returned nothing. */
    this.resets = 0
    /**
     * With a rate: requests that had to wait because at their due time no pipeline had room or no socket accepted
     * writes.
     */
    this.late = 0
    /** With a rate: requests that were due but unsent at the end of the run. */
    this.unsent = 0
    /** Completed requests with a latency up to the arrival of their last bytes in the kernel. */
    this.arrived = 0
    /** The part of `arrived` that was read together with a later response, and has its arrival time. */
    this.sharedArrivals = 0
    /** Bytes read. */
    this.bytes = 0
    /** Requests sent because of a redirect. */
    this.redirects = 0
    /** Requests sent again because of an unexpected response. */
    this.retries = 0
    /** Bodies that were decoded for inspection. */
    this.decodings = 0
    /** Bytes of decoded bodies before decoding. */
    this.encodedBytes = 0
    /** Bytes of decoded bodies after decoding. */
    this.decodedBytes = 0
  }
}

const COUNTERS = Object.freeze(/** @type {Array<keyof Counters>} */ (Object.keys(new Counters())))

/** Counters that raw results of older versions lack. @type {ReadonlySet<string>} */
const LATER = new Set([
  'redirects', 'retries', 'decodings', 'encodedBytes', 'decodedBytes', 'arrived', 'sharedArrivals'
])

module.exports = { Counters, COUNTERS, LATER }
