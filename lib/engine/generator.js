'use strict'

// The load generator of one thread: start, clock, deadline sweep and end. Connections, requests and samples are in
// other files.

const { availableParallelism } = require('node:os')
const { now, sharedNow, spin } = require('../core/clock')
const { HookError } = require('../core/errors')
const { INSTRUMENTS, beginFor } = require('../instruments')
const { PROTOCOLS } = require('../parts')
const { Recorder } = require('../record/recorder')
const { watch } = require('../requests/hook-result')
const { checkCiphers, checkTlsOptions } = require('../net/transport')
const { ConnectionMaker } = require('./connection-maker')
const { Connections } = require('./connections')
const { Health } = require('./health/health')
const { Opening } = require('./opening')
const { paceOf, untilInStep } = require('../shapes/pace')
const { Refills } = require('./pacing/refills')
const { rampsConnections } = require('../shapes/stages')
const { RunningClock } = require('./pacing/running-clock')
const { SampleClock } = require('./sample-clock')
const { describer } = require('./exemplars')
const { sharedBy } = require('./shared')
const { Sweep } = require('./sweep')
const { IDLE } = require('../users/sequence')
const { Timers } = require('../core/timers')
const { WaitingRoom } = require('./waiting-room')

/**
 * @typedef {import('./shared').Observer} Observer
 *
 * @typedef {object} Sinks receivers of the events of a generator
 * @property {(snapshot: import('../record/recorder').Snapshot) => void} snapshot called at the end of each sample, and
 *   of the run
 * @property {() => void} [waiting] called once in a run with a common start, when the generator is ready and waits for
 *   `begin`
 * @property {(at: number) => void} [began] called once in a run with a common start, with the real start on the shared
 *   clock
 * @property {(line: string) => void} [log] a line of a user function
 * @property {(error: Error | null, usedUp: boolean) => void} end called once after the last snapshot; error: the
 *   failure of the run; usedUp: whether its part of the data is used up
 */

/**
 * Dependencies that tests replace, and the look-up of names.
 * @typedef {object} Edge
 * @property {import('../core/clock').Clock} [now]
 * @property {import('../net/transport').Connect} [connect]
 * @property {import('../protocols/peer').Protocol} [protocol]
 * @property {import('../core/timers').Loop} [loop]
 * @property {import('./pacing/waker').Machine} [machine]
 * @property {import('node:net').LookupFunction} [lookup]
 * @property {typeof paceOf} [paceOf]
 */

