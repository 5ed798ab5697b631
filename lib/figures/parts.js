'use strict'

// The parts of a run: named requests, stages, iterations of scenarios, and groups. Their figures in a result, derived
// figures, and names.

const { sum, sumOf } = require('../core/statistics')
const { unsentErrors } = require('./error-words')
const { NONE, countNon2xx } = require('../record/statuses')
const { countedIn } = require('../core/counted')
const { formatInteger, plural, round } = require('../core/units')

// It encodes histograms, and is loaded here because open connections may have taken all file descriptors later.
require('../record/hdr')

/**
 * @typedef {object} Part results of older versions have fewer keys
 * @property {string} name
 * @property {number} count responses
 * @property {number} perSecond responses
 * @property {number} non2xx responses
 * @property {number} errors
 * @property {number} [failures]
 * @property {number} [unexpected]
 * @property {Record<string, { count: number }>} statusCodeStats
 * @property {Record<string, any>} latency
 *
 * @typedef {Part & { checks?: Array<Record<string, any>>, ttfb: Record<string, any> }} Named the requests of one name
 *
 * @typedef {Part & StageFigures} StagePart
 * @typedef {object} StageFigures
 * @property {number} number counted from 1
 * @property {string | null} own its name; null if it has only a number
 * @property {number} seconds that are in the figures
 * @property {number} from seconds since the figures began
 * @property {number} to
 * @property {{ start: number, end: number, unit: 'requests/s' | 'iterations/s' | 'connections' }} target
 * @property {number} aim the target at the end of the stage
 * @property {StageRate} [rate]
 * @property {StageIterations} [iterations]
 * @property {number} [connections] that were open at its end
 * @property {number} timeouts
 * @property {Record<string, number>} [errorCodes]
 * @property {number} bytes
 * @property {Record<string, number>} fates
 * @property {number} unfinished
 * @property {{ verdict: string | null, cause: string | null, cpu: number, runDelayMs: number | null,
 *   blockedMs: number }} generator
 * @property {Record<string, import('../instruments').ServerFigure | null>} [server] if one was watched
 *
 * @typedef {Record<string, any> & { scenario: string | null }} IterationsPart the iterations of a scenario; `scenario`:
 *   its name, null for the iterations of all
 *
 * @typedef {object} StageRate the mean over the stage; null without time in the figures, or without a target
 * @property {number | null} target requests per second
 * @property {number | null} achieved
 * @property {number | null} ratio
 * @property {number} sent
 * @property {number} late
 * @property {number} unsent
 */

/**
 * @typedef {object} StageIterations the same of iterations
 * @property {number | null} target iterations per second
 * @property {number | null} achieved
 * @property {number | null} ratio
 * @property {number} due in it
 * @property {number} waited of these
 * @property {number} neverStarted of these
 */

/**
 * @param {import('../record/tally').Tally} tally
 * @param {number[]} [percentiles] beside the documented ones
 * @returns {Omit<Part, 'name' | 'perSecond' | 'non2xx'>} the figures of any part
 */
function partResult (tally, percentiles) {
  const { statuses, failures, unexpected, errors, latency } = tally
  return {
    count: sum(Object.values(statuses)),
    failures,
    unexpected,
    errors,
    latency: summaryOf(latency, percentiles),
    statusCodeStats: statsOf(statuses)
  }
}

/**
 * @template {Record<string, number>} T
 * @param {T} summary
 * @returns {T}
 */
function rounded (summary) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(summary).map(([key, value]) => [key, round(value)])))
}

/**
 * @param {import('../record/histogram').Histogram} histogram
 * @param {number[]} [percentiles] beside the documented ones
 * @returns {Record<string, any>}
 */
function summaryOf (histogram, percentiles) {
  return { ...rounded(histogram.summary(percentiles)), histogram: histogram.toBase64() }
}

/** @param {Record<string, number>} statuses */
function statsOf (statuses) {
  return Object.fromEntries(Object.entries(statuses).filter(([status]) => Number(status) !== NONE)
    .map(([status, count]) => [status, { count }]))
}

/** @param {Record<string, any>} result @returns {Named[]} in the order of the result */
function namedRequests ({ byRequest = {}, duration }) {
  return Object.entries(byRequest).map(([name, one]) => ({ ...one, name, ...derived(one, duration) }))
}

/**
 * They are counted for the whole run only, so their latency is unknown. With redirects and retries, their number is,
 * too: the whole run counts each of these requests, and a name counts them once.
 * @param {Record<string, any>} result
 * @returns {any[]} a part for requests without a name; none if there are none, or if no request has a name
 */
