'use strict'

// How a test runs the command line: in a process with pipes, in an environment that the test knows.

const { spawn } = require('node:child_process')
const path = require('node:path')
const { CliHosts } = require('./cli-host')

const BIN = path.join(__dirname, '../../../bin/autocannon.js')

/** What the surroundings of the tests may set, and what would change what the command line does. */
const FOREIGN = ['PORT', 'NO_COLOR', 'FORCE_COLOR', 'NODE_OPTIONS', 'NODE_V8_COVERAGE']

/**
 * @param {Record<string, string>} [more]
 * @returns {NodeJS.ProcessEnv}
 */
function cleanEnv (more = {}) {
  const env = { ...process.env }
  for (const name of FOREIGN) delete env[name]
  return { ...env, ...more }
}

/**
 * Node.js may hang at its exit for ever while a background thread of V8 waits for the main thread
 * (https://github.com/nodejs/node/issues/54918): once in ten thousand short runs, which the tests make. Without such
 * threads it can't.
 */
const NODE = [process.execPath, '--single-threaded']

/** A process that runs, with what it has said so far. */
class Running {
  /**
   * @param {string} command
   * @param {string[]} args
   * @param {{ env?: Record<string, string>, cwd?: string }} options
   */
  constructor (command, args, { env, cwd }) {
    this.stdout = ''
    this.stderr = ''
    /** @type {Set<() => void>} */
    this.watchers = new Set()
    this.child = spawn(command, args, { env: cleanEnv(env), cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
      this.child[name].setEncoding('utf8').on('data', text => {
        this[name] += text
        for (const look of this.watchers) look()
      })
    }
    /** @type {Promise<{ code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string }>} */
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject)
      this.child.once('close', (code, signal) => resolve({
        code, signal, stdout: this.stdout,
        stderr: withoutWait(this.stderr)
      }))
    })
  }

  /**
   * @param {'stdout' | 'stderr'} name
   * @param {string} text
   * @param {number} [times]
   * @returns {Promise<void>} resolves once the stream has said it so often; rejects when the process ends without
   */
  says (name, text, times = 1) {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (this[name].split(text).length <= times) return
        this.watchers.delete(look)
        resolve()
      }
      this.watchers.add(look)
      this.ended.then(() => reject(new Error(`ended without saying '${text}' on ${name}: ${this[name]}`)), reject)
      look()
    })
  }

  /** @param {NodeJS.Signals} signal */
  kill (signal) {
    this.child.kill(signal)
  }
}

/** @param {string | undefined} preload a module */
const flagsOf = preload => preload === undefined ? NODE.slice(1) : [...NODE.slice(1), '-r', preload]

/**
 * In a process of its own.
 * @param {string[]} argv
 * @param {{ env?: Record<string, string>, cwd?: string, preload?: string }} [options] preload: a module
 */
const start = (argv, { preload, ...options } = {}) => new Running(NODE[0], [...flagsOf(preload), BIN, ...argv], options)

/** By what is loaded before them. @type {Map<string | undefined, CliHosts>} */
const hosts = new Map()

/**
 * In a process that has run before, and will run again: not for what is about the process, or about what Node.js is told at its start.
 * @param {string[]} argv
 * @param {Parameters<typeof start>[1]} [options]
 */
async function cli (argv, { env, cwd = process.cwd(), preload } = {}) {
  const some = hosts.get(preload) ?? new CliHosts(flagsOf(preload))
  hosts.set(preload, some)
  const { stderr, ...end } = await some.run({ argv, env: cleanEnv(env), cwd })
  return { ...end, stderr: withoutWait(stderr) }
}

/**
 * Beside other tests a server may take so long to start that the wait for it is shown.
 * @param {string} stderr
 */
function withoutWait (stderr) {
  return stderr.replace(/^autocannon: waiting up to .*\n/gm, '')
}

/**
 * @param {string} name
 * @returns {string} a function for sh that is the command line. A variable would be taken apart at the blanks of its paths
 */
const asFunction = name => `${name} () { ${[...NODE, BIN].map(word => `'${word.replaceAll("'", "'\\''")}'`).join(' ')} "$@"; }`

/**
 * @param {string} script for sh; `$AUTOCANNON` is how the command line is called
 * @param {{ env?: Record<string, string>, cwd?: string }} [options]
 */
const shell = (script, { env, cwd } = {}) =>
  new Running('sh', ['-c', `${asFunction('run_cli')}\n${script}`], { cwd, env: { AUTOCANNON: 'run_cli', ...env } }).ended

module.exports = { BIN, Running, asFunction, cleanEnv, cli, shell, start }
