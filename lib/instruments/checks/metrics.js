'use strict'

// Owns the metric of checks: how many failed.

module.exports = {
  rows: {
    checks: {
      aliases: ['failed checks'],
      unit: 'count',
      of: 'failedChecks',
      per: 'checks',
      share: true,
      parts: ['request'],
      noAbortOn: 'checks: use bailout, which counts them'
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ checks = [] }) => {
    const failedChecks = checks.reduce((/** @type {number} */ sum, /** @type {any} */ { failed }) => sum + failed, 0)
    return {
      counted: {
        failedChecks,
        checks: checks.reduce((/** @type {number} */ sum, /** @type {any} */ { passed }) => sum + passed, failedChecks)
      }
    }
  }
}