function namelessRequests (result) {
  if (result.redirects > 0 || result.retries > 0) return []
  const named = namedRequests(result)
  const unsent = unsentErrors(result)
  /** @type {(inAll: number | undefined, key: 'count' | 'errors' | 'failures' | 'non2xx') => number} */
  const rest = (inAll, key) => Math.max(0, (inAll ?? 0) - sumOf(named, one => one[key] ?? 0))
  const [count, errors] = [rest(result.requests?.total, 'count'), rest(result.errors - unsent, 'errors')]
  if (named.length === 0 || !(count + errors > 0)) return []
  const failures = result.failures === undefined ? undefined : rest(result.failures - unsent, 'failures')
  return [{
    name: `${countedIn(result).many} without a name`,
    count,
    perSecond: count / result.duration,
    errors,
    failures,
    non2xx: rest(result.non2xx, 'non2xx'),
    latency: { totalCount: 0 },
    ttfb: { totalCount: 0 }
  }]
}

/**
 * @param {Record<string, any>} result
 * @returns {any[]} the named requests, followed by those without a name; empty without names
 */
const requestParts = result => [...namedRequests(result), ...namelessRequests(result)]

/** @param {Record<string, any>} result @returns {StagePart[]} in the order of time */
function stagesOf ({ byStage = [], interrupted = false, series = [] }) {
  const last = byStage.findLastIndex((/** @type {Record<string, any>} */ { from, to }) => to > from)
  const due = series.at(-1)?.target ?? Infinity
  return byStage.map((/** @type {Record<string, any>} */ one, /** @type {number} */ i) =>
    ({
      ...one, number: i + 1, name: stageName(i), own: one.name ?? null, seconds: one.to - one.from,
      // In an interrupted stage, the target is that of the last point.
      aim: interrupted && i === last ? Math.floor(Math.min(one.target?.end, due)) : one.target?.end,
      ...derived(one, one.to - one.from)
    }))
}

/**
 * @param {number} i which stage, counted from 0
 * @returns {string} its name by number, which every stage has
 */
function stageName (i) {
  return `stage ${i + 1}`
}

/**
 * @param {string} name of a part
 * @returns {number | null} the number of the stage, from 1 on; null if the name is no number of a stage
 */
function stageNumber (name) {
  const [, digits] = /^stage\s*(\d+)$/i.exec(name) ?? []
  return digits === undefined ? null : Number(digits)
}

/**
 * @param {string} name of a stage
 * @returns {string} without the word `stage` at its start
 */
function stageKey (name) {
  return name.replace(/^(?:stage\s+)+/i, '')
}

/** @param {any} part @param {number} seconds */
function derived ({ count, statusCodeStats }, seconds) {
  return { perSecond: seconds > 0 ? count / seconds : 0, non2xx: countNon2xx(countsIn(statusCodeStats)) }
}

/**
 * @param {Record<string, any>} result
 * @param {string} name
 * @returns {StagePart | null} the stage of that number, or else of that name; null for none, or if it is the name of a
 *   request
 */
function findStage (result, name) {
  if (Object.hasOwn(result.byRequest ?? {}, name)) return null
  const stages = stagesOf(result)
  const number = stageNumber(name)
  const found = number === null
    ? stages.find(({ own }) => own !== null && stageKey(own) === stageKey(name))
    : stages[number - 1]
  return found ?? null
}

/**
 * @param {Record<string, any>} result
 * @param {string} name
 * @returns {Named | StagePart | null} null for none
 */
function findPart (result, name) {
  const { byRequest = {}, duration } = result
  return Object.hasOwn(byRequest, name)
    ? namedRequests({ byRequest: { [name]: byRequest[name] }, duration })[0]
    : findStage(result, name)
}

/**
 * @param {Record<string, any>} result
 * @returns {boolean} whether nothing came from a server: no response, and no event of an unfinished one
 */
function hasNoResponse (result) {
  const { requests, streams, websocket, errorCodes } = result
  // Idle connections whose pings have responses are held open on purpose.
  const areHeld = isListening(result) && websocket?.ping?.totalCount > (errorCodes?.AC_WS_PING_TIMEOUT ?? 0)
  return requests?.total === 0 && !(streams?.events > 0) && !areHeld
}

/**
 * @param {Record<string, any>} result
 * @returns {number} WebSockets that were open, also if their handshake was before the figures began
 */
function socketsIn ({ streams, websocket }) {
  return Math.max(websocket?.opened ?? 0, streams?.opened ?? 0)
}

/** @param {Record<string, any>} result @returns {boolean} whether WebSockets were open and had nothing to send */
function isListening ({ requests, streams, websocket }) {
  return requests?.sent === 0 && streams?.kind === 'messages' && socketsIn({ streams, websocket }) > 0
}

