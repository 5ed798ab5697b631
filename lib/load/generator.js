'use strict'

// Owns the load of one thread: its connections, the sweep over their deadlines, the clock of its samples, and its end.

const { availableParallelism } = require('node:os')
const { HookError } = require('../errors')
const { http1 } = require('../wire/http1/wire')
const { connect, checkTlsOptions } = require('../wire/transport')
const { now } = require('../clock')
const { watch } = require('../scenario/hook-answer')
const { Recorder } = require('../record/recorder')
const { SuccessRecorder } = require('../record/success-recorder')
const { samplesPerPoint } = require('../figures/series')
const { Budget, shareOut } = require('./budget')
const { ConnectionMaker } = require('./connection-maker')
const { Health } = require('./health')
const { paceOf } = require('./pace')
const { TurnPacer, OpenPacer } = require('./pacer')
const { RunningClock } = require('./running-clock')
const { Silence } = require('./silence')
const { Timers } = require('./timers')
const { WaitingRoom } = require('./waiting-room')
const { Waker } = require('./waker')

const READ_BUFFER = 64 * 1024

/** Threads get into step when there is less time between two requests of one, ms. */
const LONGEST_STEP = 100

/** How long a pipeline may wait for more answers before it is refilled, ms. */
const HOLD = 1

/**
 * @typedef {import('./connection').Observer} Observer
 *
 * @typedef {object} Sinks where a generator tells what happens
 * @property {(snapshot: import('../record/recorder').Snapshot) => void} snapshot at the end of each sample, and at the end
 * @property {(error: Error | null) => void} end once, after the last snapshot; with what made the run fail
 */

class Generator {
  /**
   * @param {import('../options/plan').Plan} plan whose hooks are functions
   * @param {Sinks} sinks
   * @param {import('./connection').Observer} observer
   * @param {{ now?: import('../clock').Clock, connect?: typeof connect, protocol?: import('./connection').Protocol, loop?: import('./timers').Loop, machine?: import('./waker').Machine, lookup?: import('node:net').LookupFunction, paceOf?: typeof paceOf }} [edge]
   *   for tests, and how names of hosts are looked up
   */
  constructor (plan, sinks, observer, edge = {}) {
    for (const target of plan.targets) if (target.tls) checkTlsOptions(target)
    this.plan = plan
    this.sinks = sinks
    this.clock = new RunningClock(edge.now ?? now)
    this.now = this.clock.now
    this.recorder = new (plan.excludeErrorStats ? SuccessRecorder : Recorder)(plan.bailout, () => this.stop())
    // When the figures begin, on the clock of elapsed().
    this.figuresFrom = 0
    this.measures = false
    this.openedAt = 0
    this.sampledAt = 0
    // The index of the last one that has ended.
    this.lastSample = -1
    this.timers = new Timers(edge.loop)
    this.health = new Health(this.clock, plan, this.timers)
    this.pace = plan.pacing === null ? null : (edge.paceOf ?? paceOf)(plan.pacing, plan.amount === null ? plan.duration : Infinity)
    /** @type {TurnPacer | OpenPacer | null} */
    this.pacer = null
    /** @type {Waker | null} */
    this.waker = null
    this.ended = false
    /** @type {Error | null} */
    this.failure = null
    this.silence = new Silence(Math.max(1, Math.min(100, plan.timeout / 10)))
    this.machine = edge.machine ?? { cores: availableParallelism(), sharedNow: () => Number(process.hrtime.bigint()) / 1e6, runDelayMs: () => this.health.thread.read().runDelayMs }
    /** @type {import('./connection').Connection[]} whose pipelines wait for more answers before they are refilled */
    this.held = []
    const after = this.timers.after.bind(this.timers)
    this.waitingRoom = new WaitingRoom(this.now, plan.timeout, after)
    const protocol = edge.protocol ?? http1()
    /** @type {import('./connection').Shared} */
    this.shared = {
      now: this.now,
      after,
      startedAt: Infinity,
      connect: edge.connect ?? (edge.lookup === undefined ? connect : (target, onread, onReady) => connect(target, onread, onReady, edge.lookup)),
      readBuffer: Buffer.allocUnsafeSlow(READ_BUFFER),
      protocol,
      recorder: this.recorder,
      observer,
      pipelining: plan.pipelining,
      timeout: plan.timeout,
      perSocket: plan.reconnectRate,
      correctsOmission: !plan.ignoreCoordinatedOmission,
      makeClient: connection => this.maker.makeClient(connection),
      onFailure: error => this.fail(error),
      hold: connection => this.hold(connection),
      waitingRoom: this.waitingRoom,
      onAttempt: () => {
        if (--this.unattempted > 0) return
        this.recorder.connectingMs = this.now() - this.openedAt
        if (this.pacer !== null && !this.ended) this.begin()
      },
      onEnd: () => {
        if (--this.live === 0) this.stop()
        else if (!this.ended) this.waitingRoom.next()
      }
    }
    this.maker = new ConnectionMaker(plan, this.shared)
    this.connections = this.makeConnections()
    this.live = this.connections.length
    this.unattempted = this.connections.length
  }

