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
    /** When this look began; null while there is none. @type {number | null} */
    this.since = null
    /** What this look has shown, ms. */
    this.seen = 0
    /** When the first look ended and what it had shown, ms. @type {{ at: number, seen: number } | null} */
    this.first = null
    /** The looks after it: what they have shown, and how long they were, ms. */
    this.later = { seen: 0, length: 0 }
    this.taken = 0
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
  }

  /** @param {ReadonlyArray<{ duration: number }>} collections */
  add (collections) {
    for (const { duration } of collections) this.seen += duration
  }

  start () {
    this.look(FIRST_LOOK)
  }

  /** @param {number} ms */
  look (ms) {
    this.since = this.now()
    this.observer.observe({ entryTypes: ['gc'] })
    this.after(ms, () => {
      // Node.js tells of a collection after the timers, in the same turn of the event loop.
      setImmediate(() => {
        if (this.since === null) return
        this.add(this.observer.takeRecords())
        this.observer.disconnect()
        this.count(this.now(), this.since)
        this.since = null
        this.after(REST, () => this.look(LOOK))
      })
    })
  }

  /**
   * @param {number} at the end of a look
   * @param {number} since when it began
   */
  count (at, since) {
    if (this.first === null) {
      this.first = { at, seen: this.seen }
    } else {
      // The clock leaves standstills out, the collections in them are seen.
      this.later.seen += Math.min(this.seen, at - since)
      this.later.length += at - since
    }
    this.seen = 0
  }

  /**
   * The share that the looks had, of all of the time. (Not what each look has shown times what it stands for: a long
   * collection makes its look long, and would count for less.)
   * @returns {number} ms since the start
   */
  estimate () {
    const { first, later } = this
    if (first === null) {
      if (this.since !== null) this.add(this.observer.takeRecords())
      return this.seen
    }
    return first.seen + (later.length === 0 ? 0 : later.seen / later.length * (this.now() - first.at))
  }

  /** @returns {number} ms since the last time */
  take () {
    // A share that fell can make the estimate lower than it was.
    const taken = Math.max(this.taken, this.estimate())
    const ms = taken - this.taken
    this.taken = taken
    return ms
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
