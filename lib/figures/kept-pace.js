'use strict'

// Owns what a result says of the pace that was kept, of requests or of rounds.

/** @param {import('../record/recorder').KeptPace} kept */
function paceOf ({ pace, reason }) {
  return { pace, ...reason !== null && { paceReason: reason } }
}

module.exports = { paceOf }
