'use strict'

// The measurements of a run over all its generators: totals, samples, series, and generator load. It adds snapshots and
// notifies followers. It has no channels and no clock.

const { healthOf, latencyOf } = require('../instruments/generator/health')
const { Series } = require('../figures/series')
const { Samples } = require('../record/samples')
const { Totals } = require('../record/totals')
const { addUsage } = require('../record/usage')

/**
 * The reports of a generator.
 * @typedef {object} Reported
 * @property {number} sent requests
 * @property {number} completed
 * @property {number} arrived completed requests with a known arrival time
 * @property {number} late requests that were sent after they were due
 * @property {number} unsent
 * @property {number} forgone requests of a budget that attempts to connect used up
 * @property {import('../record/totals').Skipped} skipped counts excluded from the figures
 * @property {number} to ms since the figures began
 */

const NOTHING = Object.freeze({
  sent: 0, completed: 0, arrived: 0, late: 0, unsent: 0, forgone: 0,
  skipped: Object.freeze({ ms: 0, requests: 0, inFlight: 0, forgone: 0 }), to: 0
})

class Measurement {
  /**
   * @param {number} interval of the samples, ms
   * @param {number} generators
   * @param {import('../follow/followers').Followers} followers
   * @param {ReadonlyArray<import('../shapes/stages').Stage> | null} [stages] of a load that changes over time
   * @param {import('../judge/batches').Batches | null} [course] of the run, for verdicts that need it
   * @param {boolean} [tellsBytes] whether the number of read bytes is known
   * @param {import('../server/watch').Watch | null} [watch] of the server during the load
   */
  constructor (interval, generators, followers, stages = null, course = null, tellsBytes = true, watch = null) {
    /** Overrides for samples and ticks without a known number of bytes. @type {{ bytes?: null }} */
    this.unknown = tellsBytes ? {} : { bytes: null }
    this.followers = followers
    this.course = course
    /** The stages. A steered run adds stages. */
    this.stages = stages === null ? null : new (require('../shapes/stages').Stages)(stages)
    /**
     * The time until which each generator has sent all due requests, ms since the start of the load.
     * @type {number[]}
     */
    this.settled = new Array(generators).fill(-Infinity)
    this.totals = new Totals()
    this.samples = new Samples(interval, generators)
    this.series = new Series(interval, generators, (point, latency) => {
      course?.add(point, latency)
      followers.notify('sample', {
        point: /** @type {any} */ ({ ...point, ...this.unknown, errorCodes: { ...point.errorCodes } }), latency,
        totals: this.totals, ...this.gauges
      })
    }, this.stages === null
      ? null
      : (from, until) => this.targetOf(from, until), watch === null ? null : () => ({ server: watch.look() }))
    /** the longest measured time of a generator, ms */
    this.elapsed = 0
    /** @type {import('../record/usage').Usage[]} of each generator, of the whole run */
    this.usages = []
    /** By generator. @type {Reported[]} */
    this.reported = new Array(generators).fill(NOTHING)
    /** @type {import('../record/usage').Usage[]} of each generator, in its last sample */
    this.latest = []
    /**
     * Queued snapshots.
     * @type {Array<{ generator: number, snapshot: import('../record/recorder').Snapshot | null, isLost: boolean }>}
     */
    this.waiting = []
    this.isAdding = false
    /** The number of open connections of each generator at its last snapshot. @type {number[]} */
    this.open = new Array(generators).fill(0)
    /** The number of added snapshots. */
    this.revision = 0
  }

  /**
   * Adds a snapshot, and returns whether a sample has ended on all generators.
   * @type {(generator: number, snapshot: import('../record/recorder').Snapshot) => boolean}
   */
  add (generator, snapshot) {
    this.waiting.push({ generator, snapshot, isLost: false })
    return this.addWaiting()
  }

  /**
   * Ends a generator, which adds no more snapshots.
   * @param {number} generator
   * @param {boolean} [isLost] whether its agent is lost
   * @returns {boolean} as add()
   */
  end (generator, isLost = false) {
    this.waiting.push({ generator, snapshot: null, isLost })
    return this.addWaiting()
  }

