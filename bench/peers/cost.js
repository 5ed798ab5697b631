'use strict'

// Owns what a program costs: instructions where something counts them, CPU time everywhere, and memory at its highest.

const { spawn, spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { emulator } = require('../emulation/counter')
const { watch } = require('./warm')

const EVENTS = ['-x,', '-e', 'instructions:u,instructions:k']

/** How often `perf stat` writes down what it has counted, and how often we look whether it has; ms. */
const WRITTEN_MS = 500
const LOOK_MS = 20

/** @returns {string[]} the command in front that ties a program to a core; none where there is no taskset or one core only */
function pinTo (core) {
  return os.cpus().length > 1 && spawnSync('taskset', ['-V']).error === undefined ? ['taskset', '-c', String(core)] : []
}

/**
 * @typedef {object} Counter of instructions
 * @property {(folder: string, answered?: () => Promise<number>) => Count} start `answered`: requests that the server has answered;
 *   with it the warm part of a run is counted, without it the whole
 *
 * @typedef {object} Count of one program
 * @property {string[]} front of its command
 * @property {Record<string, string>} env
 * @property {() => Promise<{ instructions: number } | import('./warm').Split>} stop after the program has ended
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
 * @returns {number} instructions of all its lines
 */
function readCounts (text) {
  return [...text.matchAll(/^\s*(?:\d+\.\d+,)?(\d+),,[^,]*instructions/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** @returns {Counter | null} what counts instructions here; virtual machines often can't, but the one that we emulate can */
function findCounter () {
  if (process.env.EMULATION !== undefined) return emulator
  const { error, stderr } = spawnSync('perf', ['stat', ...EVENTS, 'true'], { encoding: 'utf8' })
  return error === undefined && readCounts(stderr) > 0 ? perf : null
}

/**
 * @typedef {object} Cost of a program
 * @property {string} stdout
 * @property {number} cpu seconds of the whole, start included
 * @property {number | null} instructions null where they can't be counted
 * @property {number} [requests] when the instructions are those of its warm part
 * @property {number} [once] the instructions that its length does not change, then
 * @property {number} rss bytes, the highest
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
  let rss = 0
  const poll = setInterval(() => { rss = Math.max(rss, highestOf(child.pid)) }, 50)
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  clearInterval(poll)
  if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}:\n${stdout}${stderr}`)
  const counted = await count?.stop()
  const cpu = fs.readFileSync(times, 'utf8').trim().split(/\s+/).reduce((sum, seconds) => sum + Number(seconds), 0)
  fs.rmSync(folder, { recursive: true })
  return { stdout, cpu, instructions: null, ...counted, rss }
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

module.exports = { measure, findCounter, pinTo, readCounts }
