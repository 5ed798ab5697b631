'use strict'

// Owns how it is told how well a run knows the figure that it was to know well.

const { formatSeconds } = require('../units')
const { LONGEST } = require('../verdict/until')
const { formatActual } = require('./verdicts')

/**
 * @param {number} width of half an interval, relative to the figure
 * @returns {string} such as `±1.9 %`
 */
function formatWidth (width) {
  return `±${Number((width * 100).toPrecision(2))} %`
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} such as `p99 12.3 ms ±1.9 % (95 %) after 41 s`; null when nothing was asked for
 */
function knownSentence ({ until }) {
  if (until === undefined || until.value === null || until.width === null) return null
  const { metric, unit, value, width, confidence, after } = until
  return `${metric} ${formatActual({ unit, actual: value })}${unit === 'requests/s' ? ' requests/s' : ''} ${formatWidth(width)} (${confidence * 100} %) after ${formatSeconds(after)}`
}

/**
 * @param {Record<string, any>} until of a result, whose figure is not known well enough
 * @returns {string} why
 */
function whyUnknown ({ value, width, after }) {
  if (value === null) return 'nothing was measured'
  const least = `${formatSeconds(after)} are too short to say how much it varies`
  return width === null ? least : `it was known to ${formatWidth(width)} after ${formatSeconds(after)}`
}

module.exports = { LONGEST, formatWidth, knownSentence, whyUnknown }
