'use strict'

// Owns one run: opens the channels to the generators, starts them together, adds up what comes back by sample, stops
// them, and makes the result.

const { LocalChannel } = require('./channel-local')
const { Samples } = require('../stats/samples')
const { ready } = require('../stats/histogram')
const { Totals } = require('../stats/totals')
const { buildResult } = require('../stats/result')
const { now } = require('../clock')

/**
 * @typedef {object} Tick one sample, complete over all generators
 * @property {number} counter requests completed in it
 * @property {number} bytes read in it
 * @property {number} length ms
 * @property {number} p99 ms, of all latencies so far
 */

/**
 * @typedef {object} Listener
 * @property {() => void} onStart all generators have started
 * @property {(tick: Tick) => void} onTick
 */

class Coordinator {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {import('../options/normalize').Values} values
   * @param {Listener} listener
   * @param {import('../http1/connection').Observer} observer
   */
  constructor (plan, values, listener, observer) {
    this.plan = plan
    this.values = values
    this.listener = listener
    this.observer = observer
    this.stopped = false
    /** @type {import('./channel-local').Channel[]} */
    this.channels = []
  }

  /** @returns {Promise<Record<string, any>>} the result */
  async run () {
    await ready()
    const slices = [this.plan]
    let live = slices.length
    /** @type {() => void} */
    let finished = () => {}
    const ended = new Promise(resolve => { finished = () => resolve(undefined) })
    const samples = new Samples(this.plan.sampleInt, slices.length)
    const totals = new Totals()
    const tick = () => {
      for (const { requests, bytes, length } of samples.takeFinal()) {
        this.listener.onTick({ counter: requests, bytes, length, p99: totals.latency.percentile(99) })
      }
    }
    this.channels = slices.map((slice, i) => new LocalChannel(slice, {
      snapshot (snapshot) {
        totals.add(snapshot)
        samples.add(i, snapshot)
        tick()
      },
      end () {
        samples.end(i)
        tick()
        if (--live === 0) finished()
      }
    }, this.observer))
    await Promise.all(this.channels.map(channel => channel.open()))
    const start = new Date()
    const startedAt = now()
    for (const channel of this.channels) channel.start()
    this.listener.onStart()
    if (this.stopped) this.stop()
    await ended
    const elapsed = now() - startedAt
    const result = buildResult(this.values, { totals, samples, elapsed, start, finish: new Date() })
    totals.destroy()
    return result
  }

  /** Ends the run early; `run` resolves with the result so far. */
  stop () {
    this.stopped = true
    for (const channel of this.channels) channel.stop()
  }
}

module.exports = { Coordinator }
