'use strict'

// Common counts of all kinds of responses that arrive in pieces: the time to the first piece, including requests
// without one at the end of the run, and tallies of each named request and scenario.

const { Counts } = require('./counts')

/**
 * The number of parts per sample, because the report of a part takes up to 0.5 ms without reads. The next sample
 * continues with the next part.
 */
const PARTS_IN_TURN = 3

/** @abstract @template [Report=any] @extends {Counts<Report>} */
class WaitedTally extends Counts {
  constructor () {
    super()
    // Sums of the times to the first piece so far, including reported ones. −0: see Recorder.
    this.begun = 0
    this.sum = -0
    this.longest = -0
  }

  /**
   * Times to the first piece.
   * @abstract
   * @returns {import('./histogram').Histogram}
   */
  get firsts () {
    throw new Error('a tally has first times')
  }

  /** @param {number} ms to the first piece of a response, or the wait so far */
  first (ms) {
    this.firsts.record(ms)
    this.begun++
    this.sum += ms
    if (ms > this.longest) this.longest = ms
  }

  /**
   * Counts requests without a piece at the end of the run. As with latency, a wait that is longer than the times of
   * others is in the figures; shorter waits are excluded.
   * @param {number} ms
   * @param {boolean} paced whether requests have an intended time
   * @param {number} [n] number of such requests
   * @returns {boolean} whether the figures include them
   */
  pending (ms, paced, n = 1) {
    if (this.begun === 0 || !(paced ? ms >= this.sum / this.begun : ms > this.longest)) return false
    this.firsts.record(ms, n)
    return true
  }

  skip () {
    this.reset()
    this.begun = 0
    this.sum = 0
    this.longest = 0
  }
}

/** @typedef {'named' | 'scenarios'} Family the kind of a part: named requests or scenarios */

/** @type {ReadonlyArray<Family>} */
const FAMILIES = Object.freeze(['named', 'scenarios'])

/**
 * @template {new (...args: any[]) => any} T
 * @param {T} Tally with `add`, `reset`, `skip`, `encode` and `hasCounted`
 * @returns the class of a run's tally, with a tally of each named request and each scenario; its report has them as
 *   `named` and `scenarios`
 */
function withParts (Tally) {
  return class extends Tally {
    /** Whether its report has tallies of parts. */
    static hasParts = true

    /** @param {any[]} args of the tally of the run */
    constructor (...args) {
      super(...args)
      /** By name of the request; instruments/requests limits the number of names. */
      this.named = /** @type {Map<string, InstanceType<T>>} */ (new Map())
      this.scenarios = /** @type {Map<string, InstanceType<T>>} */ (new Map())
      /** The index of the next part to report. */
      this.turn = 0
      /** Caches `talliesOf`. @type {Map<string | null, Map<string | null, Array<InstanceType<T>>>>} */
      this.together = new Map()
    }

    /** @param {Family} family @param {string} name @returns {InstanceType<T>} */
    of (family, name) {
      let tally = this[family].get(name)
      if (tally === undefined) this[family].set(name, tally = new Tally())
      return /** @type {InstanceType<T>} */ (tally)
    }

    /**
     * Called for each response, so the list is cached.
     * @param {string | null} name of the request; null for none
     * @param {string | null} scenario
     * @returns {ReadonlyArray<InstanceType<T>>} the tallies for its pieces
     */
    talliesOf (name, scenario) {
      let ofScenario = this.together.get(scenario)
      if (ofScenario === undefined) this.together.set(scenario, ofScenario = new Map())
      let tallies = ofScenario.get(name)
      if (tallies === undefined) {
        const all = /** @type {InstanceType<T>} */ (/** @type {unknown} */ (this))
        tallies = [all]
        if (name !== null) tallies.push(this.of('named', name))
        if (scenario !== null) tallies.push(this.of('scenarios', scenario))
        ofScenario.set(name, tallies)
      }
      return tallies
    }

    /** @returns {Array<{ family: Family, name: string, tally: InstanceType<T> }>} */
    get parts () {
      return FAMILIES.flatMap(family => Array.from(this[family], ([name, tally]) => ({ family, name, tally })))
    }

    /** @param {any} report */
    add ({ named, scenarios, ...report }) {
      super.add(report)
      for (const { name, ...one } of named) this.of('named', name).add(one)
      for (const { name, ...one } of scenarios) this.of('scenarios', name).add(one)
    }

    skip () {
      super.skip()
      for (const { tally } of this.parts) tally.skip()
    }

    /**
     * @param {boolean} [isLast] whether this is the last call, which reports all parts and not only the next few
     * @returns {any} the counts since the last call
     */
    take (isLast = false) {
      const all = this.parts
      const count = isLast ? all.length : Math.min(PARTS_IN_TURN, all.length)
      const taken = Array.from({ length: count }, (_, i) => all[(this.turn + i) % all.length])
        .filter(({ tally }) => tally.hasCounted)
      this.turn = all.length === 0 ? 0 : (this.turn + count) % all.length
      const report = { ...super.encode(), ...encoded(taken) }
      this.reset()
      for (const { tally } of taken) tally.reset()
      return report
    }

    encode () {
      return { ...super.encode(), ...encoded(this.parts) }
    }
  }
}

/**
 * @template {new (...args: any[]) => WaitedTally} T
 * @param {T} Tally
 * @param {'firstEvent' | 'firstToken'} time to the first piece, in the times of a stage
 * @param {(part: import('./recorder').StreamPart) => boolean} [awaits] whether requests of the part wait for such a
 *   piece
 * @returns the class of `withParts`, which also counts waits without a piece
 */
function withWaits (Tally, time, awaits = () => true) {
  return class extends withParts(Tally) {
    /** @type {import('./recorder').OnLost} */
    onLost (ms, n, stage, part) {
      if (Number.isNaN(ms) || !awaits(part)) return
      for (const tally of this.talliesOf(part.name, part.scenario)) tally.first(ms)
      stage?.times?.[time]?.record(ms, n)
    }

    /** @type {import('./recorder').OnAbandoned} */
    onAbandoned (ms, paced, n, stage, part) {
      if (!awaits(part)) return
      const [isCounted] = this.talliesOf(part.name, part.scenario).map(tally => tally.pending(ms, paced, n))
      if (isCounted) stage?.times?.[time]?.record(ms, n)
    }
  }
}

/** @type {(parts: Array<{ family: Family, name: string, tally: any }>) => Record<Family, Array<{ name: string }>>} */
function encoded (parts) {
  const of = (/** @type {Family} */ wanted) => parts.filter(({ family }) => family === wanted)
    .map(({ name, tally }) => ({ name, ...tally.encode() }))
  return { named: of('named'), scenarios: of('scenarios') }
}

module.exports = { WaitedTally, withParts, withWaits }
