'use strict'

// The parts of the soak: a load each, and what has to be true of it in the end.

const { exactly, within, atMost, atLeast } = require('../accuracy/rows')
const { median } = require('../peers/paired')
const { client, countsOf, startServer, watched } = require('./process')

/** @typedef {import('../accuracy/rows').Row} Row */
/** @typedef {{ key: string, name: (minutes: number) => string, run: (minutes: number) => Promise<{ rows: Row[], load: number[] }> }} Part */

/** MB that memory may have grown by since the warm-up: collections come when they like. */
const GROWTH = 20
const GIB = 1 << 30
/** How a server ends a connection without a byte of a response. */
const ENDED = ['AC_CLOSED', 'ECONNRESET']

/** @param {number} nth fifth of it, from 0 */
const fifth = (list, nth) => list.slice(Math.floor(list.length * nth / 5), Math.floor(list.length * (nth + 1) / 5))

/** The first fifth is the warm-up. */
function flat (memories) {
  return ['rss', 'heap'].map(kind => {
    const [early, late] = [1, 4].map(nth => median(fifth(memories, nth).map(memory => memory[kind])))
    return within(`${kind === 'rss' ? 'RSS' : 'heap'}: after the warm-up and at the end`, early, late, { below: Infinity, above: GROWTH, unit: 'MB' })
  })
}

function stable (ticks) {
  const [early, late] = [1, 4].map(nth => median(fifth(ticks, nth).map(({ perCpuSecond }) => perCpuSecond)))
  // Of all so far. The last requests of an amount wait for connections whose share of it is left.
  const [half, end] = [0.5, 0.95].map(share => ticks[Math.floor(ticks.length * share)].p99)
  return [
    within('requests per s of CPU: after the warm-up and at the end', Math.round(early), Math.round(late), { below: 0.3, above: Infinity, unit: '', relative: true }),
    within('p99: at 50 % and 95 % of the time', half, end, { below: 0.5, above: 1, unit: 'ms', relative: true })
  ]
}

function nothingLeft ({ held, endedByItself }) {
  return [exactly('timers and handles left', 0, held.resources), exactly('process ends by itself', 1, Number(endedByItself))]
}

/** @returns {number} requests without a fate */
function lostOf ({ fates: { sent, completed, timedOut, failed, abandoned } }) {
  return sent - completed - timedOut - failed - abandoned
}

/** @type {<T>(list: T[], figure: (one: T) => number) => number} */
const total = (list, figure) => list.reduce((sum, one) => sum + figure(one), 0)

/**
 * @param {any[]} results of its runs
 * @param {any[]} counts of its servers
 * @param {Row[]} rows
 * @returns {{ rows: Row[], load: number[] }} load: requests, connections, faults, and requests without a fate
 */
const held = (results, counts, rows) => ({
  rows,
  load: [total(results, ({ fates }) => fates.sent), total(counts, ({ connections }) => connections), total(counts, ({ faults }) => total(Object.values(faults), Number)), total(results, lostOf)]
})

