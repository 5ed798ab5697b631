'use strict'

// Owns the load of one thread: its connections, the sweep over their deadlines, the clock of its samples, and its end.

const { Connection } = require('../http1/connection')
const { HeadMemo } = require('../http1/response-parser')
const { connect } = require('../http1/transport')
const { now } = require('../clock')
const { compile, Batch } = require('../request/template')
const { Sequence } = require('../request/sequence')
const { Recorder } = require('../stats/recorder')
const { Budget, shareOut } = require('./budget')

const READ_BUFFER = 64 * 1024

/**
 * @typedef {object} Sinks where a generator tells what happens
 * @property {(snapshot: import('../stats/recorder').Snapshot) => void} snapshot at the end of each sample, and at the end
 * @property {() => void} end once, after the last snapshot
 */

class Generator {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {Sinks} sinks
   * @param {import('../http1/connection').Observer} observer
   * @param {{ now?: import('../clock').Clock, connect?: typeof connect }} [edge] for tests
   */
  constructor (plan, sinks, observer, edge = {}) {
    this.plan = plan
    this.sinks = sinks
    this.now = edge.now ?? now
    this.recorder = new Recorder()
    this.startedAt = 0
    this.sampledAt = 0
    this.slot = -1
    this.ended = false
    /** @type {Set<NodeJS.Timeout>} */
    this.timers = new Set()

    const around = {
      now: this.now,
      connect: edge.connect ?? connect,
      readBuffer: Buffer.allocUnsafeSlow(READ_BUFFER),
      memo: new HeadMemo(),
      recorder: this.recorder,
      observer,
      pipelining: plan.pipelining,
      timeout: plan.timeout,
      onEnd: () => {
        if (--this.live === 0) this.stop()
      }
    }
    const batches = plan.targets.map(target =>
      new Batch(plan.requests.map(request => compile(request, target)), plan.pipelining))
    const limits = plan.amount === null ? null : shareOut(plan.amount, plan.connections)
    this.connections = Array.from({ length: plan.connections }, (_, i) => {
      const which = i % plan.targets.length
      return new Connection(around, plan.targets[which], new Sequence(batches[which]), new Budget(limits?.[i]))
    }).filter(connection => connection.budget.left > 0)
    this.live = this.connections.length
  }

  /** Opens all connections; the clock of the run starts. */
  start () {
    const { plan } = this
    this.startedAt = this.now()
    for (const connection of this.connections) connection.open()
    const sweep = Math.max(1, Math.min(100, plan.timeout / 10))
    this.every(() => sweep, () => {
      const at = this.now()
      for (const connection of this.connections) connection.checkDeadline(at)
    })
    this.every(() => (this.slot + 2) * plan.sampleInt - this.elapsed(), () => this.sample())
    if (plan.amount === null) this.after(plan.duration, () => this.stop())
  }

  /** Ends the load, once: what is in flight is abandoned, what was counted is handed over. */
  stop () {
    if (this.ended) return
    this.ended = true
    for (const timer of this.timers) clearTimeout(timer)
    for (const connection of this.connections) connection.abandon()
    const elapsed = this.elapsed()
    this.sinks.snapshot(this.recorder.take(this.sampledAt, elapsed, this.slot + 1))
    this.sinks.end()
    this.recorder.destroy()
  }

  /** @returns {number} ms since the start */
  elapsed () {
    return this.now() - this.startedAt
  }

  /** Ends the samples whose time has passed. */
  sample () {
    const elapsed = this.elapsed()
    const { sampleInt } = this.plan
    // Timers may fire up to 1 ms early.
    const slot = Math.floor((elapsed + Math.min(1, sampleInt / 4)) / sampleInt) - 1
    if (slot <= this.slot) return
    const snapshot = this.recorder.take(this.sampledAt, elapsed, slot)
    this.slot = slot
    this.sampledAt = elapsed
    this.sinks.snapshot(snapshot)
  }

  /**
   * @param {number} delay ms
   * @param {() => void} action
   */
  after (delay, action) {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      action()
    }, delay)
    this.timers.add(timer)
  }

  /**
   * @param {() => number} delay until the next time, ms
   * @param {() => void} action
   */
  every (delay, action) {
    this.after(delay(), () => {
      action()
      if (!this.ended) this.every(delay, action)
    })
  }
}

module.exports = { Generator }
