'use strict'

// Limits the heap of V8 while a run opens its connections, and as long as they send few requests each.
//
// The young generation: connections and what users hold in a pause survive its collections, which V8 takes for a sign
// that it is too small. It grew from 2 to 32 MiB with 10,000 connections and kept that size: 114 MiB in all, and 87 MiB
// with the limit (`node bench/footprint.js`).
//
// The rest: V8 lets it grow by half or more between two collections, and most of what is added there while user
// functions pause is garbage.
// 10,000 of them took 225 and 232 MiB, and 187 and 162 with both limits, for 6 and 23 % more CPU time (two pairs of
// runs of 6 s on a busy machine, 2026-11-27).
//
// V8 reads the flags at each collection, and they apply to the whole process: the command sets them, the library does
// not.

const { setFlagsFromString } = require('node:v8')

/** From so many connections on it makes a difference: 11 MiB with 1,000. */
const MANY = 1000

/** Requests per second and connection: of users who send more, what is kept for a moment is most of it. */
const FEW = 2

/** By how many times the young generation grows at once, and the rest between two collections in percent. */
const LIMITED = '--semi-space-growth-factor=1 --heap-growing-percent=20'
/** As V8 has them; 0 is its own choice. */
const FREE = '--semi-space-growth-factor=2 --heap-growing-percent=0'

/**
 * @param {number} connections of a run that is about to begin
 * @param {(flags: string) => void} [setFlags]
 * @returns {import('../follow/followers').Follower | null} lifts the limits once the connections are open and busy:
 *   hooks may need that. null where there are few
 */
function limitHeap (connections, setFlags = setEach) {
  if (connections < MANY) return null
  let open = 0
  let isLimited = true
  const release = () => {
    if (isLimited) setFlags(FREE)
    isLimited = false
  }
  setFlags(LIMITED)
  return {
    tick ({ connections, iterations, counter, length }) {
      // Only users are known to send so few for long.
      const isResting = iterations !== undefined && counter * 1000 < FEW * length * connections
      if (connections > 0 && connections <= open && !isResting) release()
      open = connections
    },
    done: release,
    failed: release
  }
}

/** @param {string} flags */
function setEach (flags) {
  for (const flag of flags.split(' ')) setFlagsFromString(flag)
}

module.exports = { limitHeap }
