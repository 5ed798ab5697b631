'use strict'

// Steps of WebSockets in lists of requests: what is wrong with one is one line with its place, before the first request.

const t = require('tap')
const { validate } = require('../../../lib/options/validate')
const { buildPlan } = require('../../../lib/options/plan')

/**
 * @param {Record<string, any>} options
 * @returns {string[]}
 */
function problemsOf (options) {
  try {
    buildPlan(validate({ url: 'http://localhost', ...options }).values)
    return []
  } catch (error) {
    return /** @type {any} */ (error).problems ?? [(error).stack]
  }
}

const open = { ws: '/chat' }

/** @type {Array<[any[], RegExp]>} */
const TABLE = [
  [[{ send: 'x' }], /^requests\[0\]: send needs an open WebSocket: expected ws: \/chat before it, got none$/],
  [[{ close: 'ws' }, open], /^requests\[0\]: close needs an open WebSocket/],
  [[{ parallel: [{ requests: [open] }, { send: 'x' }] }], /^requests\[0\]\.parallel\[1\]: send needs/],
  [[{ parallel: [open, { path: '/' }] }, { send: 'x' }], /^requests\[1\]: send needs/],
  [[{ ws: '/', send: 'x' }], /^requests\[0\]: ws and send in one entry: expected an entry for each$/],
  [[{ ws: 5 }], /^requests\[0\]\.ws: expected a path such as \/chat, or a URL, got 5$/],
  [[{ ws: 'ws://other.example/chat' }], /^requests\[0\]\.ws: 'http:\/\/other\.example' is not an origin of this run: allow it with --origin/],
  [[{ ws: '/{{nothing}}' }], /^requests\[0\]\.ws: nothing provides \{\{nothing\}\}/],
  [[{ ws: '/a#b' }], /^requests\[0\]\.ws: '\/a#b' has a #/],
  [[{ ws: '/', method: 'POST' }], /^requests\[0\]: unknown key 'method'/],
  [[{ ws: '/', headers: { 'Sec-WebSocket-Protocol': 'x' } }], /^requests\[0\]\.headers: 'Sec-WebSocket-Protocol' belongs to the handshake: use subprotocols$/],
  [[{ ws: '/', subprotocols: 'a b' }], /^requests\[0\]\.subprotocols: expected names/],
  [[{ ws: '/', match: 'id' }], /^requests\[0\]\.match: expected next, none, or json and a path such as 'json id', got 'id': did you mean 'json id'\?$/],
  [[{ ws: '/', timeout: 0 }], /^requests\[0\]\.timeout: expected seconds/],
  [[open, { send: 5 }], /^requests\[1\]\.send: expected a text, or an object that is sent as JSON, got 5$/],
  [[open, { send: '{{nothing}}' }], /^requests\[1\]\.send: nothing provides/],
  [[open, { send: 'x', expect: { status: 200 } }], /^requests\[1\]\.expect\.status: a message has no status$/],
  [[open, { send: 'x', match: 'none', capture: { a: 'json a' } }], /^requests\[1\]\.capture: a message with match: none has no response/],
  [[{ ws: '/', match: 'none' }, { send: 'x', name: 'a' }], /^requests\[1\]\.name: a message with match: none has no response/],
  [[{ if: 'true', requests: [open, { send: 'x', body: 'y' }] }], /^requests\[0\]\.requests\[1\]: unknown key 'body'/],
  [[open, { close: true }], /^requests\[1\]\.close: expected ws, as in close: ws, or the name of a ws, got true$/],
  [[open, { receive: {} }], /^requests\[1\]\.receive: expected next, or an expression such as "json type == 'price'", got an object$/],
  [[open, { receive: 'type == 1' }], /^requests\[1\]\.receive: nothing provides type; there are status, index, random, json, body; of a message it is json type$/],
  [[open, { receive: 'json type == price' }], /^requests\[1\]\.receive: nothing provides price.*; text has quotes: 'price'$/],
  [[open, { receive: 'json type = 1' }], /^requests\[1\]\.receive: 'json type = 1' is no expression.*: values are compared with ==$/],
  [[{ path: '/', capture: { json: 'json a' } }, open, { receive: 'json type' }], /^requests\[2\]\.receive: json has its own meaning, and is in the context, too: rename it there$/],
  [[{ receive: 'next' }], /^requests\[0\]: receive needs an open WebSocket/],
  [[open, { receive: 'next', count: 0 }], /^requests\[1\]\.count: expected a whole number, at least 1 and at most 1,000,000, got 0$/],
  [[open, { receive: 'next', match: 'next' }], /^requests\[1\]: unknown key 'match'/],
  [[open, { receive: 'next', expect: { status: 200 } }], /^requests\[1\]\.expect\.status: a message has no status$/],
  [[open, { receive: 'next', on: 'chat' }], /^requests\[1\]\.on: expected the name of a ws before it, as in \{ ws: \/chat, as: chat \}, got 'chat'$/],
  [[{ ws: '/a', as: 'chat' }, { send: 'x', on: 'chet' }], /^requests\[1\]\.on: expected the name of .*, got 'chet', did you mean 'chat'\?/],
  [[{ ws: '/a', as: 'chat' }, { close: 'ws' }], /^requests\[1\]: close needs an open WebSocket: expected close: chat, or a ws without as before it$/],
  [[{ ws: '/a', as: 'chat' }, { send: 'x' }], /^requests\[1\]: send needs an open WebSocket: expected on: chat, or a ws without as before it$/],
  [[{ ws: '/a', as: 'a b' }], /^requests\[0\]\.as: expected names of letters/],
  [[{ ws: '/a', as: 'ws' }], /^requests\[0\]\.as: expected another name: ws is that without a name/]
]

t.test('what is wrong is told in one line with its place', async t => {
  for (const [requests, message] of TABLE) {
    const problems = problemsOf({ requests })
    t.match(problems[0], message)
    t.equal(problems.length, 1, problems.join(' | '))
  }
})

t.test('what cannot be combined', async t => {
  const requests = [open, { send: 'x' }]
  t.match(problemsOf({ requests, rate: 20 }), [/^rate: requests has .* or a WebSocket, so the rate must be in iterations: use rate '20 iterations\/s'$/])
  t.match(problemsOf({ requests, client: 'undici' }), [/^requests\[0\]\.ws: undici opens no WebSockets here: omit client$/])
  t.match(problemsOf({ requests, url: 'ws://localhost/' }), [/^requests\[0\]\.ws: a WebSocket of an iteration needs a URL with http/])
  t.strictSame(problemsOf({ requests, rate: '20 iterations/s' }), [])
})

t.test('messages have what the ws above them says, and the plan is plain data', async t => {
  const { values } = validate({ url: 'http://localhost', requests: [{ ws: 'wss://localhost:80/chat', match: 'json id', name: 'say', timeout: '2s', subprotocols: 'a,b' }, { if: 'random < 1', requests: [{ send: 'a' }] }, { send: 'b', match: 'next', name: 'other', timeout: 1 }, { close: 'ws' }], origins: ['https://localhost:80'] })
  const [{ flow, steps }] = /** @type {any} */ (buildPlan(values).scenarios[0].userScenarios)
  t.strictSame(JSON.parse(JSON.stringify(flow)), [
    { kind: 'ws', step: 0, options: { protocols: ['a', 'b'], compressed: false, timeoutMs: 2000, keeps: false, as: '' } },
    { kind: 'if', text: 'random < 1', test: flow[1].test, then: [{ kind: 'send', step: 1, on: '', match: 'json id', timeoutMs: null }], otherwise: [] },
    { kind: 'send', step: 2, on: '', match: 'next', timeoutMs: 1000 }, { kind: 'close', on: '' }
  ])
  t.strictSame(steps.map((/** @type {any} */ { rule: { name }, request: { method, path, body } }) => [name, method, path, body]), [
    [null, 'GET', '/chat', null], ['say', 'MESSAGE', '/chat', 'a'], ['other', 'MESSAGE', '/chat', 'b']
  ])
})
