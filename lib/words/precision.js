'use strict'

// The sentences on an `--until` that was not reached: the precision of a figure, or inconclusive thresholds.

const { formatDuration, formatInteger, formatPercent, plural } = require('../core/units')

/** By hindrance (judge/hindrance.js). @type {Record<string, string>} */
const HINDRANCES = {
  burst: 'one burst made most of how it varied',
  slowSwing: 'it swings so slowly that fewer than five periods were seen',
  fewRequests: 'three requests made more than a quarter of how it varied',
  heavyTail: 'its tail is so heavy that no run knows the average'
}

/**
 * @param {number} width the half-width of an interval, relative to the figure
 * @returns {string} such as `±1.9 %`
 */
function formatWidth (width) {
  return `±${formatPercent(width)}`
}

/** @param {string} [hindrance] @returns {string} a clause at the end of a sentence on the precision */
function butOf (hindrance) {
  return hindrance === undefined ? '' : `, but ${HINDRANCES[hindrance]}`
}

/** The sentences by code. @type {Record<string, import('./judgements').Words>} */
const PRECISION = {
  'undecided-thresholds': ({ undecided, thresholds, after }) =>
    `${formatInteger(undecided)} of ${plural(thresholds, 'threshold')} ${undecided === 1 ? 'was' : 'were'} ` +
    `still inconclusive after ${formatDuration(after)}`,
  'short-run': ({ after }) =>
    `${formatDuration(Number(after.toPrecision(2)))} are too short to estimate the precision: ` +
    'use a longer -d, or --skip-first',
  imprecise: ({ width, after, hindrance }) =>
    `it was known to ${formatWidth(width)} after ${formatDuration(after)}${butOf(hindrance)}`
}

module.exports = { PRECISION, butOf, formatWidth }
