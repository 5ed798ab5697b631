'use strict'

// Owns the channel to a generator in a worker thread.

const { Worker } = require('node:worker_threads')
const { join } = require('node:path')
const { AutocannonError } = require('../errors')
const { HEARTBEAT, decodeSnapshot, decodeError } = require('./messages')

/**
 * @typedef {import('./channel-local').Channel} Channel
 */

/** After how many heartbeats without a message a thread is given up. */
const PATIENCE = 30

/** @implements {Channel} */
class ThreadChannel {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {import('../load/generator').Sinks} sinks
   * @param {import('../load/connection').Observer} observer
   */
  constructor (plan, sinks, observer) {
    /** Heartbeats. */
    this.patience = PATIENCE
    this.silence = 0
    /** @type {NodeJS.Timeout | undefined} */
    this.watch = undefined
    this.plan = plan
    this.sinks = sinks
    this.observer = observer
    this.ended = false
    /** @type {Worker | null} */
    this.worker = null
    /** @type {(error: Error) => void} */
    this.failToOpen = () => {}
  }

  open () {
    return new Promise((resolve, reject) => {
      this.failToOpen = reject
      const worker = this.worker = new Worker(join(__dirname, 'thread-entry.js'), { workerData: { plan: this.plan } })
      this.watch = setInterval(() => this.listen(), HEARTBEAT)
      worker.on('message', message => message.type === 'ready' ? resolve(undefined) : this.receive(message))
      worker.on('error', error => this.end(new AutocannonError('AC_WORKER', `a worker thread failed: ${error.message}${adviceOn(error)}`, { cause: error })))
      worker.on('exit', code => this.end(new AutocannonError('AC_WORKER', `a worker thread ended with code ${code} before its run was over: did a hook call process.exit()?`)))
    })
  }

  start () {
    this.observe()
    this.post({ type: 'start' })
  }

  stop () {
    this.post({ type: 'stop' })
  }

  /** Listeners have come or gone. */
  observe () {
    const { response, requestError, mismatch } = this.observer
    this.post({ type: 'observe', responses: response !== null, errors: requestError !== null, mismatches: mismatch !== null })
  }

  async close () {
    this.ended = true
    clearInterval(this.watch)
    await this.worker?.terminate()
  }

  /** Counts its own turns, not time: who was asleep with the whole process is not late. */
  listen () {
    if (++this.silence <= this.patience) return
    clearInterval(this.watch)
    this.end(new AutocannonError('AC_WORKER', `a worker thread has not been heard of for ${Math.round(this.patience * HEARTBEAT / 1000)} s and is ended: is there a hook that does not return?`))
  }

  /** @param {import('./messages').Order} order */
  post (order) {
    this.worker?.postMessage(order)
  }

  /** @param {import('./messages').Report} report */
  receive (report) {
    this.silence = 0
    switch (report.type) {
      case 'snapshot':
        this.sinks.snapshot(decodeSnapshot(report.snapshot))
        break
      case 'responses':
        for (let i = 0; i < report.list.length && this.observer.response !== null; i += 3) {
          this.observer.response(null, report.list[i], report.list[i + 1], report.list[i + 2])
        }
        break
      case 'requestError':
        this.observer.requestError?.(decodeError(report.error))
        break
      case 'mismatch':
        this.observer.mismatch?.(report.body)
        break
      case 'end':
        this.end(report.error === null ? null : decodeError(report.error))
    }
  }

  /** @param {Error | null} error */
  end (error) {
    if (this.ended) return
    this.ended = true
    if (error !== null) this.failToOpen(error)
    this.sinks.end(error)
  }
}

/**
 * @param {Error & { code?: string }} error
 * @returns {string}
 */
function adviceOn ({ code, message }) {
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return '. Do its hooks keep what they get? More memory: NODE_OPTIONS=--max-old-space-size=4096 (MB)'
  if (code === 'ERR_WORKER_INIT_FAILED' && message.includes('EMFILE')) return '. No file descriptor is free: use fewer workers, or raise the hard limit (ulimit -Hn)'
  return ''
}

module.exports = { ThreadChannel }
