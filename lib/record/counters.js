'use strict'

// The additive counters of a run: the one list of recorders, snapshots, totals and raw results. A new counter is a line
// here.

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
    /** Errors without a fate: requests that found no connection, unsolicited responses. */
    this.neverSent = 0
    /** Requests of a budget that attempts to connect used up: part of neverSent. */
    this.forgone = 0
    /** Completed requests whose body was not as expected. */
    this.mismatches = 0
    /** Completed requests whose body was compared. */
    this.compared = 0
    /** Responses of 4xx and 5xx whose status was expected. */
    this.allowed = 0
    /** Responses that were found wrong, of those below 400 and those that are allowed. */
    this.faulty = 0
    /** Sequences that started over because setupRequest returned nothing. */
    this.resets = 0
    /**
     * With a rate: requests that had to wait because no pipeline had room, or no socket took more, when they were due.
     */
    this.late = 0
    /** With a rate: requests that were due and not sent when the run ended. */
    this.unsent = 0
    /** Completed requests whose latency ends when their last bytes arrived in the kernel. */
    this.arrived = 0
    /** Of these, those that were read together with a later one, whose arrival they have. */
    this.sharedArrivals = 0
    /** Read. */
    this.bytes = 0
    /** Requests that were sent because a response was a redirect. */
    this.redirects = 0
    /** Requests that were sent because the one before had not the response that it should. */
    this.retries = 0
    /** Bodies that were decoded for inspection. */
    this.decodings = 0
    /** Of these, as they came. */
    this.encodedBytes = 0
    /** Their bytes after decoding. */
    this.decodedBytes = 0
  }
}

const COUNTERS = Object.freeze(/** @type {Array<keyof Counters>} */ (Object.keys(new Counters())))

/** Those that raw results of older versions do not have. @type {ReadonlySet<string>} */
const LATER = new Set([
  'redirects', 'retries', 'decodings', 'encodedBytes', 'decodedBytes', 'arrived', 'sharedArrivals'
])

module.exports = { Counters, COUNTERS, LATER }
