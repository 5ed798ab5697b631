'use strict'

// The options for connections: proxies, addresses of names, local addresses and timeouts. net/route.js determines the
// route of a connection.

const { show } = require('../../core/foreign-text')
const { problemAt, problemWith } = require('../../core/problem')
const { addressesOf, familyOf, routeTo } = require('../../net/route')
const { ROUTE, setAmong } = require('../table')

/** A host, or an IPv6 address in brackets. */
const HOST = '(\\[[^\\]]*\\]|[^:[\\]]*)'
const CONNECT_TO = new RegExp(`^${HOST}:(\\d*):${HOST}:(\\d*)$`)
const RESOLVE = new RegExp(`^\\+?${HOST}:(\\d+):(.+)$`)

/**
 * @param {unknown} given a text, or several
 * @param {(text: string) => string[]} read
 * @returns {string[] | undefined} undefined for an empty list
 */
function listOf (given, read) {
  const list = Array.from([given].flat(), one => {
    if (typeof one !== 'string') throw new TypeError(`expected a text, got ${show(one)}`)
    return read(one.trim())
  }).flat()
  return list.length === 0 ? undefined : list
}

/**
 * @param {string} host as given
 * @param {string} text it is part of
 * @returns {string} as a URL has it, without brackets
 * @throws {TypeError}
 */
