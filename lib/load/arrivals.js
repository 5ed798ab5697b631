'use strict'

// Owns what the arrival of users means for their rounds: from when one that begins now counts, and what is told of the time it has waited.

/** Where users hear of rounds that are due. */
class Arrivals {
  /**
   * @param {import('./round-pacer').RoundPacer} pacer
   * @param {Pick<import('./connection').Shared, 'startedAt' | 'correctsOmission' | 'recorder'>} shared
   */
  constructor (pacer, shared) {
    this.pacer = pacer
    this.shared = shared
  }

  /**
   * A round that is late because every user was busy has waited since it was due. One that is late by no more than the generator itself
   * was begins now: see load/queue.
   * @param {number} at the time now, on the clock of the connections
   * @returns {number} from when the round counts that begins now; NaN when none is due
   */
  take (at) {
    const { pacer, shared: { startedAt, correctsOmission, recorder } } = this
    const now = at - startedAt
    if (!pacer.take(now)) return NaN
    const { rounds } = pacer
    const due = rounds.take()
    if (!rounds.waited(due, now)) {
      recorder.distributions.current.lag.record(now - due)
      return at
    }
    const waited = now - due - rounds.debt
    recorder.rounds?.wait.record(waited)
    return correctsOmission ? at - waited : at
  }
}

module.exports = { Arrivals }
