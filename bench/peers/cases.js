'use strict'

// What is compared: each case as options of autocannon (9 and ours take the same), which other tools take part, the server
// it runs against, and what it may cost as a ratio.

const BODY = 'hello world\n'
/** Of 50 bytes. */
const MESSAGE = '{"id":1,"text":"hello world hello world hello wor"}'
const small = { connections: 100 }
const streams = { http: '2', connections: 10, pipelining: 100 }
/** Streams that never end, over connections that all have one. */
const eventStreams = { ...small, stream: 'sse' }
/** The `--stream openai` of them. */
const completions = { ...small, stream: 'openai', method: 'POST', body: '{"model":"m","messages":[]}' }
const HTTP2_TOOLS = ['h2load', 'undici', 'node:http2']

/** A hook that looks at status, body and headers. */
function readAll (status, body, context, headers) {
  if (status !== 200 || body.length !== BODY.length || Object.keys(headers).length === 0) throw new Error('not as expected')
}

/** The case `flow` as a function. */
async function flow ({ http, check }) {
  const login = await http.post('/login', { json: { email: 'ada@shop.example', password: 'secret' } })
  check(login, { 'logged in': ({ status }) => status === 200 })
  const headers = { authorization: `Bearer ${login.json('auth.token')}` }
  for (let page = 0; page < 3; page++) {
    check(await http.get(`/page/${page}`, { headers }), { page: response => response.status === 200 && response.text().includes('hello') })
  }
}

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {'plain' | 'tls' | 'h2' | 'h2c' | 'large' | 'flow' | 'node' | 'echo' | 'page' | 'sse' | 'sse10' | 'openai' | 'openai10'} [server] plain when left out; h2 speaks HTTP/2 and HTTP/1.1 over TLS, h2c HTTP/2 without; echo is a WebSocket, page HTTP on a server that is as fast;
 *   node is a node:http server, which is the limit: the client waits for it, and wakes up for a few responses at a time
 * @property {boolean} [own] against the server of this folder, which answers all requests of a read with one write; nginx
 *   answers pipelined requests one by one, so that a client pays for ten reads and pipelining can't be seen
 * @property {Record<string, any>} options of autocannon; functions may stand in it
 * @property {Record<string, any>} [nine] what is different in the options of autocannon 9. It takes part where this or a bound beside it is given
 * @property {boolean} [events] the cost is that of an event of a stream, without the start of the program. The server is on the client's core: it writes to all connections
 *   before the client reads, so that each read has the events of one write. On the other core, the thread would sleep between events, and most of the cost were its wake-ups
 * @property {number} [rate] requests/s for the tools that can hold one
 * @property {boolean} [whole] the cost is that of the run, not of a request: what it takes to start
 * @property {(instance: import('node:events').EventEmitter) => void} [listen]
 * @property {Record<string, number>} [atMost] cost in relation to that tool, or to another case of ours, which is then measured beside this one
 * @property {number} [bytesAtLeast] bytes/s in relation to autocannon 9
 * @property {number} [mebibytesAtMost] the highest memory that ours may take
 * @property {string[]} [tools] which take part besides autocannon 9 and ours
 * @property {number} [sockets] cost in relation to the same on the sockets of Node.js. It is then measured beside that, and beside `--clock read`
 * @property {string[]} [beside] other cases of ours that are measured beside it, without a bound
 * @property {string} [variantOf] the case beside which alone it is measured
 */

