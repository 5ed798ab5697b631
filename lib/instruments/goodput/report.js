'use strict'

// How reports show goodput.

const { printable } = require('../../core/foreign-text')
const { formatInteger, formatPercent } = require('../../core/units')

/** @param {Record<string, any>} result */
function facts ({ streams }) {
  return streams.goodput.map((/** @type {Record<string, any>} */ { expression, good, requests, share }) =>
    share === null
      ? `Goodput: no request has ended (${printable(expression)})`
      : `Goodput: ${formatPercent(share)}, ${formatInteger(good)} of ${formatInteger(requests)} requests with ` +
        printable(expression))
}

module.exports = { facts }
