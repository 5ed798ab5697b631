'use strict'

// One run in a process of its own on the client's core, what it costs, and the figures of several runs that have a bound.

const path = require('node:path')
const { onClientCore } = require('./peers/cores')
const { measure, perRequest } = require('./peers/cost')

const OURS = path.join(__dirname, '..')

/**
 * @param {object} options of autocannon
 * @param {object} [how]
 * @param {boolean} [how.counted] the cost is in instructions
 * @param {boolean} [how.first] whether the first response is awaited: the listener costs something for each
 * @param {string} [how.folder] of another autocannon
 * @returns {Promise<{ cost: number, highest: number, rss: number, count: number, firstAt: number, firstAfter: number, firstCpu: number }>} the whole process; bytes
 *   at most and at the end; requests; of the first response: ms from the start of the process and from the call, and ms of CPU time
 */
async function runOf (options, { counted = false, first = false, folder = OURS } = {}) {
  const script = `
    const autocannon = require(${JSON.stringify(folder)})
    const calledAt = performance.now()
    const instance = autocannon(${JSON.stringify({ connections: 20, ...options })})
    const told = {}
    const look = () => {
      const { user, system } = process.cpuUsage()
      const at = performance.now()
      Object.assign(told, { firstAt: at, firstAfter: at - calledAt, firstCpu: (user + system) / 1000 })
      instance.removeListener('response', look)
    }
    if (${first}) instance.on('response', look)
    instance.then(({ requests, errors }) => console.log(JSON.stringify({ ...told, rss: process.memoryUsage.rss(), count: requests.total, errors })))`
  const cost = await measure([...onClientCore(), process.execPath, '-e', script], { counted })
  const told = JSON.parse(cost.stdout)
  if (told.errors > 0) throw new Error(`${told.errors} errors with ${JSON.stringify(options)}`)
  return { ...told, highest: cost.rss, cost: perRequest(cost, 1) }
}

/** @returns {Promise<number>} the lowest of n figures */
async function best (n, figure) {
  let lowest = Infinity
  for (let i = 0; i < n; i++) lowest = Math.min(lowest, await figure())
  return lowest
}

/**
 * What a request costs in each of some runs that alternate, the lowest of all rounds. The start is in none of them.
 * @param {Record<string, object>} sides options of each
 */
async function requestCosts (rounds, amount, sides, counted) {
  const costs = {}
  for (let round = 0; round < rounds; round++) {
    for (const [side, options] of Object.entries(sides)) {
      const of = async amount => (await runOf({ ...options, amount }, { counted })).cost
      costs[side] = Math.min(costs[side] ?? Infinity, await of(amount + 1000) - await of(1000))
    }
  }
  return costs
}

/** Rows of a table, each a figure and its bound. */
class Bounds {
  misses = []

  /** A figure that could not be measured is NaN, which is within no bound but Infinity, which is none. */
  row (name, figure, digits, unit, bound, ...more) {
    if (bound !== Infinity && !(figure <= bound)) this.misses.push(name)
    console.log(`| ${[name, Number.isNaN(figure) ? 'not measured here' : `${figure.toFixed(digits)} ${unit}`, bound === Infinity ? '' : `≤ ${bound} ${unit}`, ...more].join(' | ')} |`)
  }

  end () {
    if (this.misses.length > 0) console.log(`\nOut of bounds: ${this.misses.join('; ')}`)
    process.exitCode = this.misses.length > 0 ? 1 : 0
  }
}

module.exports = { Bounds, best, requestCosts, runOf }
