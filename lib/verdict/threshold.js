'use strict'

// Owns thresholds: how `p99 < 50ms` is read, and whether a result keeps to it. threshold-watch.js looks at them while a
// run goes on.

const { isRecord, show } = require('../foreign-text')
const { formatInteger, plural } = require('../units')
const { LONG_ENOUGH, VERDICTS, rankOf } = require('../figures/generator-verdict')
const { parseMetric, parseQuantity, isPerRequest, PER_REQUEST } = require('../figures/metric')

/**
 * @typedef {object} Threshold
 * @property {string} expression as it was given
 * @property {string | null} request the name of the request that it is about; null for the whole run
 * @property {import('../figures/metric').Metric} metric
 * @property {keyof typeof OPERATORS} operator
 * @property {number} limit in the unit of the metric
 * @property {boolean} abortOn end the run once it can't be met any more
 *
 * @typedef {object} Judgement
 * @property {string} expression
 * @property {string} [metric] its name; none of what no threshold asked for
 * @property {string} [request] the name of the request that it is about; the whole run when left out
 * @property {number | string | null} actual a verdict is a word; null when nothing was measured, or nothing was judged
 * @property {boolean | null} passed null when nothing was judged
 * @property {import('../figures/metric').Unit} unit of `actual`
 * @property {string} [note] what a reader has to know beside it
 * @property {true} [implied] nobody asked for it: it is what every threshold takes for granted, and is there when it failed
 */

const OPERATORS = Object.freeze({
  '<': (/** @type {number} */ actual, /** @type {number} */ limit) => actual < limit,
  '<=': (/** @type {number} */ actual, /** @type {number} */ limit) => actual <= limit,
  '>': (/** @type {number} */ actual, /** @type {number} */ limit) => actual > limit,
  '>=': (/** @type {number} */ actual, /** @type {number} */ limit) => actual >= limit,
  '==': (/** @type {number} */ actual, /** @type {number} */ limit) => actual === limit
})

/**
 * @param {unknown} given `p99 < 50ms`, or an object with that as `threshold`, and `abortOn`
 * @returns {Threshold}
 * @throws {TypeError} which says what was given, which part is wrong and what is allowed
 */
function parseThreshold (given) {
  const { threshold, abortOn = false, ...others } = typeof given === 'string' ? { threshold: given } : isRecord(given) ? given : {}
  if (typeof threshold !== 'string') throw new TypeError(`expected a text such as 'p99 < 50ms', or an object with it as threshold, got ${show(given)}`)
  try {
    if (Object.keys(others).length > 0) throw new TypeError(`there is nothing but threshold and abortOn, and not ${Object.keys(others).slice(0, 5).map(show).join(', ')}`)
    if (typeof abortOn !== 'boolean') throw new TypeError(`abortOn is true or false, and not ${show(abortOn)}`)
    const parsed = { ...parseExpression(threshold), abortOn }
    if (abortOn) refuseUndecidable(parsed)
    return parsed
  } catch (error) {
    throw new TypeError(`expected something like 'p99 < 50ms', got ${show(threshold)}: ${/** @type {Error} */ (error).message}`)
  }
}

/** @param {string} text */
function parseExpression (text) {
  const [, left, operator, right] = /^(.*?)([<>=!]+)([^<>=!]*)$/s.exec(text) ?? []
  if (operator === undefined) throw new TypeError(`there is no operator in it: expected one of ${Object.keys(OPERATORS).join(' ')}, such as p99 < 50ms`)
  if (!isOperator(operator)) throw new TypeError(`${show(operator)} is no operator: expected one of ${Object.keys(OPERATORS).join(' ')}`)
  const colon = left.lastIndexOf(':')
  const request = colon === -1 ? null : left.slice(0, colon).trim()
  if (request === '') throw new TypeError('the name of a request is missing before the colon')
  const metric = parseMetric(left.slice(colon + 1), right.trim().endsWith('%'))
  if (request !== null && !isPerRequest(metric)) throw new TypeError(`${metric.name} is not counted by request; there are ${PER_REQUEST.join(', ')}`)
  if (metric.unit === 'verdict' && operator.startsWith('>')) throw new TypeError(`a generator is held to == or <=, and not to ${operator}: from best to worst there are ${VERDICTS.join(', ')}`)
  return { expression: text.trim(), request, metric, operator, limit: parseQuantity(right.trim(), metric) }
}

/**
 * @param {string} text
 * @returns {text is keyof typeof OPERATORS}
 */
function isOperator (text) {
  return Object.hasOwn(OPERATORS, text)
}

/**
 * What only the end can tell has no use for abortOn.
 * @param {Omit<Threshold, 'abortOn'>} threshold
 * @throws {TypeError}
 */
function refuseUndecidable ({ metric, operator, request }) {
  const { name } = metric
  const asksForMuch = operator.startsWith('>')
  const decidable = name === 'rps' || name === 'bytes/s' ? asksForMuch : name === 'min' ? asksForMuch : name !== 'rate ratio' && !asksForMuch
  if (request !== null) throw new TypeError('abortOn watches the whole run only, not a named request')
  if (name === 'generator') throw new TypeError('abortOn does not watch the generator: what it is held to is the whole run')
  if (name === 'checks') throw new TypeError('abortOn does not watch checks: use bailout, which counts them')
  if (!decidable) throw new TypeError(`abortOn can't be used with it: ${name} ${operator} … can be met until the run is over`)
}

/**
 * @param {Threshold[]} thresholds
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one for each, and more when most requests failed; a figure of which nothing was measured has not
 *   passed; of an interrupted run nothing is judged; of one that bailout ended, none passes
 */
