'use strict'

// Converts user arrivals to iterations: the intended start of each iteration, and its wait for a user.

class Arrivals {
  /**
   * @param {import('./iteration-pacer').IterationPacer} pacer
   * @param {Pick<import('../shared').Shared, 'startedAt' | 'correctsOmission' | 'recorder'>} shared
   */
  constructor (pacer, shared) {
    this.pacer = pacer
    this.shared = shared
    const { iterations } = shared.recorder.instruments
    const counted = /** @type {import('../../instruments/iterations/record').Iterations} */ (iterations)
    this.counts = counted.arrivalsOf(pacer.scenario)
  }

  /** @param {number} at the time now, on the clock of the connections */
  isDue (at) {
    return this.pacer.iterations.due(at - this.shared.startedAt) > 0
  }

  /**
   * An iteration that is late because every user was busy counts from its due time. One that is late within the
   * generator's own lag counts from now: see engine/pacing/queue.
   * @param {number} at the time now; an iteration is due
   * @returns {number} the time from which the new iteration counts
   */
  take (at) {
    const { pacer, shared: { startedAt, correctsOmission, recorder } } = this
    const now = at - startedAt
    pacer.begin(now)
    const { iterations } = pacer
    const due = iterations.take()
    const { counts } = this
    const waited = iterations.waited(due, now)
    counts.arrived++
    if (recorder.instruments.stages !== null) recorder.instruments.stages.beginIteration(due, waited > 0, now)
    if (waited === 0) {
      recorder.distributions.current.lag.record(now - due)
      return at
    }
    counts.wait.record(waited)
    return correctsOmission ? at - waited : at
  }
}

/** The start of the load, for users in a closed loop. */
class Start {
  /** @param {Pick<import('../shared').Shared, 'startedAt'>} shared */
  constructor (shared) {
    this.shared = shared
  }

  /** @param {number} at the time now */
  isDue (at) {
    return at >= this.shared.startedAt
  }

  /** @param {number} at the time now, after the start */
  take (at) {
    return at
  }
}

/**
 * @param {import('../../options/plan').Plan} plan
 * @param {import('./pacer').Pacer | null} pacer
 * @param {import('../shared').Shared} shared
 * @returns {Array<Arrivals | Start | null>} for each group of connections; null for a closed loop
 */
function arrivalsOf ({ pacing, groups }, pacer, shared) {
  const pacers = pacer !== null && 'pacers' in pacer
    ? /** @type {import('./groups-pacer').GroupsPacer} */ (pacer).pacers
    : [pacer]
  const paces = groups === null ? [pacing] : groups.map(({ pacing }) => pacing)
  return pacers.map((one, i) => {
    if (one !== null && 'iterations' in one) {
      return new Arrivals(/** @type {import('./iteration-pacer').IterationPacer} */ (one), shared)
    }
    return groups !== null && paces[i] === null ? new Start(shared) : null
  })
}

module.exports = { arrivalsOf }
