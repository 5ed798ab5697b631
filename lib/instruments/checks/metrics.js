'use strict'

// The metrics of checks: how many failed, and how many passed.

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
    },
    // k6 and others set a minimum: `checks > 99%` is about these.
    'passed checks': {
      unit: 'count',
      of: 'passedChecks',
      per: 'checks',
      share: true,
      highIsGood: true,
      parts: ['request'],
      noAbortOn: 'checks: use bailout, which counts them'
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ checks = [] }) => {
    const failedChecks = checks.reduce((/** @type {number} */ sum, /** @type {any} */ { failed }) => sum + failed, 0)
    const passedChecks = checks.reduce((/** @type {number} */ sum, /** @type {any} */ { passed }) => sum + passed, 0)
    return { counted: { failedChecks, passedChecks, checks: failedChecks + passedChecks } }
  }
}
