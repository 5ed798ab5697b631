'use strict'

// Connection-specific header fields, which are forbidden over HTTP/2 (RFC 9113 §8.2.2).

const { show } = require('../../core/foreign-text')

const OF_CONNECTIONS = new Set([
  'connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'http2-settings'
])

/**
 * @param {string} name as it was given
 * @param {string} value
 * @returns {string | null} why a request can't have that header; null when it can
 */
function refusalOf (name, value) {
  const lower = name.toLowerCase()
  if (lower === 'te' && value.trim() !== 'trailers') {
    return `TE is ${show(value)}, and HTTP/2 allows only trailers there (RFC 9113 §8.2.2): omit it, or use ` +
      'HTTP/1.1'
  }
  if (!OF_CONNECTIONS.has(lower)) return null
  return `${name} is a connection-specific header, which HTTP/2 forbids (RFC 9113 §8.2.2): omit it, or use HTTP/1.1`
}

module.exports = { refusalOf }
