'use strict'

// One run in a process of its own on the client's core, what it costs, and the figures of several runs that have a bound.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { table } = require('./markdown')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure, perRequest } = require('./peers/cost')
const { startOwn } = require('./peers/server')

const OURS = path.join(__dirname, '..')

/** What a run looks at beside its load, as code: ms until the first response, from the start of the process and from the call, and ms of CPU time. */
const FIRST = `
  const look = () => {
    const { user, system } = process.cpuUsage()
    const at = performance.now()
    Object.assign(told, { firstAt: at, firstAfter: at - calledAt, firstCpu: (user + system) / 1000 })
    running.removeListener('response', look)
  }
  running.on('response', look)`

/**
 * @param {object} options of autocannon
 * @param {object} [how]
 * @param {boolean} [how.counted] the cost is in instructions
 * @param {string} [how.look] such as FIRST: a listener costs something for each response
 * @param {string} [how.folder] of another autocannon
 * @returns {Promise<Record<string, number>>} `cost` of the whole process; `highest` and `rss`: bytes at most and at the end; requests; what the look has told
 */
async function runOf (options, { counted = false, look = '', folder = OURS } = {}) {
  const load = { connections: 20, ...options }
  const script = `
    const autocannon = require(${JSON.stringify(folder)})
    const load = ${JSON.stringify(load)}
    const told = {}
    const calledAt = performance.now()
    const running = autocannon(load)
    ${look}
    running.then(({ requests, rounds, errors }) => console.log(JSON.stringify({ ...told, rss: process.memoryUsage.rss(), count: requests.total, perSecond: rounds?.perSecond, errors })))`
  const cost = await measure([...onClientCore(), process.execPath, '-e', script], { counted })
  const told = JSON.parse(cost.stdout)
  if (told.errors > 0) throw new Error(`${told.errors} errors with ${JSON.stringify(options)}`)
  return { cost: perRequest(cost, 1), ...told, highest: cost.rss }
}

/**
 * The lowest figure of each of some sides that alternate.
 * @param {Record<string, object>} sides options of each
 * @param {(options: any) => Promise<number>} figure
 * @returns {Promise<Record<string, number>>}
 */
async function bestOfSides (rounds, sides, figure) {
  const lowest = {}
  for (let round = 0; round < rounds; round++) {
    for (const [side, options] of Object.entries(sides)) lowest[side] = Math.min(lowest[side] ?? Infinity, await figure(options))
  }
  return lowest
}

/** @returns {Promise<number>} the lowest of n figures */
const best = async (n, figure) => (await bestOfSides(n, { one: {} }, figure)).one

/** Figures that have a bound, as the rows of a table. */
class Bounds {
  misses = []

  /** @param {string[]} [more] columns of the table */
  constructor (more = []) {
    this.head = `${table(['figure', 'ours', 'bound', ...more], [])}\n`
  }

  /** A figure that could not be measured is NaN, which is within no bound but Infinity, which is none. */
  hold (name, figure, bound) {
    if (bound !== Infinity && !(figure <= bound)) this.misses.push(`${name} (${Number(figure.toPrecision(3))}, at most ${bound})`)
  }

  row (name, figure, digits, unit, bound, ...more) {
    this.hold(name, figure, bound)
    console.log(`${this.head}| ${[name, Number.isNaN(figure) ? 'not measured here' : `${figure.toFixed(digits)} ${unit}`, bound === Infinity ? '' : `≤ ${bound} ${unit}`, ...more].join(' | ')} |`)
    this.head = ''
  }

  end () {
    if (this.misses.length > 0) console.log(`\nOut of bounds: ${this.misses.join('; ')}`)
    process.exitCode = this.misses.length > 0 ? 1 : 0
  }
}

/**
 * Measures against the server of this folder, which has a core of its own.
 * @param {(url: string, bounds: Bounds, folder: string, ports: import('./peers/server').Servers) => Promise<void>} use `folder`: for files, which are removed
 * @param {string[]} [more] columns of the table
 */
async function withBounds (use, more) {
  const server = await startOwn(onServerCore())
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-'))
  const bounds = new Bounds(more)
  try {
    await use(`http://127.0.0.1:${server.plain}`, bounds, folder, server)
  } finally {
    server.stop()
    fs.rmSync(folder, { recursive: true })
  }
  bounds.end()
}

module.exports = { Bounds, FIRST, best, bestOfSides, runOf, withBounds }
