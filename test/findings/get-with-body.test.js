'use strict'

// A body without a method: the requests are GET, as in autocannon 9, while those of curl and ab would be POST.

const t = require('tap')
const autocannon = require('../..')
const { findingsOf } = require('../../lib/findings/findings')
const { cli } = require('../helpers/processes/cli')
const { answer, rawServer } = require('../helpers/servers/raw-server')

/** @param {Record<string, any>} options @returns {Promise<boolean>} whether the result of a run with them has the finding */
async function isFound (options) {
  const result = await autocannon({ connections: 1, amount: 1, ...options })
  t.equal(result.requests.total, 1)
  return findingsOf(result).some(({ code }) => code === 'get-with-body')
}

t.test('a run with a body and no method has a note that names -m POST', async t => {
  const server = await rawServer(t, answer('ok'))
  t.ok(await isFound({ url: server.url, body: 'x' }))
  t.notOk(await isFound({ url: server.url }), 'no body')
  t.notOk(await isFound({ url: server.url, body: 'x', method: 'GET' }), 'the method was given')
  t.notOk(await isFound({ url: server.url, body: 'x', requests: [{ method: 'PUT', path: '/' }] }), 'requests have their methods')
  t.notOk(await isFound({ url: server.url, form: { a: { type: 'text', value: '1' } } }), 'a form is a POST')
})

t.test('the command shows it as well, unless -m is given', async t => {
  const server = await rawServer(t, answer('ok'))
  const argv = ['-c', '1', '-a', '1', server.url]
  const [plain, get, data] = await Promise.all([['-b', 'x'], ['-b', 'x', '-m', 'GET'], ['--data', 'x=1']].map(flags => cli([...flags, ...argv])))
  t.match(plain.stderr, /\nThe requests were GET with a body: -b does not change the method\. -m POST does\.\n/)
  for (const { stderr } of [get, data]) t.notMatch(stderr, 'GET with a body')
})
