'use strict'

// Resolves host names during a run in a child process, which can be killed at any time. A look-up of the operating
// system cannot be cancelled: its thread waits for an unresponsive name server (40 s), and the exit of the process
// waits for its thread. The child calls dns.lookup, so that hosts files, search domains, mDNS and the order of
// addresses are unchanged. If it cannot be started, dns.lookup is called here.

const { fork } = require('node:child_process')
const dns = require('node:dns')
const path = require('node:path')
const { inherited } = require('../core/secrets')
const { withTimeout } = require('../core/timers')
const { tryOr } = require('../core/try-or')

/** The timeout of the process start, ms. After it, look-ups run in this process. */
const START_TIMEOUT = 5000

/**
 * The thread pool size of the process, which uses at most half of it for look-ups. With the default of 4, two
 * unresponsive name servers would block all other look-ups.
 */
const THREADS = '16'

/**
 * @typedef {(error: NodeJS.ErrnoException | null, ...answer: any[]) => void} Callback of dns.lookup
 * @typedef {{ key: string, error: Record<string, any> | null, answer: unknown[] }} Reply
 */

class NameLookup {
  constructor () {
    /** @type {import('node:child_process').ChildProcess | null} null: dns.lookup is called in this process */
    this.child = null
    this.stopped = false
    /**
     * @type {Map<string, { host: string, options: any, callbacks: Callback[] }>} pending look-ups, shared by all
     *   callers with the same host
     */
    this.pending = new Map()
    /** The option `lookup` of net.connect. */
    this.lookup = this.lookup.bind(this)
  }

  /** Resolves when the process is ready, so that its start does not add to connect times. */
  async start () {
    const child = launch()
    if (child === null) return
    child.on('error', () => {})
    const isReady = await withTimeout(START_TIMEOUT, new Promise(resolve => {
      child.once('message', () => resolve(true)).once('error', () => resolve(false)).once('exit', () => resolve(false))
    }))
    if (!isReady || this.stopped) {
      child.kill('SIGKILL')
      return
    }
    this.child = child
    child.on('message', reply => this.answer(/** @type {Reply} */ (reply)))
    child.on('error', () => this.lose())
    child.on('exit', () => this.lose())
    child.on('disconnect', () => this.lose())
    child.unref()
    child.channel?.unref()
  }

  /** @type {(host: string, options: Record<string, any>, callback: Callback) => void} */
  lookup (host, options, callback) {
    const { child } = this
    if (child === null) return dns.lookup(host, options, callback)
    const { family, hints, all } = options
    const key = JSON.stringify([host, family, hints, all])
    const pending = this.pending.get(key)
    if (pending !== undefined) {
      pending.callbacks.push(callback)
      return
    }
    this.pending.set(key, { host, options, callbacks: [callback] })
    // Keeps this process alive, because a caller waits for the reply.
    child.channel?.ref()
    child.send({ key, host, options: { family, hints, all } }, () => {})
  }

  /** @param {Reply} reply */
  answer ({ key, error, answer }) {
    const pending = this.pending.get(key)
    if (pending === undefined) return
    this.pending.delete(key)
    if (this.pending.size === 0) this.child?.channel?.unref()
    for (const callback of pending.callbacks) {
      if (error === null) callback(null, ...answer)
      else callback(Object.assign(new Error(error.message), error))
    }
  }

  /** Handles the end of the process for any reason: repeats pending look-ups in this process. */
  lose () {
    if (this.child === null) return
    this.child = null
    const left = [...this.pending.values()]
    this.pending.clear()
    for (const { host, options, callbacks } of left) {
      for (const callback of callbacks) dns.lookup(host, options, callback)
    }
  }

  /** Stops the process. Idempotent. */
  stop () {
    this.stopped = true
    this.pending.clear()
    const { child } = this
    this.child = null
    child?.kill('SIGKILL')
    if (child?.connected) child.disconnect()
  }
}

/** @returns {import('node:child_process').ChildProcess | null} null if no process can be started */
function launch () {
  const { NODE_OPTIONS, ...env } = inherited(process.env)
  const order = dns.getDefaultResultOrder?.() ?? 'verbatim'
  return tryOr(null, () => fork(path.join(__dirname, 'name-lookup-entry.js'), [order], {
    env: { ...env, UV_THREADPOOL_SIZE: THREADS }, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  }))
}

module.exports = { NameLookup }
