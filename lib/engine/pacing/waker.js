'use strict'

// Chooses between an even and a batched pace: the one that was configured, otherwise an even pace as long as a core is
// free for it.

const { Ticks } = require('./batch-timer')
const { Turns } = require('./busy-poll')

/** How long the wait for a core is looked at, ms, and the part of it from which on there is none for an even pace. */
const WINDOW = 500
const STARVED = 0.2

/** In this number of windows in a row: others may need the core for a moment. */
const WINDOWS = 2

/**
 * @typedef {import('../../record/recorder').KeptPace} KeptPace
 *
 * @typedef {object} Machine
 * @property {number} cores
 * @property {import('../../core/clock').Clock} sharedNow the clock that all threads have in common
 * @property {() => number | null} runDelayMs CPU wait of this thread; null where the system has no figures
 * @property {(ms: number) => void} spin waits and keeps the core
 */

class Waker {
  /**
   * @param {{ pace: 'even' | 'batched' | null, threads: number, apart: boolean }} plan the pace option, the number of
   *   generators on this machine, and whether it is one of several
   * @param {Machine} machine
   * @param {import('./running-clock').RunningClock} clock
   * @param {import('../../core/timers').Timers} timers
   * @param {() => boolean} isQuiet whether nothing is in flight
   * @param {(kept: KeptPace) => void} tell which pace is kept, at once and when it changes
   */
  constructor ({ pace, threads, apart }, machine, clock, timers, isQuiet, tell) {
    this.machine = machine
    this.clock = clock
    this.timers = timers
    this.tell = tell
    const reason = pace === null ? shortOf(threads, machine.cores, apart) : null
    const even = reason === null && pace !== 'batched'
    this.yields = even && pace === null
    /** @type {Turns | Ticks} */
    this.way = even ? new Turns(clock, timers, machine.spin, isQuiet) : new Ticks(timers)
    this.left = () => Infinity
    this.wake = () => {}
    this.started = false
    this.stopped = false
    this.idleMs = 0
    tell({ pace: even ? 'even' : 'batched', reason })
  }

  /**
   * @param {() => number} left ms until something is due; less than 0 when it is overdue
   * @param {() => void} wake sends due requests, as far as possible
   */
  start (left, wake) {
    this.left = left
    this.wake = wake
    this.started = true
    this.way.start(left, wake)
    if (this.yields && !this.stopped) this.watch(() => this.yield())
  }

  /** The next due time has changed. */
  restart () {
    if (this.started && !this.stopped) this.way.start(this.left, this.wake)
  }

  /** Looks whether there is a core for an even pace, until there is none. @param {() => void} giveUp */
  watch (giveUp) {
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
        this.tell({ pace: 'batched', reason: { code: 'cpu-wait', from: Number(((at - start) / 1000).toFixed(1)) } })
        return giveUp()
      }
      from = at
      before = waited
      this.timers.after(WINDOW, look)
    }
    this.timers.after(WINDOW, look)
  }

  yield () {
    this.way.stop()
    this.idleMs += this.way.takeIdleMs()
    this.way = new Ticks(this.timers)
    this.way.start(this.left, this.wake)
  }

  /** @returns {number} ms since the last call in turns that only waited */
  takeIdleMs () {
    const idleMs = this.idleMs + this.way.takeIdleMs()
    this.idleMs = 0
    return idleMs
  }

  stop () {
    this.stopped = true
    this.way.stop()
  }
}

/**
 * Returns why there can't be an even pace; null when there can.
 * @type {(threads: number, cores: number, apart: boolean) => import('../../record/recorder').PaceReason | null}
 */
function shortOf (threads, cores, apart) {
  return cores > threads ? null : { code: apart ? 'few-cores-of-agent' : 'few-cores', threads, cores }
}

module.exports = { Waker }
