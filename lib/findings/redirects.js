'use strict'

// Finds redirects that were not followed. They are counted as a check that no option configures.

/** The name of that check. */
const CHECK = 'redirect'

/** @param {{ name: string }} check */
const isOfRedirects = ({ name }) => name === CHECK

/**
 * @param {Array<Record<string, any>>} [checks] of a result
 * @returns {{ redirects: number, reasons: Record<string, number> }} those that were not followed, and why
 */
function refusedRedirects (checks = []) {
  /** @type {Record<string, number>} */
  const reasons = {}
  let redirects = 0
  for (const one of /** @type {any[]} */ (checks).filter(isOfRedirects)) {
    redirects += one.failed
    for (const [reason, n] of Object.entries(one.reasons ?? {})) reasons[reason] = (reasons[reason] ?? 0) + Number(n)
  }
  return { redirects, reasons }
}

/** @param {Record<string, any>} result @returns {any[]} its checks without that of redirects */
const configuredChecks = ({ checks = [] }) => checks.filter((/** @type {any} */ check) => !isOfRedirects(check))

module.exports = { configuredChecks, isOfRedirects, refusedRedirects }
