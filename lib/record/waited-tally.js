'use strict'

// Counts of responses that arrive piece by piece, common to all kinds: the time to the first piece, also of requests
// that had none when the run ended, and tallies of each named request and scenario.

const { Counts } = require('./counts')

/** Handing over a part takes up to 0.5 ms without reads. A sample has this number of them, and the next one goes on. */
const PARTS_IN_TURN = 3

/** @abstract @template [Report=any] @extends {Counts<Report>} */
class WaitedTally extends Counts {
  constructor () {
    super()
    // Of the first pieces so far, also those handed over. −0: see Recorder.
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

  /** @param {number} ms to the first piece of a response, or so far */
  first (ms) {
    this.firsts.record(ms)
    this.begun++
    this.sum += ms
    if (ms > this.longest) this.longest = ms
  }

  /**
   * A request has had no piece when the run ended. As with the latency, one that has waited for longer than others took
   * is in the figures with that time; any other is excluded.
   * @param {number} ms
   * @param {boolean} paced whether requests have an intended time
   * @param {number} [n] how many such requests
   * @returns {boolean} whether they are in the figures
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

/** @typedef {'named' | 'scenarios'} Family of parts: requests with a name, and scenarios */

/** @type {ReadonlyArray<Family>} */
const FAMILIES = Object.freeze(['named', 'scenarios'])

/**
 * @template {new (...args: any[]) => any} T
 * @param {T} Tally with `add`, `reset`, `skip`, `encode` and `hasCounted`
 * @returns a tally of a run, with one of each named request and of each scenario; its report has theirs as `named` and
 *   `scenarios`
 */
function withParts (Tally) {
  return class extends Tally {
    /** Whether its report has named ones. */
    static hasParts = true

    /** @param {any[]} args of the tally of the run */
    constructor (...args) {
      super(...args)
      /** By the name of the request, whose names are bounded (instruments/requests). */
      this.named = /** @type {Map<string, InstanceType<T>>} */ (new Map())
      this.scenarios = /** @type {Map<string, InstanceType<T>>} */ (new Map())
      /** The index of the part that is handed over next. */
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
     * Called for each response: the list is made once.
     * @param {string | null} name of the request; null for none
     * @param {string | null} scenario
     * @returns {ReadonlyArray<InstanceType<T>>} where its pieces are counted
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
     * @param {boolean} [isLast] whether this is the last call: all parts, otherwise the next few of them
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
 * @param {(part: import('./recorder').StreamPart) => boolean} [awaits] whether requests of it wait for such a piece
 * @returns the same as `withParts`, and waits in vain
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
