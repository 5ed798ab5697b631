'use strict'

// Owns one run: opens the channels to the generators, starts them together, adds up what comes back by sample, stops
// them, and hands over the outcome.

const { now } = require('../clock')
const { paceOf } = require('../load/pace')
const { split } = require('../options/plan')
const { healthOf } = require('../figures/generator-health')
const { Samples } = require('../record/samples')
const { Series } = require('../figures/series')
const { ThresholdWatch } = require('../verdict/threshold-watch')
const { Totals } = require('../record/totals')
const { addUsage } = require('../record/usage')
const { LocalChannel } = require('./channel-local')

/**
 * @typedef {object} Tick one sample, complete over all generators
 * @property {number} counter requests completed in it
 * @property {number} bytes read in it
 * @property {number} length ms
 * @property {number} p99 ms, of all latencies so far
 * @property {import('../figures/generator-health').GeneratorHealth} generator how busy the generators were in it
 */

/**
 * @typedef {object} Listener
 * @property {() => void} onStart all generators have started
 * @property {(tick: Tick) => void} onTick
 * @property {(point: import('../figures/series').Point, latency: import('../record/histogram').Histogram | null) => void} onPoint a point of the
 *   series is complete; its latencies as Series hands them over
 */

class Coordinator {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {number | undefined} workers threads to spread the plan over; undefined for this thread
   * @param {Listener} listener
   * @param {import('../load/connection').Observer} observer
   * @param {import('../verdict/threshold').Threshold[]} [thresholds] those with abortOn may end the run
   */
  constructor (plan, workers, listener, observer, thresholds = []) {
    this.plan = plan
    this.workers = workers
    this.listener = listener
    this.observer = observer
    this.thresholds = thresholds.filter(({ abortOn }) => abortOn)
    this.stopped = false
    /** Whether somebody ended the run before its time. */
    this.interrupted = false
    /** Whether every generator has come to its end; what is left to do is telling. */
    this.measured = false
    /** @type {import('./channel-local').Channel[]} */
    this.channels = []
  }

  /**
   * @returns {Promise<{ outcome: import('../figures/result').Outcome, lost: import('../verdict/threshold').Threshold | null, failure: Error | null }>} what
   *   was measured, the threshold that ended the run because it could not be met any more, and what made the run fail
   */
  async run () {
    const { listener, workers } = this
    const slices = workers === undefined ? [this.plan] : split(this.plan, workers)
    const totals = new Totals()
    const samples = new Samples(this.plan.sampleInt, slices.length)
    const series = new Series(this.plan.sampleInt, slices.length, listener.onPoint)
    /** @type {Error | null} */
    let failure = null
    let live = slices.length
    let elapsed = 0
    const watch = this.thresholds.length === 0 ? null : new ThresholdWatch(this.thresholds, boundsOf(slices))
    /** @type {import('../verdict/threshold').Threshold | null} */
    let lost = null
    /** @type {import('../record/usage').Usage[]} of each generator, of the whole run */
    const usages = []
    /** @type {import('../record/usage').Usage[]} of each generator, in its last sample */
    const latest = []
    /** @type {() => void} */
    let finish = () => {}
    const finished = new Promise(resolve => { finish = () => resolve(undefined) })
    const tick = () => {
      const complete = samples.takeFinal()
      if (watch !== null && complete.length > 0 && !this.stopped) {
        lost = watch.findLost(totals, elapsed)
        if (lost !== null) this.halt()
      }
      for (const { requests, bytes, length } of complete) {
        listener.onTick({ counter: requests, bytes, length, p99: totals.distributions.latency.percentile(99), generator: healthOf(latest) })
      }
    }
    const Channel = workers === undefined ? LocalChannel : require('./channel-thread').ThreadChannel
    this.channels = slices.map((slice, i) => new Channel(slice, {
      snapshot (snapshot) {
        elapsed = Math.max(elapsed, snapshot.to)
        usages[i] = addUsage(usages[i], snapshot.usage)
        latest[i] = snapshot.usage
        totals.add(snapshot)
        if (snapshot.skipped !== null) watch?.leaveOut(snapshot.skipped)
        samples.add(i, snapshot)
        tick()
        series.add(i, snapshot)
      },
      end: error => {
        if (error !== null) {
          failure ??= error
          this.halt()
        }
        this.measured = --live === 0
        samples.end(i)
        tick()
        series.end(i)
        if (this.measured) finish()
      }
    }, this.observer))
    try {
      await Promise.all(this.channels.map(channel => channel.open()))
      const start = Date.now()
      const startedAt = now()
      // Before the start, or a worker would send until it hears of the stop.
      if (this.stopped) this.halt()
      for (const channel of this.channels) channel.start()
      listener.onStart()
      await finished
      if (failure !== null) totals.abandonRest()
      // The system's clock may have been set meanwhile.
      const finish = new Date(start + now() - startedAt)
      return { outcome: { totals, samples, series: series.points, elapsed, start: new Date(start + (totals.skipped?.ms ?? 0)), finish, targetRate: targetRate(slices), usages: usages.filter(usage => usage !== undefined), interrupted: this.interrupted || failure !== null }, lost, failure }
    } catch (error) {
      this.halt()
      throw error
    } finally {
      await Promise.all(this.channels.map(channel => channel.close()))
    }
  }

  /** Listeners to single requests have come or gone. */
  observe () {
    for (const channel of this.channels) channel.observe()
  }

  /** Ends the run early; `run` resolves with what was measured so far. What comes too late for that has no effect. */
  stop () {
    this.interrupted ||= !this.measured
    this.halt()
  }

  halt () {
    this.stopped = true
    for (const channel of this.channels) channel.stop()
  }
}

/**
 * @param {import('../options/plan').Plan[]} slices
 * @returns {number | null} requests per second of all of them together; null for a closed loop
 */
function targetRate (slices) {
  return slices[0].pacing === null ? null : slices.reduce((sum, { pacing }) => sum + (pacing?.rate ?? 0), 0)
}

/**
 * @param {import('../options/plan').Plan[]} slices
 * @returns {import('../verdict/threshold-watch').Bounds}
 */
function boundsOf (slices) {
  const amount = slices.reduce((sum, { amount, connections, maxConnectionRequests, maxOverallRequests }) =>
    sum + (amount ?? (maxConnectionRequests === null ? maxOverallRequests ?? Infinity : maxConnectionRequests * connections)), 0)
  const duration = slices[0].amount === null ? slices[0].duration : Infinity
  const due = slices.reduce((sum, { pacing }) => sum + (pacing === null ? Infinity : paceOf(pacing, duration).total), 0)
  return { amount, duration: duration - slices[0].skipFirst, due }
}

module.exports = { Coordinator, boundsOf }
