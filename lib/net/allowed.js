'use strict'

// The allow list of an agent: parses --allow, and checks whether it includes an address, a name or a Unix socket.

const { ConnectionError } = require('../core/errors')
const { oneLine, show } = require('../core/foreign-text')
const { addressesOf, bitsOf, familyOf, looksUpFor, routeTo } = require('./route')

/** @typedef {import('./route').Rule} Rule */

/** The default allow list of an agent. */
const DEFAULT = ['private', 'loopback']

/**
 * Private addresses: RFC 1918 §3, RFC 4193 §3.1. Loopback: RFC 1122 §3.2.1.3 (g), RFC 4291 §2.5.3. Shared addresses of
 * carriers (RFC 6598) are neither.
 */
const WORDS = Object.freeze({
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'], loopback: ['127.0.0.0/8', '::1/128']
})

/** The prefix of an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2). */
const MAPPED = '0'.repeat(80) + '1'.repeat(16)

/**
 * Link-local addresses (RFC 3927 §2.1, RFC 4291 §2.5.6), and further addresses at which clouds give out credentials:
 * Amazon's fd00:ec2::254, Google's fd20:ce::254, Alibaba's 100.100.100.200. A run could show the credentials in a
 * response. So neither a word nor a name allows these addresses: they need a rule with the address or its network.
 */
const SENSITIVE = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128', '100.100.100.200/32'].map(
  network => beginningOf(network.split('/')[0], Number(network.split('/')[1]))
)

/** A host or a network, each with an optional port. An IPv6 address without brackets has no port. */
const FORM = new RegExp(
  String.raw`^(?:unix:(?<path>.+)|(?<bare>[\da-f]*:[\da-f]*:[\da-f:.]*)(?:\/(?<bareBits>\d{1,3}))?|` +
  String.raw`(?:\[(?<v6>[\da-f:.]+)\]|(?<host>[^:/[\]\s]+))(?:\/(?<bits>\d{1,3}))?(?::(?<port>\d{1,5}))?)$`,
  'i'
)

/**
 * @param {unknown} given one or more texts, each a comma-separated list
 * @throws {TypeError} with the problem
 */
function parseAllowed (given) {
  const texts = [given].flat().flatMap(one => {
    if (typeof one !== 'string') throw new TypeError(`expected hosts, got ${show(one)}`)
    return one.split(',').map(text => text.trim())
  })
  return Object.freeze(texts.map(ruleOf))
}

/** @type {(text: string) => Rule} */
function ruleOf (text) {
  const { path, bare, bareBits, v6, host, bits, port } = FORM.exec(text)?.groups ?? {}
  if (path !== undefined) return Object.freeze({ text, kind: /** @type {const} */ ('socket'), name: path, port: null })
  const ports = port === undefined ? null : Number(port)
  if (ports !== null && (ports < 1 || ports > 65535)) {
    throw new TypeError(`expected a port from 1 to 65535, got ${port} in ${show(text)}`)
  }
  const word = host?.toLowerCase()
  if (bits === undefined && word === 'all') {
    return Object.freeze({ text, kind: /** @type {const} */ ('all'), port: ports })
  }
  if (bits === undefined && (word === 'private' || word === 'loopback')) {
    return Object.freeze({
      text, kind: /** @type {const} */ ('word'), networks: WORDS[word].map(networkOf), port: ports
    })
  }
  const address = bare ?? v6 ?? (word !== undefined && addressIn(word))
  if (typeof address === 'string') {
    const long = bareBits ?? bits
    return Object.freeze({
      text, kind: /** @type {const} */ ('network'),
      networks: [networkOf(long === undefined ? address : `${address}/${long}`)], port: ports
    })
  }
  const name = bits === undefined && word !== undefined ? nameOf(word) : null
  if (name === null) {
    throw new TypeError('expected a host, *.DOMAIN, an address, a network such as 10.0.0.0/8, each ' +
    `with :PORT or without, private, loopback, all or unix:PATH, got ${show(text)}`)
  }
  return Object.freeze({ text, kind: /** @type {const} */ ('name'), name, port: ports })
}

/** Returns the normalized IPv4 address; null for a name. @type {(host: string) => string | null} */
function addressIn (host) {
  return /^[\d.]+$/.test(host) && familyOf(host) === 4 ? new URL(`http://${host}/`).hostname : null
}

/**
 * @param {string} word
 * @returns {string | null} normalized as in URLs: in ASCII; null for an invalid name
 */
