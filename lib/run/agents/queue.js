'use strict'

// How runs and agents meet in BullMQ: a run adds a job per requested agent, an idle agent takes one, and the lock of
// the job shows whether the agent lives.

const { version } = require('../../../package.json')

/** A queue for each version, so that agents of another one never take a job of ours. */
const NAME = `slices-v${version}`

/** After how long without a word from its process an agent has lost its job, ms. */
const LOCK = 8000

/** How long BullMQ's data stays in Redis without a run, ms. */
const LASTS = 600_000

/**
 * @param {import('./redis').Redis} redis
 * @returns {{ prefix: string, connection: import('./redis').Client, skipVersionCheck: true }} common options of BullMQ;
 *   its warnings about the settings of Redis are off, as `redis` has them once
 */
function meetingAt (redis) {
  return { prefix: redis.prefix, connection: redis.make(), skipVersionCheck: true }
}

/** Options of a worker of BullMQ; one that loses its lock is not started again. */
const WATCHED = Object.freeze({ lockDuration: LOCK, stalledInterval: LOCK / 2, maxStalledCount: 0 })

/**
 * BullMQ gives its keys no time to live.
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
 * @returns {boolean} whether it reports a missing job, as when Redis has lost it: links detect the consequences
 */
function isOfJob ({ message }) {
  return /could not renew lock|Missing (key|lock) for job|is not in the active state|Lock mismatch/.test(message)
}

module.exports = { LOCK, NAME, WATCHED, isOfJob, meetingAt, prolong, version }
