'use strict'

// How each tool is called and what its output says.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { load } = require('../../lib/net/sockets/binding')
const { MESSAGE } = require('./cases')
const { TOOLS } = require('./latencies')

/** Those that need nothing but Node.js and what `npm ci` brings. */
const WITHOUT_PROGRAM = ['ours', 'floor', 'undici', 'node:http2', ...load().binding === null ? [] : ['native floor', 'event floor']]
const NINE = path.join(__dirname, 'node_modules/autocannon')

/**
 * @typedef {object} Figures
 * @property {number} count completed requests
 * @property {number} bytes read, where the tool says so
 * @property {number} [seconds] that it took, where the tool says so
 * @property {number} [rss] bytes, the highest, where the tool says so
 * @property {number} [cpu] s that the load took, without the start of the program, where that is the cost
 * @property {number} [p50] ms
 * @property {number} [p99] ms
 * @property {number} [failed] requests without the answer that they should have; the floors do not look
 *
 * @typedef {object} Load
 * @property {string} name of the case
 * @property {string} url
 * @property {number} connections
 * @property {number} pipelining
 * @property {number} seconds
 * @property {number} [rate]
 *
 * @typedef {object} Tool
 * @property {(load: Load) => string[]} command
 * @property {(stdout: string) => Figures} read
 */

const script = (file, args) => ({ command: load => [process.execPath, path.join(__dirname, file), ...args(load).map(String)], read: JSON.parse })

const library = (folder, version) => script('load.js', ({ name, url, seconds }) => [folder, version, name, url, seconds])

const http2Client = client => script('http2-client.js', ({ url, connections, pipelining, seconds }) => [client, url, connections, pipelining, seconds])

const floor = (...more) => script('floor.js', ({ url, connections, pipelining, seconds }) => [url, connections, pipelining, seconds, ...more])

/** Of those whose latencies are compared as well. */
const known = (name, ...more) => ({
  command: load => [name, ...more, ...TOOLS[name].args(load).map(String)],
  read (text) {
    const { requests: count, ...figures } = TOOLS[name].read(text)
    return { count, ...figures }
  }
})

const ALL = {
  ours: library(path.join(__dirname, '../..'), 'ours'),
  'autocannon 9': library(NINE, '9'),
  floor: floor(),
  'native floor': floor('native'),
  'event floor': floor('events'),
  wrk: known('wrk'),
  h2load: {
    command: ({ url, connections, pipelining, seconds }) => ['h2load', '-c', String(connections), '-m', String(pipelining), '-D', String(seconds), url],
    read: text => ({
      count: number(text, /requests: .* (\d+) succeeded/),
      bytes: number(text, /traffic: .*?\((\d+)\) total/),
      failed: number(text, / (\d+) failed/)
    })
  },
  undici: http2Client('undici'),
  'node:http2': http2Client('node:http2'),
  oha: known('oha', '--insecure'),
  k6: {
    command: ({ name, url, connections, seconds }) => ['k6', 'run', '--quiet', '--vus', String(connections), '-e', `URL=${url}`,
      ...name === 'echo'
        ? ['--iterations', String(connections), '-e', `MESSAGE=${MESSAGE}`, '-e', `SECONDS=${seconds}`, path.join(__dirname, 'k6-echo.js')]
        : ['--duration', `${seconds}s`, path.join(__dirname, name.endsWith('flow') ? 'k6-flow.js' : 'k6.js')]],
    read: JSON.parse
  },
  artillery: {
    // As many messages as the file says, however long they take.
    command: ({ url }) => ['env', `URL=${url}`, `MESSAGE=${MESSAGE}`, 'ARTILLERY_DISABLE_TELEMETRY=true', 'artillery', 'run', path.join(__dirname, 'artillery-echo.yml')],
    read: text => ({
      count: last(text, /^websocket\.messages_received: \.+ (\d+)$/gm),
      failed: last(text, /^vusers\.failed: \.+ (\d+)$/gm),
      bytes: 0,
      seconds: last(text, /^ {2}max: \.+ ([\d.]+)$/gm) / 1000
    })
  },
  locust: {
    command: ({ url, connections, seconds }) => ['locust', '-f', path.join(__dirname, 'locustfile.py'), '--headless', '--json', '--loglevel', 'ERROR',
      '-u', String(connections), '-r', String(connections), '-t', `${seconds}s`, '--host', url],
    read (text) {
      const rows = JSON.parse(text)
      const times = rows.flatMap(({ response_times: times }) => Object.entries(times).map(([ms, n]) => ({ ms: Number(ms), n }))).sort((a, b) => a.ms - b.ms)
      const count = rows.reduce((sum, row) => sum + row.num_requests, 0)
      const at = rank => times.find(({ n }) => (rank -= n) <= 0)?.ms
      return {
        count,
        failed: rows.reduce((sum, row) => sum + row.num_failures, 0),
        bytes: rows.reduce((sum, row) => sum + row.total_content_length, 0),
        p50: at(count / 2),
        p99: at(count * 0.99)
      }
    }
  }
}

/**
 * @param {string} program
 * @param {string} [folder] looked into before the PATH
 * @returns {string | null} its path
 */
function locate (program, folder) {
  const files = [...folder === undefined ? [] : [folder], ...(process.env.PATH ?? '').split(path.delimiter)].map(place => path.resolve(place, program))
  return files.find(file => fs.statSync(file, { throwIfNoEntry: false })?.isFile()) ?? null
}

/** @returns {{ tools: Record<string, Tool>, missing: string[] }} which can be run here */
function findTools (names = Object.keys(ALL)) {
  if (names.includes('autocannon 9') && !fs.existsSync(NINE)) spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: __dirname, stdio: 'inherit' })
  const here = name => WITHOUT_PROGRAM.includes(name) || (name === 'autocannon 9' ? fs.existsSync(NINE) : locate(name) !== null)
  return {
    tools: Object.fromEntries(names.filter(here).map(name => [name, ALL[name]])),
    missing: names.filter(name => !here(name))
  }
}

/** How a program says its version. */
const VERSIONS = { wrk: ['-v'], oha: ['--version'], k6: ['version'], h2load: ['--version'], locust: ['--version'], artillery: ['--version'] }

/**
 * @param {readonly string[]} names of tools
 * @returns {Record<string, string>} the versions of those that say one
 */
function versionsOf (names) {
  return Object.fromEntries(names.filter(name => VERSIONS[name] !== undefined).flatMap(name => {
    const { stdout, stderr } = spawnSync(name, VERSIONS[name], { encoding: 'utf8' })
    const version = /\d+\.\d+(\.\d+)?/.exec(`${stdout}${stderr}`)?.[0]
    return version === undefined ? [] : [[name, version]]
  }))
}

/**
 * @param {string} base folder of another checkout
 * @returns {Record<string, Tool>} this version and that one
 */
function withBase (base) {
  return { ours: ALL.ours, base: library(base, 'ours') }
}

function number (text, pattern) {
  return Number(pattern.exec(text)?.[1] ?? 0)
}

/** Of a report that comes again and again, and as a whole at the end. */
const last = (text, pattern) => Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0)

module.exports = { NINE, findTools, locate, withBase, versionsOf }
