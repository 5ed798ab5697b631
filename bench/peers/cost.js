'use strict'

// Owns what a program costs: instructions where the machine counts them, CPU time everywhere, and memory at its highest.

const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

const EVENTS = ['-x,', '-e', 'instructions:u,instructions:k']

/** @returns {string[]} the command in front that ties a program to a core; none where there is no taskset or one core only */
function pinTo (core) {
  return os.cpus().length > 1 && spawnSync('taskset', ['-V']).error === undefined ? ['taskset', '-c', String(core)] : []
}

/** @returns {boolean} whether `perf stat` counts instructions here; virtual machines often don't */
function countsInstructions () {
  const { error, stderr } = spawnSync('perf', ['stat', ...EVENTS, 'true'], { encoding: 'utf8' })
  return error === undefined && /^\d+,,instructions/m.test(stderr)
}

/**
 * @typedef {object} Cost of a whole program, start included
 * @property {string} stdout
 * @property {number} cpu seconds
 * @property {number | null} instructions null where they can't be counted
 * @property {number} rss bytes, the highest
 */

/**
 * @param {string[]} command
 * @param {{ withInstructions?: boolean, env?: Record<string, string> }} [options]
 * @returns {Promise<Cost>}
 */
async function measure (command, { withInstructions = false, env } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-cost-'))
  const times = path.join(folder, 'times')
  const counts = path.join(folder, 'counts')
  const perf = withInstructions ? ['perf', 'stat', '-o', counts, ...EVENTS] : []
  // The shell's `time` covers all processes that have ended in it, threads included. What a test runner adds to Node.js is
  // no cost of the program.
  const script = 'unset NODE_OPTIONS; TIMEFORMAT="%U %S"; { time "$@" 2>&3; } 3>&2 2>"$TIMES"'
  const child = spawn('bash', ['-c', script, 'bash', ...perf, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, TIMES: times, LC_ALL: 'C' }
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', data => { stdout += data })
  child.stderr.on('data', data => { stderr += data })
  let rss = 0
  const poll = setInterval(() => { rss = Math.max(rss, highestOf(child.pid)) }, 50)
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  clearInterval(poll)
  if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}:\n${stdout}${stderr}`)
  const cpu = fs.readFileSync(times, 'utf8').trim().split(/\s+/).reduce((sum, seconds) => sum + Number(seconds), 0)
  const instructions = withInstructions
    ? fs.readFileSync(counts, 'utf8').split('\n').filter(line => line.includes('instructions')).reduce((sum, line) => sum + parseInt(line), 0)
    : null
  fs.rmSync(folder, { recursive: true })
  return { stdout, cpu, instructions, rss }
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

module.exports = { measure, countsInstructions, pinTo }
