'use strict'

// The common timeline of samples and series: the progress of each generator, the division of counts among samples or
// spans, and the number of samples per point.

/** The minimum length of a point, ms: a report of histograms takes about 0.1 ms. */
const SHORTEST = 100

/**
 * @typedef {object} Share the part of a snapshot in one sample
 * @property {number} index of the sample
 * @property {number} requests completed
 * @property {number} bytes
 * @property {number} length ms
 */

/** The progress of the generators. */
class Progress {
  /** @param {number} generators */
  constructor (generators) {
    /** The last sample that each generator has finished; Infinity once it has ended. */
    this.passed = new Array(generators).fill(-1)
    /**
     * The last sample that every generator has finished, and the number of generators that have finished no later one.
     */
    this.complete = -1
    this.slowest = generators
  }

  /**
   * Records progress. It scans all generators only when the last of the slowest has advanced: once per sample, even
   * with 1,000 generators.
   * @param {number} generator
   * @param {number} sample finished by the generator
   */
  pass (generator, sample) {
    const { passed } = this
    const before = passed[generator]
    passed[generator] = sample
    if (before > this.complete || --this.slowest > 0) return
    this.complete = Math.min(...passed)
    this.slowest = passed.reduce((count, one) => one === this.complete ? count + 1 : count, 0)
  }

  /**
   * Divides a snapshot: a generator that was too busy to end a sample in time ends several at once, which share the
   * counts.
   * @param {number} generator
   * @param {import('./recorder').Snapshot} snapshot
   * @returns {Share[]} one for each sample that the snapshot finishes
   */
  advance (generator, { sample, from, to, completed, bytes }) {
    const first = this.passed[generator] + 1
    const parts = sample - first + 1
    this.pass(generator, sample)
    return Array.from({ length: parts }, (_, i) => ({
      index: first + i,
      requests: share(completed, parts, i),
      bytes: share(bytes, parts, i),
      length: (to - from) / parts
    }))
  }

  /** Ends a generator, which adds no more snapshots. @param {number} generator */
  end (generator) {
    this.pass(generator, Infinity)
  }
}

/**
 * @param {number} total an integer
 * @param {number} parts
 * @param {number} i index of the part
 * @returns {number} an integer
 */
function share (total, parts, i) {
  return Math.floor(total * (i + 1) / parts) - Math.floor(total * i / parts)
}

/**
 * Divides events of an interval among spans of equal length.
 * @param {number} from ms
 * @param {number} to
 * @param {number} length of a span, ms
 * @param {(index: number, part: number) => void} give called for each overlapping span, with the share of the interval
 *   in it
 */
function shareByTime (from, to, length, give) {
  const first = Math.floor(from / length)
  // An interval without a length is in one span.
  for (let i = first; i === first || i * length < to; i++) {
    give(i, to === from ? 1 : (Math.min(to, (i + 1) * length) - Math.max(from, i * length)) / (to - from))
  }
}

/**
 * @param {number} interval of the samples, ms
 * @returns {number} the number of samples per point
 */
function samplesPerPoint (interval) {
  return Math.max(1, Math.ceil(SHORTEST / interval))
}

module.exports = { Progress, shareByTime, samplesPerPoint }
