'use strict'

// An agent: announces itself, takes one job after another, and runs an agent session for each.

const { randomBytes } = require('node:crypto')
const { availableParallelism, hostname } = require('node:os')
const { sharedNow } = require('../../core/clock')
const { AutocannonError } = require('../../core/errors')
const { isRecord } = require('../../core/foreign-text')
const threads = require('../transport-thread')
const { Presence } = require('./presence')
const { NAME, WATCHED, isOfJob, meetingAt, prolong, version } = require('./queue')
const { Redis, load } = require('./redis')
const { RedisClock } = require('./redis-clock')
const { Session } = require('./session')

/** The timeout of the shutdown, ms. */
const LEAVE_TIMEOUT = 3000

/** The timeout of the shutdown while Redis is unreachable, ms. */
const LEAVE_TIMEOUT_AWAY = 300

/**
 * @typedef {object} AgentSettings
 * @property {import('./redis').Settings} redis
 * @property {string} [name] default: the host name
 * @property {number} [workers] the number of threads, for any run; default: the number of cores
 * @property {boolean} once whether the agent ends after one session
 * @property {string | null} key for message signatures
 * @property {(plan: import('../../options/plan').Plan) => Promise<import('../../options/plan').Plan>} admit
 * @property {() => import('../messages').Transport} [startThread] for tests
 *
 * @typedef {object} Listener of an agent
 * @property {(sentence: string) => void} notify
 * @property {(error: Error | null) => void} onEnd receives the reason of the end
 */

class Agent {
  /** @param {AgentSettings} settings @param {Listener} listener */
  constructor (settings, listener) {
    this.settings = settings
    this.listener = listener
    /** @type {import('./presence').Announcement & { workers: number | null }} */
    this.announcement = {
      id: randomBytes(8).toString('hex'),
      name: settings.name ?? hostname(),
      host: hostname(),
      cores: availableParallelism(),
      version,
      node: process.version,
      busy: false,
      workers: settings.workers ?? null
    }
    this.redis = new Redis(settings.redis, listener.notify)
    this.presence = new Presence(this.redis)
    this.clock = new RedisClock(() => this.redis.time(), sharedNow)
    /** @type {Session | null} */
    this.session = null
    /** @type {import('bullmq').Worker | null} */
    this.worker = null
    this.stopped = false
  }

  /**
   * @returns {Promise<void>} resolves when it waits for jobs
   * @throws {AutocannonError}
   */
  async start () {
    /** @type {typeof import('bullmq')} */
    const { Worker } = load('bullmq')
    await this.redis.open()
    const worker = this.worker = new Worker(NAME, job => this.work(job), {
      ...meetingAt(this.redis),
      ...WATCHED,
      name: this.announcement.name,
      concurrency: 1,
      drainDelay: 5,
      runRetryDelay: 500,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 }
    })
    worker.on('error', error => { if (!isOfJob(error)) this.redis.complain(error) })
    // These errors follow BullMQ's last message about a job.
    for (const end of /** @type {const} */ (['completed', 'failed'])) {
      worker.on(end, () => { prolong(this.redis).catch(() => {}) })
    }
    await worker.waitUntilReady()
    this.presence.announce(() => this.announcement)
  }

  /** @type {(job: import('bullmq').Job) => Promise<void>} */
  async work (job) {
    const { redis, listener, settings: { key, admit, once, startThread = threads.startThread } } = this
    const run = String(isRecord(job.data) ? job.data.run : '')
    // The coordinator has gone, or the job is not from autocannon.
    if (this.stopped || !/^[\da-f]{32}$/.test(run) || await redis.client.exists(redis.key('run', run, 'alive')) === 0) {
      return
    }
    await this.mark(true)
    const session = this.session = new Session({ run, job: String(job.id) }, this.announcement, {
      redis, clock: this.clock, key, admit, startThread, notify: listener.notify
    })
    try {
      await session.work()
      session.log.end(null)
    } catch (error) {
      session.log.end(/** @type {Error} */ (error))
      throw error
    } finally {
      this.session = null
      await this.mark(false)
      if (once && !this.stopped) this.stop().then(() => listener.onEnd(null), listener.onEnd)
    }
  }

  /** Resolves when coordinators can see the state. @type {(busy: boolean) => Promise<void>} */
  async mark (busy) {
    this.announcement.busy = busy
    if (!this.stopped) await this.presence.say?.()
  }

  async stop () {
    if (this.stopped) return
    this.stopped = true
    this.session?.end(new AutocannonError('AC_AGENT', 'the agent was stopped'), true)
    // Otherwise a pending wait for a job would last for seconds.
    const leave = async () => {
      await Promise.all([this.worker?.close(this.session === null), this.presence.withdraw(this.announcement.id)])
    }
    // An unreachable Redis must not delay the exit.
    await Promise.race([leave().catch(() => {}), new Promise(resolve =>
      setTimeout(resolve, this.redis.isAway ? LEAVE_TIMEOUT_AWAY : LEAVE_TIMEOUT).unref())])
    this.redis.close()
  }
}

module.exports = { Agent }
