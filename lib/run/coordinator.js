'use strict'

// One run: opens the channels to the generators, starts them together, forwards their reports, adds stages, stops them,
// and returns the outcome.

const { now, sharedNow } = require('../core/clock')
const { AgentLostError } = require('../core/errors')
const { paceOf } = require('../shapes/pace')
const { Stages, rampsConnections } = require('../shapes/stages')
const { split } = require('../options/split')
const { loadFor } = require('../instruments')
const { PROTOCOLS, SHAPES } = require('../parts')
const { Measurement } = require('./measurement')
const { mostFrequent } = require('./no-connection')

/** @typedef {Pick<import('./agents/fleet').Fleet, 'agents' | 'agentOf' | 'lead' | 'onLoss'>} Fleet */

/** The time until every generator has received the start time, ms. A late one catches up. */
const LEAD = 20

/** Lost agents that have been reported. @type {WeakSet<Error>} */
const reported = new WeakSet()

/** The time by which a sample may end early, ms. */
const EARLY = 100

class Coordinator {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {number} generators the number of generators for the plan
   * @param {import('./channel-local').MakeChannel} makeChannel
   * @param {import('../follow/followers').Followers} followers
   * @param {import('../engine/generator').Observer} observer
   * @param {import('../judge/threshold').Threshold[]} [thresholds] those with abortOn may end the run
   * @param {import('../judge/batches').Batches | null} [course] of the run, for verdicts that need it; it may end the
   *   run
   * @param {Fleet | null} [fleet] for generators on other machines
   * @param {import('../server/watch').Watch | null} [server] watches the server during the load
   */
  constructor (
    plan, generators, makeChannel, followers, observer, thresholds = [], course = null, fleet = null, server = null
  ) {
    const slices = split(plan, generators, fleet !== null)
    this.slices = fleet === null ? slices : onMachines(slices, fleet)
    this.fleet = fleet
    this.server = server
    this.log = fleet === null ? null : new (require('./fleet-log').FleetLog)(fleet, this.slices)
    loadFor(plan)
    if (fleet !== null) require('../instruments/agents/result')
    this.makeChannel = makeChannel
    this.followers = followers
    this.observer = observer
    this.measurement = new Measurement(
      plan.sampleInt, this.slices.length, followers, plan.stages, course, !PROTOCOLS[plan.protocol].load().isOpaque,
      server
    )
    const watched = thresholds.filter(({ abortOn }) => abortOn)
    this.watch = watched.length === 0
      ? null
      : new (require('../judge/threshold-watch').ThresholdWatch)(watched, boundsOf(this.slices))
    this.live = this.slices.length
    /** @type {Error | null} the failure of the run */
    this.failure = null
    /**
     * @type {import('../judge/threshold').Threshold | null} the threshold that ended the run, because it could no
     *   longer pass
     */
    this.lost = null
    /** Generators that are not ready for the common start. */
    this.awaited = new Set(this.slices[0].together ? this.slices.keys() : [])
    /** The common start on the shared clock; Infinity while unknown. */
    this.beginsAt = Infinity
    /** Generators with a part of the data that ends the run. */
    this.sharing = new Set([...this.slices.keys()].filter(i =>
      this.slices[i].sharedValues?.sources.some(({ pick, end, used }) => used && pick === 'once' && end === 'run')))
    /** The failures of each generator that count towards `bailout`. @type {number[]} */
    this.bailing = []
    /** Whether a generator has used up its part of the data. */
    this.usedUp = false
    this.stopped = false
    /** The time at which a run without any connection ends, ms; Infinity after a connection or without such a limit. */
    this.giveUpAt = Infinity
    /** @type {(code: string | null) => void} */
    this.onNoConnection = () => {}
    /** The time at which all generators had started: ms since 1970, and on the monotonic clock. */
    this.started = { start: 0, at: 0 }
    /** Whether the run ended early. */
    this.interrupted = false
    /** Whether every generator has ended. */
    this.measured = false
    /** @type {import('./channel-local').Channel[]} */
    this.channels = []
    this.finish = () => {}
    this.interrupt = () => {}
    /** @type {Promise<false>} */
    this.interruption = new Promise(resolve => { this.interrupt = () => resolve(false) })
  }

