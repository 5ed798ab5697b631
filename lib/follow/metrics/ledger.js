'use strict'

// The metrics of a command over all of its runs: counters and histograms are summed, gauges are from the last run. Runs
// are read only on request.

const { Histogram } = require('../../record/histogram')
const { FAMILIES, SIDE, addsUp, readFamily } = require('./families')

/**
 * @typedef {import('./families').Family} Family
 * @typedef {import('./families').Labels} Labels
 * @typedef {import('./families').Value} Value
 * @typedef {{ labels: Labels, value: Value }} Point
 * @typedef {{ family: Family, points: Point[] }} Reading
 * @typedef {Pick<import('../../run/instance').Instance, 'follow' | 'soFar' | 'opts'>} Instance
 *
 * @typedef {object} Side
 * @property {Labels} labels
 * @property {Map<string, Point>} past sums of ended runs, by family and labels
 * @property {Map<string, Point>} gauges of the last ended run
 * @property {(() => import('./families').Source) | null} now the current run
 */

class Ledger {
  constructor () {
    /** By name. Only versus has two sides; all other commands have one, without a name. @type {Map<string, Side>} */
    this.sides = new Map()
    /** The number of changes. */
    this.revision = 0
    /** The number of ended runs. */
    this.ended = 0
    /** When the first run began, ms since 1970. @type {number | null} */
    this.start = null
  }

  /**
   * @param {Instance} instance before its start
   * @param {{ side: 'base' | 'new', run: number }} [about]
   */
  follow (instance, about) {
    const side = this.side(about?.side)
    /** @type {import('../../follow/followers').Sample | null} */
    let sample = null
    /** @type {Record<string, any> | null} */
    let last = null
    /** @returns {import('./families').Source} */
    const source = () => {
      const { totals, connections, inFlight } = /** @type {import('../../follow/followers').Sample} */ (sample)
      const isOver = side.now === null
      const result = isOver && last !== null ? last : instance.soFar()
      return {
        totals, gauges: { connections, inFlight }, result, isOver, runs: isOver ? 1 : 0,
        elapsed: result?.duration ?? 0, server: serverOf(instance.opts)
      }
    }
    const end = (/** @type {Record<string, any> | undefined} */ result) => {
      // A raw result has no derived figures.
      last = result?.requests === undefined ? null : result
      side.now = null
      if (sample !== null) keep(side, source())
      sample = last = null
      this.ended++
      this.revision++
    }
    instance.follow({
      start: ({ start }) => { this.start ??= start },
      sample: given => {
        sample = given
        side.now = source
        this.revision++
      },
      done: end,
      failed: error => end(/** @type {any} */ (error).result)
    })
  }

  /** @param {string} [name] */
  side (name = '') {
    let side = this.sides.get(name)
    if (side === undefined) {
      this.sides.set(name, side = {
        labels: name === '' ? {} : { [SIDE]: name }, past: new Map(), gauges: new Map(), now: null
      })
    }
    return side
  }

  /** @returns {Reading[]} families with values */
  read () {
    const sides = Array.from(this.sides.values(), side => {
      const { now, past, gauges } = side
      return now === null ? { counted: past, gauges } : readingOf(side, now())
    })
    return FAMILIES.map(family => ({
      family,
      points: sides.flatMap(side =>
        Array.from(addsUp(family) ? side.counted : side.gauges).filter(([key]) => key.startsWith(`${family.name} `))
          .map(([, point]) => point))
    })).filter(({ points }) => points.length > 0)
  }
}

/** @param {Side} side @param {import('./families').Source} source a run that has ended */
function keep (side, source) {
  const { counted, gauges } = readingOf(side, source)
  // Copies, because the run owns the histograms.
  for (const point of counted.values()) {
    if (point.value instanceof Histogram) point.value = sumOf(new Histogram(), point.value)
  }
  side.past = counted
  side.gauges = gauges
}

/** @param {Side} side @param {import('./families').Source} source the current run, or the one that has just ended */
function readingOf ({ past, labels }, source) {
  const counted = new Map(past)
  /** @type {Map<string, Point>} */
  const gauges = new Map()
  for (const family of FAMILIES) {
    const into = addsUp(family) ? counted : gauges
    for (const point of readFamily(family, source, labels)) {
      const key = `${family.name} ${JSON.stringify(Object.entries(point.labels))}`
      const before = into.get(key)
      // Two different names may have the same printable form.
      into.set(key, before === undefined || !addsUp(family)
        ? point
        : {
            labels: point.labels, value: sumOf(before.value, point.value)
          })
    }
  }
  return { counted, gauges }
}

/** @type {(one: Value, other: Value) => Value} */
function sumOf (one, other) {
  if (!(one instanceof Histogram) || !(other instanceof Histogram)) return Number(one) + Number(other)
  const sum = new Histogram()
  sum.add(one)
  sum.add(other)
  return sum
}

/**
 * @param {Record<string, any>} opts of a run
 * @returns {Labels} empty for several servers, or for a Unix socket
 */
function serverOf ({ url, socketPath }) {
  const urls = [url].flat()
  if (urls.length !== 1 || typeof urls[0] !== 'string' || socketPath !== undefined || !URL.canParse(urls[0])) return {}
  const { hostname, port, protocol } = new URL(urls[0])
  return {
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': port || (protocol === 'https:' ? '443' : '80')
  }
}

module.exports = { Ledger }
