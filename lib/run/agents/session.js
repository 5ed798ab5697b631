'use strict'

// An agent session: identifies the agent, starts a thread per requested generator, forwards messages, and ends all
// threads when the run releases it or sends no messages any more. This thread sends no load, so that it can always
// receive messages.

const { randomBytes } = require('node:crypto')
const { setTimeout: sleep } = require('node:timers/promises')
const { AutocannonError } = require('../../core/errors')
const { isRecord, oneLine } = require('../../core/foreign-text')
const { now } = require('../../core/clock')
const { decode, encode } = require('../codec')
const { checkSize } = require('./admission')
const { Link } = require('./link')
const { Mailbox } = require('./mailbox')
const { LOCK } = require('./queue')
const { SessionLog } = require('./session-log')
const { Signature, disagreement } = require('./signature')

/** The interval of ticks, which repeat messages and detect silence, ms. */
const TICK = 250

/** The timeout of the cleanup, ms. */
const CLOSE_TIMEOUT = 1000

/** After this many ticks without a message of the coordinator the load ends: it must not outlive its run. */
const MOST_SILENT_TICKS = 16

/** The interval of measuring the clock of Redis, ticks. */
const CLOCK_EVERY = 40

/** The limit of the run's reason to continue without this agent, in characters; it is untrusted. */
const LONGEST_REASON = 200

/** The timeout for the last counts of threads when the agent leaves, ms. */
const STOP_TIMEOUT = 500

/** The limit of the time until a start, ms: usually it is a few round trips. */
const FARTHEST = 10_000

/** The limit of concurrent generators. */
const MOST_GENERATORS = 1024

/**
 * Orders that are forwarded to a thread. The plan is part of `open`, and memory is sent separately.
 * @type {Set<unknown>}
 */
const ORDERS = new Set(['open', 'observe', 'start', 'begin', 'stop', 'extend', 'grow'])

/** The message omits the content of the order, which may be secret. */
const NO_ORDER = 'an order of the coordinator is not valid'

/**
 * @typedef {object} SessionEdge
 * @property {import('./redis').Redis} redis
 * @property {import('./redis-clock').RedisClock} clock
 * @property {string | null} key for message signatures
 * @property {(plan: import('../../options/plan').Plan) => Promise<import('../../options/plan').Plan>} admit rejects
 *   when this agent does not allow the plan
 * @property {() => import('../messages').Transport} startThread
 * @property {(sentence: string) => void} notify writes to the log of the agent
 */

class Session {
  /**
   * @param {{ run: string, job: string }} work
   * @param {import('./presence').Announcement & { workers: number | null }} announcement
   * @param {SessionEdge} edge
   */
  constructor ({ run, job }, announcement, edge) {
    const { redis, key } = edge
    this.edge = edge
    this.job = job
    this.announcement = announcement
    this.log = new SessionLog(run, announcement.name, edge.notify)
    this.nonce = randomBytes(16).toString('hex')
    const session = { run, agent: announcement.id, nonce: this.nonce }
    const orders = new Signature(key, { ...session, direction: 'order' })
    const reports = new Signature(key, { ...session, direction: 'report' })
    this.inbox = new Mailbox(redis, redis.key('run', run, 'to', announcement.id))
    this.outbox = new Mailbox(redis, redis.key('run', run, 'from'))
    this.link = new Link({
      post: entry => { this.post(entry) },
      deliver: message => this.handle(message),
      now,
      later: action => { setImmediate(() => this.attempt(action)) },
      signature: {
        sign: (number, payload) => reports.sign(number, payload),
        verify: (number, payload, given) => orders.verify(number, payload, given)
      }
    })
    /** By number of the channel. @type {Map<number, import('../messages').Transport>} */
    this.threads = new Map()
    /** Pending checks of plans: later orders wait for them. @type {Map<number, Promise<void>>} */
    this.opening = new Map()
    /** Generators that have reported their end, so the exit of their threads is no failure. @type {Set<number>} */
    this.over = new Set()
    /** The shared memory of plans. @type {Map<number, import('../memory').Memory>} */
    this.memory = new Map()
    /** The size of the shared memory, bytes. */
    this.remembered = 0
    /**
     * Ticks since the last message of the coordinator. Ticks and not time, because a suspended process receives
     * nothing.
     */
    this.quiet = 0
    this.ticks = 0
    this.tickedAt = now()
    /** The number of the next channel. */
    this.next = 0
    this.ended = false
    this.wantsCounts = false
    /** Entries that wait for Redis. */
    this.posting = 0
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
    this.finish = () => {}
    /** The reason of the end, unless the run released the agent. @type {Error | null} */
    this.reason = null
  }

