'use strict'

/** Counted as a check only when they fail. */
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

/** @param {import('./record').Checks} checks @param {string} [request] the name of one; all when left out */
function checksOf (checks, request) {
  return checks.encode().filter(check =>
    isShown(check) && (request === undefined || check.request === request)).map(checkOf)
}

/**
 * @param {import('./record').CheckCounts} check
 * @returns {boolean} whether it is one: an onResponse without a failure has another purpose
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

module.exports = { derive, ofPart }
