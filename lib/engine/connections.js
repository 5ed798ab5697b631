'use strict'

// The set of connections of a load generator: the initial ones, and those that join and leave during the run. It
// assigns their request budgets and counts requests that were due but never sent. It has no sockets.

const { Allowance, Pots } = require('../shapes/budget')
const { rampsConnections } = require('../shapes/stages')

/**
 * @typedef {import('./connection').Connection} Connection
 *
 * @typedef {object} Needs
 * @property {import('../options/plan').Plan} plan
 * @property {import('./pacing/pacer').Pacer | null} pacer null for a closed loop
 * @property {import('../record/recorder').Recorder} recorder
 * @property {() => number} elapsed ms since the start of the load, -Infinity before
 * @property {(i: number, budget: import('../shapes/budget').Budget, queue: import('./pacing/queue').Queue | null) =>
 *   Connection} make the i-th connection
 * @property {number[] | null} limits total number of requests for the connections of each scenario; null for no limits
 * @property {import('../shapes/budget').Budget | null} [iterations] that may still begin; null without a limit
 * @property {(i: number) => number} choice returns the index of the scenario of the i-th connection
 * @property {(action: () => void) => void} later calls after the current turn
 * @property {() => void} onAttempted called once, when every first attempt to connect has succeeded or failed
 * @property {() => void} onTurns called when the next due time has changed
 */

class Connections {
  /** @param {Needs} needs */
  constructor (needs) {
    const { plan, pacer, limits } = needs
    this.needs = needs
    this.pacer = pacer
    this.allowance = this.allowanceOf(plan, limits)
    this.made = 0
    /** Current connections, and some that have left. */
    this.all = this.allowance.share(plan.connections).map((limit, i) => this.make(limit, i))
    /** Connections that may send more, except leaving ones. */
    this.members = new Set(this.all)
    this.live = this.all.length
    /** The number of connections that may still send requests. */
    this.stayingCount = this.live
    /**
     * Whether `all` has connections that have left. They are removed at the next access, because thousands may leave
     * one by one.
     */
    this.hasLeft = false
    /** Whether new iterations are stopped. */
    this.over = false
    /** The number of pending first attempts to connect that the load waits for. */
    this.unattempted = this.list.length
  }

  /**
   * @param {number} limit of its requests
   * @param {number} i its number
   */
  make (limit, i) {
    this.made = Math.max(this.made, i + 1)
    return this.needs.make(i, this.allowance.budget(limit, i), this.pacer?.queue(i) ?? null)
  }

  /**
   * @returns {ReadonlyArray<Connection>} current connections, some perhaps with a used-up budget; safe to iterate while
   *   some leave
   */
  get list () {
    if (this.hasLeft) {
      this.all = this.all.filter(one => !one.ended || this.members.has(one))
      this.hasLeft = false
    }
    return this.all
  }

  /** @param {import('../options/plan').Plan} plan @param {number[] | null} limits */
  allowanceOf (plan, limits) {
    if (limits !== null) return this.potsOf(limits, this.needs.choice)
    const allowance = new Allowance(plan, rampsConnections(plan))
    // A division of the budget takes time for each connection, too much to repeat it for each change by stages. With a
    // trace, a request must not wait for a busy connection because others have used up their parts.
    const isPooled = rampsConnections(plan) || plan.pacing?.isPooled === true
    return allowance.total !== null && isPooled ? this.potsOf([allowance.total], () => 0) : allowance
  }

  /**
   * Each request of a list is sent once, by the first connection to its server that has room.
   * @type {(limits: number[], choice: (i: number) => number) => Pots}
   */
  potsOf (limits, choice) {
    const { later } = this.needs
    return new Pots(limits, choice, pot => later(() => {
      for (const connection of this.list) if (connection.budget === pot) connection.allow(0)
    }))
  }

  /** @returns {number} the number of requests in flight */
  get inFlight () {
    return this.list.reduce((sum, { exchanges }) => sum + exchanges.count, 0)
  }

  /** @returns {boolean} whether nothing is in flight and all sockets are open. Called in each turn of an even pace */
  get isQuiet () {
    const { list } = this
    for (let i = 0; i < list.length; i++) if (list[i].exchanges.count > 0 || !list[i].isOpen) return false
    return true
  }

  /** @returns {number} the number of connected sockets */
  get open () {
    return this.list.filter(({ isOpen }) => isOpen).length
  }

  /** @returns {Connection[]} connections that may still send requests */
  get staying () {
    return this.list.filter(connection => !connection.ended && this.members.has(connection))
  }

  /**
   * @param {number} i its number: the next one, or the number of a connection that has left
   * @returns {Connection | null} a new connection to open; null if no requests are left
   */
  join (i) {
    const limit = this.over ? 0 : this.allowance.join(() => this.staying)
    if (limit === 0) return null
    const connection = this.make(limit, i)
    this.all.push(connection)
    this.members.add(connection)
    this.live++
    this.stayingCount++
    // The load also waits for this connection, unless it has begun.
    if (this.unattempted > 0) this.unattempted++
    return connection
  }

