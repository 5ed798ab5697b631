'use strict'

// Finds failed responses, redirects, a server that expects TLS, and connections that close after each response.

const { error, info, warning } = require('../core/finding')
const { sumOf } = require('../core/statistics')
const { refusedRedirects } = require('./redirects')
const { hasFunctions } = require('../figures/parts')
const { withScheme } = require('./no-response')

/** Statuses that name another address. 304 does not. */
const REDIRECTS = ['300', '301', '302', '303', '307', '308']

/** From this share of responses that are followed by a new connection on, the server closes after each. */
const RECONNECTING = 0.9

/** The default of the option connectionsPerUser. */
const MOST_PARALLEL = 6

/**
 * Above this share of requests that were sent again, a run has a warning. A server that closes connections after 1,000
 * requests stays below it.
 */
const RESENT = 0.001

/**
 * @param {Record<string, any>} result
 * @returns {number} responses other than 2xx, without followed redirects
 */
function unfollowed ({ non2xx, redirects = 0 }) {
  return Math.max(0, non2xx - redirects)
}

/**
 * @param {Record<string, any>} result
 * @returns {import('./findings').Finding[]} each failed request is in at least one of them
 */
function failures (result) {
  const { failures, errors, unexpected, mismatches, requests, timeouts, errorCodes, checks } = result
  const others = unfollowed(result)
  /** @type {import('./findings').Finding[]} */
  const found = []
  if (failures > errors) {
    const { redirects } = refusedRedirects(checks)
    found.push(error('failures', {
      failures, errors, unexpected, ...redirects > 0 && { redirects }, requests: requests.total
    }))
  }
  if (errors > 0) found.push(error('errors', { errors, timeouts, errorCodes }))
  if (mismatches > 0) found.push(error('mismatched-bodies', { mismatches }))
  if (others > 0 && others !== unexpected) {
    found.push(warning('other-than-2xx', { responses: others }))
  }
  return found
}

/**
 * @param {Record<string, any>} result
 * @returns {import('./findings').Finding[]} requests that were sent again, as the server closed connections in use
 */
function resent ({ resent, requests }) {
  if (!(resent > 0)) return []
  // Above 1 if most requests were sent several times.
  const share = requests?.sent > 0 ? resent / requests.sent : 0
  return [(share > RESENT ? warning : info)('resent-requests', { resent, sent: requests?.sent, share })]
}

/** @param {Record<string, any>} result @returns {import('./findings').Finding[]} */
function redirects ({ requests, statusCodeStats = {}, redirects, checks }) {
  if (requests.total === 0) return []
  // Redirects at the end of a run are no refused ones, so the check decides.
  if (redirects !== undefined && checks !== undefined) {
    const refused = refusedRedirects(checks)
    return refused.redirects === 0
      ? []
      : [warning('redirects', { ...refused, followed: true, all: false })]
  }
  const all = sumOf(REDIRECTS, status => statusCodeStats[status]?.count ?? 0)
  const left = all - (redirects ?? 0)
  if (left <= 0) return []
  return [warning('redirects', { redirects: left, followed: redirects !== undefined, all: all === requests.total })]
}

/**
 * @param {Record<string, any>} result
 * @returns {import('./findings').Finding[]} only 400: over plain HTTP from a server that expects TLS, or over TLS from
 *   one that expects a client certificate
 */
function badRequests (result) {
  const { requests, statusCodeStats = {} } = result
  if (!(requests.total > 0) || statusCodeStats[400]?.count !== requests.total) return []
  const secure = withScheme(result, 'http', 'https')
  if (secure === '' && withScheme(result, 'https', 'https') === '') return []
  return [warning('all-400', secure === '' ? {} : { secure })]
}

/**
 * @param {Record<string, any>} result
 * @returns {import('./findings').Finding[]} only 426, as from a WebSocket server
 */
function upgradeRequired (result) {
  const upgraded = withScheme(result, 'http', 'ws') || withScheme(result, 'https', 'wss')
  const { requests, statusCodeStats = {} } = result
  if (upgraded === '' || !(requests.total > 0) || statusCodeStats[426]?.count !== requests.total) return []
  // A server that --on-port starts has another port each time.
  const again = result.options?.onPort === undefined ? upgraded : `--on-port ${upgraded.replace(/:\d+(?=\/|$)/, '')}`
  return [warning('all-426', { upgraded: again })]
}

/**
 * In other tools, paths of requests are appended to that of the URL.
 * @param {Record<string, any>} result
 * @returns {import('./findings').Finding[]} only 404, as user functions requested nothing below the path of the URL
 */
function outsideOfPath (result) {
  const { url, requests, statusCodeStats = {}, firstFailures = [] } = result
  if (!hasFunctions(result) || !(requests.total > 0) || statusCodeStats[404]?.count !== requests.total) return []
  const base = pathOf([url].flat()[0])
  const paths = firstFailures.map((/** @type {{ request: string }} */ { request }) => request.replace(/^\S+ /, ''))
  const isOutside = paths.length > 0 &&
    paths.every((/** @type {string} */ path) => path !== base && !path.startsWith(`${base}/`))
  if (base === '' || !isOutside) return []
  return [warning('outside-of-path', { base, path: paths[0].replace(/[?#].*/s, '') })]
}

/** @param {unknown} url @returns {string} without a slash at its end */
function pathOf (url) {
  try {
    return new URL(String(url)).pathname.replace(/\/+$/, '')
  } catch {
    return ''
  }
}

/** @param {Record<string, any>} result @returns {import('./findings').Finding[]} */
function streamLimit ({ streamLimit, pipelining, websocket }) {
  return streamLimit === undefined
    ? []
    : [info('stream-limit', { streamLimit, pipelining, more: websocket !== undefined })]
}

/**
 * @param {Record<string, any>} result
 * @returns {import('./findings').Finding[]} reconnects, if nearly each response was the last one of its connection
 */
function reconnects (result) {
  const { connect, connections, requests, iterations, streams, url, websocket, fates = {}, options = {} } = result
  // User functions may open WebSockets in addition.
  const ofUsers = /^ws/i.test(String(url)) ? 0 : websocket?.opened ?? 0
  // Users may open further connections for parallel requests.
  const parallel = iterations === undefined ? 0 : connections * ((options.connectionsPerUser ?? MOST_PARALLEL) - 1)
  // Without connections that ended because a request timed out or failed, or because the load generator closed a
  // stream.
  const again = (connect?.totalCount ?? 0) - connections - (fates.timedOut ?? 0) - (fates.failed ?? 0) -
    (streams?.closed ?? 0) - ofUsers
  if (options.reconnectRate !== undefined || options.stages !== undefined || !(requests.total >= 2 * connections)) {
    return []
  }
  const isEach = again - parallel >= RECONNECTING * (requests.total - connections) &&
    requests.total >= RECONNECTING * again
  return isEach ? [warning('closed-after-each', { reconnects: again })] : []
}

/** @param {Record<string, any>} result @returns {boolean} whether the finding on requests sent again is a warning */
function isResentOften (result) {
  return resent(result)[0]?.severity === 'warning'
}

module.exports = {
  badRequests, failures, isResentOften, outsideOfPath, reconnects, redirects, resent, streamLimit,
  unfollowed, upgradeRequired
}
