'use strict'

// Who may ask a live page for what.

const t = require('tap')
const { admit } = require('../../../lib/follow/page/guard')

const TOKEN = 'aaaaaaaaaaaaaaaaaaaaaa'
const rules = { token: TOKEN, names: new Set(['localhost', '127.0.0.1', '::1']), anyAddress: false }

/**
 * @param {string} line method and path
 * @param {Record<string, string | string[]>} [headers]
 * @param {Partial<typeof rules>} [more]
 * @returns {string | number} the route, or the status
 */
function asked (line, headers = {}, more = {}) {
  const [method, url] = line.split(' ')
  const all = { host: '127.0.0.1:8080', ...headers }
  const admission = admit({ method, url, headersDistinct: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value].flat()])) }, { ...rules, ...more })
  return 'route' in admission ? admission.route : admission.status
}

t.test('what is below the token is there, by its method', async t => {
  t.equal(asked(`GET /${TOKEN}/`), 'page')
  t.equal(asked(`GET /${TOKEN}`), 'page')
  t.equal(asked(`GET /${TOKEN}/?from=chat`), 'page')
  t.equal(asked(`HEAD /${TOKEN}/`), 'page')
  t.equal(asked(`GET /${TOKEN}/events`), 'events')
  t.equal(asked(`GET /${TOKEN}/report.html`), 'report')
  t.equal(asked(`POST /${TOKEN}/stop`, { origin: 'http://127.0.0.1:8080' }), 'stop')
  for (const line of [`GET /${TOKEN}/stop`, `POST /${TOKEN}/`, `PUT /${TOKEN}/stop`, `OPTIONS /${TOKEN}/stop`, `DELETE /${TOKEN}/events`]) t.equal(asked(line), 405, line)
})

t.test('nothing else is', async t => {
  for (const url of ['/', '', '*', '/events', `/${TOKEN.slice(1)}/`, `/${TOKEN}a/`, `/${TOKEN.toUpperCase()}/`, `/${TOKEN}/x`, `/${TOKEN}/events/`, `/${TOKEN}//events`, `//${TOKEN}/`, `/x/../${TOKEN}/`,
    `/${TOKEN}/../../etc/passwd`, `/${TOKEN}/..%2f..%2fetc%2fpasswd`, `/${TOKEN}/constructor`, `/${TOKEN}/__proto__`, `/${TOKEN}/toString`, `http://127.0.0.1:8080/${TOKEN}/`, `/?/${TOKEN}/`, `/${TOKEN}\0/`]) t.equal(asked(`GET ${url}`), 404, url)
})

t.test('a name that means this machine all of a sudden is none of ours', async t => {
  for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example', 'localhost.', '', '127.0.0.1:8080@evil.example', 'evil@127.0.0.1', '127.0.0.1:8080:8080', '[::1', '::1', '0x7f.1', '2130706433', 'ns.localhost', '127.0.0.1/', '10.0.0.5:8080', '[fe80::1]:8080']) {
    t.equal(asked(`GET /${TOKEN}/`, { host }), 403, host)
  }
  t.equal(asked(`GET /${TOKEN}/`, { host: ['127.0.0.1', 'evil.example'] }), 403, 'two')
  t.equal(asked(`GET /${TOKEN}/`, { host: [] }), 403, 'none')
  t.equal(asked('GET /', { host: 'evil.example' }), 403, 'it does not hear whether its path is right')
  for (const host of ['localhost', 'LOCALHOST:9000', '127.0.0.1', '[::1]:8080', '[::1]']) t.equal(asked(`GET /${TOKEN}/`, { host }), 'page', host)
})

t.test('where other machines come, any address is a name, and no other name', async t => {
  const remote = { anyAddress: true, names: new Set(['localhost', 'bench-7']) }
  for (const host of ['10.0.0.5:8080', '203.0.113.9', '[2001:db8::1]:8080', 'bench-7:8080']) t.equal(asked(`GET /${TOKEN}/`, { host }, remote), 'page', host)
  for (const host of ['evil.example', 'bench-7.evil.example', '10.0.0.5.evil.example', '10.0.0.5:8080.evil.example']) t.equal(asked(`GET /${TOKEN}/`, { host }, remote), 403, host)
})

t.test('a page of another origin can neither stop the run nor read it', async t => {
  const stop = `POST /${TOKEN}/stop`
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:9999', 'https://127.0.0.1:8080', 'http://localhost:8080', 'http://127.0.0.1:8080.evil.example', ['http://127.0.0.1:8080', 'http://evil.example'], []]) t.equal(asked(stop, { origin }), 403, String(origin))
  for (const site of ['cross-site', 'same-site', 'none']) {
    t.equal(asked(stop, { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': site }), 403, site)
    t.equal(asked(`GET /${TOKEN}/events`, { 'sec-fetch-site': site }), 403, site)
  }
  t.equal(asked(`GET /${TOKEN}/report.html`, { 'sec-fetch-site': 'cross-site' }), 403)
  t.equal(asked(`GET /${TOKEN}/events`, { origin: 'http://evil.example' }), 403)
  t.equal(asked(`GET /${TOKEN}/`, { 'sec-fetch-site': 'cross-site' }), 'page', 'a link in a chat is followed')
  t.equal(asked(`GET /${TOKEN}/events`, { 'sec-fetch-site': 'same-origin' }), 'events')
})
