'use strict'

// The session of a user: its cookies, and the redirects that it follows. All users of a load generator share one
// Sessions.

const { randomBytes } = require('node:crypto')
const { NotFollowed, Redirects } = require('./redirect')
const { Template, compileRequest } = require('../templates/template')

/**
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('../requests/target').Target} Target
 * @typedef {import('../templates/template').Own} Own
 * @typedef {import('./compiled-scenario').CompiledStep} CompiledStep
 *
 * @typedef {object} SessionRules
 * @property {{ keep: 'iteration' | 'connection', isSet: boolean, start: ReadonlyArray<string> } | null} cookies null
 *   without cookies; `start` as values of Set-Cookie; `isSet` when an option sets `keep`
 * @property {import('./redirect').Rules} redirects
 *
 * @typedef {object} Means
 * @property {import('../templates/template').Encode} encode of the protocol
 * @property {import('../templates/template').Finish | null} [finish]
 * @property {(bytes: Buffer, request: Request) => Request} [decode]
 * @property {ReadonlyArray<import('../templates/template').Tag>} tags that mark values
 * @property {import('../templates/trace-parent').TraceParent | null} [trace] the header traceparent
 * @property {import('../templates/shared-values').SharedValues | null} sharedValues the values for templates
 * @property {number} epoch ms since 1970 at time 0 of the connections' clock
 *
 * @typedef {object} Sent a request that was sent, or will be
 * @property {Request} request
 * @property {Target} target
 * @property {Buffer | null} bytes null when they are built each time
 * @property {boolean} [isLiteral] whether the request is sent unchanged: it has no tags or templates
 *
 * @typedef {{ sent: Request | null, bytes: Buffer, own: Own }} Sender a user with its last request
 *
 * @typedef {Sent & { template: Template | null, isHop: true }} Hop the next request after a redirect. Its texts come
 *   from a response, so they contain no tags
 */

/** The limit of cached hops: the same response to the same request leads to the same hop. */
const MAX_HOPS = 1000
/** A longer Location is not cached. */
const MAX_LOCATION = 1024

/** A mark for the value of the header Cookie. It is random, so no other text equals it. */
const MARK = randomBytes(16).toString('hex')
/** @type {import('../templates/template').Tag} */
const COOKIE = { text: MARK, inUrl: new RegExp(MARK, 'g'), filler: own => own.cookies }

class Sessions {
  /**
   * @param {SessionRules} rules
   * @param {ReadonlyArray<Target>} targets of the run
   * @param {Means} means
   * @param {ReadonlyArray<Target>} [origins] further origins of user functions, without initial cookies
   */
  constructor ({ cookies, redirects }, targets, means, origins = []) {
    this.means = means
    this.cookies = cookies
    this.redirects = redirects.most === 0 && !redirects.byRequest
      ? null
      : new Redirects(redirects, [...targets, ...origins])
    this.Jar = cookies === null ? null : require('./cookie-jar').Jar
    /** The initial cookies of every jar. @type {import('./cookie-jar').Jar | null} */
    this.first = cookies === null || cookies.start.length === 0
      ? null
      : require('./cookie-jar').jarWith(cookies.start, targets, means.epoch)
    /** Templates of requests with a Cookie header. @type {WeakMap<Sent, Template>} */
    this.withCookies = new WeakMap()
    /** @type {Map<string, Hop>} */
    this.hops = new Map()
    /** Numbers of requests, for the keys of hops. @type {WeakMap<Sent, number>} */
    this.numbers = new WeakMap()
    this.count = 0
    // The last head and its Set-Cookie lines.
    /** @type {string[] | null} */
    this.raw = null
    /** @type {string[]} */
    this.lines = []
  }

  /** @param {Target} home of the user */
  of (home) {
    return new Session(this, home, this.Jar === null ? null : new this.Jar(this.first))
  }

  /** @param {Session} session of a user, for another connection with the same cookies */
  beside ({ home, jar }) {
    return new Session(this, home, jar)
  }