  /**
   * @returns {Promise<{ outcome: import('../figures/result').Outcome, lost: Coordinator['lost'], failure: Error | null
   *   }>} with the measurements
   */
  async run () {
    const { slices, measurement, makeChannel, observer } = this
    this.channels = slices.map((slice, i) => makeChannel(slice, this.sinksOf(i), observer, i))
    try {
      // An interrupted run does not wait for slow modules or for the transfer of plans.
      const isOpen = await Promise.race([
        Promise.all(this.channels.map((channel, i) => this.opened(channel, i))).then(() => true), this.interruption
      ])
      const { start } = this.started = { start: Date.now(), at: now() }
      if (isOpen) this.followers.notify('start', { start })
      if (isOpen && !this.stopped) {
        this.server?.begin(slices[0].skipFirst, error => this.fail(error))
        await this.load()
      }
      const { failure, lost, log } = this
      if (failure !== null || log?.hasLosses) measurement.totals.abandonRest()
      return { outcome: this.outcome(), lost, failure }
    } catch (error) {
      this.halt()
      throw error
    } finally {
      this.server?.pause()
      await Promise.all(this.channels.map(channel => channel.close()))
    }
  }

  /** @returns {import('../figures/result').Outcome} from the measurements so far */
  outcome () {
    const { started: { start, at }, measurement, log } = this
    return measurement.outcome({
      start,
      // From the monotonic clock, because the system clock may have been set.
      finish: start + now() - at,
      targetRate: this.targetRate(),
      users: this.users(),
      interrupted: this.interrupted || this.failure !== null,
      agents: log?.report(measurement) ?? null
    })
  }

  /** @returns {Promise<void>} resolves when every generator has ended */
  load () {
    return new Promise(resolve => {
      this.finish = resolve
      for (const channel of this.channels) channel.start()
    })
  }

  /**
   * Returns the sinks for the reports of a generator.
   * @type {(generator: number) => import('../engine/generator').Sinks}
   */
  sinksOf (generator) {
    const { measurement, watch, log } = this
    return {
      snapshot: snapshot => {
        if (snapshot.skipped !== null) watch?.leaveOut(snapshot.skipped)
        if (measurement.add(generator, snapshot)) this.judge()
        if (this.giveUpAt !== Infinity) this.lookForConnection(snapshot)
        this.bailing[generator] = snapshot.bailing
        this.bailOut()
      },
      waiting: () => this.expectNoMore(generator),
      log: line => this.followers.notify('log', line),
      ...log !== null && { began: (/** @type {number} */ at) => log.began(generator, at - this.beginsAt) },
      end: (error, usedUp) => {
        this.sharing.delete(generator)
        this.usedUp ||= usedUp
        // All other generators have no rows.
        if (this.usedUp && this.sharing.size === 0 && !this.stopped) this.halt()
        if (error !== null && !this.goesOnWithout(generator, error)) this.fail(error)
        this.expectNoMore(generator)
        this.measured = --this.live === 0
        if (measurement.end(generator, error !== null)) this.judge()
        if (this.measured) this.finish()
      }
    }
  }

  /** @type {(channel: import('./channel-local').Channel, generator: number) => Promise<void>} */
  async opened (channel, generator) {
    try {
      await channel.open()
    } catch (error) {
      if (!this.goesOnWithout(generator, /** @type {Error} */ (error))) throw error
    }
  }

  /**
   * @param {number} generator that has failed
   * @param {Error} error
   * @returns {boolean} whether the run continues: the generator's agent is lost, and others are left
   */
  goesOnWithout (generator, error) {
    const { fleet, log, slices } = this
    if (fleet === null || log === null || !(error instanceof AgentLostError)) return false
    const isNew = log.lose(generator, error)
    // A search would otherwise find the limit of the remaining agents only.
    const goesOn = fleet.onLoss === 'continue' && !log.isEmpty && !slices[generator].steered
    // Later runs of a series miss the same agent, which is reported once.
    if (isNew && goesOn && !reported.has(error)) {
      this.followers.notify('notice', `${error.message}; the run goes on without it`)
    }
    reported.add(error)
    return goesOn
  }

