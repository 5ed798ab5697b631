'use strict'

// Limits the heap of V8 while a run opens its connections, and while they send few requests each.
//
// The young generation: connections and the state of paused users survive its collections, so V8 makes it larger. It
// grew from 2 to 32 MiB with 10,000 connections and kept that size: 114 MiB in all, and 87 MiB with the limit (`node
// bench/footprint.js`).
//
// The rest: V8 lets it grow by half or more between two collections, and most of the growth while user functions pause
// is garbage. 10,000 user functions that pause took 53 to 55 MiB more than 10,000 connections that pause, with both
// limits, and 75 to 81 MiB more with a limit on the rest only (2026-11-27).
//
// V8 reads the flags at each collection, and they apply to the whole process: the command sets them, the library does
// not. When V8 makes the heap of another thread, it raises a growth factor below 2 to 2 for all threads, so the flags
// are set again whenever a thread begins to run. Without that, `-w 2 -c 10000` took 149 to 169 MiB instead of 121, and
// 10,000 user functions that pause 234 to 242 instead of 185 (2026-11-27). The maxYoungGenerationSizeMb of a worker
// saves as much, but can't be lifted for a load that makes garbage.

const { setFlagsFromString } = require('node:v8')

/** The limit saves memory from this number of connections: 11 MiB with 1,000. */
const MANY = 1000

/** Requests per second and connection, above which most of the memory is short-lived objects. */
const BUSY_RATE = 2

/**
 * The growth factor of the young generation, and the growth of the rest between two collections in percent: limited,
 * and the defaults of V8. With 0 percent V8 decides.
 */
const FLAGS = [
  { name: '--semi-space-growth-factor', limited: 1, free: 2 },
  { name: '--heap-growing-percent', limited: 20, free: 0 }
]

/**
 * @param {number} connections of the next run
 * @param {() => void} waitForThreads returns when the existing threads have created their heaps, which would raise the
 *   growth factor after it was limited: without that, 10,000 user functions took 18 MiB more
 * @param {(flag: string) => void} [setFlag]
 * @param {ReadonlyArray<string>} [given] arguments of Node.js, which refuses these flags in NODE_OPTIONS
 * @param {import('node:events').EventEmitter} [threads] emits `worker` for each thread that begins later
 * @returns {import('../../follow/followers').Follower | null} lifts the limits once the connections are open and busy:
 *   hooks may need that. null with few connections, or if the user has set all flags
 */
function limitHeap (
  connections, waitForThreads, setFlag = setFlagsFromString, given = process.execArgv, threads = process
) {
  if (connections < MANY) return null
  const set = new Set(given.map(argument => argument.split('=', 1)[0].replaceAll('_', '-')))
  const flags = FLAGS.filter(({ name }) => !set.has(name))
  if (flags.length === 0) return null
  let open = 0
  let isLimited = true
  const limit = () => {
    if (isLimited) for (const { name, limited } of flags) setFlag(`${name}=${limited}`)
  }
  const onWorker = (/** @type {import('node:worker_threads').Worker} */ worker) => { worker.once('online', limit) }
  const release = () => {
    if (isLimited) for (const { name, free } of flags) setFlag(`${name}=${free}`)
    isLimited = false
    threads.off('worker', onWorker)
  }
  waitForThreads()
  limit()
  threads.on('worker', onWorker)
  return {
    tick ({ connections, iterations, counter, length }) {
      // Only users with think time send few requests for long.
      const isResting = iterations !== undefined && counter * 1000 < BUSY_RATE * length * connections
      if (connections > 0 && connections <= open && !isResting) release()
      open = connections
    },
    done: release,
    failed: release
  }
}

module.exports = { limitHeap }
