'use strict'

// HTTP/2 against servers that others have written: nginx, nghttpd, Apache httpd and node:http2.

const t = require('tap')
const http2 = require('node:http2')
const { readFileSync, readdirSync, statSync } = require('node:fs')
const { once } = require('node:events')
const path = require('node:path')
const autocannon = require('../..')
const { conserves } = require('../helpers/results/conservation')
const { cli } = require('../helpers/processes/cli')
const { FILES, absent, apache, nghttpd, nginx } = require('../helpers/servers/real-servers')

const [cert, key] = ['cert', 'key'].map(name => readFileSync(path.join(__dirname, `../fixtures/tls/${name}.pem`)))

/** @param {Record<string, any>} opts */
const run = opts => autocannon({ http: '2', connections: 2, timeout: 20, ...opts })

/**
 * @param {import('node:events').EventEmitter} instance
 * @param {number} count
 * @returns {Promise<void>} resolves when so many answers have come from now on
 */
const answered = (instance, count) => new Promise(resolve => instance.on('response', () => { if (--count === 0) resolve() }))

const [NGINX, NGHTTPD, APACHE] = ['nginx', 'nghttpd', 'apache2'].map(absent)

/** Each with paths that it answers with a status of its own. */
const SERVERS = /** @type {const} */ ([
  ['nginx', nginx, NGINX, { '/none': 204, '/nowhere': 404 }],
  ['nghttpd', nghttpd, NGHTTPD, { '/nowhere': 404 }],
  ['Apache httpd', apache, APACHE, { '/none': 204, '/nowhere': 404 }]
])

for (const [name, begin, skip, statuses] of SERVERS) {
  t.test(`${name} sends bodies of every size, and none, over TLS and in plain`, { skip }, async t => {
    const server = await begin(t)
    for (const url of [server.tls, server.plain]) {
      for (const [file, body] of Object.entries(FILES)) {
        const result = await run({ url: `${url}/${file}`, amount: 30, pipelining: 5, expectBody: body })
        t.match(result, { '2xx': 30, errors: 0, mismatches: 0, http: '2' }, `${url}/${file}`)
        conserves(t, result)
        const head = await run({ url: `${url}/${file}`, amount: 10, pipelining: 5, method: 'HEAD' })
        t.match(head, { '2xx': 10, errors: 0 }, 'HEAD')
        conserves(t, head)
      }
      for (const [path, status] of Object.entries(statuses)) {
        const result = await run({ url: url + path, amount: 10, pipelining: 5, requests: [{ expect: { status } }] })
        t.match(result, { failures: 0, errors: 0 }, path)
        conserves(t, result)
      }
      const fresh = await run({ url: `${url}/small`, amount: 10, headers: { 'if-modified-since': statSync(path.join(server.folder, 'small')).mtime.toUTCString() } })
      t.match(fresh.statusCodeStats, { 304: { count: 10 } }, 'what has not changed since')
      conserves(t, fresh)
    }
  })

  t.test(`many connections with many streams to ${name}, from workers`, { skip }, async t => {
    const server = await begin(t)
    const result = await run({ url: `${server.tls}/small`, connections: 20, pipelining: 50, amount: 6000, workers: 2 })
    t.match(result, { '2xx': 6000, errors: 0 })
    conserves(t, result)
  })
}

t.test('nginx takes bodies, and answers before it has read one', { skip: NGINX }, async t => {
  const server = await nginx(t)
  for (const [i, url] of [server.tls, server.plain].entries()) {
    for (const [name, body] of Object.entries(FILES)) {
      const result = await run({ url, amount: 6, pipelining: 3, method: 'PUT', body, idReplacement: false, requests: [{ path: `/put/${i}-${name}` }] })
      t.match(result, { '2xx': 6, errors: 0 }, name)
      t.equal(readFileSync(path.join(server.folder, `put/${i}-${name}`), 'utf8'), body)
      conserves(t, result)
    }
    const early = await run({ url: `${url}/early`, amount: 20, pipelining: 4, method: 'POST', body: FILES.mega, expectBody: 'early' })
    t.match(early, { '2xx': 20, errors: 0, mismatches: 0 })
    conserves(t, early)
  }
  t.equal(readdirSync(path.join(server.folder, 'put')).reduce((sum, name) => sum + statSync(path.join(server.folder, 'put', name)).size, 0), 2 * Object.values(FILES).join('').length)
})

t.test('nghttpd sends back what it was sent, in DATA with padding, and trailers', { skip: NGHTTPD }, async t => {
  const server = await nghttpd(t, ['--echo-upload', '--padding=255', '--trailer=x-sum: 1', '--no-content-length'])
  for (const url of [server.tls, server.plain]) {
    for (const body of [FILES.byte, FILES.small, FILES.mega]) {
      const result = await run({ url: `${url}/echo`, amount: 6, pipelining: 3, method: 'POST', body, expectBody: body })
      t.match(result, { '2xx': 6, errors: 0, mismatches: 0 }, `${body.length} bytes`)
      conserves(t, result)
    }
    const result = await run({ url: `${url}/small`, amount: 10, expectBody: FILES.small })
    t.match(result, { '2xx': 10, mismatches: 0 })
    conserves(t, result)
  }
})

t.test('a server that allows fewer streams than -p gets no more, and that is said', { skip: NGINX || NGHTTPD || APACHE }, async t => {
  for (const server of [await nginx(t, 'http2_max_concurrent_streams 8;'), await nghttpd(t, ['-m', '8']), await apache(t, 'H2MaxSessionStreams 8')]) {
    const result = await run({ url: `${server.tls}/small`, amount: 600, pipelining: 50 })
    t.match(result, { '2xx': 600, errors: 0, streamLimit: 8 })
    conserves(t, result)
    const { code, stderr } = await cli(['--http2', '-c', '2', '-p', '50', '-a', '200', `${server.plain}/small`])
    t.equal(code, 0)
    t.match(stderr, 'The server allows 8 streams per connection, fewer than the 50 of -p')
  }
})