function nameOf (word) {
  const [, star = '', host] = /** @type {RegExpExecArray} */ (/^(\*\.)?(.*)$/.exec(word))
  const url = `http://${host}/`
  // A URL interprets a name that ends in a number as an address.
  if (!/^[\p{L}\p{N}_.-]+$/u.test(host) || !URL.canParse(url) || familyOf(new URL(url).hostname) !== 0) return null
  return star + new URL(url).hostname.replace(/\.$/, '')
}

/**
 * @param {string} text such as `10.0.0.0/8`, or an address
 * @throws {TypeError}
 */
function networkOf (text) {
  const [address, bits] = text.split('/')
  const family = familyOf(address)
  if (family === 0) throw new TypeError(`expected an IPv4 or IPv6 address, got ${show(text)}`)
  const most = family === 4 ? 32 : 128
  const length = bits === undefined ? most : Number(bits)
  if (length > most) throw new TypeError(`expected at most ${most} bits, got ${show(text)}`)
  if (bitsOf(address).includes('1', length)) {
    throw new TypeError(`expected the first address of the network, with zeros after its ${length} bits, got ` +
      `${show(text)}; ${show(address)} is that address alone`)
  }
  return beginningOf(address, length)
}

/**
 * Returns the family and the first bits of an address. An IPv4-mapped IPv6 address counts as IPv4.
 * @param {string} address
 * @param {number} [length] in bits
 */
function beginningOf (address, length = 128) {
  const bits = bitsOf(address)
  if (bits.length === 128 && length >= 96 && bits.startsWith(MAPPED)) return `4:${bits.slice(96, length)}`
  return `${bits.length === 32 ? 4 : 6}:${bits.slice(0, length)}`
}

/**
 * @param {ReadonlyArray<Rule>} rules
 * @param {import('./route').Place} place with an address as its host
 * @param {boolean} [named] whether the name that was resolved to it is allowed
 */
function allowsAddress (rules, { host, port }, named = false) {
  if (familyOf(host) === 0) return false
  const bits = beginningOf(host)
  const isSensitive = SENSITIVE.some(network => bits.startsWith(network))
  if (named && !isSensitive) return true
  return rules.some(rule =>
    reaches(rule, port) && !(isSensitive && rule.kind !== 'network') &&
      (rule.kind === 'all' || rule.networks?.some(network => bits.startsWith(network))))
}

/**
 * @param {ReadonlyArray<Rule>} rules
 * @param {import('./route').Place} place with a name as its host
 * @returns {boolean} whether the name is allowed, with any of its addresses
 */
function allowsName (rules, { host, port }) {
  const name = host.toLowerCase().replace(/\.$/, '')
  return rules.some(rule =>
    reaches(rule, port) &&
      (rule.kind === 'all' || (rule.kind === 'name' && isNamed(name, /** @type {string} */ (rule.name)))))
}

/** @type {(name: string, pattern: string) => boolean} */
function isNamed (name, pattern) {
  return pattern.startsWith('*.')
    ? name.length > pattern.length - 1 && name.endsWith(pattern.slice(1))
    : name === pattern
}

/** @type {(rule: Rule, port: number) => boolean} */
function reaches (rule, port) {
  return rule.port === null || rule.port === port
}

/** @type {(rules: ReadonlyArray<Rule>, path: unknown) => boolean} */
function allowsSocket (rules, path) {
  return rules.some(({ kind, name }) => kind === 'socket' && name === path)
}

/**
 * @param {ReadonlyArray<Rule>} rules
 * @param {string} wanted `unix:` and a path, or a host
 * @param {{ port?: number, address?: string, isGiven?: boolean }} [more] isGiven: the address comes from the plan
 *   (--resolve), so the advice is to allow the address
 */
function notAllowed (rules, wanted, { port, address, isGiven = false } = {}) {
  const what = address === undefined || address === wanted ? shown(wanted) : `${shown(wanted)} (${shown(address)})`
  const isName = address === undefined ||
    (!isGiven && SENSITIVE.every(network => !beginningOf(address).startsWith(network)))
  return new ConnectionError('AC_NOT_ALLOWED', 'this agent sends no load to ' +
    `${what}${port === undefined ? '' : `, port ${port}`}: it allows ${rules.map(({ text }) => text).join(', ')}. ` +
    `Start it with --allow ${shown(isName ? wanted : /** @type {string} */ (address))} to change that`)
}

