'use strict'

// Owns aggregateResult(): raw results of runs with skipAggregateResult become one result.

const { isDeepStrictEqual } = require('node:util')
const { OptionsError } = require('../errors')
const { parseThreshold } = require('../stats/threshold')
const { merge } = require('../stats/aggregate')
const { buildResult, shownUrl } = require('../stats/result')

/**
 * @param {Array<Record<string, any>>} results of runs with `skipAggregateResult: true`, also after a way through JSON
 * @param {Record<string, any>} [opts] what the merged result shall say of itself; taken from the results when left out
 * @returns {Record<string, any>} the result of all of them together
 * @throws {import('../errors').AutocannonError} with the code AC_AGGREGATE; AC_OPTIONS for a threshold that can't be read
 */
function aggregateResult (results, opts = {}) {
  const thresholds = readThresholds(opts.thresholds)
  const outcome = merge(results)
  const urls = opts.url ?? [...new Set(results.flatMap(({ url }) => url))]
  const { title, socketPath, pipelining, workers, sampleInt } = results[0]
  return buildResult({
    title: opts.title ?? title,
    url: shownUrl([urls].flat()),
    socketPath: opts.socketPath ?? socketPath,
    connections: opts.connections ?? results.reduce((sum, { connections }) => sum + connections, 0),
    pipelining: opts.pipelining ?? pipelining,
    workers: opts.workers ?? workers,
    sampleInt,
    percentiles: opts.percentiles ?? results[0].percentiles,
    options: common(results.map(({ options }) => options)),
    environment: common(results.map(({ environment }) => environment))
  }, outcome, thresholds)
}

/** @param {unknown} given */
function readThresholds (given = []) {
  try {
    return [given].flat().map(parseThreshold)
  } catch (error) {
    throw new OptionsError([`thresholds: ${/** @type {Error} */ (error).message}`])
  }
}

/**
 * @template T
 * @param {T[]} values
 * @returns {T | undefined} undefined when they are not all the same
 */
function common (values) {
  return values.every(value => isDeepStrictEqual(value, values[0])) ? values[0] : undefined
}

module.exports = { aggregateResult }
