'use strict'

// What tools report of latencies, of a run at a rate or of a closed loop: how each is called and what its output says.

const { execFile } = require('node:child_process')
const path = require('node:path')
const { promisify } = require('node:util')
const { Problem } = require('../program')

const OURS = path.join(__dirname, '../../bin/autocannon.js')
/** Installed by `npm run bench`. */
const NINE = path.join(__dirname, 'node_modules/.bin/autocannon')

/**
 * @typedef {object} Latencies ms; null for what the tool does not say
 * @property {number} requests
 * @property {number} [failed]
 * @property {number} [bytes]
 * @property {number | null} samples of latency
 * @property {number} p50
 * @property {number | null} p97_5
 * @property {number} p99
 * @property {number | null} p99_9
 * @property {number} mean
 * @property {number} max
 * @property {boolean} [waited] whether requests waited for a connection
 *
 * @typedef {object} Load
 * @property {string} url
 * @property {number} connections
 * @property {number} seconds
 * @property {number} [rate] of a closed loop when left out
 */

const autocannon = (rateFlag, ...more) => ({
  args: ({ url, connections, seconds, rate }) => ['--json', '-n', '-c', connections, '-d', seconds, ...rate === undefined ? [] : [rateFlag, rate], ...more, url],
  read (text) {
    const { latency, requests, rate } = JSON.parse(text)
    return { ...latency, requests: requests.total, samples: latency.totalCount, mean: latency.average, waited: rate?.late > 0 }
  }
})

/** @type {Record<string, { program: string, args: (load: Load) => Array<string | number>, read: (text: string) => Latencies, closed?: boolean }>} `closed`: it has no rate */
const TOOLS = {
  autocannon: { program: OURS, ...autocannon('--rate') },
  'the same, `--sockets node`': { program: OURS, ...autocannon('--rate', '--sockets', 'node') },
  'autocannon 9': { program: NINE, ...autocannon('-R') },
  wrk: {
    program: 'wrk',
    closed: true,
    args: ({ url, connections, seconds }) => ['-t1', '-c', connections, '-d', seconds, '-s', path.join(__dirname, 'wrk.lua'), url],
    // It fills in samples after a long one (wg/wrk#326) and does not say how many.
    read: text => ({ ...JSON.parse(text.trim().split('\n').at(-1)), samples: null })
  },
  oha: {
    program: 'oha',
    args: ({ url, connections, seconds, rate }) => ['--no-tui', '--output-format', 'json', '-c', connections, '-z', `${seconds}s`, ...rate === undefined ? [] : ['-q', rate, '--latency-correction'], url],
    read (text) {
      const { summary, latencyPercentiles: { p50, p99, 'p99.9': p999 }, statusCodeDistribution } = JSON.parse(text)
      const requests = Object.values(statusCodeDistribution).reduce((sum, count) => sum + count, 0)
      return { requests, failed: requests - (statusCodeDistribution[200] ?? 0), bytes: summary.totalData, samples: requests, p50: p50 * 1000, p97_5: null, p99: p99 * 1000, p99_9: p999 * 1000, mean: summary.average * 1000, max: summary.slowest * 1000 }
    }
  },
  k6: {
    program: 'k6',
    args: ({ url, connections, seconds, rate }) => ['run', '--quiet', '--no-usage-report', ...Object.entries({ URL: url, CONNECTIONS: connections, SECONDS: seconds, RATE: rate }).flatMap(([name, value]) => ['-e', `${name}=${value}`]), path.join(__dirname, 'k6-stall.js')],
    read (text) {
      const { med, avg, max, count, ...others } = JSON.parse(text.slice(text.indexOf('{')))
      return { requests: count, samples: count, p50: med, p97_5: others['p(97.5)'], p99: others['p(99)'], p99_9: others['p(99.9)'], mean: avg, max }
    }
  }
}

/**
 * @param {string} name of a tool
 * @param {string} file its path
 * @param {Load} load
 * @param {string[]} [pin] the command in front that ties it to cores
 * @returns {Promise<Latencies>}
 */
async function reported (name, file, load, pin = []) {
  const { program, args, read } = TOOLS[name]
  const [command, ...rest] = [...pin, ...program === OURS ? [process.execPath] : [], file, ...args(load).map(String)]
  try {
    return read((await promisify(execFile)(command, rest, { maxBuffer: 1e8 })).stdout)
  } catch (error) {
    throw new Problem(`${name}: ${/** @type {Error} */ (error).message.slice(-300)}`)
  }
}

module.exports = { TOOLS, reported }
