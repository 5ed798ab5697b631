'use strict'

// The stages of a changing load: their form in a plan, the stage at a time, and its target load. A pace computes due
// requests.

/**
 * A part of a run in which the load changes linearly. Times are ms since the start of the load.
 * @typedef {object} Stage
 * @property {string | null} name
 * @property {'rate' | 'iterations' | 'connections'} over the changing load: requests per second in all, iterations per
 *   second, or the number of connections
 * @property {number} from
 * @property {number} until
 * @property {number} start the load at `from`
 * @property {number} end the load just before `until`
 */

/**
 * A parsed stage of a user.
 * @typedef {object} GivenStage
 * @property {string} [name]
 * @property {number} duration seconds; 0 for a jump
 * @property {import('./rate').Rate} [rate] at its end; a stage has either a rate
 * @property {number} [connections] or a number of connections at its end
 */

/** An upper bound of rounding errors. */
const TOLERANCE = 1e-9

class Stages {
  /** @param {ReadonlyArray<Stage>} list sorted by time, without overlaps */
  constructor (list) {
    this.list = [...list]
  }

  /** @returns {number} ms */
  get until () {
    return this.list.at(-1)?.until ?? 0
  }

  /**
   * @param {number} at ms
   * @returns {number} index of the stage; −1 for none. Where two stages meet it is the later one
   */
  indexAt (at) {
    const { list } = this
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (list[middle].until > at) high = middle
      else low = middle + 1
    }
    return low < list.length && list[low].from <= at ? low : -1
  }

  /**
   * @param {number} at ms
   * @returns {number} requests per second, or connections, which may be a fraction; 0 outside of all stages
   */
  targetAt (at) {
    const i = this.indexAt(at)
    return i === -1 ? 0 : valueAt(this.list[i], at)
  }

  /**
   * @param {number} from ms
   * @param {number} until ms, later than `from`
   * @returns {number} the mean target in that time
   */
  meanTarget (from, until) {
    const { list } = this
    let sum = 0
    for (let i = Math.max(0, this.indexAt(from)); i < list.length && list[i].from < until; i++) {
      const [begin, end] = [Math.max(from, list[i].from), Math.min(until, list[i].until)]
      if (begin < end) sum += (valueAt(list[i], begin) + valueAt(list[i], end)) / 2 * (end - begin)
    }
    return sum / (until - from)
  }

  /**
   * @param {number} at ms
   * @returns {number} the target number of connections: connection n, from 0, is open while the target is above n.
   *   Between stages it is the number at the end of the last one
   */
  connectionsAt (at) {
    const { list } = this
    const i = this.indexAt(at)
    if (i === -1) return Math.ceil(list.findLast(({ until }) => until <= at)?.end ?? 0)
    const { start, end } = list[i]
    const value = valueAt(list[i], at)
    return end > start ? Math.min(Math.ceil(end), Math.floor(value + TOLERANCE) + 1) : Math.ceil(value - TOLERANCE)
  }

  /**
   * @param {number} at ms
   * @returns {number} the end of this number of connections; Infinity after the last change
   */
  changeAfter (at) {
    const { list } = this
    const i = this.indexAt(at)
    if (i === -1) return list.find(({ from }) => from > at)?.from ?? Infinity
    const { from, until, start, end } = list[i]
    if (end === start) return until
    const count = this.connectionsAt(at)
    // When the target rises, a connection is added where it reaches the current number. When it falls, one is removed
    // where it reaches one less.
    const change = from + ((end > start ? count : count - 1) - start) * (until - from) / (end - start)
    return Math.min(until, change)
  }

  /**
   * Adds a stage. The last stage is shortened where they overlap.
   * @param {Stage} stage that begins within the last one or later
   */
  extend (stage) {
    const last = this.list.at(-1)
    if (last !== undefined && last.until > stage.from) {
      this.list[this.list.length - 1] = { ...last, until: stage.from, end: valueAt(last, stage.from) }
    }
    this.list.push(stage)
  }
}

/**
 * @param {Stage} stage
 * @param {number} at ms within it
 * @returns {number} the load at that time
 */
function valueAt ({ from, until, start, end }, at) {
  return start + (end - start) * (at - from) / (until - from)
}

/** Returns the highest load. @type {(list: ReadonlyArray<Stage>) => number} */
function mostOf (list) {
  return list.reduce((most, { start, end }) => Math.max(most, start, end), 0)
}

/**
 * @param {{ stages: ReadonlyArray<Stage> | null, pacing: object | null, groups: ReadonlyArray<{ ramp:
 *   ReadonlyArray<Stage> | null }> | null }} plan
 * @returns {boolean} whether stages change the number of its connections, or of those in one of its groups
 */
function rampsConnections ({ stages, pacing, groups }) {
  return groups === null ? stages !== null && pacing === null : groups.some(({ ramp }) => ramp !== null)
}

/** Returns the sum of their durations in seconds. @type {(stages: GivenStage[]) => number} */
function secondsOf (stages) {
  // Sums of whole ms are exact.
  return stages.reduce((ms, { duration }) => ms + duration * 1000, 0) / 1000
}

/** @param {GivenStage[]} stages */
const overConnections = stages => stages[0].connections !== undefined

/**
 * @param {GivenStage[]} given
 * @param {number} start the load at the start of the run
 * @returns {ReadonlyArray<Stage>} without jumps, which set the start of the next stage
 */
function planStages (given, start) {
  /** @type {Stage['over']} */
  const over = overConnections(given) ? 'connections' : given[0].rate?.unit === 'iterations' ? 'iterations' : 'rate'
  const stages = []
  let from = 0
  for (const { name = null, duration, rate, connections = 0 } of given) {
    const end = rate?.number ?? connections
    const until = from + duration * 1000
    if (duration > 0) stages.push(Object.freeze({ name, over, from, until, start, end }))
    start = end
    from = until
  }
  return Object.freeze(stages)
}

module.exports = { Stages, mostOf, overConnections, planStages, rampsConnections, secondsOf }
