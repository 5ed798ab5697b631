'use strict'

// What options say of the ways to a server.

const t = require('tap')
const { printedConfig } = require('../../../lib/cli/config/print-config')
const { buildPlan } = require('../../../lib/options/plan')
const { validate } = require('../../../lib/options/validate')
const { routeTo } = require('../../../lib/net/route')
const { problemsIn } = require('../../helpers/options/problems')

/** @param {Record<string, unknown>} opts */
const planOf = (opts, env = {}) => buildPlan(validate({ url: 'http://a.test', ...opts }, undefined, undefined, env).values)

const problemsOf = opts => problemsIn(() => validate({ url: 'http://a.test', ...opts }))

t.test('a run that says nothing of it has no network, and the timeout to connect', async t => {
  t.equal(planOf({}).network, null)
  t.equal(planOf({ timeout: 3 }).connectTimeout, 3000)
  t.equal(planOf({ timeout: 3, connectTimeout: '500ms' }).connectTimeout, 500)
})

t.test('as curl writes it', async t => {
  const { network } = planOf({
    url: ['http://a.test', 'https://[2001:db8::1]'],
    connectTo: ['A.test:80:b.test:8080', '[2001:DB8:0::1]:443:[::1]:8443', '::127.0.0.1:', 'a.test:::9'],
    resolve: ['b.test:8080:127.0.0.1,[::1]', '+B.test:8080:::2', '*:8443:10.0.0.1'],
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
      { host: 'b.test', port: 8080, addresses: ['127.0.0.1', '::1'] },
      { host: 'b.test', port: 8080, addresses: ['::2'] },
      { host: '*', port: 8443, addresses: ['10.0.0.1'] }
    ]
  })
  t.equal(network.named, true, 'b.test')
  t.equal(planOf({ connectTo: '::127.0.0.1:9' }).network.named, false)
})

t.test('connections have the family of what they come from', async t => {
  t.equal(planOf({ ipv6: true }).network.names.family, 6)
  t.equal(planOf({ localAddress: '127.0.0.2, 127.0.0.3' }).network.names.family, 4)
  t.strictSame(planOf({ localAddress: ['[::1]'] }).network, { proxies: null, connectTo: [], named: false, names: { family: 6, once: true, resolve: [] }, localAddresses: ['::1'] })
})

