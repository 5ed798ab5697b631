'use strict'

// The situations in which a generator can be, made on this machine, and what its verdict has to be in each. Their facts (the
// `loads` of a client), as recorded once, are in test/fixtures/generator-situations.json, for test/instruments/generator/situations.test.js.

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { availableParallelism } = require('node:os')
const path = require('node:path')
const { table } = require('../markdown')
const { withServer } = require('../served')

const CLIENT = path.join(__dirname, 'generator-client.js')
const SECONDS = 3
/** How often a situation is made at the most: others may use the cores, too. And how long all that is made again may take, ms. */
const TRIES = 4
const AGAIN = 30_000

/**
 * @typedef {object} Situation
 * @property {string} name
 * @property {string[]} verdicts one of these
 * @property {object} inside what the client does: see generator-client.js
 * @property {object} [behaviour] of the server
 * @property {number} [core] to which the client is pinned, beside a process that never rests
 * @property {{ from: number, to: number }} [besides] when that process is there, s; all the time when left out
 * @property {{ at: number, for: number }} [stop] SIGSTOP, s
 */

const SITUATIONS = [
  { name: 'a closed loop on a core of its own', verdicts: ['healthy', 'busy'], inside: { options: { connections: 10 } } },
  { name: '1,000 requests/s', verdicts: ['healthy'], inside: { options: { connections: 10, rate: 1000 } } },
  { name: '1,000 requests/s in batches', verdicts: ['healthy'], inside: { options: { connections: 10, rate: 1000, pace: 'batched' } } },
  { name: '2,000 connections', verdicts: ['healthy', 'busy'], inside: { options: { connections: 2000 } } },
  { name: 'a server that is faster than the client', verdicts: ['saturated'], inside: { options: { connections: 50 }, hook: { us: 100 } } },
  { name: 'pinned beside a busy process', verdicts: ['starved'], inside: { options: { connections: 10 } }, core: 0 },
  { name: 'pinned beside a busy process, 2,000 requests/s', verdicts: ['starved'], inside: { options: { connections: 10, rate: 2000 } }, core: 0 },
  { name: 'beside a busy process for 2 of 12 s', verdicts: ['starved'], inside: { options: { connections: 10, duration: 12 } }, core: 0, besides: { from: 5, to: 7 } },
  { name: 'hooks that block 300 of 1,000 ms', verdicts: ['starved'], inside: { options: { connections: 10 }, block: { ms: 100, every: 333 } } },
  { name: 'hooks that block 300 of 1,000 ms, 1,000 requests/s', verdicts: ['starved'], inside: { options: { connections: 10, rate: 1000 }, block: { ms: 100, every: 333 } } },
  { name: 'hooks of 10 µs', verdicts: ['healthy', 'busy'], inside: { options: { connections: 10 }, hook: { us: 10 } }, behaviour: { delays: [1] } },
  { name: 'a server in the same thread', verdicts: ['healthy', 'busy'], inside: { options: { connections: 10 }, server: true } },
  // The threads that collect it need a third core, or the load generator waits for one.
  { name: 'garbage', verdicts: ['healthy', 'busy', ...availableParallelism() < 3 ? ['starved'] : []], inside: { options: { connections: 10 }, garbage: 20 } },
  { name: 'a stall of the server', verdicts: ['healthy'], inside: { options: { connections: 10, rate: 1000 } }, behaviour: { stall: { after: 1000, length: 1000 } } },
  { name: 'a server too slow for the rate', verdicts: ['healthy'], inside: { options: { connections: 10, rate: 1000 } }, behaviour: { delays: [100] } },
  { name: 'stopped for 1.5 s', verdicts: ['busy'], inside: { options: { connections: 10, duration: 5 } }, stop: { at: 1.5, for: 1.5 } },
  { name: 'stopped for 0.5 s', verdicts: ['starved'], inside: { options: { connections: 10 } }, stop: { at: 1.5, for: 0.5 } }
]

/** @returns {Promise<any>} what the client says of itself */
function make ({ inside, behaviour = {}, core, besides, stop }) {
  return withServer({ log: false, ...behaviour }, async server => {
    const given = { ...inside, options: { duration: SECONDS, ...inside.options, url: server.url } }
    const node = [process.execPath, CLIENT, JSON.stringify(given)]
    const [program, ...args] = core === undefined ? node : ['taskset', '-c', String(core), ...node]
    const client = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const timers = []
    let busy
    const later = (/** @type {number} */ seconds, /** @type {() => void} */ action) => timers.push(setTimeout(action, seconds * 1000))
    if (core !== undefined) {
      later(besides?.from ?? 0, () => { busy = spawn('taskset', ['-c', String(core), process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' }) })
      if (besides !== undefined) later(besides.to, () => busy?.kill('SIGKILL'))
    }
    if (stop !== undefined) {
      later(stop.at, () => client.kill('SIGSTOP'))
      later(stop.at + stop.for, () => client.kill('SIGCONT'))
    }
    try {
      let text = ''
      client.stdout.setEncoding('utf8').on('data', data => { text += data })
      await once(client, 'close')
      return JSON.parse(text)
    } finally {
      timers.forEach(clearTimeout)
      busy?.kill('SIGKILL')
    }
  })
}

/**
 * @param {number} ms for making it again
 * @returns {Promise<any>} as soon as the verdict is what it has to be
 */
async function makeUntilRight (situation, ms) {
  let made = await make(situation)
  const again = performance.now()
  for (let i = 1; i < TRIES && performance.now() < again + ms && !situation.verdicts.includes(made.generator.verdict); i++) made = await make(situation)
  return { ...made, again: performance.now() - again }
}

async function verdicts () {
  const rows = []
  let left = AGAIN
  for (const situation of SITUATIONS) {
    if (situation.core !== undefined && process.platform !== 'linux') continue
    const { generator: { verdict, cause, ...load }, duration, rps, p99, again } = await makeUntilRight(situation, left)
    left -= again
    rows.push({ load: { ...load, wallMs: 1000 * duration, rps, p99 }, figure: situation.name, theory: situation.verdicts.join(' or '), measured: verdict, bound: 'as it is', ok: situation.verdicts.includes(verdict) })
    if (cause !== null) process.stderr.write(`${situation.name}: ${cause}\n`)
  }
  return rows
}

/**
 * @param {Array<Record<string, any>>} rows as `verdicts` makes them
 * @param {string} about when and where they were made
 * @returns {string} Markdown, as a document quotes them
 */
function situationsTable (rows, about) {
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`
  return `${about}\n\n` + table(['situation', 'CPU wait', 'blocked', 'requests/s', 'p99, ms', 'verdict', 'expected'], rows.map(({ figure, theory, measured, load: { runDelayMs, blockedMs, wallMs, rps, p99 } }) =>
    [figure, percent((runDelayMs ?? 0) / wallMs), percent(blockedMs / wallMs), Math.round(rps).toLocaleString('en'), p99, measured, theory]), [1, 2, 3, 4])
}

module.exports = { SITUATIONS, makeUntilRight, situationsTable, verdicts }
