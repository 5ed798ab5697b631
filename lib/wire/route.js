'use strict'

// Owns where a connection to a target leads: what --connect-to says of its host and port, and what --resolve says of the name.

/**
 * @typedef {object} Redirection connections to one host and port go to others
 * @property {string | null} host null for any
 * @property {number | null} port null for any
 * @property {string | null} toHost null for the same
 * @property {number | null} toPort null for the same
 *
 * @typedef {object} Resolution addresses of a name, which nobody is asked for
 * @property {string} host `*` for any
 * @property {number} port
 * @property {ReadonlyArray<string>} addresses
 *
 * @typedef {object} Place
 * @property {string} host a name or address, without brackets
 * @property {number} port
 */

/**
 * @param {ReadonlyArray<Redirection>} connectTo
 * @param {Place} place
 * @returns {Place} where connections go that are meant for that place: as the first says that is about it
 */
function placeOf (connectTo, { host, port }) {
  const to = connectTo.find(one => (one.host ?? host) === host && (one.port ?? port) === port)
  return { host: to?.toHost ?? host, port: to?.toPort ?? port }
}

/**
 * @param {ReadonlyArray<Resolution>} resolve
 * @param {Place} place
 * @returns {ReadonlyArray<string> | null} null when its host is to be looked up. The last that names the host says it, and then the last that names any
 */
function addressesOf (resolve, { host, port }) {
  const last = (/** @type {string} */ name) => resolve.findLast(one => one.host === name && one.port === port)
  return (last(host) ?? last('*'))?.addresses ?? null
}

/**
 * @param {string} host without brackets
 * @returns {0 | 4 | 6} which IP it is an address of; 0 for a name
 */
function familyOf (host) {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) return host.split('.').every(part => Number(part) < 256) ? 4 : 0
  return host.includes(':') && URL.canParse(`http://[${host.replace(/%.*/, '')}]/`) ? 6 : 0
}

module.exports = { addressesOf, familyOf, placeOf }
