'use strict'

// Follows a redirect by RFC 9110 §15.4, and by fetch where the RFC allows a choice. It returns the next request and its
// target, or the reason why none is sent. It has no connection.

const { oneLine } = require('../core/foreign-text')
const { isOfOrigin } = require('../requests/headers')
const { originOf, parseTarget } = require('../requests/target')

/**
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('../requests/target').Target} Target
 *
 * @typedef {object} Rules
 * @property {number} most the limit of consecutive redirects; 0 to follow none
 * @property {boolean} [byRequest] whether requests can set their own limit
 * @property {boolean} anywhere whether redirects to origins other than the targets are followed
 */

/** Statuses that are followed; 300 and 304 are no redirects to one place. */
const FOLLOWED = new Set([301, 302, 303, 307, 308])

/** The limit of remembered origins: a server may invent any number of them. */
const MAX_ORIGINS = 100

/** Headers of a body, which are dropped with it. */
const OF_BODY = new Set([
  'content-encoding', 'content-language', 'content-length', 'content-location', 'content-type', 'expect', 'trailer',
  'transfer-encoding'
])

/** Keys of tlsOptions with the client certificate, which is not sent to other origins. */
const IDENTITY = ['cert', 'key', 'pfx', 'passphrase']

/** The reason why a redirect is not followed. */
class NotFollowed extends Error {}

class Redirects {
  /** @param {Rules} rules @param {ReadonlyArray<Target>} targets of the run */
  constructor ({ most, anywhere }, targets) {
    this.most = most
    this.anywhere = anywhere
    this.named = new Map(targets.map(target => /** @type {const} */ ([originOf(target), target])).reverse())
    this.socketPath = targets[0].socketPath
    this.tlsOptions = Object.fromEntries(
      Object.entries(targets[0].tlsOptions).filter(([name]) => !IDENTITY.includes(name))
    )
    /** @type {Map<string, Target>} */
    this.met = new Map()
  }

  /**
   * @param {number} status
   * @param {string[]} raw its headers, names and values alternating
   * @returns {string | null} its Location; null when it is no redirect
   * @throws {NotFollowed} why it cannot be followed
   */
  locationOf (status, raw) {
    if (status < 301 || status > 308 || !FOLLOWED.has(status)) return null
    let location = null
    for (let i = 0; i < raw.length; i += 2) {
      if (raw[i].length !== 8 || raw[i].toLowerCase() !== 'location') continue
      if (location !== null && location !== raw[i + 1]) {
        throw new NotFollowed('it has several Location headers that differ')
      }
      location = raw[i + 1]
    }
    return location
  }

  /**
   * @param {number} status
   * @param {string} location
   * @param {Request} request the completed one, as it was sent
   * @param {Target} target of that request
   * @param {Target} home the target of the user
   * @returns {{ request: Request, target: Target }}
   * @throws {NotFollowed} why it cannot be followed
   */
  follow (status, location, request, target, home) {
    const url = resolve(location, request.path ?? target.path, originOf(target))
    const to = this.targetAt(url, target, home)
    const dropsBody = status === 303
      ? request.method !== 'GET' && request.method !== 'HEAD'
      : status < 303 && request.method === 'POST'
    const staysAt = originOf(to) === originOf(target)
    const isDropped = (/** @type {string} */ name) => (dropsBody && OF_BODY.has(name)) ||
      (!staysAt && isOfOrigin(name))
    return {
      request: {
        method: dropsBody ? 'GET' : request.method,
        path: url.pathname + url.search,
        headers: request.headers.filter(([name]) => !isDropped(name.toLowerCase())),
        body: dropsBody ? null : request.body
      },
      target: to
    }
  }

  /**
   * @param {URL} url
   * @param {Target} target of the redirected request
   * @param {Target} home
   * @returns {Target}
   * @throws {NotFollowed}
   */
  targetAt ({ origin }, target, home) {
    if (origin === originOf(target)) return target
    if (origin === originOf(home)) return home
    const named = this.named.get(origin) ?? this.met.get(origin)
    if (named !== undefined) return named
    if (!this.anywhere) {
      const shown = oneLine(origin, 100)
      throw new NotFollowed(`it leads to ${shown}, which is not among the URLs: --origin ${shown} allows it`)
    }
    if (this.met.size >= MAX_ORIGINS) this.met.clear()
    const { socketPath, tlsOptions } = this
    const met = Object.freeze(parseTarget(origin, { socketPath, tlsOptions }))
    this.met.set(origin, met)
    return met
  }
}

/**
 * @param {string} location as received, one character per byte
 * @param {string} path of the request
 * @param {string} origin
 * @throws {NotFollowed}
 */
function resolve (location, path, origin) {
  const base = path.startsWith('/') ? origin + path : URL.canParse(path) ? path : origin
  // Non-ASCII bytes are percent-encoded.
  const ascii = location.replace(/[\x80-\xff]/g, byte => '%' + byte.charCodeAt(0).toString(16))
  if (!URL.canParse(ascii, base)) throw new NotFollowed('its Location is not a URL')
  const url = new URL(ascii, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new NotFollowed(`it leads to ${oneLine(url.protocol, 40)}, which is neither http nor https`)
  }
  if (url.port === '0') throw new NotFollowed('it leads to port 0')
  return url
}

module.exports = { NotFollowed, Redirects }
