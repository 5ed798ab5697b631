'use strict'

// Owns what a program costs: instructions where something counts them, CPU time everywhere, and memory at its highest.

const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { emulator } = require('../emulation/counter')
const { Problem } = require('../program')
const { watch } = require('./warm')

const EVENTS = ['-x,', '-e', 'instructions:u,instructions:k']

/** How often `perf stat` writes down what it has counted, and how often we look whether it has; ms. */
const WRITTEN_MS = 100
const LOOK_MS = 20

/** How often the memory is looked at, ms: the kernel keeps its highest, and each look takes the server's core for a moment. */
const RSS_MS = 500

/**
 * @typedef {object} Counter of instructions
 * @property {(folder: string, answered?: () => Promise<number>) => Count} start `answered`: requests that the server has answered;
 *   with it the warm part of a run is told apart
 *
 * @typedef {object} Count of one program
 * @property {string[]} front of its command
 * @property {Record<string, string>} env
 * @property {() => Promise<{ instructions: number, warm?: import('./warm').Warm }>} stop after the program has ended
 */

/** @type {Counter} */
const perf = {
  start: (folder, answered) => {
    const file = path.join(folder, 'counts')
    const instructions = () => fs.existsSync(file) ? readCounts(fs.readFileSync(file, 'utf8')) : 0
    const every = answered === undefined ? [] : ['-I', String(WRITTEN_MS)]
    return {
      front: ['perf', 'stat', ...every, '-o', file, ...EVENTS],
      env: {},
      stop: answered === undefined ? async () => ({ instructions: instructions() }) : watch(instructions, answered, LOOK_MS)
    }
  }
}

/**
 * @param {string} text that `perf stat -x,` wrote, with or without `-I`: [seconds,]count,unit,event…
 * @param {string} [mode] u or k; both when it is left out
 * @returns {number} instructions of all its lines
 */
function readCounts (text, mode = '[uk]') {
  const lines = text.matchAll(new RegExp(`^\\s*(?:\\d+\\.\\d+,)?(\\d+),,[^,]*instructions[:/]${mode}`, 'gm'))
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** @returns {{ counter: Counter | null, why: string }} what counts instructions here; null where nothing does, and why not */
function findCounter () {
  if (process.env.EMULATION !== undefined) return { counter: emulator, why: '' }
  const { error, stderr } = spawnSync('perf', ['stat', ...EVENTS, 'true'], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  if (error !== undefined) return { counter: null, why: 'there is no perf here (Debian: apt-get install linux-perf)' }
  if (['u', 'k'].every(mode => readCounts(stderr, mode) > 0)) return { counter: perf, why: '' }
  const refused = /paranoid/.test(stderr) || readCounts(stderr, 'u') > 0
  return { counter: null, why: refused ? 'perf may not count the kernel\'s instructions (sysctl kernel.perf_event_paranoid=1)' : 'perf counts no instructions on this machine' }
}

/**
 * @typedef {object} Cost of a program
 * @property {string} stdout
 * @property {number} cpu seconds
 * @property {number} rss bytes, the highest; NaN where /proc does not tell
 * @property {number} [instructions] where they can be counted
 * @property {import('./warm').Warm} [warm] where they can be counted and it was asked for
 */

/**
 * @param {string[]} command
 * @param {{ counter?: Counter | null, answered?: () => Promise<number>, env?: Record<string, string> }} [options]
 * @returns {Promise<Cost>}
 */
async function measure (command, { counter = null, answered, env } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-cost-'))
  const times = path.join(folder, 'times')
  const count = counter?.start(folder, answered)
  // The shell's `time` covers all processes that have ended in it, threads included. What a test runner adds to Node.js is
  // no cost of the program.
  const script = 'unset NODE_OPTIONS; TIMEFORMAT="%U %S"; { time "$@" 2>&3; } 3>&2 2>"$TIMES"'
  const child = spawn('bash', ['-c', script, 'bash', ...count?.front ?? [], ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, ...count?.env, TIMES: times, LC_ALL: 'C' }
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', data => { stdout += data })
  child.stderr.on('data', data => { stderr += data })
  let rss = NaN
  const poll = setInterval(() => { rss = Math.max(highestOf(child.pid), Number.isNaN(rss) ? 0 : rss) || NaN }, RSS_MS)
  try {
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    // Asked for before anything else, for it ends the looks at the run.
    const counted = await count?.stop().catch(error => { if (code === 0) throw error })
    if (code !== 0) throw new Problem(`${command.join(' ')} exited with ${code}:\n${stdout}${stderr}`)
    const cpu = fs.readFileSync(times, 'utf8').trim().split(/\s+/).reduce((sum, seconds) => sum + Number(seconds), 0)
    return { stdout, cpu, rss, ...counted }
  } finally {
    clearInterval(poll)
    fs.rmSync(folder, { recursive: true })
  }
}

/**
 * @param {Cost} cost
 * @param {number} count requests that were completed
 * @returns {number} of one request: 1,000 instructions of a warm program, or µs of CPU time, of all of the run
 */
function perRequest ({ cpu, warm }, count) {
  return warm === undefined ? cpu * 1e6 / count : warm.perRequest / 1000
}

/**
 * @param {number} pid
 * @returns {number} bytes: the largest memory that a process below that one has had (Linux only)
 */
function highestOf (pid) {
  try {
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    const own = Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    return Math.max(own, ...children.map(highestOf))
  } catch {
    return 0
  }
}

module.exports = { measure, perRequest, findCounter, readCounts }
