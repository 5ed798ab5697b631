'use strict'

// The session of a user: its cookies, and the redirects that it follows. Sessions is shared by all users of a
// generator.

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
 *   for none; `start` as values of Set-Cookie, `isSet` where an option sets how long they are kept
 * @property {import('./redirect').Rules} redirects
 *
 * @typedef {object} Means
 * @property {import('../templates/template').Encode} encode of the wire
 * @property {import('../templates/template').Finish | null} [finish]
 * @property {(bytes: Buffer, request: Request) => Request} [decode]
 * @property {ReadonlyArray<import('../templates/template').Tag>} tags that mark values
 * @property {import('../templates/trace-parent').TraceParent | null} [trace] the header traceparent
 * @property {import('../templates/shared-values').SharedValues | null} sharedValues where the values of templates come
 *   from
 * @property {number} epoch ms since 1970 when the clock of the connections was 0
 *
 * @typedef {object} Sent a request that was sent, or will be
 * @property {Request} request
 * @property {Target} target
 * @property {Buffer | null} bytes null when they are made each time
 * @property {boolean} [isLiteral] whether they are made of nothing but the request, which has no values to be put in
 *
 * @typedef {{ sent: Request | null, bytes: Buffer, own: Own }} Sender a user, with its last request
 *
 * @typedef {Sent & { template: Template | null, isHop: true }} Hop a request because of a redirect: the response
 *   contains no tags
 */

/** Hops that are kept, as the same response to the same request leads to the same one. */
const MAX_HOPS = 1000
/** Those of longer ones are made again. */
const MAX_LOCATION = 1024

/** Replaces the value of the header Cookie until it is known. Random, so that no other text is taken for it. */
const MARK = randomBytes(16).toString('hex')
/** @type {import('../templates/template').Tag} */
const COOKIE = { text: MARK, inUrl: new RegExp(MARK, 'g'), filler: own => own.cookies }

class Sessions {
  /**
   * @param {SessionRules} rules
   * @param {ReadonlyArray<Target>} targets that are named
   * @param {Means} means
   * @param {ReadonlyArray<Target>} [origins] that user functions may load; initial cookies are not for them
   */
  constructor ({ cookies, redirects }, targets, means, origins = []) {
    this.means = means
    this.cookies = cookies
    this.redirects = redirects.most === 0 && !redirects.byRequest
      ? null
      : new Redirects(redirects, [...targets, ...origins])
    this.Jar = cookies === null ? null : require('./cookie-jar').Jar
    /** The cookies of every jar at the start. @type {import('./cookie-jar').Jar | null} */
    this.first = cookies === null || cookies.start.length === 0
      ? null
      : require('./cookie-jar').jarWith(cookies.start, targets, means.epoch)
    /** Requests with a Cookie header. @type {WeakMap<Sent, Template>} */
    this.withCookies = new WeakMap()
    /** @type {Map<string, Hop>} */
    this.hops = new Map()
    /** The numbers of requests in their names. @type {WeakMap<Sent, number>} */
    this.numbers = new WeakMap()
    this.count = 0
    // The last head, and its Set-Cookie lines.
    /** @type {string[] | null} */
    this.raw = null
    /** @type {string[]} */
    this.lines = []
  }

  /** @param {Target} home of the user */
  of (home) {
    return new Session(this, home, this.Jar === null ? null : new this.Jar(this.first))
  }

  /** @param {Session} session of a user, of whose connections one more has the same cookies */
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

  /** Returns the same with a Cookie header. @type {(sent: Sent & { templates?: unknown }) => Template} */
  withCookie (sent) {
    let template = this.withCookies.get(sent)
    if (template === undefined) {
      // A request that is known beforehand has no tags, and neither has a response.
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
   * @param {boolean} hasExpressions whether {{…}} in its texts, for values
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
   * @param {Sent} sent of which all bytes are known
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
    /** The next request because of a redirect; null when it is one of the scenario. @type {Hop | null} */
    this.hop = null
    /** How many redirects the request has been through. */
    this.hops = 0
    /** How many are followed. */
    this.most = sessions.redirects === null ? 0 : sessions.redirects.most
    /** Why the response, which is a redirect, is not followed; null when there is no such. */
    this.refusal = null
  }

  /**
   * A request begins that may go anywhere.
   * @param {Target} target
   * @param {number | null} most how many redirects are followed; null for as many as users do
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
   * An iteration begins.
   * @param {boolean} isSetUp whether the user was set up before its first one: it has logged in there, perhaps
   */
  begin (isSetUp) {
    const { cookies } = this.sessions
    if (this.jar === null || cookies === null || cookies.keep !== 'iteration') return
    if (!isSetUp || cookies.isSet) this.jar.empty()
  }

  /**
   * The bytes of the next request, with its cookies. Returns null when they are unknown before the request is made.
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
   * Some cookies are for a part of the paths, and the path of a request is known once it has its values.
   * @param {Pick<Sent, 'request' | 'target'>} sent
   * @param {Buffer} bytes of it, without cookies
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
   * @param {Request} request that was made to be sent once
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
   * @returns {boolean} whether there are any
   */
  putCookies (request, target, own, at) {
    const { jar, sessions } = this
    own.cookies = jar === null ? '' : jar.text(target, pathOf(request, target), sessions.means.epoch + at)
    return own.cookies !== ''
  }

  /**
   * A response has come.
   * @param {import('./sender').FunctionResponse} response
   * @param {Sent} step that was sent, unless a hop was
   * @param {Sender} user
   * @param {number} at
   * @returns {boolean} whether it is followed
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
   * @param {Sent} last that the user has sent
   * @param {Request} request of the scenario
   * @returns {Request} the last request, with its values and without cookies of the jar
   */
  asSent ({ bytes, sent: made, own: { cookies } }, last, request) {
    const { decode } = this.sessions.means
    if (last.bytes !== null || last.isLiteral === true) return made ?? request
    return asSent(/** @type {NonNullable<Means['decode']>} */ (decode), bytes, made ?? request, cookies)
  }

  /** @returns {boolean} whether the request that is over has been redirected */
  end () {
    const { hops } = this
    this.hop = null
    this.hops = 0
    return hops > 0
  }
}

/**
 * @param {NonNullable<Means['decode']>} decode
 * @param {Buffer} bytes that were sent
 * @param {Request} request of which they were made
 * @param {string} cookies of the jar that were put into it; empty for none
 * @returns {Request} with the values that it was sent with, and without those cookies
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
 * @param {{ request: Request, target: Target }} next has texts of a server, in which nothing is a tag
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
 * @returns {Request} with these; a given Cookie header comes before them
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
 * In an array of its length: a literal with `...headers` gets room for 17, and takes 0.03 µs more.
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

/** Returns without its query. @type {(request: Request, target: Target) => string} */
function pathOf ({ path }, target) {
  const whole = path ?? target.path
  const end = whole.indexOf('?')
  const bare = end === -1 ? whole : whole.slice(0, end)
  return bare.startsWith('/') ? bare : '/'
}

module.exports = { Sessions, Session, asSent, hopOf, withCookie }
