'use strict'

// The kinds of sockets in a result, if some are not native although all were to be.

const { sumOf } = require('../../core/statistics')

/** @param {import('./record').NodeSockets} counts @param {import('../../figures/result').Context} context */
function derive (counts, { outcome: { usages } }) {
  const reasons = counts.encode()
  if (reasons.length === 0) return {}
  const node = sumOf(reasons, ({ generators }) => generators)
  return { sockets: { native: Math.max(0, usages.length - node), node, reasons } }
}

module.exports = { derive }
