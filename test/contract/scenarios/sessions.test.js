'use strict'

// Sessions of users: cookies that are kept, redirects that are followed, and what goes where because of them.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { closedPort, serve, valuesOf } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { answer, rawServer } = require('../../helpers/servers/raw-server')
const { byOurClient, byConnection, inAllModes, inModesOfUsers, overHttp1 } = require('../modes')

const [cert, key] = ['cert', 'key'].map(name => readFileSync(path.join(__dirname, `../../fixtures/tls/${name}.pem`)))

/** A shop that knows its visitors by a cookie. */
const shop = t => {
  let visitors = 0
  return serve(t, ({ url }, response) => {
    if (url === '/login') response.writeHead(302, { Location: '/home', 'Set-Cookie': [`id=${++visitors}; Path=/; HttpOnly`, 'place=door; Path=/login'] }).end('go on')
    else response.end('ok')
  })
}

const LOGIN = [{ method: 'POST', path: '/login', body: 'a=1', headers: { 'content-type': 'text/plain' }, name: 'login', expect: { status: 200 } }, { path: '/cart', name: 'cart' }]

inAllModes(t, 'cookies go back as a browser sends them, redirects are followed, and the named request has the whole way once', async (t, mode) => {
  const server = await shop(t)
  const result = await mode.run({ url: server.url, amount: 18, cookies: true, redirects: 5, headers: { cookie: 'theme=dark' }, requests: LOGIN })
  for (const requests of byConnection(server.requests)) {
    let id = ''
    for (const [i, request] of requests.entries()) {
      const cookies = valuesOf(request, 'cookie').join('|')
      t.equal(request.url, ['/login', '/home', '/cart'][i % 3])
      t.equal(request.method, i % 3 === 0 ? 'POST' : 'GET')
      t.equal(request.body, i % 3 === 0 ? 'a=1' : '')
      t.strictSame(valuesOf(request, 'content-type'), i % 3 === 2 ? [] : i % 3 === 0 ? ['text/plain'] : [])
      if (i === 0) t.equal(cookies, 'theme=dark')
      else if (i % 3 === 0) t.equal(cookies, `theme=dark; place=door; ${id}`)
      else t.match(cookies, /^theme=dark; id=\d+$/)
      id = cookies.replace(/^.*; /, '')
    }
  }
  const { login, cart } = result.byRequest
  t.equal(result.requests.sent, 18)
  t.equal(result.redirects, server.requests.filter(({ url }) => url === '/home').length)
  const others = result.series.map(({ non2xx, redirects = 0 }) => non2xx - redirects)
  t.ok(others.every(n => n === 0), 'a redirect that is followed is counted in the sample of its response')
  t.equal(result['3xx'], login.count + (server.requests.filter(({ url }) => url === '/login').length - login.count))
  t.strictSame(Object.keys(login.statusCodeStats), ['200'], 'the redirect is part of its way')
  t.equal(result['2xx'], login.count + cart.count)
  t.strictSame(result.checks.map(({ name, request, failed }) => ({ name, request, failed })), [{ name: 'expect', request: 'login', failed: 0 }, { name: 'redirect', request: 'login', failed: 0 }])
  conserves(t, result)
})

inAllModes(t, 'a user of a scenario is a new visitor in each iteration, unless told to keep its cookies', async (t, mode) => {
  const server = await shop(t)
  const scenarios = [{ requests: LOGIN }]
  const visits = () => byConnection(server.requests.splice(0)).map(requests => requests.filter(({ url }) => url === '/login').map(request => valuesOf(request, 'cookie').join()))
  await mode.run({ url: server.url, amount: 18, cookies: true, redirects: 1, scenarios })
  for (const cookies of visits()) t.ok(cookies.length > 1 && cookies.every(one => one === ''))
  await mode.run({ url: server.url, amount: 18, cookies: { keep: 'connection', start: { lang: 'de' } }, redirects: 1, scenarios })
  for (const [first, ...others] of visits()) {
    t.equal(first, 'lang=de')
    t.ok(others.length > 0 && others.every(one => /^place=door; lang=de; id=\d+$/.test(one)))
  }
  await mode.run({ url: server.url, amount: 18, cookies: { start: ['lang=de; Path=/login', 'old=1; Max-Age=0'] }, redirects: 1, scenarios }).catch(error => t.match(error.message, 'cookies.start[1]'))
  await mode.run({ url: server.url, amount: 18, cookies: { start: ['lang=de; Path=/login'] }, redirects: 1, scenarios })
  for (const cookies of visits()) t.ok(cookies.every(one => one === 'lang=de'))
})

