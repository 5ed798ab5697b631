'use strict'

// Processes in which the command line runs again and again: to start Node.js takes ten times as long as most runs of the
// tests. Arguments, environment and folder are those of each run, and so are its exit code and what it writes. Started as a
// process, this file is the host.

const { fork } = require('node:child_process')
const { randomUUID } = require('node:crypto')
const path = require('node:path')
const { setImmediate: turn } = require('node:timers/promises')

const LIB = path.join(__dirname, '../../../lib')

/** At the same time: to start one takes 0.25 s of CPU time, and more would not be faster on two cores. */
const MOST = 2

/** @typedef {{ code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string }} End */
/** @typedef {{ argv: string[], env: NodeJS.ProcessEnv, cwd: string }} Run */

class CliHost {
  /**
   * @param {string[]} flags of Node.js
   * @param {NodeJS.ProcessEnv} env
   */
  constructor (flags, env) {
    this.child = fork(__filename, { execArgv: flags, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    this.lives = true
    this.child.once('close', () => { this.lives = false })
    for (const stream of this.streams()) stream.setEncoding('utf8')
  }

  /** @returns {any[]} */
  streams () {
    return [this.child.stdout, this.child.stderr]
  }

  /**
   * @param {Run} run
   * @returns {Promise<End>}
   */
  run (run) {
    this.hold('ref')
    return new Promise(resolve => {
      const { child } = this
      const mark = `\n${randomUUID()}\n`
      const said = ['', '']
      /** @type {number | null} */
      let code = null
      const end = (/** @type {NodeJS.Signals | null} */ signal) => {
        for (const stream of this.streams()) stream.removeAllListeners('data')
        child.removeAllListeners('message').removeListener('close', onClose)
        this.hold('unref')
        const [stdout, stderr] = said.map(text => text.replace(mark, ''))
        resolve({ code, signal, stdout, stderr })
      }
      const look = () => { if (code !== null && said.every(text => text.endsWith(mark))) end(null) }
      const onClose = (/** @type {number | null} */ exitCode, /** @type {NodeJS.Signals | null} */ signal) => {
        code = exitCode
        end(signal)
      }
      for (const [i, stream] of this.streams().entries()) {
        stream.on('data', (/** @type {string} */ text) => {
          said[i] += text
          look()
        })
      }
      child.on('message', message => {
        code = Number(message)
        look()
      })
      child.once('close', onClose)
      child.send({ ...run, mark })
    })
  }

  /** A pending wait keeps the tests from ending. @param {'ref' | 'unref'} how */
  hold (how) {
    for (const one of [this.child, this.child.channel, ...this.streams()]) one?.[how]()
  }
}

class CliHosts {
  /** @param {string[]} flags of Node.js */
  constructor (flags) {
    this.flags = flags
    /** @type {CliHost[]} */
    this.idle = []
    this.count = 0
    /** @type {Array<() => void>} */
    this.waiting = []
  }

  /** @param {Run} run */
  async run (run) {
    if (this.count === MOST) await new Promise(resolve => this.waiting.push(() => resolve(undefined)))
    this.count++
    const host = this.idle.pop() ?? new CliHost(this.flags, run.env)
    const end = await host.run(run)
    this.count--
    if (host.lives) this.idle.push(host)
    this.waiting.shift()?.()
    return end
  }
}

/** @param {Run & { mark: string }} run */
async function host ({ argv, env, cwd, mark }) {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.exitCode = undefined
  await require('../../../lib/cli/main').start(argv)
  // Warnings are written a turn later.
  await turn()
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  process.chdir(LIB)
  // A config is read anew, as a new process does.
  for (const file of Object.keys(require.cache)) if (!file.startsWith(LIB) && !file.includes('node_modules') && file !== __filename) delete require.cache[file]
  for (const stream of [process.stdout, process.stderr]) stream.write(mark)
  process.send?.(code)
}

if (require.main === module) {
  process.on('message', host)
  process.on('disconnect', () => process.exit())
}

module.exports = { CliHosts }
