'use strict'

// Owns what a result says of users: of the rounds of each scenario and of all of them, and how many requests there were because of
// redirects and retries.

const { rounded, summaryOf } = require('./parts')
const { RoundTally } = require('../record/round-tally')
const { Rounds } = require('../record/rounds')
const { paceOf } = require('./kept-pace')
const { round } = require('../units')

/**
 * @typedef {object} Users what the users of a run do
 * @property {ReadonlyArray<string>} scenarios the names of those that they take; none when there is one without a name
 * @property {number | null} rate rounds per second that were to start; null without such a rate
 * @property {boolean} redirects whether they follow redirects
 * @property {boolean} retries whether they try again
 */

/**
 * @param {import('./result').Outcome & { users: Users }} outcome
 * @param {number} seconds that the figures last
 * @param {number[]} [percentiles] beside the documented ones
 * @returns {Record<string, any>} what a result has beside that of other runs
 */
function usersResult ({ totals, users }, seconds, percentiles) {
  // A generator that died has told nothing of its rounds.
  const rounds = totals.rounds ?? new Rounds()
  const all = new RoundTally(-1)
  for (const tally of rounds.tallies.values()) all.add(tally.encode())
  return {
    ...users.scenarios.length > 0 && { byScenario: Object.fromEntries(users.scenarios.map((name, i) => [name, roundsOf(rounds.tallies.get(i) ?? new RoundTally(i), seconds, percentiles)])) },
    rounds: { ...roundsOf(all, seconds, percentiles), ...users.rate !== null && { ...arrivalsOf(rounds, users.rate, seconds, percentiles), ...totals.keptPace !== null && paceOf(totals.keptPace) } },
    ...users.redirects && { redirects: totals.redirects },
    ...users.retries && { retries: totals.retries }
  }
}

/**
 * @param {RoundTally} tally
 * @param {number} seconds
 * @param {number[]} [percentiles]
 */
function roundsOf ({ started, completed, cuts, cutBy, unfinished, duration, active }, seconds, percentiles) {
  return {
    started,
    completed,
    cut: cuts,
    cutBy: Object.fromEntries([...cutBy].sort(([, a], [, b]) => b - a)),
    unfinished,
    perSecond: round(completed / seconds),
    duration: summaryOf(duration, percentiles),
    active: summaryOf(active, percentiles)
  }
}

/**
 * @param {Rounds} rounds
 * @param {number} target rounds per second
 * @param {number} seconds
 * @param {number[]} [percentiles]
 */
function arrivalsOf ({ arrived, neverStarted, wait }, target, seconds, percentiles) {
  const perSecond = arrived / seconds
  // A run in which all that was due has begun may have waited for the last answers long after.
  const achieved = neverStarted > 0 || arrived === 0 ? perSecond : Math.max(perSecond, target)
  return { ...rounded({ target, achieved }), waited: wait.count, neverStarted, wait: summaryOf(wait, percentiles) }
}

/**
 * @param {ReadonlyArray<Users | null>} list of runs that become one
 * @returns {Users | null}
 */
function togetherUsers (list) {
  const some = list.filter(users => users !== null)
  if (some.length === 0) return null
  return {
    scenarios: [...new Set(some.flatMap(({ scenarios }) => scenarios))],
    rate: some.every(({ rate }) => rate === null) ? null : some.reduce((sum, { rate }) => sum + Number(rate), 0),
    redirects: some.some(({ redirects }) => redirects),
    retries: some.some(({ retries }) => retries)
  }
}

/**
 * Scenarios of several runs are the same when they have the same name.
 * @param {import('../record/rounds').RoundsReport} report of one of them
 * @param {Users | null} users of that run
 * @param {Users | null} together
 * @returns {import('../record/rounds').RoundsReport} with the numbers that scenarios have in all of them
 */
function renumbered ({ scenarios, ...others }, users, together) {
  const names = together?.scenarios ?? []
  return { ...others, scenarios: scenarios.map(counts => ({ ...counts, scenario: numberOf(users?.scenarios[counts.scenario], names) })) }
}

/**
 * @param {string | undefined} name
 * @param {ReadonlyArray<string>} names
 * @returns {number} of a scenario without a name, one behind all others
 */
function numberOf (name, names) {
  return name === undefined ? names.length : names.indexOf(name)
}

module.exports = { usersResult, togetherUsers, renumbered }
