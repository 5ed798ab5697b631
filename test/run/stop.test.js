'use strict'

// stop() may come at any moment, from anywhere.

const path = require('node:path')
const t = require('tap')
const autocannon = require('../..')
const { rawServer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

t.test('stop() in setupClient ends a run before it opens a connection', async t => {
  const server = await rawServer(t, ANSWER)
  const instance = autocannon({ url: server.url, connections: 2, duration: 5, setupClient: () => instance.stop() })
  const result = await instance
  t.equal(result.fates.sent, 0)
  t.equal(server.connections.length, 0)
  conserves(t, result)
})

t.test('stop() in setupRequest sends nothing more', async t => {
  for (const pace of [{}, { rate: 200 }]) {
    const server = await rawServer(t, ANSWER)
    let calls = 0
    const instance = autocannon({
      url: server.url,
      connections: 1,
      duration: 5,
      ...pace,
      requests: [{
        setupRequest (request) {
          if (++calls === 3) instance.stop()
          return request
        }
      }]
    })
    const result = await instance
    t.equal(calls, 3)
    t.equal(result.fates.sent, 2)
    conserves(t, result)
  }
})

t.test('a listener to headers may replace the requests while the answer is read', async t => {
  const server = await rawServer(t, ANSWER)
  const statuses = []
  const result = await autocannon({
    url: server.url,
    connections: 1,
    amount: 4,
    setupClient (client) {
      client.once('headers', () => client.setRequests([{ path: '/new', onResponse: status => { statuses.push(status) } }]))
    }
  })
  t.equal(result.requests.total, 4)
  t.strictSame(statuses, [200, 200, 200])
  t.strictSame(server.requests.map(({ head }) => head.split(' ')[1]), ['/', '/new', '/new', '/new'])
  conserves(t, result)
})

t.test('nothing is reported of the time before a run that never began', async t => {
  const server = await rawServer(t, ANSWER)
  const instance = autocannon({ url: server.url, duration: 5 })
  instance.stop()
  const { duration, generator, fates } = await instance
  t.equal(fates.sent, 0)
  t.equal(generator.cpu, 0)
  t.ok(duration < 5)
})

t.test('a stop does not wait for hooks that are being loaded', async t => {
  const server = await rawServer(t, ANSWER)
  const folder = t.testdir({ 'waits.mjs': 'await new Promise(resolve => setTimeout(resolve, 25_000))\nexport default () => {}\n' })
  const instance = autocannon({ url: server.url, workers: 1, duration: 5, setupClient: path.join(folder, 'waits.mjs') })
  instance.once('start', () => t.fail('it has not begun'))
  setTimeout(() => instance.stop(), 300)
  const result = await Promise.race([instance, new Promise(resolve => setTimeout(resolve, 20_000, null).unref())])
  t.match(result, { interrupted: true, fates: { sent: 0 } })
})
