'use strict'

// Parses a threshold such as `p99 < 50ms`. judge.js judges results by it, threshold-watch.js runs that go on.

const { isRecord, printable, show } = require('../core/foreign-text')
const { VERDICTS } = require('../instruments/generator/verdict')
const { metricsOf, parseMetric, parseQuantity } = require('../figures/metric')
const { stageNumber } = require('../figures/parts')
const { OPERATORS } = require('./operators')

/**
 * @typedef {object} Threshold
 * @property {string} expression as it was given
 * @property {string | null} part the name of a request, a stage, a scenario, a group, or `iterations` for those of all
 *   scenarios; null for the whole run
 * @property {import('../figures/metric').Metric} metric
 * @property {string} operator a key of OPERATORS
 * @property {number} limit in the unit of the metric
 * @property {boolean} abortOn whether the run ends once it can no longer be met
 */

/** @satisfies {import('../requests/fields').Fields} */
const FIELDS = Object.freeze({
  threshold: { ts: 'string', schema: ({ TEXT }) => TEXT, required: true, help: 'Such as p99 < 50ms.' },
  abortOn: {
    ts: 'boolean', schema: ({ orTexts }) => orTexts({ type: 'boolean' }),
    help: "End the run as soon as it can't be met any more."
  }
})

/**
 * @param {unknown} given `p99 < 50ms`, or an object with that as `threshold`, and `abortOn`
 * @returns {Threshold}
 * @throws {TypeError} with the given text, the wrong part and the allowed values
 */
function parseThreshold (given) {
  const { threshold, abortOn = false, ...others } = typeof given === 'string'
    ? { threshold: given }
    : isRecord(given) ? given : {}
  if (typeof threshold !== 'string') {
    throw new TypeError(`expected a text such as 'p99 < 50ms', or an object with it as threshold, got ${show(given)}`)
  }
  try {
    if (Object.keys(others).length > 0) {
      throw new TypeError('there is nothing but threshold and abortOn, ' +
        `and not ${Object.keys(others).slice(0, 5).map(show).join(', ')}`)
    }
    if (typeof abortOn !== 'boolean') throw new TypeError(`abortOn is true or false, and not ${show(abortOn)}`)
    const parsed = { ...parseExpression(threshold), abortOn }
    if (abortOn) refuseUndecidable(parsed)
    return parsed
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new TypeError(severalIn(threshold) ??
      `expected something like 'p99 < 50ms', got ${show(threshold)}: ${message}`)
  }
}

