'use strict'

// The cookies of one user. tough-cookie refuses what browsers refuse (foreign domains, public suffixes, Secure over
// http, invalid prefixes). Here, expiry uses the clock of the run, and the number and size of cookies are limited. A
// login and the request after it take 2.2 µs of CPU time here and 6.2 µs with a CookieJar alone; each further request
// 0.004 µs and 2.7 µs (2026-11-25). A core sends 230,000 requests/s, 4.3 µs each.

const { Cookie, CookieJar, MemoryCookieStore } = require('tough-cookie')
const { originOf } = require('../requests/target')

/** @typedef {import('../requests/target').Target} Target */

// The limits of browsers: RFC 6265bis §5.6 and Chromium. MAX_BYTES limits the memory of a run; servers accept 8 to 16
// KiB of headers.
const MAX_COOKIE = 4096
const MAX_LINE = 8192
const MAX_PER_DOMAIN = 180
const MAX_BYTES = 65_536

/** The limit of cached Cookie headers per jar. */
const MAX_TEXTS = 100

/**
 * Cookies that tough-cookie has accepted, by origin and line without its value: a login sets the same cookie for each
 * user. It takes 2 µs instead of 4.
 * @type {Map<string, Partial<Cookie>>}
 */
const SHAPES = new Map()
const MAX_SHAPES = 500

const NO_LINES = Object.freeze(/** @type {string[]} */ ([]))

class BoundedStore extends MemoryCookieStore {
  constructor () {
    super()
    /** @type {Map<string, number>} */
    this.perDomain = new Map()
    this.count = 0
    this.bytes = 0
    /** The number of cookies for a part of the paths of their host. */
    this.partial = 0
    /** The earliest expiry of a cookie, ms since 1970. */
    this.expiresAt = Infinity
  }

  /** @param {Cookie} cookie @param {any} [callback] */
  putCookie (cookie, callback) {
    const { domain, path, key } = cookie
    const before = this.at(domain, path, key)
    const size = sizeOf(cookie) - (before === undefined ? 0 : sizeOf(before))
    const ofDomain = this.perDomain.get(String(domain)) ?? 0
    if (this.bytes + size > MAX_BYTES || (before === undefined && ofDomain >= MAX_PER_DOMAIN)) return callback(null)
    this.bytes += size
    if (before === undefined) this.tally(cookie, 1)
    this.expiresAt = Math.min(this.expiresAt, expiryOf(cookie))
    return super.putCookie(cookie, callback)
  }

  /**
   * @param {any} domain
   * @param {any} path
   * @param {any} key
   * @param {any} [callback]
   * @returns {any}
   */
  removeCookie (domain, path, key, callback) {
    const before = this.at(domain, path, key)
    if (before !== undefined) {
      this.bytes -= sizeOf(before)
      this.tally(before, -1)
    }
    const response = super.removeCookie(domain, path, key, callback)
    this.tidy(domain, path)
    return response
  }

  /**
   * Deletes empty entries: a server may set and delete cookies for any number of paths and domains.
   * @type {(domain: any, path: any) => void}
   */
  tidy (domain, path) {
    const paths = this.idx[domain]
    if (paths?.[path] !== undefined && isEmpty(paths[path])) delete paths[path]
    if (paths !== undefined && isEmpty(paths)) delete this.idx[domain]
    if (this.perDomain.get(String(domain)) === 0) this.perDomain.delete(String(domain))
  }

  /** @type {(cookie: Cookie, by: 1 | -1) => void} */
  tally ({ domain, path }, by) {
    this.count += by
    if (path !== '/') this.partial += by
    this.perDomain.set(String(domain), (this.perDomain.get(String(domain)) ?? 0) + by)
  }

  /** @type {(domain: any, path: any, key: any) => Cookie | undefined} */
  at (domain, path, key) {
    return this.idx[domain]?.[path]?.[key]
  }

  /**
   * A fast path of 2 instead of 20 µs: nearly every jar has only cookies of one host for all of its paths.
   * @param {Target} target
   * @returns {Cookie[] | null} all cookies by creation, when all of them are sent to the target for any path; null when
   *   that is uncertain
   */
  allFor ({ host, tls }) {
    const paths = this.idx[host]
    if (this.partial > 0 || paths === undefined || this.perDomain.get(host) !== this.count) return null
    const cookies = Object.values(paths['/'])
    // Objects list numeric names first, so the order of creation would be lost.
    return cookies.every(({ key, hostOnly, secure }) => hostOnly === true && (!secure || tls) && !/^\d/.test(key))
      ? cookies
      : null
  }

