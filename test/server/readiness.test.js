'use strict'

const t = require('tap')
const http = require('node:http')
const net = require('node:net')
const { once } = require('node:events')
const { Readiness } = require('../../lib/server/readiness')

/**
 * @param {any} t
 * @param {net.Server} server
 * @returns {Promise<import('../../lib/server/listening-sockets').Candidate>}
 */
async function listening (t, server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  return { address: { host: '127.0.0.1', port }, http: false }
}

t.test('a port that listens is silent from the first attempt on, until it answers HTTP', async t => {
  const readiness = new Readiness()
  t.teardown(() => readiness.close())
  const silent = await listening(t, net.createServer())
  t.equal(readiness.of(silent), false)
  t.strictSame(readiness.silent(), [silent.address], 'the attempt has not ended')

  const answers = await listening(t, http.createServer((request, response) => response.end()))
  t.equal(readiness.of(answers), false)
  await readiness.next()
  t.equal(readiness.of(answers), true)
  t.strictSame(readiness.silent(), [silent.address])
})

t.test('a port that is closed again is not silent', async t => {
  const readiness = new Readiness()
  t.teardown(() => readiness.close())
  const server = net.createServer()
  const closed = await listening(t, server)
  await new Promise(resolve => server.close(resolve))
  readiness.of(closed)
  while (readiness.silent().length > 0) await new Promise(resolve => setTimeout(resolve, 5))
  t.equal(readiness.of(closed), false)
})
