'use strict'

// Functions that do anything at any time, against servers that do the same: each request has one fate, and each iteration one end.

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { onWires, runUsers } = require('../helpers/user-functions')
const { answer } = require('../helpers/servers/raw-server')

const RUNS = 8

/** @param {() => number} random */
const serverOf = random => (connection, request) => {
  const r = random()
  const ok = answer('{"a":1}', random() < 0.2 ? 'Set-Cookie: a=b\r\n' : '')
  if (r < 0.6) connection.send(ok)
  else if (r < 0.7) setTimeout(() => connection.send(ok), 5)
  else if (r < 0.75) connection.reset()
  else if (r < 0.8) connection.end()
  else if (r < 0.83) connection.send(ok).end()
  else if (r < 0.86) connection.send('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf').end()
  else if (r < 0.92) connection.send(`HTTP/1.1 302 Found\r\nLocation: /${Math.floor(10 * random())}\r\nContent-Length: 0\r\n\r\n`)
  else if (r < 0.97) connection.send('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n')
  else if (r < 0.98) connection.send('nonsense\r\n\r\n')
  // Or nothing at all.
}

/** @param {() => number} random */
function userOf (random) {
  const options = () => ({
    ...random() < 0.3 && { timeout: 0.05 },
    ...random() < 0.3 && { retries: { times: 2, pause: '2ms' } },
    ...random() < 0.3 && { redirects: 2 },
    ...random() < 0.2 && { name: `n${Math.floor(3 * random())}` },
    ...random() < 0.2 && { json: {} },
    ...random() < 0.1 && { check: () => random() < 0.5 },
    ...random() < 0.1 && { capture: { a: 'json a' } },
    ...random() < 0.1 && { expect: { status: 200 } }
  })
  return async ({ http, pause, check, group }) => {
    const send = () => http[random() < 0.7 ? 'get' : 'post'](`/${Math.floor(100 * random())}`, options())
    for (let i = Math.floor(4 * random()); i >= 0; i--) {
      const r = random()
      if (r < 0.4) await send()
      else if (r < 0.5) await send().catch(() => {})
      else if (r < 0.6) await Promise.all([send(), send(), send()])
      else if (r < 0.7) await Promise.race([send(), send(), pause('3ms')])
      else if (r < 0.75) send()
      else if (r < 0.8) send().then(() => send())
      else if (r < 0.85) await pause('2ms')
      else if (r < 0.9) check(null, { any: random() < 0.5 })
      else if (r < 0.94) await group('some', send)
      else if (r < 0.96) http.get('https://elsewhere.example/').catch(() => {})
      else if (r < 0.98) throw new Error('mine')
      else return
    }
  }
}

onWires(t, 'whatever happens', async (t, { opts }) => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = randomFrom(seed)
    const limit = random() < 0.5 ? { amount: 20 + Math.floor(60 * random()), duration: undefined } : { duration: 0.3 }
    await t.test(`seed ${seed}`, t => runUsers(t, serverOf(random), {
      ...opts, ...limit, connections: 1 + Math.floor(4 * random()), timeout: 0.2, keepGoing: true, connectionsPerUser: 1 + Math.floor(4 * random()), user: userOf(random)
    }, { neverSent: ({ errors, fates }) => errors - fates.failed - fates.timedOut, losesRequests: true }))
  }
})
