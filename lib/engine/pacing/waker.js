'use strict'

// Chooses between an even and a batched pace: the configured one, otherwise an even pace while a core is free for it.

const { BatchTimer } = require('./batch-timer')
const { BusyPoll } = require('./busy-poll')

/** CPU wait is measured in windows of this length, ms. */
const WINDOW = 500

/** Above this share of CPU wait, no core is free for an even pace. */
const STARVED = 0.2

/** The number of consecutive windows above the limit: other processes may briefly need the core. */
const WINDOWS = 2

/**
 * @typedef {import('../../record/recorder').KeptPace} KeptPace
 *
 * @typedef {object} Machine
 * @property {number} cores
 * @property {import('../../core/clock').Clock} sharedNow the common clock of all threads
 * @property {() => number | null} runDelayMs CPU wait of this thread; null if the system does not report it
 * @property {(ms: number) => void} spin waits and keeps the core
 */

class Waker {
  /**
   * @param {{ pace: 'even' | 'batched' | null, threads: number, apart: boolean }} plan the pace option, the number of
   *   load generators on this machine, and whether this is an agent
   * @param {Machine} machine
   * @param {import('./running-clock').RunningClock} clock
   * @param {import('../../core/timers').Timers} timers
   * @param {() => boolean} isQuiet returns whether nothing is in flight
   * @param {(kept: KeptPace) => void} report receives the pace now and after each change
   */
  constructor ({ pace, threads, apart }, machine, clock, timers, isQuiet, report) {
    this.machine = machine
    this.clock = clock
    this.timers = timers
    this.report = report
    const reason = pace === null ? shortOf(threads, machine.cores, apart) : null
    const even = reason === null && pace !== 'batched'
    this.yields = even && pace === null
    /** @type {BusyPoll | BatchTimer} */
    this.strategy = even ? new BusyPoll(clock, timers, machine.spin, isQuiet) : new BatchTimer(timers)
    this.left = () => Infinity
    this.wake = () => {}
    this.started = false
    this.stopped = false
    this.idleMs = 0
    report({ pace: even ? 'even' : 'batched', reason })
  }

  /**
   * @param {() => number} left ms until the next due time; negative if overdue
   * @param {() => void} wake sends due requests
   */
  start (left, wake) {
    this.left = left
    this.wake = wake
    this.started = true
    this.strategy.start(left, wake)
    if (this.yields && !this.stopped) this.watch(() => this.yield())
  }

  /** Restarts after a change of the next due time. */
  restart () {
    if (this.started && !this.stopped) this.strategy.start(this.left, this.wake)
  }

  /** Measures CPU wait until no core is free for an even pace. @param {() => void} onStarved */
  watch (onStarved) {
    const { machine, clock } = this
    const start = clock.real()
    let from = start
    let before = machine.runDelayMs()
    let starved = 0
    const look = () => {
      const at = clock.real()
      const waited = machine.runDelayMs()
      if (waited === null || before === null) return
      const share = (waited - before) / (at - from)
      starved = share > STARVED ? starved + 1 : 0
      if (starved === WINDOWS) {
        this.report({ pace: 'batched', reason: { code: 'cpu-wait', from: Number(((at - start) / 1000).toFixed(1)) } })
        return onStarved()
      }
      from = at
      before = waited
      this.timers.after(WINDOW, look)
    }
    this.timers.after(WINDOW, look)
  }

  yield () {
    this.strategy.stop()
    this.idleMs += this.strategy.takeIdleMs()
    this.strategy = new BatchTimer(this.timers)
    this.strategy.start(this.left, this.wake)
  }

  /** @returns {number} ms of turns without work since the last call */
  takeIdleMs () {
    const idleMs = this.idleMs + this.strategy.takeIdleMs()
    this.idleMs = 0
    return idleMs
  }

  stop () {
    this.stopped = true
    this.strategy.stop()
  }
}

/**
 * Returns the reason against an even pace; null for none.
 * @type {(threads: number, cores: number, apart: boolean) => import('../../record/recorder').PaceReason | null}
 */
function shortOf (threads, cores, apart) {
  return cores > threads ? null : { code: apart ? 'few-cores-of-agent' : 'few-cores', threads, cores }
}

module.exports = { Waker }
