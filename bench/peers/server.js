'use strict'

// The servers that are loaded: nginx where it is on the PATH, and one of our own that does as little as JavaScript
// can. Run as a program, this file is the latter; it prints its ports.

const { spawn, spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const tls = require('node:tls')
const { once } = require('node:events')
const { now } = require('../../lib/core/clock')
const { load } = require('../../lib/net/sockets/binding')
const { NativeSockets } = require('../../lib/net/sockets/native-sockets')
const { Problem } = require('../program')
const { BODY } = require('./cases')

const TLS = path.join(__dirname, '../../test/fixtures/tls')
const KEY = path.join(TLS, 'key.pem')
const CERTIFICATE = path.join(TLS, 'cert.pem')
const LARGE = 'x'.repeat(100 * 1024)
const HEAD_END = '\r\n\r\n'
const NO_BYTES = Buffer.alloc(0)

const answerWith = body => Buffer.from(`HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nX-Fill: 0123456789\r\n\r\n${body}`)

/** The answer to who logs in, as a small server sends it. */
const LOGIN = Buffer.from('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nContent-Length: 47\r\n' +
  'Set-Cookie: session=0123456789abcdef; Path=/; HttpOnly\r\n\r\n{"auth":{"token":"0123456789abcdef"},"user":42}')

/** Bytes of an answer of the plain server. */
const ANSWER = answerWith(BODY).length

/**
 * @param {string} body of the answers
 * @returns {(socket: net.Socket) => void} answers all requests whose heads end in one read with one write; bodies of
 *   requests pass unseen, as long as they hold no empty line
 */
function answerer (body) {
  const one = answerWith(body)
  const answers = []
  return socket => {
    let tail = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', read => {
      const bytes = tail.length === 0 ? read : Buffer.concat([tail, read])
      let count = 0
      let after = 0
      for (let at; (at = bytes.indexOf(HEAD_END, after)) !== -1; count++) after = at + HEAD_END.length
      tail = bytes.subarray(Math.max(after, bytes.length - HEAD_END.length + 1))
      if (count > 0) socket.write(answers[count] ??= Buffer.concat(new Array(count).fill(one)))
    })
  }
}

/** What a visitor asks for: a page, or to log in. One request at a time: of a body that comes later nothing is answered. */
function welcome (socket) {
  const page = answerWith(BODY)
  socket.on('error', () => {})
  socket.on('data', bytes => { socket.write(bytes.indexOf('POST /login ') === 0 ? LOGIN : page) })
}

/**
 * A server on the sockets of the add-on, where there is one: many reads and writes per call, so that it is not slower than what is measured. Of two kinds of messages the
 * slower server would have its client wake up for fewer of them, which costs more.
 * @param {(socket: { write: (bytes: Buffer) => unknown, end: (bytes: Buffer) => unknown }) => (read: Buffer) => void} serve
 */
function fast (serve) {
  const { binding } = load()
  if (binding === null) {
    return net.createServer({ noDelay: true }, socket => { socket.on('error', () => {}).on('data', serve(socket)) })
  }
  const sockets = new NativeSockets(binding, { clock: { now, real: now, at: ms => ms }, arrivals: false, batches: true })
  return net.createServer({ noDelay: true, pauseOnConnect: true }, socket => {
    let read = null
    const adopted = sockets.adopt(socket, {
      received (_, size, buffer, start) { read(buffer.subarray(start, start + size)) },
      drained () {},
      filled () {},
      lost (one) { one.destroy() }
    })
    if (adopted === null) return void socket.destroy()
    read = serve({
      write: bytes => adopted.write(bytes),
      end (bytes) {
        adopted.write(bytes)
        adopted.destroy()
      }
    })
  })
}

/** One page for each read. */
function page (socket) {
  const bytes = answerWith(BODY)
  return () => { socket.write(bytes) }
}

