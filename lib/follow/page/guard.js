'use strict'

// Access control of a live page, a function of the request head. Other pages in a viewer's browser must get nothing,
// neither by DNS rebinding nor by a form or a cross-origin script.

const { createHash, timingSafeEqual } = require('node:crypto')
const { isAddress, nameOf } = require('../listening')

/**
 * @typedef {'page' | 'events' | 'report' | 'stop'} Route
 *
 * @typedef {object} Rules
 * @property {string} token which the link has in it
 * @property {ReadonlySet<string>} names host names of the page, in lower case; addresses of IPv6 without brackets
 * @property {boolean} anyAddress whether addresses of any machine are names as well: where the page is open to other
 *   machines, a port may be handed on from another address. DNS rebinding cannot use them
 *
 * @typedef {{ route: Route } | { status: number, text: string }} Admission
 */

/**
 * Routes below the token, and how they are requested.
 * @type {Readonly<Record<string, { route: Route, methods: string[] }>>}
 */
const ROUTES = Object.freeze({
  '': { route: 'page', methods: ['GET', 'HEAD'] },
  events: { route: 'events', methods: ['GET'] },
  'report.html': { route: 'report', methods: ['GET', 'HEAD'] },
  stop: { route: 'stop', methods: ['POST'] }
})

/**
 * @param {Pick<import('node:http').IncomingMessage, 'method' | 'url' | 'headersDistinct'>} request
 * @param {Rules} rules
 * @returns {Admission}
 */
function admit ({ method = '', url = '', headersDistinct: headers }, { token, names, anyAddress }) {
  const { host: hosts = [], origin: origins = [], 'sec-fetch-site': [site = 'same-origin'] = [] } = headers
  const name = hosts.length === 1 ? nameOf(hosts[0]) : null
  if (name === null || !(names.has(name) || (anyAddress && isAddress(name)))) {
    return { status: 403, text: 'This page is not there under that name: open the link that autocannon has printed.' }
  }
  const [, given, rest, ...more] = url.replace(/\?.*$/s, '').split('/')
  const found = more.length === 0 && url.startsWith('/') && isSame(given, token) && Object.hasOwn(ROUTES, rest ?? '')
    ? ROUTES[rest ?? '']
    : null
  if (found === null) return { status: 404, text: 'There is nothing here: open the link that autocannon has printed.' }
  const { route, methods } = found
  if (!methods.includes(method)) return { status: 405, text: `${methods.join(' or ')} is expected here.` }
  const isOwn = origins.length === 0
    ? route !== 'stop'
    : origins.length === 1 && origins[0].toLowerCase() === `http://${hosts[0].toLowerCase()}`
  // A link may be followed from anywhere; all else is requested by the page itself.
  if (!isOwn || (route !== 'page' && site !== 'same-origin' && !(route === 'report' && site === 'none'))) {
    return { status: 403, text: 'Only the page itself may request this.' }
  }
  return { route }
}

/** Compares in a time that does not depend on the equal part. @type {(given: string, token: string) => boolean} */
function isSame (given, token) {
  const [one, other] = [given, token].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(one, other)
}

module.exports = { admit }
