'use strict'

// Owns the course of a run: what happened from one point in time to the next, over all generators, for charts and
// comparisons. A point is a sample, or as many as it takes to fill 100 ms, which is how often latencies are handed over. A
// rest that is too short to be compared belongs to the point before it. Memory is bounded: from LIMIT points on,
// neighbours are merged.

const { round } = require('../units')
const { PointHealths } = require('./generator-health')
const { rankOf, spoils } = require('./generator-verdict')
const { Histogram } = require('../record/histogram')
const { countErrors, countNon2xx } = require('../record/statuses')
const { Progress, shareByTime } = require('../record/timeline')
const { addUsage, longestOf } = require('../record/usage')

/** No point is shorter, ms: handing histograms over takes about 0.1 ms. */
const SHORTEST = 100
/** How many points there are at the most. */
const LIMIT = 2000

/**
 * @typedef {object} Latencies
 * @property {number} time ms since the start, where it begins
 * @property {number} length ms
 * @property {number} requests completed
 * @property {number} bytes read
 * @property {number} non2xx answers
 * @property {number} failures
 * @property {number} errors
 * @property {Record<string, number>} errorCodes
 * @property {number | null} average latency in ms; null when no request ended
 * @property {number | null} p50
 * @property {number | null} p95
 * @property {number | null} p99
 * @property {number | null} max
 *
 * @typedef {object} PointHealth of the worst generator
 * @property {number} cpu share of a core, 0 to 1
 * @property {number} eventLoopUtilization 0 to 1
 * @property {number | null} runDelay the part of the time in which it waited for a core; null where the system does not tell
 * @property {number} blocked the part of the time that long turns of the event loop took
 * @property {import('./generator-verdict').Verdict | null} verdict
 *
 * @typedef {Latencies & PointHealth} Point
 */

/**
 * @typedef {object} OpenPoint
 * @property {number} requests
 * @property {number} bytes
 * @property {number} non2xx
 * @property {number} failures but for errors
 * @property {Record<string, number>} errorCodes
 * @property {number[]} lengths of each generator, ms
 * @property {import('../record/usage').Usage[]} usages of each generator
 * @property {Histogram | null} latency
 */

/**
 * @param {number} interval of the samples, ms
 * @returns {number} how many samples make a point
 */
function samplesPerPoint (interval) {
  return Math.max(1, Math.ceil(SHORTEST / interval))
}

class Series {
  /**
   * @param {number} interval of the samples, ms
   * @param {number} generators
   * @param {(point: Point, latency: Histogram | null) => void} [onPoint] told of each one, in order, once all generators have passed it, with
   *   its latencies, null when no request ended: with them it can be merged with the same point of other machines. The histogram is used
   *   again once the call returns: who keeps it keeps `latency.encode()`
   */
  constructor (interval, generators, onPoint = () => {}) {
    this.width = samplesPerPoint(interval)
    /** ms */
    this.step = this.width * interval
    this.onPoint = onPoint
    this.healths = new PointHealths(this.step)
    /** @type {Point[]} */
    this.points = []
    /** How many of what came make one of the points, and how many the last one has. */
    this.perPoint = 1
    this.inLast = 1
    /** @type {Map<number, OpenPoint>} */
    this.open = new Map()
    this.progress = new Progress(generators)
    this.closed = -1
    this.latest = -1
    /** @type {Histogram[]} */
    this.spare = []
  }

  /**
   * @param {number} generator
   * @param {import('../record/recorder').Snapshot} snapshot
   */
  add (generator, snapshot) {
    for (const { index, requests, bytes, length } of this.progress.advance(generator, snapshot)) {
      const point = this.at(Math.floor(index / this.width))
      point.requests += requests
      point.bytes += bytes
      point.lengths[generator] = (point.lengths[generator] ?? 0) + length
      point.usages[generator] = addUsage(point.usages[generator], snapshot.usage)
    }
    const point = this.at(Math.floor(snapshot.sample / this.width))
    point.non2xx += countNon2xx(snapshot.statuses)
    point.failures += countErrors(snapshot.statuses) - snapshot.allowed + snapshot.faulty
    addCounts(point.errorCodes, snapshot.errorCodes)
    if (snapshot.distributions !== null && snapshot.distributions.latency.count > 0) {
      point.latency ??= this.spare.pop() ?? new Histogram()
      point.latency.add(snapshot.distributions.latency)
    }
    this.close()
  }

