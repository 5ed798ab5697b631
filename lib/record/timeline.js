'use strict'

// The timeline that samples and series share: the progress of each generator, the division of counts over samples or
// spans, and the number of samples per point.

/** No point is shorter, ms: handing histograms over takes about 0.1 ms. */
const SHORTEST = 100

/**
 * @typedef {object} Share of a snapshot that belongs to one sample
 * @property {number} index of the sample
 * @property {number} requests completed
 * @property {number} bytes
 * @property {number} length ms
 */

/** How far the generators have come. */
class Progress {
  /** @param {number} generators */
  constructor (generators) {
    /** The last sample that each generator has finished; Infinity once it has ended. */
    this.passed = new Array(generators).fill(-1)
    /** The last sample to which no generator adds anything more, and how many of them have come no farther. */
    this.complete = -1
    this.behind = generators
  }

  /**
   * Scans all only when the last of the slowest has gone on: once a sample, also of 1,000 generators.
   * @param {number} generator
   * @param {number} sample that it has finished
   */
  pass (generator, sample) {
    const { passed } = this
    const before = passed[generator]
    passed[generator] = sample
    if (before > this.complete || --this.behind > 0) return
    this.complete = Math.min(...passed)
    this.behind = passed.reduce((count, one) => one === this.complete ? count + 1 : count, 0)
  }

  /**
   * A generator that was too busy to end a sample in time ends several at once: they share its counts.
   * @param {number} generator
   * @param {import('./recorder').Snapshot} snapshot
   * @returns {Share[]} one for each sample that the generator has finished with it
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

  /** The generator adds nothing more. @param {number} generator */
  end (generator) {
    this.pass(generator, Infinity)
  }
}

/**
 * @param {number} total a whole number
 * @param {number} parts
 * @param {number} i which part
 * @returns {number} a whole number, too
 */
function share (total, parts, i) {
  return Math.floor(total * (i + 1) / parts) - Math.floor(total * i / parts)
}

/**
 * Divides events of a time between spans of equal length.
 * @param {number} from ms
 * @param {number} to
 * @param {number} length of a span, ms
 * @param {(index: number, part: number) => void} give called for each span that it touches, with the part in it
 */
function shareByTime (from, to, length, give) {
  const first = Math.floor(from / length)
  // An event without a duration is in one span.
  for (let i = first; i === first || i * length < to; i++) {
    give(i, to === from ? 1 : (Math.min(to, (i + 1) * length) - Math.max(from, i * length)) / (to - from))
  }
}

/**
 * @param {number} interval of the samples, ms
 * @returns {number} how many samples make a point
 */
function samplesPerPoint (interval) {
  return Math.max(1, Math.ceil(SHORTEST / interval))
}

module.exports = { Progress, shareByTime, samplesPerPoint }
