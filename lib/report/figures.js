'use strict'

// Owns the figures that a reader compares first, how they are written, and how they differ from those of a baseline.

const { formatBytes, formatCount, formatInteger, formatMs, formatSeconds, plural } = require('../units')

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {(result: any) => number | undefined} read
 * @property {(value: number) => string} format with its unit
 * @property {string} [metric] its name in a comparison
 */

/** @type {ReadonlyArray<Figure>} */
const FIGURES = Object.freeze([
  { name: 'Requests/s', metric: 'rps', read: ({ requests }) => requests.average, format: formatRate },
  { name: 'p50', metric: 'p50', read: ({ latency }) => latency.p50, format: ms },
  { name: 'p95', metric: 'p95', read: ({ latency }) => latency.p95, format: ms },
  { name: 'p99', metric: 'p99', read: ({ latency }) => latency.p99, format: ms },
  { name: 'Max', read: ({ latency }) => latency.max, format: ms },
  { name: 'Failures', metric: 'failure rate', read: ({ failures }) => failures, format: formatInteger },
  { name: 'Read', read: ({ throughput }) => throughput?.average, format: value => `${formatBytes(value)}/s` }
])

/**
 * @param {number | null | undefined} value
 * @param {(value: number) => string} format
 * @returns {string} – for what nobody measured: results of older versions and of autocannon 9 have less
 */
function formatKnown (value, format) {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : format(value)
}

/** @param {number | null | undefined} value */
function ms (value) {
  return formatKnown(value, value => `${formatMs(value)} ms`)
}

/**
 * @param {Record<string, any>} distribution of a result
 * @param {string} key such as p99
 * @returns {string} – when there is no value in it
 */
function latencyOf (distribution, key) {
  return distribution.totalCount === 0 ? '–' : ms(distribution[key])
}

/**
 * @param {Record<string, any>} result
 * @returns {string} such as `30 of 4,000 requests failed`: those that did not get what they should
 */
function failureSentence ({ failures, errors, requests }) {
  return `${formatInteger(failures)} of ${plural(requests.total + errors, 'request')} failed`
}

/**
 * @param {Record<string, any>} result
 * @returns {number} answers other than 2xx, without the redirects that were followed: those are as they should be
 */
function unfollowed ({ non2xx, redirects = 0 }) {
  return Math.max(0, non2xx - redirects)
}

/**
 * A latency where there is little room: at most seven characters, until it lasts for hours.
 * @param {number} value ms
 */
function briefMs (value) {
  if (value >= 0.0005 && value < 0.0995) return `${Math.round(value * 1000)} µs`
  return value < 999.5 ? ms(value) : `${formatMs(value / 1000)} s`
}

/** @param {number} value per second */
function formatRate (value) {
  if (Number.isNaN(value)) return '–'
  return value < 100 ? String(Math.round(value * 100) / 100) : formatInteger(value)
}

/**
 * The same where there is little room.
 * @param {number} value
 */
function briefRate (value) {
  return value < 999_999.5 ? formatRate(value) : formatCount(value)
}

/**
 * @param {Record<string, any>} result
 * @returns {string} how much was read, and what became of it where it was decoded; empty through undici where nothing was
 */
function formatRead ({ throughput, decoded }) {
  const read = throughput === null || Number.isNaN(throughput.total) ? [] : [`${formatBytes(throughput.total)} read`]
  return [...read, ...decoded === undefined ? [] : [`${formatBytes(decoded.encoded)}${throughput === null ? '' : ' of it'} decoded to ${formatBytes(decoded.bytes)}`]].join(', ')
}

/** From so many requests on, thousands are shown. */
const ROUNDED = 10_000

/** The options that say how many requests are sent: with one of them the count is shown exactly. */
const COUNTS = ['amount', 'maxConnectionRequests', 'maxOverallRequests']

/**
 * How many requests were sent: exactly where they are few or a count was asked for, or else at a glance.
 * @param {Record<string, any>} result
 * @returns {string}
 */
function formatSent ({ requests, options = {} }) {
  // Of few requests the figures beside it have all digits, and a rounded one is not theirs.
  const isExact = requests.sent < ROUNDED || COUNTS.some(name => options[name] !== undefined)
  return (isExact ? formatInteger : formatCount)(requests.sent)
}

/**
 * @param {Record<string, any>} result
 * @returns {string} such as `1,790 of 1,800 requests completed in 10.01s`: sent ones alone would count those without a response; empty for a partial result
 *   without that number
 */
function completedSentence ({ requests: { total, sent = total }, duration = NaN }) {
  if (Number.isNaN(total)) return ''
  return `${sent > total ? `${formatInteger(total)} of ` : ''}${plural(sent > total ? sent : total, 'request')} completed${Number.isNaN(duration) ? '' : ` in ${formatSeconds(duration)}`}`
}

/**
 * @param {number | null | undefined} value
 * @param {number | null | undefined} base
 * @returns {string} `+4.2 %`, `−12 %`, `±0 %`, or `×3.1`; empty when there is nothing to relate to
 */
function difference (value, base) {
  if (value === null || value === undefined || base === null || base === undefined) return ''
  if (base === 0) return value === 0 ? '±0 %' : ''
  const percent = (value / base - 1) * 100
  if (percent >= 200) return `×${(value / base).toPrecision(3)}`
  const shown = Math.abs(percent).toFixed(Math.abs(percent) < 10 ? 1 : 0)
  return Number(shown) === 0 ? '±0 %' : `${percent < 0 ? '−' : '+'}${shown} %`
}

module.exports = { FIGURES, ms, briefMs, formatRate, briefRate, formatRead, formatSent, completedSentence, difference, formatKnown, failureSentence, latencyOf, unfollowed }