  all () {
    return Object.values(this.idx).flatMap(paths => Object.values(paths).flatMap(keys => Object.values(keys)))
  }
}

/** The store of all empty jars. */
const NOTHING = new BoundedStore()

/** @param {object} object */
function isEmpty (object) {
  return Object.keys(object).length === 0
}

/** @param {Cookie} cookie */
function sizeOf ({ key, value, path }) {
  return key.length + value.length + (path ?? '').length
}

/** @param {Cookie} cookie of this jar, where Max-Age has been replaced by Expires */
function expiryOf ({ expires }) {
  return expires instanceof Date ? expires.getTime() : Infinity
}

class Jar {
  /** @param {Jar | null} [first] its initial content, also each time that it is emptied; empty by default */
  constructor (first = null) {
    /** The store is shared until this jar changes its cookies. */
    this.first = this.store = first?.store ?? NOTHING
    /** Whether the store belongs to this jar only. */
    this.own = false
    // The last Set-Cookie lines and their origin: the same lines again change nothing.
    this.lines = NO_LINES
    /** @type {Target | null} */
    this.linesTarget = null
    this.linesPath = ''
    this.linesAt = -Infinity
    // The last Cookie header, and all cached ones. They are valid until a cookie changes.
    /** @type {Target | null} */
    this.textTarget = null
    this.textPath = ''
    this.lastText = ''
    /** @type {Map<string, string> | null} */
    this.texts = null
  }

  /** Whether it has cookies for a part of the paths of their host. */
  get isPartial () {
    return this.store.partial > 0
  }

  /** Restores its initial content. */
  empty () {
    const { first, store } = this
    this.lines = NO_LINES
    if (store === first || (first === NOTHING && store.count === 0)) return
    this.store = first
    this.own = false
    this.change()
  }

  /**
   * Stores the cookies of a response.
   * @param {ReadonlyArray<string>} lines values of Set-Cookie; the same array for a repeated head
   * @param {Target} target which sets them
   * @param {string} path of the request
   * @param {number} wall ms since 1970
   */
  take (lines, target, path, wall) {
    // Expiries are whole seconds.
    const isSame = target === this.linesTarget && path === this.linesPath && wall - this.linesAt < 1000 &&
      equal(lines, this.lines)
    if (isSame) return
    this.lines = lines
    this.linesTarget = target
    this.linesPath = path
    this.linesAt = wall
    const from = originOf(target) + path
    for (const line of lines) this.set(line, from, wall)
  }

  /**
   * @param {string} line
   * @param {string} from the URL of the response
   * @param {number} wall
   * @returns {boolean} whether it is kept
   */
  set (line, from, wall) {
    if (line.length > MAX_LINE) return false
    const equals = line.indexOf('=')
    const semicolon = line.indexOf(';')
    const end = semicolon === -1 ? line.length : semicolon
    const shape = `${from}\n${line.slice(0, equals)}\n${line.slice(end)}`
    const known = equals > 0 && equals < end ? SHAPES.get(shape) : undefined
    if (known !== undefined) return this.setKnown(known, line.slice(equals + 1, end).trim(), wall)
    const cookie = Cookie.parse(line)
    if (cookie === undefined || cookie.key.length + cookie.value.length > MAX_COOKIE) return false
    const now = new Date(wall)
    const isLasting = !cookie.isPersistent()
    // tough-cookie counts Max-Age from the last access to a cookie, by the clock of the machine.
    const expiry = cookie.expiryTime(now) ?? Infinity
    cookie.maxAge = null
    cookie.expires = expiry === Infinity ? 'Infinity' : new Date(Math.min(Math.max(expiry, 0), MAX_DATE))
    if (!this.own) this.becomeOwn()
    const { store } = this
    if (jarOf(store).setCookieSync(cookie, new URL(from), { ignoreError: true, now }) === undefined) return false
    if (expiryOf(cookie) <= wall) store.removeCookie(cookie.domain, cookie.path, cookie.key, ignore)
    this.change()
    const isKept = store.at(cookie.domain, cookie.path, cookie.key) === cookie
    if (isKept && isLasting && equals < end) {
      const { key, domain, path, pathIsDefault, hostOnly, secure, httpOnly, sameSite } = cookie
      if (SHAPES.size >= MAX_SHAPES) SHAPES.clear()
      SHAPES.set(shape, { key, domain, path, pathIsDefault, hostOnly, secure, httpOnly, sameSite })
    }
    return isKept
  }