  /**
   * @param {string[]} raw headers, names and values alternating; the same array for a repeated head
   * @returns {string[]} the values of Set-Cookie
   */
  linesIn (raw) {
    if (raw === this.raw) return this.lines
    this.raw = raw
    this.lines = []
    for (let i = 0; i < raw.length; i += 2) {
      if (raw[i].length === 10 && raw[i].toLowerCase() === 'set-cookie') this.lines.push(raw[i + 1])
    }
    return this.lines
  }

  /**
   * Returns a template of the request with a Cookie header.
   * @type {(sent: Sent & { templates?: unknown }) => Template}
   */
  withCookie (sent) {
    let template = this.withCookies.get(sent)
    if (template === undefined) {
      // Neither a constant request nor a hop has tags.
      template = this.compile(
        sent,
        sent.bytes === null && !('isHop' in sent) ? this.means.tags : [],
        (sent.templates ?? null) !== null
      )
      this.withCookies.set(sent, template)
    }
    return template
  }

  /**
   * @param {Pick<Sent, 'request' | 'target'>} sent
   * @param {ReadonlyArray<import('../templates/template').Tag>} tags in it
   * @param {boolean} hasExpressions whether {{…}} in its texts is a template
   * @param {Request | null} [literal] whose texts have their values
   * @returns {Template} with a Cookie header; a given one comes before the cookies
   */
  compile ({ request, target }, tags, hasExpressions, literal = null) {
    const { encode, finish, sharedValues, trace } = this.means
    const path = hasExpressions ? request.path ?? target.path : request.path
    const needs = { encode, finish, sharedValues, trace, tags: [...tags, COOKIE] }
    const template = compileRequest({ ...withCookie(request, MARK), path }, target, needs, hasExpressions, literal)
    return /** @type {Template} */ (template)
  }

  /**
   * @param {Sent} sent a request with constant bytes
   * @param {number} status
   * @param {string} location
   * @param {Target} home
   * @returns {Hop}
   * @throws {NotFollowed}
   */
  hop (sent, status, location, home) {
    if (location.length > MAX_LOCATION) return this.makeHop(sent.request, sent.target, status, location, home)
    let number = this.numbers.get(sent)
    if (number === undefined) this.numbers.set(sent, number = this.count++)
    const key = `${number} ${status} ${location}`
    let hop = this.hops.get(key)
    if (hop !== undefined) return hop
    hop = this.makeHop(sent.request, sent.target, status, location, home)
    if (this.hops.size >= MAX_HOPS) this.hops.clear()
    this.hops.set(key, hop)
    return hop
  }

  /**
   * @param {Request} request as it was sent
   * @param {Target} target
   * @param {number} status
   * @param {string} location
   * @param {Target} home
   * @returns {Hop}
   * @throws {NotFollowed}
   */
  makeHop (request, target, status, location, home) {
    const next = /** @type {Redirects} */ (this.redirects).follow(status, location, request, target, home)
    return hopOf(next, this.means)
  }
}

class Session {
  /** @param {Sessions} sessions @param {Target} home @param {import('./cookie-jar').Jar | null} jar */
  constructor (sessions, home, jar) {
    this.sessions = sessions
    this.home = home
    this.jar = jar
    /** The next request after a redirect; null for a request of the scenario. @type {Hop | null} */
    this.hop = null
    /** The number of redirects that were followed for the request. */
    this.hops = 0
    /** The limit of redirects. */
    this.most = sessions.redirects === null ? 0 : sessions.redirects.most
    /** The reason why the redirect was not followed; null for none. */
    this.refusal = null
  }

  /**
   * Begins a request with its own target.
   * @param {Target} target
   * @param {number | null} most the limit of redirects; null for that of the run
   */
  start (target, most) {
    const { redirects } = this.sessions
    this.home = target
    this.hop = null
    this.hops = 0
    this.most = most ?? (redirects === null ? 0 : redirects.most)
  }

  get target () {
    return this.hop === null ? this.home : this.hop.target
  }