  /** @returns {Promise<void>} resolves at the end @throws {Error} unless the run released the agent */
  async work () {
    const finished = new Promise(resolve => { this.finish = () => resolve(undefined) })
    await this.edge.clock.measure()
    const { error, slowest } = this.edge.clock
    this.link.send({ joined: { ...this.announcement, signed: this.edge.key !== null, clockError: error, slowest } })
    this.timer = setInterval(() => this.tick(), TICK)
    const collecting = this.inbox.collect(entry => this.take(entry)).catch(error => this.end(error))
    await finished
    if (this.wantsCounts) await this.stopThreads()
    await Promise.all([...this.threads.values()].map(thread => thread.close()))
    await this.sendBye()
    clearInterval(this.timer)
    // An unreachable Redis must not delay the report of the end; its messages expire.
    await Promise.race([this.inbox.close(true), sleep(CLOSE_TIMEOUT)])
    await collecting
    if (this.reason !== null) throw this.reason
  }

  /** Requests the counts so far from the threads. Their end is not reported, because the agent reports its own. */
  async stopThreads () {
    const ended = [...this.threads].filter(([c]) => !this.over.has(c)).map(([c, thread]) => new Promise(resolve => {
      // The thread ends by order, which is no failure.
      thread.onClose = () => resolve(undefined)
      thread.onMessage = message =>
        message?.type === 'end' ? resolve(undefined) : this.link.send({ c, m: this.fromThread(c, message) })
      thread.send(encode({ type: 'stop' }))
    }))
    await Promise.race([Promise.all(ended), sleep(STOP_TIMEOUT)])
  }

  /** Waits up to a second until the last messages are in Redis. */
  async sendBye () {
    this.link.send({ left: this.reason === null ? null : this.reason.message })
    this.link.flush()
    for (let i = 0; i < 20 && this.posting > 0; i++) await sleep(50)
    this.link.end()
  }

  /** @param {import('./link').Entry} entry */
  post (entry) {
    this.posting++
    this.outbox.postFor({ j: this.job, g: this.announcement.id, o: this.nonce, ...entry }, this.link).finally(() => {
      this.posting--
    })
  }

  tick () {
    const { link, edge: { clock } } = this
    const gap = now() - this.tickedAt
    this.tickedAt += gap
    if (this.ended) return
    // The run has already continued without this agent.
    if (gap > LOCK) {
      return this.end(
        new AutocannonError('AC_AGENT', `the agent was asleep for ${Math.round(gap / 1000)} s: the load ends`)
      )
    }
    if (++this.quiet > MOST_SILENT_TICKS) {
      return this.end(new AutocannonError(
        'AC_AGENT',
        `the coordinator has not been heard of for ${MOST_SILENT_TICKS * TICK / 1000} s: the load ends`
      ))
    }
    if (++this.ticks % CLOCK_EVERY === 0) clock.measure().catch(() => {})
    this.attempt(() => link.tick())
  }

  /** @param {() => void} action of the link; it throws if the other side violates the protocol */
  attempt (action) {
    try {
      action()
    } catch (error) {
      this.end(/** @type {Error} */ (error))
    }
  }

  /** @param {Record<string, string>} entry */
  take (entry) {
    const { link, edge: { key } } = this
    const before = link.received
    this.attempt(() => {
      const problem = disagreement(key, entry.s !== '', { here: 'this agent', there: 'the coordinator' })
      if (problem !== null) throw new AutocannonError('AC_KEY', problem)
      link.receive(entry)
    })
    if (link.received > before) this.quiet = 0
  }

  /** @param {any} message from the coordinator */
  handle (message) {
    const { c, m, memory, keep, runInfo, check } = message ?? {}
    if (message?.release === true) return this.end(null)
    if (typeof message?.lost === 'string') {
      return this.end(
        new AutocannonError('AC_AGENT', `the run goes on without this agent: ${oneLine(message.lost, LONGEST_REASON)}`)
      )
    }
    if (runInfo !== undefined) return this.log.logRun(runInfo)
    if (keep !== undefined) return this.remember(keep, decode(memory))
    if (check !== undefined) return this.check(check)
    if (!Number.isInteger(c) || c < 0) throw new AutocannonError('AC_AGENT', NO_ORDER)
    if (message.close === true) return this.dismiss(c)
    // The coordinator may not have received the end yet.
    if (c < this.next && !this.threads.has(c)) return
    if (Array.isArray(memory)) return this.threadOf(c).send({ memory: memory.map(id => this.memory.get(id)) })
    try {
      this.order(c, m)
    } catch (error) {
      this.lose(c, /** @type {Error} */ (error))
    }
  }