/** Bounds beside wrk and the sockets of Node.js: see "The kernel's part" in bench/README.md. */
const CASES = {
  p1: {
    name: 'pipelining 1',
    options: small,
    tools: ['floor', 'native floor', 'wrk', 'oha', 'k6'],
    atMost: { 'autocannon 9': 0.65, 'native floor': 1.35, wrk: 1.15 },
    sockets: 1
  },
  c10: { name: '10 connections', nine: {}, options: { connections: 10 }, tools: ['native floor', 'wrk'], atMost: { 'native floor': 1.35, wrk: 1.2 }, sockets: 0.95 },
  node: {
    name: 'pipelining 1, a node:http server',
    server: 'node',
    own: true,
    options: small,
    tools: ['wrk', 'oha', 'k6'],
    atMost: { 'autocannon 9': 0.85, wrk: 1.6 }
  },
  p10: {
    name: 'pipelining 10',
    own: true,
    options: { ...small, pipelining: 10 },
    tools: ['floor'],
    atMost: { 'autocannon 9': 0.16 },
    sockets: 1.1
  },
  c1000: {
    name: '1,000 connections',
    options: { connections: 1000 },
    tools: ['native floor', 'wrk'],
    atMost: { 'autocannon 9': 0.45, 'native floor': 1.35, wrk: 1.15 },
    sockets: 0.95
  },
  requests: {
    name: '`requests` of 10 entries',
    options: { ...small, requests: Array.from({ length: 10 }, (_, i) => ({ path: `/page/${i}` })) },
    atMost: { 'autocannon 9': 0.55 }
  },
  onResponse: {
    name: '`onResponse` reads status, body, headers',
    options: { ...small, requests: [{ onResponse: readAll }] },
    tools: ['wrk'],
    atMost: { 'autocannon 9': 0.62, wrk: 1.25 },
    sockets: 1
  },
  setupRequest: {
    name: '`setupRequest` changes path and headers',
    options: () => {
      let n = 0
      return {
        ...small,
        requests: [{ setupRequest: request => ({ ...request, path: `/item/${++n}`, headers: { ...request.headers, 'x-request-id': String(n) } }) }]
      }
    },
    atMost: { 'autocannon 9': 0.55 }
  },
  expectBody: { name: '`expectBody`', options: { ...small, expectBody: BODY }, atMost: { 'autocannon 9': 0.50 } },
  idReplacement: {
    name: '`idReplacement` with a body',
    options: { ...small, method: 'POST', body: '{"id":"[<id>]"}', headers: { 'content-type': 'application/json' }, idReplacement: true },
    atMost: { 'autocannon 9': 0.50 }
  },
  listener: {
    name: 'a `response` listener',
    options: small,
    listen: instance => {
      let bytes = 0
      instance.on('response', (client, status, size) => { bytes += size })
      instance.on('done', ({ throughput }) => {
        if (bytes === 0 || bytes > throughput.total) throw new Error(`${bytes} bytes in responses, ${throughput.total} read`)
      })
    },
    atMost: { 'autocannon 9': 0.55 }
  },
  tls: { name: 'TLS', server: 'tls', options: small, tools: ['wrk'], atMost: { 'autocannon 9': 0.60 } },
  large: { name: '100 KB responses', server: 'large', options: small, tools: ['wrk'], atMost: { 'autocannon 9': 0.70 }, bytesAtLeast: 1.3 },
  rate: {
    // An even pace costs a core, whatever the rate: what it costs stands in docs/measuring.md.
    name: '`--rate 20000 --pace batched`',
    options: { ...small, rate: 20000, pace: 'batched' },
    nine: { rate: undefined, pace: undefined, overallRate: 20000 },
    rate: 20000,
    tools: ['oha'],
    atMost: { 'autocannon 9': 0.90 }
  },
  template: {
    name: 'a template with two columns of data',
    options: { ...small, data: { users: { rows: Array.from({ length: 1000 }, (_, i) => ({ id: i, name: `user-${i % 7}` })) } }, requests: [{ path: '/user/{{users.id}}', headers: { 'x-name': '{{users.name}}' } }] },
    atMost: { p1: 1.25 }
  },
  visitor: { name: 'pipelining 1, a page', server: 'flow', own: true, options: small },
  session: {
    name: 'data, capture, cookies, a check, `{{counter}}`',
    server: 'flow',
    own: true,
    options: {
      ...small,
      cookies: true,
      data: { users: { rows: Array.from({ length: 1000 }, (_, i) => ({ email: `user-${i}@shop.example` })) } },
      requests: [{ method: 'POST', path: '/login', body: '{"email":"{{users.email}}","n":{{counter}}}', capture: { token: 'json auth.token' }, expect: { status: 200 } }]
    },
    atMost: { visitor: 2.2 }
  },
  flow: {
    name: 'user scenario: login, three pages',
    server: 'flow',
    own: true,
    options: {
      ...small,
      cookies: true,
      requests: [
        { method: 'POST', path: '/login', headers: { 'content-type': 'application/json' }, body: '{"email":"ada@shop.example","password":"secret"}', capture: { token: 'json auth.token' }, expect: { status: 200 } },
        ...[0, 1, 2].map(page => ({ path: `/page/${page}`, headers: { authorization: 'Bearer {{token}}' }, expect: { status: 200, body: { includes: 'hello' } } }))
      ]
    },
    tools: ['locust', 'k6'],
    atMost: { locust: 0.1, k6: 0.25 }
  },
  function: {
    name: 'user function: one request an iteration',
    options: { ...small, user: async ({ http }) => { await http.get('/') } },
    atMost: { p1: 2 }
  },
  'function-flow': {
    name: 'user function: login, three pages',
    server: 'flow',
    own: true,
    // As `flow` keeps them, whose requests are those of no scenario.
    options: { ...small, cookies: { keep: 'connection' }, user: flow },
    tools: ['locust', 'k6'],
    atMost: { flow: 1.5, locust: 0.1, k6: 0.2 }
  },
  // Beside an HTTP request on a server of equal speed: see "A message over WebSocket" in bench/README.md.
  page: { name: 'pipelining 1, a server as fast as that of the echo', server: 'page', own: true, options: small },
  echo: {
    name: 'WebSocket, a message of 50 bytes and its echo',
    server: 'echo',
    own: true,
    options: { ...small, body: MESSAGE },
    tools: ['k6', 'artillery'],
    atMost: { page: 1.3, k6: 0.3, artillery: 0.3 }
  },
  // An event that is alone in its read costs a `recvmsg` and its part of a wake-up: the floor alone takes 0.19 to 0.38 of a request, as the machine goes. What is ours is bounded beside the floor.
  sse: { name: 'an event of 55 bytes, alone in its read', server: 'sse', own: true, events: true, options: eventStreams, tools: ['event floor'], atMost: { p1: 0.6, 'event floor': 1.5 } },
  'sse-10': { name: '10 events of 55 bytes in a read', server: 'sse10', own: true, events: true, options: eventStreams, tools: ['event floor'], atMost: { p1: 0.07, 'event floor': 1.5 } },
  'sse-openai': { name: '`--stream openai`, an event of 255 bytes alone in its read', server: 'openai', own: true, events: true, options: completions, tools: ['event floor'], atMost: { p1: 0.65, 'event floor': 1.5 } },
  'sse-openai10': { name: '`--stream openai`, 10 events of 255 bytes in a read', server: 'openai10', own: true, events: true, options: completions, tools: ['event floor'], atMost: { p1: 0.12, 'event floor': 1.5 } },
  trace: { name: '`--trace`', options: { ...small, trace: true }, atMost: { p1: 1.1 } },
  workers: { name: '2 workers on one core', nine: {}, options: { ...small, workers: 2 }, atMost: { p1: 1.15 } },
  // A bare loop sends the next request from within the callback of the last answer, where undici does not look whether the server has closed the connection meanwhile, as it does for
  // services.
  'undici-p1': { name: '`--client undici`, pipelining 1', options: { ...small, client: 'undici' }, tools: ['undici'], atMost: { undici: 2, p1: 6 } },
  'http2-10x100': {
    name: 'HTTP/2, 10 connections × 100 streams',
    server: 'h2',
    options: streams,
    tools: HTTP2_TOOLS,
    atMost: { h2load: 1.15, undici: 0.2, 'node:http2': 0.2 }
  },
  'http2-h2c': {
    name: 'HTTP/2 in plain text (h2c), 10 connections × 100 streams',
    server: 'h2c',
    options: streams,
    tools: ['h2load'],
    atMost: { h2load: 1.1 },
    sockets: 1.1
  },
  'http2-http1': { name: 'HTTP/1.1 over TLS, 100 connections', server: 'h2', options: small },
  'http2-100x1': {
    name: 'HTTP/2, 100 connections × 1 stream',
    server: 'h2',
    options: { ...small, http: '2' },
    tools: HTTP2_TOOLS,
    atMost: { h2load: 1.1, 'http2-http1': 1.8, undici: 0.2, 'node:http2': 0.2 }
  },
  'http2-onResponse': {
    name: 'HTTP/2, 10 × 100, `onResponse` reads status, body, headers',
    server: 'h2',
    options: { ...streams, requests: [{ onResponse: readAll }] },
    atMost: { 'http2-10x100': 2 }
  },
  'http2-memory': { name: 'HTTP/2, 100 × 100', server: 'h2', options: { ...streams, connections: 100 }, mebibytesAtMost: 120 },
  start: { name: 'start: one request', whole: true, options: { connections: 1, amount: 1 }, atMost: { 'autocannon 9': 1 } },
  startMany: {
    name: 'start: 200 connections, 2,000 requests with a hook',
    whole: true,
    options: { connections: 200, amount: 200, requests: Array.from({ length: 2000 }, (_, i) => ({ path: `/${i}`, onResponse () {} })) },
    atMost: { 'autocannon 9': 1 }
  }
}

