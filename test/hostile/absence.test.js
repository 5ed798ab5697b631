'use strict'

// Servers that are not there: refused, gone for a while, moved to another address, or without room for one more connection.
// The pauses between attempts are in test/engine/generator.test.js › reconnecting.

const t = require('tap')
const dns = require('node:dns')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { closedPort } = require('../helpers/servers/http-server')
const { cli } = require('../helpers/processes/cli')
const { conserves } = require('../helpers/results/conservation')
const { generatorOf, begin, after, ANSWER } = require('../engine/helpers/fake-load')

const run = (server, opts) => autocannon({ url: server.url, connections: 1, timeout: 20, ...opts })

const failure = code => Object.assign(new Error(code), { code })

/** Lets every attempt to connect fail, for so many ms. */
function refuse (log, ms, error, seen = 0) {
  for (let i = 0; i <= ms; i++) {
    for (; seen < log.sockets.length; seen++) log.sockets[seen].emit('error', error)
    if (i < ms) log.time.pass(1)
  }
  return seen
}

t.test('a server that refuses', async t => {
  for (const code of ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND']) {
    t.test(`costs a bounded number of attempts: ${code}`, async t => {
      const log = generatorOf({ connections: 100, pipelining: 3, duration: 10 })
      log.generator.start()
      refuse(log, 10_000, failure(code))
      // At 0, 10, 30, 70, 150 and 310 ms, then every 200 ms; what is due at the end itself may be one more.
      const attempts = 6 + Math.floor((10_000 - 310 - 1) / 200)
      t.equal(log.ends, 1)
      t.equal(log.sockets.length, 100 * attempts)
      t.strictSame(log.result().errorCodes, { [code]: 100 * attempts }, 'each attempt once, whatever the pipelining')
      conserves(t, log.result(), { neverSent: 100 * attempts, arrived: 0 })
    })
  }

  t.test('ends a run by amount: each attempt uses up what it would have sent', async t => {
    const log = generatorOf({ connections: 3, pipelining: 4, amount: 25 })
    log.generator.start()
    refuse(log, 1000, failure('ECONNREFUSED'))
    t.equal(log.ends, 1)
    // 9, 8 and 8 requests: 4 and 4 and 1, 4 and 4, 4 and 4.
    t.equal(log.sockets.length, 7)
    t.match(log.total, { sent: 0, neverSent: 25, ECONNREFUSED: 25 })
    conserves(t, log.result(), { neverSent: 25, arrived: 0 })
  })

  t.test('takes hardly any time of the processor', async t => {
    const result = await run({ url: `http://127.0.0.1:${await closedPort()}` }, { connections: 100, duration: 3 })
    // Over 10 s it is 3 % of a core; the first attempts, and a machine that is slow or shared, weigh more in three.
    t.ok(result.generator.cpu < 0.2, `${result.generator.cpu} of a core`)
    t.notOk(result.generator.saturated)
    conserves(t, result, { neverSent: result.errors })
  })

  t.test('is named on the command line, with the code, what it means and the address; the exit code is 1', async t => {
    const url = `http://127.0.0.1:${await closedPort()}`
    for (const opts of [['-a', '20'], ['-d', '0.2']]) {
      const { code, stderr } = await cli([...opts, '-c', '2', '-p', '2', '--no-progress', url])
      t.equal(code, 1)
      t.match(stderr, /\n(\d+) errors:\n {2}\1 × ECONNREFUSED: nothing listens at that address\n/)
      const reason = `no response from ${url}: is the server running there?`
      t.ok(stderr.endsWith(`\n✗ Failed, exit code 1: ${reason}\n`), stderr)
      t.equal(stderr.split(reason).length - 1, 1, 'the reason is in the report once')
    }
  })
})

