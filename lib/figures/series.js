'use strict'

// The time series of a run, over all generators, for charts and comparisons. A point is a sample, or several that fill
// 100 ms, the interval at which latencies are handed over. A rest that is too short to be compared is part of the last
// point. Memory is bounded: from LIMIT points on, neighbours are merged.

const { sum } = require('../core/statistics')
const { round } = require('../core/units')
const { POINTS, addCounts, joined, openPoint, pointOf, together } = require('./point')
const { Condensed } = require('../record/condensed')
const { Histogram } = require('../record/histogram')
const { countErrors, countNon2xx } = require('../record/statuses')
const { Progress, shareByTime, samplesPerPoint } = require('../record/timeline')
const { addUsage } = require('../record/usage')

/** How many points there are at most. */
const LIMIT = 2000

/**
 * @typedef {import('./point').Point} Point
 * @typedef {import('./point').OpenPoint} OpenPoint
 */

class Series {
  /**
   * @param {number} interval of the samples, ms
   * @param {number} generators
   * @param {(point: Point, latency: Histogram | null) => void} [onPoint] receives each one, in order, once all
   *   generators have passed it, with its latencies, null when no request ended: with them it can be merged with the
   *   same point of other machines. The histogram is reused once the call returns: to keep it, copy `latency.encode()`
   * @param {((from: number, until: number) => number) | null} [targetOf] the average target load, by ms since the
   *   figures began; null when it does not change
   * @param {(() => Pick<Point, 'server'>) | null} [beside] further figures of the time since the last call
   */
  constructor (interval, generators, onPoint = () => {}, targetOf = null, beside = null) {
    this.width = samplesPerPoint(interval)
    /** ms */
    this.step = this.width * interval
    this.onPoint = onPoint
    this.targetOf = targetOf
    this.beside = beside
    /** @type {any[]} the figures that instruments find in one point after the other */
    this.courses = POINTS.flatMap(({ Course }) => Course === undefined ? [] : [new Course(this.step)])
    /** Those of them that look at each snapshot. @type {any[]} */
    this.adding = this.courses.filter(course => course.add !== undefined)
    /** @type {Condensed<Point>} */
    this.condensed = new Condensed(LIMIT, joined)
    /** @type {Map<number, OpenPoint>} */
    this.open = new Map()
    this.progress = new Progress(generators)
    this.closed = -1
    this.latest = -1
    /** @type {Histogram[]} */
    this.spare = []
    /** @type {number[]} how many connections each generator had last, in a run with stages */
    this.connections = []
    /** @type {Set<number>} */
    this.lost = new Set()
  }

  /** @param {number} generator @param {import('../record/recorder').Snapshot} snapshot */
  add (generator, snapshot) {
    for (const { index, requests, bytes, length } of this.progress.advance(generator, snapshot)) {
      const point = this.at(Math.floor(index / this.width))
      point.requests += requests
      point.bytes += bytes
      point.lengths[generator] = (point.lengths[generator] ?? 0) + length
      point.usages[generator] = addUsage(point.usages[generator], snapshot.usage)
      // A generator that was blocked reports several points at once.
      if (this.targetOf !== null) point.connections[generator] = snapshot.connections
    }
    const sampled = Math.floor(snapshot.sample / this.width)
    const point = this.at(sampled)
    for (const course of this.adding) course.add(sampled, snapshot)
    point.non2xx += countNon2xx(snapshot.statuses)
    point.failures += countErrors(snapshot.statuses) - snapshot.allowed + snapshot.faulty
    point.resent += snapshot.resent
    point.redirects += snapshot.redirects ?? 0
    addCounts(point.errorCodes, snapshot.errorCodes)
    if (snapshot.distributions !== null && snapshot.distributions.latency.count > 0) {
      point.latency ??= this.spare.pop() ?? new Histogram()
      point.latency.add(snapshot.distributions.latency)
      const { late } = snapshot.distributions
      if (late?.count > 0) {
        point.late ??= this.spare.pop() ?? new Histogram()
        point.late.add(late)
      }
    }
    if (this.targetOf !== null) point.connections[generator] = snapshot.connections
    this.close()
  }

  /**
   * The generator adds nothing more.
   * @param {number} generator
   * @param {boolean} [isLost] its connections are gone with it
   */
  end (generator, isLost = false) {
    if (isLost) this.lost.add(generator)
    this.progress.end(generator)
    this.close()
    if (this.progress.complete === Infinity) this.joinRest()
  }

  get points () {
    return this.condensed.list
  }

  joinRest () {
    const [before, rest] = this.points.slice(-2)
    if (rest !== undefined && this.condensed.inLast === 1 && rest.length < this.step / 2) {
      this.points.splice(-2, 2, joined(before, rest))
    }
  }

  /** @param {number} index @returns {OpenPoint} */
  at (index) {
    let point = this.open.get(index)
    if (point === undefined) {
      point = openPoint()
      this.open.set(index, point)
      this.latest = Math.max(this.latest, index)
    }
    return point
  }

  /** Closes the points that every live generator has passed. */
  close () {
    const last = Math.min(this.latest, Math.floor((this.progress.complete + 1) / this.width) - 1)
    while (this.closed < last) {
      const index = ++this.closed
      const open = this.at(index)
      this.open.delete(index)
      const told = pointOf(index * this.step, open)
      /** @type {Point} */
      const point = Object.assign(
        {}, told, ...this.courses.map(course => course.next(open, told, index)), this.gauges(index, open),
        this.beside?.()
      )
      this.condensed.add(point)
      this.onPoint(point, open.latency)
      for (const histogram of [open.latency, open.late]) {
        if (histogram === null) continue
        histogram.reset()
        this.spare.push(histogram)
      }
    }
  }

  /** @param {number} index @param {OpenPoint} open @returns {import('./point').Gauges} */
  gauges (index, { lengths, connections }) {
    const { targetOf, step } = this
    if (targetOf === null) return {}
    const from = index * step
    // A time that is too short to be measured counts for the point in which it begins.
    const until = from + Math.max(1, ...lengths.filter(length => length !== undefined))
    // One that ended in the point before has as many as then.
    Object.assign(this.connections, connections)
    for (const generator of this.lost) this.connections[generator] = 0
    return { target: round(targetOf(from, until)), connections: sum(this.connections) }
  }
}

/**
 * Adds the series of several runs by time.
 * @param {Array<{ points: Point[], offset: number }>} runs `offset`: how many ms later than the first one it started
 * @returns {Point[]}
 */
function mergeSeries (runs) {
  if (runs.length === 1 && runs[0].offset === 0) return runs[0].points
  const all = runs.flatMap(({ points, offset }) =>
    points.map(point => ({ point, from: offset + point.time, to: offset + point.time + point.length })))
  const end = all.reduce((latest, { to }) => Math.max(latest, to), 0)
  const longest = all.reduce((longest, { point }) => Math.max(longest, point.length), 0)
  const step = Math.max(Math.round(longest), Math.ceil(end / LIMIT), 1)
  /** @type {Array<Array<{ point: Point, part: number, ms: number, to: number }>>} */
  const buckets = []
  for (const { point, from, to } of all) {
    shareByTime(from, to, step, (i, part) => { (buckets[i] ??= []).push({ point, part, ms: part * point.length, to }) })
  }
  return Array.from(buckets, (parts = [], i) => {
    const until = i === buckets.length - 1 ? parts.reduce((latest, { to }) => Math.max(latest, to), i * step) : Infinity
    const length = Math.min(step, until - i * step)
    return together(parts, i * step, length)
  })
}

module.exports = { Series, mergeSeries, LIMIT }
