'use strict'

const { sumOf } = require('../../core/statistics')

/** Checks that are shown only if they failed. */
const SHOWN_IF_FAILED = new Set(['onResponse', 'content-encoding'])

/** @param {import('./record').Checks} checks */
function derive (checks) {
  return { checks: checksOf(checks) }
}

/**
 * @param {import('./record').Checks} checks
 * @param {import('../../figures/metric').PartKind} kind
 * @param {string} name
 */
function ofPart (checks, kind, name) {
  return kind === 'request' ? { checks: checksOf(checks, name) } : {}
}

/** @param {import('./record').Checks} checks @param {string} [request] its name; all checks when left out */
function checksOf (checks, request) {
  return checks.encode().filter(check =>
    isShown(check) && (request === undefined || check.request === request)).map(checkOf)
}

/**
 * @param {import('./record').CheckCounts} check
 * @returns {boolean} whether it is shown: an onResponse that never failed is probably no check
 */
function isShown ({ name, failed }) {
  return !SHOWN_IF_FAILED.has(name) || failed > 0
}

/** @param {import('./record').CheckCounts} check */
function checkOf ({ name, request, passed, failed, unjudged, reasons, samples }) {
  const byCount = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  return {
    name, ...request !== null && { request }, passed, failed, ...unjudged !== undefined && { unjudged },
    reasons: Object.fromEntries(byCount), samples
  }
}

/** Properties of both metrics. */
const OF_CHECKS = {
  unit: 'count', per: 'checks', share: true, parts: ['request'], noAbortOn: 'checks: use bailout, which counts them'
}

const METRICS = {
  rows: {
    checks: { aliases: ['failed checks'], of: 'failedChecks', ...OF_CHECKS },
    // `checks > 99%`, as in k6, is about passed checks.
    'passed checks': { of: 'passedChecks', highIsGood: true, ...OF_CHECKS }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ checks = [] }) => {
    const [failedChecks, passedChecks] = [sumOf(checks, ({ failed }) => failed), sumOf(checks, ({ passed }) => passed)]
    return { counted: { failedChecks, passedChecks, checks: failedChecks + passedChecks } }
  }
}

module.exports = { METRICS, derive, ofPart }
