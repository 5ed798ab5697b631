'use strict'

// What `npm test` runs: each test file by itself, as `node test/x.test.js` does, five per core at the same time, because most of them wait most of the time. tap's own
// runner loads its instrumentation into each file and each process that a file starts, which takes 0.5 s of CPU time for a file.
//
//   npm test -- [--jobs 8] [--failed FILE] [--all] [FILE or FOLDER …]
//
// A file can say when it runs, in a comment on a line of its own: `// Run first: …` for the longest, or `// Run alone: …` behind all others where it measures time or
// needs a core for itself. --failed writes the names of the files that failed. --all proves contracts in all modes (test/contract/modes.js). The last lines say what
// was not run, and why.

const { spawn } = require('node:child_process')
const { readFileSync, readdirSync, statSync, writeFileSync } = require('node:fs')
const { availableParallelism } = require('node:os')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { failuresIn, notRun } = require('./helpers/tap-output')

/** Files at the same time for each core. */
const PER_CORE = 5

/** Seconds: of the tests of a file, which may ask for more, with all modes or without, and of a file that does not even notice that its time is over. */
const TIMEOUT = { test: 400, all: 540, file: 600 }

/** @typedef {{ file: string, passed: boolean, tap: string, stderr: string, end: string, seconds: number }} Outcome */

/**
 * @param {string[]} [places] files and folders
 * @returns {string[]} the test files in them
 */
function list (places = ['test']) {
  return places.flatMap(place => {
    if (!statSync(place).isDirectory()) return [place]
    const names = readdirSync(place, { recursive: true }).map(name => path.posix.join(place, String(name).replaceAll(path.sep, '/')))
    return names.filter(name => name.endsWith('.test.js')).sort()
  })
}

/**
 * @param {string[]} files
 * @returns {{ together: string[], alone: string[] }} in the order in which they begin: every other one of those that run together takes long, until all of these run
 */
function inLanes (files) {
  /** @type {Record<string, string[]>} */
  const lanes = { first: [], any: [], alone: [] }
  for (const file of spread(files)) {
    const [, lane = 'any'] = /^\/\/ Run (first|alone): ./m.exec(readFileSync(file, 'utf8')) ?? []
    lanes[lane].push(file)
  }
  const { first, any: together, alone } = lanes
  for (const [i, file] of first.entries()) together.splice(2 * i, 0, file)
  return { together, alone }
}

/**
 * @param {string[]} files
 * @returns {string[]} so that each folder is spread over the whole: its files do the same kind of work, such as to start agents, and would have no room beside each other
 */
function spread (files) {
  /** @type {Map<string, string[]>} */
  const folders = new Map()
  for (const file of files) folders.set(path.dirname(file), [...folders.get(path.dirname(file)) ?? [], file])
  const placed = [...folders.values()].flatMap(some => some.map((file, i) => ({ file, at: (i + 0.5) / some.length })))
  return placed.sort((one, other) => one.at - other.at).map(({ file }) => file)
}

/**
 * @param {string} file
 * @returns {Promise<Outcome>}
 */
function run (file) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TAP_TIMEOUT: String(process.env.CONTRACT_MODES === 'all' ? TIMEOUT.all : TIMEOUT.test) } })
    let [tap, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', text => { tap += text })
    child.stderr.setEncoding('utf8').on('data', text => { stderr += text })
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT.file * 1000)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      // A process may end well before its tests do.
      resolve({ file, passed: code === 0 && /^1\.\.\d/m.test(tap), tap, stderr, end: String(signal ?? code), seconds: (performance.now() - startedAt) / 1000 })
    })
  })
}

/** @param {Outcome} outcome */
function say ({ file, passed, tap, stderr, end, seconds }) {
  console.log(`${passed ? '✓' : '✗'} ${file} ${seconds.toFixed(1)} s`)
  if (!passed) console.log([`ended with ${end}`, failuresIn(tap) || tap, stderr].join('\n'))
}

async function main () {
  const jobs = String(PER_CORE * availableParallelism())
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { jobs: { type: 'string', default: jobs }, failed: { type: 'string' }, all: { type: 'boolean' } } })
  if (values.all) process.env.CONTRACT_MODES = 'all'
  const files = list(positionals.length === 0 ? undefined : positionals)
  const { together, alone } = inLanes(files)
  /** @type {Outcome[]} */
  const outcomes = []
  const work = async (/** @type {string[]} */ waiting) => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const outcome = await run(file)
      outcomes.push(outcome)
      say(outcome)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => work(together)))
  await work(alone)
  const failed = outcomes.filter(({ passed }) => !passed).map(({ file }) => file).sort()
  if (values.failed !== undefined) writeFileSync(values.failed, failed.join('\n'))
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`\n${files.length - failed.length} passed, ${failed.length} failed in ${seconds} s`)
  for (const file of failed) console.log(`failed: ${file}`)
  console.log(notRun(outcomes))
  if (failed.length > 0 || files.length === 0) process.exitCode = 1
}

if (require.main === module) main()

module.exports = { list, spread }