  /** Starts the load when every generator is ready. @param {number} generator that is ready or has ended */
  expectNoMore (generator) {
    if (!this.awaited.delete(generator) || this.awaited.size > 0 || this.stopped) return
    this.beginsAt = sharedNow() + (this.fleet?.lead ?? (this.slices.length > 1 ? LEAD : 0))
    for (const channel of this.channels) channel.begin(this.beginsAt)
  }

  /**
   * @returns {number} ms since the start of the load, on the clock of its stages; -Infinity before, and without a
   *   common start
   */
  elapsed () {
    return sharedNow() - this.beginsAt
  }

  /**
   * Adds a stage to the load of a steered plan.
   * @param {import('../shapes/stages').Stage} stage that begins slightly after now, and ends the last stage
   * @param {{ drop?: boolean }} [how] drop: whether to discard due requests of earlier stages that are not sent by then
   */
  extend (stage, { drop = false } = {}) {
    this.measurement.extend(stage)
    for (const channel of this.channels) channel.extend(stage, drop)
  }

  /** @param {number} connections over all generators: each opens connections up to its share */
  grow (connections) {
    for (const channel of this.channels) channel.grow(Math.ceil(connections / this.channels.length))
  }

  /**
   * @param {import('../options/plan').Pacing['unit']} [unit]
   * @param {number | null} [scenario] index of the only counted scenario
   * @returns {number | null} requests or iterations per second of all generators; null without a rate
   */
  targetRate (unit = 'requests', scenario = null) {
    const { slices, measurement: { elapsed, totals, stages } } = this
    const { amount, iterations, duration } = slices[0]
    const paces = slices.flatMap(pacesOf).filter(pacing =>
      pacing.unit === unit && (scenario === null || pacing.scenario === scenario))
    if (paces.length === 0) return null
    const from = totals.skipped?.ms ?? 0
    // The last responses may arrive after the end of the load.
    const until = Math.min(from + elapsed, stages?.until ?? ((amount ?? iterations) === null ? duration : Infinity))
    const inAll = paces.reduce((sum, { rate }) => sum + rate, 0)
    if (until <= from) return inAll
    // The number of random or simultaneous arrivals differs from the average rate, so a lower number is not missed
    // load. The due requests of a lost agent are unknown.
    if (!this.log?.hasLosses && (paces[0].arrivals !== 'even' || SHAPES[paces[0].shape].load().isCounted)) {
      const due = unit === 'iterations'
        ? dueIterations(totals, scenario)
        : totals.sent - (totals.skipped?.inFlight ?? 0) + totals.unsent
      return shown(due / (until - from) * 1000)
    }
    // For a changing rate, its mean over the measured time.
    if (stages !== null) return shown(stages.meanTarget(from, until))
    if (paces.every(({ shape }) => shape !== 'staged')) return inAll
    return shown(paces.reduce(
      (sum, { rate, parts, shape, form }) => sum +
        (shape === 'staged' ? new Stages(form).meanTarget(from, until) / parts : rate),
      0
    ))
  }

  /** @returns {import('../instruments/iterations/result').Users | null} null without users */
  users () {
    const [{ users, scenarioNames }] = this.slices
    return users === null
      ? null
      : {
          ...users, scenarios: scenarioNames, rate: this.targetRate('iterations'),
          rates: scenarioNames.map((_, i) => this.targetRate('iterations', i))
        }
  }

  /** Ends the run if its target precision is reached, or if a threshold can no longer pass. */
  judge () {
    const { watch, measurement } = this
    if (this.stopped) return
    if (measurement.course?.look()) return this.halt()
    if (watch === null) return
    this.lost = watch.findLost(measurement.totals, measurement.elapsed)
    if (this.lost !== null) this.halt()
  }

  /** @param {number} ms @param {(code: string | null) => void} onNoConnection receives the most frequent error */
  giveUpAfter (ms, onNoConnection) {
    this.giveUpAt = ms
    this.onNoConnection = onNoConnection
  }