t.test('a server that dies and comes back', async t => {
  t.test('costs what was in flight and one pipeline for each attempt, and no more', async t => {
    const log = generatorOf({ method: 'POST', connections: 2, pipelining: 2, amount: 40 })
    begin(log)
    for (let i = 0; i < 3; i++) for (const socket of log.sockets) socket.read(Buffer.concat([ANSWER, ANSWER]))
    // 12 answered, 4 in flight.
    for (const socket of [...log.sockets]) socket.emit('error', failure('ECONNRESET'))
    t.equal(log.sockets.length, 4, 'a connection that has brought answers is made again at once')
    const seen = refuse(log, 100, failure('ECONNREFUSED'), 2)
    // At 0, 10, 30 and 70 ms.
    t.equal(seen, 2 + 2 * 4)
    log.time.pass(100)
    for (const socket of log.sockets.slice(seen)) socket.ready(after(1))
    log.time.pass(10)
    t.equal(log.ends, 1)
    t.match(log.total, { sent: 24, completed: 20, failed: 4, neverSent: 16, ECONNRESET: 4, ECONNREFUSED: 16 })
    conserves(t, log.result(), { neverSent: 16, arrived: 24 })
  })

  t.test('is measured on at once, with the attempts that failed as errors', async t => {
    const first = await rawServer(t, answer())
    const instance = run(first, { connections: 3, amount: 300 })
    const errors = []
    instance.on('reqError', ({ code }) => errors.push(code))
    await first.seen(50)
    await first.close()
    // The first three may be requests that were to be sent again.
    while (errors.filter(code => code === 'ECONNREFUSED').length <= 3) await once(instance, 'reqError')
    const second = await rawServer(t, answer(), { port: Number(new URL(instance.opts.url).port) })
    const result = await instance
    const neverSent = 300 - result.requests.sent
    t.ok(second.requests.length > 0)
    t.ok(neverSent > 0)
    t.strictSame(Object.keys(result.errorCodes).filter(code => !['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'AC_CLOSED'].includes(code)), [])
    t.ok(result.fates.failed <= 3, 'no more than was in flight')
    conserves(t, result, { neverSent })
  })

  t.test('starts its back-off anew each time', async t => {
    const log = generatorOf({ method: 'POST', duration: 100 })
    begin(log)
    let seen = 1
    for (let i = 0; i < 3; i++) {
      log.sockets.at(-1).read(ANSWER)
      const gone = log.time.ms
      log.sockets.at(-1).emit('error', failure('ECONNRESET'))
      seen = refuse(log, 160, failure('ECONNREFUSED'), seen)
      t.strictSame(log.attempts.slice(-5).map(at => at - gone), [0, 10, 30, 70, 150])
      log.time.pass(200)
      log.sockets.at(-1).ready()
      seen = log.sockets.length
    }
    log.generator.stop()
    conserves(t, log.result(), { neverSent: log.total.neverSent })
  })
})

t.test('a name', async t => {
  /** Answers every look-up with what `where` says, until the test ends. */
  function resolveTo (t, where) {
    const { lookup } = dns
    const { execPath } = process
    t.teardown(() => { Object.assign(dns, { lookup }); Object.assign(process, { execPath }) })
    // Without a process for look-ups they are made here.
    process.execPath = '/no/such/program'
    const asked = []
    dns.lookup = (name, options, callback) => {
      asked.push(name)
      const address = where()
      setImmediate(() => {
        if (address === null) callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }))
        else if (options.all) callback(null, [{ address, family: 4 }])
        else callback(null, address, 4)
      })
    }
    return asked
  }

  // Only Linux and Windows answer at every address of 127/8.
  const options = { skip: process.platform === 'darwin' }

  t.test('that is moved to another address is followed by the next connection', options, async t => {
    let address = '127.0.0.1'
    const first = await rawServer(t, (connection, { index }) => {
      if (index === 4) address = '127.0.0.2'
      connection.send(answer('', index === 4 ? 'Connection: close\r\n' : ''))
    })
    const { port } = new URL(first.url)
    const second = await rawServer(t, answer(), { host: '127.0.0.2', port: Number(port) })
    const asked = resolveTo(t, () => address)
    const result = await run({ url: `http://service.test:${port}/` }, { amount: 20, dns: 'each' })
    t.strictSame([first, second].map(({ requests }) => requests.length), [5, 15])
    t.strictSame(asked, ['service.test', 'service.test'], 'a look-up for each connection')
    t.equal(result.errors, 0)
    conserves(t, result, { arrived: 20 })
  })

  t.test('whose server dies and is replaced at another address costs what was in flight', options, async t => {
    let address = '127.0.0.1'
    const first = await rawServer(t, (connection, { index }) => {
      if (index < 4) return connection.send(answer())
      address = '127.0.0.2'
      connection.reset()
    })
    const { port } = new URL(first.url)
    const second = await rawServer(t, answer(), { host: '127.0.0.2', port: Number(port) })
    resolveTo(t, () => address)
    const result = await run({ url: `http://service.test:${port}/` }, { method: 'POST', amount: 20, dns: 'each' })
    t.strictSame(result.errorCodes, { ECONNRESET: 1 })
    t.equal(second.requests.length, 15)
    conserves(t, result, { arrived: 20 })
  })

  t.test('that is unknown for a while is asked for again', async t => {
    const server = await rawServer(t, answer())
    let unknown = 3
    const asked = resolveTo(t, () => unknown-- > 0 ? null : '127.0.0.1')
    const result = await run({ url: server.url.replace('127.0.0.1', 'service.test') }, { pipelining: 2, amount: 20 })
    t.equal(asked.length, 4)
    t.strictSame(result.errorCodes, { ENOTFOUND: 6 })
    t.equal(result.fates.completed, 14)
    conserves(t, result, { neverSent: 6, arrived: 14 })
  })
})

