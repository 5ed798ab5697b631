'use strict'

// The jobs of a run in BullMQ, one per requested agent, and their ends.

const { NAME, WATCHED, isOfJob, meetingAt, prolong } = require('./queue')
const { load } = require('./redis')

/** The blocking time of QueueEvents per call, ms: less than the timeout of a silent connection. */
const BLOCKING_TIMEOUT = 4000

class Jobs {
  /**
   * @param {import('./redis').Redis} redis
   * @param {string} run
   * @param {(job: string, reason: string | null) => void} onEnd reason: null if the agent has reported the end itself
   */
  constructor (redis, run, onEnd) {
    this.redis = redis
    this.run = run
    this.onEnd = onEnd
    /** @type {Set<string>} */
    this.ids = new Set()
    this.made = 0
    this.closed = false
  }

  async open () {
    /** @type {typeof import('bullmq')} */
    const { Queue, QueueEvents, Worker } = load('bullmq')
    const { redis } = this
    const queue = this.queue = new Queue(NAME, {
      ...meetingAt(redis), streams: { events: { maxLen: 1000 } },
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true }
    })
    const events = this.events = new QueueEvents(NAME, { ...meetingAt(redis), blockingTimeout: BLOCKING_TIMEOUT })
    // Searches for expired locks, because there may be no other agent that does.
    const watch = this.watch = new Worker(NAME, null, { ...meetingAt(redis), ...WATCHED, autorun: false })
    for (const one of /** @type {import('node:events').EventEmitter[]} */ ([queue, events, watch])) {
      one.on('error', (/** @type {Error} */ error) => { if (!this.closed && !isOfJob(error)) redis.complain(error) })
    }
    events.on('completed', ({ jobId }) => this.onEnd(jobId, null))
    events.on('failed', ({ jobId, failedReason }) => this.onEnd(
      jobId,
      /stalled/.test(failedReason) ? 'its lock has expired: it was killed, frozen, or cut off from Redis' : failedReason
    ))
    await Promise.all([queue.waitUntilReady(), events.waitUntilReady(), watch.waitUntilReady()])
    watch.startStalledCheckTimer()
  }

  /**
   * Adds or removes jobs up to this number.
   * @param {number} wanted
   * @param {(job: string) => boolean} isTaken
   * @param {boolean} [keepsPlace] whether a replacement job precedes jobs of other runs
   */
  async match (wanted, isTaken, keepsPlace = true) {
    const free = [...this.ids].filter(id => !isTaken(id))
    const { queue, redis, run } = this
    // Redis or an unidentified agent has lost the job.
    const found = await Promise.all(free.map(id => redis.client.exists(redis.key(NAME, id))))
    for (const [i, id] of free.entries()) if (found[i] === 0 && !isTaken(id)) this.ids.delete(id)
    const missing = wanted - this.ids.size
    if (missing < 0) await this.remove(id => !isTaken(id), -missing)
    if (missing <= 0) return
    // Random ids: numbers of BullMQ restart when Redis loses its data, and would collide with another run. A
    // replacement precedes jobs of other runs, because otherwise both runs would wait for each other.
    const lifo = keepsPlace && this.made > 0
    const jobs = Array.from(
      { length: missing },
      () => ({ name: 'slice', data: { run }, opts: { jobId: `${run}-${this.made++}`, lifo } })
    )
    for (const { opts } of jobs) this.ids.add(opts.jobId)
    // Adds all jobs in one call, so that jobs of two runs do not interleave.
    await /** @type {import('bullmq').Queue} */ (queue).addBulk(jobs)
    await this.prolong()
  }

  /** Removes jobs without an agent. @type {(isFree: (job: string) => boolean, most?: number) => Promise<void>} */
  async remove (isFree, most = Infinity) {
    // From the end of the queue.
    const some = [...this.ids].reverse().filter(isFree).slice(0, most)
    await Promise.all(some.map(async id => {
      if (await this.queue?.remove(id).catch(() => 0) === 1) {
        this.ids.delete(id)
      }
    }))
  }

  /** Renews the expiry of keys in Redis, so that they expire soon after the run. */
  async prolong () {
    await prolong(this.redis, this.ids)
  }

  async close () {
    this.closed = true
    await Promise.all([this.queue?.close(), this.events?.close(), this.watch?.close()])
  }
}

module.exports = { Jobs }