/** @param {string} text */
function parseExpression (text) {
  const meant = /p\(|_/.test(text) && text.length < 300 ? require('./k6-threshold').meantBy(text) : null
  if (meant !== null) throw new TypeError(`as it is written in k6; here, it is '${printable(meant)}'`)
  const [, left, operator, right] = /^(.*?)([<>=!]+)([^<>=!]*)$/s.exec(text) ?? []
  if (operator === undefined) {
    throw new TypeError(`there is no operator in it: expected one of ${Object.keys(OPERATORS).join(' ')}, ` +
      'such as p99 < 50ms')
  }
  if (!Object.hasOwn(OPERATORS, operator)) {
    throw new TypeError(`${show(operator)} is no operator: expected one of ${Object.keys(OPERATORS).join(' ')}`)
  }
  // Colons in bounds of a goodput, as vLLM has them, follow no name.
  const bounds = left.search(/\bgoodput *\(/i)
  const colon = left.lastIndexOf(':', bounds === -1 ? undefined : bounds)
  const part = colon === -1 ? null : left.slice(0, colon).trim()
  if (part === '') {
    throw new TypeError('the name of a request, a stage, a scenario or a group is missing before the colon')
  }
  const isShare = right.trim().endsWith('%')
  refuseRateOfChecks(left, operator, right)
  const isOfIterations = part !== null && /^(?:iterations$|scenario )/.test(part)
  const named = parseMetric(left.slice(colon + 1), isShare, isOfIterations ? 'scenario' : null)
  // `checks < 1%` is about failed checks: a lower limit for those makes no sense.
  const metric = named.name === 'checks' && OPERATORS[operator].better === '>'
    ? parseMetric('passed checks', isShare)
    : named
  const problem = part === null || (metric.row.parts !== undefined && stageNumber(part) === null)
    ? null
    : problemOfPart(metric, stageNumber(part) === null ? 'request' : 'stage')
  if (problem !== null) throw new TypeError(problem)
  if (part === null && metric.row.run === false) {
    throw new TypeError(`${metric.name} is a figure of iterations: say of which, as in scenario NAME: ` +
      `${text.trim()}, or iterations: ${text.trim()} for all of them`)
  }
  if (metric.unit === 'verdict' && OPERATORS[operator].better === '>') {
    throw new TypeError(`a generator is held to == or <=, and not to ${operator}: ` +
      `from best to worst there are ${VERDICTS.join(', ')}`)
  }
  const limit = parseQuantity(right.trim(), metric)
  if (metric.unit === 'count' && limit > 0 && limit < 1) {
    throw new TypeError(`${metric.name} is a number of requests, and there is no part of one: ` +
      shareInstead(metric, operator, limit, part))
  }
  return { expression: text.trim(), part, metric, operator, limit }
}

/**
 * @param {string} left of a threshold
 * @param {string} operator
 * @param {string} right
 * @throws {TypeError} for `checks: rate`, the form of k6
 */
function refuseRateOfChecks (left, operator, right) {
  const [, one, all] = /^\s*(?:(checks?(?:\{|\s+\S).*)|(checks?)\s*:\s*rate\s*)$/is.exec(left) ?? []
  const isOne = one !== undefined && /^checks?\{|:\s*rate\s*$/i.test(one)
  if (!isOne && all === undefined) return
  const limit = parseFloat(right)
  const share = Number.isNaN(limit) ? '99' : Number((right.includes('%') ? limit : limit * 100).toPrecision(6))
  throw new TypeError(isOne
    ? `one check has no threshold of its own; all checks together have checks ${operator} ${share}%`
    : `of checks, 'rate' (k6) is the share of those that passed: write checks ${operator} ${share}%`)
}

/**
 * @param {import('../figures/metric').Metric} metric that is counted
 * @param {string} operator
 * @param {number} limit between 0 and 1, which was probably meant as a share
 * @param {string | null} part
 * @returns {string} a suggestion
 */
function shareInstead ({ name, row: { share } }, operator, limit, part) {
  if (share === undefined) return 'expected a whole number'
  // `checks > 99%` is about those that passed.
  const metric = typeof share === 'string' ? share : name === 'passed checks' ? 'checks' : name
  return `for a share of them, write ${part === null ? '' : `${part}: `}${metric} ${operator} ` +
    `${Number((limit * 100).toPrecision(6))}%`
}

/**
 * @param {string} text that is no threshold
 * @returns {string | null} the problem if it is several thresholds; null if not
 */
function severalIn (text) {
  if (/\bgoodput\b/i.test(text)) return null
  const all = text.split(/\s*(?:[,;]|&&|\band\b)\s*/).filter(one => one !== '')
  if (all.length < 2 || !all.every(one => /[<>=]/.test(one))) return null
  return `expected one threshold, got ${all.length} in ${show(text)}: give each alone, ` +
    `as in ${all.slice(0, 3).map(one => `--threshold '${printable(one)}'`).join(' ')}`
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {import('../figures/metric').PartKind} part
 * @returns {string | null} the problem if such parts do not have the metric; null if they do
 */
function problemOfPart ({ name, row: { parts } }, part) {
  return parts?.includes(part) ? null : `${name} is not counted by ${part}; there are ${metricsOf(part).join(', ')}`
}

/**
 * A threshold that only the end of the run decides cannot have abortOn.
 * @param {Omit<Threshold, 'abortOn'>} threshold
 * @throws {TypeError}
 */
function refuseUndecidable ({ expression, metric, operator, part }) {
  const { name, row } = metric
  if (part !== null) {
    throw new TypeError('abortOn watches the whole run only, not a named request, a stage, a scenario or a group')
  }
  if (row.noAbortOn !== undefined) throw new TypeError(`abortOn does not watch ${row.noAbortOn}`)
  const { better, opposite } = OPERATORS[operator]
  if (row.abortOn === better) return
  // The user probably gave the condition that ends the run.
  const instead = opposite !== undefined && row.abortOn === opposite[0]
    ? `: to end it at ${expression}, write what has to hold, ${expression.replace(operator, opposite)}`
    : ''
  throw new TypeError('a run ends early when a threshold can\'t be kept any more, ' +
    `and ${name} ${operator} … may still come true until its end${instead}`)
}

/**
 * @param {Array<Record<string, any>>} judgements of a result, which may have been through JSON or be of an older
 *   version
 * @param {{ request?: string }} check in the same result
 * @returns {boolean} whether one of them limits the failed checks of that request
 */
function tolerates (judgements, { request }) {
  return judgements.some(judgement => {
    const about = judgement.metric === undefined ? aboutOf(judgement.expression) : judgement
    return (about.metric === 'checks' || about.metric === 'passed checks') &&
      (about.request === undefined || about.request === request)
  })
}

/** @param {string} expression @returns {{ metric?: string, request?: string }} */
function aboutOf (expression) {
  try {
    const { metric, part } = parseExpression(expression)
    return { metric: metric.name, ...part !== null && { request: part } }
  } catch {
    return {}
  }
}

/** The threshold of --strict: a load generator with reliable figures. */
const STRICT = 'generator <= busy'

module.exports = { FIELDS, STRICT, parseThreshold, problemOfPart, tolerates }