for (const [what, opts, problems] of [
  ['too few parts', { connectTo: 'a:80' }, ["connectTo: expected HOST:PORT:ADDR:PORT, parts of which may be empty, with an IPv6 address in brackets, got 'a:80'"]],
  ['an IPv6 address without brackets', { connectTo: '::1:80:b:80' }, ["connectTo: expected HOST:PORT:ADDR:PORT, parts of which may be empty, with an IPv6 address in brackets, got '::1:80:b:80'"]],
  ['no port', { connectTo: 'a:0:b:1' }, ["connectTo: expected a port from 1 to 65535, got 0 in 'a:0:b:1'"]],
  ['no host', { connectTo: 'a b:1:b:1' }, ["connectTo: expected a host, got 'a b' in 'a b:1:b:1'"]],
  ['a number', { connectTo: 5 }, ['connectTo: expected a text, got 5']],
  ['a name for a name', { resolve: 'a.test:80:b.test' }, ["resolve: expected an IPv4 or IPv6 address, got 'b.test' in 'a.test:80:b.test'"]],
  ['what takes a resolution back', { resolve: '-a.test:80' }, ["resolve: expected HOST:PORT:ADDR, such as example.com:443:127.0.0.1, got '-a.test:80'"]],
  ['a name as the local address', { localAddress: 'eth0' }, ["localAddress: expected an IPv4 or IPv6 address, got 'eth0'"]],
  ['another port', { connectTo: 'a.test:443::8443', resolve: 'a.test:8080:127.0.0.1' }, ["connectTo: 'a.test:443::8443' is about no server of the run, which is a.test:80", "resolve: 'a.test:8080:127.0.0.1' is about no server of the run, which is a.test:80"]],
  ['both families', { ipv4: true, ipv6: true }, ['ipv4 and ipv6: omit both to use either']],
  ['local addresses of both', { localAddress: '127.0.0.1,::1' }, ['localAddress: expected addresses of IPv4, as 127.0.0.1 is one, got ::1']],
  ['a local address of the other', { localAddress: '127.0.0.1', ipv6: true }, ['localAddress: expected addresses of IPv6, as ipv6 says, got 127.0.0.1']],
  ['an address of the other', { url: 'http://[::1]:3000', ipv4: true }, ['ipv4: ::1:3000 has no IPv4 address: ::1']],
  ['a resolution of the other', { resolve: 'a.test:80:::1', localAddress: '127.0.0.2' }, ['localAddress: a.test:80 has no IPv4 address: ::1']],
  ['a proxy of the other', { proxy: 'http://[::1]:3128', ipv4: true }, ['ipv4: ::1:3128 has no IPv4 address: ::1']],
  ['a resolution of the proxy of the other', { proxy: 'http://p.test:3128', resolve: 'p.test:3128:::1', ipv4: true }, ['ipv4: p.test:3128 has no IPv4 address: ::1']],
  ['a resolution of the other for a proxy that is given addresses', { proxy: 'socks5://127.0.0.1', resolve: 'a.test:80:::1', ipv4: true }, ['ipv4: a.test:80 has no IPv4 address: ::1']],
  ['a resolution of the other for where redirects may lead', { redirects: 1, redirectsAnywhere: true, resolve: 'b.test:80:127.0.0.1', ipv6: true }, ['ipv6: b.test:80 has no IPv6 address: 127.0.0.1']],
  ...['http://p.test:3128', 'https://p.test:3128', 'socks5h://p.test:3128'].map(proxy => [`a resolution behind ${proxy}, which looks names up itself`, { proxy, resolve: 'a.test:80:127.0.0.9,[::1]' },
    [`resolve: 'a.test:80:127.0.0.9,[::1]' changes nothing, as the proxy ${proxy} looks up names itself: connectTo a.test:80:127.0.0.9: leads a tunnel there`]]),
  ['a resolution of any name there', { proxy: 'http://p.test:3128', resolve: '*:80:::1' }, ["resolve: '*:80:::1' changes nothing, as the proxy http://p.test:3128 looks up names itself: connectTo :80:[::1]: leads a tunnel there"]],
  ['a resolution of where a tunnel leads', { proxy: 'socks5h://p.test', connectTo: 'a.test:80:b.test:81', resolve: 'b.test:81:::1' }, ["resolve: 'b.test:81:::1' changes nothing, as the proxy socks5h://p.test:1080 looks up names itself: connectTo b.test:81:[::1]: leads a tunnel there"]],
  ['a resolution of where redirects may lead behind one', { proxy: 'http://p.test:3128', redirects: 1, redirectsAnywhere: true, resolve: 'b.test:80:127.0.0.1' }, ["resolve: 'b.test:80:127.0.0.1' changes nothing, as the proxy http://p.test:3128 looks up names itself: connectTo b.test:80:127.0.0.1: leads a tunnel there"]],
  ['a resolution of what is connected to elsewhere', { connectTo: 'a.test:80:b.test:81', resolve: 'a.test:80:::1' }, ["resolve: 'a.test:80:::1' changes nothing, as connectTo leads a.test:80 to b.test:81"]],
  ['how often names are looked up that are not looked up here', { proxy: 'http://127.0.0.1:3128', dns: 'each' }, ['dns each changes nothing, as the proxy http://127.0.0.1:3128 looks up names itself']],
  ['a Unix socket and how often names are looked up', { socketPath: '/a', dns: 'each' }, ['dns and socketPath: a Unix socket or pipe has no address; use one of them']],
  ['a Unix socket', { socketPath: '/a', resolve: 'a.test:80:::1', ipv4: true }, ['resolve and socketPath: a Unix socket or pipe has no address; use one of them', 'ipv4 and socketPath: a Unix socket or pipe has no address; use one of them']]
]) t.test(`refuses ${what}`, async t => t.strictSame(problemsOf(opts), problems))

/** @param {string} url @param {Record<string, string>} [env] */
const proxiesOf = (url, env) => planOf({ proxy: url }, env).network.proxies

t.test('proxies are called as in curl', async t => {
  for (const [url, proxy] of [
    ['http://Proxy.test', { shown: 'http://proxy.test:1080', kind: 'http', tls: false, host: 'proxy.test', port: 1080, authorization: null }],
    ['proxy.test:3128', { shown: 'http://proxy.test:3128', kind: 'http' }],
    ['http://proxy.test:80/', { shown: 'http://proxy.test:80', port: 80 }],
    ['https://me:p%40ss@[::1]', { shown: 'https://[::1]:443', kind: 'http', tls: true, host: '::1', port: 443, authorization: `Basic ${btoa('me:p@ss')}`, credentials: null }],
    ['socks5://me@10.0.0.1', { shown: 'socks5://10.0.0.1:1080', kind: 'socks', resolves: false, authorization: null, credentials: { user: 'me', password: '' } }],
    ['SOCKS5H://h:9', { shown: 'socks5h://h:9', kind: 'socks', resolves: true, credentials: null }]
  ]) t.match(proxiesOf(url), { http: proxy, https: proxy, except: [] }, url)
  t.equal(planOf({ proxy: 'http://proxy.test' }).network.named, true)
})

t.test('the environment says it when it is asked', async t => {
  const shown = (env) => {
    const { http, https, except } = proxiesOf('env', env)
    return [http?.shown ?? null, https?.shown ?? null, ...except]
  }
  t.strictSame(shown({}), [null, null])
  t.strictSame(shown({ http_proxy: 'a:1', HTTPS_PROXY: 'https://b:2', all_proxy: 'c:3' }), ['http://a:1', 'https://b:2'])
  t.strictSame(shown({ HTTP_PROXY: 'a:1', ALL_PROXY: 'socks5://c:3' }), ['socks5://c:3', 'socks5://c:3'], 'as in curl, HTTP_PROXY is not looked at')
  t.strictSame(shown({ http_proxy: '', no_proxy: ' .A.test, b.test. 10.0.0.0/8,[::1] ' }), [null, null, 'a.test', 'b.test', '10.0.0.0/8', '[::1]'])
  t.throws(() => proxiesOf('env', { https_proxy: 'ftp://me:secret@x' }), { message: "proxy: the environment variable https_proxy: expected a proxy of http, https, socks5, socks5h, got 'ftp://***@x'" })
  t.equal(planOf({}).network, null, 'and only then')
})

