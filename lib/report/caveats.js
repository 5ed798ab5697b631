'use strict'

// Owns the sentences about what a run was too short to tell: the answers that it did not wait for.

const { plural } = require('../units')

/** The part of the requests that may be unfinished without a word. */
const UNFINISHED = 0.01

/**
 * A request without an answer may take any time: it bounds what is known of the tail. A closed loop has one on each connection
 * when it ends, which are few of many.
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function unfinishedNote ({ rate, unfinished, latency, requests, timeouts }) {
  const sent = rate === undefined ? requests.sent : rate.sent
  if (!(unfinished > UNFINISHED * sent)) return []
  const ended = Math.min(latency.totalCount, requests.total + timeouts)
  if (rate === undefined && ended === 0) return []
  const counted = latency.totalCount > requests.total + timeouts
  const where = rate === undefined ? 'they are not' : counted ? 'what they have waited is' : 'what they have waited is not'
  const known = Math.floor(ended / (ended + unfinished) * 1000) / 10
  const tail = ended === 0 ? '' : `, which can be higher than shown from p${known} on`
  return [`${plural(unfinished, 'request')} had no answer when the run ended; ${where} in the latency${tail}.`]
}

module.exports = { unfinishedNote }
