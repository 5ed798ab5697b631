'use strict'

// Counts how often each check passed and failed, by reason, with the first failed response for each reason.

/** Further reasons of a check are counted together: reasons with an id in them would fill the memory. */
const MAX_REASONS = 50
const OTHER_REASONS = 'other reasons'

/** Further checks are counted together: a Client may create new ones without end. */
const MAX_CHECKS = 500
const OTHER_REQUESTS = 'other requests'
const OTHER_CHECKS = 'other checks'

/**
 * @typedef {object} FailedResponse the first one of its reason that failed
 * @property {number} status
 * @property {Array<[name: string, value: string]>} headers
 * @property {string} body the first 2 KiB, as text
 * @property {boolean} truncated whether there was more
 *
 * @typedef {object} CheckCounts
 * @property {string} name
 * @property {string | null} request the name of the requests that it checks; null for all that have no own checks
 * @property {number} passed
 * @property {number} failed
 * @property {number} [unjudged] evaluations without a verdict when the run ended; left out for none
 * @property {Record<string, number>} reasons
 * @property {Record<string, FailedResponse>} samples by reason
 */

class CheckTally {
  /** @param {string} name @param {string | null} request */
  constructor (name, request) {
    this.name = name
    this.request = request
    this.passed = 0
    this.failed = 0
    this.unjudged = 0
    /** All reasons so far. @type {Set<string>} */
    this.known = new Set()
    /** @type {Map<string, number>} */
    this.reasons = new Map()
    /** @type {Map<string, FailedResponse>} */
    this.samples = new Map()
  }

  /**
   * @param {string} reason
   * @param {(() => FailedResponse) | null} sample called for the first failure of each reason; null without a response
   */
  fail (reason, sample) {
    this.failed++
    const counted = this.count(reason, 1)
    if (this.known.has(counted)) return
    this.known.add(counted)
    if (sample !== null) this.samples.set(counted, sample())
  }

  /** @param {string} reason @param {number} n @returns {string} the reason under which it is counted */
  count (reason, n) {
    const counted = this.known.has(reason) || this.known.size < MAX_REASONS ? reason : OTHER_REASONS
    this.reasons.set(counted, (this.reasons.get(counted) ?? 0) + n)
    return counted
  }

  /** @param {CheckCounts} counts */
  add ({ passed, failed, unjudged = 0, reasons, samples }) {
    this.passed += passed
    this.failed += failed
    this.unjudged += unjudged
    for (const [reason, n] of Object.entries(reasons)) {
      const counted = this.count(reason, n)
      this.known.add(counted)
      if (Object.hasOwn(samples, reason) && !this.samples.has(counted)) this.samples.set(counted, samples[reason])
    }
  }

  /** @returns {CheckCounts} */
  counts () {
    const { name, request, passed, failed, unjudged } = this
    return {
      name, request, passed, failed, ...unjudged > 0 && { unjudged }, reasons: Object.fromEntries(this.reasons),
      samples: Object.fromEntries(this.samples)
    }
  }

  /** @returns {CheckCounts} the counts since the last call; each sample is handed over once */
  take () {
    const counts = this.counts()
    this.passed = 0
    this.failed = 0
    this.unjudged = 0
    this.reasons.clear()
    this.samples.clear()
    return counts
  }
}

/** All checks of a run, in the order of their first use. */
class Checks {
  constructor () {
    /** @type {CheckTally[]} */
    this.tallies = []
    // By request, then by name: user functions look a check up at each evaluation.
    /** @type {Map<string | null, Map<string, CheckTally>>} */
    this.byRequest = new Map()
  }

  /** @param {string} name @param {string | null} request @returns {CheckTally} */
  of (name, request) {
    const known = this.byRequest.get(request)?.get(name)
    if (known !== undefined) return known
    if (this.tallies.length >= MAX_CHECKS && request !== OTHER_REQUESTS) return this.of(name, OTHER_REQUESTS)
    // A user function may create new names without end.
    if (this.tallies.length >= 2 * MAX_CHECKS && name !== OTHER_CHECKS) return this.of(OTHER_CHECKS, OTHER_REQUESTS)
    return this.begin(name, request)
  }

  /** @type {(name: string, request: string | null) => CheckTally} */
  begin (name, request) {
    const tally = new CheckTally(name, request)
    this.tallies.push(tally)
    const ofRequest = this.byRequest.get(request) ?? new Map()
    this.byRequest.set(request, ofRequest.set(name, tally))
    return tally
  }

  /** @param {CheckCounts[]} list */
  add (list) {
    for (const counts of list) this.of(counts.name, counts.request).add(counts)
  }

  /** Starts from 0 and drops samples. References to a tally stay valid. */
  skip () {
    for (const tally of this.tallies) {
      tally.take()
      tally.known.clear()
    }
  }

  /** @returns {CheckCounts[]} */
  encode () {
    return Array.from(this.tallies, tally => tally.counts())
  }

  /** @returns {CheckCounts[]} the counts since the last call */
  take () {
    return Array.from(this.tallies, tally => tally.take())
  }
}

module.exports = {
  Checks, Live: Checks, Total: Checks, CheckTally, MAX_REASONS, OTHER_REASONS, MAX_CHECKS, OTHER_REQUESTS
}
