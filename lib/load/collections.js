'use strict'

// Owns how much time garbage collection takes: counted in the first second, estimated after it from looks
// that are a tenth of the time.
//
// Counting all of it would be felt. Node.js makes accessors for each collection that it tells of, which live on in V8's maps
// up to the next full collection, and so survive the quick ones: after half a minute V8 has seen so many survivors that it
// doubles its young generation, and the process is 7 MiB larger than the load needs. (v8.GCProfiler would do without them,
// but in Node.js 20 each of its starts adds memory that is never freed.)

const { PerformanceObserver } = require('node:perf_hooks')

/** How long each look lasts and how long after it the next one begins, ms. */
const FIRST_LOOK = 1000
const LOOK = 20
const REST = 180

class Collections {
  /**
   * @param {import('../clock').Clock} now
   * @param {typeof PerformanceObserver} [Observer] for tests
   */
  constructor (now, Observer = PerformanceObserver) {
    this.now = now
    this.observer = new Observer(list => this.add(list.getEntries()))
    /** In this look, ms. */
    this.seen = 0
    /** Up to the end of the last look, less what was taken, ms. */
    this.total = 0
    this.lookedUntil = 0
    /** When this look began; null while there is none. @type {number | null} */
    this.since = null
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
  }

  /** @param {ReadonlyArray<{ duration: number }>} collections */
  add (collections) {
    for (const { duration } of collections) this.seen += duration
  }

  start () {
    this.lookedUntil = this.now()
    this.look(this.lookedUntil, FIRST_LOOK)
  }

  /**
   * @param {number} since now
   * @param {number} ms
   */
  look (since, ms) {
    this.since = since
    this.observer.observe({ entryTypes: ['gc'] })
    this.after(ms, () => {
      // Node.js tells of a collection after the timers, in the same turn of the event loop.
      setImmediate(() => {
        if (this.since === null) return
        this.add(this.observer.takeRecords())
        this.observer.disconnect()
        this.count(this.since)
        this.since = null
        this.after(REST, () => this.look(this.now(), LOOK))
      })
    })
  }

  /**
   * What was seen in this look stands for the time before it, too, back to the last one.
   * @param {number} since when it began
   */
  count (since) {
    const at = this.now()
    if (at > since) this.total += this.seen * (at - this.lookedUntil) / (at - since)
    this.seen = 0
    this.since = at
    this.lookedUntil = at
  }

  /** @returns {number} ms since the last time; what a look shows that has to stand for more than itself comes when it ends */
  take () {
    if (this.since !== null && this.since === this.lookedUntil) {
      this.add(this.observer.takeRecords())
      this.count(this.since)
    }
    const { total } = this
    this.total = 0
    return total
  }

  stop () {
    clearTimeout(this.timer)
    this.observer.disconnect()
    this.since = null
  }

  /**
   * @param {number} ms
   * @param {() => void} action
   */
  after (ms, action) {
    this.timer = setTimeout(action, ms)
    this.timer.unref()
  }
}

module.exports = { Collections }
