'use strict'

// The load of a generator's thread: its share of a core and of its event loop, timer delay, garbage collection, CPU
// wait, blocked time and stalls.

const { performance } = require('node:perf_hooks')
const { GarbageCollection } = require('./garbage-collection')
const { LongTurns } = require('./long-turns')
const { ThreadTimes } = require('./thread-times')
const { read } = require('../../machine/read')
const { StolenTime } = require('../../machine/stolen-time')

/** @typedef {import('../../record/usage').Usage} Usage */

class Health {
  /**
   * @param {import('../pacing/running-clock').RunningClock} clock
   * @param {{ connections: number, streams: number, pipelining: number }} plan
   * @param {import('../../core/timers').Timers} timers
   * @param {() => number} [nativeSockets] returns the number of connections with native sockets
   */
  constructor (clock, { connections, streams, pipelining }, timers, nativeSockets = () => 0) {
    this.clock = clock
    this.thread = new ThreadTimes()
    this.turns = new LongTurns(clock, this.thread, connections * pipelining, timers)
    this.garbageCollection = new GarbageCollection()
    this.connections = connections / streams
    this.nativeSockets = nativeSockets
    /** @type {StolenTime | null} null before the start */
    this.stolen = null
    /** Whether a server listens in this thread, and whether it is the measured one. */
    this.hasServer = false
    this.withServer = false
    /** @type {ReturnType<Health['look']> | null} null before the start */
    this.last = null
  }

  look () {
    return { ...this.thread.read(), active: performance.eventLoopUtilization().active, wall: performance.now() }
  }

  start () {
    this.thread.open()
    this.turns.start()
    this.stolen = new StolenTime(read)
    this.garbageCollection.start()
    this.last = this.look()
    // Before the first connection, while the list of handles is short.
    this.hasServer = process.getActiveResourcesInfo().includes('TCPServerWrap')
  }

  /**
   * @param {number} [idleMs] time of turns that only polled the clock
   * @returns {Usage} since the last call
   */
  take (idleMs = 0) {
    const at = this.look()
    const before = this.last ?? at
    const stalledMs = this.clock.takeStall()
    const wallMs = Math.max(0, at.wall - before.wall - stalledMs)
    const active = at.active - before.active
    this.withServer ||= this.hasServer && this.hasBothEnds()
    const usage = {
      cpuMs: at.cpuMs - before.cpuMs,
      // A stall counts as active time unless the event loop was waiting.
      activeMs: active > wallMs ? Math.max(0, active - stalledMs) : active,
      idleMs,
      gcMs: this.garbageCollection.take(),
      wallMs,
      stalledMs,
      runDelayMs: at.runDelayMs === null || before.runDelayMs === null ? null : at.runDelayMs - before.runDelayMs,
      ...this.turns.take(),
      ...this.stolen?.take(at.cpuMs - before.cpuMs),
      ...this.withServer && { withServer: true },
      delay: this.turns.lag()
    }
    this.last = at
    return usage
  }

  /**
   * Returns whether the measured server is in this thread: the thread then has more sockets than its connections need.
   */
  hasBothEnds () {
    const { connections, nativeSockets } = this
    const all = process.getActiveResourcesInfo().filter(kind => kind === 'TCPSocketWrap').length
    return all - Math.max(0, connections - nativeSockets()) > connections / 2
  }

  /** Drops earlier measurements, the event loop delay included. */
  restart () {
    this.take()
    this.turns.delay.reset()
  }

  stop () {
    this.thread.close()
    this.garbageCollection.stop()
  }
}

module.exports = { Health }
