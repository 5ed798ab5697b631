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
    return `TE says ${show(value)}, and HTTP/2 knows only trailers there (RFC 9113 §8.2.2): leave it out, or use ` +
      'HTTP/1.1'
  }
  if (!OF_CONNECTIONS.has(lower)) return null
  return `${name} is a header of the connection, and over HTTP/2 requests have none such (RFC 9113 §8.2.2): leave it ` +
    'out, or use HTTP/1.1'
}

module.exports = { refusalOf }
