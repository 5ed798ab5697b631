'use strict'

// Finds errors of a proxy, and failures that either the proxy or the server may have caused.

const { info, warning } = require('../../core/finding')
const { isRefusedByProxy } = require('./refused')

/** The number of errors that have a finding each. */
const MOST_ERRORS = 3

/** Errors of a closed connection, which the proxy or the server may have closed. */
const ENDED = ['AC_CLOSED', 'AC_TRUNCATED', 'AC_TUNNEL_CLOSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Errors of a silent connection, for which the proxy or the server may be the cause. */
const SILENT = ['AC_TIMEOUT', 'AC_CONNECT_TIMEOUT', 'AC_H2_SILENT', 'AC_WS_SILENT']

/** Statuses of a proxy that cannot reach the server. Servers send them, too. */
const OF_EITHER = ['502', '503', '504']

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings (result) {
  const { proxy, options = {}, errorCodes = {}, statusCodeStats = {} } = result
  if (proxy === undefined) return options.proxy === 'env' ? [info('no-proxy')] : []
  const { errors, refused } = proxy
  const more = errors.length - MOST_ERRORS
  const codes = [
    ...[...ENDED, ...SILENT].filter(code => errorCodes[code] > 0),
    ...OF_EITHER.filter(status => statusCodeStats[status] !== undefined)
  ]
  return [
    ...errors.slice(0, MOST_ERRORS)
      .map((/** @type {any} */ { message, count }) => warning('proxy-error', { message, count })),
    ...more > 0 ? [warning('more-proxy-errors', { more })] : [],
    ...isRefusedByProxy(result) ? [warning('proxy-refused')] : [],
    ...refused > 0
      ? [warning('proxy-authentication', {
          refused, proxy: options.proxy, hasCredentials: options.proxy?.includes('@') === true
        })]
      : [],
    ...codes.length > 0 ? [warning('proxy-or-server', { codes, proxy: options.proxy })] : []
  ]
}

module.exports = { findings }
