'use strict'

// A machine that has too little of something: file descriptors, local ports.

const t = require('tap')
const { once } = require('node:events')
const http = require('node:http')
const { Socket } = require('node:net')
const path = require('node:path')
const autocannon = require('../..')
const { Generator } = require('../../lib/engine/generator')
const { makeConnect } = require('../../lib/net/transport')
const { BIN, Running } = require('../helpers/processes/cli')
const { serve } = require('../helpers/servers/http-server')
const { conserves } = require('../helpers/results/conservation')
const { webSocketServer } = require('../helpers/servers/websocket-server')

const onUnix = { skip: process.platform === 'win32' && 'Windows has no such limit' }

/**
 * Runs the command line with a limit of open files.
 * @param {number} limit
 * @param {string[]} argv
 */
const within = (limit, argv) =>
  new Running('sh', ['-c', `ulimit -n ${limit}; exec "$@"`, 'sh', process.execPath, BIN, ...argv], {}).ended

t.test('file descriptors run out', onUnix, async t => {
  t.test('a run by amount is sent whole over the connections that there are', async t => {
    await Promise.all([['127.0.0.1'], ['localhost'], ['127.0.0.1', '-w', '2'], ['127.0.0.1', '-D', '3']].map(async ([host, ...flags]) => {
      const server = await serve(t)
      const { code, stdout, stderr } = await within(64, ['--json', '-c', '150', '-a', '900', ...flags, `http://${host}:${server.port}`])
      t.equal(code, 0, stderr)
      const result = JSON.parse(stdout)
      t.match(result.fates, { sent: 900, completed: 900 }, `${host} ${flags}`)
      t.equal(server.requests.length, 900)
      t.strictSame(Object.keys(result.errorCodes), ['EMFILE'])
      t.ok(flags.includes('-D') || (result.errors > 80 && result.errors <= 150), `${result.errors} of 150 connections had to wait`)
      t.equal(result.openFileLimit, 64)
      conserves(t, result, { neverSent: result.errors })
    }))
  })

  t.test('streams are read over the connections that there are', async t => {
    const { url } = await serve(t, (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {}\n\n')
    })
    const config = path.join(t.testdir({ 'a.json': JSON.stringify({ url, stream: 'sse', requests: [{ expect: { events: { each: '{}' } } }] }) }), 'a.json')
    for (const flags of [['--stream', 'sse', url], ['--stream', 'chunks', url], ['--stream', 'ndjson', '-w', '2', url], ['--config', config]]) {
      const { code, stdout, stderr } = await within(64, ['--json', '-c', '150', '-a', '300', ...flags])
      t.equal(code, 0, stderr)
      t.match(JSON.parse(stdout), { fates: { sent: 300, completed: 300 }, streams: { completed: 300 } }, String(flags))
    }
  })

  t.test('requests of user functions have all of their options', async t => {
    const { url } = await serve(t, (request, response) => response.end('{"id":1}'))
    const folder = t.testdir({
      'retries.mjs': "export default async ({ http }) => { await http.get('/'); await http.get('/', { retries: 2 }) }\n",
      'capture.mjs': "export default async ({ http }) => { await http.get('/'); await http.get('/', { capture: { id: 'json id' } }) }\n",
      'expect.mjs': "export default async ({ http }) => { await http.get('/'); await http.get('/', { expect: { json: { id: 1 } } }) }\n",
      'multipart.mjs': "export default async ({ http }) => { await http.get('/'); await http.post('/', { multipart: { a: 'b' } }) }\n"
    })
    for (const option of ['retries', 'capture', 'expect', 'multipart']) {
      const { code, stdout, stderr } = await within(64, ['run', path.join(folder, `${option}.mjs`), '--json', '-c', '100', '-a', '300 iterations', url])
      t.equal(code, 0, stderr)
      t.match(JSON.parse(stdout), { iterations: { completed: 300, cut: 0 } }, option)
    }
  })

  t.test('the summary says the limit and what to do, once', async t => {
    const server = await serve(t)
    const { code, stderr } = await within(48, ['--no-verbose', '-c', '100', '-d', '0.6', server.url])
    t.equal(code, 0)
    t.equal(stderr.split('This process ran out of file descriptors, 48 at most (ulimit -n)').length, 2, stderr)
    t.match(stderr, 'raise the hard limit')
    const [, errors] = /\n(\d+) errors:\n {2}\1 × EMFILE: this process has no free file descriptor\n/.exec(stderr) ?? []
    t.ok(Number(errors) > 50 && Number(errors) <= 100, `${errors} errors, however often they tried`)
  })

  t.test('a WebSocket of a user function waits for one, as long as its timeout', async t => {
    const server = http.createServer((request, response) => response.end('{}')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.teardown(() => {
      server.close()
      server.closeAllConnections()
    })
    await webSocketServer(t, undefined, { server, port: undefined })
    const url = `http://127.0.0.1:${server.address().port}`
    const folder = t.testdir({
      'own.mjs': "export default async ({ http, ws }) => { await http.get('/'); await (await ws('/')).request('a') }\n",
      'kept.mjs': "export default async ({ http, ws }) => { await http.get('/'); await (await ws('/', { keep: true, timeout: '1s' })).request('a') }\n"
    })
    const own = await within(64, ['run', path.join(folder, 'own.mjs'), '--json', '-c', '30', '-a', '90 iterations', url])
    t.equal(own.code, 0, own.stderr)
    const result = JSON.parse(own.stdout)
    t.match(result.iterations, { completed: 90, cut: 0, unfinished: 0 })
    t.strictSame(Object.keys(result.errorCodes), ['EMFILE'])
    t.ok(result.errors <= 90, `${result.errors} waited`)
    // None of them is closed before the run ends.
    const kept = await within(64, ['run', path.join(folder, 'kept.mjs'), '--json', '-c', '30', '-a', '60 iterations', url])
    const { iterations, websocket, errorCodes } = JSON.parse(kept.stdout)
    t.match([iterations.cut, Object.keys(iterations.cutBy), Object.keys(errorCodes)], [60 - iterations.completed, ['EMFILE'], ['EMFILE']])
    t.equal(websocket.opened, iterations.completed)
  })

  t.test('before there is a worker', async t => {
    const { code, stdout, stderr } = await within(30, ['--json', '-w', '20', '-c', '20', '-d', '1', 'http://127.0.0.1:9'])
    t.equal(code, 1)
    t.equal(stdout, '')
    t.match(stderr, /^autocannon: a worker thread failed: .*EMFILE.*use fewer workers, or raise the hard limit/)
    t.equal(stderr.trimEnd().split('\n').length, 1, 'no stack')
  })
})

t.test('local ports run out', async t => {
  // As the system says it, when it has so few.
  const unable = () => Object.assign(new Error('connect EADDRNOTAVAIL 127.0.0.1:80'), { code: 'EADDRNOTAVAIL', syscall: 'connect' })
  const PORTS = 4
  let taken = 0
  t.teardown(replaceConnect((target, onread, onReady) => {
    if (taken >= PORTS) return new Socket().destroy(unable())
    taken++
    return makeConnect(null)(target, onread, onReady).once('close', () => { taken-- })
  }))
  const server = await serve(t)
  const result = await autocannon({ url: server.url, connections: 12, amount: 120, reconnectRate: 5 })
  t.equal(result.fates.completed, 120)
  t.strictSame(Object.keys(result.errorCodes), ['EADDRNOTAVAIL'])
  t.match(autocannon.printResult(result), 'This machine ran out of local ports: one stays taken for a minute')
  conserves(t, result, { neverSent: result.errors })
})

/**
 * @param {import('../../lib/net/transport').Connect} other in place of the transport, for all generators of this process
 * @returns {() => void} undoes it
 */
function replaceConnect (other) {
  const { start } = Generator.prototype
  Generator.prototype.start = function () {
    this.shared.connect = other
    start.call(this)
  }
  return () => { Generator.prototype.start = start }
}
