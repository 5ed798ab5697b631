'use strict'

// Translates thresholds of k6.

const { OPERATORS } = require('./operators')

/** Trends of k6, before the figure. @type {Readonly<Record<string, string>>} */
const TRENDS = Object.freeze({
  http_req_duration: '', http_req_tls_handshaking: 'handshake ', iteration_duration: 'iterations: ', group_duration: ''
})

/** Rates and counts of k6, by figure. @type {Readonly<Record<string, Record<string, string>>>} */
const COUNTS = Object.freeze({
  http_req_failed: { rate: 'failures' },
  checks: { rate: 'checks' },
  http_reqs: { rate: 'req/s', count: 'requests' },
  iterations: { rate: 'iterations/s', count: 'iterations: completed' },
  dropped_iterations: { count: 'iterations: never started' },
  data_received: { rate: 'bytes/s' }
})

/** Rates of k6 that are a share of 0 to 1. */
const SHARES = Object.freeze(['http_req_failed', 'checks'])

/** Of a trend. @type {Readonly<Record<string, string>>} */
const FIGURES = Object.freeze({ avg: 'average', min: 'min', med: 'p50', max: 'max' })

/**
 * @param {string} metric of k6
 * @returns {{ name: string, part: string | null, group: string | null } | null} null for another syntax or other tags
 */
function tagsIn (metric) {
  const [, name, key, value = ''] = /^(\w+)(?:\{(name|group):(.+)\})?$/s.exec(metric) ?? []
  if (name === undefined) return null
  // In k6 the name of a group follows those of its outer groups, each after `::`, which names cannot contain.
  const group = key === 'group' ? /** @type {string} */ (value.split('::').at(-1)).trim() : ''
  return { name, part: key === 'name' ? value : null, group: group === '' ? null : group }
}

/**
 * @param {string} metric such as http_req_duration{name:login}
 * @param {string} expression such as p(95)<500
 * @returns {string | null} null if there is no such figure here
 */
function k6Threshold (metric, expression) {
  const tags = tagsIn(metric)
  const [, figure, given, limit] = /^\s*([\w.()]+)\s*([<>=!]+)\s*([\d.]+)\s*$/.exec(expression) ?? []
  const operator = given === '===' ? '==' : given
  if (tags === null || figure === undefined || !Object.hasOwn(OPERATORS, operator)) return null
  const { name, part, group } = tags
  const own = ownOf(name, figure)
  // `iterations:` is a part already.
  if (own === null || (part !== null && own.includes(':'))) return null
  if ((name === 'group_duration') !== (group !== null)) return null
  const isShare = figure === 'rate' && SHARES.includes(name)
  const amount = isShare
    ? `${Number((Number(limit) * 100).toPrecision(6))}%`
    : Object.hasOwn(TRENDS, name) ? `${limit}ms` : limit
  const about = group === null ? part : `group ${group}`
  return `${about === null ? '' : `${about}: `}${own} ${operator} ${amount}`
}

/** @type {(name: string, figure: string) => string | null} */
function ownOf (name, figure) {
  if (Object.hasOwn(COUNTS, name)) return Object.hasOwn(COUNTS[name], figure) ? COUNTS[name][figure] : null
  if (!Object.hasOwn(TRENDS, name)) return null
  const [, percentile] = /^p\(([\d.]+)\)$/.exec(figure) ?? []
  if (percentile !== undefined) return `${TRENDS[name]}p${percentile}`
  return Object.hasOwn(FIGURES, figure) ? TRENDS[name] + FIGURES[figure] : null
}

/** A figure, an operator and a limit, which may follow the name of a metric or of a part. */
const WHOLE = /^(?:([^<>]+?) ?: ?|(\w+) )?(p\([\d.]+\)|[a-z]+) ?([<>=!]+) ?([\d.]+)(?:ms)?$/

/**
 * @param {string} text a threshold
 * @returns {string | null} the threshold in our syntax, if the text is in that of k6
 */
function meantBy (text) {
  const [, part, metric = part, figure, operator, limit] = WHOLE.exec(text.trim().replace(/\s+/g, ' ')) ?? []
  if (figure === undefined) return null
  const expression = `${figure}${operator}${limit}`
  if (metric !== undefined && /^(http_|iteration_duration|group_duration)/.test(metric)) {
    return k6Threshold(metric, expression)
  }
  const read = figure.startsWith('p(') ? k6Threshold('http_req_duration', expression) : null
  if (metric === undefined || read === null) return read
  return part === undefined ? null : `${part}: ${read}`
}

module.exports = { COUNTS, TRENDS, k6Threshold, meantBy, tagsIn }
