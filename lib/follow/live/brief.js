'use strict'

// A run in one line, for a log or a terminal that is too small for more.

const { isResentOften } = require('../../findings/responses')
const { widthOf } = require('../../report/table')
const { countedIn, eventRate } = require('../../core/counted')
const { formatDuration, formatLatency, formatRate, plural } = require('../../core/units')

/**
 * Returns the figures that fit into one line, the most important first.
 * @type {(state: import('./lines').LiveState, columns: number) => string}
 */
function oneLine ({ title, progress: { ratio, left }, result, minute }, columns) {
  const now = minute[minute.length - 1]
  const parts = [
    ...title === '' ? [] : [title],
    `${Math.floor(ratio * 100)} %`,
    ...result?.errors > 0 ? [plural(result?.errors, 'error')] : [],
    ...standingOf(result, null),
    ...now === undefined || !(now.length > 0)
      ? []
      : [
      `${formatRate(now.requests / now.length * 1000)} ${countedIn(result).rate}`,
      ...arrivalsIn({ events: now.streams?.events, tokens: now.streams?.tokens, ms: now.length }, result),
      ...now.streams === undefined || now.streams.gap === null ? [] : [`gap p99 ${formatLatency(now.streams.gap.p99)}`],
      ...now.p99 === null ? [] : [`p99 ${formatLatency(now.p99)}`]
        ],
    ...left === null || left <= 0 ? [] : [`${formatTime(left)} left`],
    ...now === undefined || now.p50 === null ? [] : [`p50 ${formatLatency(now.p50)}`]
  ]
  let line = ''
  for (const part of parts) {
    const longer = line === '' ? part : `${line}  ${part}`
    if (widthOf(longer) <= columns - 1) line = longer
  }
  return line
}

/**
 * @param {{ events?: number, tokens?: number, ms: number }} stretch
 * @param {Record<string, any> | null} result so far
 * @returns {string[]} rates of events within responses; empty if they are not measured
 */
function arrivalsIn ({ events, tokens, ms }, result) {
  const perSecond = (/** @type {number} */ count) => formatRate(ms > 0 ? count / ms * 1000 : 0)
  return [
    ...events === undefined ? [] : [`${perSecond(events)} ${eventRate(result)}`],
    ...tokens === undefined ? [] : [`${perSecond(tokens)} tokens/s`]
  ]
}

/**
 * @typedef {object} Stretch of a run
 * @property {number} requests completed
 * @property {number} [events] of streams; undefined if they are not measured, like tokens
 * @property {number} [tokens]
 * @property {number} ms
 * @property {import('../../record/histogram').Histogram} latency
 *
 * @param {import('./lines').LiveState} state
 * @param {Stretch} last since the previous line
 * @returns {string} the figures of the stretch, and failures so far
 */
function logLine ({ title, progress: { done, left }, result }, { requests, events, tokens, ms, latency }) {
  const times = latency.count === 0
    ? []
    : [
    `p50 ${formatLatency(latency.percentile(50))}`, `p99 ${formatLatency(latency.percentile(99))}`,
    `max ${formatLatency(latency.max / 1000)}`
      ]
  const { one, rate } = countedIn(result)
  const figures = [
    `${formatRate(ms > 0 ? requests / ms * 1000 : 0)} ${rate}`, ...arrivalsIn({ events, tokens, ms }, result), ...times
  ].join(', ')
  const standing =
    [
      ...result?.failures > 0 ? [`${plural(result?.failures, 'failure')} so far`] : [],
      ...result !== null && isResentOften(result) ? [`${plural(result.resent, one)} sent again`] : [],
      ...standingOf(result, left)
    ].join(', ')
  return `${title === '' ? '' : `${title}: `}${done}: in the last ${formatTime(ms / 1000)} ` +
    `${figures}${standing === '' ? '' : `; ${standing}`}`
}

/**
 * @param {Record<string, any> | null} result so far
 * @param {number | null} left seconds
 * @returns {string[]} failed thresholds and the duration; empty without any
 */
function standingOf (result, left) {
  const failing = (result?.thresholds ?? []).filter((/** @type {any} */ { passed }) => passed === false).length
  return [...failing > 0 ? [`${plural(failing, 'threshold')} failing`] : [], ...left === null || left <= 0
    ? []
    : [
    `${formatTime(left)} left`
      ]]
}

/**
 * @param {number} seconds
 * @returns {string} with tenths below 10 s, and in whole seconds above, so that the text changes less often
 */
function formatTime (seconds) {
  return formatDuration(seconds < 9.95 ? Number(seconds.toFixed(1)) : Math.round(seconds))
}

module.exports = { formatTime, logLine, oneLine }