  /**
   * Reports that no connection was made, once all generators have reported so.
   * @param {import('../record/recorder').Snapshot} snapshot
   */
  lookForConnection ({ connections, sent, completed }) {
    const { measurement: { totals, totals: { errorCodes, distributions: { connect } }, reported }, giveUpAt } = this
    if (connections > 0 || sent > 0 || completed > 0 || connect.count > 0) this.giveUpAt = Infinity
    else if (!this.stopped && (totals.errors > 0 || totals.connectingMs !== 0) &&
      reported.every(({ to }) => to + EARLY >= giveUpAt)) {
      this.onNoConnection(mostFrequent(errorCodes))
    }
  }

  /** Ends the run at the limit of failures. A generator checks its own; this adds up those of several. */
  bailOut () {
    const { bailing, measurement: { totals }, slices: [{ bailout }] } = this
    if (this.stopped || this.slices.length === 1 || !(bailing.reduce((sum, n) => sum + n, 0) >= bailout)) return
    totals.bailedOut = true
    this.halt()
  }

  /** Called when listeners to single requests are added or removed. */
  observe () {
    for (const channel of this.channels) channel.observe()
  }

  /** Ends the run early; `run` resolves with the measurements so far. Idempotent. */
  stop () {
    this.interrupted ||= !this.measured
    this.halt()
    this.interrupt()
  }

  /** @param {Error} error that ends the run */
  fail (error) {
    this.failure ??= error
    this.halt()
  }

  /** Ends a steered run. Its result counts as complete. */
  halt () {
    this.stopped = true
    for (const channel of this.channels) channel.stop()
  }
}

/**
 * Returns the plans with the number of generators on the same machine.
 * @type {(slices: import('../options/plan').Plan[], fleet: Fleet) => import('../options/plan').Plan[]}
 */
function onMachines (slices, { agents, agentOf }) {
  const threads = agents.map(() => 0)
  for (const i of slices.keys()) threads[agentOf(i)]++
  return slices.map((slice, i) => Object.freeze({ ...slice, threads: threads[agentOf(i)] }))
}

/**
 * @param {import('../options/plan').Plan} slice
 * @returns {import('../options/plan').Pacing[]} the pace of all connections, or of each group with a pace
 */
function pacesOf ({ pacing, groups }) {
  const all = groups === null
    ? [pacing]
    : groups.filter(({ connections }) => connections > 0).map(({ pacing }) => pacing)
  return all.filter(pacing => pacing !== null)
}

/** @param {import('../record/totals').Totals} totals @param {number | null} scenario null for all */
function dueIterations ({ instruments: { iterations } }, scenario) {
  if (iterations === null) return 0
  const { arrived, neverStarted } = scenario === null ? iterations.allArrivals : iterations.arrivalsOf(scenario)
  return arrived + neverStarted
}

/** @param {number} rate rounded to a readable number of digits */
const shown = rate => Number(rate.toPrecision(6))

/** @type {(slices: import('../options/plan').Plan[]) => import('../judge/threshold-watch').Bounds} */
function boundsOf (slices) {
  const [{ stages, scenarios, users }] = slices
  // The number of arriving and returning connections is unknown in advance.
  const connectionsOf = (/** @type {import('../options/plan').Plan} */ plan) =>
    rampsConnections(plan) ? Infinity : plan.connections
  const most = (/** @type {typeof slices[number]} */ plan) => plan.maxConnectionRequests === null
    ? plan.maxOverallRequests ?? Infinity
    : plan.maxConnectionRequests * connectionsOf(plan)
  const amount = slices.reduce((sum, plan) => sum + (plan.amount ?? most(plan)), 0)
  const isTimed = (slices[0].amount ?? slices[0].iterations) === null && !slices[0].steered
  const duration = isTimed ? slices[0].duration : Infinity
  const dueOf = (/** @type {import('../options/plan').Pacing | null} */ pacing) =>
    pacing === null || pacing.unit === 'iterations' || slices[0].steered ? Infinity : paceOf(pacing, duration).total
  const due = slices.reduce((sum, { pacing }) => sum + dueOf(pacing), 0)
  return {
    amount, duration: duration - slices[0].skipFirst, due,
    steady: stages === null && users === null &&
      !scenarios.some(({ steps }) => steps.some(({ pause = 0 }) => pause > 0))
  }
}

module.exports = { Coordinator, boundsOf }
