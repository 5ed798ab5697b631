'use strict'

// Converts user arrivals to iterations: the intended start of an iteration that begins now, and how long it has waited.

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
   * An iteration that is late because every user was busy has waited since it was due. One that is late by no more than
   * the generator itself was begins now: see engine/pacing/queue.
   * @param {number} at the time now, when one is due
   * @returns {number} from when the iteration counts that begins now
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

/** Informs users that send as soon as they have their responses of the start of the load. */
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
 * @returns {Array<Arrivals | Start | null>} of each group of connections; null where an iteration begins as soon as its
 *   user is free for it
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