class Generator {
  /**
   * @param {import('../options/plan').Plan} plan with loaded hooks
   * @param {Sinks} sinks
   * @param {Observer} observer
   * @param {Edge} [edge]
   */
  constructor (plan, sinks, observer, edge = {}) {
    if (plan.tls !== null) checkCiphers(plan.tls.ciphers)
    for (const target of plan.targets) if (target.tls || plan.session?.redirects.anywhere) checkTlsOptions(target)
    this.plan = plan
    this.sinks = sinks
    this.traits = PROTOCOLS[plan.protocol].load()
    this.clock = new RunningClock(edge.now ?? now)
    this.now = this.clock.now
    const Kind = plan.excludeErrorStats ? require('../record/success-recorder').SuccessRecorder : Recorder
    this.recorder = new Kind(plan.bailout, () => this.stop())
    this.openedAt = 0
    this.ended = false
    /** Whether the data that ends the run is used up. */
    this.usedUp = false
    /** @type {Error | null} */
    this.failure = null
    this.timers = new Timers(edge.loop)
    this.opening = new Opening(this.clock.real, this.timers)
    this.health = new Health(this.clock, plan, this.timers, () => this.sockets === null ? 0 : this.sockets.size())
    this.sweep = new Sweep(
      this.clock, this.timers, soonestOf(plan), () => this.connections.list
    )
    this.machine = edge.machine ??
      { cores: availableParallelism(), sharedNow, runDelayMs: () => this.health.thread.read().runDelayMs, spin }
    this.paceOf = edge.paceOf ?? paceOf
    const groups = plan.groups === null ? null : new (require('./groups').Groups)(/** @type {any} */ (plan))
    const pacing = plan.pacing ?? plan.groups?.find(({ pacing }) => pacing !== null)?.pacing ?? null
    this.pacer = pacing === null ? null : require('./pacing/pacer').makePacer(plan, this.paceOf, groups)
    this.waker = pacing === null
      ? null
      : new (require('./pacing/waker').Waker)(
        { pace: pacing.pace, threads: plan.threads, apart: plan.apart },
        this.machine,
        this.clock,
        this.timers,
        () => this.connections.isQuiet,
        kept => { this.recorder.keptPace = kept }
      )
    for (const [key, live] of beginFor(plan)) this.recorder.measure(key, live)
    if (plan.stages !== null) this.recorder.measure('stages', this.liveStages(plan.stages))
    const refills = new Refills(this.timers)
    const after = this.timers.after.bind(this.timers)
    this.waitingRoom = new WaitingRoom(this.now, plan.timeout, after)
    const hasSockets = edge.now === undefined && edge.connect === undefined
    this.sockets = hasSockets ? nativeSocketsOf(plan, this.clock, this.recorder.instruments.sockets) : null
    /** @type {import('../protocols/peer').Protocol} */
    const protocol = edge.protocol ?? this.traits.protocolOf(plan, this.now)
    this.recorder.instruments.exemplars.describe = describer(protocol)
    this.shared = sharedBy(this, {
      edge, protocol, observer, after, refills, makeClient: connection => maker.clients.make(connection)
    })
    const lanes = this.traits.sharesConnections ? plan.lanes : 1
    this.multiplexed = plan.streams * lanes === 1 || protocol.connections !== undefined
      ? null
      : new (require('./multiplexed-connections').MultiplexedConnections)(
        this.shared,
        // Parallel requests of a user are streams of its own connection.
        { size: plan.streams * lanes, users: lanes === 1 ? null : plan.streams },
        action => { this.timers.soon(action) }
      )
    if (this.multiplexed !== null) this.shared = this.multiplexed.forUsers()
    const maker = new ConnectionMaker(plan, this.shared, this.pacer, groups)
    /** Null without user functions. */
    this.functions = maker.users?.functions ?? null
    /** The number of iterations that may still begin; null without a limit. */
    this.iterations = maker.users?.iterations ?? null
    // Loaded now and not at the first pause, because connections may use all file descriptors.
    this.pauses = maker.pauses ? this.makePauses() : null
    const elapsed = () => this.elapsed()
    this.connections = new Connections({
      plan,
      pacer: this.pacer,
      recorder: this.recorder,
      elapsed,
      make: (i, budget, queue) => maker.make(i, budget, queue),
      limits: maker.lists?.limits ?? null,
      iterations: this.iterations,
      choice: i => maker.choice(i),
      later: action => after(0, action),
      onAttempted: () => {
        this.recorder.connectingMs = this.now() - this.openedAt
        if (this.pacer !== null && !this.ended) this.prepare()
      },
      onTurns: () => this.waker?.restart()
    })
    this.profile = !INSTRUMENTS.code.isIn(plan)
      ? null
      : new (require('./health/code-profile').CodeProfile)(
        this.recorder.measure('code', new (require('../instruments/code/record').Code)()), this.timers
      )
    this.ramps = rampsConnections(plan)
      ? require('./ramp').rampsOf(plan, groups, {
        timers: this.timers, elapsed, join: i => this.join(i), leave: connection => this.leave(connection),
        onChange: at => this.recorder.instruments.stages?.note(at, this.openNow)
      })
      : []
    this.samples = new SampleClock({
      plan,
      recorder: this.recorder,
      timers: this.timers,
      elapsed,
      inFlight: () => this.connections.inFlight,
      onFigures: () => {
        this.health.restart()
        this.waker?.takeIdleMs()
      },
      takeUsage: () => this.takeUsage(),
      report: sinks.snapshot
    })
  }

  /** @returns {number} the number of open connections */
  get openNow () {
    return (this.multiplexed ?? this.shared.protocol.connections ?? this.connections).open
  }

  start () {
    // The hook may stop the run.
    if (this.ended || !this.setUpClients(this.connections.list, 0) || this.ended) return
    this.clock.start()
    this.health.start()
    this.profile?.start()
    this.sweep.start()
    // A schedule starts when the connections are open, because its first requests would otherwise wait for them; a
    // closed loop starts at once.
    this.openedAt = this.now()
    if (this.pacer === null || this.connections.unattempted === 0) this.prepare()
    if (!this.opensLate) this.open(this.connections.list)
  }

  /**
   * @returns {boolean} whether connections open only at the start of the load: their number changes, or they send at
   *   once and generators start together
   */
  get opensLate () {
    return (this.ramps.length > 0 || this.plan.together) && this.pacer === null
  }

