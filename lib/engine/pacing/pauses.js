'use strict'

// The pauses of connections, with one timer for all.

/** @typedef {{ wake: (until: number) => void, isOver?: boolean }} Connection */

/** Up to this number of pauses, ended ones are not removed. */
const FEW = 1000

class Pauses {
  /** @param {import('../../core/clock').Clock} now @param {import('../../core/timers').Timers} timers */
  constructor (now, timers) {
    this.now = now
    this.timers = timers
    // A binary heap, the earliest first: a pause costs log2 n steps and leaves no garbage.
    /** @type {number[]} */
    this.untils = []
    /** @type {Connection[]} */
    this.connections = []
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
    this.wakesAt = Infinity
    /** At this number of pauses, those that ended early are removed. */
    this.most = FEW
  }

  /**
   * @param {Connection} connection to wake at this time
   * @param {number} until on the clock of the connections
   */
  add (connection, until) {
    if (this.untils.length >= this.most) this.sweep()
    const { untils, connections } = this
    let i = untils.length
    for (let above; i > 0 && untils[above = (i - 1) >> 1] > until; i = above) this.move(above, i)
    untils[i] = until
    connections[i] = connection
    this.wind()
  }

  /**
   * Removes ended pauses. The next removal is after as many new pauses as remain, so the cost per pause is constant.
   */
  sweep () {
    const { untils, connections } = this
    const kept = connections.flatMap((connection, i) => connection.isOver === true ? [] : i)
      .sort((one, other) => untils[one] - untils[other])
    this.untils = kept.map(i => untils[i])
    this.connections = kept.map(i => connections[i])
    this.most = Math.max(FEW, 2 * kept.length)
  }

  wind () {
    const [first = Infinity] = this.untils
    if (first >= this.wakesAt) return
    this.timers.cancel(this.timer)
    this.wakesAt = first
    this.timer = this.timers.after(Math.ceil(first - this.now()), () => this.ring())
  }

  /** Wakes connections at the end of their pauses; a timer may fire a little early. */
  ring () {
    // Pauses that are added now set no timer: it is set once after the loop.
    this.wakesAt = -Infinity
    this.timer = undefined
    const at = this.now()
    while (this.untils.length > 0 && this.untils[0] <= at) {
      const [until] = this.untils
      this.takeFirst().wake(until)
    }
    this.wakesAt = Infinity
    if (!this.timers.stopped) this.wind()
  }

  /** @returns {Connection} the earliest, after removing it */
  takeFirst () {
    const { untils, connections } = this
    const [first] = connections
    const until = /** @type {number} */ (untils.pop())
    const last = /** @type {Connection} */ (connections.pop())
    const { length } = untils
    if (length === 0) return first
    let i = 0
    for (let below = 1; below < length; below = 2 * i + 1) {
      if (below + 1 < length && untils[below + 1] < untils[below]) below++
      if (untils[below] >= until) break
      this.move(below, i)
      i = below
    }
    untils[i] = until
    connections[i] = last
    return first
  }

  /** @type {(from: number, to: number) => void} */
  move (from, to) {
    this.untils[to] = this.untils[from]
    this.connections[to] = this.connections[from]
  }
}

module.exports = { Pauses }
