'use strict'

// aggregateResult(): merges raw results of runs with skipAggregateResult.

const { isDeepStrictEqual } = require('node:util')
const { OptionsError } = require('../core/errors')
const { isRecord, show } = require('../core/foreign-text')
const { judged } = require('../judge/judge')
const { withPassed } = require('../judge/passed')
const { parseThreshold } = require('../judge/threshold')
const { merge } = require('../figures/aggregate')
const { lifted } = require('../figures/lifted')
const { buildResult, shownUrl } = require('../figures/result')
const { problemOfIdentity } = require('../figures/shape')

/**
 * @param {Array<Record<string, any>>} raws of runs with `skipAggregateResult: true`, also parsed from JSON
 * @param {Record<string, any>} [given] the origin of the merged result; default: the origin of the results
 * @param {(i: number) => string} [nameOf] names each result in an error
 * @param {import('../judge/inconclusive').Inconclusive} [inconclusive]
 * @returns {Record<string, any>} the merged result
 * @throws {import('../core/errors').AutocannonError} with the code AC_AGGREGATE; AC_OPTIONS for an invalid option or
 *   threshold
 */
function aggregateResult (raws, given, nameOf, inconclusive) {
  if (given != null && !isRecord(given)) {
    throw new OptionsError([`aggregateResult expects an object after the results, got ${show(given)}`])
  }
  const opts = given ?? {}
  const thresholds = readThresholds(opts.thresholds)
  const results = Array.isArray(raws) ? raws.map(lifted) : raws
  const outcome = merge(results, nameOf)
  const { title, socketPath, http, pipelining, workers, sampleInt, percentiles } = results[0]
  const { client } = results.find(({ client }) => client !== undefined) ?? {}
  /** @type {any} */
  const identity = {
    title: opts.title ?? title,
    url: opts.url ?? [...new Set(results.flatMap(({ url }) => url))],
    socketPath: opts.socketPath ?? socketPath,
    connections: opts.connections ?? results.reduce((sum, { connections }) => sum + connections, 0),
    http,
    ...client !== undefined && { client },
    pipelining: opts.pipelining ?? pipelining,
    workers: opts.workers ?? workers,
    sampleInt,
    percentiles: opts.percentiles ?? percentiles,
    options: common(results.map(({ options }) => options)),
    environment: common(results.map(({ environment }) => environment))
  }
  const problem = problemOfIdentity(identity)
  if (problem !== null) throw new OptionsError([problem])
  return withPassed(judged(
    buildResult({ ...identity, url: shownUrl([identity.url].flat()) }, outcome),
    thresholds,
    null,
    null,
    inconclusive
  ))
}

/** @param {unknown} given */
function readThresholds (given) {
  try {
    return [given ?? []].flat().map(parseThreshold)
  } catch (error) {
    throw new OptionsError([`thresholds: ${/** @type {Error} */ (error).message}`])
  }
}

/**
 * @template T
 * @param {T[]} values
 * @returns {T | undefined} the common value; undefined if the values differ
 */
function common (values) {
  return values.every(value => isDeepStrictEqual(value, values[0])) ? values[0] : undefined
}

module.exports = { aggregateResult }