  /**
   * The generator adds nothing more.
   * @param {number} generator
   */
  end (generator) {
    this.progress.end(generator)
    this.close()
    if (this.progress.complete === Infinity) this.joinRest()
  }

  joinRest () {
    const [before, rest] = this.points.slice(-2)
    if (rest !== undefined && this.inLast === 1 && rest.length < this.step / 2) this.points.splice(-2, 2, joined(before, rest))
  }

  /**
   * @param {number} index
   * @returns {OpenPoint}
   */
  at (index) {
    let point = this.open.get(index)
    if (point === undefined) {
      point = { requests: 0, bytes: 0, non2xx: 0, failures: 0, errorCodes: {}, lengths: [], usages: [], latency: null }
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
      const point = { ...pointOf(index * this.step, open), ...this.healths.next(open.usages) }
      this.keep(point)
      this.onPoint(point, open.latency)
      if (open.latency === null) continue
      open.latency.reset()
      this.spare.push(open.latency)
    }
  }

  /** @param {Point} point */
  keep (point) {
    const { points } = this
    if (this.inLast < this.perPoint) {
      points.push(joined(/** @type {Point} */ (points.pop()), point))
      this.inLast++
      return
    }
    points.push(point)
    this.inLast = 1
    if (points.length < LIMIT) return
    this.points = pairs(points)
    this.perPoint *= 2
    this.inLast = this.perPoint
  }
}

/**
 * @param {number} time
 * @param {OpenPoint} open
 * @returns {Latencies}
 */
function pointOf (time, { requests, bytes, non2xx, failures, errorCodes, lengths, latency }) {
  const errors = Object.values(errorCodes).reduce((sum, n) => sum + n, 0)
  return {
    time,
    length: round(lengths.reduce((longest, length) => Math.max(longest, length), 0)),
    requests,
    bytes,
    non2xx,
    failures: failures + errors,
    errors,
    errorCodes,
    average: latency && round(latency.sum / latency.count / 1000),
    p50: latency && round(latency.percentile(50)),
    p95: latency && round(latency.percentile(95)),
    p99: latency && round(latency.percentile(99)),
    max: latency && round(latency.max / 1000)
  }
}

/** @param {Point[]} points of an even number */
function pairs (points) {
  return points.flatMap((point, i) => i % 2 === 0 ? [] : [joined(points[i - 1], point)])
}

/**
 * @param {Point} a
 * @param {Point} b the next in time
 * @returns {Point} both together
 */
function joined (a, b) {
  const length = a.length + b.length
  /** @param {'cpu' | 'eventLoopUtilization' | 'runDelay' | 'blocked'} key */
  const mean = key => round(((a[key] ?? 0) * a.length + (b[key] ?? 0) * b.length) / (length || 1))
  const both = sum([{ point: a, part: 1 }, { point: b, part: 1 }])
  return {
    ...both,
    time: a.time,
    length: round(length),
    cpu: mean('cpu'),
    eventLoopUtilization: mean('eventLoopUtilization'),
    runDelay: both.runDelay === null ? null : mean('runDelay'),
    blocked: mean('blocked'),
    // That of the longer one: the worst of many would soon be that of all of them.
    verdict: a.length === b.length ? both.verdict : (a.length > b.length ? a : b).verdict ?? null
  }
}

/**
 * Percentiles can't be added: their mean by number of requests lies between the least and the greatest, as the true one.
 * @param {Array<{ point: Point, part: number }>} parts
 * @returns {Point} without a time and a length of its own
 */
