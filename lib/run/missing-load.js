'use strict'

// Calculates the load that a lost agent did not send, from the plan's slices and the last reports of its generators.
// Load after these reports is not in the result, so it counts as missing.

const { paceOf } = require('../shapes/pace')
const { rampsConnections } = require('../shapes/stages')

/**
 * @typedef {import('../options/plan').Plan} Plan
 * @typedef {import('./measurement').Reported} Reported
 *
 * @typedef {import('../instruments/agents/result').Loss['missing']} Missing load; requests are only known with an
 *   amount, or with a rate of requests
 */

/**
 * @param {ReadonlyArray<Plan>} slices of all generators
 * @param {ReadonlyArray<number>} lost numbers of lost generators
 * @param {(generator: number) => Reported} reportedBy
 * @param {number} elapsed measured time of the run, ms
 * @returns {Missing}
 */
function missingLoad (slices, lost, reportedBy, elapsed) {
  const requestsOf = requestsIn(slices, elapsed)
  if (requestsOf === null) return { share: timeShare(slices, lost, reportedBy, elapsed), requests: null }
  const all = slices.reduce((sum, slice) => sum + requestsOf(slice), 0)
  const requests = lost.reduce(
    (sum, generator) => sum +
      Math.max(0, requestsOf(slices[generator]) - handled(slices[generator], reportedBy(generator))),
    0
  )
  return { share: all === 0 ? 0 : requests / all, requests }
}

/**
 * Returns the planned number of requests of a generator; null if unknown.
 * @type {(slices: ReadonlyArray<Plan>, elapsed: number) => ((slice: Plan) => number) | null}
 */
function requestsIn ([{ amount, iterations, pacing, groups, skipFirst, duration }], elapsed) {
  if (iterations !== null) return null
  if (amount !== null) return ({ amount }) => Number(amount)
  if (groups !== null || pacing === null || pacing.unit === 'iterations') return null
  const end = Math.min(duration, skipFirst + elapsed)
  return ({ pacing }) => {
    const pace = paceOf(/** @type {NonNullable<typeof pacing>} */ (pacing), end)
    // Requests due exactly at the end are not part of the run.
    const dueBefore = (/** @type {number} */ at) => at <= 0 ? 0 : pace.dueBy(at - 1e-6)
    return dueBefore(end) - dueBefore(skipFirst)
  }
}

/**
 * Returns the number of requests that a generator has sent or reported as unsent.
 * @type {(slice: Plan, reported: Reported) => number}
 */
function handled ({ amount }, { sent, unsent, forgone, skipped }) {
  return amount === null ? sent + unsent - skipped.inFlight : sent + forgone + skipped.requests + skipped.forgone
}

/**
 * Returns the missing share in a closed loop: its connections always send, so load is proportional to time.
 * @param {ReadonlyArray<Plan>} slices
 * @param {ReadonlyArray<number>} lost
 * @param {(generator: number) => Reported} reportedBy
 * @param {number} elapsed
 */
function timeShare (slices, lost, reportedBy, elapsed) {
  // Each generator has its share of arriving and leaving connections.
  const weightOf = (/** @type {Plan} */ slice) => rampsConnections(slice) ? 1 : slice.connections
  const all = slices.reduce((sum, slice) => sum + weightOf(slice), 0)
  const absent = (/** @type {number} */ generator) =>
    elapsed === 0 ? 1 : Math.max(0, elapsed - reportedBy(generator).to) / elapsed
  return lost.reduce((sum, generator) => sum + weightOf(slices[generator]) * absent(generator), 0) / all
}

module.exports = { missingLoad }
