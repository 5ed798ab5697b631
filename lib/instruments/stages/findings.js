'use strict'

// Finds stages that did not reach their target, and the cause.

const { warning } = require('../../core/finding')
const { sumOf } = require('../../core/statistics')
const { SHORTAGES } = require('../../figures/error-words')
const { KEPT } = require('../rate/kept-pace')
const { stagesOf } = require('../../figures/parts')
const { loadGeneratorDelay } = require('../../findings/rate')

/** The limit of stages with a sentence each. */
const MOST_REPORTED = 3

/**
 * @typedef {import('../../figures/parts').StagePart} StagePart
 * @typedef {import('../../findings/findings').Finding} Finding
 * @typedef {{ reason: string } & Record<string, unknown>} Cause
 */

/**
 * @param {StagePart} stage
 * @returns {{ achieved: number | null, target: number | null, ratio: number | null, missing: number } | null} how far
 *   its rate was kept, and how much was late or never sent; null without one
 */
function rateOf ({ rate, rounds }) {
  if (rate !== undefined) return { ...rate, missing: rate.late + rate.unsent }
  return rounds === undefined ? null : { ...rounds, missing: rounds.waited + rounds.neverStarted }
}

/** @param {StagePart} stage @returns {boolean} whether its load reached the target; true if that is unknown, or fell */
function isReached (stage) {
  const { connections, aim, target: { start } } = stage
  const rate = rateOf(stage)
  if (rate !== null) return rate.ratio === null || rate.ratio >= KEPT || rate.missing === 0
  return connections === undefined || aim < start || connections >= KEPT * aim
}

/**
 * @param {StagePart} stage that was not reached
 * @param {Record<string, any>} result
 * @returns {Cause | null} why its connections were not open; null when unknown
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
  // Connections without a descriptor or a port have failed once, in any stage.
  const short = Object.entries(result.errorCodes ?? {}).filter(([code]) => SHORTAGES.has(code))
  const waiting = sumOf(short, ([, count]) => count)
  return rate === null && waiting >= missing
    ? { reason: 'machine-exhausted', errorCodes: Object.fromEntries(short) }
    : null
}

/** @param {StagePart} stage that was not reached @param {Record<string, any>} result @returns {Cause} */
function causeOf (stage, result) {
  const { generator, seconds, connections = 0, aim } = stage
  const rate = rateOf(stage)
  const missing = 1 - (rate === null ? connections / aim : rate.ratio ?? 1)
  return absence(stage, result) ?? loadGeneratorDelay({ generator, duration: seconds }, missing) ??
    { reason: rate === null ? 'refused' : stage.rounds === undefined ? 'server' : 'busy-connections' }
}

/**
 * @param {Record<string, any>} result
 * @returns {Finding[]} one for each stage that missed its target, and one when some were not measured
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