function sum (parts) {
  /** @type {Record<string, number>} */
  const errorCodes = {}
  for (const { point, part } of parts) addCounts(errorCodes, point.errorCodes, part)
  /** @param {'requests' | 'bytes' | 'non2xx' | 'failures' | 'errors'} key */
  const total = key => round(parts.reduce((sum, { point, part }) => sum + point[key] * part, 0))
  /** @param {'max' | 'cpu' | 'eventLoopUtilization' | 'runDelay' | 'blocked'} key */
  const greatest = key => Math.max(...parts.map(({ point }) => point[key] ?? 0))
  const answered = parts.filter(({ point }) => point.p50 !== null)
  const weights = answered.map(({ point, part }) => (point.requests + point.errors || 1) * part)
  const weight = weights.reduce((sum, weight) => sum + weight, 0)
  /** @param {'average' | 'p50' | 'p95' | 'p99'} key */
  const mean = key => answered.length === 0 ? null : round(answered.reduce((sum, { point }, i) => sum + (point[key] ?? 0) * weights[i], 0) / weight)
  return {
    time: 0,
    length: 0,
    requests: total('requests'),
    bytes: total('bytes'),
    non2xx: total('non2xx'),
    failures: total('failures'),
    errors: total('errors'),
    errorCodes,
    average: mean('average'),
    p50: mean('p50'),
    p95: mean('p95'),
    p99: mean('p99'),
    max: answered.length === 0 ? null : greatest('max'),
    cpu: greatest('cpu'),
    eventLoopUtilization: greatest('eventLoopUtilization'),
    // Points of older versions say nothing of the following.
    runDelay: longestOf(parts.map(({ point }) => point.runDelay)),
    blocked: greatest('blocked'),
    verdict: worstVerdict(parts)
  }
}

/**
 * @param {Array<{ point: Point, part: number }>} parts
 * @returns {Point['verdict']} the worst, of those that are there for the most part; null when one that is not known may have been worse
 */
function worstVerdict (parts) {
  const most = parts.filter(({ part }) => part >= 0.5)
  const verdicts = (most.length > 0 ? most : parts).map(({ point }) => point.verdict ?? null)
  const worst = verdicts.reduce((worst, verdict) => rankOf(verdict) > rankOf(worst) ? verdict : worst, null)
  return spoils(worst) || !verdicts.includes(null) ? worst : null
}

/**
 * Adds the series of several runs by time.
 * @param {Array<{ points: Point[], offset: number }>} runs `offset`: how many ms later than the first one it started
 * @returns {Point[]}
 */
function mergeSeries (runs) {
  if (runs.length === 1 && runs[0].offset === 0) return runs[0].points
  const all = runs.flatMap(({ points, offset }) => points.map(point => ({ point, from: offset + point.time, to: offset + point.time + point.length })))
  const end = all.reduce((latest, { to }) => Math.max(latest, to), 0)
  const longest = all.reduce((longest, { point }) => Math.max(longest, point.length), 0)
  const step = Math.max(Math.round(longest), Math.ceil(end / LIMIT), 1)
  /** @type {Array<Array<{ point: Point, part: number, to: number }>>} */
  const buckets = []
  for (const { point, from, to } of all) {
    shareByTime(from, to, step, (i, part) => { (buckets[i] ??= []).push({ point, part, to }) })
  }
  return Array.from(buckets, (parts = [], i) => {
    const until = i === buckets.length - 1 ? parts.reduce((latest, { to }) => Math.max(latest, to), i * step) : Infinity
    return { ...sum(parts), time: i * step, length: round(Math.min(step, until - i * step)) }
  })
}

/**
 * @param {Record<string, number>} counts is added to
 * @param {Record<string, number>} more
 * @param {number} [part]
 */
function addCounts (counts, more, part = 1) {
  for (const [key, n] of Object.entries(more)) counts[key] = round((counts[key] ?? 0) + n * part)
}

module.exports = { Series, samplesPerPoint, mergeSeries, LIMIT }
