'use strict'

// Keeps exemplar requests of a thread: the slowest, and the first that failed. Each response is compared with one
// number (`slowest.floor`), which rises: of a million like responses some 250 get past it. Such a request is written
// into a Slot, and made into text when it is handed over. record.js merges those of several generators.

/** How many of each. */
const KEPT = 20

/** @typedef {import('./record').Exemplar} Exemplar */

/** One request, as it was when it completed or failed. */
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
    /** What was sent, from which the text is made. @type {any} */
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
    /** The latency that a request has to exceed, ms. */
    this.floor = -Infinity
    /** @type {Slot[]} */
    this.slots = []
    /** Which of them has the lowest latency, once there are enough. */
    this.least = 0
    /** Which of them have not been handed over. @type {Set<Slot>} */
    this.fresh = new Set()
  }

  /**
   * @param {number} ms more than `floor`: its latency
   * @returns {Slot} which is that request's from now on
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

  /** @returns {Slot[]} that were entered since the last time */
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

  /** Whether one more is kept. */
  get isOpen () {
    return this.count < KEPT
  }

  /** @returns {Slot} for a request that may have failed: `keep` marks it as failed; present while it is open */
  get draft () {
    return (this.slots[this.count] ??= new Slot())
  }

  /** The request in the draft has failed. @param {string | null} error */
  keep (error) {
    if (!this.isOpen) return
    this.draft.error = error
    this.count++
  }

  /** @returns {Slot | null} a copy of the draft, of which it is found out later whether it has failed; null for none */
  setAside () {
    return this.isOpen ? Object.assign(new Slot(), this.draft) : null
  }

  /** @type {(slot: Slot | null, error: string) => void} */
  keepLate (slot, error) {
    if (slot === null || !this.isOpen) return
    this.slots[this.count++] = slot
    slot.error = error
  }

  /** @returns {Slot[]} kept since the last time */
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
   * Forgets all of them.
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
