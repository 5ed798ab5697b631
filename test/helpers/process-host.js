'use strict'

// Owns a third way to the host of a generator: a process of its own that talks JSON lines over its pipes. It proves that a channel
// needs nothing of a thread. Started as a process, this file is the host.

const { spawn } = require('node:child_process')
const { AutocannonError } = require('../../lib/errors')

/** Characters: a line that has no end would fill the memory. */
const LONGEST_LINE = 2 ** 28

/**
 * @param {string} name
 * @param {import('node:stream').Readable} input
 * @param {import('node:stream').Writable} output
 * @returns {import('../../lib/run/messages').Transport}
 */
function overPipes (name, input, output) {
  let rest = ''
  /** @type {import('../../lib/run/messages').Transport} */
  const transport = {
    name,
    send: message => { output.write(JSON.stringify(message) + '\n') },
    onMessage () {},
    onClose () {},
    async close () {
      transport.onMessage = transport.onClose = transport.send = () => {}
      input.destroy()
      output.end()
    }
  }
  const fail = (/** @type {string} */ words) => transport.onClose(new AutocannonError('AC_WORKER', `${name} ${words}`))
  input.setEncoding('utf8').on('data', text => {
    const lines = (rest + text).split('\n')
    rest = /** @type {string} */ (lines.pop())
    if (rest.length > LONGEST_LINE) return fail('sends a line without an end')
    for (const line of lines) {
      let message
      try {
        message = JSON.parse(line)
      } catch {
        return fail('sends what is no JSON')
      }
      transport.onMessage(message)
    }
  })
  input.on('end', () => { if (rest !== '') fail('broke off in the middle of a line') })
  // A pipe whose other end is gone; the end of the process says so.
  output.on('error', () => {})
  return transport
}

/** A process that is a host for one run after the other: to start one takes longer than most runs of the tests. */
class HostProcess {
  /** @param {string[]} flags of Node.js */
  constructor (flags) {
    // As threads are, processes are numbered.
    this.number = ++started
    this.child = spawn(process.execPath, [...flags, '--single-threaded', __filename], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, WORKER: String(this.number) } })
    this.pipes = overPipes('a worker process', this.child.stdout, this.child.stdin)
    this.gone = new Promise(resolve => {
      this.child.once('error', () => resolve(false))
      this.child.once('close', (code, signal) => {
        resolve(false)
        idle.delete(this)
        this.pipes.onClose(new AutocannonError('AC_WORKER', `a worker process ended with ${signal ?? `code ${code}`} before its run was over`))
      })
    })
  }

  /** Whoever waits for it keeps the tests from ending. @param {'ref' | 'unref'} how */
  hold (how) {
    for (const one of /** @type {any[]} */ ([this.child, this.child.stdin, this.child.stdout])) one[how]()
  }

  /** @returns {import('../../lib/run/messages').Transport} for one run */
  transport () {
    const { pipes } = this
    let ends = false
    /** @type {() => void} */
    let becomeFree = () => {}
    const isFree = new Promise(resolve => { becomeFree = () => resolve(true) })
    /** @type {import('../../lib/run/messages').Transport} */
    const transport = {
      name: pipes.name,
      send: message => pipes.send(message),
      onMessage () {},
      onClose () {},
      close: async () => {
        transport.onMessage = transport.onClose = transport.send = () => {}
        if (ends && await Promise.race([isFree, this.gone])) {
          this.hold('unref')
          idle.add(this)
        } else {
          this.child.kill('SIGKILL')
          await this.gone
        }
      }
    }
    pipes.onMessage = message => {
      if (message === FREE) return becomeFree()
      ends ||= message?.type === 'end'
      transport.onMessage(message)
    }
    pipes.onClose = error => transport.onClose(error)
    this.hold('ref')
    return transport
  }
}

let started = 0
/** @type {Set<HostProcess>} */
const idle = new Set()

/** What a host says when it has ended and there is another. */
const FREE = 'free'

/** @returns {import('../../lib/run/messages').Transport} those that are started later have higher numbers */
function startProcess () {
  const [first = new HostProcess(process.execArgv.filter(flag => flag.startsWith('--max')))] = [...idle].sort((a, b) => a.number - b.number)
  idle.delete(first)
  return first.transport()
}

if (require.main === module) {
  const { Host } = require('../../lib/run/host')
  const pipes = overPipes('the coordinator', process.stdin, process.stdout)
  pipes.close = async () => {
    pipes.send(FREE)
    host = new Host(pipes)
  }
  let host = new Host(pipes)
  process.stdin.once('end', () => process.exit())
  process.once('uncaughtException', error => {
    pipes.close = async () => {}
    host.end(new AutocannonError('AC_WORKER', `a worker process failed: ${error.message}`))
    process.exit()
  })
}

module.exports = { HostProcess, overPipes, startProcess }
