'use strict'

// Parses the limits of a comparison, such as `p99 +10%`. limit-verdict.js judges them.

const { show } = require('../../core/foreign-text')
const { COMPARED_RATES, COMPARED_TIMES, parseMetric, parseQuantity } = require('../../figures/metric')

/**
 * @typedef {object} Regression
 * @property {string} expression as it was given
 * @property {import('../../figures/metric').Metric} metric
 * @property {number} limit of the difference, with its sign: relative, or in the unit of the metric if it is absolute
 * @property {boolean} absolute
 */

/**
 * @param {unknown} given `p99 +10%` fails if p99 is more than 10 % higher, `rps -5%` if rps is more than 5 % lower
 * @returns {Regression}
 * @throws {TypeError} with the given text, the wrong part and the allowed values
 */
function parseRegression (given) {
  if (typeof given !== 'string') throw new TypeError(`expected a text such as 'p99 +10%', got ${show(given)}`)
  try {
    const [, name, sign, amount] = /^(.*?)\s*([+-])\s*([^+-]+)$/s.exec(given.trim()) ?? []
    if (sign === undefined) {
      throw new TypeError('expected a metric and its allowed change, as in p99 +10%, rps -5% or avg +2ms')
    }
    if (/^goodput$/i.test(name)) {
      throw new TypeError('goodput is not compared: give a threshold, which is checked in each run, such as ' +
        '--threshold "goodput(first token < 300ms) > 95%"')
    }
    if (name.includes(':')) throw new TypeError('parts of a run are not compared; give a metric of the whole run')
    const isPercent = amount.trim().endsWith('%')
    const metric = comparable(parseMetric(name, true))
    const direction = sign === '+' ? 1 : -1
    // The percent of a share are percentage points.
    const absolute = !isPercent || metric.unit === 'share'
    const limit = absolute ? parseQuantity(amount.trim(), metric) : parseQuantity(amount.trim(), SHARE)
    refuseWithoutUnit(metric, sign, amount.trim())
    refuseUseless(metric, direction, limit, absolute, amount.trim())
    return { expression: given.trim(), metric, limit: direction * limit, absolute }
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new TypeError(`expected something like 'p99 +10%', got ${show(given)}: ${message}`)
  }
}

/**
 * A number without a unit is probably a forgotten %.
 * @param {import('../../figures/metric').Metric} metric
 * @param {string} sign
 * @param {string} amount as it was given
 * @throws {TypeError}
 */
function refuseWithoutUnit ({ name, unit, highIsGood }, sign, amount) {
  if (!/^[\d.]+$/.test(amount) || unit === 'share' || unit === 'count') return
  // No rate can fall by 100 % or more, so the number is absolute.
  if (highIsGood && Number(amount) >= 100) return
  const absolute = unit === 'ms'
    ? `, or ${name} ${sign}${amount}ms`
    : unit === 'requests/s' ? `, or ${name} ${sign}${amount}/s` : ''
  throw new TypeError(`a number needs its unit: expected ${name} ${sign}${amount}%${absolute}`)
}

/**
 * Refuses a limit that no server can break: it would always pass.
 * @param {import('../../figures/metric').Metric} metric
 * @param {number} direction
 * @param {number} limit without its sign
 * @param {boolean} absolute
 * @param {string} amount as it was given
 * @throws {TypeError}
 */
function refuseUseless ({ name, unit, highIsGood }, direction, limit, absolute, amount) {
  const worse = highIsGood ? '-' : '+'
  if (highIsGood === (direction > 0)) {
    throw new TypeError(`${name} gets worse when it ${highIsGood ? 'falls' : 'rises'}, and a limit says how far: ` +
      `expected ${name} ${worse}${amount}`)
  }
  if (highIsGood && !absolute && limit >= 1) {
    throw new TypeError(`${name} can't fall by ${amount}: expected less than 100%, such as ${name} -5%`)
  }
  if (unit === 'share' && limit >= 1) {
    throw new TypeError(`${name} can't rise by ${amount}: it is a share, of which percent are points; ` +
      `expected less than 100%, such as ${name} +1%`)
  }
}

const SHARE = /** @type {import('../../figures/metric').Metric} */ ({ name: 'a difference', unit: 'share' })

/** @param {import('../../figures/metric').Metric} metric @returns {import('../../figures/metric').Metric} */
function comparable (metric) {
  const { percentile, row, name } = metric
  if (row.compared && (percentile ?? 50) >= 50) return metric
  throw new TypeError(`${name} is not compared; there are p50, p97.5 and any other percentile from p50 on, avg, rps, ` +
    `bytes/s, failure rate, error rate, non2xx, ${COMPARED_RATES.join(', ')}, ` +
    `${COMPARED_TIMES.map(time => `${time} p99`).join(', ')}, ` +
    'server cpu, server rss, server event loop, server delay, server heap, server gc')
}

module.exports = { parseRegression }
