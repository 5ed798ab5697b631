'use strict'

// Owns the words and figures of the iterations of user scenarios, which all reports have in common.

const { roundsRows, cutList } = require('../../figures/parts')
const { formatInteger, formatLatency, formatPercent, formatRate, plural } = require('../../units')
const { latencyOf } = require('../../report/figures')

/** Up to this part of the rounds may have waited without a note. */
const WAITED = 0.01

/**
 * @param {import('../../figures/parts').RoundsPart} rounds
 * @returns {string} what they are called in a table
 */
function label ({ scenario }) {
  return scenario ?? 'all iterations'
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} how many iterations there were; null without users
 */
function roundsSentence ({ rounds }) {
  if (rounds === undefined) return null
  const { completed, cut, unfinished, perSecond, target, achieved } = rounds
  return [`${plural(completed, 'iteration')} completed, ${formatRate(perSecond)} iterations/s`, ...isTimed(rounds) ? [`${formatRate(achieved)} of ${formatRate(target)} iterations/s started`] : [], ...cut > 0 ? [`${formatInteger(cut)} aborted`] : [], ...unfinished > 0 ? [`${formatInteger(unfinished)} unfinished`] : []].join('; ')
}

/**
 * @param {Record<string, any>} result of a run with users
 * @returns {boolean} whether iterations have the rate of requests, as those of one request each do: then requests tell all
 */
function areRequests ({ rounds: { perSecond, target }, requests }) {
  return target === undefined && formatRate(perSecond) === formatRate(requests?.average)
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} how many requests there were because of an answer; null for none
 */
function sessionSentence ({ redirects = 0, retries = 0 }) {
  const found = [...redirects > 0 ? [`${plural(redirects, 'redirect')} followed`] : [], ...retries > 0 ? [`${plural(retries, 'request')} sent as another try`] : []]
  return found.length === 0 ? null : found.join('; ')
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} what has to be said of the iterations, one sentence each
 */
function roundNotes (result) {
  const { rounds } = result
  if (rounds === undefined) return []
  const own = roundsRows(result).filter(isTimed)
  // The sum does not say whose it was. It has those that share a rate as well.
  const isSum = own.length > 1 && own.reduce((sum, { due }) => sum + due, 0) === rounds.due
  return [...cutNote(rounds), ...roundsRows(result).flatMap(hangingNote), ...(isSum ? own : [{ ...rounds, scenario: null }]).flatMap(arrivalNote)]
}

/** @param {Record<string, any>} rounds of a result @returns {boolean} whether they have a rate of their own */
function isTimed ({ target }) {
  return target !== undefined
}

/** What a table says of those with a rate, where there are any. */
const ARRIVALS = Object.freeze(['Target/s', 'Achieved/s', 'Waited', 'Never started'])

/**
 * @param {Record<string, any>} rounds of a result
 * @returns {string[]} the cells of that
 */
function arrivalCells (rounds) {
  if (!isTimed(rounds)) return ARRIVALS.map(() => '–')
  const { target, achieved, waited, neverStarted } = rounds
  return [...[target, achieved].map(rate => formatRate(rate)), formatInteger(waited), formatInteger(neverStarted)]
}

/** @param {Record<string, any>} rounds of a result */
function cutNote ({ completed, cut, cutBy }) {
  if (cut === 0) return []
  const ended = completed + cut
  return [`${formatInteger(cut)} of ${plural(ended, 'iteration')} ${cut === 1 ? 'was' : 'were'} aborted (${formatPercent(cut / ended)}): ${cutList(cutBy)}.`]
}

/** @param {Record<string, any>} rounds of a result, and the name of their scenario */
function hangingNote ({ scenario, hanging = 0 }) {
  if (hanging === 0) return []
  return [`${plural(hanging, 'iteration')}${scenario === null ? '' : ` of ${scenario}`} hung when the run ended: ${hanging === 1 ? 'it' : 'each'} waited for the server, and had taken more than twice as long as any that was completed.`]
}

/** @param {Record<string, any>} rounds of a result, with a rate of iterations or not, and the name of their scenario */
function arrivalNote ({ scenario, target, achieved, due, waited, wait, neverStarted }) {
  if (target === undefined || !(neverStarted > 0 || (waited > 1 && waited >= WAITED * (due - neverStarted)))) return []
  const how = wait.totalCount === 0 ? '' : `, ${formatLatency(wait.average)} on average and ${formatLatency(wait.max)} at most`
  return [`Of ${formatRate(target)} iterations/s${scenario === null ? '' : ` of ${scenario}`} ${formatRate(achieved)} started: ${plural(waited, 'iteration')} waited until a connection was free${how}, and ${formatInteger(neverStarted)} never started. With more connections more iterations go on at once.`]
}

/** The figures of the duration in tables. */
const DURATION = Object.freeze(['p50', 'p95', 'p99', 'max'])

/**
 * @param {import('../../figures/parts').RoundsPart} rounds
 * @param {import('../../report/maxima').Maxima} maxima
 * @param {(distribution: Record<string, any>, key: string) => string} [format]
 * @returns {string[]} the cells of the duration, and the mean without pauses
 */
function timesOf ({ duration, active }, maxima, format = latencyOf) {
  return [...DURATION.map(key => maxima.mark(format(duration, key), key, duration)), format(active, 'average')]
}

module.exports = { ARRIVALS, areRequests, arrivalCells, isTimed, roundsRows, cutList, label, roundsSentence, sessionSentence, roundNotes, timesOf }