/** How the sockets of our tool are chosen, and when its latencies end: not the default. */
const VARIANTS = {
  node: { options: { sockets: 'node' }, title: '`--sockets node`' },
  read: { options: { clock: 'read' }, title: '`--clock read`' }
}

for (const [name, one] of Object.entries(CASES).filter(([, { sockets }]) => sockets !== undefined)) {
  for (const [variant, { options, title }] of Object.entries(VARIANTS)) {
    CASES[`${name}/${variant}`] = { name: `${one.name}, ${title}`, server: one.server, own: one.own, options: { ...one.options, ...options }, variantOf: name }
  }
  one.atMost = { ...one.atMost, [`${name}/node`]: Number(one.sockets) }
  one.beside = [`${name}/read`]
}

/** How much more a request may cost than in another checkout, as a ratio: CPU time varies more than instructions. */
const BESIDE_BASE = { cpu: 1.05, instructions: 1.02 }

/** Cases that a page quotes, which may be measured without the others, by the name that their figures have in results.json: user functions, streams and WebSocket. */
const GROUPS = { functions: ['flow', 'function', 'function-flow'], events: ['sse', 'sse-10', 'sse-openai', 'sse-openai10'], messages: ['echo'] }

module.exports = { CASES, GROUPS, BESIDE_BASE, BODY, MESSAGE }
