'use strict'

const t = require('tap')
const { describeOptions } = require('../../lib/options/describe')
const { validate } = require('../../lib/options/validate')

/** @param {Record<string, any>} given */
const described = given => describeOptions({ url: 'http://localhost:3000', ...given }, validate({ url: 'http://localhost:3000', ...given }).values)

t.test('shows the given options, and only the most important defaults', async t => {
  t.strictSame(described({}), { url: ['http://localhost:3000'], connections: 10, pipelining: 1, duration: 10, timeout: 10 })
  t.strictSame(described({ url: 'localhost:3000/a', amount: 5, rate: '100', method: 'post', body: Buffer.from('hello'), headers: { Accept: 'text/plain' }, idReplacement: true, title: 'x' }), {
    url: ['http://localhost:3000/a'], connections: 10, pipelining: 1, amount: 5, method: 'POST', body: '[5 bytes]', headers: [['Accept', '***']], idReplacement: true, timeout: 10, rate: 100
  })
})

t.test('tells no secret', async t => {
  const told = JSON.stringify(described({
    url: 'http://s3cret:s3cret@localhost:3000',
    headers: { Authorization: 'Bearer s3cret', 'X-Mine': 's3cret', cookie: 'id=s3cret', 'content-type': 'text/plain' },
    tlsOptions: { key: 's3cret', passphrase: 's3cret', rejectUnauthorized: true },
    initialContext: { user: 's3cret' },
    expectBody: 's3cret',
    requests: [{ headers: { authorization: 's3cret' }, body: 's3cret' }, { headers: ['x-token: s3cret', 'accept: */*'] }]
  }))
  t.notMatch(told, 's3cret')
  t.match(told, '["Authorization","***"],["X-Mine","***"],["cookie","***"],["content-type","***"]')
  t.match(told, '[["x-token","***"],["accept","***"]]')
  t.notMatch(JSON.stringify(described({ form: { a: { type: 'text', value: 's3cret' } } })), 's3cret')
})

t.test('says what is expected', async t => {
  const expect = { status: 200, headers: { 'content-type': /json/, 'x-id': true }, json: { 'user.id': 42 }, body: { includes: 's3cret' } }
  const { expect: told, requests } = /** @type {any} */ (described({ expect, requests: [{ name: 'login', expect }] }))
  t.match(told, { status: ['200'], headers: [['content-type', '***'], ['x-id', '***']], json: [['user.id', 42]], body: '[not shown]' })
  t.notOk('maxMs' in told)
  t.match(requests, [{ name: 'login', expect: { status: 200, headers: [['content-type', '***'], ['x-id', '***']], json: { 'user.id': 42 }, body: '[not shown]' } }])
  t.match(described({ requests: [{ path: '/', json: { name: 'Ann' }, expect: { json: { id: 42 } } }] }).requests, [{ json: '[not shown]', body: '[14 bytes]', expect: { json: { id: 42 } } }])
})

t.test('is plain and short, whatever was given', async t => {
  const plain = described({
    setupClient: function prepare () {},
    verifyBody: './verify.js',
    body: 'ä'.repeat(5000),
    requests: [{ path: '/' + 'x'.repeat(2000), setupRequest: request => request }],
    har: { log: { entries: [{ request: { method: 'GET', url: 'http://localhost:3000/', headers: [] } }] } }
  })
  t.match(plain, { setupClient: '[function prepare]', verifyBody: './verify.js', body: '[10000 bytes]', har: '[not shown]', requests: [{ path: '[2001 bytes]', setupRequest: '[function setupRequest]' }] })
  t.strictSame(JSON.parse(JSON.stringify(plain)), plain)
})

t.test('of a header the name is there, and the value only where it is a template', async t => {
  const headers = { Authorization: 'Bearer {{uuid}}', 'X-Id': '{{id}}', 'X-Token': 'abc{{id}}', Accept: 'text/plain' }
  t.strictSame(described({ headers }).headers, [['Authorization', 'Bearer {{uuid}}'], ['X-Id', '{{id}}'], ['X-Token', '***'], ['Accept', '***']])
})
