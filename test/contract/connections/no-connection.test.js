'use strict'

// A run to which no connection is made ends early, and --wait waits for a server that is still starting.

const t = require('tap')
const http = require('node:http')
const net = require('node:net')
const { once } = require('node:events')
const autocannon = require('../../..')
const { cli, start } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { serve, closedPort } = require('../../helpers/servers/http-server')

/** Long enough that the run ends by the rule, and not by its duration. */
const LONG = ['-d', '60', '-c', '2', '-n']
const NOTHING = /[Nn]o connection to http:\/\/127\.0\.0\.1:\d+ in 3 s: ECONNREFUSED \(nothing listens at that address\)\. .*--wait 60s/

t.jobs = 4

/** @param {number} port */
const nowhere = port => `http://127.0.0.1:${port}`

t.test('a run without a connection ends after 3 s, with exit code 1, the reason and what to do', async t => {
  const url = nowhere(await closedPort())
  await Promise.all([[], ['-w', '2'], ['--rate', '100'], ['--threshold', 'p99 < 1s'], ['-p', '4', '--http2']].map(async flags => {
    const { code, stdout, stderr } = await cli([...LONG, ...flags, '--json', url])
    t.equal(code, 1, flags.join(' '))
    t.match(stderr, NOTHING, flags.join(' '))
    const result = JSON.parse(stdout)
    t.match(result, { interrupted: true, requests: { sent: 0 } })
    t.match(result.endedBy, [NOTHING])
    t.ok(result.duration >= 2.8 && result.duration < 30, `${result.duration} s`)
    conserves(t, result, { neverSent: result.errors, arrived: 0 })
  }))
  const text = await cli([...LONG, url])
  t.equal(text.code, 1)
  t.match(text.stderr.replace(/\s+/g, ' '), NOTHING)
})

t.test('find and versus end by the same rule', async t => {
  const url = nowhere(await closedPort())
  const found = await cli(['find', '-n', '--json', '--threshold', 'p99 < 1s', url])
  t.equal(found.code, 1)
  t.match(JSON.parse(found.stdout).endedBy, [NOTHING])
  const compared = await cli(['versus', '--no-save', ...LONG, url, url])
  t.equal(compared.code, 1)
  t.match(compared.stderr + compared.stdout, 'ECONNREFUSED')
})

t.test('a certificate that is not trusted is no connection, and the reason is that of TLS', async t => {
  const { readFileSync } = require('node:fs')
  const path = require('node:path')
  const [cert, key] = ['cert', 'key'].map(name => readFileSync(path.join(__dirname, `../../fixtures/tls/${name}.pem`)))
  const server = require('node:https').createServer({ cert, key }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  const { code, stderr } = await cli([...LONG, '--no-insecure', '--json', `https://127.0.0.1:${port}`])
  t.equal(code, 1)
  t.match(stderr, /No connection to https:.* in 3 s: DEPTH_ZERO_SELF_SIGNED_CERT .*--insecure/)
})

t.test('one of several servers is enough, and so is a connection that closes at once', async t => {
  const { url } = await serve(t)
  const dead = nowhere(await closedPort())
  const two = await cli(['-d', '4', '-c', '2', '-n', '--json', dead, url])
  t.notMatch(JSON.parse(two.stdout), { endedBy: [] })
  t.ok(JSON.parse(two.stdout).requests.total > 0)
  const closes = net.createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  t.teardown(() => closes.close())
  await once(closes, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (closes.address())
  const closed = await cli(['-d', '4', '-c', '2', '-n', '--json', nowhere(port)])
  t.equal(closed.code, 1)
  t.notOk('endedBy' in JSON.parse(closed.stdout))
})

t.test('--wait 0 and autocannon() go on for the duration, as autocannon 9 does', async t => {
  const url = nowhere(await closedPort())
  const { code, stdout } = await cli([...LONG, '-d', '4', '--wait', '0', '--json', url])
  t.equal(code, 1)
  t.match(JSON.parse(stdout), { interrupted: false })
  const result = await autocannon({ url, connections: 1, duration: 4 })
  t.match(result, { interrupted: false, requests: { total: 0 } })
  t.ok(result.errors > 0)
})

t.test('--wait starts the run once the server is there, and the wait is in no figure', async t => {
  const port = await closedPort()
  const running = start(['-a', '20', '-c', '1', '-n', '--json', '--wait', '60s', nowhere(port)])
  await new Promise(resolve => setTimeout(resolve, 1000))
  const server = http.createServer((request, response) => response.end('hello')).listen(port, '127.0.0.1')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const { code, stdout } = await running.ended
  t.equal(code, 0)
  const result = JSON.parse(stdout)
  t.match(result, { errors: 0, requests: { sent: 20, total: 20 } })
  conserves(t, result)
})

t.test('a wait that is over ends without a run', async t => {
  const url = nowhere(await closedPort())
  const { code, stdout, stderr } = await cli([...LONG, '--wait', '0.5', url])
  t.strictSame([code, stdout], [1, ''])
  t.match(stderr, /No connection to http:\/\/127\.0\.0\.1:\d+ in 0\.5 s: ECONNREFUSED .* raise --wait\.\n$/)
  await t.rejects(autocannon({ url, wait: 0.3, duration: 60 }), { code: 'AC_NO_CONNECTION' })
  await t.rejects(autocannon.find({ url, wait: 0.3, thresholds: ['p99 < 1s'] }), { code: 'AC_NO_CONNECTION' })
  // Ctrl-C ends the wait.
  const instance = autocannon({ url, wait: 60, duration: 60 })
  setTimeout(() => instance.stop(), 300)
  t.match(await instance, { interrupted: true, requests: { sent: 0 } })
})
