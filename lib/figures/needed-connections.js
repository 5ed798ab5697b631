'use strict'

// The number of connections that the rate of a run needed, by Little's law: requests in flight = rate × mean service
// time.

/**
 * Above this multiple of the minimum, the mean service time includes a queue, which more connections would lengthen.
 */
const GROWN = 3

/** Connections that were used for less than this share of the run did not limit it. */
const IN_USE = 0.5

/**
 * @param {Record<string, any>} result of a run with a rate
 * @returns {number | null} the number of connections that the rate needed; null if there were enough, or if it is
 *   unknown
 */
function neededConnections ({ rate, iterations, connections, pipelining, serviceTime, duration, timeouts }) {
  // Think time of an iteration occupies a connection, too, and the service time of a timeout is unknown.
  if (iterations !== undefined || timeouts > 0 || !(serviceTime?.totalCount > 0)) return null
  const { mean, min, totalCount } = serviceTime
  if (mean > GROWN * min || totalCount * mean / 1000 / duration < IN_USE * connections * pipelining) return null
  const needed = Math.ceil(rate.target * mean / 1000 / pipelining)
  return needed > connections ? needed : null
}

module.exports = { neededConnections }
