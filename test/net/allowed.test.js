'use strict'

// What --allow means, and that no socket is opened to anything else: by targets, redirects of names, proxies, addresses of a plan, Unix sockets.

const t = require('tap')
const fc = require('fast-check')
const net = require('node:net')
const { join } = require('node:path')
const { parseTarget } = require('../../lib/requests/target')
const { DEFAULT, allowsAddress, allowsName, allowsSocket, parseAllowed } = require('../../lib/net/allowed')
const { makeConnect } = require('../../lib/net/transport')
const { rawProxy } = require('../helpers/servers/raw-proxy')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { shortFolder } = require('../helpers/short-folder')
const { networkOf } = require('../../lib/options/net/network')

/**
 * @param {string} rules
 * @param {string} host
 * @param {number} [port]
 */
const allows = (rules, host, port = 80) => (net.isIP(host) === 0 ? allowsName : allowsAddress)(parseAllowed(rules), { host, port })

t.test('unless it is told, an agent allows private and loopback addresses, and no name', async t => {
  const rules = DEFAULT.join()
  for (const host of ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.255.255', '127.0.0.1', '127.255.255.254', '::1', 'fc00::1', 'fdff::1', '::ffff:10.0.0.1', '::ffff:7f00:1']) {
    t.ok(allows(rules, host), host)
  }
  for (const host of ['9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '126.255.255.255', '128.0.0.0', '0.0.0.0', '::', '::2', '100.64.0.1',
    '8.8.8.8', '2001:4860:4860::8888', 'fbff::1', 'fe00::1', '::ffff:8.8.8.8', '::ffff:169.254.169.254', '64:ff9b::a00:1', 'localhost', 'example.com']) {
    t.notOk(allows(rules, host), host)
  }
})

t.test('where clouds give credentials out is allowed by its address or a network alone', async t => {
  for (const host of ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '::ffff:a9fe:a9fe']) {
    t.notOk(allows('private,loopback,all', host), host)
    t.notOk(allowsAddress(parseAllowed('example.com'), { host, port: 80 }, true), `${host} as the address of a name`)
    t.ok(allows(host.replace(/%.*/, ''), host), `${host} by itself`)
  }
  t.ok(allows('169.254.0.0/16', '169.254.169.254'))
  t.ok(allows('fc00::/7', 'fd00:ec2::254'))
})

t.test('a pattern and what it allows', async t => {
  for (const [rules, allowed, refused] of [
    ['example.com', ['example.com', 'EXAMPLE.com', 'example.com.'], ['a.example.com', 'xample.com', 'example.com.evil.org', 'example.comx', '1.2.3.4']],
    ['Example.COM.', ['example.com'], ['example.org']],
    ['*.example.com', ['a.example.com', 'a.b.example.com'], ['example.com', 'aexample.com', 'example.com.org']],
    ['bücher.example', ['xn--bcher-kva.example'], ['bucher.example']],
    ['10.1.2.3', ['10.1.2.3', '::ffff:10.1.2.3'], ['10.1.2.4', '10.1.2.30']],
    ['10.1.2.0/23', ['10.1.2.0', '10.1.3.255'], ['10.1.4.0', '10.1.1.255']],
    ['0.0.0.0/0', ['8.8.8.8', '10.0.0.1', '::ffff:8.8.8.8'], ['2001:db8::1', 'example.com']],
    ['::/0', ['2001:db8::1'], ['8.8.8.8', '::ffff:8.8.8.8']],
    ['2001:db8::/32', ['2001:db8:ffff::1'], ['2001:db9::1']],
    ['::ffff:10.0.0.0/104', ['10.9.9.9', '::ffff:10.9.9.9'], ['11.0.0.1', '::1']],
    ['[2001:db8::1]', ['2001:db8::1', '2001:DB8:0::1'], ['2001:db8::2']],
    ['loopback', ['127.0.0.1', '::1'], ['10.0.0.1']],
    ['all', ['8.8.8.8', '2001:db8::1', 'example.com', 'localhost'], []],
    ['a.org, b.org', ['a.org', 'b.org'], ['c.org']]
  ]) {
    for (const host of allowed) t.ok(allows(String(rules), host), `${rules} allows ${host}`)
    for (const host of refused) t.notOk(allows(String(rules), host), `${rules} does not allow ${host}`)
  }
})

t.test('with a port, a pattern is about that port', async t => {
  for (const [rules, host] of [['example.com:8080', 'example.com'], ['*.example.com:8080', 'a.example.com'], ['10.0.0.1:8080', '10.0.0.1'], ['10.0.0.0/8:8080', '10.0.0.1'], ['[::1]:8080', '::1'],
    ['[2001:db8::]/32:8080', '2001:db8::1'], ['private:8080', '10.0.0.1'], ['all:8080', '8.8.8.8']]) {
    t.ok(allows(rules, host, 8080), rules)
    t.notOk(allows(rules, host, 80), rules)
  }
})

