'use strict'

// Whether all responses came from the proxy itself, so that no server was reached.

/**
 * @param {Record<string, any>} result also a raw one
 * @returns {boolean} whether each response was a refusal of the proxy, and none was expected
 */
function isRefusedByProxy ({ requests, proxy, unexpected, totals }) {
  const { refused = 0 } = proxy ?? totals?.proxied ?? {}
  if (refused === 0) return false
  return totals === undefined
    ? refused === requests.total && refused === unexpected
    : refused === totals.completed && totals.allowed === 0
}

module.exports = { isRefusedByProxy }