/** @param {string} text from a plan */
const shown = text => oneLine(String(text), 100)

/**
 * Restricts net.connect to allowed addresses. The checked addresses are those that it connects to.
 * @param {ReadonlyArray<Rule>} rules
 * @param {import('./addresses').Addresses} addresses
 * @param {(host: string) => number} isIP net.isIP, which decides whether net.connect looks a host up
 */
function confined (rules, addresses, isIP) {
  return {
    /** @type {(place: import('./route').Place) => { host: string, lookup: import('node:net').LookupFunction }} */
    of (place) {
      const { host, port } = place
      if (typeof host !== 'string') return refused(notAllowed(rules, host))
      const { host: found, lookup } = addresses.of(place)
      const isGiven = addressesOf(addresses.rules.resolve, place) !== null
      if (isIP(found) !== 0) {
        return allowsAddress(rules, { host: found, port })
          ? { host: found, lookup }
          : refused(notAllowed(rules, host, { port, address: found, isGiven }))
      }
      // Allowing a name does not allow addresses that the plan gives for it.
      const named = !isGiven && allowsName(rules, place)
      return {
        host: found,
        lookup: (name, options, callback) => lookup(name, { ...options, all: true }, (error, list) => {
          if (error !== null) return callback(error, [])
          const some = /** @type {import('./addresses').Address[]} */ (list).filter(({ address }) =>
            allowsAddress(rules, { host: address, port }, named))
          if (some.length === 0) {
            return callback(
              notAllowed(rules, host, { port, address: /** @type {any} */ (list)[0].address, isGiven }),
              []
            )
          }
          if (options.all) callback(null, some)
          else callback(null, some[0].address, some[0].family)
        })
      }
    },
    /** @type {(path: string) => ReturnType<typeof refused> | null} */
    socket: path => allowsSocket(rules, path) ? null : refused(notAllowed(rules, `unix:${path}`)),
    /**
     * @param {import('./route').Place} place the destination of the proxy: an address, or a name that the proxy looks
     *   up
     */
    beyond: place => isThere(rules, place, isIP) ? null : refused(notAllowed(rules, place.host, { port: place.port }))
  }
}

/** @type {(rules: ReadonlyArray<Rule>, place: import('./route').Place, isIP: (host: string) => number) => boolean} */
function isThere (rules, place, isIP) {
  if (typeof place.host !== 'string') return false
  return isIP(place.host) === 0 ? allowsName(rules, place) : allowsAddress(rules, place)
}

/**
 * Checks all targets before the first connection, so that a refusal is one message and not many errors. A failed
 * look-up is left to the run.
 * @param {import('./route').Network} network
 * @param {ReadonlyArray<import('../requests/target').Target>} targets
 * @param {ReturnType<typeof confined>} confinement
 * @param {(host: string) => number} isIP
 * @throws {ConnectionError} for the first target that is not allowed
 */
async function checkRoutes (network, targets, confinement, isIP) {
  // Most targets of a run are on one server.
  const different = new Map(targets.map(
    target => /** @type {const} */ ([JSON.stringify([target.tls, target.host, target.port, target.socketPath]), target])
  ))
  const places = [...different.values()].flatMap(target => {
    if (target.socketPath !== undefined) return confinement.socket(target.socketPath) ?? []
    const { place, proxy } = routeTo(network, target)
    return proxy === null
      ? confinement.of(place)
      : [
          confinement.of(proxy),
          looksUpFor(network, proxy, place) ? confinement.of(place) : confinement.beyond(place) ?? []
        ].flat()
  })
  await Promise.all(places.map(({ host, lookup }) => new Promise((resolve, reject) => {
    if (isIP(host) !== 0) resolve(undefined)
    else {
      lookup(host, { all: true }, error =>
      /** @type {NodeJS.ErrnoException | null} */ (error)?.code === 'AC_NOT_ALLOWED'
          ? reject(error)
          : resolve(undefined))
    }
  })))
}

/**
 * @param {Error} error
 * @returns {{ host: string, port: number, path: undefined, lookup: import('node:net').LookupFunction }} for
 *   net.connect, which then fails with the error before it connects
 */
function refused (error) {
  return { host: 'not-allowed.invalid', port: 1, path: undefined, lookup: (_, __, callback) => callback(error, []) }
}

module.exports = { DEFAULT, allowsAddress, allowsName, allowsSocket, checkRoutes, confined, parseAllowed }
