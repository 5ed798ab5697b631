'use strict'

// What people see: track and printResult with each of their options.

const t = require('tap')
const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const https = require('node:https')
const { PassThrough } = require('node:stream')
const path = require('node:path')
const autocannon = require('../../..')
const { Running } = require('../../helpers/processes/cli')
const { serve } = require('../../helpers/servers/http-server')
const { rawServer } = require('../../helpers/servers/raw-server')
const { overHttp1, run } = require('../modes')

const LATENCY = '│ Latency │'
const VOLUME = '│ Req/Sec   │'
const PERCENTILES = '│ Percentile │ Latency (ms) │'
const STATUSES = '│ Code │ Count │'
const SUMMARY = /^4 requests in [\d.]+s, [\d.]+ k?B read$/m

/**
 * @param {{ tty?: boolean }} [options]
 * @returns {any} a stream with what has been written to it
 */
function stream ({ tty = false } = {}) {
  const stream = Object.assign(new PassThrough().setEncoding('utf8'), { isTTY: tty, columns: 100, cursorTo () {}, clearLine () {}, hasColors: () => true })
  return Object.assign(stream, { text: () => stream.read() ?? '' })
}

/**
 * @param {any} t
 * @param {Record<string, any>} trackOptions
 * @param {{ tty?: boolean }} [streamOptions]
 * @param {Record<string, any>} [opts]
 * @returns {Promise<string>} what a run of 4 requests writes
 */
async function tracked (t, trackOptions, streamOptions, opts) {
  const { url } = await serve(t)
  const outputStream = stream(streamOptions)
  await autocannon.track(run({ url, amount: 4, ...opts }), { outputStream, ...trackOptions })
  return outputStream.text()
}

/**
 * @param {any} t
 * @param {string} text
 * @param {Record<string, boolean>} expected which parts are there
 */
function has (t, text, expected) {
  const found = {
    latency: text.includes(LATENCY),
    volume: text.includes(VOLUME),
    percentiles: text.includes(PERCENTILES),
    statuses: text.includes(STATUSES),
    summary: SUMMARY.test(text)
  }
  t.match(found, expected)
}

overHttp1(t, 'track prints banner, tables and summary to outputStream', async (t, mode) => {
  const { url } = await serve(t)
  const outputStream = stream()
  const instance = mode.run({ url, amount: 4, pipelining: 2 })
  t.equal(autocannon.track(instance, { outputStream }), instance, 'and returns the instance')
  await instance
  const text = outputStream.text()
  t.match(text, `Running 4 requests test @ ${url}\n2 connections with 2 pipelining factor\n`)
  has(t, text, { latency: true, volume: true, percentiles: false, statuses: false, summary: true })
})

t.test('track writes to stderr when no stream is given', async t => {
  const { url } = await serve(t)
  const script = `const autocannon = require(${JSON.stringify(path.join(__dirname, '../../..'))})
    autocannon.track(autocannon({ url: '${url}', amount: 4, connections: 1 }))`
  const { code, stdout, stderr } = await new Running(process.execPath, ['-e', script], {}).ended
  t.equal(code, 0)
  t.equal(stdout, '')
  has(t, stderr, { latency: true, summary: true })
})

t.test('renderProgressBar: a bar on a terminal, none when it is false', async t => {
  const opts = { amount: undefined, duration: 0.3 }
  t.match(await tracked(t, {}, { tty: true }, opts), /running \[=* *\] +\d+%/)
  t.match(await tracked(t, { renderProgressBar: true }, { tty: true }, opts), 'running [')
  t.notMatch(await tracked(t, { renderProgressBar: false }, { tty: true }, opts), 'running [')
})

t.test('progressBarString is the format of the bar', async t => {
  const text = await tracked(t, { progressBarString: 'done :percent of it <:bar>' }, { tty: true }, { amount: undefined, duration: 0.3 })
  t.match(text, /done +\d+% of it <=* *>/)
  t.notMatch(text, 'running [')
})

t.test('renderResultsTable: false leaves the tables out', async t => {
  has(t, await tracked(t, { renderResultsTable: true }), { latency: true, volume: true, summary: true })
  has(t, await tracked(t, { renderResultsTable: false }), { latency: false, volume: false, percentiles: false, summary: true })
})

t.test('renderLatencyTable adds every percentile', async t => {
  const text = await tracked(t, { renderLatencyTable: true })
  has(t, text, { latency: true, percentiles: true })
  for (const percentile of ['0.001', '0.01', '0.1', '1', '2.5', '10', '25', '50', '75', '90', '97.5', '99', '99.9', '99.99', '99.999']) {
    t.match(text, `\n│ ${percentile.padEnd(10)} │ `)
  }
})

t.test('renderStatusCodes adds the status codes', async t => {
  t.match(await tracked(t, { renderStatusCodes: true }), /│ 200 {2}│ 4 {5}│/)
})

t.test('track prints nothing for raw results but the banner', async t => {
  has(t, await tracked(t, {}, {}, { skipAggregateResult: true }), { latency: false, summary: false })
})

t.test('printResult returns the tables as text', async t => {
  const { url } = await serve(t)
  const result = await run({ url, amount: 4 })
  const outputStream = stream()
  const text = autocannon.printResult(result, { outputStream })
  t.type(text, 'string')
  t.ok(text.endsWith('\n'))
  has(t, text, { latency: true, volume: true, percentiles: false, statuses: false, summary: true })
  t.equal(outputStream.text(), '', 'and writes nothing')
  t.match(text, 'Req/Bytes counts sampled once per second.\n# of samples: 1\n')
  has(t, autocannon.printResult(result), { latency: true, summary: true })
})

