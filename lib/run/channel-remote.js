'use strict'

// The coordinator's side of a channel to a generator in another thread or process: sends the plan and orders to its
// host, receives reports, and gives up a host that sends no messages for too long. The transport delivers the messages.

const { AutocannonError, HookError } = require('../core/errors')
const { now } = require('../core/clock')
const { encode } = require('./codec')
const { copyMemory, withoutMemory } = require('./memory')
const { HEARTBEAT } = require('./messages')
const { readReport } = require('./reports')

/** @typedef {import('./channel-local').Channel} Channel */

/** After this number of heartbeats without a message a host counts as lost. */
const MOST_SILENT_BEATS = 30

/** The limit of heartbeats until the host is ready, and from the planned end of the run until its last report. */
const LATEST = 120

/** The limit of the time that a host's samples may be in the future, ms. */
const AHEAD = 60_000

/** @implements {Channel} */
class RemoteChannel {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {import('../engine/generator').Sinks} sinks
   * @param {import('../engine/generator').Observer} observer
   * @param {() => import('./messages').Transport} connect starts a host, or connects to one
   * @param {{ setInterval?: (action: () => void, ms: number) => NodeJS.Timeout, now?: import('../core/clock').Clock }}
   *   [edge] for tests
   */
  constructor (plan, sinks, observer, connect, edge = {}) {
    this.plan = plan
    this.sinks = sinks
    this.observer = observer
    this.connect = connect
    this.edge = { setInterval, now, ...edge }
    /** The number of heartbeats so far. */
    this.silence = 0
    /** The heartbeat by which the next expected message must arrive, whatever other messages arrive. */
    this.left = Infinity
    this.late = ''
    /** @type {NodeJS.Timeout | undefined} */
    this.watch = undefined
    this.openedAt = 0
    /** The last sample of the host's reports. */
    this.sample = -1
    this.ended = false
    /** @type {import('./messages').Transport | null} */
    this.transport = null
    /** @type {{ resolve: () => void, reject: (error: Error) => void }} */
    this.opening = { resolve () {}, reject () {} }
  }

  /** @returns {Promise<void>} */
  open () {
    // Encodes the plan before the host starts, to detect values that cannot be sent.
    const { plan, memory } = withoutMemory(this.plan)
    const order = encode({ type: 'open', plan })
    this.openedAt = this.edge.now()
    return new Promise((resolve, reject) => {
      this.opening = { resolve, reject }
      const transport = this.transport = this.connect()
      transport.onMessage = message => this.receive(message)
      transport.onClose = error => this.end(error)
      this.watch = this.edge.setInterval(() => this.listen(), HEARTBEAT)
      // All threads share lists of requests and rows of data, which may have a million entries.
      if (memory !== null) {
        transport.send(transport.shares ? { memory } : encode({ type: 'memory', memory: copyMemory(memory) }))
      }
      transport.send(order)
    })
  }

  start () {
    this.observe()
    this.order({ type: 'start' })
    if (this.plan.together) this.expect('is not ready to begin', this.plan.timeout)
  }

  /** @param {number} at on the common clock of this machine's threads and processes */
  begin (at) {
    this.order({ type: 'begin', at })
    const { amount, iterations, duration, steered, timeout } = this.plan
    if ((amount ?? iterations) === null && !steered) this.expect('does not end', duration + timeout)
  }

  /**
   * @param {string} late the error if the expected message does not arrive
   * @param {number} ms additional time
   */
  expect (late, ms) {
    this.left = ms / HEARTBEAT + LATEST
    this.late = late
  }

  /** @type {(stage: import('../shapes/stages').Stage, drop: boolean) => void} */
  extend (stage, drop) {
    this.order({ type: 'extend', stage, drop })
  }

  /** @param {number} connections */
  grow (connections) {
    this.order({ type: 'grow', connections })
  }

  stop () {
    this.order({ type: 'stop' })
  }

  /** Called when listeners are added or removed. */
  observe () {
    const { response, requestError, mismatch } = this.observer
    this.order({
      type: 'observe', responses: response !== null, errors: requestError !== null, mismatches: mismatch !== null
    })
  }

  async close () {
    this.ended = true
    clearInterval(this.watch)
    await this.transport?.close()
  }

  /** @param {import('./messages').Order} order */
  order (order) {
    this.transport?.send(encode(order))
  }

  get name () {
    return this.transport?.name
  }

  /** Counts heartbeats and not time, so that a suspended process does not count as late. */
  listen () {
    if (this.transport?.isBehind?.()) this.silence = 0
    if (--this.left < 0) return this.end(new AutocannonError('AC_WORKER', `${this.name} ${this.late}, and is ended`))
    if (++this.silence <= MOST_SILENT_BEATS) return
    this.end(new AutocannonError('AC_WORKER', `${this.name} has not been heard of for ` +
      `${Math.round(MOST_SILENT_BEATS * HEARTBEAT / 1000)} s and is ended: is there a hook that does not return?`))
  }

  /** @param {unknown} message */
  receive (message) {
    if (this.ended) return
    this.silence = 0
    let report
    try {
      report = readReport(message)
      if (report.type === 'snapshot') this.checkTime(report.snapshot)
    } catch (error) {
      return this.end(/** @type {Error} */ (error))
    }
    this.take(report)
  }

  /**
   * Rejects samples of the future: samples are stored by index, so one that is years ahead would fill the memory.
   * @param {{ sample: number, to: number }} snapshot
   */
  checkTime ({ sample, to }) {
    const elapsed = this.edge.now() - this.openedAt
    if (sample > this.sample && Math.max(to, sample * this.plan.sampleInt) <= elapsed + AHEAD) this.sample = sample
    else {
      throw new AutocannonError('AC_WORKER', `${this.name} reports sample ${sample} of ${Math.round(to)} ms ` +
      `after ${this.sample}, ${Math.round(elapsed)} ms after it was opened`)
    }
  }

  /** @param {import('./messages').Report} report */
  take (report) {
    const { sinks, observer } = this
    switch (report.type) {
      case 'ready':
        this.opening.resolve()
        break
      case 'waiting':
        this.left = Infinity
        sinks.waiting?.()
        break
      case 'began':
        sinks.began?.(report.at)
        break
      case 'snapshot':
        sinks.snapshot(report.snapshot)
        break
      case 'responses':
        for (let i = 0; i < report.list.length && observer.response !== null; i += 3) {
          observer.response(null, report.list[i], report.list[i + 1], report.list[i + 2])
        }
        break
      case 'requestError':
        observer.requestError?.(report.error)
        break
      case 'log':
        sinks.log?.(report.line)
        break
      case 'mismatch':
        observer.mismatch?.(report.body)
        break
      case 'end':
        this.end(report.error === null ? null : this.failureIn(report.error, report), report.usedUp)
    }
  }

  /**
   * Marks the error of a module that a thread of this process cannot load. On another machine, the module may be
   * missing.
   * @type {(error: Error, report: { unusable?: string }) => Error}
   */
  failureIn (error, { unusable }) {
    const { transport } = this
    if (transport?.isThread && typeof unusable === 'string') HookError.ofModule(unusable, error)
    return transport?.explain?.(error) ?? error
  }

  /** @param {Error | null} error @param {boolean} [usedUp] */
  end (error, usedUp = false) {
    if (this.ended) return
    this.ended = true
    clearInterval(this.watch)
    if (error !== null) this.opening.reject(error)
    this.sinks.end(error, usedUp)
  }
}

module.exports = { RemoteChannel }
