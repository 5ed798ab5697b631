'use strict'

// Whether all responses came from the proxy itself: then no server was reached, and the figures are those of the proxy.

/**
 * @param {Record<string, any>} result also a raw one
 * @returns {boolean} whether each response was a proxy's own, which refused the request; expected ones do not count
 */
function isRefusedByProxy ({ requests, proxy, unexpected, totals }) {
  const { refused = 0 } = proxy ?? totals?.proxied ?? {}
  if (refused === 0) return false
  return totals === undefined
    ? refused === requests.total && refused === unexpected
    : refused === totals.completed && totals.allowed === 0
}

module.exports = { isRefusedByProxy }
