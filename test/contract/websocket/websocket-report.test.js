'use strict'

// What the report of a WebSocket run says: messages where HTTP has requests, and why no response came.

const t = require('tap')
const path = require('node:path')
const { readFileSync, writeFileSync } = require('node:fs')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { serve } = require('../../helpers/servers/http-server')
const { accepted, frame, rawWebSocketServer, webSocketServer } = require('../../helpers/servers/websocket-server')

const CLOSED = frame(Buffer.of(4001 >> 8, 4001 & 255), 0x88)

/** @param {any} t @param {any} server @param {any} options */
async function reported (t, server, options) {
  const { url } = await rawWebSocketServer(t, server)
  const result = await autocannon({ url, connections: 1, duration: 0.5, timeout: 0.2, ...options })
  return { url, result, text: autocannon.printResult(result, { outputStream: { isTTY: false } }) }
}

t.test('why no response came', async t => {
  const refused = await reported(t, { handshake: () => 'HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n' }, { body: 'hi' })
  t.match(refused.text, `No response from ${refused.url}: the server refused the WebSocket handshake with status 401. Check the path, and what the server requires: credentials, an Origin, a subprotocol.`)
  const closed = await reported(t, { handshake: (/** @type {any} */ request) => Buffer.concat([Buffer.from(accepted(request)), CLOSED]) }, { body: 'hi' })
  t.match(closed.text, `No response from ${closed.url}: the server closed the WebSocket with the code 4001 of its application. Check its log`)
  const others = await reported(t, { frames: (/** @type {any} */ socket) => socket.write(frame('{"ok":1}')) }, { body: '{"id":{{counter}}}', match: 'json id' })
  t.match(others.text, /every message timed out after 0\.2 s\. \d+ messages? arrived that --match assigned to none in flight: check what it compares, or use --match next\./)
  const { url } = await webSocketServer(t)
  const pushing = await webSocketServer(t, () => {})
  const waiting = await autocannon({ url: pushing.url, body: 'hi', connections: 1, duration: 0.3 })
  t.match(autocannon.printResult(waiting), 'The run ended before the first response: each message waits for one. If the server sends on its own, measure that with --receive and no body; if it is slow, raise -d (--duration).')
  const plain = await autocannon({ url: url.replace('ws:', 'wss:'), body: 'hi', connections: 1, amount: 1 })
  t.match(autocannon.printResult(plain), /it does not speak TLS\. Try ws:\/\//)
})

t.test('a URL of HTTP for a server of WebSocket, and a stream that is taken for a response', async t => {
  const { url } = await webSocketServer(t)
  const result = await autocannon({ url: url.replace('ws:', 'http:'), amount: 3 })
  t.match(autocannon.printResult(result), `Every response was 426, as from a server of WebSocket. If so, try ${url}`)
  const lines = await serve(t, (request, response) => response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{}\n'))
  const unread = await autocannon({ url: lines.url, stream: 'sse', duration: 0.5, connections: 1 })
  t.match(autocannon.printResult(unread), /The run ended before the end of the first response, of which \d+ B came\. --stream sse reads 2xx responses of text\/event-stream, and none was one: expected a Content-Type of text\/event-stream, got 'application\/x-ndjson'\. For lines of JSON use --stream ndjson, for others --stream chunks\./)
  const server = await serve(t, (request, response) => response.write('data: 1\n\n'))
  for (const [changes, how] of [[{}, '--stream sse, ndjson or chunks'], [{ user: async ({ http }) => { await http.get('/') } }, 'http.stream()']]) {
    const endless = await autocannon({ url: server.url, duration: 0.5, timeout: 0.2, connections: 1, ...changes })
    t.match(autocannon.printResult(endless), `Responses had begun: if they are streams, measure them with ${how}.`)
  }
})

t.test('messages that respond to nothing, and what may be wrong of it', async t => {
  const frames = (/** @type {any} */ socket) => socket.write(Buffer.concat([frame('{"id":1}'), frame('{"tick":1}')]))
  const next = await reported(t, { frames }, { body: 'hi', amount: 2 })
  t.match(next.text, /responded to no message in flight: --match next may have assigned others to the wrong message/)
  t.match(next.text, /messages? sent in /)
  const listens = await reported(t, {}, { receive: true })
  t.match(listens.text, 'No message arrived on 1 connection.')
  t.notMatch(listens.text, /stream|event/i)
})

t.test('single messages in Markdown and HTML have a response, and no status', async t => {
  const { url } = await webSocketServer(t)
  const result = await autocannon({ url, body: 'hi', amount: 3, connections: 1 })
  const page = autocannon.formatResult(result, 'md')
  t.match(page, /MESSAGE \/.*\| a message \|/)
  t.notMatch(page, /none at the end|Responses:/)
  t.notMatch(autocannon.formatResult(result, 'html'), 'none at the end')
})

/** What a reader sees of a page, with the texts of its charts. @type {(page: string) => string} */
const shown = page => page
  .replace(/<style[^]*?<\/style>|<script(?! type="application\/json" id="charts")[^]*?<\/script>/g, '')
  .replace(/<[^>]*>/g, ' ')

t.test('every report counts messages', async t => {
  const { url } = await webSocketServer(t)
  const folder = t.testdir()
  const at = (/** @type {string} */ name) => path.join(folder, name)
  // The page has the options by their names.
  const isFree = (/** @type {string} */ text, /** @type {string} */ what) => t.strictSame(
    text.match(/^(?!.*by-request).*(?:\brequests?\b|req\/s|\bReq\b|GET \/).*$/gim), null, what)
  writeFileSync(at('run.json'), JSON.stringify({
    url, connections: 2, duration: 1.2, rate: 200, thresholds: ['rps > 9000', 'say: p99 < 10s'],
    requests: [{ name: 'say', body: 'a' }, { body: 'b' }]
  }))
  const [run, many, log, find, versus] = await Promise.all([
    cli(['--config', at('run.json'), '--verbose', '-o', at('run.html'), '-o', at('run.md'), '--junit', at('run.xml')]),
    cli(['-b', 'hi', '-a', '30', '-c', '2', url]),
    cli(['-b', 'hi', '-d', '1', '-c', '1', '--log', url]),
    cli(['find', '-b', 'hi', '-c', '2', '--from', '200', '--to', '201', '--step', '0.5', '--threshold', 'p50 < 10s', '-o', at('find.html'), url]),
    cli(['versus', '-b', 'hi', '-c', '1', '-a', '20', '--runs', '3', '--fail-if', 'rps -1/s', '-o', at('versus.html'), '-o', at('versus.md'), url, url])
  ])
  for (const [name, { stdout, stderr }] of Object.entries({ run, many, log, find, versus })) isFree(stdout + stderr, name)
  for (const name of ['run.md', 'versus.md']) isFree(readFileSync(at(name), 'utf8'), name)
  for (const name of ['run.html', 'find.html', 'versus.html']) {
    t.notMatch(shown(readFileSync(at(name), 'utf8')), /req\/s|Requests|all requests|Share of requests|Slowest requests/, name)
  }
  isFree(readFileSync(at('run.xml'), 'utf8'), 'run.xml')
  t.match(run.stdout + run.stderr, /200 messages\/s in all/)
  t.match(versus.stdout, 'rps -1/s')
  t.match(many.stdout + many.stderr, /Running 30 messages test/)
  t.match(shown(readFileSync(at('run.html'), 'utf8')), /Messages per second/)
})
