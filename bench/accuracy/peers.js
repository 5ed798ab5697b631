'use strict'

// The same stall in several tools: what each of them says of a server that is silent for 1 s in 10 s. The other tools
// are run as they are found; those that are missing are named.

const { padded } = require('../markdown')
const { TOOLS, reported } = require('../peers/latencies')
const { locate } = require('../peers/tools')
const { withServer } = require('../served')

const STALL = { stall: { after: 4000, length: 1000 }, log: false }
const LOAD = { connections: 10, seconds: 10, rate: 1000 }

/** What a tool is called, and what to type. */
const SHOWN = {
  autocannon: ['this tool', '`autocannon --rate 1000 -c 10 -d 10`'],
  'autocannon 9': ['autocannon 9', '`autocannon -R 1000 -c 10 -d 10`'],
  oha: ['oha', '`oha -q 1000 --latency-correction -c 10 -z 10s`'],
  k6: ['k6', '`k6 run`, constant-arrival-rate, 10 VUs'],
  wrk: ['wrk (closed loop)', '`wrk -t 1 -c 10 -d 10`']
}

/**
 * @param {string} [folder] looked into before the PATH
 * @returns {Promise<string>} a Markdown table
 */
async function peers (folder) {
  const lines = [['theory, at 1,000/s', '10,000', '10,000', '≈ 0', '750', '900', '50', '1,000', '']]
  const missing = []
  for (const [tool, [name, command]] of Object.entries(SHOWN)) {
    const file = locate(TOOLS[tool].program, folder)
    if (file === null) {
      missing.push(tool)
      continue
    }
    process.stderr.write(`${name} … `)
    const { requests, samples, p50, p97_5: p975, p99, mean, max } = await withServer(STALL, ({ url }) => reported(tool, file, { url, ...LOAD }))
    process.stderr.write('done\n')
    const ms = (/** @type {number | null} */ value) => value === null ? '' : Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 3 })
    lines.push([name, requests.toLocaleString('en-US'), samples?.toLocaleString('en-US') ?? '?', ...[p50, p975, p99, mean, max].map(ms), command])
  }
  const text = padded(['', 'requests', 'samples', 'p50', 'p97.5', 'p99', 'mean', 'max', 'command'], lines)
  return missing.length === 0 ? text : `${text}\n\nNot found: ${missing.join(', ')} (looked ${folder === undefined ? 'on the PATH; --in FOLDER adds one' : `in ${folder} and on the PATH`}).`
}

module.exports = { peers }
