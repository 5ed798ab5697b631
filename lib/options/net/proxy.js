'use strict'

// Reads the URL of a proxy and the environment variables for proxies, as curl does.

const { show } = require('../../core/foreign-text')
const { unencodedIn } = require('../../requests/target')
const { HIDDEN, basicAuthorization, userinfoOf } = require('../../core/secrets')

/**
 * @typedef {import('../../net/route').Proxy} Proxy
 * @typedef {Readonly<Record<string, string | undefined>>} Environment
 */

/**
 * By scheme: the protocol of the proxy, and the port of a URL without one, as in curl.
 * @type {Readonly<Record<string, Pick<Proxy, 'kind' | 'tls' | 'resolves'> & { port: number }>>}
 */
const SCHEMES = Object.freeze({
  http: { kind: 'http', tls: false, resolves: true, port: 1080 },
  https: { kind: 'http', tls: true, resolves: true, port: 443 },
  socks5: { kind: 'socks', tls: false, resolves: false, port: 1080 },
  socks5h: { kind: 'socks', tls: false, resolves: true, port: 1080 }
})

/** Both have a length of one byte in SOCKS5. */
const LONGEST_CREDENTIAL = 255

/** Take it from the environment. */
const ENVIRONMENT = 'env'

/**
 * @param {unknown} given
 * @returns {string} a URL of a proxy, or `env`
 * @throws {TypeError}
 */
function parseProxy (given) {
  const text = given instanceof URL ? given.href.replace(/\/$/, '') : given
  if (typeof text !== 'string' || text.trim() === '') {
    throw new TypeError(`expected the URL of a proxy such as http://proxy:3128, or env, got ${show(given)}`)
  }
  const proxy = text.trim()
  if (proxy !== ENVIRONMENT) proxyOf(proxy)
  return proxy
}

/**
 * @param {string} text a URL; `http://` may be left out
 * @returns {Proxy}
 * @throws {TypeError} without its credentials
 */
function proxyOf (text) {
  // It has no path, so an @ ends user and password, with any characters.
  const shown = show(text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, `$1${HIDDEN}@`))
  const [, given = 'http'] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? []
  const scheme = given.toLowerCase()
  if (!Object.hasOwn(SCHEMES, scheme)) {
    throw new TypeError(`expected a proxy of ${Object.keys(SCHEMES).join(', ')}, got ${shown}`)
  }
  // URL knows the default ports of http and https, and would omit them.
  const rest = text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '')
  const url = `proxy://${rest}`
  const { hostname, port, username, password, pathname, search, hash } = URL.canParse(url)
    ? new URL(url)
    : { hostname: '', port: '', username: '', password: '', pathname: '', search: '', hash: '' }
  // With a non-standard scheme, URL does not normalize the host.
  const host = URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname.replace(/^\[|\]$/g, '') : ''
  const unencoded = unencodedIn(url)
  if (unencoded !== '') {
    throw new TypeError(`expected the URL of a proxy such as http://proxy:3128, got ${shown}${unencoded}`)
  }
  if (host === '' || /[\s\\]/.test(rest) || port === '0') {
    throw new TypeError(`expected the URL of a proxy such as http://proxy:3128, got ${shown}`)
  }
  if (!/^\/?$/.test(pathname) || search + hash !== '') {
    throw new TypeError(`expected the URL of a proxy without a path, got ${shown}`)
  }
  const { port: usual, ...traits } = SCHEMES[scheme]
  const place = { host, port: port === '' ? usual : Number(port) }
  return Object.freeze({
    shown: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${place.port}`, ...traits, ...place,
    ...credentialsOf(username, password, traits.kind, shown)
  })
}

/**
 * @param {string} username as a URL has it
 * @param {string} password likewise
 * @param {Proxy['kind']} kind
 * @param {string} shown
 * @returns {Pick<Proxy, 'authorization' | 'credentials'>}
 * @throws {TypeError}
 */
function credentialsOf (username, password, kind, shown) {
  if (username === HIDDEN) {
    throw new TypeError(
      `${shown} has ${HIDDEN} for its user and password, which is how they are hidden: write them in its place`
    )
  }
  const credentials = userinfoOf({ username, password }, shown)
  if (credentials === null || kind === 'http') {
    return { authorization: credentials && basicAuthorization(credentials), credentials: null }
  }
  if (Object.values(credentials).some(one => Buffer.byteLength(one) > LONGEST_CREDENTIAL)) {
    throw new TypeError(
      `${shown} has a user or password of more than ${LONGEST_CREDENTIAL} bytes, which SOCKS5 cannot send`
    )
  }
  return { authorization: null, credentials }
}

/**
 * @param {string} given a URL, or `env`
 * @param {Environment} [env]
 * @returns {import('../../net/route').Proxies}
 * @throws {TypeError} that names an invalid variable
 */
function proxiesOf (given, env = {}) {
  if (given !== ENVIRONMENT) {
    const proxy = proxyOf(given)
    return Object.freeze({ http: proxy, https: proxy, except: [] })
  }
  // A server that runs CGI programs takes HTTP_PROXY from a header of the request: curl leaves it out.
  const except = firstOf(['no_proxy', 'NO_PROXY'], env)?.text ?? ''
  return Object.freeze({
    http: fromVariable(['http_proxy', 'all_proxy', 'ALL_PROXY'], env),
    https: fromVariable(['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'], env),
    except: Object.freeze(
      except.split(/[\s,]+/).map(one => one.toLowerCase().replace(/^\.|\.$/g, '')).filter(one => one !== '')
    )
  })
}

/**
 * Returns the first that is set.
 * @type {(names: string[], env: Environment) => { name: string, text: string } | undefined}
 */
function firstOf (names, env) {
  return names.map(name => ({ name, text: env[name] ?? '' })).find(({ text }) => text !== '')
}

/**
 * @param {string[]} names of variables
 * @param {Environment} env
 * @returns {Proxy | null} null when none is set
 */
function fromVariable (names, env) {
  const found = firstOf(names, env)
  if (found === undefined) return null
  try {
    return proxyOf(found.text.trim())
  } catch (error) {
    throw new TypeError(`the environment variable ${found.name}: ${/** @type {Error} */ (error).message}`)
  }
}

module.exports = { parseProxy, proxiesOf }