t.test('what is connected to without a proxy', async t => {
  const proxies = { http: 'plain', https: 'secure', except: ['a.test', '10.0.0.0/9', '::1', '2001:db8::/33', '127.0.0.1'] }
  for (const [host, through] of [['a.test', false], ['b.a.test', false], ['ba.test', true], ['10.127.0.1', false], ['10.128.0.1', true], ['127.0.0.1', false], ['127.0.0.2', true], ['::1', false], ['::2', true], ['2001:db8:7fff::1', false], ['2001:db8:8000::1', true], ['10.0.0.0.test', true]]) {
    for (const tls of [false, true]) t.equal(routeTo({ proxies, connectTo: [] }, { host, port: 80, tls }).proxy, through ? tls ? 'secure' : 'plain' : null, host)
  }
  t.equal(routeTo({ proxies: { ...proxies, except: ['*'] }, connectTo: [] }, { host: 'x', port: 80, tls: false }).proxy, null)
})

for (const [what, proxy, problem] of [
  ['another scheme', 'ftp://me:secret@x', "proxy: expected a proxy of http, https, socks5, socks5h, got 'ftp://***@x'"],
  ['no URL', 'http://me:secret@', "proxy: expected the URL of a proxy such as http://proxy:3128, got 'http://***@'"],
  ['a path', 'http://me:secret@x/y', "proxy: expected the URL of a proxy without a path, got 'http://***@x/y'"],
  ...['me:se/cret', 'me:1/cret', 'se#cret', 'me:5?cret', 'me:99999/c@ret'].map(userinfo => [`a password such as ${userinfo}`, `http://${userinfo}@x:1`, "proxy: expected the URL of a proxy such as http://proxy:3128, got 'http://***@x:1': in a user or password, / ? # are written as %2F %3F %23"]),
  ['half a character', 'http://me:%zz@x', "proxy: 'http://***@x' has a % in its user or password that starts no encoded character: write it as %25"],
  ['what SOCKS5 can not say', `socks5://${'u'.repeat(256)}:p@x`, "proxy: 'socks5://***@x' has a user or password of more than 255 bytes, which SOCKS5 cannot send"],
  ['a number', 3128, 'proxy: expected the URL of a proxy such as http://proxy:3128, or env, got 3128']
]) t.test(`refuses a proxy that is ${what}`, async t => t.strictSame(problemsOf({ proxy }), [problem]))

t.test('one of several ports of a host is enough, and who follows redirects anywhere may get to any server', async t => {
  t.strictSame(problemsOf({ resolve: ['a.test:80:127.0.0.1', 'a.test:443:127.0.0.1'] }), [])
  t.strictSame(problemsOf({ connectTo: 'a.test::b.test:8080', resolve: 'b.test:8080:127.0.0.1' }), [], 'where connections are led')
  t.strictSame(problemsOf({ resolve: 'z.test:80:127.0.0.1', redirects: 3, redirectsAnywhere: true }), [])
})

t.test('names that are looked up here may be given behind a proxy', async t => {
  for (const opts of [
    { proxy: 'socks5://p.test', resolve: 'a.test:80:127.0.0.9' },
    { proxy: 'http://p.test:3128', resolve: 'p.test:3128:127.0.0.9', dns: 'each' },
    { proxy: 'socks5://127.0.0.1', resolve: 'b.test:80:127.0.0.1', redirects: 1, redirectsAnywhere: true },
    { proxy: 'socks5://127.0.0.1', dns: 'each' }
  ]) t.strictSame(problemsOf(opts), [])
  t.intercept(process, 'env', { value: { http_proxy: 'p.test:3128', no_proxy: 'a.test' } })
  t.strictSame(problemsOf({ proxy: 'env', resolve: 'a.test:80:127.0.0.9' }), [], 'no_proxy')
  t.strictSame(problemsOf({ proxy: 'env', url: 'https://b.test', resolve: 'b.test:443:127.0.0.9' }), [], 'no proxy of https')
})

t.test('what counts for a family is what a connection is made to', async t => {
  t.strictSame(problemsOf({ url: 'http://[::1]', proxy: 'http://127.0.0.1:3128', ipv4: true }), [], 'the proxy')
  t.strictSame(problemsOf({ resolve: ['a.test:80:::1', 'a.test:80:127.0.0.1'], ipv4: true }), [], 'the last resolution')
})

t.test('--print-config hides the credentials of a proxy', async t => {
  for (const [proxy, shown] of [['http://me:secret@p:1', 'http://***@p:1'], ['me:secret@p:1', '***@p:1'], ['env', 'env']]) {
    const raw = { url: 'http://a.test', proxy }
    t.equal(JSON.parse(printedConfig(validate(raw).values, raw)).proxy, shown)
  }
})
