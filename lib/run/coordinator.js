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
    this.plan = plan
    this.generators = generators
    this.makeChannel = makeChannel
    this.followers = followers
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
    const { followers } = this
    const slices = split(this.plan, this.generators)
    const measurement = new Measurement(this.plan.sampleInt, slices.length, followers)
    const watch = this.thresholds.length === 0 ? null : new ThresholdWatch(this.thresholds, boundsOf(slices))
    /** @type {Error | null} */
    let failure = null
    /** @type {import('../verdict/threshold').Threshold | null} */
    let lost = null
    let live = slices.length
    /** @type {() => void} */
    let finish = () => {}
    const finished = new Promise(resolve => { finish = () => resolve(undefined) })
    const judge = () => {
      if (watch === null || this.stopped) return
      lost = watch.findLost(measurement.totals, measurement.elapsed)
      if (lost !== null) this.halt()
    }
    this.channels = slices.map((slice, i) => this.makeChannel(slice, {
      snapshot: snapshot => {
        if (snapshot.skipped !== null) watch?.leaveOut(snapshot.skipped)
        if (measurement.add(i, snapshot)) judge()
      },
      end: error => {
        if (error !== null) {
          failure ??= error
          this.halt()
        }
        this.measured = --live === 0
        if (measurement.end(i)) judge()
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
      followers.tell('start', { start })
      await finished
      if (failure !== null) measurement.totals.abandonRest()
      return {
        // The system's clock may have been set meanwhile.
        outcome: measurement.outcome({ start, finish: start + now() - startedAt, targetRate: targetRate(slices), interrupted: this.interrupted || failure !== null }),
        lost,
        failure
      }
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
