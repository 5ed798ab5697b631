'use strict'

// Access control of a live page, a function of the request head. It protects against other pages in a viewer's browser:
// DNS rebinding, forms and cross-origin scripts.

const { createHash, timingSafeEqual } = require('node:crypto')
const { isAddress, nameOf } = require('../listening')

/**
 * @typedef {'page' | 'events' | 'report' | 'stop'} Route
 *
 * @typedef {object} Rules
 * @property {string} token in the link
 * @property {ReadonlySet<string>} names host names of the page, in lower case; addresses of IPv6 without brackets
 * @property {boolean} anyAddress whether the host may be any IP address: on a page that is open to other machines, a
 *   port may be forwarded. DNS rebinding cannot use addresses
 *
 * @typedef {{ route: Route } | { status: number, text: string }} Admission
 */

/**
 * Routes below the token, and the requirements of each.
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
  // Any page may link to the page; other requests must come from the page itself.
  if (!isOwn || (route !== 'page' && site !== 'same-origin' && !(route === 'report' && site === 'none'))) {
    return { status: 403, text: 'Only the page itself may request this.' }
  }
  return { route }
}

/** Compares in constant time. @type {(given: string, token: string) => boolean} */
function isSame (given, token) {
  const [one, other] = [given, token].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(one, other)
}

module.exports = { admit }
