'use strict'

// Hosts of generators that last for more than one run: threads, and processes that talk JSON lines over their pipes, which
// prove that a channel needs nothing of a thread. Started as one of them, this file is the host.

const { spawn } = require('node:child_process')
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')
const { AutocannonError } = require('../../../lib/core/errors')
const { startThread } = require('../../../lib/run/transport-thread')

/** Characters: a line that has no end would fill the memory. */
const LONGEST_LINE = 2 ** 28

/**
 * @param {string} name
 * @param {import('node:stream').Readable} input
 * @param {import('node:stream').Writable} output
 * @returns {import('../../../lib/run/messages').Transport}
 */
function overPipes (name, input, output) {
  let rest = ''
  /** @type {import('../../../lib/run/messages').Transport} */
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

/** A host for one run after the other: to start one takes longer than most runs of the tests. */
class LastingHost {
  /**
   * @param {import('../../../lib/run/messages').Transport} way to it, whose `close` ends it
   * @param {Set<LastingHost>} idle
   */
  constructor (way, idle) {
    this.way = way
    this.idle = idle
    // As threads are, hosts are numbered.
    this.number = ++started
    /** @type {() => void} */
    let goes = () => {}
    this.gone = new Promise(resolve => { goes = () => resolve(false) })
    /** @param {Error} error */
    this.lose = error => {
      goes()
      idle.delete(this)
      this.transportOfRun?.onClose(error)
    }
    way.onClose = this.lose
  }

  /** @returns {import('../../../lib/run/messages').Transport} for one run */
  transport () {
    const { way } = this
    let ends = false
    /** @type {() => void} */
    let becomeFree = () => {}
    const isFree = new Promise(resolve => { becomeFree = () => resolve(true) })
    /** @type {import('../../../lib/run/messages').Transport} */
    const transport = {
      name: way.name,
      send: message => way.send(message),
      onMessage () {},
      onClose () {},
      close: async () => {
        transport.onMessage = transport.onClose = transport.send = () => {}
        if (ends && await Promise.race([isFree, this.gone])) {
          this.hold('unref')
          this.idle.add(this)
        } else await way.close()
      }
    }
    way.onMessage = message => {
      if (message === FREE) return becomeFree()
      ends ||= message?.type === 'end'
      transport.onMessage(message)
    }
    this.transportOfRun = transport
    this.hold('ref')
    return transport
  }

  /** A pending wait keeps the tests from ending. @param {'ref' | 'unref'} how */
  hold (how) {}
}

class HostProcess extends LastingHost {
  /** @param {string[]} flags of Node.js */
  constructor (flags, idle = new Set()) {
    const child = spawn(process.execPath, [...flags, '--single-threaded', __filename], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, WORKER: String(started + 1) } })
    const way = overPipes('a worker process', child.stdout, child.stdin)
    super(way, idle)
    this.child = child
    const closed = new Promise(resolve => {
      child.once('error', resolve)
      child.once('close', (code, signal) => {
        resolve(undefined)
        this.lose(new AutocannonError('AC_WORKER', `a worker process ended with ${signal ?? `code ${code}`} before its run was over`))
      })
    })
    way.close = async () => {
      child.kill('SIGKILL')
      await closed
    }
  }

  /** @param {'ref' | 'unref'} how */
  hold (how) {
    for (const one of /** @type {any[]} */ ([this.child, this.child.stdin, this.child.stdout])) one[how]()
  }
}

class HostThread extends LastingHost {
  /** @param {Set<LastingHost>} idle */
  constructor (idle) {
    const worker = new Worker(__filename, { workerData: FREE })
    super(startThread(worker), idle)
    this.worker = worker
  }

  /** @param {'ref' | 'unref'} how */
  hold (how) {
    this.worker[how]()
  }
}

let started = 0

/** What a host says when it has ended and there is another. */
const FREE = 'free'

/**
 * @param {(idle: Set<LastingHost>) => LastingHost} make
 * @returns {() => import('../../../lib/run/messages').Transport} those that are started later have higher numbers
 */
function starter (make) {
  /** @type {Set<LastingHost>} */
  const idle = new Set()
  return () => {
    const [first = make(idle)] = [...idle].sort((a, b) => a.number - b.number)
    idle.delete(first)
    return first.transport()
  }
}

const startLastingThread = starter(idle => new HostThread(idle))
const startProcess = starter(idle => new HostProcess(process.execArgv.filter(flag => flag.startsWith('--max')), idle))

/**
 * @param {import('../../../lib/run/messages').Transport} way to the coordinators, one after the other
 * @returns {() => import('../../../lib/run/host').Host} the one of now
 */
function serveRuns (way) {
  const { Host } = require('../../../lib/run/host')
  require('../without-code-profile')
  way.close = async () => {
    way.send(FREE)
    host = new Host(way)
  }
  let host = new Host(way)
  return () => host
}

if (!isMainThread && workerData === FREE) {
  /** @type {any} */
  const port = parentPort
  /** @type {import('../../../lib/run/messages').Transport} */
  const way = { name: 'the main thread', send: message => port.postMessage(message), onMessage () {}, onClose () {}, async close () {} }
  const current = serveRuns(way)
  port.on('message', (/** @type {any} */ message) => {
    // As to a thread of a run: memory that both have comes as it is.
    if (message.memory !== undefined && message.type === undefined) current().memory = message.memory
    else way.onMessage(message)
  })
} else if (require.main === module) {
  const pipes = overPipes('the coordinator', process.stdin, process.stdout)
  const current = serveRuns(pipes)
  process.stdin.once('end', () => process.exit())
  process.once('uncaughtException', error => {
    pipes.close = async () => {}
    current().end(new AutocannonError('AC_WORKER', `a worker process failed: ${error.message}`))
    process.exit()
  })
}

module.exports = { HostProcess, overPipes, startLastingThread, startProcess }
