'use strict'

// Owns what is said of a proxy: its own words when there was no connection, and what can't be told from the server's doing behind it.

const { isRefusedByProxy } = require('./refused')
const { oneLine } = require('../../core/foreign-text')
const { formatInteger, plural } = require('../../core/units')

/** Of a run that a proxy alone has answered. */
const REFUSED = 'The proxy refused every request: no server was reached'

/** Of different errors as many are told. */
const MOST_ERRORS = 3

/** Characters of a message. */
const LONGEST = 300

/** Ways for a connection to end that look the same whoever of the two closed it. */
const ENDED = ['AC_CLOSED', 'AC_TRUNCATED', 'AC_TUNNEL_CLOSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Silence is anybody's as well. */
const SILENT = ['AC_TIMEOUT', 'AC_CONNECT_TIMEOUT', 'AC_H2_SILENT']

/** What a proxy answers when it did not reach the server, and servers answer, too. */
const OF_EITHER = ['502', '503', '504']

/**
 * @param {Record<string, any>} result
 * @returns {string} the proxy, without credentials
 */
function shownProxy ({ options: { proxy } = {} }) {
  return proxy === undefined ? 'the proxy' : proxy === 'env' ? 'the proxy of the environment' : `the proxy ${proxy}`
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} a sentence each
 */
function proxyNotes (result) {
  const { proxy, options = {}, errorCodes = {}, statusCodeStats = {} } = result
  if (proxy === undefined) return options.proxy === 'env' ? ['No proxy was used: http_proxy, https_proxy and all_proxy name none for this server, or no_proxy excludes it. HTTP_PROXY is not read.'] : []
  const shown = shownProxy(result)
  const notes = proxy.errors.slice(0, MOST_ERRORS).map((/** @type {any} */ { message, count }) => `${sentence(message)} (${count === 1 ? 'once' : `${formatInteger(count)} times`}).`)
  if (proxy.errors.length > MOST_ERRORS) notes.push(`There were ${plural(proxy.errors.length - MOST_ERRORS, 'more error')} of other words at the proxy: see proxy.errors of the result.`)
  const { refused } = proxy
  if (isRefusedByProxy(result)) notes.push(`${REFUSED}.`)
  if (refused > 0) notes.push(`${plural(refused, 'response was', 'responses were')} 407: ${shown} ${options.proxy?.includes('@') ? 'does not take the user and password of its URL' : 'requires credentials, or rejected them; set user and password in its URL'}.`)
  const unclear = [...[...ENDED, ...SILENT].filter(code => errorCodes[code] > 0), ...OF_EITHER.filter(status => statusCodeStats[status] !== undefined)]
  if (unclear.length > 0) notes.push(`${unclear.join(', ')} may come from ${shown} or from the server.`)
  return notes
}

/** @param {string} message of a result, which may be anybody's */
function sentence (message) {
  const line = oneLine(message, LONGEST)
  return line.slice(0, 1).toUpperCase() + line.slice(1)
}

/** @type {import('../../report/authored').TimesOf} */
function times ({ proxy }) {
  return proxy?.connect === undefined ? [] : [{ name: 'Connect, proxy', distribution: proxy.connect, after: 'Connect' }]
}

module.exports = { REFUSED, notes: proxyNotes, shownProxy, times }