/** Sends back the frames of a read with one write: those of clients are masked, those of servers are not (RFC 6455). No message is longer than 65,535 bytes. */
function echo (socket) {
  let isOpen = false
  let tail = NO_BYTES
  return read => {
    let bytes = tail.length === 0 ? read : Buffer.concat([tail, read])
    if (!isOpen) {
      const end = bytes.indexOf(HEAD_END)
      if (end === -1) return void (tail = Buffer.from(bytes))
      const [, key] = /\r\nsec-websocket-key: *(\S+)/i.exec(bytes.toString('latin1', 0, end)) ?? []
      socket.write(Buffer.from(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n\r\n`))
      isOpen = true
      bytes = bytes.subarray(end + HEAD_END.length)
    }
    const frames = []
    let at = 0
    for (;;) {
      const head = (bytes[at + 1] & 127) < 126 ? 2 : 4
      if (bytes.length - at < head + 4) break
      const length = head === 2 ? bytes[at + 1] & 127 : bytes.readUInt16BE(at + 2)
      const key = at + head
      if (bytes.length - key < 4 + length) break
      const frame = Buffer.allocUnsafe(head + length)
      bytes.copy(frame, 0, at, key)
      frame[1] &= 127
      for (let i = 0; i < length; i++) frame[head + i] = bytes[key + 4 + i] ^ bytes[key + (i & 3)]
      frames.push(frame)
      at = key + 4 + length
      // A close frame ends the connection, and a ping has a pong.
      if ((frame[0] & 15) === 8) return void socket.end(frame)
      if ((frame[0] & 15) === 9) frame[0]++
    }
    tail = at === bytes.length ? NO_BYTES : Buffer.from(bytes.subarray(at))
    if (frames.length > 0) socket.write(frames.length === 1 ? frames[0] : Buffer.concat(frames))
  }
}

/** An event in a chunk of its own, as servers on Node.js send it. */
const chunkOf = text => `${text.length.toString(16)}\r\n${text}\r\n`
const EVENT = chunkOf('data: {"id":1234,"text":"hello world hello world"}\n\n')
const COMPLETION = chunkOf('data: {"id":"chatcmpl-8XyZabcdefghijklmnopqrstuvw","object":"chat.completion.chunk","created":1732700000,"model":"gpt-4o-mini",' +
  '"system_fingerprint":"fp_0123456789","choices":[{"index":0,"delta":{"content":" word"},"logprobs":null,"finish_reason":null}]}\n\n')
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'

/** How long it sleeps after it has written to all, so that the client, on the same core, reads meanwhile: ms. */
const ASLEEP = 0.1

/**
 * @param {string} event
 * @param {number} n how many are in one write
 * @returns {(socket: net.Socket) => void} a stream without an end for each connection. All get the same at the same time, unless they have not taken what came before
 */
function streamer (event, n) {
  const open = new Set()
  const bytes = Buffer.from(event.repeat(n))
  const cell = new Int32Array(new SharedArrayBuffer(4))
  const write = () => {
    for (const socket of open) if (socket.writableLength === 0) socket.write(bytes)
    Atomics.wait(cell, 0, 0, ASLEEP)
    if (open.size > 0) setImmediate(write)
  }
  return socket => {
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.once('data', () => {
      socket.resume().write(STREAM_HEAD)
      if (open.add(socket).size === 1) setImmediate(write)
    })
  }
}

const acceptOf = key => createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

/** Over HTTP/2, `setHeader` does not return the response in Node.js 20. */
function answerHttp2 (request, response) {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': BODY.length })
  response.end(BODY)
}

async function serve () {
  // The bench holds the other end, and lets go of it when it ends, however that is.
  process.stdin.on('close', () => process.exit()).resume()
  const certificate = { key: fs.readFileSync(KEY), cert: fs.readFileSync(CERTIFICATE) }
  const servers = {
    plain: net.createServer({ noDelay: true }, answerer(BODY)),
    tls: tls.createServer(certificate, answerer(BODY)),
    h2: http2.createSecureServer({ ...certificate, allowHTTP1: true }, answerHttp2),
    h2c: http2.createServer(answerHttp2),
    large: net.createServer({ noDelay: true }, answerer(LARGE)),
    flow: net.createServer({ noDelay: true }, welcome),
    echo: fast(echo),
    page: fast(page),
    sse: net.createServer({ noDelay: true }, streamer(EVENT, 1)),
    sse10: net.createServer({ noDelay: true }, streamer(EVENT, 10)),
    openai: net.createServer({ noDelay: true }, streamer(COMPLETION, 1)),
    openai10: net.createServer({ noDelay: true }, streamer(COMPLETION, 10)),
    node: http.createServer((request, response) => response.end(BODY))
  }
  for (const server of Object.values(servers)) await once(server.listen(0, '127.0.0.1', 4096), 'listening')
  console.log(JSON.stringify(Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, server.address().port]))))
}

/**
 * @typedef {{ plain: number, tls: number, h2: number, h2c: number, large: number, flow?: number, echo?: number, page?: number, node?: number, sse?: number, sse10?: number, openai?: number, openai10?: number, stop: () => void }} Servers ports on 127.0.0.1
 * @param {string[]} pin the command in front that ties a program to a core
 * @returns {Promise<Servers>}
 */
async function startOwn (pin) {
  const [command, ...args] = [...pin, process.execPath, __filename]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', code => reject(new Problem(`${[command, ...args].join(' ')} ended with ${code} instead of listening`)))
  })
  return { ...JSON.parse(line), stop: () => child.kill() }
}

/** @throws {Problem} when there is no nginx, or none that can do what is needed */
async function startNginx (pin) {
  if (spawnSync('nginx', ['-v']).error !== undefined) throw new Problem('is not on the PATH')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-nginx-'))
  fs.chmodSync(folder, 0o755)
  fs.writeFileSync(path.join(folder, 'large'), LARGE)
  const { closedPort } = require('../../test/helpers/servers/http-server')
  const { accepts } = require('../../test/helpers/servers/real-servers')
  const ports = Object.fromEntries(await Promise.all(['plain', 'tls', 'h2', 'h2c', 'large'].map(async name => [name, await closedPort()])))
  const answer = `location / { default_type text/plain; return 200 "${BODY.trim()}\\n"; }`
  fs.writeFileSync(path.join(folder, 'nginx.conf'), `
    daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 16384; }
    http {
      access_log off; keepalive_requests 1000000000; sendfile on;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      server { listen 127.0.0.1:${ports.plain} backlog=8192; ${answer} }
      ssl_certificate ${CERTIFICATE}; ssl_certificate_key ${KEY};
      server { listen 127.0.0.1:${ports.tls} ssl; ${answer} }
      server { listen 127.0.0.1:${ports.h2} ssl http2; ${answer} }
      server { listen 127.0.0.1:${ports.h2c} http2; ${answer} }
      server { listen 127.0.0.1:${ports.large}; location / { root ${folder}; try_files /large =404; } }
    }`)
  // The warning that the default error log can't be written comes before the configuration is read.
  const [command, ...args] = [...pin, 'nginx', '-p', folder, '-e', `${folder}/error.log`, '-c', path.join(folder, 'nginx.conf')]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', data => { said += data })
  const stop = () => {
    process.off('exit', stop)
    child.kill()
    fs.rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  for (let attempt = 0; !await accepts(ports.plain); attempt++) {
    if (attempt === 50 || child.exitCode !== null) {
      stop()
      throw new Problem(`does not listen: ${said.trim()}`)
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return { ...ports, stop }
}

module.exports = { startOwn, startNginx, ANSWER }

if (require.main === module) serve()
