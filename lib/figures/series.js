'use strict'

// The time series of a run over all load generators, for charts and comparisons. A point is a sample, or several that
// fill 100 ms, the interval at which latencies are handed over. A short rest at the end is joined to the last point.
// Memory is bounded: from LIMIT points on, neighbours are joined.

const { sum } = require('../core/statistics')
const { round } = require('../core/units')
const { POINTS, addCounts, joined, openPoint, pointOf, together } = require('./point')
const { Condensed } = require('../record/condensed')
const { Histogram } = require('../record/histogram')
const { countErrors, countNon2xx } = require('../record/statuses')
const { Progress, shareByTime, samplesPerPoint } = require('../record/timeline')
const { addUsage } = require('../record/usage')

/** The greatest number of points. */
const LIMIT = 2000

/**
 * @typedef {import('./point').Point} Point
 * @typedef {import('./point').OpenPoint} OpenPoint
 */

class Series {
  /**
   * @param {number} interval of the samples, ms
   * @param {number} generators
   * @param {(point: Point, latency: Histogram | null) => void} [onPoint] receives each closed point, in order, with its
   *   latencies (null if no request ended). The histogram is reused after the call: to keep it, copy `latency.encode()`
   * @param {((from: number, until: number) => number) | null} [targetOf] the average target load between two times, ms
   *   since the figures began; null for a constant load
   * @param {(() => Pick<Point, 'server'>) | null} [beside] the figures of a watched server since the last call
   */
  constructor (interval, generators, onPoint = () => {}, targetOf = null, beside = null) {
    this.width = samplesPerPoint(interval)
    /** ms */
    this.step = this.width * interval
    this.onPoint = onPoint
    this.targetOf = targetOf
    this.beside = beside
    /** The figures of instruments in one point after the other. @type {any[]} */
    this.courses = POINTS.flatMap(({ Course }) => Course === undefined ? [] : [new Course(this.step)])
    /** Those that read each snapshot. @type {any[]} */
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
    /** The last number of connections of each generator, in a run with stages. @type {number[]} */
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
   * The generator has ended.
   * @param {number} generator
   * @param {boolean} [isLost] whether it was lost, and its connections with it
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

  /** Closes the points that every running generator has passed. */
  close () {
    const last = Math.min(this.latest, Math.floor((this.progress.complete + 1) / this.width) - 1)
    while (this.closed < last) {
      const index = ++this.closed
      const open = this.at(index)
      this.open.delete(index)
      const figures = pointOf(index * this.step, open)
      /** @type {Point} */
      const point = Object.assign(
        {}, figures, ...this.courses.map(course => course.next(open, figures, index)), this.gauges(index, open),
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
    // At least 1 ms, as a shorter point has no measured length.
    const until = from + Math.max(1, ...lengths.filter(length => length !== undefined))
    // A generator that has ended keeps its last number.
    Object.assign(this.connections, connections)
    for (const generator of this.lost) this.connections[generator] = 0
    return { target: round(targetOf(from, until)), connections: sum(this.connections) }
  }
}

/**
 * Adds the series of several runs by time.
 * @param {Array<{ points: Point[], offset: number }>} runs `offset`: ms from the start of the first run to its start
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
