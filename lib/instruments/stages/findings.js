'use strict'

// Finds stages that missed their target, and the cause.

const { warning } = require('../../core/finding')
const { sumOf } = require('../../core/statistics')
const { SHORTAGES } = require('../../figures/error-words')
const { KEPT } = require('../rate/kept-pace')
const { stagesOf } = require('../../figures/parts')
const { loadGeneratorDelay } = require('../../findings/rate')

/** The number of stages that have a finding each. */
const MOST_REPORTED = 3

/**
 * @typedef {import('../../figures/parts').StagePart} StagePart
 * @typedef {import('../../findings/findings').Finding} Finding
 * @typedef {{ reason: string } & Record<string, unknown>} Cause
 */

/**
 * @param {StagePart} stage
 * @returns {{ achieved: number | null, target: number | null, ratio: number | null, missing: number } | null} its rate;
 *   `missing`: what was late or never sent; null without a rate
 */
function rateOf ({ rate, iterations }) {
  if (rate !== undefined) return { ...rate, missing: rate.late + rate.unsent }
  return iterations === undefined ? null : { ...iterations, missing: iterations.waited + iterations.neverStarted }
}

/** @param {StagePart} stage @returns {boolean} whether it reached its target; true if that is unknown, or falls */
function isReached (stage) {
  const { connections, aim, target: { start } } = stage
  const rate = rateOf(stage)
  if (rate !== null) return rate.ratio === null || rate.ratio >= KEPT || rate.missing === 0
  return connections === undefined || aim < start || connections >= KEPT * aim
}

/**
 * @param {StagePart} stage that missed its target
 * @param {Record<string, any>} result
 * @returns {Cause | null} why its connections were not open; null if unknown
 */
function absence (stage, result) {
  const { errors, errorCodes = {}, fates: { sent, timedOut, failed }, connections = 0, aim } = stage
  const rate = rateOf(stage)
  const missing = rate === null ? aim - connections : 1
  const attempts = errors - timedOut - failed
  const [most] = Object.entries(errorCodes).sort(([, a], [, b]) => b - a)
  if (attempts >= missing && most !== undefined && (rate === null || sent === 0)) {
    return { reason: 'connecting-failed', errorCodes: Object.fromEntries([most]) }
  }
  // A connection without a file descriptor or port fails once, maybe in an earlier stage.
  const short = Object.entries(result.errorCodes ?? {}).filter(([code]) => SHORTAGES.has(code))
  const waiting = sumOf(short, ([, count]) => count)
  return rate === null && waiting >= missing
    ? { reason: 'machine-exhausted', errorCodes: Object.fromEntries(short) }
    : null
}

/** @param {StagePart} stage that missed its target @param {Record<string, any>} result @returns {Cause} */
function causeOf (stage, result) {
  const { generator, seconds, connections = 0, aim } = stage
  const rate = rateOf(stage)
  const missing = 1 - (rate === null ? connections / aim : rate.ratio ?? 1)
  return absence(stage, result) ?? loadGeneratorDelay({ generator, duration: seconds }, missing) ??
    { reason: rate === null ? 'refused' : stage.iterations === undefined ? 'server' : 'busy-connections' }
}

/**
 * @param {Record<string, any>} result
 * @returns {Finding[]} one for each stage that missed its target, and one if the run ended before some
 */
function findings (result) {
  const stages = stagesOf(result)
  const missed = stages.filter(stage => stage.seconds > 0 && !isReached(stage))
  const more = missed.length - MOST_REPORTED
  const never = stages.find(({ seconds }) => seconds === 0)
  return [
    ...missed.slice(0, MOST_REPORTED).map(stage => {
      const { number, own, connections = 0, aim, target: { unit } } = stage
      const rate = rateOf(stage)
      return warning('missed-stage', {
        stage: number,
        name: own,
        unit,
        ...rate === null
          ? { achieved: connections, target: aim }
          : { achieved: rate.achieved ?? 0, target: rate.target ?? 0 },
        cause: causeOf(stage, result)
      })
    }),
    ...more > 0 ? [warning('more-missed-stages', { more })] : [],
    ...never !== undefined && result.interrupted
      ? [warning('unreached-stage', { stage: never.number, name: never.own })]
      : []
  ]
}

module.exports = { findings, isReached, rateOf }
