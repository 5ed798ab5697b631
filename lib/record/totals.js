'use strict'

// The sum of snapshots of all samples and generators. The order does not matter.

const { Counters, COUNTERS } = require('./counters')
const { INSTRUMENTS, KEYS, places } = require('../instruments')
const { countErrors } = require('./statuses')

/**
 * Excluded counts.
 * @typedef {object} Skipped
 * @property {number} ms length of the excluded time
 * @property {number} requests sent and ended in this time
 * @property {number} inFlight requests sent in this time without a response yet: they count as sent at the start of the
 *   figures
 * @property {number} forgone requests of a budget that attempts to connect used up in this time
 * @property {number} [resent] repetitions of requests in this time; raw results of older versions lack it
 */

/**
 * A snapshot, or the totals of a raw result, which lack some keys in older versions.
 * @typedef {Counters & Pick<Snapshot, 'sentUntil' | 'statuses' | 'errorCodes'> &
 *   Partial<Pick<Snapshot, 'skipped' | 'bailedOut' | 'silentFrom' | 'keptPace' | 'streamLimit'>> &
 *   { [K in import('../instruments').Key]?:
 *   Parameters<NonNullable<import('../instruments').Totals[K]>['add']>[0] | null } & { connectingMs?: number | null }}
 *   Addend
 *
 * @typedef {import('./recorder').Snapshot} Snapshot
 */

class Totals extends Counters {
  constructor () {
    super()
    this.sentUntil = 0
    /** @type {number | null} see Snapshot; null if unknown, such as in raw results of older versions */
    this.connectingMs = null
    /** @type {number | null} see Snapshot; the latest of all generators */
    this.silentFrom = null
    this.bailedOut = false
    /** @type {Skipped | null} counts of all generators, and the longest time */
    this.skipped = null
    /** @type {Record<string, number>} */
    this.statuses = {}
    /** @type {Record<string, number>} */
    this.errorCodes = {}
    /** @type {import('../instruments').Totals} */
    this.instruments = places('Total')
    this.distributions = this.instruments.distributions
    /** @type {import('./recorder').KeptPace | null} of all generators: batched if one was */
    this.keptPace = null
    /** @type {number | null} the lowest of all generators */
    this.streamLimit = null
  }

  /** @returns {number} requests without a response */
  get errors () {
    return this.timedOut + this.failed + this.neverSent
  }

  /** @returns {number} responses with an unexpected 4xx or 5xx */
  get unexpected () {
    return countErrors(this.statuses) - this.allowed
  }

  /** @returns {number} failed requests, each once */
  get failures () {
    return this.errors + this.unexpected + this.faulty
  }

  /** @param {Addend} snapshot */
  add (snapshot) {
    for (const counter of COUNTERS) this[counter] += snapshot[counter] ?? 0
    this.sentUntil = Math.max(this.sentUntil, snapshot.sentUntil)
    if (snapshot.connectingMs != null) this.connectingMs = Math.max(this.connectingMs ?? 0, snapshot.connectingMs)
    if (snapshot.silentFrom != null) this.silentFrom = Math.max(this.silentFrom ?? 0, snapshot.silentFrom)
    if (snapshot.bailedOut) this.bailedOut = true
    if (snapshot.skipped != null) this.skipped = together(this.skipped ?? NOTHING, snapshot.skipped)
    addCounts(this.statuses, snapshot.statuses)
    addCounts(this.errorCodes, snapshot.errorCodes)
    for (const key of KEYS) if (snapshot[key] != null) this.addReport(key, snapshot[key])
    // Raw results of older versions lack some.
    if (snapshot.keptPace != null && this.keptPace?.pace !== 'batched') this.keptPace = snapshot.keptPace
    if (snapshot.streamLimit != null) this.streamLimit = Math.min(snapshot.streamLimit, this.streamLimit ?? Infinity)
  }

  /** @param {import('../instruments').Key} key @param {any} report */
  addReport (key, report) {
    const { Total } = INSTRUMENTS[key].record()
    const total = /** @type {any} */ (this.instruments)[key] ??= new Total()
    total.add(report)
  }

  /**
   * The fates of requests that were in flight at the end of a dead generator's last sample, and all later counts, are
   * lost.
   */
  abandonRest () {
    this.abandoned = this.sent - this.completed - this.timedOut - this.failed
    for (const key of KEYS) /** @type {any} */ (this.instruments[key])?.abandonRest?.()
  }
}

const NOTHING = Object.freeze({ ms: 0, requests: 0, inFlight: 0, forgone: 0, resent: 0 })

/** @param {Skipped} one @param {Skipped} other of another generator */
function together (one, other) {
  return {
    ms: Math.max(one.ms, other.ms),
    requests: one.requests + other.requests,
    inFlight: one.inFlight + other.inFlight,
    forgone: one.forgone + other.forgone,
    resent: (one.resent ?? 0) + (other.resent ?? 0)
  }
}

/** @param {Record<string, number>} counts receives the sum @param {Record<string, number>} more */
function addCounts (counts, more) {
  for (const [key, n] of Object.entries(more)) counts[key] = (counts[key] ?? 0) + n
}

module.exports = { Totals }
