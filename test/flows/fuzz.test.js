'use strict'

// Scenarios of any conditions, loops and parallel requests, against servers that do anything at any time: each request has one fate, and each
// iteration one end.

const { setTimeout: sleep } = require('node:timers/promises')
const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { onWires, runUsers } = require('../helpers/user-functions')
const { answer } = require('../helpers/servers/raw-server')

const RUNS = 5
const DEEPEST = 4

/** @param {() => number} random */
const serverOf = random => (connection, request) => {
  const r = random()
  const ok = answer(`{"a":${random() < 0.5},"n":${Math.floor(4 * random())},"list":[1,{"id":2},"x"]}`, random() < 0.2 ? 'Set-Cookie: a=b\r\n' : '')
  if (r < 0.75) connection.send(ok)
  else if (r < 0.8) setTimeout(() => connection.send(ok), 5)
  else if (r < 0.83) connection.reset()
  else if (r < 0.85) connection.end()
  else if (r < 0.87) connection.send(ok).end()
  else if (r < 0.88) connection.send('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf').end()
  else if (r < 0.89) connection.send(answer('<p>no JSON'))
  else if (r < 0.94) connection.send(`HTTP/1.1 302 Found\r\nLocation: /${Math.floor(10 * random())}\r\nContent-Length: 0\r\n\r\n`)
  else if (r < 0.98) connection.send('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n')
  else if (r < 0.985) connection.send('nonsense\r\n\r\n')
  // Or nothing at all.
}

const TESTS = ['status == 200', 'a', 'not a', 'random < 0.5', 'n > 1', 'list.length > 2', 'rows.k == 1', 'false', 'true', "n in ['1', 2]"]
const TIMES = [0, 1, 3, '2', 'n', 'list.length', 'a', 'n - 1', 'random']
const LISTS = ['list', 'list', '[1, 2]', 'rows.all', 'a', 'n']

/** @param {() => number} random */
function scenarioOf (random) {
  const below = (/** @type {number} */ n) => Math.floor(n * random())
  const one = (/** @type {any[]} */ list) => list[below(list.length)]
  const request = () => ({
    path: one(['/x', '/{{n}}', '/{{rows.k}}', '/?r={{random 1 9}}', '/{{list[1].id}}']),
    ...random() < 0.3 && { capture: { a: { from: 'json a', default: false }, n: { from: 'json n', default: 1 } } },
    ...random() < 0.1 && { capture: { n: 'json n' } },
    ...random() < 0.2 && { capture: { list: { from: 'json list', default: null } } },
    ...random() < 0.2 && { retries: { times: 2, pause: '2ms', on: ['5xx', 'AC_CLOSED'] } },
    ...random() < 0.2 && { name: `n${below(3)}` },
    ...one([{}, {}, {}, { method: 'POST', body: '{"n":"{{n}}"}' }, { form: { n: '{{n}}' } }]),
    ...random() < 0.1 && { expect: { status: 200 } },
    ...random() < 0.1 && { pause: '2ms' },
    ...random() < 0.1 && { check: one([() => random() < 0.5, async () => { await sleep(3 * random()); return random() < 0.5 }, async () => { throw new Error('no') }]) },
    ...random() < 0.1 && { setupRequest: one([(/** @type {any} */ given) => given, async (/** @type {any} */ given) => { await sleep(2 * random()); return given }, (/** @type {any} */ given) => random() < 0.8 ? given : null]) },
    ...random() < 0.1 && { onResponse: (/** @type {any} */ status, /** @type {any} */ body, /** @type {any} */ context) => { context.n = below(3) } }
  })
  let items = 0
  const list = (/** @type {number} */ depth) => Array.from({ length: 1 + below(3) }, () => entry(depth))
  /** @type {(depth: number) => any} */
  const entry = depth => {
    const r = depth === DEEPEST ? 0 : random()
    if (r < 0.4) return request()
    if (r < 0.45) return { pause: `${1 + below(3)}ms` }
    if (r < 0.6) return { if: one(TESTS), requests: list(depth + 1), ...random() < 0.5 && { else: list(depth + 1) } }
    if (r < 0.7) return { repeat: one(TIMES), requests: list(depth + 1) }
    if (r < 0.8) return { while: one(TESTS), max: 1 + below(4), requests: list(depth + 1) }
    if (r < 0.9) {
      const name = `item${items++}`
      return { forEach: `${one(LISTS)} as ${name}`, requests: [{ path: `/i/{{${name}}}/{{index}}` }, ...list(depth + 1)] }
    }
    return { parallel: Array.from({ length: 1 + below(3) }, () => random() < 0.5 ? request() : { requests: list(depth + 1) }) }
  }
  const first = { path: '/first', capture: { a: { from: 'json a', default: false }, n: { from: 'json n', default: 2 }, list: { from: 'json list', default: [1] } } }
  return [...random() < 0.3 ? [{ path: '/once', once: true, capture: { token: { from: 'status', default: 1 } } }] : [], first, ...list(0), ...list(0)]
}

onWires(t, 'whatever happens', async (t, { opts }) => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = randomFrom(seed)
    const r = random()
    const limit = r < 0.4 ? { amount: 50 + Math.floor(200 * random()) } : r < 0.5 ? { amount: `${2 + Math.floor(8 * random())} iterations` } : { duration: 0.3 }
    await t.test(`seed ${seed}`, t => runUsers(t, serverOf(random), {
      ...opts,
      ...limit,
      ...r > 0.8 && { rate: '200 iterations/s' },
      connections: 1 + Math.floor(4 * random()),
      connectionsPerUser: 1 + Math.floor(4 * random()),
      timeout: 0.2,
      ...random() < 0.5 && { redirects: 2 },
      ...random() < 0.5 && { cookies: true },
      data: { rows: { rows: [{ k: 1, all: [1, 'b'] }, { k: 2, all: [] }] } },
      scenarios: [{ name: 'any', requests: scenarioOf(random) }]
    }, { neverSent: ({ errors, fates }) => errors - fates.failed - fates.timedOut, losesRequests: true }))
  }
})