  /** @param {unknown} plan encoded; checked but not started */
  async check (plan) {
    /** @type {unknown} */
    let checked = null
    try {
      await this.edge.admit(/** @type {any} */ (decode(plan)))
    } catch (error) {
      this.log.fail(/** @type {Error} */ (error), true)
      checked = encode(error)
    }
    this.attempt(() => this.link.send({ checked }))
  }

  /**
   * @param {number} c
   * @param {unknown} message an order, encoded. It is checked in decoded form, because the same order has several
   *   encodings
   */
  order (c, message) {
    const order = decode(message)
    const before = this.opening.get(c)
    if (!isRecord(order) || !ORDERS.has(order.type)) throw new AutocannonError('AC_AGENT', NO_ORDER)
    if (order.type === 'open') {
      if (before !== undefined) {
        throw new AutocannonError('AC_AGENT', 'a load generator has one plan, and received another')
      }
      this.threadOf(c)
      const opened = this.edge.admit(/** @type {any} */ (order.plan)).then(plan => {
        this.log.open(plan)
        this.threads.get(c)?.send(encode({ type: 'open', plan }))
      })
      this.opening.set(c, opened.catch(error => this.lose(c, error, true)))
      return
    }
    if (order.type === 'begin') {
      const { clock } = this.edge
      const at = clock.toHere(/** @type {number} */ (order.at))
      if (!(Math.abs(at - clock.sharedNow()) <= FARTHEST)) {
        return this.lose(
          c,
          new AutocannonError('AC_AGENT', `the load is to begin ${((at - clock.sharedNow()) / 1000).toFixed(1)} s ` +
            'from now: the clock of Redis was set while the run was prepared. Start it again'),
          true
        )
      }
      this.log.begin()
      order.at = at
    }
    const forwarded = order.type === 'begin' ? encode(order) : message
    Promise.resolve(before).then(() => this.threads.get(c)?.send(forwarded))
  }

  /** Stores memory that threads share. @type {(id: number, memory: import('../memory').Memory) => void} */
  remember (id, { bytes, starts }) {
    if (!(bytes instanceof Uint8Array && starts instanceof Uint32Array)) throw new AutocannonError('AC_AGENT', NO_ORDER)
    this.remembered += bytes.byteLength + starts.byteLength
    checkSize(this.remembered)
    const shared = {
      bytes: new Uint8Array(new SharedArrayBuffer(bytes.length)),
      starts: new Uint32Array(new SharedArrayBuffer(starts.byteLength))
    }
    shared.bytes.set(bytes)
    shared.starts.set(starts)
    this.memory.set(id, shared)
  }

  /**
   * Returns the thread of a channel; starts it for its first message.
   * @type {(c: number) => import('../messages').Transport}
   */
  threadOf (c) {
    const known = this.threads.get(c)
    if (known !== undefined) return known
    if (this.threads.size >= MOST_GENERATORS) {
      throw new AutocannonError('AC_AGENT', `more than ${MOST_GENERATORS} load generators are requested`)
    }
    this.next = c + 1
    const thread = this.edge.startThread()
    thread.onMessage = message => this.link.send({ c, m: this.fromThread(c, message) })
    thread.onClose = error => this.lose(c, error)
    this.threads.set(c, thread)
    return thread
  }

  /** @param {number} c @param {Error} error @param {boolean} [isRefused] whether the agent refused the plan */
  lose (c, error, isRefused = false) {
    if (!this.over.has(c)) this.log.fail(error, isRefused)
    this.link.send({ c, x: encode(error) })
    this.dismiss(c)
  }

  /** @param {number} c */
  dismiss (c) {
    const thread = this.threads.get(c)
    this.threads.delete(c)
    this.opening.delete(c)
    this.over.delete(c)
    Promise.resolve(thread?.close()).finally(() => this.link.send({ c, closed: true }))
  }

  /** @param {number} c @param {any} message a report, encoded */
  fromThread (c, message) {
    this.log.report(message)
    if (message?.type === 'end') this.over.add(c)
    return message?.type === 'began' ? { ...message, at: this.edge.clock.toRedis(message.at) } : message
  }

  /**
   * @param {Error | null} reason null if the run releases the agent
   * @param {boolean} [wantsCounts] whether to report the counts so far
   */
  end (reason, wantsCounts = false) {
    if (this.ended) return
    this.ended = true
    this.reason = reason
    this.wantsCounts = wantsCounts
    this.finish()
  }
}

module.exports = { Session }