/**
 * @param {Record<string, any>} result
 * @returns {boolean} whether it has events but no response, as no stream has ended: it is judged by its events
 */
const isOfEvents = ({ requests, streams }) => requests?.total === 0 && streams?.events > 0

/**
 * @param {Record<string, any>} result
 * @returns {number} the number of responses, or of connections without an error if they listen only
 */
function successesOf (result) {
  const { requests, errors, websocket } = result
  if (!isListening(result)) return requests.total
  const attempts = socketsIn(result) + sum(Object.values(websocket.refused))
  return Math.max(0, attempts - errors)
}

/** The names of the iterations of all scenarios together. */
const ALL_ITERATIONS = ['iterations', 'rounds']

/**
 * @param {string} name of a part
 * @returns {string | null} the name of a scenario, if it follows the word `scenario`
 */
function scenarioKey (name) {
  return /^scenario\s+(.+)$/is.exec(name)?.[1] ?? null
}

/**
 * @param {Record<string, any>} result
 * @param {string} name after the word `scenario`, or without it if nothing else has that name
 * @returns {IterationsPart | null} null for none
 */
function findIterations (result, name) {
  const { byScenario = {}, byRequest = {}, iterations } = result
  const key = scenarioKey(name)
  if (key !== null && Object.hasOwn(byScenario, key)) return { ...byScenario[key], scenario: key }
  if (Object.hasOwn(byRequest, name) || findStage(result, name) !== null) return null
  if (Object.hasOwn(byScenario, name)) return { ...byScenario[name], scenario: name }
  return ALL_ITERATIONS.includes(name) && iterations !== undefined ? { ...iterations, scenario: null } : null
}

/**
 * @param {string} name of a part
 * @returns {string | null} the name of a group, if it follows the word `group`
 */
function groupKey (name) {
  return /^group\s+(.+)$/is.exec(name)?.[1] ?? null
}

/**
 * @param {Record<string, any>} result
 * @param {string} name after the word `group`
 * @returns {{ count: number, perSecond: number, duration: Record<string, any> } | null} null if no such group was
 *   completed, or if something else has that name
 */
function findGroup (result, name) {
  const { groups = {} } = result
  const key = groupKey(name)
  if (key === null || !Object.hasOwn(groups, key)) return null
  return findPart(result, name) === null && findIterations(result, name) === null ? groups[key] : null
}

/**
 * @param {Record<string, any>} result
 * @returns {boolean} whether its users are functions: only they have groups, which may be none
 */
function hasFunctions ({ groups }) {
  return groups !== undefined
}

/**
 * @param {Record<string, any>} result
 * @returns {IterationsPart[]} the iterations of each scenario, in the order of the result; or those of the only
 *   scenario, if it has no name; none without users
 */
function iterationRows ({ byScenario = {}, iterations }) {
  const named = Object.entries(byScenario).map(([scenario, one]) => ({ ...one, scenario }))
  return named.length > 0 || iterations === undefined ? named : [{ ...iterations, scenario: null }]
}

/**
 * @template {{ time: number, length: number }} P
 * @param {ReadonlyArray<P>} series
 * @param {number} from ms
 * @param {number} to ms
 * @returns {P[]} the points whose middle is in that time
 */
function pointsIn (series, from, to) {
  return series.filter(({ time, length }) => time + length / 2 >= from && time + length / 2 < to)
}

/** The number of reasons that are named. */
const MOST_REASONS = 5

/**
 * @param {Record<string, number>} cutBy of a result
 * @returns {string} why iterations were aborted, such as `capture token 12, AC_TIMEOUT 3`
 */
function cutList (cutBy) {
  const all = Object.entries(cutBy)
  const more = all.length - MOST_REASONS
  return all.slice(0, MOST_REASONS).map(([reason, n]) => `${reason} ${formatInteger(n)}`).join(', ') +
    (more > 0 ? ` and ${plural(more, 'more reason')}` : '')
}

/**
 * @param {Record<string, { count: number }>} [stats]
 * @returns {Record<string, number>} the number of responses by status
 */
function countsIn (stats = {}) {
  return Object.fromEntries(Object.entries(stats).map(([status, { count }]) => [status, count]))
}

module.exports = {
  ALL_ITERATIONS, partResult, rounded, statsOf, summaryOf, namedRequests, namelessRequests, requestParts, stagesOf,
  iterationRows, cutList, stageKey, stageNumber, scenarioKey, groupKey, findStage, findPart, findIterations, findGroup,
  hasFunctions, countsIn, pointsIn, isListening, isOfEvents, hasNoResponse, successesOf
}
