'use strict'

// Owns one run: opens the channels to the generators, starts them together, hands on what they say, stops them, and hands over
// the outcome.

const { now } = require('../clock')
const { paceOf } = require('../load/pace')
const { split } = require('../options/plan')
const { ThresholdWatch } = require('../verdict/threshold-watch')
const { Measurement } = require('./measurement')

class Coordinator {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {number} generators to spread the plan over
   * @param {import('./channel-local').MakeChannel} makeChannel
   * @param {import('../follow/followers').Followers} followers
   * @param {import('../load/generator').Observer} observer
   * @param {import('../verdict/threshold').Threshold[]} [thresholds] those with abortOn may end the run
   */
  constructor (plan, generators, makeChannel, followers, observer, thresholds = []) {
    this.slices = split(plan, generators)
    this.makeChannel = makeChannel
    this.followers = followers
    this.observer = observer
    this.measurement = new Measurement(plan.sampleInt, this.slices.length, followers, plan.stages)
    const watched = thresholds.filter(({ abortOn }) => abortOn)
    this.watch = watched.length === 0 ? null : new ThresholdWatch(watched, boundsOf(this.slices))
    /** How many generators have not come to their end. */
    this.live = this.slices.length
    /** @type {Error | null} what made the run fail */
    this.failure = null
    /** @type {import('../verdict/threshold').Threshold | null} the one that ended the run, because it could not be met any more */
    this.lost = null
    this.stopped = false
    /** Whether somebody ended the run before its time. */
    this.interrupted = false
    /** Whether every generator has come to its end; what is left to do is telling. */
    this.measured = false
    /** @type {import('./channel-local').Channel[]} */
    this.channels = []
    this.finish = () => {}
  }

  /**
   * @returns {Promise<{ outcome: import('../figures/result').Outcome, lost: Coordinator['lost'], failure: Error | null }>} with what was measured
   */
  async run () {
    const { slices, measurement, makeChannel, observer } = this
    const finished = new Promise(resolve => { this.finish = () => resolve(undefined) })
    this.channels = slices.map((slice, i) => makeChannel(slice, this.sinksOf(i), observer))
    try {
      await Promise.all(this.channels.map(channel => channel.open()))
      const start = Date.now()
      const startedAt = now()
      // Before the start, or a worker would send until it hears of the stop.
      if (this.stopped) this.halt()
      for (const channel of this.channels) channel.start()
      this.followers.tell('start', { start })
      await finished
      const { failure, lost } = this
      if (failure !== null) measurement.totals.abandonRest()
      // The system's clock may have been set meanwhile.
      const finish = start + now() - startedAt
      return { outcome: measurement.outcome({ start, finish, targetRate: targetRate(slices), interrupted: this.interrupted || failure !== null }), lost, failure }
    } catch (error) {
      this.halt()
      throw error
    } finally {
      await Promise.all(this.channels.map(channel => channel.close()))
    }
  }

  /**
   * @param {number} generator
   * @returns {import('../load/generator').Sinks} where it says what it has measured
   */
  sinksOf (generator) {
    const { measurement, watch } = this
    return {
      snapshot: snapshot => {
        if (snapshot.skipped !== null) watch?.leaveOut(snapshot.skipped)
        if (measurement.add(generator, snapshot)) this.judge()
      },
      end: error => {
        if (error !== null) {
          this.failure ??= error
          this.halt()
        }
        this.measured = --this.live === 0
        if (measurement.end(generator)) this.judge()
        if (this.measured) this.finish()
      }
    }
  }

  /** Ends the run when a threshold can't be met any more. */
  judge () {
    const { watch, measurement } = this
    if (watch === null || this.stopped) return
    this.lost = watch.findLost(measurement.totals, measurement.elapsed)
    if (this.lost !== null) this.halt()
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
