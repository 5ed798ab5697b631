'use strict'

// The route to a target: --connect-to changes host and port, --resolve the address, and a proxy may be used.

/**
 * @typedef {object} Redirection replaces the host and port of connections
 * @property {string | null} host null for any
 * @property {number | null} port null for any
 * @property {string | null} toHost null for the same
 * @property {number | null} toPort null for the same
 *
 * @typedef {object} Resolution given addresses of a name, instead of a look-up
 * @property {string} host `*` for any
 * @property {number} port
 * @property {ReadonlyArray<string>} addresses
 *
 * @typedef {object} Names how names are resolved
 * @property {0 | 4 | 6} family 0 for both
 * @property {boolean} once whether a name is looked up once for the whole run
 * @property {ReadonlyArray<Resolution>} resolve
 *
 * @typedef {object} Place
 * @property {string} host a name or address, without brackets
 * @property {number} port
 *
 * @typedef {object} Proxy
 * @property {string} shown its URL, without credentials
 * @property {'http' | 'socks'} kind
 * @property {boolean} tls whether the connection to it is encrypted
 * @property {boolean} resolves whether the proxy looks up the names of servers
 * @property {string} host
 * @property {number} port
 * @property {string | null} authorization for an HTTP proxy
 * @property {{ user: string, password: string } | null} credentials for SOCKS
 *
 * @typedef {object} Proxies
 * @property {Proxy | null} http for targets of http
 * @property {Proxy | null} https
 * @property {ReadonlyArray<string>} except hosts, domains and networks without a proxy; `*` for all
 *
 * @typedef {object} Rule of the allow list
 * @property {string} text as it was given
 * @property {'network' | 'word' | 'name' | 'all' | 'socket'} kind a word is an alias of several networks
 * @property {ReadonlyArray<string>} [networks] address family and leading bits: `4:01111111`
 * @property {string} [name] the name of a host, `*.` and a domain, or the path of a socket
 * @property {number | null} port null for any
 *
 * @typedef {object} Network connections, proxies and TLS as configured
 * @property {Proxies | null} proxies
 * @property {ReadonlyArray<Redirection>} connectTo
 * @property {Names} names
 * @property {ReadonlyArray<string>} localAddresses
 * @property {boolean} named whether names have to be looked up
 * @property {ReadonlyArray<Rule>} [allow] the allow list of an agent; absent for the user's own runs
 *
 * @typedef {object} Route
 * @property {Place} place the destination of the connection or tunnel
 * @property {Proxy | null} proxy
 * @property {boolean} tunnel whether the proxy opens a tunnel; otherwise requests to it have the whole URL
 */

/** The default. @type {Network} */
const PLAIN = Object.freeze({
  proxies: null, connectTo: [], names: { family: /** @type {const} */ (0), once: true, resolve: [] },
  localAddresses: [], named: false
})

/**
 * Returns the place after the first matching redirection.
 * @type {(connectTo: ReadonlyArray<Redirection>, place: Place) => Place}
 */
function placeOf (connectTo, { host, port }) {
  const to = connectTo.find(one => (one.host ?? host) === host && (one.port ?? port) === port)
  return { host: to?.toHost ?? host, port: to?.toPort ?? port }
}

/**
 * @param {ReadonlyArray<Resolution>} resolve
 * @param {Place} place
 * @returns {ReadonlyArray<string> | null} the last rule for the host applies, or else the last for any host; null when
 *   the host has to be looked up
 */
function addressesOf (resolve, { host, port }) {
  const last = (/** @type {string} */ name) => resolve.findLast(one => one.host === name && one.port === port)
  return (last(host) ?? last('*'))?.addresses ?? null
}

/**
 * @param {Pick<Network, 'proxies' | 'connectTo'>} network
 * @param {Place & { tls: boolean, socketPath?: string }} target
 * @param {boolean} [tunnels] whether the proxy always has to open a tunnel. It does so in any case for https, and for
 *   another place than that of the URL
 * @returns {Route}
 */
function routeTo ({ proxies, connectTo }, target, tunnels = false) {
  const place = placeOf(connectTo, target)
  const proxy = proxies === null || target.socketPath !== undefined || isExcepted(proxies.except, target.host)
    ? null
    : target.tls
      ? proxies.https
      : proxies.http
  return {
    place, proxy,
    tunnel: proxy !== null &&
      (proxy.kind === 'socks' || target.tls || tunnels || place.host !== target.host || place.port !== target.port)
  }
}

/**
 * @param {Pick<Network, 'names'>} network
 * @param {Proxy} proxy
 * @param {Place} place the destination
 * @returns {boolean} whether the name is looked up here, so that the proxy receives an address
 */
function looksUpFor ({ names }, proxy, place) {
  return proxy.kind === 'socks' && !proxy.resolves &&
    (familyOf(place.host) === 0 || addressesOf(names.resolve, place) !== null)
}

/**
 * @param {Network | null} network
 * @returns {((target: Place & { tls: boolean }) => Proxy | null) | null} returns the proxy that receives the requests
 *   to a target with their whole URL; null without proxies
 */
function requestsThrough (network) {
  if (network === null || network.proxies === null) return null
  return target => {
    const { proxy, tunnel } = routeTo(network, target)
    return tunnel ? null : proxy
  }
}

/**
 * Returns whether an entry matches the host, as for no_proxy of curl: a domain includes its subdomains, an address may
 * be a network.
 * @type {(except: ReadonlyArray<string>, host: string) => boolean}
 */
function isExcepted (except, host) {
  const isAddress = familyOf(host) !== 0
  return except.some(one => {
    if (one === '*') return true
    const [network, bits] = one.replace(/^\[(.*)\]/, '$1').split('/')
    if (!isAddress) return host === one || host.endsWith(`.${one}`)
    return familyOf(network) === familyOf(host) &&
      isInNetwork(host, network, bits === undefined ? Infinity : Number(bits))
  })
}

/**
 * @param {string} host an address
 * @param {string} network an address of the network
 * @param {number} bits number of leading bits that have to be equal
 */
function isInNetwork (host, network, bits) {
  const [a, b] = [bitsOf(host), bitsOf(network)]
  return a.slice(0, bits) === b.slice(0, bits)
}

/**
 * Returns the bits of an address. net.BlockList is not used: its `::/0` includes IPv4 addresses, and it cannot check
 * that an address is the first of a network.
 * @param {string} address
 * @returns {string} digits 0 and 1
 */
function bitsOf (address) {
  if (!address.includes(':')) return address.split('.').map(part => Number(part).toString(2).padStart(8, '0')).join('')
  // A URL writes four numbers at the end of an IPv6 address as two groups.
  const [head, tail] = new URL(`http://[${address.replace(/%.*/, '')}]/`).hostname.slice(1, -1).split('::')
  const groups = (/** @type {string | undefined} */ part) => part ? part.split(':') : []
  const [before, after] = [groups(head), groups(tail)]
  return [...before, ...Array(8 - before.length - after.length).fill('0'), ...after].map(group =>
    parseInt(group, 16).toString(2).padStart(16, '0'))
    .join('')
}

/**
 * @param {string} host without brackets
 * @returns {0 | 4 | 6} the version of its IP address; 0 for a name
 */
function familyOf (host) {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) return host.split('.').every(part => Number(part) < 256) ? 4 : 0
  return host.includes(':') && URL.canParse(`http://[${host.replace(/%.*/, '')}]/`) ? 6 : 0
}

module.exports = { PLAIN, addressesOf, bitsOf, familyOf, looksUpFor, placeOf, requestsThrough, routeTo }
