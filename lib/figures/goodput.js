'use strict'

// Parses the bounds of a goodput: `goodput(first token < 300ms, gap p99 < 50ms)` is the share of requests that met all
// of them. response/goodput checks each request as it ends.

const { show } = require('../core/foreign-text')

/**
 * @typedef {object} Bound of one request
 * @property {string} of one of BOUNDS
 * @property {'average' | number | null} figure of the gaps of a request: a percentile, 100 for the longest; null for a
 *   time that a request has once
 * @property {string} operator
 * @property {number} limit in the unit of its time
 *
 * @typedef {object} Goodput
 * @property {string} expression
 * @property {ReadonlyArray<Bound>} bounds
 */

/**
 * @typedef {object} TimeOfRequest
 * @property {string} unit
 * @property {true} [many] a request has several of them
 * @property {true} [tokens] only completions have it
 * @property {string} [between] the time between two events or tokens on which it depends. Without a value of that time
 *   in the run, each request would meet the bound
 */

/** The figures of a request that can have a bound. */
const BOUNDS = Object.freeze(/** @type {Record<string, TimeOfRequest>} */ ({
  'first token': { unit: 'ms', tokens: true },
  'first reasoning': { unit: 'ms', tokens: true },
  'first event': { unit: 'ms' },
  'inter token': { unit: 'ms', many: true, tokens: true, between: 'inter token' },
  gap: { unit: 'ms', many: true, between: 'gap' },
  'time per output token': { unit: 'ms', tokens: true, between: 'inter token' },
  'stream duration': { unit: 'ms' },
  latency: { unit: 'ms' },
  tokens: { unit: 'count', tokens: true },
  'tokens/s': { unit: 'tokens/s', tokens: true },
  events: { unit: 'count' }
}))

/** Names of other tools. */
const ALIASES = /** @type {Record<string, string>} */ ({
  ttft: 'first token', itl: 'inter token', tpot: 'time per output token', e2el: 'latency', duration: 'latency'
})

const EXAMPLE = 'goodput(first token < 300ms, gap p99 < 50ms) > 95%'

/**
 * @param {string} text between the parentheses
 * @param {(given: string, metric: any) => number} parseQuantity
 * @returns {Goodput}
 * @throws {TypeError}
 */
function parseGoodput (text, parseQuantity) {
  const parts = text.split(',').map(part => part.trim()).filter(part => part !== '')
  if (parts.length === 0) throw new TypeError(`goodput needs bounds, as in ${EXAMPLE}`)
  const bounds = parts.map(part => parseBound(part, parseQuantity))
  return { expression: parts.map(part => part.replace(/\s+/g, ' ')).join(', '), bounds }
}

/** @param {string} text @param {(given: string, metric: any) => number} parseQuantity @returns {Bound} */
function parseBound (text, parseQuantity) {
  const [, given, operator, limit] = /^([^<>=]*)(<=|>=|<|>)([^<>=]+)$/.exec(text) ?? []
  if (operator === undefined) {
    throw new TypeError(`${show(text)} is no bound of a goodput: expected a figure, <, <=, > or >=, and a limit, ` +
      `as in ${EXAMPLE}`)
  }
  const { of, figure } = boundOf(given)
  if (!Object.hasOwn(BOUNDS, of)) {
    throw new TypeError(`${show(given.trim())} is nothing that a goodput can bind: expected one of ` +
      Object.keys(BOUNDS).join(', '))
  }
  const { unit, many } = BOUNDS[of]
  if (many && figure === undefined) {
    throw new TypeError(`a request has many values of ${of}: expected which figure of them, ${of} p99, ${of} max or ` +
      `${of} avg`)
  }
  if (!many && figure !== undefined) {
    throw new TypeError(`a request has one ${of}: expected ${of} ${operator} ${limit.trim()}, without ${figure}`)
  }
  if (many && operator.startsWith('>')) throw new TypeError(`${of} has an upper limit only: expected < or <=`)
  return { of, figure: figureOf(figure), operator, limit: parseQuantity(limit.trim(), { unit, name: of }) }
}

/** @param {string} given before the operator @returns {{ of: string, figure: string | undefined }} */
function boundOf (given) {
  const written = given.trim().replace(/\s+/g, ' ').toLowerCase()
  const [, name = written, figure] = /^(.+) (p\d+(?:\.\d+)?|avg|average|mean|max)$/.exec(written) ?? []
  return { of: ALIASES[name] ?? name, figure }
}

/** @param {string | undefined} figure @returns {Bound['figure']} */
function figureOf (figure) {
  if (figure === undefined) return null
  if (figure === 'max') return 100
  if (!/^p\d/.test(figure)) return 'average'
  const percentile = Number(figure.slice(1))
  if (percentile > 0 && percentile <= 100) return percentile
  throw new TypeError(`a percentile is above 0 and up to 100, got ${show(figure)}`)
}

/** @param {Goodput} goodput @returns {boolean} whether only completions can meet it */
const needsTokens = ({ bounds }) => bounds.some(({ of }) => BOUNDS[of].tokens)

/**
 * @param {string} expression of a goodput, which may be invalid
 * @returns {string[]} the times that a run must have for its bounds to be measured
 */
const neededTimes = expression => expression.split(',').flatMap(part => {
  const { of } = boundOf(part.replace(/[<>=].*$/s, ''))
  return Object.hasOwn(BOUNDS, of) ? BOUNDS[of].between ?? [] : []
})

/**
 * @param {string} expression
 * @param {Record<string, any>} [times] of a run, or a part of it
 * @returns {string | null} a time with a bound but without a value; null if all are measured
 */
const unmeasuredIn = (expression, times = {}) =>
  neededTimes(expression).find(time => !(times[time]?.totalCount > 0)) ?? null

module.exports = { EXAMPLE, needsTokens, neededTimes, parseGoodput, unmeasuredIn }
