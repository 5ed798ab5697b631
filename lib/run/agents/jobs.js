'use strict'

// The jobs of a run in BullMQ, one per requested agent. It receives their ends.

const { NAME, WATCHED, isOfJob, meetingAt, prolong } = require('./queue')
const { load } = require('./redis')

/** How long QueueEvents waits for the next event per call, ms: less than a connection may be silent. */
const BLOCKING_TIMEOUT = 4000

class Jobs {
  /**
   * @param {import('./redis').Redis} redis
   * @param {string} run
   * @param {(job: string, reason: string | null) => void} onEnd null when its agent has reported the end
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
    // Expired locks have to be found also when no other agent is there.
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
   * Keeps this number of jobs.
   * @param {number} wanted
   * @param {(job: string) => boolean} isTaken
   * @param {boolean} [keepsPlace] whether a job instead of another one comes before those of other runs
   */
  async match (wanted, isTaken, keepsPlace = true) {
    const free = [...this.ids].filter(id => !isTaken(id))
    const { queue, redis, run } = this
    // Redis has lost it, or an agent has, before its identity was known.
    const found = await Promise.all(free.map(id => redis.client.exists(redis.key(NAME, id))))
    for (const [i, id] of free.entries()) if (found[i] === 0 && !isTaken(id)) this.ids.delete(id)
    const missing = wanted - this.ids.size
    if (missing < 0) await this.remove(id => !isTaken(id), -missing)
    if (missing <= 0) return
    // Numbers of BullMQ begin again when Redis has lost them: another run would have the same. A replacement goes
    // before jobs of other runs, which would wait for ours as we for theirs.
    const lifo = keepsPlace && this.made > 0
    const jobs = Array.from(
      { length: missing },
      () => ({ name: 'slice', data: { run }, opts: { jobId: `${run}-${this.made++}`, lifo } })
    )
    for (const { opts } of jobs) this.ids.add(opts.jobId)
    // All at once: two runs that wait for the same agents alternate.
    await /** @type {import('bullmq').Queue} */ (queue).addBulk(jobs)
    await this.prolong()
  }

  /**
   * Removes jobs that no agent has taken. @type {(isFree: (job: string) => boolean, most?: number) => Promise<void>}
   */
  async remove (isFree, most = Infinity) {
    // Those at the end of the queue first.
    const some = [...this.ids].reverse().filter(isFree).slice(0, most)
    await Promise.all(some.map(async id => {
      if (await this.queue?.remove(id).catch(() => 0) === 1) {
        this.ids.delete(id)
      }
    }))
  }

  /** Keys in Redis are kept while the run lives, and not for long afterwards. */
  async prolong () {
    await prolong(this.redis, this.ids)
  }

  async close () {
    this.closed = true
    await Promise.all([this.queue?.close(), this.events?.close(), this.watch?.close()])
  }
}

module.exports = { Jobs }
