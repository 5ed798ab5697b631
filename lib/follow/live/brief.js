'use strict'

// Owns a run in one line: that of a terminal that is too small for more, and that of a log.

const { isResentOften } = require('../../report/resent')
const { briefMs, briefRate, formatRate } = require('../../report/figures')
const { widthOf } = require('../../report/table')
const { plural } = require('../../units')

/**
 * @param {import('./lines').LiveState} state
 * @param {number} columns
 * @returns {string} what fits into a line, the most important first
 */
function oneLine ({ title, progress: { ratio, left }, result, minute }, columns) {
  const now = minute[minute.length - 1]
  const parts = [
    ...title === '' ? [] : [title],
    `${Math.floor(ratio * 100)} %`,
    ...result?.errors > 0 ? [plural(result?.errors, 'error')] : [],
    ...standingOf(result, null),
    ...now === undefined || !(now.length > 0) ? [] : [`${briefRate(now.requests / now.length * 1000)}/s`, ...now.p99 === null ? [] : [`p99 ${briefMs(now.p99)}`]],
    ...left === null || left <= 0 ? [] : [`${formatTime(left)} left`],
    ...now === undefined || now.p50 === null ? [] : [`p50 ${briefMs(now.p50)}`]
  ]
  let line = ''
  for (const part of parts) {
    const longer = line === '' ? part : `${line}  ${part}`
    if (widthOf(longer) <= columns - 1) line = longer
  }
  return line
}

/**
 * @typedef {object} Stretch of a run
 * @property {number} requests completed
 * @property {number} ms
 * @property {import('../../record/histogram').Histogram} latency
 *
 * @param {import('./lines').LiveState} state
 * @param {Stretch} last since the line before
 * @returns {string} its figures, and what went wrong so far
 */
function logLine ({ title, progress: { done, left }, result }, { requests, ms, latency }) {
  const times = latency.count === 0 ? [] : [`p50 ${briefMs(latency.percentile(50))}`, `p99 ${briefMs(latency.percentile(99))}`, `max ${briefMs(latency.max / 1000)}`]
  const figures = [`${formatRate(ms > 0 ? requests / ms * 1000 : 0)} requests/s`, ...times].join(', ')
  const standing = [...result?.failures > 0 ? [`${plural(result?.failures, 'failure')} so far`] : [], ...result !== null && isResentOften(result) ? [`${plural(result.resent, 'request')} sent again`] : [], ...standingOf(result, left)].join(', ')
  return `${title === '' ? '' : `${title}: `}${done}: in the last ${formatTime(ms / 1000)} ${figures}${standing === '' ? '' : `; ${standing}`}`
}

/**
 * @param {Record<string, any> | null} result so far
 * @param {number | null} left seconds
 * @returns {string[]} how many thresholds fail, and how long it takes; nothing where there is nothing to say
 */
function standingOf (result, left) {
  const failing = (result?.thresholds ?? []).filter((/** @type {any} */ { passed }) => passed === false).length
  return [...failing > 0 ? [`${plural(failing, 'threshold')} failing`] : [], ...left === null || left <= 0 ? [] : [`${formatTime(left)} left`]]
}

/**
 * @param {number} seconds
 * @returns {string} such as `2.5s`, `48s`, `3m20s`, `2h05m`
 */
function formatTime (seconds) {
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))}s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole}s`
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes}m${String(whole % 60).padStart(2, '0')}s` : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`
}

module.exports = { formatTime, logLine, oneLine }
