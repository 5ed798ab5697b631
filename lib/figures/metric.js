'use strict'

// Owns the figures that a verdict can be about: their names, their units, which way is better, and where a result has them.

const { show } = require('../foreign-text')
const { VERDICTS } = require('./generator-verdict')
const { percentileKey } = require('../record/percentiles')

/** @typedef {'ms' | 'count' | 'share' | 'requests/s' | 'bytes/s' | 'verdict'} Unit a share is 0 to 1, written as %; a verdict is a word */

/**
 * @typedef {object} Metric
 * @property {string} name as it is shown
 * @property {Unit} unit
 * @property {boolean} highIsGood
 * @property {number | null} percentile of the latency
 * @property {string} key what tells it from others: the share of errors is not their number
 */

/** @type {Readonly<Record<string, { aliases: string[], unit: Unit, highIsGood?: boolean, perRequest?: boolean }>>} */
const NAMED = Object.freeze({
  avg: { aliases: ['average', 'mean'], unit: 'ms', perRequest: true },
  min: { aliases: [], unit: 'ms', perRequest: true },
  max: { aliases: [], unit: 'ms', perRequest: true },
  rps: { aliases: ['requests/s', 'req/s'], unit: 'requests/s', highIsGood: true, perRequest: true },
  'bytes/s': { aliases: ['throughput'], unit: 'bytes/s', highIsGood: true },
  requests: { aliases: [], unit: 'count', highIsGood: true, perRequest: true },
  failures: { aliases: ['failed requests'], unit: 'count', perRequest: true },
  'failure rate': { aliases: [], unit: 'share', perRequest: true },
  errors: { aliases: [], unit: 'count', perRequest: true },
  'error rate': { aliases: [], unit: 'share', perRequest: true },
  non2xx: { aliases: [], unit: 'count', perRequest: true },
  timeouts: { aliases: [], unit: 'count' },
  mismatches: { aliases: [], unit: 'count' },
  checks: { aliases: ['failed checks'], unit: 'count', perRequest: true },
  'rate ratio': { aliases: [], unit: 'share', highIsGood: true },
  generator: { aliases: [], unit: 'verdict' }
})

/** Counts that a `%` behind the limit turns into a share. */
const SHARED = new Set(['failures', 'errors', 'non2xx', 'timeouts', 'mismatches', 'checks'])

/** @type {Readonly<Record<string, string>>} the name of a share that has one */
const RATES = Object.freeze({ failures: 'failure rate', errors: 'error rate' })

/** @type {Map<string, string>} every way to write a name → the name */
const NAMES = new Map(Object.entries(NAMED).flatMap(([name, { aliases }]) => [name, ...aliases].map(alias => [alias, name])))

/** @type {Record<Unit, Record<string, number>>} how a unit may be written → what it is worth; '' stands for no unit */
const UNITS = {
  ms: { '': 1, us: 0.001, µs: 0.001, ms: 1, s: 1000 },
  count: { '': 1 },
  share: { '%': 0.01 },
  'requests/s': { '': 1, '/s': 1, rps: 1, 'req/s': 1 },
  verdict: {},
  'bytes/s': { '': 1, 'B/s': 1, 'KB/s': 1e3, 'MB/s': 1e6, 'GB/s': 1e9, 'KiB/s': 1024, 'MiB/s': 1024 ** 2, 'GiB/s': 1024 ** 3 }
}

/**
 * @param {string} given such as `p99` or `error rate`
 * @param {boolean} [shared] the share of a count instead of the count
 * @returns {Metric}
 * @throws {TypeError} when there is no such metric
 */