function hostOf (host, text) {
  const url = `http://${host}/`
  if (!URL.canParse(url) || /[\s/?#@\\]/.test(host)) {
    throw new TypeError(`expected a host, got ${show(host)} in ${show(text)}`)
  }
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

/**
 * @param {string} port
 * @param {string} text it is part of
 * @throws {TypeError}
 */
function portOf (port, text) {
  const number = Number(port)
  if (number < 1 || number > 65535) throw new TypeError(`expected a port from 1 to 65535, got ${port} in ${show(text)}`)
  return number
}

/**
 * @param {string} text such as `example.com:443:127.0.0.1:8443`
 * @returns {import('../../net/route').Redirection}
 * @throws {TypeError}
 */
function redirectionOf (text) {
  const [, host, port, toHost, toPort] = CONNECT_TO.exec(text) ?? []
  if (host === undefined) {
    throw new TypeError(
      `expected HOST:PORT:ADDR:PORT, parts of which may be empty, with an IPv6 address in brackets, got ${show(text)}`
    )
  }
  return {
    host: host === '' ? null : hostOf(host, text),
    port: port === '' ? null : portOf(port, text),
    toHost: toHost === '' ? null : hostOf(toHost, text),
    toPort: toPort === '' ? null : portOf(toPort, text)
  }
}

/**
 * @param {string} text such as `example.com:443:127.0.0.1,[::1]`
 * @returns {import('../../net/route').Resolution}
 * @throws {TypeError}
 */
function resolutionOf (text) {
  const [, host = '', port, list] = RESOLVE.exec(text) ?? []
  if (host === '') throw new TypeError(`expected HOST:PORT:ADDR, such as example.com:443:127.0.0.1, got ${show(text)}`)
  return {
    host: host === '*' ? host : hostOf(host, text), port: portOf(port, text),
    addresses: list.split(',').map(address => addressOf(address, text))
  }
}

/**
 * @param {string} given
 * @param {string} [text] it is part of
 * @throws {TypeError}
 */
function addressOf (given, text) {
  const address = given.trim().replace(/^\[(.*)\]$/, '$1')
  if (familyOf(address) === 0) {
    throw new TypeError(
      `expected an IPv4 or IPv6 address, got ${show(given)}${text === undefined ? '' : ` in ${show(text)}`}`
    )
  }
  return address
}

/** The parsers keep the texts, which the result shows. */
const parseConnectTo = (/** @type {unknown} */ given) => listOf(given, text => redirectionOf(text) && [text])
const parseResolve = (/** @type {unknown} */ given) => listOf(given, text => resolutionOf(text) && [text])
const parseAddresses = (/** @type {unknown} */ given) =>
  listOf(given, text => text.split(',').map(one => addressOf(one)))

/** @type {(values: import('../normalize').Values) => import('../../net/route').Network} */
function networkOf (values) {
  const { proxy, env, connectTo = [], resolve = [], dns, localAddress = [] } = values
  const redirections = connectTo.map(redirectionOf)
  const proxies = proxy === undefined ? null : require('./proxy').proxiesOf(proxy, env)
  const hosts = [
    proxies?.http?.host, proxies?.https?.host,
    ...redirections.map((/** @type {import('../../net/route').Redirection} */ { toHost }) => toHost)
  ]
  return Object.freeze({
    proxies,
    connectTo: Object.freeze(redirections),
    named: hosts.some(host => typeof host === 'string' && familyOf(host) === 0),
    names: Object.freeze({
      family: wantedFamily(values), once: dns === 'once', resolve: Object.freeze(resolve.map(resolutionOf))
    }),
    localAddresses: Object.freeze(localAddress)
  })
}

/** @param {import('../normalize').Values} values @returns {0 | 4 | 6} of all connections; 0 when it does not matter */
function wantedFamily ({ ipv4, ipv6, localAddress }) {
  if (ipv4 || ipv6) return ipv4 ? 4 : 6
  return localAddress === undefined ? 0 : familyOf(localAddress[0])
}

/** @type {import('../normalize').Rules} */
function aboutNetwork (values, call) {
  const given = setAmong(values, ROUTE)
  if (given.length === 0 || values.url === undefined) return []
  if (values.socketPath !== undefined) {
    return given.map(name =>
      problemAt(call, [name, 'socketPath'], 'a Unix socket or pipe has no address; use one of them'))
  }
  const problems = aboutProxies(values, call)
  return problems.length > 0 ? problems : [...aboutFamilies(values, call), ...aboutUnused(values, call)]
}

/** @type {import('../normalize').Rules} */
function aboutProxies ({ proxy, env }, call) {
  try {
    if (proxy !== undefined) require('./proxy').proxiesOf(proxy, env)
    return []
  } catch (error) {
    return [problemAt(call, 'proxy', /** @type {Error} */ (error).message)]
  }
}

/** @type {import('../normalize').Rules} */
function aboutFamilies (values, call) {
  const { ipv4, ipv6, localAddress: own = [] } = values
  if (ipv4 && ipv6) return [problemAt(call, ['ipv4', 'ipv6'], 'omit both to use either')]
  const family = wantedFamily(values)
  const why = ipv4 ? 'ipv4' : ipv6 ? 'ipv6' : 'localAddress'
  const strange = own.filter((/** @type {string} */ one) => familyOf(one) !== family)
  if (strange.length > 0) {
    return [problemAt(call, 'localAddress', 'expected addresses of ' +
      `IPv${family}${ipv4 || ipv6 ? `, as ${call(why)} says` : `, as ${own[0]} is one`}, got ${strange.join(', ')}`)]
  }
  if (family === 0) return []
  const network = networkOf(values)
  const { names: { resolve } } = network
  // A proxy that looks names up needs no addresses of the server.
  const reached = placesOf(values).map(place => routeTo(network, place)).map(({ place, proxy }) => proxy ?? place)
  // The last one about a place counts. Redirects, and a proxy that is given addresses, lead to others than the URLs do.
  const given = resolve.filter(one =>
    resolve.findLast(({ host, port }) => host === one.host && port === one.port) === one)
  return [...reached, ...given].flatMap(place => {
    const { host, port } = place
    const addresses = addressesOf(resolve, place) ?? (familyOf(host) === 0 ? null : [host])
    return addresses === null || addresses.some(one => familyOf(one) === family)
      ? []
      : [problemAt(call, why, `${host}:${port} has no IPv${family} address: ${addresses.join(', ')}`)]
  })
}

/**
 * A rule without a server of the run would have no effect, and the run would go to another server than intended.
 * @type {import('../normalize').Rules}
 */
function aboutUnused (values, call) {
  const { connectTo = [], redirectsAnywhere: anywhere } = values
  const network = networkOf(values)
  const places = placesOf(values)
  const shown = places.map(nameOf).join(', ')
  const unused = anywhere
    ? []
    : connectTo.filter((/** @type {string} */ text, /** @type {number} */ i) => !isUsed(network.connectTo, i, places))
  return [
    ...unused.map((/** @type {string} */ text) => problemAt(call, 'connectTo', `${show(text)} is about no server of ` +
      `the run, which ${places.length > 1 ? 'are' : 'is'} ${shown}`)),
    ...aboutNames(values, network, call)
  ]
}

/**
 * @param {import('../normalize').Values} values
 * @param {import('../../net/route').Network} network of them
 * @param {(name: string) => string} call
 * @returns {import('../../core/problem').Problem[]} problems of names that are not looked up on this machine
 */
function aboutNames ({ url, resolve = [], redirectsAnywhere: anywhere, dns }, network, call) {
  const { proxies } = network
  const all = proxies === null ? [] : [proxies.http, proxies.https].filter(proxy => proxy !== null)
  // A redirect may lead to a server without a proxy, or with one that gets an address.
  if (anywhere && (all.length < 2 || proxies?.except.length !== 0 || all.some(({ resolves }) => !resolves))) return []
  const places = placesOf({ url })
  const routes = places.map(place => routeTo(network, place))
  const blind = routes.find(({ proxy }) => proxy?.resolves)
  const lookedUp = [...all, ...routes.filter(({ proxy }) => !proxy?.resolves).map(({ place }) => place)]
  const itself = `the proxy ${blind?.proxy?.shown} looks up names itself`
  const problems = resolve.flatMap((/** @type {string} */ text, /** @type {number} */ i) => {
    const given = network.names.resolve[i]
    if (isUsed(network.names.resolve, i, lookedUp)) return []
    if (blind !== undefined &&
      (anywhere || routes.some(({ place }, j) => isAbout(given, place) || isAbout(given, places[j])))) {
      return [problemAt(call, 'resolve', `${show(text)} changes nothing, as ${itself}: ${call('connectTo')} ` +
        `${given.host === '*' ? '' : bracketed(given.host)}:${given.port}:${bracketed(given.addresses[0])}: leads a ` +
        'tunnel there')]
    }
    const moved = places.findIndex(place => isAbout(given, place))
    if (moved !== -1) {
      return [problemAt(call, 'resolve', `${show(text)} changes nothing, as ${call('connectTo')} leads ` +
        `${nameOf(places[moved])} to ${nameOf(routes[moved].place)}`)]
    }
    return [problemAt(call, 'resolve', `${show(text)} is about no server of the run, which ` +
      `${places.length > 1 ? 'are' : 'is'} ${places.map(nameOf).join(', ')}`)]
  })
  const isNamed = (/** @type {{ host: string }} */ { host }) => familyOf(host) === 0
  if (dns === 'each' && blind !== undefined && !lookedUp.some(isNamed) && routes.some(({ place }) => isNamed(place))) {
    problems.push(problemWith(call, 'dns', `each changes nothing, as ${itself}`))
  }
  return problems
}

/**
 * @param {ReadonlyArray<{ host: string | null, port: number | null }>} all
 * @param {number} i one of them
 * @param {import('../../net/route').Place[]} places
 * @returns {boolean} whether it is about one of the places, or another one is that names the same host: of several
 *   ports one may be used
 */
function isUsed (all, i, places) {
  return all.some(one => one.host === all[i].host && places.some(place => isAbout(one, place)))
}

/** @param {import('../../net/route').Place} place */
const nameOf = ({ host, port }) => `${host}:${port}`

/** @param {string} host */
const bracketed = host => host.includes(':') ? `[${host}]` : host

/** @type {(given: { host: string | null, port: number | null }, place: import('../../net/route').Place) => boolean} */
function isAbout ({ host, port }, place) {
  return (host === null || host === '*' || host === place.host) && (port ?? place.port) === place.port
}

/**
 * @param {import('../normalize').Values} values @returns {Array<import('../../net/route').Place & { tls: boolean }>} of
 *   the URLs
 */
function placesOf ({ url }) {
  return url.map((/** @type {string} */ one) => {
    const { hostname, port, protocol } = new URL(one)
    return {
      host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      tls: protocol === 'https:'
    }
  })
}

module.exports = { aboutNetwork, networkOf, parseAddresses, parseConnectTo, parseResolve }
