'use strict'

// Goodput in a result, as a part of streams.

const { round } = require('../../core/units')

/** @param {import('./record').GoodputTally | undefined} tally of a run, of a named request, or of a */
function goodputOf (tally) {
  return Array.from(tally?.counts ?? [], ([expression, { good, requests }]) =>
    ({ expression, good, requests, share: requests === 0 ? null : round(good / requests) }))
}

module.exports = { goodputOf }
