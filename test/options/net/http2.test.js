'use strict'

// What options may not say when requests go over HTTP/2.

const t = require('tap')
const { validate } = require('../../../lib/options/validate')
const { problemsIn } = require('../../helpers/options/problems')

const problemsOf = opts => problemsIn(() => validate({ url: 'http://a.test', http: '2', ...opts }))

const reason = 'is a connection-specific header, which HTTP/2 forbids (RFC 9113 §8.2.2): omit it, or use HTTP/1.1'

t.test('headers of a connection are refused where they stand, all at once', async t => {
  for (const name of ['Connection', 'keep-alive', 'PROXY-CONNECTION', 'Transfer-Encoding', 'upgrade', 'HTTP2-Settings']) {
    // Of any other coding there is more to say.
    const value = name === 'Transfer-Encoding' ? 'chunked' : 'x'
    t.strictSame(problemsOf({ headers: { [name]: value } }), [`headers: ${name} ${reason}`])
    t.strictSame(problemsOf({ requests: [{}, { headers: { accept: '*/*', [name]: value } }] }), [`requests[1].headers: ${name} ${reason}`])
    t.strictSame(problemsOf({ scenarios: [{ name: 'a', requests: [{}] }, { name: 'b', requests: [{}, { headers: [`${name}: ${value}`] }] }] }), [`scenarios[1].requests[1].headers: ${name} ${reason}`])
    t.strictSame(problemsOf({ http: '1.1', headers: { [name]: value } }), [], 'and are sent over HTTP/1.1')
  }
  t.equal(problemsOf({ headers: { connection: 'close', upgrade: 'x' }, requests: [{ headers: { 'keep-alive': 'x' } }, { headers: null }] }).length, 3)
})

t.test('headers of a connection are refused in a list of requests', async t => {
  const targets = (/** @type {string} */ name) => [{ url: '/' }, { url: '/x', headers: { 'x-a': '1', [name]: 'chunked' } }, { url: '/y', headers: { [name]: 'chunked' } }]
  t.strictSame(problemsOf({ targets: targets('Transfer-Encoding') }), [`targets: Transfer-Encoding ${reason}`])
  t.match(problemsOf({ targets: targets('TE') }), ['targets: TE may only be trailers over HTTP/2 (RFC 9113 §8.2.2), and is not checked in a list of requests: omit it'])
  t.strictSame(problemsOf({ http: '1.1', targets: targets('Connection') }), [])
})

t.test('TE may say trailers, and nothing else', async t => {
  t.strictSame(problemsOf({ headers: { TE: ' trailers' } }), [])
  t.strictSame(problemsOf({ headers: { TE: 'trailers, deflate' } }), ["headers: TE is 'trailers, deflate', and HTTP/2 allows only trailers there (RFC 9113 §8.2.2): omit it, or use HTTP/1.1"])
})

t.test('pseudo-headers are none that anybody gives', async t => {
  for (const http of ['1.1', '2']) {
    t.strictSame(problemsOf({ http, headers: { ':authority': 'b.test' } }), ["headers: ':authority' is not a header: HTTP/2 makes it of the method and the URL, or of a Host that is given"])
    t.strictSame(problemsOf({ http, headers: ':path: /x' }), ["headers: ':path' is not a header: HTTP/2 makes it of the method and the URL"])
    t.strictSame(problemsOf({ http, requests: [{ headers: { ':method': 'GET' } }] }), ["requests[0].headers: ':method' is not a header: HTTP/2 makes it of the method and the URL"])
  }
  t.strictSame(problemsOf({ headers: ':x' }), ["headers: expected name=value or \"name: value\", got ':x'"])
})

t.test('the version may be a number, as YAML reads it', async t => {
  t.equal(validate({ url: 'http://a.test', http: 2 }).values?.http ?? validate({ url: 'http://a.test', http: 2 }).http, '2')
  t.strictSame(problemsOf({ http: 1.1 }), [])
  t.strictSame(problemsOf({ http: 3 }), ['http: expected 1.1 or 2 or auto, got 3'])
  t.strictSame(problemsOf({ http1: true }), ['http1 and http: expected one of them, or both to be 1.1, got \'2\''])
  t.strictSame(problemsOf({ http: undefined, http1: true, http2: true }), ['http1 and http2: expected one of them'])
})