  /**
   * Adds queued snapshots. A follower may stop the run, and a generator in this thread then delivers its last snapshot
   * before the current one is in the series. Without the queue, the series would lose a sample.
   */
  addWaiting () {
    if (this.isAdding) return false
    this.isAdding = true
    let hasEnded = false
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      const { generator, snapshot, isLost } = next
      this.revision++
      if (isLost) this.open[generator] = 0
      if (snapshot === null) this.samples.end(generator)
      if (snapshot === null) this.settled[generator] = Infinity
      else this.count(generator, snapshot)
      hasEnded = this.tellTicks() || hasEnded
      if (snapshot === null) this.series.end(generator, isLost)
      else this.series.add(generator, snapshot)
    }
    this.isAdding = false
    return hasEnded
  }

  /** @type {(generator: number, snapshot: import('../record/recorder').Snapshot) => void} */
  count (generator, snapshot) {
    this.elapsed = Math.max(this.elapsed, snapshot.to)
    this.usages[generator] = addUsage(this.usages[generator], snapshot.usage)
    this.latest[generator] = snapshot.usage
    const { sent, completed, arrived, late, unsent, forgone, skipped } = this.reported[generator]
    this.reported[generator] = {
      sent: sent + snapshot.sent,
      completed: completed + snapshot.completed,
      arrived: arrived + snapshot.arrived,
      late: late + snapshot.late,
      unsent: unsent + snapshot.unsent,
      forgone: forgone + snapshot.forgone,
      skipped: snapshot.skipped ?? skipped,
      to: snapshot.to
    }
    this.open[generator] = snapshot.connections
    this.totals.add(snapshot)
    if (this.stages !== null && snapshot.stages !== null) this.settled[generator] = snapshot.stages.settled
    this.samples.add(generator, snapshot)
  }

  /** @returns {boolean} whether a sample was complete */
  tellTicks () {
    const complete = this.samples.takeFinal()
    for (const { requests, bytes, length } of complete) {
      this.followers.notify('tick', {
        counter: requests, bytes, length, p99: this.totals.distributions.latency.percentile(99),
        generator: healthOf(this.latest, undefined, [], undefined, {
          hasHooks: true, latency: latencyOf(this.totals.distributions.latency)
        }),
        ...this.iterations, ...this.gauges, ...this.unknown, ...this.course?.known
      })
    }
    return complete.length > 0
  }

  /** @returns {{ iterations?: number }} completed iterations; empty without users */
  get iterations () {
    const { iterations } = this.totals.instruments
    return iterations === null ? {} : { iterations: iterations.ended }
  }

  /** @returns {{ connections: number, inFlight: number }} totals of all generators at their last snapshots */
  get gauges () {
    const { sent, completed, timedOut, failed, abandoned } = this.totals
    return {
      connections: this.open.reduce((sum, open) => sum + open, 0),
      inFlight: sent - completed - timedOut - failed - abandoned
    }
  }

  /**
   * @param {number} from ms since the figures began
   * @param {number} until
   * @returns {number} the target: requests per second on average, or connections at the end
   */
  targetOf (from, until) {
    const skipped = this.totals.skipped?.ms ?? 0
    const stages = /** @type {import('../shapes/stages').Stages} */ (this.stages)
    // A run ends slightly later than its last stage.
    const end = Math.min(until + skipped, stages.until)
    return stages.meanTarget(stages.list[0].over !== 'connections' ? Math.min(from + skipped, end - 1) : end - 1, end)
  }

  /** @param {import('../shapes/stages').Stage} stage that follows */
  extend (stage) {
    /** @type {import('../shapes/stages').Stages} */ (this.stages).extend(stage)
  }

  /**
   * @param {number} i index of the stage
   * @param {number[]} [percentiles] in addition to the documented ones
   * @returns {{ complete: boolean, tally: import('../instruments/stages/stage-tally').StageTally, figures:
   *   Record<string, any> }} counts and figures of the stage; complete: no generator has requests of it in flight or to
   *   send
   */
  stage (i, percentiles) {
    const { totals, elapsed, series } = this
    const { list } = /** @type {import('../shapes/stages').Stages} */ (this.stages)
    const { stageResult, tallyOf } = require('../instruments/stages/result')
    const tally = tallyOf(totals, i)
    const { sent, completed, timedOut, failed, abandoned } = tally
    return {
      complete: Math.min(...this.settled) >= list[i].until && sent === completed + timedOut + failed + abandoned,
      tally,
      // A caller that waits for completion does not need figures before.
      get figures () {
        return stageResult({ stages: list, totals, elapsed, series: series.points }, i, percentiles)
      }
    }
  }

  /**
   * @param {Pick<import('../figures/result').Outcome, 'targetRate' | 'users' | 'interrupted' | 'agents'> & { start:
   *   number, finish: number }} run `start` and `finish` in ms since 1970
   * @returns {import('../figures/result').Outcome}
   */
  outcome ({ start, finish, targetRate, users, interrupted, agents }) {
    const { totals, samples, series, elapsed, usages, stages } = this
    return {
      totals,
      stages: stages === null ? null : stages.list,
      samples,
      series: series.points,
      elapsed,
      start: new Date(start + (totals.skipped?.ms ?? 0)),
      finish: new Date(finish),
      targetRate,
      users,
      usages: usages.filter(usage => usage !== undefined),
      interrupted,
      agents
    }
  }
}

module.exports = { Measurement }