byOurClient(t, 'another origin that is named is followed, without credentials, over a connection that stays', async (t, mode) => {
  const other = await serve(t, (request, response) => response.end('there'))
  const server = await serve(t, ({ url }, response) => {
    if (url === '/') response.writeHead(307, { Location: `${other.url}/there?a=1#part`, 'Set-Cookie': 'id=1' }).end()
    else response.end()
  })
  const headers = { authorization: 'Bearer x', 'proxy-authorization': 'y', cookie: 'own=1', host: 'shop.test', 'x-other': 'z' }
  const result = await mode.run({ url: [server.url, other.url], amount: 24, cookies: true, redirects: 1, headers, requests: [{ method: 'PUT', path: '/', body: 'x'.repeat(10) }, { path: '/home' }] })
  const arrived = other.requests.filter(({ url }) => url === '/there?a=1')
  t.ok(arrived.length > 0)
  for (const request of arrived) {
    t.equal(request.method, 'PUT')
    t.equal(request.body, 'x'.repeat(10))
    // Cookies know no ports (RFC 6265 §8.5).
    t.strictSame(['authorization', 'proxy-authorization', 'cookie', 'host', 'x-other'].map(name => valuesOf(request, name).join()), ['', '', 'id=1', other.url.slice('http://'.length), 'z'])
  }
  for (const request of server.requests) t.equal(valuesOf(request, 'host').join(), 'shop.test')
  t.equal(result.connect.totalCount, server.connections + other.connections)
  t.ok(server.connections <= 2 && other.connections <= 2 * 2, `${server.connections} and ${other.connections} connections`)
  conserves(t, result)
})

inModesOfUsers(t, 'another origin that is not named is not followed, which is a failed check, unless it may go anywhere', async (t, mode) => {
  const other = await serve(t)
  const server = await serve(t, (request, response) => response.writeHead(302, { Location: other.url }).end())
  const refused = await mode.run({ url: server.url, amount: 6, redirects: 3 })
  t.equal(other.requests.length, 0)
  t.equal(refused.redirects, 0)
  t.match(refused.checks, [{ name: 'redirect', request: null, passed: 0, failed: 6, reasons: { [`it leads to ${other.url}, which is not among the URLs: --origin ${other.url} allows it`]: 6 } }])
  t.equal(refused.failures, 6)
  conserves(t, refused)
  const followed = await mode.run({ url: server.url, amount: 6, redirects: 3, redirectsAnywhere: true })
  t.equal(followed.redirects, other.requests.length)
  t.ok(other.requests.length > 0)
  t.equal(followed.failures, 0)
  conserves(t, followed)
})

overHttp1(t, 'http leads to https', async (t, mode) => {
  const secure = await rawServer(t, answer('secure'), { tls: { cert, key } })
  const server = await serve(t, ({ url = '' }, response) => response.writeHead(308, { Location: secure.url + url.slice(1) }).end())
  const result = await mode.run({ url: [server.url], amount: 8, redirects: 1, redirectsAnywhere: true, tlsOptions: { ca: cert }, requests: [{ method: 'POST', path: '/form', body: 'a=1' }] })
  t.equal(result['2xx'], 4)
  t.equal(result['3xx'], 4)
  t.ok(secure.connections.every(({ requests }) => requests.every(({ head, body }) => head.startsWith('POST /form HTTP/1.1') && String(body) === 'a=1')))
  conserves(t, result)
})

inModesOfUsers(t, 'an origin without a listener aborts the iteration, and the run goes on', async (t, mode) => {
  const nowhere = `http://127.0.0.1:${await closedPort()}`
  const server = await serve(t, ({ url }, response) => url === '/out' ? response.writeHead(302, { Location: nowhere }).end() : response.end())
  const result = await mode.run({ url: server.url, amount: 12, redirects: 1, redirectsAnywhere: true, requests: [{ path: '/in' }, { path: '/out', name: 'out' }, { path: '/never' }] })
  t.strictSame(result.errorCodes, { ECONNREFUSED: 4 })
  t.strictSame(new Set(server.requests.map(({ url }) => url)), new Set(['/in', '/out']))
  t.match(result.byRequest.out, { count: 0, errors: 4 })
  t.match(result.iterations, { started: 4, completed: 0, cut: 4, cutBy: { ECONNREFUSED: 4 }, unfinished: 0 })
  conserves(t, result, { neverSent: 4 })
})

inModesOfUsers(t, 'on the command line', async (t, mode) => {
  const server = await shop(t)
  const workers = mode.workers === undefined ? [] : ['-w', String(mode.workers)]
  const { code, stdout } = await mode.cli(['-c', '2', '-a', '8', '--cookies', '--redirects', '2', '--json', ...workers, `${server.url}/login`])
  t.equal(code, 0)
  const result = JSON.parse(stdout)
  t.equal(result.redirects, 4)
  t.ok(byConnection(server.requests).every(requests => requests.every((request, i) => (valuesOf(request, 'cookie').length === 0) === (i === 0))))
  t.strictSame([result.options.cookies, result.options.redirects], [true, 2])
  conserves(t, result)
})
