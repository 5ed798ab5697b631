'use strict'

// Finds a rate that was not kept, and the cause.

const { warning } = require('../core/finding')
const { explains } = require('../instruments/generator/cause')
const { troubleOf, verdictOf } = require('../instruments/generator/verdict')
const { KEPT, LATE } = require('../instruments/rate/kept-pace')
const { neededConnections } = require('../figures/needed-connections')

/** Above this share of the target, the rate was exceeded. */
const EXCEEDED = 1.01

/**
 * The accepted p99 of the load generator's delay: ms, and as a share of the p99 of the latency. An even pace is kept to
 * 0.1 ms, and batches to 1 ms.
 */
const LAG = { least: 2, share: 0.1 }

/**
 * @typedef {{ reason: 'no-connection' | 'agents-lost' | 'load-generator' | 'too-few-connections' | 'server',
 *   trouble?: string } & Record<string, unknown>} Delay
 */

/**
 * @param {Record<string, any>} part a result, or the load generator and duration of a stage
 * @param {number} share of its requests that are missing or late
 * @returns {Delay | null} null if the load generator is not the cause
 */
function loadGeneratorDelay ({ generator, duration }, share) {
  const lost = generator?.runDelayMs === null
    ? null
    : Math.max(generator?.runDelayMs ?? 0, generator?.blockedMs) / 1000 / duration
  if (!explains({ verdict: verdictOf(generator), lost, cpu: generator?.cpu }, share)) return null
  return { reason: 'load-generator', trouble: troubleOf(generator) ?? undefined }
}

/**
 * @param {Record<string, any>} result of a run with a rate
 * @returns {Delay} why requests were sent late, waited for a connection, or were never sent
 */
function delayOf (result) {
  const { agents = [], connect, fates, rate: { ratio, sent, late, unsent } } = result
  if (connect?.totalCount === 0) return { reason: 'no-connection' }
  if (agents.some((/** @type {any} */ { lost }) => lost !== null)) return { reason: 'agents-lost' }
  // If no request was in flight at the end, no connection was busy: there was none.
  if (unsent > 0 && fates?.abandoned === 0) return { reason: 'no-connection' }
  return loadGeneratorDelay(result, Math.max(1 - ratio, (late + unsent) / (sent + unsent))) ??
    tooFewConnections(result) ?? { reason: 'server' }
}

/**
 * @param {Record<string, any>} result of a run with a rate
 * @returns {Delay | null} with the number of needed connections; null if there were enough, or if it is unknown
 */
function tooFewConnections (result) {
  const { connections, pipelining, rate, serviceTime } = result
  const needed = neededConnections(result)
  if (needed === null) return null
  return {
    reason: 'too-few-connections', needed, connections, pipelining, target: rate.target, serviceTime: serviceTime.mean
  }
}

/**
 * @param {Record<string, any>} result
 * @returns {import('./findings').Finding | null} null if its rate was kept, or without one
 */
function missedRate (result) {
  const { rate } = result
  if (rate === undefined || !(rate.ratio < KEPT && rate.late + rate.unsent > 0)) return null
  const { achieved, target, late, unsent } = rate
  return warning('rate-missed', { achieved, target, late, unsent, cause: delayOf(result) })
}

/**
 * The latency of a request that is sent late although a connection was free starts at its send: the server is not the
 * cause.
 * @param {Record<string, any>} result of a run with a rate
 * @returns {import('./findings').Finding | null} the delay of the load generator, if it is considerable
 */
function lateSends ({ generator, latency }) {
  const { p99 = 0, max } = generator?.lag ?? {}
  return p99 >= LAG.least && p99 >= LAG.share * (latency?.p99 ?? 0)
    ? warning('late-sends', { p99, max })
    : null
}

/** @param {Record<string, any>} result @returns {import('./findings').Finding[]} */
function rate (result) {
  const { rate, options = {} } = result
  if (rate === undefined) return []
  const { achieved, target, late, sent, ratio } = rate
  // A search always ends with a missed rate.
  const missed = result.search === undefined ? missedRate(result) : null
  const found = missed === null ? [] : [missed]
  if (missed === null && late >= LATE * sent && late > 1) {
    const fromSend = options.ignoreCoordinatedOmission === true
    found.push(warning('late-requests', { late, sent, cause: delayOf(result), fromSend }))
  }
  const lag = lateSends(result)
  if (lag !== null) found.push(lag)
  if (ratio > EXCEEDED) found.push(warning('rate-exceeded', { achieved, target }))
  return found
}

module.exports = { loadGeneratorDelay, missedRate, rate }