t.test('nginx ends each connection after some requests, and none is lost', { skip: NGINX }, async t => {
  const server = await nginx(t, 'keepalive_requests 7;')
  for (const url of [server.tls, server.plain]) {
    for (const pipelining of [1, 5]) {
      const result = await run({ url: `${url}/small`, amount: 200, pipelining })
      t.match(result, { '2xx': 200, errors: 0 }, `pipelining ${pipelining}`)
      conserves(t, result)
    }
  }
})

t.test('nginx and Apache httpd are told to take new settings in the middle of a run, and we lose no request', { skip: NGINX || APACHE }, async t => {
  await Promise.all(/** @type {const} */ ([[await nginx(t), 'SIGHUP'], [await apache(t), 'SIGUSR1']]).map(async ([server, signal]) => {
    const instance = run({ url: `${server.tls}/small`, amount: 1000, pipelining: 5, rate: 500 })
    await answered(instance, 200)
    server.signal(signal)
    const result = await instance
    const { timedOut, failed } = result.fates
    const said = JSON.stringify(result.errorCodes)
    // A process of Apache's that is about to end may take a connection, and end it with a code of its own or with none: before anything is sent, or with what is in flight.
    const lost = signal === 'SIGUSR1' ? failed : 0
    t.ok(lost <= 10 && Object.keys(result.errorCodes).every(code => ['AC_CLOSED', 'AC_H2_GOAWAY', 'ECONNRESET'].includes(code)), said)
    t.equal(timedOut + failed, lost, said)
    t.ok(result['2xx'] >= 980, `${result['2xx']} answers`)
    conserves(t, result, { neverSent: result.errors - lost })
  }))
})

t.test('a server that ends in the middle of a run is one whose connections are refused from then on', { skip: NGINX || NGHTTPD || APACHE }, async t => {
  const servers = /** @type {const} */ ([[await nginx(t), 'SIGQUIT'], [await nginx(t), 'SIGTERM'], [await nghttpd(t), 'SIGTERM'], [await apache(t), 'SIGWINCH']])
  await Promise.all(servers.map(async ([server, signal]) => {
    const instance = run({ url: `${server.plain}/small`, amount: 400, pipelining: 5, rate: 500, bailout: 100_000 })
    await answered(instance, 100)
    server.signal(signal)
    const result = await instance
    t.ok(result['2xx'] >= 100)
    t.ok('ECONNREFUSED' in result.errorCodes, Object.keys(result.errorCodes).join())
    conserves(t, result, { neverSent: result.errors - result.fates.timedOut - result.fates.failed })
  }))
})

t.test('nginx on a Unix socket', { skip: NGINX }, async t => {
  const server = await nginx(t)
  const { code, stdout } = await cli(['--http2', '-c', '2', '-p', '5', '-a', '40', '-S', path.join(server.folder, 'socket'), '--json', 'http://localhost/small'])
  t.equal(code, 0)
  const result = JSON.parse(stdout)
  t.match(result, { '2xx': 40, http: '2' })
  conserves(t, result)
})

t.test('what users of curl write, against node:http2 over TLS: HEAD, 204, 304, 404, trailers and a body that comes back', async t => {
  const server = http2.createSecureServer({ cert, key })
  server.on('stream', (stream, { ':path': path, ':method': method, 'x-a': given }) => {
    if (path === '/trailers') {
      stream.respond({ ':status': 200, 'x-given': given }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '1' }))
      return stream.end('body')
    }
    stream.respond({ ':status': Number(path?.slice(1)) || 200 }, { endStream: method === 'HEAD' || ['/204', '/304'].includes(path ?? '') })
    if (!stream.writableEnded) stream.pipe(stream)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const url = `https://127.0.0.1:${server.address().port}`
  for (const [flags, status] of /** @type {const} */ ([[['-I'], 200], [['/204'], 204], [['/304'], 304], [['/404'], 404], [['/trailers', '--header', 'X-A: b', '-E', 'body'], 200],
    [['-X', 'POST', '--data', 'grüße', '-k', '-E', 'grüße'], 200]])) {
    const path = flags.find(flag => flag.startsWith('/')) ?? '/'
    const { code, stdout } = await cli(['--http2', '-c', '2', '-a', '10', '--json', ...flags.filter(flag => flag !== path), '--expect-status', String(status), url + path])
    t.equal(code, 0, flags.join(' '))
    const result = JSON.parse(stdout)
    t.match(result, { errors: 0, mismatches: 0, failures: 0 })
    t.equal(result.statusCodeStats[status].count, 10)
    conserves(t, result)
  }
})

t.test('node:http2 ends its sessions in the middle of a run, and no request is lost', async t => {
  const server = http2.createSecureServer({ cert, key }, (request, response) => setTimeout(() => response.end('ok'), 2))
  const sessions = new Set()
  server.on('session', session => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const instance = run({ url: `https://127.0.0.1:${server.address().port}`, amount: 2000, pipelining: 10 })
  for (let i = 0; i < 3; i++) {
    await answered(instance, 300)
    for (const session of sessions) session.close()
  }
  const result = await instance
  t.match(result, { '2xx': 2000, errors: 0 }, JSON.stringify(result.errorCodes))
  conserves(t, result)
})
