'use strict'

const http = require('node:http')
const { once } = require('node:events')
const t = require('tap')
const autocannon = require('../../..')

for (const sockets of ['native', 'node']) {
  t.test(`a server in the same thread is known over ${sockets} sockets: it belongs to what is measured`, async t => {
    const server = http.createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => { server.closeAllConnections(); server.close() })
    const { generator } = await autocannon({ url: `http://127.0.0.1:${server.address().port}`, connections: 10, duration: 1, sockets })
    // Beside other processes it waits for the CPU as well.
    if (generator.verdict === 'starved') t.not(generator.reason, 'full')
    else t.match(generator, { verdict: 'busy', reason: 'server' })
  })
}

t.test('a server in another thread is not taken for one in this', async t => {
  const { Worker } = require('node:worker_threads')
  const worker = new Worker(`
    const server = require('node:http').createServer((request, response) => response.end('ok'))
    server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`, { eval: true })
  t.teardown(() => worker.terminate())
  const [port] = await once(worker, 'message')
  // It listens in this thread, but there is no connection.
  const idle = http.createServer().listen(0, '127.0.0.1')
  await once(idle, 'listening')
  t.teardown(() => idle.close())
  const { generator } = await autocannon({ url: `http://127.0.0.1:${port}`, connections: 10, duration: 1 })
  t.not(generator.reason, 'server')
})
