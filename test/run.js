'use strict'

// What `npm test` runs: each test file as `node test/x.test.js` does, five processes per core at the same time, because most of them wait most of the time. Files that
// are alike share a process, one after another (helpers/together.js): to start one and to load tap and lib/ takes 0.25 s of CPU time, and 0.4 s with agents. tap's own
// runner loads its instrumentation into each file and each process that a file starts, which takes 0.5 s of CPU time for a file.
//
//   npm test -- [--jobs 8] [--failed FILE] [--all] [FILE or FOLDER …]
//
// A file can say when it runs, in a comment on a line of its own: `// Run first: …` for the longest, or `// Run alone: …` behind all others where it measures time or
// needs a core for itself. --failed writes the names of the files that failed. --all proves contracts in all modes (test/contract/modes.js). With --jobs 1 no files share
// a process. The last lines say what was not run, and why.

const { spawn } = require('node:child_process')
const { readFileSync, readdirSync, statSync, writeFileSync } = require('node:fs')
const { availableParallelism } = require('node:os')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { byFile, failuresIn, notRun } = require('./helpers/tap-output')

/** Runs the files that it is given in one process. */
const TOGETHER = path.join(__dirname, 'helpers/together.js')

/** Processes at the same time for each core. */
const PER_CORE = 5

/** Folders whose files share processes, and how many files one process has. */
const SHARED = { 'test/contract/': 10, 'test/cli/': 8, 'test/': 14 }

/** Those that start processes, wait for them, look at what a process has open or does meanwhile, or simulate for long. */
const UNSHARED = new RegExp(`^test/(${[
  '[^/]+', '(agents|engine/health|follow/metrics|fuzz|hostile|net/sockets|server|servers)/.*', 'follow/(page/(browser|cli)|terminal).test.js', 'experiments/(find/run-search|versus/versus).test.js',
  'run/agents/(key|secrets).test.js'
].join('|')})$`)

/** Seconds: of the tests of a file, which may ask for more, with all modes or without, and of a file that does not even notice that its time is over. */
const TIMEOUT = { test: 400, all: 540, file: 600 }

/** @typedef {{ file: string, passed: boolean, tap: string, stderr: string, end: string, seconds: number }} Outcome */

/**
 * @param {string[]} [places] files and folders
 * @returns {string[]} the test files in them
 */
function list (places = ['test']) {
  return places.flatMap(place => {
    const found = statSync(place, { throwIfNoEntry: false })
    if (found === undefined) {
      console.error(`There is no file and no folder ${place}`)
      process.exit(2)
    }
    if (!found.isDirectory()) return [place]
    const names = readdirSync(place, { recursive: true }).map(name => path.posix.join(place, String(name).replaceAll(path.sep, '/')))
    return names.filter(name => name.endsWith('.test.js')).sort()
  })
}

/**
 * @param {string[]} files
 * @param {boolean} shares whether files may share a process
 * @returns {{ together: string[][], alone: string[][] }} the files of each process, in the order in which they begin: every other one of those that run together takes
 *   long, as many files in one process do, until all of these run. Short ones are left for the end, when cores would wait for the last
 */
function inLanes (files, shares) {
  /** @type {Record<string, string[]>} */
  const lanes = { first: [], any: [], alone: [] }
  for (const file of files) {
    const [, lane = 'any'] = /^\/\/ Run (first|alone): ./m.exec(readFileSync(file, 'utf8')) ?? []
    lanes[lane].push(file)
  }
  const groups = new Map((shares ? grouped(lanes.any) : lanes.any.map(file => [file])).map(group => [group[0], group]))
  const together = spread([...groups.keys()]).map(file => /** @type {string[]} */ (groups.get(file)))
  const [long, short] = [[...lanes.first.map(file => [file]), ...together.filter(({ length }) => length > 1)], together.filter(({ length }) => length === 1)]
  for (const [i, group] of long.entries()) short.splice(2 * i, 0, group)
  return { together: short, alone: lanes.alone.map(file => [file]) }
}

/**
 * @param {string[]} files
 * @returns {string[][]} those that share a process, which are of one folder of test/
 */
function grouped (files) {
  /** @type {string[][]} */
  const groups = []
  /** @type {Map<string, string[]>} the last group of each folder */
  const open = new Map()
  for (const file of files) {
    const folder = file.split('/').slice(0, 2).join('/')
    const [, most] = UNSHARED.test(file) ? ['', 1] : Object.entries(SHARED).find(([start]) => file.startsWith(start)) ?? ['', 1]
    let group = open.get(folder)
    if (group === undefined || group.length >= most || most === 1) {
      group = []
      groups.push(group)
      if (most > 1) open.set(folder, group)
    }
    group.push(file)
  }
  return groups
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
 * @param {string[]} files of one process
 * @returns {Promise<Outcome[]>}
 */
function run (files) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const timeout = files.length * (process.env.CONTRACT_MODES === 'all' ? TIMEOUT.all : TIMEOUT.test)
    const child = spawn(process.execPath, files.length === 1 ? files : [TOGETHER, ...files], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TAP_TIMEOUT: String(timeout) } })
    let [tap, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', text => { tap += text })
    child.stderr.setEncoding('utf8').on('data', text => { stderr += text })
    const timer = setTimeout(() => child.kill('SIGKILL'), files.length * TIMEOUT.file * 1000)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      const end = String(signal ?? code)
      // A process may end well before its tests do.
      if (files.length === 1) return resolve([{ file: files[0], passed: code === 0 && /^1\.\.\d/m.test(tap), tap, stderr, end, seconds: (performance.now() - startedAt) / 1000 }])
      const parts = byFile(tap)
      const outcomes = files.map(file => ({ file, stderr, end, ...parts.get(file) ?? { passed: false, tap: '', seconds: 0 } }))
      // What ended the process badly behind its tests is of its last file.
      if (code !== 0 && outcomes.every(({ passed }) => passed)) outcomes[outcomes.length - 1].passed = false
      resolve(outcomes)
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
  const { together, alone } = inLanes(files, values.jobs !== '1')
  /** @type {Outcome[]} */
  const outcomes = []
  const work = async (/** @type {string[][]} */ waiting) => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const ended = await run(group)
      outcomes.push(...ended)
      for (const outcome of ended) say(outcome)
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

module.exports = { grouped, list, spread }
