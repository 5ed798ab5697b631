'use strict'

// The key figures of a report, and their differences from a baseline.

const { isMaximum } = require('../record/percentiles')
const { isListening, isOfEvents } = require('../figures/parts')
const { countedIn, eventRate } = require('../core/counted')
const { capital } = require('../words/sentence')
const {
  formatBytes, formatDifference, formatDuration, formatInteger, formatLatency, formatRate, plural
} = require('../core/units')

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {(result: any) => number | undefined} read
 * @property {(value: number) => string} format with its unit
 * @property {string} [metric] its name in a comparison
 * @property {(result: any) => { key: string, times: any }} [quantile] its key in a distribution; by default its name,
 *   in the latency
 */

/** @type {(result: Record<string, any>) => Figure[]} */
const ofResponses = result => [
  { name: countedIn(result).head, metric: 'rps', read: ({ requests }) => requests.average, format: formatRate },
  { name: 'p50', metric: 'p50', read: ({ latency }) => latency.p50, format: formatLatency },
  { name: 'p95', metric: 'p95', read: ({ latency }) => latency.p95, format: formatLatency },
  { name: 'p99', metric: 'p99', read: ({ latency }) => latency.p99, format: formatLatency },
  { name: 'Max', read: ({ latency }) => latency.max, format: formatLatency }
]

/** @type {(name: string, metric: string, time: 'firstEvent' | 'gap', key: string) => Figure} */
const ofTime = (name, metric, time, key) => ({
  name, metric, read: ({ streams }) => streams?.[time]?.[key], format: formatLatency,
  quantile: ({ streams }) => ({ key, times: streams?.[time] ?? { totalCount: 0 } })
})

/** @type {(result: Record<string, any>) => Figure[]} */
const ofEvents = result => [
  {
    name: capital(eventRate(result)), metric: 'events/s', read: ({ streams }) => streams?.eventsPerSecond,
    format: formatRate
  },
  ofTime('First p50', 'first event p50', 'firstEvent', 'p50'),
  ofTime('Gap p50', 'gap p50', 'gap', 'p50'),
  ofTime('Gap p99', 'gap p99', 'gap', 'p99'),
  ofTime('Gap max', 'gap max', 'gap', 'max')
]

/** @type {(result: Record<string, any>) => Figure[]} */
const figuresOf = result => [
  ...isOfEvents(result) ? ofEvents(result) : ofResponses(result),
  { name: 'Failures', metric: 'failure rate', read: ({ failures }) => failures, format: formatInteger },
  { name: 'Read', read: ({ throughput }) => throughput?.average, format: value => `${formatBytes(value)}/s` }
]

/**
 * @param {Figure} figure
 * @param {any} result
 * @param {import('./maxima').Maxima} maxima
 * @returns {string} with a mark if it is the maximum of too few values
 */
function formatFigureOf ({ name, read, format, quantile }, result, maxima) {
  const { key, times } = quantile?.(result) ?? { key: name, times: result.latency }
  return maxima.mark(formatKnown(read(result), format), key, times)
}

/**
 * @param {number | null | undefined} value
 * @param {(value: number) => string} format
 * @returns {string} – for a figure that is missing, as in results of older versions and of autocannon 9
 */
function formatKnown (value, format) {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : format(value)
}

/**
 * @param {Record<string, any>} distribution of a result
 * @param {string} key such as p99
 * @returns {string} – without a value
 */
function latencyOf (distribution, key) {
  return distribution.totalCount === 0 ? '–' : formatLatency(distribution[key])
}

/**
 * @param {Record<string, any>} result
 * @returns {string} bytes read, and after decoding; empty if both are unknown
 */
function formatRead ({ throughput, decoded }) {
  const read = throughput === null || Number.isNaN(throughput.total) ? [] : [`${formatBytes(throughput.total)} read`]
  if (decoded === undefined) return read.join(', ')
  const encoded = `${formatBytes(decoded.encoded)}${throughput === null ? '' : ' of it'}`
  return [...read, `${encoded} decoded to ${formatBytes(decoded.bytes)}`].join(', ')
}

/**
 * @param {Record<string, any>} result
 * @returns {string} such as `1,790 of 1,800 requests completed in 10.01 s`; empty if the number is unknown
 */
function completedSentence (result) {
  const { requests: { total, sent = total }, duration = NaN } = result
  const { one } = countedIn(result)
  if (Number.isNaN(total)) return ''
  if (isListening(result)) return Number.isNaN(duration) ? '' : `listened for ${formatDuration(duration)}`
  const count = sent > total ? `${formatInteger(total)} of ${plural(sent, one)}` : plural(total, one)
  return `${count} completed${Number.isNaN(duration) ? '' : ` in ${formatDuration(duration)}`}`
}

/**
 * @param {Record<string, any>} distribution
 * @returns {string} such as `p50 1.2 ms, p99 3.4 ms`; with the maximum instead of a p99 of too few values
 */
const briefTimes = distribution => `p50 ${latencyOf(distribution, 'p50')}, ` +
  (isMaximum(99, distribution.totalCount)
    ? `max ${latencyOf(distribution, 'max')}`
    : `p99 ${latencyOf(distribution, 'p99')}`)

/**
 * @param {Record<string, any>} result
 * @returns {string | null} that the start is excluded, such as `the first 2 s with 10 requests are excluded`; null if
 *   not
 */
function skippedPart (result) {
  const { skipped } = result
  if (skipped === undefined) return null
  return `the first ${formatDuration(skipped.seconds)} with ${formatInteger(skipped.requests)} ` +
    `${countedIn(result).many} are excluded`
}

/**
 * @param {number | null | undefined} value
 * @param {number | null | undefined} base
 * @returns {string} `+4.2 %`, `−12 %` or `×31`; empty without a base
 */
function difference (value, base) {
  if (value === null || value === undefined || base === null || base === undefined || (base === 0 && value !== 0)) {
    return ''
  }
  return formatDifference('ratio', base === 0 ? 0 : value / base - 1)
}

module.exports = {
  briefTimes, figuresOf, formatFigureOf, formatRead, completedSentence, difference, formatKnown, latencyOf, skippedPart
}
