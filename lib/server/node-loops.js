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
/** A process without reports for this number of consecutive reads has probably ended, and is replaced by a new one. */
const SILENT = 3
const SLOT = NUMBERS * 8
/** The number of reports per read. */
const AT_ONCE = 16
/**
 * The event loop is blocked if a process has not reported for this time, ms, and its main thread was busy for this
 * share of it. Reports are due each 100 ms.
 */
const [BLOCKED, BUSY] = [300, 0.9]
/** The server owns the files in the folder and may replace one by a pipe, so an open must not block. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** The figures without a report, such as for a server that is not a Node.js program of --on-port. */
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
   * @param {string} folder with a file for each process
   * @param {(pid: number) => number | null} [mainMsOf] returns the time that the main thread of a process has been busy
   *   since its start; null if unknown
   */
  constructor (folder, mainMsOf = () => null) {
    this.folder = folder
    this.mainMsOf = mainMsOf
    /** @type {Map<string, Ring>} */
    this.rings = new Map()
    /** Replaced processes. @type {Set<string>} */
    this.left = new Set()
  }

  /**
   * @param {number} [elapsed] ms since the last read
   * @returns {LoopFigures} since the last read, or since the start of a process
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

  /** @returns {boolean} whether another process fits: if needed, drops the one without reports for the longest time */
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
    /** The number of consecutive reads without a report, and their total time, ms. */
    this.silent = 0
    this.silentMs = 0
    /** The CPU time of its main thread at its last report. */
    this.heardMs = null
    /** The part of this time that was counted as a blocked loop, ms. */
    this.blockedMs = 0
  }

  /**
   * @param {number} elapsed ms since the last time
   * @param {number | null} mainMs the time that the main thread has been busy since the start of its process; null if
   *   unknown
   * @returns {LoopFigures | null} since the last call; null without a report
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
    // A part of the blocked time has already been counted.
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
   * @returns {LoopFigures | null} of a blocked loop; null if uncertain: a stopped process, or one without a free file
   *   descriptor, does not report either
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

  /** @param {(slot: Float64Array) => void} visit receives each new report in order */
  each (visit) {
    const { fd, numbers, bytes, last: { number } } = this
    let next = number + 1
    // The number of reports bounds the loop, whatever the file contains.
    for (let times = 0; times <= SLOTS / AT_ONCE; times++) {
      const first = next % SLOTS
      const count = Math.min(AT_ONCE, SLOTS - first)
      const read = Math.floor(tryOr(0, () => readSync(fd, bytes, 0, count * SLOT, first * SLOT)) / SLOT)
      for (let i = 0; i < read; i++) {
        const slot = numbers.subarray(i * NUMBERS, (i + 1) * NUMBERS)
        // The slot is older or was never written. A late reader finds a newer report, and continues there.
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
