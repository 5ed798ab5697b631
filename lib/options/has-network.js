'use strict'

// Owns whether anything is said of the ways to a server: what reads it is loaded by those who do.

/**
 * @param {import('./normalize').Values} values
 * @returns {boolean}
 */
function hasNetwork ({ proxy, connectTo, resolve, ipv4, ipv6, dns, localAddress }) {
  return proxy !== undefined || connectTo !== undefined || resolve !== undefined || localAddress !== undefined || ipv4 || ipv6 || dns === 'each'
}

module.exports = { hasNetwork }
