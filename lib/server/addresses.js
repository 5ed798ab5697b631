'use strict'

// Matches the URLs of a run with the server of --on-port: the ports that they name, and their targets once it listens.

/** @typedef {import('./listening-sockets').Address} Address */

/**
 * @param {string} url with or without http://
 * @returns {number | null} its port, or the default port of its scheme
 */
function portOf (url) {
  const [, port] = /^(?:[a-z]+:\/\/)?[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(url) ?? []
  return port === undefined ? null : Number(port)
}

/**
 * @param {string[]} urls
 * @param {Address[]} addresses one for each
 * @returns {{ url: string[], socketPath?: string }}
 */
function meet (urls, addresses) {
  const [first] = addresses
  return 'socketPath' in first
    ? { url: urls, socketPath: first.socketPath }
    : { url: urls.map((url, i) => withAddress(url, addresses[i])) }
}

/** @param {string} url keeps a host other than localhost, for the Host header @param {Address} address */
function withAddress (url, address) {
  const changed = new URL(/^[a-z]+:\/\//i.test(url) ? url : 'http://' + url)
  if ('socketPath' in address) return changed.href
  const { host, port } = address
  if (changed.hostname === 'localhost') changed.hostname = host.includes(':') ? `[${host}]` : host
  changed.port = String(port)
  return changed.href
}

module.exports = { portOf, meet }
