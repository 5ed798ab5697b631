'use strict'

// The same stall in several tools: what each of them says of a server that is silent for 1 s in 10 s. The other tools
// are run as they are found; those that are missing are named.

const { execFile } = require('node:child_process')
const { accessSync, constants } = require('node:fs')
const path = require('node:path')
const { promisify } = require('node:util')
const { padded } = require('../markdown')
const { withServer } = require('../served')

const run = promisify(execFile)
const STALL = { stall: { after: 4000, length: 1000 }, log: false }
const OURS = path.join(__dirname, '..', '..', 'bin', 'autocannon.js')
const FIGURES = ['p50', 'p97.5', 'p99', 'mean', 'max']

/**
 * @typedef {object} Figures ms
 * @property {number} requests
 * @property {number | null} [samples] of latency; as many as requests when left out; null when it does not say
 * @property {number} p50
 * @property {number | null} p97_5 null when it does not say
 * @property {number} p99
 * @property {number} mean
 * @property {number} max
 *
 * @typedef {object} Peer
 * @property {string} name
 * @property {string} command as found on the PATH or in the folder
 * @property {string} shown what to type
 * @property {(command: string, url: string) => Promise<Figures>} measure
 */

const PEERS = [
  {
    name: 'autocannon 9',
    command: 'autocannon',
    shown: 'autocannon -R 1000 -c 10 -d 10',
    measure: async (command, url) => ofAutocannon((await run(command, ['-R', '1000', '-c', '10', '-d', '10', '-j', '-n', url], { maxBuffer: 1e8 })).stdout)
  },
  {
    name: 'oha',
    command: 'oha',
    shown: 'oha -q 1000 --latency-correction -c 10 -z 10s',
    async measure (command, url) {
      const { stdout } = await run(command, ['-q', '1000', '--latency-correction', '-c', '10', '-z', '10s', '--no-tui', '--output-format', 'json', url], { maxBuffer: 1e8 })
      const { summary, latencyPercentiles: { p50, p99 }, statusCodeDistribution } = JSON.parse(stdout)
      const requests = Object.values(statusCodeDistribution).reduce((sum, count) => sum + count, 0)
      return { requests, p50: p50 * 1000, p97_5: null, p99: p99 * 1000, mean: summary.average * 1000, max: summary.slowest * 1000 }
    }
  },
  {
    name: 'k6',
    command: 'k6',
    shown: 'k6 run, constant-arrival-rate 1000/s, 10 VUs',
    async measure (command, url) {
      const { stdout } = await run(command, ['run', '--quiet', '--no-usage-report', path.join(__dirname, 'k6-stall.js')], { env: { ...process.env, URL: url }, maxBuffer: 1e8 })
      const { med, avg, max, count, ...others } = JSON.parse(stdout.slice(stdout.indexOf('{')))
      return { requests: count, p50: med, p97_5: others['p(97.5)'], p99: others['p(99)'], mean: avg, max }
    }
  },
  {
    name: 'wrk (closed loop)',
    command: 'wrk',
    shown: 'wrk -t 1 -c 10 -d 10',
    async measure (command, url) {
      const { stdout } = await run(command, ['-t', '1', '-c', '10', '-d', '10', '-s', path.join(__dirname, 'wrk.lua'), url])
      const [requests, p50, p975, p99, mean, max] = /^figures (.*)$/m.exec(stdout)?.[1].split(' ').map(Number) ?? []
      // It fills in samples after a long one (wg/wrk#326) and does not say how many.
      return { requests, samples: null, p50: p50 / 1000, p97_5: p975 / 1000, p99: p99 / 1000, mean: mean / 1000, max: max / 1000 }
    }
  }
]

function ofAutocannon (json) {
  const { latency, requests: { total: requests } } = JSON.parse(json)
  const { p50, p99, average: mean, max, totalCount: samples } = latency
  return { requests, samples, p50, p97_5: latency.p97_5, p99, mean, max }
}

/** @returns {string | null} its path */
function locate (command, folder) {
  for (const place of [...folder === undefined ? [] : [folder], ...(process.env.PATH ?? '').split(path.delimiter)]) {
    try {
      const file = path.resolve(place, command)
      accessSync(file, constants.X_OK)
      return file
    } catch {}
  }
  return null
}

/**
 * @param {string} [folder] looked into before the PATH
 * @returns {Promise<string>} a Markdown table
 */
async function peers (folder) {
  const head = ['', 'requests', 'samples', ...FIGURES, 'command']
  const lines = [
    ['theory, at 1,000/s', '10,000', '10,000', '≈ 0', '750', '900', '50', '1,000', ''],
    await line('this tool', '`autocannon --rate 1000 -c 10 -d 10`', async url =>
      ofAutocannon((await run(process.execPath, [OURS, '--rate', '1000', '-c', '10', '-d', '10', '-j', '-n', url], { maxBuffer: 1e8 })).stdout))
  ]
  const missing = []
  for (const { name, command, shown, measure } of PEERS) {
    const file = locate(command, folder)
    if (file === null) missing.push(command)
    else lines.push(await line(name, `\`${shown}\``, url => measure(file, url)))
  }
  const text = padded(head, lines)
  return missing.length === 0 ? text : `${text}\n\nNot found: ${missing.join(', ')} (looked ${folder === undefined ? 'on the PATH; --in FOLDER adds one' : `in ${folder} and on the PATH`}).`
}

async function line (name, shown, measure) {
  process.stderr.write(`${name} … `)
  const { requests, samples = requests, p50, p97_5: p975, p99, mean, max } = await withServer(STALL, ({ url }) => measure(url))
  process.stderr.write('done\n')
  const ms = (/** @type {number | null} */ value) => value === null ? '' : Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 3 })
  return [name, requests.toLocaleString('en-US'), samples?.toLocaleString('en-US') ?? '?', ...[p50, p975, p99, mean, max].map(ms), shown]
}

module.exports = { peers }