  /**
   * Begins an iteration.
   * @param {boolean} isSetUp whether the user had a set-up before its first iteration, such as a login
   */
  begin (isSetUp) {
    const { cookies } = this.sessions
    if (this.jar === null || cookies === null || cookies.keep !== 'iteration') return
    if (!isSetUp || cookies.isSet) this.jar.empty()
  }

  /**
   * Returns the bytes of the next request with its cookies; null when the request has to be built first.
   * @type {(sent: Sent & { template?: Template | null }, own: Own, at: number) => Buffer | null}
   */
  bytesOf (sent, own, at) {
    const { bytes, template = null } = sent
    if (bytes === null && template === null) return null
    if (bytes === null && this.jar !== null && this.jar.isPartial) {
      return this.bytesByPath(sent, /** @type {Template} */ (template).fill(own), own, at)
    }
    if (this.putCookies(sent.request, sent.target, own, at)) return this.sessions.withCookie(sent).fill(own)
    return bytes ?? /** @type {Template} */ (template).fill(own)
  }

  /**
   * Adds cookies after the values are filled, because some cookies depend on the path.
   * @param {Pick<Sent, 'request' | 'target'>} sent
   * @param {Buffer} bytes the filled request without cookies
   * @param {Own} own
   * @param {number} at
   * @returns {Buffer} with the cookies for its path
   */
  bytesByPath ({ request, target }, bytes, own, at) {
    const { means } = this.sessions
    const sent = /** @type {NonNullable<Means['decode']>} */ (means.decode)(bytes, request)
    if (!this.putCookies(sent, target, own, at)) return bytes
    const hop = hopOf({ request: withCookie(sent, own.cookies), target }, means)
    return hop.bytes ?? /** @type {Template} */ (hop.template).fill(own)
  }

  /**
   * @param {Request} request built to be sent once
   * @param {Target} target
   * @param {Request | null} literal whose texts have their values; null where it was made of none
   * @param {Own} own
   * @param {number} at
   * @returns {Buffer | Template} with its cookies
   */
  compile (request, target, literal, own, at) {
    const { sessions, jar } = this
    const { means } = sessions
    if (jar !== null && jar.isPartial && means.tags.length > 0) {
      const made = compileRequest(request, target, means, false, literal)
      if (made instanceof Template) return this.bytesByPath({ request, target }, made.fill(own), own, at)
    }
    const hasCookies = this.putCookies(request, target, own, at)
    // A tag in a cookie is literal.
    if (hasCookies && means.tags.length > 0) return sessions.compile({ request, target }, means.tags, false, literal)
    return compileRequest(hasCookies ? withCookie(request, own.cookies) : request, target, means, false, literal)
  }

  /**
   * @param {Request} request
   * @param {Target} target
   * @param {Own} own
   * @param {number} at
   * @returns {boolean} whether there are cookies
   */
  putCookies (request, target, own, at) {
    const { jar, sessions } = this
    own.cookies = jar === null ? '' : jar.text(target, pathOf(request, target), sessions.means.epoch + at)
    return own.cookies !== ''
  }

  /**
   * Handles a response: stores its cookies, and follows a redirect.
   * @param {import('./sender').FunctionResponse} response
   * @param {Sent} step of the scenario, which was sent unless a hop was
   * @param {Sender} user
   * @param {number} at
   * @returns {boolean} whether a redirect is followed
   */
  goesOn (response, step, user, at) {
    const { sessions, jar, target } = this
    const { redirects } = sessions
    const raw = response.rawHeaders()
    const sent = this.hop ?? step
    if (jar !== null && sessions.linesIn(raw).length > 0) {
      // The default path of a cookie is that of the request as it was sent (RFC 6265 §5.1.4).
      this.takeCookies(raw, this.asSent(user, sent, step.request), target, at)
    }
    this.refusal = null
    if (redirects === null || this.most === 0) return false
    try {
      const location = redirects.locationOf(response.status, raw)
      if (location === null) return false
      if (this.hops === this.most) throw new NotFollowed(`more than ${this.most} redirects`)
      this.hop = sent.bytes === null
        ? sessions.makeHop(this.asSent(user, sent, step.request), target, response.status, location, this.home)
        : sessions.hop(sent, response.status, location, this.home)
      this.hops++
      return true
    } catch (error) {
      if (!(error instanceof NotFollowed)) throw error
      this.refusal = error.message
      return false
    }
  }

