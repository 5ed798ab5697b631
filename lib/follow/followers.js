'use strict'

// The interface of a follower of a run. An error in one follower affects neither the run nor other followers.

/**
 * Watches a run. It has any of these methods. They are called in this order: `warmUp` when there is one; for each run
 * `start`, then `tick` and `sample` as time goes by, and `done`; `failed` instead of the rest when the run ends with an
 * error.
 *
 * Its arguments belong to the run, which may still change them: a follower copies what it keeps, and changes nothing. A
 * call returns at once, because a generator may send its requests from the same thread: the time that a call takes
 * there is in the result as `generator.blockedMs`. A promise is not awaited. An exception of a method is rethrown
 * outside of the run: it ends the process, and the other followers are called all the same.
 * @typedef {object} Follower
 * @property {(sentence: string) => void} [notice] at any time: the run waits for something, or has trouble, such as
 *   with agents
 * @property {(line: string) => void} [log] a line of a user function
 * @property {(warmUp: { connections: number, duration: number }) => void} [warmUp] `duration` in seconds
 * @property {(info: { start: number }) => void} [start] all generators have started; `start` in ms since 1970
 * @property {(tick: Tick) => void} [tick]
 * @property {(sample: Sample) => void} [sample]
 * @property {(step: Record<string, any>) => void} [step] a step of a search for the limit has ended, and the value that
 *   is tried `next`: null at the end
 * @property {(result: Record<string, any>) => void} [done] the run has ended, and its result is judged
 * @property {(error: Error) => void} [failed]
 *
 * @typedef {object} Tick a sample interval has ended on all generators
 * @property {number} counter requests completed in it
 * @property {number | null} bytes read in it; null where the client does not report them
 * @property {number} length ms
 * @property {number} p99 ms, of all latencies so far
 * @property {import('../instruments/generator/health').GeneratorHealth} generator how busy the generators were in it
 * @property {number} connections that are open
 * @property {number} inFlight requests that wait for a response
 * @property {number} [iterations] of users that have ended so far; none where there are no users
 * @property {Known} [until] of a run that ends at the precision of a figure
 *
 * @typedef {object} Known
 * @property {string} metric its name
 * @property {number | null} width half of its interval, relative to it, as of the last look; null while it is unknown
 * @property {number} target
 *
 * @typedef {object} Sample a point of the series is complete. Points of several machines are merged by their index: the
 *   counts add up, `length` and how busy the generators were is the greatest, and latencies add up as histograms
 * @property {import('../figures/series').Point} point
 * @property {import('../record/histogram').Histogram | null} latency of the requests that ended in it, in µs; null when
 *   there is none. It is reused once the call returns: to keep it, copy `latency.encode()`
 * @property {import('../record/totals').Totals} totals of the run so far; a generator that is ahead may have added
 *   more than this point
 * @property {number} connections that are open
 * @property {number} inFlight requests that wait for a response
 */

class Followers {
  constructor () {
    /** @type {Follower[]} */
    this.list = []
  }

  /** @param {Follower} follower is called after earlier ones */
  add (follower) {
    this.list.push(follower)
  }

  /**
   * @template {keyof Follower} T
   * @param {T} what
   * @param {Parameters<NonNullable<Follower[T]>>[0]} details
   */
  notify (what, details) {
    for (const follower of this.list) {
      try {
        follower[what]?.(/** @type {any} */ (details))
      } catch (error) {
        throwOutside(error)
      }
    }
  }
}

/** An error of a follower is not an error of the run, and must not get lost in its promise. @param {unknown} error */
function throwOutside (error) {
  process.nextTick(() => { throw error })
}

module.exports = { Followers, throwOutside }
