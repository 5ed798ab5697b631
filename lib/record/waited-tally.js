'use strict'

// What is counted of responses that bring something piece by piece, as far as it is the same for all kinds: the time to
// the first piece, also of requests that had none when the run ended, and a tally for each named request.

/** To hand over a name takes up to 0.5 ms, in which nothing is read. A sample has so many, and the next one goes on. */
const NAMES_IN_TURN = 3

/** @abstract */
class WaitedTally {
  constructor () {
    // Of the first pieces so far, also those handed over. −0: see Recorder.
    this.answered = 0
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

  /** @abstract */
  reset () {}

  /** @param {number} ms to the first piece of a response, or so far */
  first (ms) {
    this.firsts.record(ms)
    this.answered++
    this.sum += ms
    if (ms > this.longest) this.longest = ms
  }

  /**
   * A request has had no piece when the run ended. As with the latency, one that has waited for longer than others took
   * is in the figures with that time; any other tells nothing.
   * @param {number} ms
   * @param {boolean} paced whether requests have an intended time
   * @param {number} [n] how many such requests
   * @returns {boolean} whether they are in the figures
   */
  unanswered (ms, paced, n = 1) {
    if (this.answered === 0 || !(paced ? ms >= this.sum / this.answered : ms > this.longest)) return false
    this.firsts.record(ms, n)
    return true
  }

  skip () {
    this.reset()
    this.answered = 0
    this.sum = 0
    this.longest = 0
  }
}

/**
 * @template {new (...args: any[]) => any} T
 * @param {T} Tally with `add`, `reset`, `skip`, `encode` and `hasCounted`
 * @returns a tally of a run, with one of each named request; its report has theirs as `named`
 */
function withNames (Tally) {
  return class extends Tally {
    /** @param {any[]} args of the tally of the run */
    constructor (...args) {
      super(...args)
      /** @type {Map<string, InstanceType<T>>} */
      this.named = new Map()
      /** The index of the name that is handed over next. */
      this.turn = 0
    }

    /**
     * @param {string} name of a request, whose names are bounded (instruments/requests)
     * @returns {InstanceType<T>}
     */
    of (name) {
      let tally = this.named.get(name)
      if (tally === undefined) this.named.set(name, tally = new Tally())
      return /** @type {InstanceType<T>} */ (tally)
    }

    /**
     * @param {{ name: string } | null} request null for one without a name
     * @returns {Array<InstanceType<T>>} where what it brings is counted
     */
    talliesOf (request) {
      const all = /** @type {InstanceType<T>} */ (/** @type {unknown} */ (this))
      return request === null ? [all] : [all, this.of(request.name)]
    }

    /** @param {any} report */
    add ({ named, ...report }) {
      super.add(report)
      for (const { name, ...one } of named) this.of(name).add(one)
    }

    skip () {
      super.skip()
      for (const tally of this.named.values()) tally.skip()
    }

    /**
     * @param {boolean} [isLast] whether there is no later: all names, else a few of them in turn
     * @returns {any} what was counted since the last time
     */
    take (isLast = false) {
      const all = [...this.named]
      const count = isLast ? all.length : Math.min(NAMES_IN_TURN, all.length)
      const taken = Array.from({ length: count }, (_, i) => all[(this.turn + i) % all.length])
        .filter(([, tally]) => tally.hasCounted)
      this.turn = all.length === 0 ? 0 : (this.turn + count) % all.length
      const report = { ...super.encode(), named: taken.map(([name, tally]) => ({ name, ...tally.encode() })) }
      this.reset()
      for (const [, tally] of taken) tally.reset()
      return report
    }

    encode () {
      return { ...super.encode(), named: Array.from(this.named, ([name, tally]) => ({ name, ...tally.encode() })) }
    }
  }
}

module.exports = { WaitedTally, withNames }