  /** @type {(raw: string[], request: Request, target: Target, at: number) => void} */
  takeCookies (raw, request, target, at) {
    const { jar, sessions } = this
    const lines = jar === null ? [] : sessions.linesIn(raw)
    if (lines.length > 0) jar?.take(lines, target, pathOf(request, target), sessions.means.epoch + at)
  }

  /**
   * @param {Sender} user
   * @param {Sent} last the last sent request
   * @param {Request} request of the scenario
   * @returns {Request} the last request with its values, without cookies of the jar
   */
  asSent ({ bytes, sent: made, own: { cookies } }, last, request) {
    const { decode } = this.sessions.means
    if (last.bytes !== null || last.isLiteral === true) return made ?? request
    return asSent(/** @type {NonNullable<Means['decode']>} */ (decode), bytes, made ?? request, cookies)
  }

  /** @returns {boolean} whether the completed request was redirected */
  end () {
    const { hops } = this
    this.hop = null
    this.hops = 0
    return hops > 0
  }
}

/**
 * @param {NonNullable<Means['decode']>} decode
 * @param {Buffer} bytes of the sent request
 * @param {Request} request from which it was built
 * @param {string} cookies cookies of the jar in it; empty for none
 * @returns {Request} the sent request, without those cookies
 */
function asSent (decode, bytes, request, cookies) {
  const sent = decode(bytes, request)
  const last = cookies === '' ? -1 : sent.headers.findLastIndex(([name]) => name.toLowerCase() === 'cookie')
  return last === -1
    ? sent
    : {
        ...sent,
        headers: sent.headers.with(last, ['Cookie', sent.headers[last][1].slice(0, -cookies.length - '; '.length)])
      }
}

/**
 * @param {{ request: Request, target: Target }} next a request with texts from a server, which have no tags
 * @param {Pick<Means, 'encode' | 'finish' | 'trace'>} means
 * @returns {Hop}
 */
function hopOf (next, { encode, finish, trace }) {
  const made = compileRequest(next.request, next.target, { encode, finish, trace, tags: [] })
  return made instanceof Template
    ? { ...next, bytes: null, template: made, isHop: true }
    : { ...next, bytes: made, template: null, isHop: true }
}

/**
 * @param {Request} request
 * @param {string} cookies
 * @returns {Request} the request with these cookies after those of its own Cookie header
 */
function withCookie (request, cookies) {
  const { method, path, headers, body } = request
  let last = headers.length - 1
  while (last >= 0 && !isCookie(headers[last][0])) last--
  return {
    method,
    path,
    headers: last === -1
      ? withOneMore(headers, ['Cookie', cookies])
      : headers.with(last, ['Cookie', `${headers[last][1]}; ${cookies}`]),
    body
  }
}

/**
 * Allocates an array of the exact length: a literal with `...headers` has room for 17, and takes 0.03 µs more.
 * @type {(headers: import('../requests/headers').Pairs, header: readonly [string, string]) =>
 *   import('../requests/headers').Pairs}
 */
function withOneMore (headers, header) {
  const { length } = headers
  const all = new Array(length + 1)
  for (let i = 0; i < length; i++) all[i] = headers[i]
  all[length] = header
  return all
}

/** @param {string} name */
function isCookie (name) {
  return name.length === 6 && name.toLowerCase() === 'cookie'
}

/** Returns the path without the query. @type {(request: Request, target: Target) => string} */
function pathOf ({ path }, target) {
  const whole = path ?? target.path
  const end = whole.indexOf('?')
  const bare = end === -1 ? whole : whole.slice(0, end)
  return bare.startsWith('/') ? bare : '/'
}

module.exports = { Sessions, Session, asSent, hopOf, withCookie }
