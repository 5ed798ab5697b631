'use strict'

// What follows from a redirect, by RFC 9110 §15.4 and fetch, and what a hostile Location can't do.

const t = require('tap')
const { Redirects } = require('../../lib/users/redirect')
const { parseTarget } = require('../../lib/requests/target')
const { serialize } = require('../../lib/protocols/serialize')

const HOME = parseTarget('http://shop.test:8080/start?a=1')
const OTHER = parseTarget('https://login.test/')
const REQUEST = { method: 'GET', path: '/a/b?c', headers: [], body: null }

const rules = (anywhere = false) => new Redirects({ most: 5, anywhere }, [HOME, OTHER])

/** Where a Location leads, or why it is not followed. */
const leads = (location, { request = REQUEST, status = 302, target = HOME, anywhere = false } = {}) => {
  try {
    const { request: { method, path }, target: to } = rules(anywhere).follow(status, location, request, target, HOME)
    return `${method} ${to.tls ? 'https' : 'http'}://${to.authority} ${path}`
  } catch (error) {
    return error.message
  }
}

t.test('method and body', async t => {
  const headers = [['Content-Type', 'text/plain'], ['content-length', '1'], ['X-A', 'b'], ['Transfer-Encoding', 'chunked']]
  for (const [status, method, becomes] of [
    [301, 'GET', 'GET'], [301, 'HEAD', 'HEAD'], [301, 'POST', 'GET'], [301, 'PUT', 'PUT'],
    [302, 'POST', 'GET'], [302, 'DELETE', 'DELETE'],
    [303, 'GET', 'GET'], [303, 'HEAD', 'HEAD'], [303, 'POST', 'GET'], [303, 'PUT', 'GET'],
    [307, 'POST', 'POST'], [308, 'POST', 'POST'], [308, 'PUT', 'PUT']
  ]) {
    const { request } = rules().follow(status, '/x', { ...REQUEST, method, headers, body: 'x' }, HOME, HOME)
    const keeps = method === becomes
    t.strictSame(request, { method: becomes, path: '/x', headers: keeps ? headers : [['X-A', 'b']], body: keeps ? 'x' : null }, `${status} ${method}`)
  }
})

t.test('which answers are redirects', async t => {
  const at = (status, ...raw) => rules().locationOf(status, raw)
  for (const status of [301, 302, 303, 307, 308]) t.equal(at(status, 'LOCATION', '/x'), '/x', String(status))
  for (const status of [200, 201, 300, 304, 305, 306, 309, 399, 404]) t.equal(at(status, 'Location', '/x'), null, String(status))
  t.equal(at(302, 'Content-Length', '0'), null, 'one that leads nowhere is an answer')
  t.equal(at(302, 'Location', '/x', 'location', '/x'), '/x')
  t.throws(() => at(302, 'Location', '/x', 'location', '/y'), { message: 'it has several Location headers that differ' })
})

t.test('a Location is resolved as a browser does', async t => {
  for (const [location, expected] of [
    ['/x', '/x'], ['x?y', '/a/x?y'], ['../x', '/x'], ['?z', '/a/b?z'], ['#part', '/a/b?c'], ['', '/a/b?c'], ['/x#part', '/x'], ['  /x\t', '/x'],
    ['http://shop.test:8080', '/'], ['//SHOP.test:8080/x', '/x'], ['http:/x', '/x'], ['HTTP://shop.test:8080/x', '/x'],
    ['http://user:password@shop.test:8080/x', '/x'],
    // The bytes of é and of a space.
    ['/\xc3\xa9 x', '/%c3%a9%20x'],
    ['/{{secret}}/[<id>]', '/%7B%7Bsecret%7D%7D/[%3Cid%3E]']
  ]) t.equal(leads(location), `GET http://shop.test:8080 ${expected}`, location)
  t.equal(leads('x', { request: { ...REQUEST, path: null } }), 'GET http://shop.test:8080 /x', 'from the path of the target')
  t.equal(leads('https://login.test/x'), 'GET https://login.test /x', 'another origin that is named')
  t.equal(leads('//shop.test:8080/x', { target: OTHER }), 'it leads to https://shop.test:8080, which is not among the URLs: --origin https://shop.test:8080 allows it')
})

t.test('what is hostile or broken leads nowhere', async t => {
  for (const [location, reason] of [
    ['//evil', 'it leads to http://evil, which is not among the URLs: --origin http://evil allows it'],
    ['http:\\\\evil', 'it leads to http://evil, which is not among the URLs: --origin http://evil allows it'],
    ['\\\\evil\\x', 'it leads to http://evil, which is not among the URLs: --origin http://evil allows it'],
    ['http://[::1]:8080/', 'it leads to http://[::1]:8080, which is not among the URLs: --origin http://[::1]:8080 allows it'],
    ['http://shop.test/', 'it leads to http://shop.test, which is not among the URLs: --origin http://shop.test allows it'],
    ['https://shop.test:8080/', 'it leads to https://shop.test:8080, which is not among the URLs: --origin https://shop.test:8080 allows it'],
    ['javascript:alert(1)', 'it leads to javascript:, which is neither http nor https'],
    ['file:///etc/passwd', 'it leads to file:, which is neither http nor https'],
    ['http://shop.test:0/', 'it leads to port 0'],
    ['http://shop.test:99999/', 'its Location is not a URL'],
    ['http://', 'its Location is not a URL'],
    ['http://a b/', 'its Location is not a URL']
  ]) t.equal(leads(location), reason, location)
  t.equal(leads('http://[::1]:8080/', { anywhere: true }), 'GET http://[::1]:8080 /')
  t.equal(leads('http://shop.test:0/', { anywhere: true }), 'it leads to port 0')
  t.ok(leads('http://' + 'x'.repeat(60_000), { anywhere: true }).length < 200_000)
  t.ok(leads('http://' + 'x'.repeat(60_000)).length < 300)
  // Whatever it has in it, it is one request.
  for (const location of ['/x HTTP/1.1\r\nX: y\r\n\r\nGET /', '/x\0y', '/\x7f\x01', '/x?a=\r\nb']) {
    const { request } = rules().follow(302, location, REQUEST, HOME, HOME)
    const bytes = serialize(request, HOME).toString('latin1')
    t.match(bytes, /^GET \/[!-~]* HTTP\/1\.1\r\nHost: shop\.test:8080\r\nConnection: keep-alive\r\n\r\n$/, JSON.stringify(location))
  }
})

t.test('credentials stay with their origin', async t => {
  const headers = [['Authorization', 'a'], ['cookie', 'b'], ['Proxy-Authorization', 'c'], ['Host', 'd'], ['Accept', 'e']]
  const follow = location => rules(true).follow(307, location, { ...REQUEST, headers }, HOME, HOME).request.headers
  t.strictSame(follow('/x'), headers)
  t.strictSame(follow('https://login.test/x'), [['Accept', 'e']])
  const tlsOptions = { ca: 'authority', cert: 'certificate', key: 'key', passphrase: 'word', pfx: 'store' }
  const own = parseTarget('https://a.test', { tlsOptions, socketPath: '/s' })
  const { target } = new Redirects({ most: 1, anywhere: true }, [own]).follow(302, 'https://b.test', REQUEST, own, own)
  t.strictSame(target.tlsOptions, { ca: 'authority' })
  t.equal(target.socketPath, '/s')
  t.equal(target.servername, 'b.test')
})

t.test('origins without end take no memory', async t => {
  const redirects = rules(true)
  for (let i = 0; i < 1000; i++) redirects.follow(302, `http://h${i}.test/`, REQUEST, HOME, HOME)
  t.ok(redirects.met.size <= 100)
})