  makeConnections () {
    const { plan } = this
    const limits = limitsOf(plan).filter(limit => limit > 0)
    if (plan.pacing !== null && this.pace !== null) {
      this.waker = new Waker(plan.pacing, this.machine, this.clock, this.timers, kept => { this.recorder.keptPace = kept })
      this.pacer = plan.pacing.shared ? new OpenPacer(this.pace) : new TurnPacer(this.pace, limits.length)
    }
    return limits.map((limit, i) => this.maker.make(i, new Budget(limit), this.pacer?.join(i) ?? null))
  }

  /** Opens all connections. */
  start () {
    // The hook may stop the run.
    if (this.ended || !this.setUpClients() || this.ended) return
    this.clock.start()
    this.health.start()
    const { interval } = this.silence
    let sweptAt = this.clock.real()
    this.silence.start(this.now())
    this.timers.every(() => interval, () => {
      const late = this.clock.real() - sweptAt > 2 * interval
      sweptAt = this.clock.real()
      this.silence.look(this.now(), this.connections)
      // The answers to a thread that was busy or stopped may be there already: the next turn reads them.
      if (late) this.timers.soon(() => this.sweep())
      else this.sweep()
    })
    // A schedule starts when the connections are there, or its first requests would wait for them; a closed loop at once.
    this.openedAt = this.now()
    if (this.pacer === null) this.begin()
    for (const connection of this.connections) connection.open()
  }

  /** Gives up on what takes longer than the timeout. */
  sweep () {
    if (this.ended) return
    const at = this.now()
    for (const connection of this.connections) connection.checkDeadline(at)
  }

  /** The clock of the run starts. */
  begin () {
    const { plan, pacer, connections, shared } = this
    const wait = this.untilInStep()
    shared.startedAt = this.now() + wait
    if (plan.skipFirst === 0) this.measure()
    else this.measureFrom(plan.skipFirst)
    // By the real clock: a hook that blocks the thread again and again must not make a run endless.
    if (plan.amount === null) this.stopAt(this.clock.real() + wait + plan.duration)
    const elapsed = () => this.elapsed()
    if (pacer !== null) this.waker?.start(() => pacer.next() - elapsed(), () => pacer.wake(connections, elapsed))
  }

  /**
   * The schedules of several threads are phased against each other, so all of them start at a multiple of the time between two
   * requests of one. Where that is long, it does not matter when they start.
   * @returns {number} ms
   */
  untilInStep () {
    const { pace, plan } = this
    if (pace === null || plan.pacing?.parts === 1) return 0
    const interval = pace.dueAt(1) - pace.dueAt(0)
    return interval > LONGEST_STEP ? 0 : interval - this.machine.sharedNow() % interval
  }

  /**
   * The figures begin later than the load.
   * @param {number} start ms after it; timers may fire a little early
   */
  measureFrom (start) {
    const left = start - this.elapsed()
    if (left > 0) this.timers.after(Math.ceil(left), () => this.measureFrom(start))
    else this.measure()
  }

  /** The figures begin: what came before is in none of them. */
  measure () {
    this.health.restart()
    this.waker?.takeIdleMs()
    this.measures = true
    if (this.plan.skipFirst > 0) {
      this.figuresFrom = Math.max(0, this.elapsed())
      this.recorder.skip(this.figuresFrom, this.connections.reduce((sum, { exchanges }) => sum + exchanges.count, 0))
    }
    if (!this.ended) this.timers.every(() => (this.lastSample + 2) * this.plan.sampleInt - this.measured(), () => this.sample())
  }

  /** @param {import('./connection').Connection} connection */
  hold (connection) {
    if (connection.held) return
    connection.held = true
    if (this.held.push(connection) > 1) return
    this.timers.after(HOLD, () => {
      const { held } = this
      this.held = []
      for (const connection of held) {
        connection.held = false
        connection.fill()
      }
    })
  }