  /** @param {ReadonlyArray<import('./connection').Connection>} connections that the load begins with */
  open (connections) {
    this.opening.add(connections)
  }

  /** Begins the load, or waits for `begin`, when everything is ready. */
  prepare () {
    const { plan: { together, pacing }, sinks, machine } = this
    if (together) return sinks.waiting?.()
    this.begin(pacing === null || pacing.parts === 1 ? 0 : untilInStep(this.paceOf(pacing), machine.sharedNow()))
  }

  /** @param {number} at start of the load on the shared clock; it may have passed */
  beginAt (at) {
    if (!this.ended) this.begin(at - this.machine.sharedNow())
  }

  /** Starts the clock of the run. @param {number} wait ms until then */
  begin (wait) {
    const { plan, pacer, ramps, shared } = this
    shared.startedAt = this.now() + wait
    this.samples.start()
    // By the real clock, because a hook that repeatedly blocks the thread must not extend the run.
    const isTimed = (plan.amount ?? plan.iterations) === null && !plan.steered
    if (isTimed) this.stopAt(this.clock.real() + wait + plan.duration)
    const elapsed = () => this.elapsed()
    if (pacer !== null) this.waker?.start(() => pacer.next() - elapsed(), () => pacer.wake(elapsed))
    if (ramps.length === 0 && !plan.together) return
    if (wait > 0) this.timers.after(Math.ceil(wait), () => this.setOff())
    else this.setOff()
  }

  /** Starts the load: ramps begin, or connections open. */
  setOff () {
    const { ramps, connections, opensLate, plan, sinks, machine } = this
    if (plan.together) sinks.began?.(machine.sharedNow())
    // `join` opens a new connection.
    const list = [...connections.list]
    if (opensLate) this.openedAt = this.now()
    for (const ramp of ramps) ramp.start(plan.groups === null ? list : [])
    if (opensLate) this.open(list)
  }

  /**
   * Adds a stage to the load.
   * @param {import('../shapes/stages').Stage} stage that begins slightly after now
   * @param {boolean} drop whether to discard due requests of earlier stages that are not sent by then
   */
  extend (stage, drop) {
    if (this.ended) return
    for (const ramp of this.ramps) ramp.extend(stage)
    this.pacer?.extend?.(stage)
    this.recorder.instruments.stages?.extend(stage)
    // Requests due at this moment belong to the stage.
    if (drop && this.pacer !== null) {
      this.timers.after(Math.ceil(stage.from - this.elapsed()), () => this.connections.dropUnsent(stage.from - 1e-6))
    }
    this.waker?.restart()
  }

  /**
   * Adds a connection to the load.
   * @param {number} [i] its number
   * @returns {import('./connection').Connection | null} null if no requests are left
   */
  join (i = this.connections.made) {
    const connection = this.ended ? null : this.connections.join(i)
    if (connection === null || !this.setUpClients([connection], i) || this.ended) return null
    this.open([connection])
    return connection
  }

  /** @param {number} connections the target number, perhaps with several users each: missing ones join */
  grow (connections) {
    while (this.connections.members.size < connections * this.plan.streams && this.join() !== null);
  }

  /**
   * Removes a connection from the load; its requests in flight complete.
   * @param {import('./connection').Connection} connection
   */
  leave (connection) {
    if (!this.ended) this.connections.leave(connection)
  }

  /**
   * @param {{ wake: (until: number) => void }} connection without a request to send
   * @param {number} until time on the clock; Infinity: until an iteration is due; IDLE: until another event wakes it
   */
  pause (connection, until) {
    if (until === IDLE) return
    if (until === Infinity) {
      return this.pacer?.offer?.(/** @type {import('./connection').Connection} */ (connection), this.elapsed())
    }
    this.pauses ??= this.makePauses()
    this.pauses.add(connection, until)
  }

  makePauses () {
    return new (require('./pacing/pauses').Pauses)(this.now, this.timers)
  }

  /** @param {import('./connection').Connection} connection without further requests */
  onEnd (connection) {
    this.sweep.silence.received(connection.readAt)
    if (this.connections.end(connection)) this.stop()
    else if (!this.ended) this.waitingRoom.next()
  }

