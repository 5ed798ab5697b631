'use strict'

// Keeps the exemplars of a thread: the slowest requests, and the first failed ones. Each response is compared with one
// number (`slowest.floor`), which rises: of a million similar responses, about 250 exceed it. Such a request is written
// into a Slot, which becomes text when it is handed over. record.js merges the exemplars of several load generators.

/** The number of exemplars of each kind. */
const KEPT = 20

/** @typedef {import('./record').Exemplar} Exemplar */

/** One request, at the time when it completed or failed. */
class Slot {
  constructor () {
    // −0: see Recorder.
    this.time = -0
    this.waited = -0
    this.total = -0
    /** −1 for none. */
    this.firstByte = -0
    this.connect = -0
    this.connection = 0
    /** 0 for none. */
    this.status = 0
    this.size = 0
    /** @type {string | null} */
    this.error = null
    /** Sources of its text. @type {any} */
    this.step = null
    this.entry = 0
    /** @type {any} */
    this.request = null
    /** @type {Buffer | null} */
    this.bytes = null
  }
}

/**
 * @typedef {(slot: Slot) => Pick<Exemplar, 'name' | 'request' | 'trace'>} Describe
 */

class Slowest {
  constructor () {
    /** Only a request with a higher latency is kept, ms. */
    this.floor = -Infinity
    /** @type {Slot[]} */
    this.slots = []
    /** The index of the slot with the lowest latency, once all are in use. */
    this.least = 0
    /** Slots that have not been handed over. @type {Set<Slot>} */
    this.fresh = new Set()
  }

  /**
   * @param {number} ms the latency of a request, higher than `floor`
   * @returns {Slot} for that request
   */
  enter (ms) {
    const { slots } = this
    const slot = slots.length < KEPT ? new Slot() : slots[this.least]
    if (slots.length < KEPT) slots.push(slot)
    slot.total = ms
    this.fresh.add(slot)
    if (slots.length === KEPT) this.findLeast()
    return slot
  }

  findLeast () {
    const { slots } = this
    let least = 0
    for (let i = 1; i < KEPT; i++) if (slots[i].total < slots[least].total) least = i
    this.least = least
    this.floor = slots[least].total
  }

  /** @returns {Slot[]} those since the last call */
  take () {
    const fresh = [...this.fresh]
    this.fresh.clear()
    return fresh
  }
}

class FirstFailures {
  constructor () {
    /** @type {Slot[]} */
    this.slots = []
    this.count = 0
    this.taken = 0
  }

  /** Whether another failure is kept. */
  get isOpen () {
    return this.count < KEPT
  }

  /** @returns {Slot} for a request that may have failed: `keep` marks it as failed. Valid while `isOpen` */
  get draft () {
    return (this.slots[this.count] ??= new Slot())
  }

  /** The request in the draft has failed. @param {string | null} error */
  keep (error) {
    if (!this.isOpen) return
    this.draft.error = error
    this.count++
  }

  /**
   * @returns {Slot | null} a copy of the draft, for a request that may turn out later to have failed; null if none is
   *   kept
   */
  setAside () {
    return this.isOpen ? Object.assign(new Slot(), this.draft) : null
  }

  /** @type {(slot: Slot | null, error: string) => void} */
  keepLate (slot, error) {
    if (slot === null || !this.isOpen) return
    this.slots[this.count++] = slot
    slot.error = error
  }

  /** @returns {Slot[]} those since the last call */
  take () {
    const { taken, count, slots } = this
    this.taken = count
    return slots.slice(taken, count)
  }
}

class ExemplarSelection {
  constructor () {
    this.slowest = new Slowest()
    this.failures = new FirstFailures()
    /** @type {Describe} */
    this.describe = () => ({ name: null, request: '' })
    /** When the figures begin, on the clock of the slots. */
    this.startsAt = -0
  }

  /**
   * Starts again, without the exemplars so far.
   * @param {number} at when the figures begin
   */
  skip (at) {
    this.slowest = new Slowest()
    this.failures = new FirstFailures()
    this.startsAt = at
  }

  /** @returns {import('./record').ExemplarsReport | null} those since the last call; null for none */
  take () {
    const [slowest, failures] = [this.slowest, this.failures].map(kept => kept.take().map(slot => this.exemplar(slot)))
    return slowest.length + failures.length === 0 ? null : { slowest, failures }
  }

  /** @param {Slot} slot @returns {Exemplar} */
  exemplar (slot) {
    const { time, connection, connect, waited, firstByte, total, status, size, error } = slot
    const { name, request, ...traced } = this.describe(slot)
    return {
      time: time - this.startsAt,
      name,
      request,
      connection,
      connect: connect < 0 ? null : connect,
      waited,
      firstByte: firstByte < 0 ? null : firstByte,
      total,
      status: status === 0 ? null : status,
      size,
      error,
      ...traced
    }
  }
}

module.exports = { KEPT, ExemplarSelection, Slot }
