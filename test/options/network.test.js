'use strict'

// What options say of the ways to a server.

const t = require('tap')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')

/** @param {Record<string, unknown>} opts */
const planOf = opts => buildPlan(validate({ url: 'http://a.test', ...opts }).values)

/** @param {Record<string, unknown>} opts */
function problemsOf (opts) {
  try {
    validate({ url: 'http://a.test', ...opts })
    return []
  } catch (error) {
    return error.problems
  }
}

t.test('a run that says nothing of it has no network, and the timeout to connect', async t => {
  t.equal(planOf({}).network, null)
  t.equal(planOf({ timeout: 3 }).connectTimeout, 3000)
  t.equal(planOf({ timeout: 3, connectTimeout: '500ms' }).connectTimeout, 500)
})

t.test('as curl writes it', async t => {
  const { network } = planOf({
    url: ['http://a.test', 'https://[2001:db8::1]'],
    connectTo: ['A.test:80:b.test:8080', '[2001:DB8:0::1]:443:[::1]:8443', '::127.0.0.1:', 'a.test:::9'],
    resolve: ['a.test:80:127.0.0.1,[::1]', '+b.test:8080:::2', '*:443:10.0.0.1'],
    dns: 'each'
  })
  t.strictSame(network.connectTo, [
    { host: 'a.test', port: 80, toHost: 'b.test', toPort: 8080 },
    { host: '2001:db8::1', port: 443, toHost: '::1', toPort: 8443 },
    { host: null, port: null, toHost: '127.0.0.1', toPort: null },
    { host: 'a.test', port: null, toHost: null, toPort: 9 }
  ])
  t.strictSame(network.names, {
    family: 0,
    once: false,
    resolve: [
      { host: 'a.test', port: 80, addresses: ['127.0.0.1', '::1'] },
      { host: 'b.test', port: 8080, addresses: ['::2'] },
      { host: '*', port: 443, addresses: ['10.0.0.1'] }
    ]
  })
  t.equal(network.named, true, 'b.test')
  t.equal(planOf({ connectTo: '::127.0.0.1:9' }).network.named, false)
})

t.test('connections have the family of what they come from', async t => {
  t.equal(planOf({ ipv6: true }).network.names.family, 6)
  t.equal(planOf({ localAddress: '127.0.0.2, 127.0.0.3' }).network.names.family, 4)
  t.strictSame(planOf({ localAddress: ['[::1]'] }).network, { connectTo: [], named: false, names: { family: 6, once: true, resolve: [] }, localAddresses: ['::1'] })
})

for (const [what, opts, problems] of [
  ['too few parts', { connectTo: 'a:80' }, ["connectTo: expected HOST:PORT:ADDR:PORT, parts of which may be empty and an IPv6 address stands in brackets, got 'a:80'"]],
  ['an IPv6 address without brackets', { connectTo: '::1:80:b:80' }, ["connectTo: expected HOST:PORT:ADDR:PORT, parts of which may be empty and an IPv6 address stands in brackets, got '::1:80:b:80'"]],
  ['no port', { connectTo: 'a:0:b:1' }, ["connectTo: expected a port from 1 to 65535, got 0 in 'a:0:b:1'"]],
  ['no host', { connectTo: 'a b:1:b:1' }, ["connectTo: expected a host, got 'a b' in 'a b:1:b:1'"]],
  ['a number', { connectTo: 5 }, ['connectTo: expected a text, got 5']],
  ['a name for a name', { resolve: 'a.test:80:b.test' }, ["resolve: expected an IPv4 or IPv6 address, got 'b.test' in 'a.test:80:b.test'"]],
  ['what takes a resolution back', { resolve: '-a.test:80' }, ["resolve: expected HOST:PORT:ADDR, such as example.com:443:127.0.0.1, got '-a.test:80'"]],
  ['a name as the local address', { localAddress: 'eth0' }, ["localAddress: expected an IPv4 or IPv6 address, got 'eth0'"]],
  ['another port', { connectTo: 'a.test:443::8443', resolve: 'a.test:8080:127.0.0.1' }, ["connectTo: 'a.test:443::8443' is about no server of the run, which is a.test:80", "resolve: 'a.test:8080:127.0.0.1' is about no server of the run, which is a.test:80"]],
  ['both families', { ipv4: true, ipv6: true }, ['ipv4 and ipv6: leave both out to use either']],
  ['local addresses of both', { localAddress: '127.0.0.1,::1' }, ['localAddress: expected addresses of IPv4, as 127.0.0.1 is one, got ::1']],
  ['a local address of the other', { localAddress: '127.0.0.1', ipv6: true }, ['localAddress: expected addresses of IPv6, as ipv6 says, got 127.0.0.1']],
  ['an address of the other', { url: 'http://[::1]:3000', ipv4: true }, ['ipv4: ::1:3000 has no IPv4 address: ::1']],
  ['a resolution of the other', { resolve: 'a.test:80:::1', localAddress: '127.0.0.2' }, ['localAddress: a.test:80 has no IPv4 address: ::1']],
  ['a Unix socket', { socketPath: '/a', resolve: 'a.test:80:::1', ipv4: true }, ['resolve and socketPath: a Unix socket or pipe has no address; use one of them', 'ipv4 and socketPath: a Unix socket or pipe has no address; use one of them']]
]) t.test(`refuses ${what}`, async t => t.strictSame(problemsOf(opts), problems))

t.test('one of several ports of a host is enough, and who follows redirects anywhere may get to any server', async t => {
  t.strictSame(problemsOf({ resolve: ['a.test:80:127.0.0.1', 'a.test:443:127.0.0.1'] }), [])
  t.strictSame(problemsOf({ connectTo: 'a.test::b.test:8080', resolve: 'b.test:8080:127.0.0.1' }), [], 'where connections are led')
  t.strictSame(problemsOf({ resolve: 'z.test:80:127.0.0.1', redirects: 3, redirectsAnywhere: true }), [])
})
