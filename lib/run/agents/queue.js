'use strict'

// Owns how runs and agents meet in BullMQ: a run adds a job for each agent that it wants, an idle agent takes one, and its lock tells whether it
// lives.

const { version } = require('../../../package.json')

/** A queue for each version, so that agents of another one never take a job of ours. */
const NAME = `slices-v${version}`

/** After how long without a word from its process an agent has lost its job, ms. */
const LOCK = 8000

/**
 * @param {import('./redis').Redis} redis
 * @returns {{ prefix: string, connection: import('./redis').Client, skipVersionCheck: true }} what everything of BullMQ is told; what it would say of the settings
 *   of Redis, once for each of its parts, is said by `redis`
 */
function meetingAt (redis) {
  return { prefix: redis.prefix, connection: redis.make(), skipVersionCheck: true }
}

/** What a worker of BullMQ is told; one that loses its lock is not started anew. */
const WATCHED = Object.freeze({ lockDuration: LOCK, stalledInterval: LOCK / 2, maxStalledCount: 0 })

module.exports = { LOCK, NAME, WATCHED, meetingAt, version }
