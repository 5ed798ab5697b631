'use strict'

// Parses a URL into where to connect, the server name and the path.

const { show } = require('../core/foreign-text')
const { basicAuthorization, userinfoOf, withoutUserinfo } = require('../core/secrets')
const { listed } = require('../core/units')

/**
 * @typedef {object} Target
 * @property {string} url as given, with http:// added if it has no scheme; it still has user and password
 * @property {boolean} tls
 * @property {string} host a name or address, without brackets
 * @property {boolean} named whether the host is a name that needs DNS: neither an address nor localhost
 * @property {number} port
 * @property {string} authority host and port as in the Host header
 * @property {string} path with the query
 * @property {string | undefined} servername for SNI; none for an address (RFC 6066 §3)
 * @property {string | undefined} authorization from the user and password of the URL
 * @property {string | undefined} socketPath a Unix socket or Windows pipe to connect to instead; `@name` is an abstract
 *   Unix socket
 * @property {Record<string, any>} tlsOptions for tls.connect
 */

/** Schemes of requests. */
const HTTP = ['http:', 'https:']

/**
 * @param {string} input a URL; `http://` may be left out
 * @param {{ socketPath?: string, servername?: string, tlsOptions?: Record<string, any>,
 *   schemes?: ReadonlyArray<string> }} [options]
 * @returns {Target}
 * @throws {TypeError} with the problem
 */
function parseTarget (input, { socketPath, servername, tlsOptions = {}, schemes = HTTP } = {}) {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(input) ? input : 'http://' + input
  const shown = show(withoutUserinfo(input))
  let url
  try {
    // The parser would drop control characters, and take http:/a for a host named http.
    // eslint-disable-next-line no-control-regex
    if (/^([/-]|https?:(?!\/\/)|\d+$)|[\0-\x1f]/i.test(input)) throw new TypeError()
    url = new URL(text)
  } catch {
    throw new TypeError(`${shown} ${whatIsWrong(text)}`)
  }
  if (!schemes.includes(url.protocol)) {
    const [protocol, ...expected] = [url.protocol, ...schemes].map(scheme => scheme.slice(0, -1))
    throw new TypeError(`${shown} has the protocol ${protocol}: expected ${listed(expected, 'or')}`)
  }
  if (url.port === '0') throw new TypeError(`${shown} has port 0: expected 1 to 65535`)
  // The scheme with an s at its end: that of ws: is none.
  const tls = schemes.some(scheme => url.protocol === scheme.replace(':', 's:'))
  const userinfo = userinfoOf(url, shown)
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return {
    url: text,
    tls,
    host,
    named: socketPath === undefined && !isAddress(host) && host !== 'localhost',
    port: url.port === '' ? (tls ? 443 : 80) : Number(url.port),
    authority: url.host,
    path: url.pathname + url.search,
    servername: servername ?? (isAddress(host) ? undefined : host),
    authorization: userinfo === null ? undefined : basicAuthorization(userinfo),
    socketPath,
    tlsOptions
  }
}

/** @param {string} text that can't be parsed, with its scheme */
function whatIsWrong (text) {
  const unencoded = unencodedIn(text)
  if (unencoded !== '') return `is not a URL${unencoded}`
  const [, port] = /^[^/]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(text) ?? []
  const authority = text.replace(/^[^/]*\/\//, '').replace(/[/?#][^]*/, '')
  if (/^[\da-f]*:[\da-f]*:[\da-f:.]*$/i.test(authority)) {
    return `is not a URL: write an IPv6 address in brackets, such as http://[${authority.slice(0, 39)}]/`
  }
  if (port !== undefined && Number(port) > 65535) return `has port ${port.slice(0, 10)}: expected 1 to 65535`
  return 'is not a URL: expected something like http://localhost:3000/path'
}

/**
 * @param {string} text that can't be parsed, with its scheme
 * @returns {string} advice when / ? or # in user or password ends the host too early; empty otherwise
 */
function unencodedIn (text) {
  return /^[^/]*\/\/[^@/?#]*[/?#][^@]*@/.test(text) ? ': in a user or password, / ? # are written as %2F %3F %23' : ''
}

/** @param {string} host of a parsed URL, in which every IPv4 address is four numbers */
function isAddress (host) {
  return host.includes(':') || /^\d+(\.\d+){3}$/.test(host)
}

/** Returns the origin in the form of URL. @type {(target: Pick<Target, 'tls' | 'authority'>) => string} */
function originOf ({ tls, authority }) {
  return (tls ? 'https://' : 'http://') + authority
}

/** @param {Target} target @returns {string} a key of the server: streams to the same key can share a connection */
function serverOf ({ tls, authority, socketPath, servername }) {
  return JSON.stringify([tls, authority, socketPath, servername])
}

/** @type {(target: Pick<Target, 'tls' | 'authority' | 'path'>, path: string | null) => string} */
function urlOf (target, path) {
  const where = path ?? target.path
  return where.startsWith('/') ? originOf(target) + where : where
}

module.exports = { originOf, parseTarget, serverOf, unencodedIn, urlOf }