t.test('a Unix socket is allowed by its path alone', async t => {
  t.ok(allowsSocket(parseAllowed('unix:/run/app.sock'), '/run/app.sock'))
  for (const rules of ['all', 'private,loopback', 'unix:/run/app.sock', 'example.com']) t.notOk(allowsSocket(parseAllowed(rules), '/var/run/docker.sock'), rules)
})

t.test('a pattern that is none is refused in a line', async t => {
  const forms = 'expected a host, *.DOMAIN, an address, a network such as 10.0.0.0/8, each with :PORT or without, private, loopback, all or unix:PATH, got '
  for (const [given, message] of [
    ['', `${forms}''`],
    ['a.org,', `${forms}''`],
    ['http://example.com', `${forms}'http://example.com'`],
    ['*', `${forms}'*'`],
    ['a.*.org', `${forms}'a.*.org'`],
    ['a b', `${forms}'a b'`],
    ['user@example.com', `${forms}'user@example.com'`],
    ['example.com/24', `${forms}'example.com/24'`],
    ['10.0.0', `${forms}'10.0.0'`],
    ['10.0.0.256', `${forms}'10.0.0.256'`],
    ['0x7f.1', `${forms}'0x7f.1'`],
    ['unix:', `${forms}'unix:'`],
    ['::1::', 'expected an IPv4 or IPv6 address, got \'::1::\''],
    ['[::1', `${forms}'[::1'`],
    ['private/8', `${forms}'private/8'`],
    ['example.com:0', 'expected a port from 1 to 65535, got 0 in \'example.com:0\''],
    ['example.com:70000', 'expected a port from 1 to 65535, got 70000 in \'example.com:70000\''],
    ['10.0.0.0/33', 'expected at most 32 bits, got \'10.0.0.0/33\''],
    ['fc00::/129', 'expected at most 128 bits, got \'fc00::/129\''],
    ['10.1.2.3/8', 'expected the first address of the network, with zeros after its 8 bits, got \'10.1.2.3/8\'; \'10.1.2.3\' is that address alone'],
    [5, 'expected hosts, got 5'],
    [['a.org', null], 'expected hosts, got null']
  ]) t.throws(() => parseAllowed(given), { message, name: 'TypeError' }, String(given))
})

t.test('networks are those of net.BlockList', async t => {
  const byte = fc.integer({ min: 0, max: 255 })
  const v4 = fc.tuple(byte, byte, byte, byte).map(parts => parts.join('.'))
  const v6 = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }).map(groups => groups.map(group => group.toString(16)).join(':'))
  fc.assert(fc.property(fc.oneof(fc.tuple(v4, v4, fc.integer({ min: 0, max: 32 }), fc.constant('ipv4')), fc.tuple(v6, v6, fc.integer({ min: 0, max: 128 }), fc.constant('ipv6'))), ([one, other, bits, family]) => {
    const theirs = new net.BlockList()
    theirs.addSubnet(one, bits, /** @type {any} */ (family))
    // Ours wants the first address of a network: it is what the other family of bits leaves.
    const first = firstOf(one, bits)
    // An address that shares the bits of the network, and one by chance.
    return [other, mix(one, other, bits)].every(address => allows(`${first}/${bits}`, address) === theirs.check(address, /** @type {any} */ (family)))
  }), { seed: 23, numRuns: 2000 })
})

/**
 * @param {string} address
 * @returns {{ parts: number[], size: number }}
 */
function partsOf (address) {
  return address.includes(':') ? { parts: address.split(':').map(part => parseInt(part, 16)), size: 16 } : { parts: address.split('.').map(Number), size: 8 }
}

/** @param {string} one @param {string} other @param {number} bits of the first, the rest of the other */
function mix (one, other, bits) {
  const { parts, size } = partsOf(one)
  const rest = partsOf(other).parts
  const mixed = parts.map((part, i) => {
    const kept = Math.max(0, Math.min(size, bits - i * size))
    const mask = (2 ** size - 1) - (2 ** (size - kept) - 1)
    return (part & mask) | (rest[i] & ~mask & (2 ** size - 1))
  })
  return size === 16 ? mixed.map(part => part.toString(16)).join(':') : mixed.join('.')
}

/** @param {string} address @param {number} bits */
const firstOf = (address, bits) => mix(address, address.includes(':') ? '0:0:0:0:0:0:0:0' : '0.0.0.0', bits)