t.test('5,000 connections at once against a backlog of 511', { skip: process.platform === 'win32' }, async t => {
  /** A server in a process of its own, so that it can be stopped. */
  async function serverProcess (t) {
    const script = `
      const answer = 'HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n'
      const server = require('node:net').createServer(socket => socket.on('data', () => socket.write(answer)).on('error', () => {}))
      server.listen({ port: 0, host: '127.0.0.1', backlog: 511 }, () => console.log(server.address().port))`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => child.kill('SIGKILL'))
    const [line] = await once(child.stdout, 'data')
    return { child, url: `http://127.0.0.1:${Number(line)}` }
  }

  t.test('are all made in the end, and answered', async t => {
    const { url } = await serverProcess(t)
    const result = await run({ url }, { connections: 5000, amount: 10_000 })
    // Where the server has no CPU for long, Linux forgets that its backlog was full, and resets a few connections that SYN cookies stand for.
    const { ECONNRESET: resets = 0, ...others } = result.errorCodes
    t.ok(resets <= 100, `${resets} resets`)
    t.strictSame(others, {})
    t.match(result.fates, { sent: 10_000, timedOut: 0, abandoned: 0 })
    t.equal(result.connect.totalCount, 5000 + result.fates.failed)
    conserves(t, result)
  })

  t.test('time out when the server accepts none, each with what it was about to do', async t => {
    const { child, url } = await serverProcess(t)
    child.kill('SIGSTOP')
    const result = await run({ url }, { connections: 5000, amount: 5000, timeout: 1 })
    const { AC_TIMEOUT: accepted, AC_CONNECT_TIMEOUT: waiting, ...other } = result.errorCodes
    t.strictSame(other, {})
    // How many the kernel accepts on behalf of the server is its own affair.
    t.ok(waiting > 0 && accepted > 0, `${accepted} were connected, ${waiting} were not`)
    t.equal(accepted + waiting, 5000)
    t.strictSame(result.fates, { sent: accepted, completed: 0, timedOut: accepted, failed: 0, abandoned: 0 })
    conserves(t, result, { neverSent: waiting })
  })
})
