'use strict'

// What a program costs: instructions where something counts them, CPU time everywhere, and memory at its highest.

const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { Problem } = require('../program')

const EVENTS = ['-x,', '-e', 'instructions:u,instructions:k']

/** How often the memory is looked at, ms: the kernel keeps its highest, and each look takes the server's core for a moment. */
const RSS_MS = 500

/**
 * @param {string} text that `perf stat -x,` wrote, count,unit,event…
 * @param {string} [mode] u or k; both when it is left out
 * @returns {number} instructions of all its lines
 */
function readCounts (text, mode = '[uk]') {
  const lines = text.matchAll(new RegExp(`^(\\d+),,[^,]*instructions[:/]${mode}`, 'gm'))
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** @returns {string} why instructions can't be counted here; '' where they can */
function whyNotCounted () {
  const { error, stderr } = spawnSync('perf', ['stat', ...EVENTS, 'true'], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  if (error !== undefined) return 'there is no perf here (Debian: apt-get install linux-perf)'
  if (['u', 'k'].every(mode => readCounts(stderr, mode) > 0)) return ''
  const refused = /paranoid/.test(stderr) || readCounts(stderr, 'u') > 0
  return refused ? 'perf may not count the kernel\'s instructions (sysctl kernel.perf_event_paranoid=1)' : 'perf counts no instructions on this machine'
}

/**
 * @typedef {object} Cost of a program
 * @property {string} stdout
 * @property {number} cpu seconds
 * @property {number} rss bytes, the highest; NaN where /proc does not tell
 * @property {number} [instructions] user and kernel, where they are counted
 */

/** @param {{ counted?: boolean }} [options] `counted`: by `perf stat` */
async function measure (command, { counted = false } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-cost-'))
  const [times, counts] = ['times', 'counts'].map(name => path.join(folder, name))
  const front = counted ? ['perf', 'stat', '-o', counts, ...EVENTS] : []
  // The shell's `time` covers all processes that have ended in it, threads included.
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>&3; } 3>&2 2>"$TIMES"'
  const child = spawn('bash', ['-c', script, 'bash', ...front, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TIMES: times, LC_ALL: 'C' }
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', data => { stdout += data })
  child.stderr.on('data', data => { stderr += data })
  let rss = NaN
  const poll = setInterval(() => { rss = Math.max(highestOf(child.pid), Number.isNaN(rss) ? 0 : rss) || NaN }, RSS_MS)
  try {
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    if (code !== 0) throw new Problem(`${command.join(' ')} exited with ${code}:\n${stdout}${stderr}`)
    const cpu = fs.readFileSync(times, 'utf8').trim().split(/\s+/).reduce((sum, seconds) => sum + Number(seconds), 0)
    return { stdout, cpu, rss, ...(counted ? { instructions: readCounts(fs.readFileSync(counts, 'utf8')) } : {}) }
  } finally {
    clearInterval(poll)
    fs.rmSync(folder, { recursive: true })
  }
}

/**
 * @param {number} count requests that were completed
 * @returns {number} of one request, the start of the program shared out: 1,000 instructions where they are counted, or else µs of CPU time
 */
function perRequest ({ cpu, instructions }, count) {
  return instructions === undefined ? cpu * 1e6 / count : instructions / 1000 / count
}

/** @returns {number} bytes: the largest memory that a process below that one has had (Linux only) */
function highestOf (pid) {
  try {
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    const own = Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    return Math.max(own, ...children.map(highestOf))
  } catch {
    return 0
  }
}

module.exports = { measure, perRequest, whyNotCounted, readCounts }