/** @param {string[]} addresses that the name service of the agent tells */
const telling = (...addresses) => /** @type {any} */ (/** @type {string} */ host, /** @type {any} */ options, /** @type {any} */ callback) =>
  setImmediate(callback, null, addresses.map(address => ({ address, family: net.isIP(address) })))

/**
 * @param {any} network of a plan
 * @param {any} target
 * @param {any} [needs]
 * @returns {Promise<string>} the address that it is connected to, or the error
 */
function reach (network, target, needs) {
  return new Promise(resolve => {
    const link = makeConnect(network, needs)(target, undefined, socket => {
      resolve(String(socket.remoteAddress))
      socket.destroy()
    })
    link.on('error', error => resolve(`${/** @type {any} */ (error).code} ${error.message}`))
  })
}

/** @param {string} allow @param {Record<string, any>} [values] */
const network = (allow, values = {}) => ({ ...networkOf(/** @type {any} */ (values)), allow: parseAllowed(allow) })

t.test('a socket is opened to what is allowed', async t => {
  const server = await rawServer(t, answer())
  const { port } = new URL(server.url)
  t.equal(await reach(network('loopback'), parseTarget(server.url)), '127.0.0.1')
  t.equal(await reach(network(`127.0.0.1:${port}`), parseTarget(server.url)), '127.0.0.1')
  t.equal(await reach(network('app.test'), parseTarget(`http://app.test:${port}`), { lookup: telling('127.0.0.1') }), '127.0.0.1', 'by its name')
  t.equal(await reach(network('loopback'), parseTarget(`http://app.test:${port}`), { lookup: telling('127.0.0.1') }), '127.0.0.1', 'by the address of its name')
  t.equal(await reach(network('loopback'), parseTarget(`http://app.test:${port}`), { lookup: telling('203.0.113.7', '127.0.0.1') }), '127.0.0.1', 'by those of its addresses that are')
  t.equal(server.connections.length, 5)
})

t.test('no socket is opened to anything else', async t => {
  const server = await rawServer(t, answer())
  const { port } = new URL(server.url)
  const target = parseTarget(server.url)
  const named = parseTarget(`http://app.test:${port}`)
  const own = { lookup: telling('127.0.0.1') }
  const words = (/** @type {string} */ host, /** @type {string} */ rules, asked = host.replace(/ .*/, '')) =>
    `AC_NOT_ALLOWED this agent sends no load to ${host}, port ${port}: it allows ${rules}. Start it with --allow ${asked} to change that`
  t.equal(await reach(network('10.0.0.0/8'), target), words('127.0.0.1', '10.0.0.0/8'), 'an address')
  t.equal(await reach(network('127.0.0.1:1'), target), words('127.0.0.1', '127.0.0.1:1'), 'another port')
  t.equal(await reach(network('private'), named, own), words('app.test (127.0.0.1)', 'private'), 'a name that has another address')
  t.equal(await reach(network('app.test'), named, { lookup: telling('169.254.169.254') }), words('app.test (169.254.169.254)', 'app.test', '169.254.169.254'), 'a name that stands for the metadata service')
  t.equal(await reach(network('app.test', { resolve: [`app.test:${port}:127.0.0.1`] }), named), words('app.test (127.0.0.1)', 'app.test', '127.0.0.1'), 'an address that the plan gives a name: allowing the name would not help')
  const given = { resolve: [`app.test:${port}:127.0.0.1,127.0.0.2`] }
  t.equal(await reach(network('app.test', given), named), words('app.test (127.0.0.1)', 'app.test', '127.0.0.1'), 'the first of several')
  t.equal(await reach(network('10.0.0.1', { resolve: [`10.0.0.1:${port}:127.0.0.1`] }), parseTarget(`http://10.0.0.1:${port}`)), words('10.0.0.1 (127.0.0.1)', '10.0.0.1', '127.0.0.1'), 'an address in place of another')
  t.equal(await reach(network('app.test', { connectTo: [`app.test:${port}:127.0.0.1:${port}`] }), named), words('127.0.0.1', 'app.test'), 'another place')
  t.match(await reach(network('10.0.0.1'), { ...target, host: '010.0.0.1' }, own), /^AC_NOT_ALLOWED/, 'what looks like an address and is looked up')
  t.match(await reach(network('10.0.0.1'), { ...target, host: ['127.0.0.1'] }), /^AC_NOT_ALLOWED/, 'a host that is no text')
  t.match(await reach(network('10.0.0.1'), { ...target, host: undefined }), /^AC_NOT_ALLOWED/)
  t.match(await reach(network('127.0.0.1:80'), { ...target, port: String(port) }), /^AC_NOT_ALLOWED/, 'a port that is no number')
  t.match(await reach(network('10.0.0.1'), { ...parseTarget(`https://127.0.0.1:${port}`) }), /^AC_NOT_ALLOWED/, 'over TLS')
  t.match(await reach(network('app.test'), parseTarget(`http://app.test:${port}`, { tlsOptions: { lookup: telling('127.0.0.1') } }), { lookup: telling('169.254.169.254') }), /^AC_NOT_ALLOWED/, 'a look-up of TLS options')
  t.equal(server.connections.length, 0)
  t.equal(await reach(network('127.0.0.1', given), named), '127.0.0.1', 'the advice works')
})

