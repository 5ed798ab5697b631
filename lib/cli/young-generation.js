'use strict'

// Limits the young generation of V8 while a run opens its connections. They survive its collections, which V8 takes for
// a sign that the young generation is too small. It grew from 2 to 32 MiB with 10,000 connections and kept that size:
// 114 MiB in all, and 87 MiB with the limit (`node bench/footprint.js`). V8 reads the flag at each collection, and it
// applies to the whole process: the command sets it, the library does not.

const { setFlagsFromString } = require('node:v8')

/** From so many connections on it makes a difference: 11 MiB with 1,000. */
const MANY = 1000

/** How many times as large it becomes at once; V8 says 2. */
const AS_IT_IS = 1
const GROWING = 2

/**
 * @param {number} connections of a run that is about to begin
 * @param {(factor: number) => void} [setFactor]
 * @returns {import('../follow/followers').Follower | null} lets it grow again once the connections are open: hooks may
 *   need that. null where there are few
 */
function keepYoungGeneration (
  connections, setFactor = factor => setFlagsFromString(`--semi-space-growth-factor=${factor}`)
) {
  if (connections < MANY) return null
  let open = 0
  const release = () => setFactor(GROWING)
  setFactor(AS_IT_IS)
  return {
    tick (tick) {
      if (tick.connections > 0 && tick.connections <= open) release()
      open = tick.connections
    },
    done: release,
    failed: release
  }
}

module.exports = { keepYoungGeneration }
