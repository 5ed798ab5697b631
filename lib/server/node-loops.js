'use strict'

// Event loop, heap and garbage collection of Node.js programs below the command of --on-port, as preload/report-loop.js
// reports them: for each figure the highest of all processes since the last read.

const { closeSync, constants, openSync, readSync, readdirSync } = require('node:fs')
const path = require('node:path')
const { tryOr } = require('../core/try-or')
const { round } = require('../core/units')
const { NUMBERS, SLOTS } = require('./preload/report-loop')

/** The limit of processes at a time. */
const MOST = 100
/** A process that was silent for this number of reads in a row has probably ended, and makes room for others. */
const SILENT = 3
const SLOT = NUMBERS * 8
/** How many reports are read at once. */
const AT_ONCE = 16
/**
 * A process that was silent for this time, ms, with its main thread busy for this part of it, has a blocked loop: it
 * would report each 100 ms.
 */
const [BLOCKED, BUSY] = [300, 0.9]
/** Files in that folder belong to the server, which may replace one by a pipe: an open must not block. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** The figures without a report, as of a server that is no Node.js program of --on-port. */
const UNKNOWN = Object.freeze({
  eventLoopUtilization: null, eventLoopDelay: null, eventLoopDelayMax: null, heapUsed: null, gc: null
})

/**
 * @typedef {Pick<import('../instruments/server/result').ServerPoint, keyof typeof UNKNOWN>} LoopFigures
 *
 * @typedef {object} Report
 * @property {number} number counted from 1
 * @property {number} idle ms since the start of the process
 * @property {number} active
 * @property {number} collected ms of garbage collection
 */

class NodeLoops {
  /**
   * @param {string} folder in which each process has a file
   * @param {(pid: number) => number | null} [mainMsOf] how long the main thread of a process has had something to do
   *   since its start; null where that is not known
   */
  constructor (folder, mainMsOf = () => null) {
    this.folder = folder
    this.mainMsOf = mainMsOf
    /** @type {Map<string, Ring>} */
    this.rings = new Map()
    /** Processes that had to make room. @type {Set<string>} */
    this.left = new Set()
  }

  /**
   * @param {number} [elapsed] ms since the last time
   * @returns {LoopFigures} since the last time, or since a process has started
   */
  read (elapsed = 0) {
    for (const name of tryOr([], () => readdirSync(this.folder))) {
      if (!name.endsWith('.loop') || this.rings.has(name) || this.left.has(name)) continue
      if (this.rings.size === MOST && !this.makeRoom()) break
      const fd = tryOr(null, () => openSync(path.join(this.folder, name), FLAGS))
      if (fd !== null) this.rings.set(name, new Ring(fd))
    }
    const all = [...this.rings].flatMap(([name, ring]) => ring.take(elapsed, this.mainMsOf(parseInt(name))) ?? [])
    return all.length === 0
      ? UNKNOWN
      : /** @type {LoopFigures} */ (Object.fromEntries(Object.keys(UNKNOWN).map(key =>
          [key, greatest(all.map(one => one[/** @type {keyof typeof UNKNOWN} */ (key)]))])))
  }

  /** @returns {boolean} whether there is room now: the one goes that has been silent for longest */
  makeRoom () {
    const [name, ring] = [...this.rings].reduce((longest, one) => one[1].silent > longest[1].silent ? one : longest)
    if (ring.silent < SILENT) return false
    closeSync(ring.fd)
    this.rings.delete(name)
    this.left.add(name)
    return true
  }

  close () {
    for (const { fd } of this.rings.values()) closeSync(fd)
    this.rings.clear()
  }
}

class Ring {
  /** @param {number} fd */
  constructor (fd) {
    this.fd = fd
    this.numbers = new Float64Array(AT_ONCE * NUMBERS)
    this.bytes = new Uint8Array(this.numbers.buffer)
    /** @type {Report} */
    this.last = { number: 0, idle: 0, active: 0, collected: 0 }
    /** How often in a row it was silent, and for how long, ms. */
    this.silent = 0
    this.silentMs = 0
    /** The CPU time of its main thread at its last report. */
    this.heardMs = null
    /** How much of that was counted as a blocked loop, ms. */
    this.blockedMs = 0
  }

  /**
   * @param {number} elapsed ms since the last time
   * @param {number | null} mainMs how long the main thread of its process has had something to do since its start; null
   *   where that is not known
   * @returns {LoopFigures | null} since the last call; null without a report, when nothing is known
   */
  take (elapsed, mainMs) {
    const { last, blockedMs } = this
    let [delays, delay, delayMax, heapUsed] = [0, 0, 0, 0]
    this.each(slot => {
      this.last = { number: slot[0], idle: slot[1], active: slot[2], collected: slot[3] }
      heapUsed = slot[6]
      if (!(slot[4] >= 0)) return
      delays++
      delay += slot[4]
      delayMax = Math.max(delayMax, slot[5])
    })
    const { number, idle, active, collected } = this.last
    if (number === last.number) return this.silence(elapsed, mainMs)
    this.silent = this.silentMs = this.blockedMs = 0
    this.heardMs = mainMs
    const whole = idle - last.idle + active - last.active
    // Of a blocked loop, a part is counted already.
    const busy = Math.max(0, active - last.active - blockedMs)
    const ms = idle - last.idle + busy
    if (!(ms > 0)) return null
    return {
      eventLoopUtilization: shown(busy / ms),
      eventLoopDelay: delays === 0 ? null : shown(delay / delays),
      eventLoopDelayMax: delays === 0 ? null : shown(delayMax),
      heapUsed: shown(heapUsed),
      gc: shown((collected - last.collected) / whole)
    }
  }

  /**
   * @param {number} elapsed ms since the last time
   * @param {number | null} mainMs
   * @returns {LoopFigures | null} of a blocked loop; null when it may not be: a process that was stopped, or has no
   *   descriptor left for a report, is silent, too
   */
  silence (elapsed, mainMs) {
    this.silent++
    this.silentMs += elapsed
    if (this.silentMs < BLOCKED || mainMs === null || this.heardMs === null ||
      mainMs - this.heardMs < BUSY * this.silentMs) {
      return null
    }
    this.blockedMs += elapsed
    return {
      eventLoopUtilization: 1, eventLoopDelay: round(this.silentMs), eventLoopDelayMax: round(this.silentMs),
      heapUsed: null, gc: null
    }
  }

  /** @param {(slot: Float64Array) => void} visit of each report that is new, in their order */
  each (visit) {
    const { fd, numbers, bytes, last: { number } } = this
    let next = number + 1
    // Bounded by the number of reports, with any contents.
    for (let times = 0; times <= SLOTS / AT_ONCE; times++) {
      const first = next % SLOTS
      const count = Math.min(AT_ONCE, SLOTS - first)
      const read = Math.floor(tryOr(0, () => readSync(fd, bytes, 0, count * SLOT, first * SLOT)) / SLOT)
      for (let i = 0; i < read; i++) {
        const slot = numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS)
        // Of an older round, or never written. A late reader finds a later round, and goes on there.
        if (!(slot[0] >= next) || slot[0] % SLOTS !== next % SLOTS) return
        next = slot[0] + 1
        visit(slot)
      }
      if (read < count) return
    }
  }
}

/** @param {Array<number | null>} values */
function greatest (values) {
  return values.reduce((most, value) => value === null ? most : Math.max(most ?? 0, value), null)
}

/** @param {number} value that another process wrote */
function shown (value) {
  return Number.isFinite(value) && value >= 0 ? round(value) : null
}

module.exports = { NodeLoops, UNKNOWN }