t.test('a name whose address changes is looked at each time', async t => {
  const server = await rawServer(t, answer())
  const { port } = new URL(server.url)
  const answers = ['127.0.0.1', '169.254.169.254', '127.0.0.1']
  const lookup = /** @type {any} */ (/** @type {string} */ host, /** @type {any} */ options, /** @type {any} */ callback) => telling(/** @type {string} */ (answers.shift()))(host, options, callback)
  const connect = makeConnect(network('app.test', { dns: 'each' }), { lookup })
  const once = () => new Promise(resolve => connect(parseTarget(`http://app.test:${port}`), undefined, socket => { socket.destroy(); resolve('connected') }).on('error', error => resolve(/** @type {any} */ (error).code)))
  t.strictSame([await once(), await once(), await once()], ['connected', 'AC_NOT_ALLOWED', 'connected'])
})

t.test('a Unix socket is opened when its path is allowed, and in no other way', { skip: process.platform === 'win32' }, async t => {
  const path = join(shortFolder(t), 's')
  const server = net.createServer(socket => socket.destroy()).listen(path)
  await new Promise(resolve => server.once('listening', resolve))
  t.teardown(() => server.close())
  const target = parseTarget('http://localhost', { socketPath: path })
  t.equal(await reach(network(`unix:${path}`), target), 'undefined')
  t.equal(await reach(network('all'), target), `AC_NOT_ALLOWED this agent sends no load to unix:${path}: it allows all. Start it with --allow unix:${path} to change that`)
  // Of TLS options a path would win over host and port.
  for (const url of ['https://127.0.0.1:1', 'https://localhost:1']) {
    t.match(await reach(network('loopback'), parseTarget(url, { tlsOptions: { path } })), /^ECONNREFUSED/, url)
  }
  t.match(await reach(network('unix:/other'), parseTarget('https://localhost', { socketPath: '/yet/another', tlsOptions: { path } })), /^AC_NOT_ALLOWED/)
})

t.test('a proxy has to be allowed, and what it is asked for as well', async t => {
  const server = await rawServer(t, answer())
  const { port } = new URL(server.url)
  for (const kind of /** @type {const} */ (['http', 'socks5'])) {
    const proxy = await rawProxy(t, kind)
    const url = proxy.url()
    const by = (/** @type {string} */ allow, /** @type {string} */ host, lookup = telling('127.0.0.1')) =>
      reach(network(allow, { proxy: url }), parseTarget(`http://${host}:${port}`), { lookup, tunnels: true })
    t.equal(await by('loopback', '127.0.0.1'), '127.0.0.1', kind)
    t.equal(await by('loopback,localhost', 'localhost'), '127.0.0.1', kind)
    t.equal(proxy.asked.length, 2)
    t.match(await by('10.0.0.0/8', '10.0.0.1'), new RegExp(`^AC_PROXY_CONNECT .*sends no load to 127.0.0.1, port ${proxy.port}: it allows 10.0.0.0/8`), `${kind}: the proxy itself`)
    t.match(await by('loopback', '10.0.0.1'), /^AC_NOT_ALLOWED .*sends no load to 10.0.0.1, port/, `${kind}: an address`)
    t.match(await reach(network('loopback,10.0.0.1', { proxy: url }), { ...parseTarget(`http://10.0.0.1:${port}`), host: '010.0.0.1' }, { tunnels: true }), /^AC_NOT_ALLOWED/, `${kind}: what looks like an address`)
    t.match(await by('loopback', 'app.test', telling('10.0.0.1')), kind === 'http' ? /^AC_NOT_ALLOWED .*sends no load to app.test, port/ : /^AC_NOT_ALLOWED .*sends no load to app.test \(10.0.0.1\), port/, `${kind}: a name`)
    t.equal(proxy.asked.length, 2)
  }
  // It looks names up itself.
  const proxy = await rawProxy(t, 'socks5')
  const far = { ...network('loopback', { proxy: proxy.url().replace('socks5:', 'socks5h:') }) }
  t.match(await reach(far, parseTarget(`http://localhost:${port}`), { lookup: telling('127.0.0.1') }), /^AC_NOT_ALLOWED .*sends no load to localhost, port/)
  t.strictSame(proxy.asked, [])
})
