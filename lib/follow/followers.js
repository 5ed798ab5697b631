'use strict'

// The interface of a follower of a run. An error in one follower affects neither the run nor other followers.

/**
 * Watches a run with any of these methods. Their order: `warmUp` if there is one; for each run `start`, then `tick` and
 * `sample` repeatedly, and `done`. If the run ends with an error, `failed` replaces the rest.
 *
 * The run owns the arguments and may change them: a follower copies data that it keeps, and changes nothing. A call
 * must return at once, because a generator may send requests from the same thread; the result has the time of calls in
 * `generator.blockedMs`. Promises are not awaited. An exception is rethrown outside of the run and ends the process,
 * after the other followers have been called.
 * @typedef {object} Follower
 * @property {(sentence: string) => void} [notice] at any time: the run waits, or has a problem, such as with agents
 * @property {(line: string) => void} [log] a line of a user function
 * @property {(warmUp: { connections: number, duration: number }) => void} [warmUp] `duration` in seconds
 * @property {(info: { start: number }) => void} [start] all generators have started; `start` in ms since 1970
 * @property {(tick: Tick) => void} [tick]
 * @property {(sample: Sample) => void} [sample]
 * @property {(step: Record<string, any>) => void} [step] a step of a search for the limit has ended; `next` is the next
 *   value, null at the end
 * @property {(result: Record<string, any>) => void} [done] the run has ended; its result has the verdicts
 * @property {(error: Error) => void} [failed]
 *
 * @typedef {object} Tick a sample interval has ended on all generators
 * @property {number} counter requests completed in the interval
 * @property {number | null} bytes read in the interval; null if the client does not report them
 * @property {number} length ms
 * @property {number} p99 ms, of all latencies so far
 * @property {import('../instruments/generator/health').GeneratorHealth} generator the load of the generators in the
 *   interval
 * @property {number} connections that are open
 * @property {number} inFlight requests that wait for a response
 * @property {number} [iterations] completed so far; undefined without users
 * @property {Known} [until] the precision reached, in a run that ends at a target precision
 *
 * @typedef {object} Known
 * @property {string} metric its name
 * @property {number | null} width half of the confidence interval, relative to the value, at the last check; null while
 *   unknown
 * @property {number} target
 *
 * @typedef {object} Sample a point of the series is complete. Points of several machines are merged by their index:
 *   counts and histograms are summed; `length` and the generator load are maxima
 * @property {import('../figures/series').Point} point
 * @property {import('../record/histogram').Histogram | null} latency latency of requests that completed in the
 *   interval, in µs; null without any. It is reused after the call: keep a copy of `latency.encode()`
 * @property {import('../record/totals').Totals} totals of the run so far; they may include newer snapshots of some
 *   generators
 * @property {number} connections that are open
 * @property {number} inFlight requests that wait for a response
 */

class Followers {
  constructor () {
    /** @type {Follower[]} */
    this.list = []
  }

  /** @param {Follower} follower called after followers that were added earlier */
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

/**
 * Rethrows an error outside of the run's promise: it is not an error of the run, and must not be lost.
 * @param {unknown} error
 */
function throwOutside (error) {
  process.nextTick(() => { throw error })
}

module.exports = { Followers, throwOutside }