  /**
   * @param {Partial<Cookie>} shape the cookie without its value
   * @param {string} value
   * @param {number} wall
   * @returns {boolean} whether it is kept
   */
  setKnown (shape, value, wall) {
    const { domain, path, key = '' } = shape
    // eslint-disable-next-line no-control-regex
    if (key.length + value.length > MAX_COOKIE || /[\0-\x1f]/.test(value)) return false
    if (!this.own) this.becomeOwn()
    const { store } = this
    const before = store.at(domain, path, key)
    const cookie = Object.assign(new Cookie(), shape)
    cookie.value = value
    cookie.creation = before?.creation ?? new Date(wall)
    cookie.creationIndex = before?.creationIndex ?? cookie.creationIndex
    store.putCookie(cookie, ignore)
    this.change()
    return store.at(domain, path, key) === cookie
  }

  /** Copies the initial content before the first change. */
  becomeOwn () {
    const before = this.store.all()
    this.own = true
    this.store = new BoundedStore()
    for (const cookie of before) this.store.putCookie(cookie, ignore)
  }

  /** Drops cached headers, because a cookie has changed. */
  change () {
    this.textTarget = null
    this.texts = null
  }

  /**
   * @param {Target} target
   * @param {string} path of the request
   * @param {number} wall ms since 1970
   * @returns {string} the value of the header Cookie; empty for none
   */
  text (target, path, wall) {
    const { store } = this
    if (store.count === 0) return ''
    if (wall >= store.expiresAt) this.expire(wall)
    const isKnown = target === this.textTarget && (store.partial === 0 || path === this.textPath)
    if (isKnown) return this.lastText
    const key = store.partial === 0 ? originOf(target) : originOf(target) + path
    const texts = this.texts ??= new Map()
    let text = texts.get(key)
    if (text === undefined) {
      const cookies = store.allFor(target) ?? jarOf(store).getCookiesSync(new URL(key), { expire: false, sort: true })
      text = bytesAsText(cookies.map(({ key, value }) => `${key}=${value}`).join('; '))
      if (texts.size >= MAX_TEXTS) texts.clear()
      texts.set(key, text)
    }
    this.textTarget = target
    this.textPath = path
    this.lastText = text
    return text
  }

  /** Drops expired cookies. @param {number} wall */
  expire (wall) {
    if (!this.own) this.becomeOwn()
    const { store } = this
    store.expiresAt = Infinity
    for (const cookie of store.all()) {
      if (expiryOf(cookie) <= wall) store.removeCookie(cookie.domain, cookie.path, cookie.key, ignore)
      else store.expiresAt = Math.min(store.expiresAt, expiryOf(cookie))
    }
    // The same lines must be able to set an expired cookie again.
    this.lines = NO_LINES
    this.change()
  }
}

/**
 * @param {ReadonlyArray<string>} lines values of Set-Cookie
 * @param {ReadonlyArray<Target>} targets that set them
 * @param {number} wall ms since 1970
 */
function jarWith (lines, targets, wall) {
  const jar = new Jar()
  for (const target of targets) {
    for (const line of lines) jar.set(Buffer.from(line).toString('latin1'), originOf(target) + '/', wall)
  }
  return jar
}

/** The latest time of a Date. */
const MAX_DATE = 8.64e15

const ignore = () => {}

/** @param {BoundedStore} store */
function jarOf (store) {
  return new CookieJar(store, { prefixSecurity: 'silent' })
}

/** @type {(a: ReadonlyArray<string>, b: ReadonlyArray<string>) => boolean} */
function equal (a, b) {
  return a === b || (a.length === b.length && a.every((line, i) => line === b[i]))
}

/**
 * @param {string} text one character per received byte
 * @returns {string} that has the received bytes when it is encoded as UTF-8
 */
function bytesAsText (text) {
  // eslint-disable-next-line no-control-regex
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString()
}

module.exports = { Jar, jarWith }