const PARTS = [
  {
    key: 'full',
    name: minutes => `Full speed, ${minutes} min, 50 connections, pipelining 10`,
    async run (minutes) {
      const { report, counts } = await watched('run', { connections: 50, pipelining: 10, duration: minutes * 60 })
      const { result, memories, ticks } = report
      const { sent, completed, abandoned } = result.fates
      return held([result], [counts], [
        // What was in flight when the connections were closed may have been read and answered, or not.
        within('sent: as the server counts', counts.requests, sent, { below: 0, above: abandoned, unit: '' }),
        within('responses: as the server counts', counts.answered, completed, { below: abandoned, above: 0, unit: '' }),
        exactly('errors', 0, result.errors),
        exactly('connections', counts.connections, 50),
        exactly('requests without a fate', 0, lostOf(result)),
        ...flat(memories),
        ...stable(ticks),
        ...nothingLeft(report)
      ])
    }
  },
  {
    key: 'faults',
    name: minutes => `2,000/s, ${minutes} min, 50 connections, 1 % faults`,
    async run (minutes) {
      const amount = 2000 * 60 * minutes
      const { report, counts } = await watched('run', { connections: 50, rate: 2000, amount, timeout: 1 }, { faultEvery: 100 })
      const { result, memories, ticks } = report
      const { 503: refused = 0, ...broken } = counts.faults
      const faults = Object.entries(broken)
      return held([result], [counts], [
        exactly('sent', amount, result.fates.sent),
        // After a response, a request whose connection is closed or reset is sent again (RFC 9112 §9.3.2).
        exactly('arrived: sent, and sent again', amount + result.resent, counts.requests),
        exactly('completed with 200', counts.answered, result['2xx']),
        exactly('completed with 503', refused, result['5xx']),
        exactly('closed upon or reset: an error, or sent again', total(ENDED, code => broken[code]), result.resent + total(ENDED, code => result.errorCodes[code] ?? 0)),
        ...faults.filter(([code]) => !ENDED.includes(code)).map(([code, n]) => exactly(`errors ${code}`, /** @type {number} */ (n), result.errorCodes[code] ?? 0)),
        exactly('other errors', 0, result.errors - total(faults, ([code]) => result.errorCodes[code] ?? 0)),
        exactly('requests without a fate', 0, lostOf(result)),
        // Connections that wait for a timeout in the end may have some of the amount left.
        atLeast('rate', 'of 2,000/s', result.rate.achieved, Math.floor(amount / (60 * minutes + 2)), '/s'),
        ...flat(memories),
        ...stable(ticks),
        ...nothingLeft(report)
      ])
    }
  },
  {
    key: 'waves',
    name: () => '5,000 connections at once, in 3 waves',
    async run () {
      const { report, counts } = await watched('waves', { waves: 3, connections: 5000, amount: 50_000, timeout: 30 })
      const { results } = report
      return held(results, [counts], [
        exactly('requests', 150_000, counts.requests),
        ...results.map((/** @type {any} */ { fates }, /** @type {number} */ i) => exactly(`wave ${i + 1}: completed`, 50_000, fates.completed)),
        exactly('connections', 15_000, counts.connections),
        exactly('broken by a reset', 0, counts.broken),
        exactly('still open', 0, counts.open),
        ...nothingLeft(report)
      ])
    }
  },
  {
    key: 'bodies',
    name: () => 'Bodies of 1 GiB',
    async run () {
      const { report, counts } = await watched('run', { connections: 2, amount: 4, timeout: 120 }, { bodySize: GIB })
      const { result } = report
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${GIB}\r\n\r\n`.length
      return held([result], [counts], [
        exactly('completed', 4, result.fates.completed),
        exactly('bytes', 4 * (GIB + head), result.throughput.total),
        atMost('RSS at its highest', 'not kept', report.peak, 200, 'MB'),
        ...nothingLeft(report)
      ])
    }
  },
  {
    key: 'together',
    name: () => '30 runs in one process at the same time',
    async run () {
      const all = Array.from({ length: 30 }, (_, i) => ({ amount: 500 + i, connections: 1 + i % 7, pipelining: 1 + i % 3, ...i % 2 === 0 && { rate: 400 }, timeout: 1 }))
      const servers = await Promise.all(all.map((_, i) => startServer(i % 5 === 4 ? { faultEvery: 10 } : {})))
      const report = await client('together', { all: all.map((options, i) => ({ ...options, url: servers[i].url })) })
      const counts = await Promise.all(servers.map(countsOf))
      const results = report.results
      return held(results, counts, [
        exactly('runs that sent their own amount', 30, results.filter(({ fates }, i) => fates.sent === all[i].amount).length),
        exactly('runs without faults that had no error', 24, results.filter(({ errors }, i) => i % 5 !== 4 && errors === 0).length),
        exactly('runs with faults that had errors', 6, results.filter(({ errors }, i) => i % 5 === 4 && errors > 0).length),
        exactly('requests without a fate', 0, total(results, lostOf)),
        ...nothingLeft(report)
      ])
    }
  },
  {
    key: 'loop',
    name: () => '3,000 runs, one after the other',
    async run () {
      const { report: { results, memories, before, after, endedByItself }, counts } = await watched('loop', { runs: 3000, connections: 2, amount: 10 })
      return held(results, [counts], [
        exactly('completed', 30_000, total(results, ({ fates }) => fates.completed)),
        exactly('arrived', 30_000, counts.requests),
        exactly('listeners of the process: before and after', before.listeners, after.listeners),
        ...flat(memories),
        ...nothingLeft({ held: after, endedByItself })
      ])
    }
  }
]

module.exports = { PARTS }