  /** @returns {boolean} false when the hook failed, which ends the run */
  setUpClients () {
    const { setupClient } = /** @type {{ setupClient?: (client: import('../response/client').Client) => void }} */ (this.plan.hooks)
    if (setupClient === undefined) return true
    for (const [i, connection] of this.connections.entries()) {
      const hook = `setupClient of connection ${i}`
      try {
        watch(hook, setupClient(connection.client), error => this.fail(error))
      } catch (error) {
        this.fail(HookError.failed(hook, error))
        return false
      }
    }
    return true
  }

  /**
   * Counts what was due and is not sent any more. What waits because there is no room has suffered from the server, but for
   * what the generator owed.
   * @param {number} elapsed
   */
  leaveUnsent (elapsed) {
    const { recorder, plan } = this
    const { mean } = recorder.distributions
    for (const { queue, left } of this.pacer?.groups(this.connections) ?? []) {
      const unsent = Math.min(queue.due(elapsed), left)
      recorder.unsent += unsent
      if (queue.free > 0 || plan.ignoreCoordinatedOmission) continue
      // One by one, millions of them would take seconds.
      const step = Math.ceil(unsent / 100_000)
      for (let i = 0; i < unsent; i += step) {
        const waited = elapsed - queue.pace.dueAt(queue.taken + i)
        if (waited > queue.debt) recorder.recordUnansweredPaced(waited - queue.debt, mean, Math.min(step, unsent - i))
      }
    }
  }

  /**
   * A hook failed: the run ends with that.
   * @param {Error} error
   */
  fail (error) {
    this.failure ??= error
    this.stop()
  }

  /** Ends the load, once: what is in flight is abandoned, what was counted is handed over. */
  stop () {
    if (this.ended) return
    this.ended = true
    this.timers.stop()
    this.waker?.stop()
    // Nothing of the run is left if it is stopped before it began.
    // A run that is stopped before its figures begin has none.
    if (!this.measures && this.plan.skipFirst > 0) this.measure()
    if (this.shared.startedAt !== Infinity) this.leaveUnsent(this.elapsed())
    const at = this.now()
    const { mean, longest } = this.recorder.distributions
    this.recorder.silentFrom = Math.max(0, this.silence.since(at, this.connections) - this.shared.startedAt - this.figuresFrom)
    for (const connection of this.connections) connection.abandon(mean, longest)
    this.noteConnecting()
    this.sinks.snapshot(this.recorder.takeLast(this.sampledAt, Math.max(0, this.measured()), this.lastSample + 1, this.takeHealth()))
    this.health.stop()
    this.sinks.end(this.failure)
  }

  /** @returns {number} ms since the run began, -Infinity before */
  elapsed () {
    return this.now() - this.shared.startedAt
  }

  /** @returns {number} ms since the figures began, -Infinity before the run did */
  measured () {
    return this.elapsed() - this.figuresFrom
  }

  /** How long it takes to connect is told while it goes on, too. */
  noteConnecting () {
    if (this.unattempted > 0) this.recorder.connectingMs = this.now() - this.openedAt
  }

  takeHealth () {
    return this.health.take(this.waker?.takeIdleMs())
  }

  /** Ends the samples whose time has passed. */
  sample () {
    const elapsed = this.measured()
    const { sampleInt } = this.plan
    // Timers may fire up to 1 ms early.
    const last = Math.floor((elapsed + Math.min(1, sampleInt / 4)) / sampleInt) - 1
    if (last <= this.lastSample) return
    // Histograms are handed over when a point of the series has ended.
    const width = samplesPerPoint(sampleInt)
    const withDistributions = Math.floor((last + 1) / width) > Math.floor((this.lastSample + 1) / width)
    this.noteConnecting()
    const snapshot = this.recorder.take(this.sampledAt, elapsed, last, this.takeHealth(), withDistributions)
    this.lastSample = last
    this.sampledAt = elapsed
    this.sinks.snapshot(snapshot)
  }

  /** @param {number} end on the real clock; timers may fire a little early */
  stopAt (end) {
    const left = end - this.clock.real()
    if (left > 0) this.timers.after(Math.ceil(left), () => this.stopAt(end))
    else this.stop()
  }
}

/**
 * @param {import('../options/plan').Plan} plan
 * @returns {number[]} how many requests each connection may make
 */
function limitsOf ({ connections, amount, maxConnectionRequests, maxOverallRequests }) {
  if (amount !== null) return shareOut(amount, connections)
  if (maxConnectionRequests !== null) return new Array(connections).fill(maxConnectionRequests)
  return maxOverallRequests === null ? new Array(connections).fill(Infinity) : shareOut(maxOverallRequests, connections)
}

module.exports = { Generator }