  /**
   * @param {ReadonlyArray<import('./connection').Connection>} connections
   * @param {number} first the number of the first of them
   * @returns {boolean} false if the hook failed, which ends the run
   */
  setUpClients (connections, first) {
    const { setupClient } =
      /** @type {{ setupClient?: (client: import('../response/client').Client) => unknown }} */ (this.plan.hooks)
    if (setupClient === undefined) return true
    for (const [i, connection] of connections.entries()) {
      const hook = `setupClient of connection ${first + i}`
      try {
        watch(hook, setupClient(connection.client), error => this.fail(error))
      } catch (error) {
        this.fail(HookError.failed(hook, error))
        return false
      }
    }
    return true
  }

  /** Ends the run after the failure of a hook. @param {Error} error */
  fail (error) {
    this.failure ??= error
    this.stop()
  }

  /** Ends the load once: abandons requests in flight, and reports the counts. */
  stop () {
    if (this.ended) return
    this.ended = true
    // Before the connections are closed.
    this.recorder.connections = this.openNow
    if (this.ramps.length > 0) this.recorder.instruments.stages?.note(this.elapsed(), this.openNow, true)
    this.timers.stop()
    this.waker?.stop()
    this.profile?.stop()
    this.samples.stop()
    const { connections, recorder, shared: { startedAt } } = this
    // A run that is stopped before its start has no due requests.
    if (startedAt !== Infinity) connections.leaveAllUnsent(this.elapsed())
    const { mean, longest } = recorder.distributions
    recorder.silentFrom = Math.max(0, this.sweep.silentFrom() - startedAt - this.samples.figuresFrom)
    if (this.failure === null) this.functions?.lookAtEnd()
    for (const connection of connections.list) connection.abandon(mean, longest)
    this.functions?.stop()
    this.sockets?.close()
    this.samples.end()
    this.health.stop()
    this.sinks.end(this.failure, this.usedUp)
  }

  /** @returns {number} ms since the run began, -Infinity before */
  elapsed () {
    return this.now() - this.shared.startedAt
  }

  /** @param {ReadonlyArray<import('../shapes/stages').Stage>} list */
  liveStages (list) {
    const { Stages } = require('../shapes/stages')
    const { LiveStages } = require('../instruments/stages/live-stages')
    const { pacer, plan: { steered, stageTimes, goodput, pacing } } = this
    return new LiveStages(new Stages(list), {
      elapsed: () => this.elapsed(),
      settled: () =>
        pacer === null || pacing?.unit === 'iterations' ? this.elapsed() : Math.min(this.elapsed(), pacer.next())
    }, !steered, { times: stageTimes, goodput: steered && goodput !== null })
  }

  takeUsage () {
    // Pending connects count with their time so far.
    if (this.connections.unattempted > 0) this.recorder.connectingMs = this.now() - this.openedAt
    if (!this.ended) this.recorder.connections = this.openNow
    return this.health.take(this.waker?.takeIdleMs())
  }

  /** @param {number} end on the real clock; timers may fire a little early */
  stopAt (end) {
    const left = end - this.clock.real()
    if (left > 0) this.timers.after(Math.ceil(left), () => this.stopAt(end))
    else this.stop()
  }
}

/** @param {import('../options/plan').Plan} plan @returns {number} the shortest timeout, ms */
function soonestOf ({ timeout, connectTimeout, stream }) {
  return Math.min(timeout, connectTimeout, stream?.idleMs ?? Infinity, stream?.openMs ?? Infinity)
}

/**
 * @param {import('../options/plan').Plan} plan
 * @param {RunningClock} clock
 * @param {import('../instruments/sockets/record').NodeSockets | null} fallbacks counts connections that fall back to
 *   sockets of Node.js; null if TLS requires these
 * @returns {import('../net/sockets/native-sockets').NativeSockets | null} null for sockets of node:net
 */
function nativeSocketsOf ({ sockets, arrivals, pacing, groups }, clock, fallbacks) {
  if (sockets === 'node') return null
  const { load, whyRefused } = require('../net/sockets/binding')
  const { binding, reason } = load()
  if (binding === null) {
    fallbacks?.count(reason, 1, 0)
    return null
  }
  const { NativeSockets } = require('../net/sockets/native-sockets')
  const native = new NativeSockets(binding, {
    clock, arrivals, batches: pacing === null && groups === null, onFallback: why => fallbacks?.count(why, 0, 1)
  })
  if (native.open) return native
  fallbacks?.count(whyRefused(native.group), 1, 0)
  return null
}

module.exports = { Generator }