t.test('printResult obeys renderResultsTable, renderLatencyTable and renderStatusCodes', async t => {
  const { url } = await serve(t)
  const result = await run({ url, amount: 4 })
  const print = (/** @type {Record<string, any>} */ opts) => autocannon.printResult(result, { outputStream: stream(), ...opts })
  has(t, print({ renderResultsTable: false }), { latency: false, volume: false, percentiles: false, statuses: false, summary: true })
  has(t, print({ renderLatencyTable: true }), { latency: true, volume: true, percentiles: true, statuses: false, summary: true })
  has(t, print({ renderStatusCodes: true }), { latency: true, percentiles: false, statuses: true, summary: true })
})

t.test('printResult has colours only for a stream that shows them', async t => {
  const saved = { FORCE_COLOR: process.env.FORCE_COLOR, NO_COLOR: process.env.NO_COLOR }
  t.teardown(() => {
    for (const [name, value] of Object.entries(saved)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  delete process.env.FORCE_COLOR
  delete process.env.NO_COLOR
  const { url } = await serve(t)
  const result = await run({ url, amount: 4 })
  t.match(autocannon.printResult(result, { outputStream: stream({ tty: true }) }), '\x1b[')
  t.notMatch(autocannon.printResult(result, { outputStream: stream() }), '\x1b[')
})

t.test('the report says what went wrong', async t => {
  const { url } = await serve(t, (request, response) => { response.statusCode = 500; response.end() })
  const result = await run({ url, amount: 4, expectBody: 'x' })
  const text = autocannon.printResult(result, { outputStream: stream() })
  t.match(text, '0 2xx responses, 4 non 2xx responses\n')
  t.match(text, '4 requests with a mismatched body')
})

t.test('http to a TLS port, https to a plain one, every request timed out: the report says what to try', async t => {
  const fixture = (/** @type {string} */ name) => readFileSync(path.join(__dirname, '../../fixtures/tls', name))
  const tls = https.createServer({ key: fixture('key.pem'), cert: fixture('cert.pem') }).on('tlsClientError', () => {}).listen(0, '127.0.0.1')
  await once(tls, 'listening')
  t.teardown(() => new Promise(resolve => tls.close(resolve)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (tls.address())
  const plain = await serve(t)
  const silent = await rawServer(t, () => {})
  const alert = await rawServer(t, Buffer.from('15030100020228', 'hex'))
  const nginx = await serve(t, (request, response) => { response.statusCode = 400; response.end('The plain HTTP request was sent to HTTPS port') })
  const secure = (/** @type {string} */ url) => url.replace('http:', 'https:')
  /** @type {Array<[title: string, opts: Record<string, any>, hint: string]>} */
  const cases = [
    ['a TLS server that closes', { url: `http://127.0.0.1:${port}` }, `If it expects TLS, try https://127.0.0.1:${port}`],
    ['a TLS server that sends an alert', { url: alert.url }, `it expects TLS. Try ${secure(alert.url)}`],
    ['a TLS server that answers in plain', { url: nginx.url }, `Every response was 400: the server refuses the request as it is, or expects TLS (try ${secure(nginx.url)}).`],
    ['a plain server', { url: secure(plain.url) }, `it does not speak TLS. Try ${plain.url}`],
    ['a server that never answers', { url: silent.url, timeout: 0.1 }, 'every request timed out after 0.1 s. If the server needs longer, raise -t (--timeout).']
  ]
  for (const [title, opts, hint] of cases) {
    t.test(title, async t => {
      const result = await autocannon({ connections: 1, amount: 2, ...opts })
      for (const text of [autocannon.printResult(result), autocannon.formatResult(result, 'md').replaceAll('<!-- -->', '')]) t.match(text, hint)
    })
  }
})

t.test('only 404, or only redirects: the report has the status codes, and says that redirects are not followed', async t => {
  for (const [status, hint] of [[404, '4 non 2xx responses'], [302, 'redirects are not followed']]) {
    const { url } = await serve(t, (request, response) => { response.writeHead(Number(status), { location: '/' }); response.end() })
    const text = autocannon.printResult(await run({ url, amount: 4 }))
    t.match(text, `│ ${status}  │ 4     │`)
    t.match(text, hint)
  }
})

t.test('stop() ends the run with a word of it', async t => {
  const { url } = await serve(t, (request, response) => setTimeout(() => response.end(), 5))
  for (const [opts, expected] of /** @type {Array<[Record<string, any>, RegExp]>} */ ([
    [{ duration: 60 }, /after [\d.]+ s of 60 s/], [{ amount: 100_000 }, /after \d+ of 100,000 requests/]
  ])) {
    const instance = run({ url, sampleInt: 50, ...opts })
    instance.once('tick', () => instance.stop())
    const result = await instance
    t.match(autocannon.printResult(result), new RegExp(`^\n.* · ended ${expected.source}.*\n`))
    t.match(autocannon.formatResult(result, 'md'), new RegExp(`Ended early, ${expected.source}: the report has the results until then`))
    t.match(autocannon.formatResult(result, 'html'), new RegExp(`Ended early, ${expected.source}`))
  }
})