  /** @param {Connection} connection that shares user and budget with another one */
  addBeside (connection) {
    this.all.push(connection)
    this.live++
  }

  /**
   * Stops a connection, which ends when its requests have their fates; a user completes its iteration first. Other
   * connections take over its part of the load. A load without connections continues until its duration is over; with
   * an amount it waits until a connection joins.
   * @param {Connection} connection
   */
  leave (connection) {
    if (connection.ended || !this.members.has(connection)) return
    const at = this.needs.elapsed()
    // Sends requests that are already due.
    this.pacer?.wake(() => at)
    if (connection.ended) return
    this.members.delete(connection)
    this.stayingCount--
    const group = this.pacer?.leave(connection, at) ?? null
    if (group !== null) {
      if (this.allowance.total === null) this.leaveUnsent(group, at)
      group.queue.drop(at)
    }
    this.allowance.leave(connection.budget.left, this.stayingCount === 0, () => this.staying)
    connection.endAfterIteration()
    this.needs.onTurns()
  }

  /** The first attempt of a connection to connect has succeeded or failed. @param {Connection} connection */
  attempted (connection) {
    if (this.unattempted === 0) return this.pace([connection])
    if (--this.unattempted > 0) return
    this.pace(this.list)
    this.needs.onAttempted()
  }

  /** @param {ReadonlyArray<Connection>} connections that join the pacer */
  pace (connections) {
    const { pacer } = this
    if (pacer === null) return
    const at = this.needs.elapsed()
    pacer.wake(() => at)
    pacer.join(connections.filter(connection => this.members.has(connection)), at)
    this.needs.onTurns()
  }

  /**
   * Removes a connection without further requests. Returns whether the load is complete.
   * @type {(connection: Connection) => boolean}
   */
  end (connection) {
    this.live--
    if (this.members.has(connection)) this.stayingCount--
    else this.hasLeft = true
    return this.live === 0 && (this.over || this.allowance.spare === 0)
  }

  /**
   * Stops new iterations: each connection ends after its current one.
   * @returns {boolean} whether no connection is left
   */
  endAfterIterations () {
    const none = this.live === 0
    for (const connection of this.list) connection.endAfterIteration()
    return none
  }

  /** Counts due requests as unsent at the end of the load. @param {number} elapsed ms */
  leaveAllUnsent (elapsed) {
    if (this.pacer === null) return
    for (const group of this.pacer.groups()) this.leaveUnsent(group, elapsed)
    this.needs.recorder.unsent += Math.min(this.pacer.missedBy(elapsed), this.allowance.spare)
  }

  /** Drops unsent requests that are due by a time. @param {number} at ms since the start of the load */
  dropUnsent (at) {
    for (const group of this.pacer?.groups() ?? []) {
      this.leaveUnsent(group, at)
      group.queue.drop(at)
    }
    this.needs.onTurns()
  }

  /**
   * Counts due requests as unsent. Requests without room have waited for the server, except for the generator's own
   * delay.
   * @param {import('./pacing/pacer').Group} group
   * @param {number} elapsed ms
   */
  leaveUnsent ({ queue, left, ofIterations }, elapsed) {
    const { recorder, plan, iterations = null } = this.needs
    // After the last iteration no request is due.
    if (iterations !== null) left = ofIterations === undefined && iterations.left > 0 ? left : iterations.left
    const unsent = Math.min(queue.due(elapsed), left)
    const dueAt = (/** @type {number} */ i) => queue.pace.dueAt(queue.taken + i)
    recorder.instruments.stages?.leave(ofIterations === undefined ? 'unsent' : 'neverStarted', unsent, dueAt)
    if (ofIterations !== undefined) {
      if (recorder.instruments.iterations !== null) {
        recorder.instruments.iterations.arrivalsOf(ofIterations.scenario).neverStarted += unsent
      }
      return
    }
    recorder.unsent += unsent
    if (queue.free > 0 || plan.ignoreCoordinatedOmission) return
    const { mean } = recorder.distributions
    // Counts in bulk, because a loop over millions of requests would take seconds.
    const step = Math.ceil(unsent / 100_000)
    for (let i = 0; i < unsent; i += step) {
      const due = dueAt(i)
      const waited = elapsed - due
      if (waited > queue.debt) {
        const n = Math.min(step, unsent - i)
        const stage = recorder.instruments.stages?.due.at(due)
        recorder.abandonPending(waited - queue.debt, true, n, stage)
        recorder.recordPendingPaced(waited - queue.debt, mean, n, null, stage)
      }
    }
  }
}

module.exports = { Connections }
