'use strict'

// How reports show goodput.

const { printable } = require('../../core/foreign-text')
const { formatInteger, formatPercent } = require('../../core/units')
const { unmeasuredIn } = require('../../figures/goodput')

/** @param {Record<string, any>} result */
function facts ({ streams }) {
  const times = { gap: streams.gap, 'inter token': streams.interToken }
  return streams.goodput.map((/** @type {Record<string, any>} */ { expression, good, requests, share }) => {
    const bounds = printable(expression)
    if (share !== null) {
      return `Goodput: ${formatPercent(share)}, ${formatInteger(good)} of ${formatInteger(requests)} requests with ` +
        bounds
    }
    const missing = unmeasuredIn(expression, times)
    return requests > 0 && missing !== null
      ? `Goodput: not measured, as no stream had two ${missing === 'gap' ? 'events' : 'tokens'} (${bounds})`
      : `Goodput: no request has ended (${bounds})`
  })
}

module.exports = { facts }
