'use strict'

// What the live area of a terminal costs: the share of a core that its drawing takes while a run of full load goes on, with the result so far that it
// draws from.
//
//   node bench/live-terminal.js [--seconds 10]
//
// Exits with 1 when it is more than 1 % of a core. On 2 loaded cores (AMD EPYC, Node.js 20.20): 5.2 ms of CPU for a draw, 0.55 % of a core.

const { machine } = require('./accuracy/machine')
const { withServer } = require('./accuracy/known-server')
const { start, readFlags } = require('./program')
const autocannon = require('..')
const { goLive } = require('../lib/follow/live/live')

/** How often it is drawn, ms. */
const REFRESH = 1000
/** Of a core. */
const BOUND = 0.01

/** What makes a run that has much to show. */
const RUNS = /** @type {Array<[name: string, opts: Record<string, any>]>} */ ([
  ['a run', {}],
  ['thresholds, checks and a rate', { rate: 5000, expect: { status: 200 }, thresholds: ['p99 < 50ms', 'errors == 0', 'failure rate < 1%'] }],
  ['samples of 100 ms', { sampleInt: 100 }]
])

/** @returns {Promise<{ draws: number[], bytes: number }>} ms of each, and how much was written for one on average */
async function drawsOf (opts) {
  let bytes = 0
  let redraw = () => {}
  const stream = /** @type {any} */ ({ isTTY: true, columns: 120, rows: 40, hasColors: () => true, on (/** @type {string} */ event, /** @type {() => void} */ listener) { redraw = listener }, off () {}, write (/** @type {string} */ text) { bytes += Buffer.byteLength(text) } })
  const instance = /** @type {any} */ (autocannon(opts))
  let live = null
  const draws = []
  let drawnAt = 0
  instance.follow({
    start () { live = goLive(instance, stream, { env: { TERM: 'xterm-256color' } }) },
    tick (/** @type {any} */ tick) { live.tick(tick) },
    sample (/** @type {any} */ sample) {
      live.sample(sample)
      if (performance.now() - drawnAt < REFRESH * 0.9) return
      const before = process.cpuUsage()
      redraw()
      const { user, system } = process.cpuUsage(before)
      draws.push((user + system) / 1000)
      drawnAt = performance.now()
    },
    done () { live.end() }
  })
  await instance
  return { draws: draws.sort((a, b) => a - b), bytes: bytes / draws.length }
}

async function main () {
  const { seconds = 10 } = readFlags({ seconds: 'positive' })
  console.log(`${machine()}\n\n| | median of a draw, ms of CPU | longest | of a core, at one a second | bytes a draw |\n|---|---|---|---|---|`)
  await withServer({ log: false }, async ({ url }) => {
    for (const [name, opts] of RUNS) {
      const { draws, bytes } = await drawsOf({ url, connections: 50, duration: seconds, ...opts })
      const mean = draws.reduce((sum, ms) => sum + ms, 0) / draws.length
      if (mean / REFRESH > BOUND) process.exitCode = 1
      console.log(`| ${name} | ${draws[Math.floor(draws.length / 2)].toFixed(2)} | ${draws[draws.length - 1].toFixed(2)} | ${(mean / REFRESH * 100).toFixed(2)} % | ${Math.round(bytes)} |`)
    }
  })
}

start(main)
