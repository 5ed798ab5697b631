'use strict'

// The end of a result: its findings, and whether it passed.

const { isRefusedByProxy } = require('../instruments/proxies/refused')
const { hasNoResponse } = require('../figures/parts')
const { findingsOf } = require('../findings/findings')

/**
 * @param {Record<string, any>} result with its thresholds
 * @returns {boolean | null} false if a threshold failed, or a check whose failures no threshold limits; else null if no
 *   threshold was given, or one is inconclusive. A run that failed or measured nothing has not passed
 */
function passedOf ({ thresholds = [], checks = [], until, endedBy, ...result }) {
  // Lazy, as only thresholds need it. It is loaded then: no module can be while connections are open.
  const isFailure = (/** @type {any} */ check) =>
    check.failed > 0 && !(thresholds.length > 0 && require('./threshold').tolerates(thresholds, check))
  if (thresholds.some((/** @type {any} */ { passed }) => passed === false) || checks.some(isFailure)) return false
  if (thresholds.length === 0 || thresholds.some((/** @type {any} */ { passed }) => passed === null) ||
      until?.reached === false) {
    return null
  }
  return endedBy === undefined && !hasNoResponse(result) && !isRefusedByProxy(result)
}

/**
 * @template {Record<string, any>} T
 * @param {T} result with its thresholds
 * @returns {T & { findings: import('../findings/findings').Finding[], passed: boolean | null }}
 */
function withPassed (result) {
  return { ...result, findings: findingsOf(result), passed: passedOf(result) }
}

module.exports = { passedOf, withPassed }
