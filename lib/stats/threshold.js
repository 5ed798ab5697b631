'use strict'

// Owns thresholds: how `p99 < 50ms` is read, and whether a result keeps to it. threshold-watch.js looks at them while a
// run goes on.

const { isRecord, show } = require('../units')
const { parseMetric, parseQuantity, isPerRequest, PER_REQUEST } = require('./metric')

/**
 * @typedef {object} Threshold
 * @property {string} expression as it was given
 * @property {string | null} request the name of the request that it is about; null for the whole run
 * @property {import('./metric').Metric} metric
 * @property {keyof typeof OPERATORS} operator
 * @property {number} limit in the unit of the metric
 * @property {boolean} abortOn end the run once it can't be met any more
 *
 * @typedef {object} Judgement
 * @property {string} expression
 * @property {number | null} actual null when nothing was measured, or nothing was judged
 * @property {boolean | null} passed null when nothing was judged
 * @property {import('./metric').Unit} unit of `actual`
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
  if (name === 'checks') throw new TypeError('abortOn does not watch checks: use bailout, which counts them')
  if (!decidable) throw new TypeError(`abortOn can't be used with it: ${name} ${operator} … can be met until the run is over`)
}

/**
 * @param {Threshold[]} thresholds
 * @param {Record<string, any>} result
 * @returns {Judgement[]} a figure of which nothing was measured has not passed; of an interrupted run nothing is judged
 */
function judge (thresholds, result) {
  // Neither parsing nor a run without thresholds needs the histogram.
  const { figureOf } = require('./figures')
  return thresholds.map(({ expression, metric, request, operator, limit }) => {
    if (result.interrupted) return { expression, actual: null, passed: null, unit: metric.unit }
    const actual = figureOf(metric, result, request)
    return { expression, actual, passed: actual !== null && OPERATORS[operator](actual, limit), unit: metric.unit }
  })
}

module.exports = { parseThreshold, judge }