function judge (thresholds, result) {
  if (thresholds.length === 0) return []
  // Neither parsing nor a run without thresholds needs the histogram.
  const { figureOf } = require('../figures/figures')
  const judgements = thresholds.map(threshold => {
    const { expression, metric, request, operator, limit } = threshold
    const about = { expression, metric: metric.name, ...request !== null && { request } }
    if (result.interrupted) return { ...about, actual: null, passed: null, unit: metric.unit }
    if (metric.unit === 'verdict') return { ...about, ...judgeGenerator(threshold, result), unit: metric.unit }
    const actual = figureOf(metric, result, request)
    const passed = actual !== null && OPERATORS[operator](actual, limit)
    // Bailout hides what the rest of the run would have been: it may even be what keeps the failures below their limit.
    if (passed && result.bailedOut) return { ...about, actual, passed: null, unit: metric.unit, note: 'bailout ended the run, and the rest of it is not known' }
    const note = maximumIn(metric, result, request) ?? (passed ? overlookedBy(threshold, thresholds, result) : null)
    return { ...about, actual, passed, unit: metric.unit, ...note !== null && { note } }
  })
  return result.interrupted ? judgements : [...judgements, ...judgePremise(thresholds, result), ...judgeSilence(result)]
}

/**
 * @param {Threshold} threshold
 * @param {Record<string, any>} result
 * @returns {Pick<Judgement, 'actual' | 'passed' | 'note'>}
 */
function judgeGenerator ({ operator, limit }, { duration, generator: { verdict = null, cause = null } = {} }) {
  if (verdict === null) {
    const why = duration * 1000 < LONG_ENOUGH ? 'a run of less than half a second says' : 'raw results of an older version, or of runs of less than half a second, say'
    return { actual: null, passed: null, note: `${why} too little of the generator` }
  }
  const passed = OPERATORS[operator](rankOf(verdict), limit)
  return { actual: verdict, passed, ...!passed && cause !== null && { note: cause.replace(/\.$/, '') } }
}

/**
 * @param {Threshold[]} thresholds
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one when most requests failed; else one for each name of which that is so, and which thresholds are about
 */
function judgePremise (thresholds, result) {
  const { PREMISE, findBroken } = require('./premise')
  const held = thresholds.map(({ metric, request }) => ({ metric: metric.name, request }))
  /** @param {string | null} request */
  const failed = request => {
    const broken = findBroken(result, request, held)
    if (broken === null) return []
    const about = request === null ? { expression: PREMISE } : { expression: `${request}: ${PREMISE}`, request }
    return [{ ...about, actual: broken.actual, passed: false, unit: /** @type {const} */ ('share'), note: broken.sentence, implied: /** @type {const} */ (true) }]
  }
  const ofRun = failed(null)
  if (ofRun.length > 0) return ofRun
  return [...new Set(thresholds.map(({ request }) => request).filter(request => request !== null))].flatMap(failed)
}

/**
 * @param {Record<string, any>} result
 * @returns {Judgement[]} one when the server fell silent: what it did before says nothing of the rest
 */
function judgeSilence (result) {
  const { UNTIL_THE_END, findSilence } = require('./premise')
  const silence = findSilence(result)
  return silence === null ? [] : [{ expression: UNTIL_THE_END, actual: silence.actual, passed: false, unit: 'ms', note: silence.sentence, implied: true }]
}

/**
 * A server that answers 500 makes no errors.
 * @param {Threshold} threshold that has passed
 * @param {Threshold[]} all
 * @param {Record<string, any>} result
 * @returns {string | null} what a threshold on errors does not see, if it would not have passed with it; null when another one
 *   looks at that
 */
function overlookedBy ({ metric, request, operator, limit }, all, result) {
  if (metric.key !== 'errors' && metric.key !== 'error rate') return null
  const { LOOKS_AT_ANSWERS } = require('./premise')
  if (all.some(other => LOOKS_AT_ANSWERS.has(other.metric.name) && (other.request ?? request) === request)) return null
  const { answers, others, errors, unexpected } = require('../figures/figures').answersOf(result, request)
  const seen = metric.key === 'errors' ? errors + others : (errors + others) / (errors + answers)
  if (others === 0 || OPERATORS[operator](seen, limit)) return null
  return `errors are requests without an answer: ${formatInteger(others)} of ${plural(answers, 'answer')} were other than 2xx, which ${unexpected > 0 ? 'failures' : 'non2xx'} counts`
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} request the name of a request
 * @returns {string | null} that a percentile is of so few values that it is their maximum; null when not
 */
function maximumIn ({ percentile }, result, request) {
  if (percentile === null) return null
  const { isMaximum, maximumNote } = require('../record/percentiles')
  const count = (request === null ? result : result.byRequest?.[request])?.latency?.totalCount ?? 0
  return isMaximum(percentile, count) ? maximumNote([percentile], [count]) : null
}

/**
 * @param {Array<Record<string, any>>} judgements of a result, which may have been through JSON or be of an older version
 * @param {{ request?: string }} check in the same result
 * @returns {boolean} whether one of them says how many checks of that request may fail
 */
function tolerates (judgements, { request }) {
  return judgements.some(judgement => {
    const about = judgement.metric === undefined ? aboutOf(judgement.expression) : judgement
    return about.metric === 'checks' && (about.request === undefined || about.request === request)
  })
}

/**
 * @param {string} expression
 * @returns {{ metric?: string, request?: string }}
 */
function aboutOf (expression) {
  try {
    const { metric, request } = parseExpression(expression)
    return { metric: metric.name, ...request !== null && { request } }
  } catch {
    return {}
  }
}

/** What --strict asks for: a generator whose figures can be trusted. */
const STRICT = 'generator <= busy'

module.exports = { STRICT, parseThreshold, judge, tolerates }
