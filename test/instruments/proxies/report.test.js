'use strict'

// What is said of a proxy beside the figures.

const t = require('tap')
const { findings } = require('../../../lib/instruments/proxies/findings')
const { noteOf } = require('../../../lib/words/findings')
const { commandOf } = require('../../../lib/report/html/command')
const { transportSentence } = require('../../../lib/instruments/proxies/report')
const { hints } = require('../../../lib/report/findings')

const PROXY = { connect: { totalCount: 1 }, errors: [], refused: 0 }

for (const [what, result, notes] of [
  ['nothing without one', { errorCodes: { AC_CLOSED: 1 }, statusCodeStats: { 502: { count: 1 } } }, []],
  ['nothing where all is well', { proxy: PROXY, statusCodeStats: { 200: { count: 1 }, 500: { count: 1 } } }, []],
  ['its words, and how often', { proxy: { errors: [{ code: 'AC_PROXY_AUTH', message: 'the proxy http://p:1 answered with 407', count: 1200 }, { code: 'AC_PROXY_CONNECT', message: 'no connection to \u001b[2Jit', count: 1 }] } },
    ['The proxy http://p:1 answered with 407 (1,200 times).', 'No connection to \\x1b[2Jit (once).']],
  ['not all of many', { proxy: { errors: ['a', 'b', 'c', 'd', 'e'].map(message => ({ code: 'AC_PROXY_REFUSED', message, count: 1 })) } }, ['A (once).', 'B (once).', 'C (once).', 'There were 2 more errors of other words at the proxy: see proxy.errors of the result.']],
  ['what it wants', { requests: { total: 3 }, proxy: { ...PROXY, refused: 2 }, options: { proxy: 'http://***@p:1' } }, ['2 responses were 407: the proxy http://***@p:1 does not take the user and password of its URL.']],
  ['that it wants something', { requests: { total: 3 }, proxy: { ...PROXY, refused: 2 }, options: { proxy: 'http://p:1' } }, ['2 responses were 407: the proxy http://p:1 requires credentials, or rejected them; set user and password in its URL.']],
  ['nothing of what a server answers in a tunnel', { proxy: PROXY, options: { proxy: 'http://p:1' }, statusCodeStats: { 407: { count: 2 } } }, []],
  ['that none was used', { options: { proxy: 'env' } }, ['No proxy was used: http_proxy, https_proxy and all_proxy name none for this server, or no_proxy excludes it. HTTP_PROXY is not read.']],
  ['what can not be told', { proxy: PROXY, options: { proxy: 'env' }, errorCodes: { ECONNRESET: 2, UND_ERR_SOCKET: 1, AC_TIMEOUT: 1 }, statusCodeStats: { 502: { count: 2 }, 504: { count: 1 } } }, ['ECONNRESET, UND_ERR_SOCKET, AC_TIMEOUT, 502, 504 may come from the proxy of the environment or from the server.']]
]) t.test(what, async t => t.strictSame(findings(result).map(finding => noteOf(finding).text), notes))

t.test('the page has the flags of the ways to the server', async t => {
  const { command, hidden } = commandOf({ proxy: 'socks5h://***@p:1', connectTo: ['::a:', ':1:::2'], resolve: ['a:1:::1'], localAddress: ['127.0.0.2', '127.0.0.3'], ipv4: true, url: 'http://a' })
  t.equal(command, "autocannon --proxy 'socks5h://***@p:1' --connect-to ::a: --connect-to :1:::2 --resolve a:1:::1 --local-address 127.0.0.2,127.0.0.3 --ipv4 http://a")
  t.strictSame(hidden, ['user and password of the proxy'])
})

t.test('the way of the requests', async t => {
  t.equal(transportSentence({ http: '2', client: 'undici', proxy: PROXY, options: { proxy: 'socks5://***@p:1' } }), 'Sent over HTTP/2, by undici, through the proxy socks5://***@p:1')
  t.equal(transportSentence({ http: '2' }), 'Sent over HTTP/2')
})

t.test('the server is not blamed', async t => {
  const nothing = (errorCodes, proxy = PROXY) => hints({ url: 'http://a', requests: { total: 0 }, errors: 1, errorCodes, proxy })[0].text
  t.equal(nothing({ AC_PROXY_REFUSED: 1 }), 'No response from http://a: no connection came about through the proxy.')
  t.equal(nothing({ AC_TUNNEL_CLOSED: 1 }), 'No response from http://a: no connection came about through the proxy.')
  t.equal(nothing({ AC_CLOSED: 1 }), 'No response from http://a: the proxy or the server ends connections without a response.')
  t.equal(nothing({ UND_ERR_SOCKET: 1 }), 'No response from http://a: the proxy or the server ends connections without a response.')
  t.equal(nothing({ AC_TLS_ALERT: 1 }), 'No response from http://a: the proxy or the server expects TLS. For a proxy that does, write https:// in front of it.')
  t.equal(nothing({ AC_STATUS_LINE: 1 }), 'No response from http://a: the proxy or the server does not speak HTTP/1.1.')
  t.equal(nothing({ AC_H2_SILENT: 1 }), 'No response from http://a: through the proxy connections come about, and HTTP/2 does not begin.')
  t.equal(nothing({ AC_CONNECT_TIMEOUT: 1 }), 'No response from http://a: the proxy makes tunnels, and no TLS handshake in one was done.')
  const named = (code, options, more) => hints({ url: 'http://a', requests: { total: 0 }, errors: 1, errorCodes: { [code]: 1 }, options, proxy: PROXY, ...more })[0].text
  const HERE = ' It is resolved here: use socks5h:// instead of socks5:// to let the proxy resolve it.'
  t.equal(named('ENOTFOUND', { proxy: 'socks5://***@p:1' }), `No response from http://a: is the name of the host right?${HERE}`)
  t.equal(named('EAI_AGAIN', { proxy: 'env' }), `No response from http://a: no name server responds. --resolve HOST:PORT:ADDR sets an address without one.${HERE}`)
  t.notMatch(named('ENOTFOUND', { proxy: 'env' }, { proxy: undefined }), 'socks5h')
  t.match(hints({ url: 'http://a', requests: { total: 0 }, errors: 1, errorCodes: { AC_CLOSED: 1 } })[0].text, 'If it expects TLS', 'without a proxy it is')
  t.match(hints({ url: 'http://a', requests: { total: 0 }, errors: 1, errorCodes: { AC_CONNECT_TIMEOUT: 1 }, options: { timeout: 10, connectTimeout: 0.5 } })[0].text, /timed out after 0\.5 s\. .* raise --connect-timeout\.$/)
})
