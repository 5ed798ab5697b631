'use strict'

// Owns what a URL means for a connection: where to connect, what to call the server, which path to ask for.

/**
 * @typedef {object} Target
 * @property {string} url as it is shown
 * @property {boolean} tls
 * @property {string} host a name or address, without brackets
 * @property {number} port
 * @property {string} authority host and port as the Host header has them
 * @property {string} path with the query
 * @property {string | undefined} servername for SNI; none for an address (RFC 6066 §3)
 * @property {string | undefined} authorization from the user and password of the URL
 * @property {string | undefined} socketPath a Unix socket or Windows pipe to connect to instead
 * @property {Record<string, any>} tlsOptions for tls.connect
 */

/**
 * @param {string} input a URL; `http://` may be left out
 * @param {{ socketPath?: string, servername?: string, tlsOptions?: Record<string, any> }} [options]
 * @returns {Target}
 * @throws {TypeError} that says what is wrong
 */
function parseTarget (input, { socketPath, servername, tlsOptions = {} } = {}) {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(input) ? input : 'http://' + input
  let url
  try {
    if (input.startsWith('/')) throw new TypeError()
    url = new URL(text)
  } catch {
    throw new TypeError(`'${input}' is not a URL: expected something like http://localhost:3000/path`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`'${input}' has the protocol ${url.protocol.slice(0, -1)}: expected http or https`)
  }
  if (url.port === '0') throw new TypeError(`'${input}' has port 0: expected 1 to 65535`)
  const tls = url.protocol === 'https:'
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return {
    url: text,
    tls,
    host,
    port: url.port === '' ? (tls ? 443 : 80) : Number(url.port),
    authority: url.host,
    path: url.pathname + url.search,
    servername: servername ?? (isAddress(host) ? undefined : host),
    authorization: url.username === '' && url.password === '' ? undefined : basicAuthorization(url, input),
    socketPath,
    tlsOptions
  }
}

/**
 * @param {URL} url
 * @param {string} input
 * @throws {TypeError}
 */
function basicAuthorization ({ username, password }, input) {
  try {
    return 'Basic ' + Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  } catch {
    throw new TypeError(`'${input}' has a % in its user or password that starts no encoded character: write it as %25`)
  }
}

/**
 * @param {string} host of a URL, which writes every IPv4 address as four numbers
 */
function isAddress (host) {
  return host.includes(':') || /^\d+(\.\d+){3}$/.test(host)
}

module.exports = { parseTarget }
