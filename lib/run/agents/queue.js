'use strict'

// The queue of runs and agents in BullMQ: a run adds a job per requested agent, an idle agent takes one, and the lock
// of the job shows that the agent is alive.

const { version } = require('../../../package.json')

/** Each version has a separate queue, so that agents of another version never take our jobs. */
const NAME = `slices-v${version}`

/** The expiry of the lock of a job: an agent without a renewal has lost the job, ms. */
const LOCK = 8000

/** The expiry of BullMQ's data in Redis without a run, ms. */
const LASTS = 600_000

/**
 * @param {import('./redis').Redis} redis
 * @returns {{ prefix: string, connection: import('./redis').Client, skipVersionCheck: true }} common options of BullMQ,
 *   without its warnings about Redis: redis.js reports them once
 */
function meetingAt (redis) {
  return { prefix: redis.prefix, connection: redis.make(), skipVersionCheck: true }
}

/** Options of a worker of BullMQ. A job that loses its lock is not started again. */
const WATCHED = Object.freeze({ lockDuration: LOCK, stalledInterval: LOCK / 2, maxStalledCount: 0 })

/**
 * Sets an expiry on BullMQ's keys, which have none.
 * @type {(redis: import('./redis').Redis, jobs?: Iterable<string>) => Promise<void>}
 */
async function prolong (redis, jobs = []) {
  const pipeline = redis.client.pipeline()
  for (const part of ['active', 'completed', 'events', 'failed', 'id', 'marker', 'meta', 'stalled', 'wait', ...jobs]) {
    pipeline.pexpire(redis.key(NAME, part), LASTS)
  }
  await pipeline.exec()
}

/**
 * @param {Error} error of BullMQ
 * @returns {boolean} whether a job is missing, such as after a data loss in Redis: links detect the consequences
 */
function isOfJob ({ message }) {
  return /could not renew lock|Missing (key|lock) for job|is not in the active state|Lock mismatch/.test(message)
}

module.exports = { LOCK, NAME, WATCHED, isOfJob, meetingAt, prolong, version }