function parseMetric (given, shared = false) {
  const written = given.trim().replace(/\s+/g, ' ').toLowerCase()
  const percentile = /^p(\d+(?:\.\d+)?)$/.exec(written)
  if (percentile !== null) {
    const p = Number(percentile[1])
    if (!(p > 0 && p <= 100)) throw new TypeError(`a percentile is above 0 and up to 100, got ${show(given.trim())}`)
    return { name: `p${p}`, unit: 'ms', highIsGood: false, percentile: p, key: percentileKey(p) }
  }
  const [, ofK6] = /^p\((\d+(?:\.\d+)?)\)$/.exec(written) ?? []
  if (ofK6 !== undefined) throw new TypeError(`${show(given.trim())} (k6) is p${ofK6} here, as in p${ofK6} < 200ms`)
  const name = NAMES.get(written)
  if (name === undefined) throw new TypeError(`unknown metric ${show(given.trim())}${nearest(written)}; there are p50, p97.5 and any other percentile, ${Object.keys(NAMED).join(', ')}`)
  const share = shared && SHARED.has(name)
  return {
    name,
    unit: share ? 'share' : NAMED[name].unit,
    highIsGood: NAMED[name].highIsGood ?? false,
    percentile: null,
    key: share ? RATES[name] ?? `${name} share` : name
  }
}

/** @param {string} written */
function nearest (written) {
  const { distance } = require('fastest-levenshtein')
  const [best] = [...NAMES.keys()].sort((a, b) => distance(written, a) - distance(written, b))
  return distance(written, best) <= Math.max(1, written.length / 3) ? `, did you mean '${best}'?` : ''
}

/**
 * @param {string} given such as `50ms`, `1 %`, `2.5 MB/s`
 * @param {Metric} metric
 * @returns {number} in the unit of the metric; of a verdict its rank
 * @throws {TypeError}
 */
function parseQuantity (given, { unit, name }) {
  if (unit === 'verdict') return parseVerdict(given)
  const [, digits, written] = /^([\d.]+(?:e\d+)?)\s*(.*)$/i.exec(given) ?? []
  const number = Number(digits)
  if (digits === undefined || !Number.isFinite(number)) throw new TypeError(`expected a number behind the operator, such as ${EXAMPLES[unit]}, got ${show(given)}`)
  const units = UNITS[unit]
  // μ has two code points, bytes/s may be written without the time, and a rate ratio without %.
  const normal = written.trim().replace('μ', 'µ').toLowerCase()
  const found = Object.keys(units).find(one => one.toLowerCase() === normal || (unit === 'bytes/s' && one.toLowerCase() === normal + '/s'))
  if (found !== undefined) return number * units[found]
  if (name === 'rate ratio' && normal === '') return number
  const allowed = Object.keys(units).filter(one => one !== '').join(', ')
  throw new TypeError(`${show(written)} is no unit of ${name}: expected ${allowed === '' ? 'a plain number' : allowed}${'' in units && allowed !== '' ? ', or none' : ''}, such as ${EXAMPLES[unit]}`)
}

/** @param {string} given such as `healthy` */
function parseVerdict (given) {
  const rank = VERDICTS.findIndex(verdict => verdict === given.trim().toLowerCase())
  if (rank === -1) throw new TypeError(`expected ${VERDICTS.slice(0, -1).join(', ')} or ${VERDICTS.at(-1)} behind the operator, got ${show(given)}`)
  return rank
}

/** @type {Record<Unit, string>} */
const EXAMPLES = { ms: '50ms', count: '10', share: '1%', 'requests/s': '1000', 'bytes/s': '2.5 MB/s', verdict: 'healthy' }

/** @param {Metric} metric */
const isPerRequest = ({ name, percentile }) => percentile !== null || NAMED[name].perRequest === true

/** The names of what a named request has. */
const PER_REQUEST = Object.freeze(['any percentile', ...Object.keys(NAMED).filter(name => NAMED[name].perRequest)])

/** Shares that have a name are counted with what they are a share of. */
const METRICS = Object.freeze(Object.keys(NAMED).filter(name => !Object.values(RATES).includes(name)))

module.exports = { parseMetric, parseQuantity, isPerRequest, METRICS, PER_REQUEST }
