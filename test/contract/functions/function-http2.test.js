'use strict'

// User functions over HTTP/2: parallel requests are streams, each with a timeout and an end of its own.

const t = require('tap')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')

for (const [name, wire] of Object.entries({ 'our client': { http: '2' }, undici: { http: '2', client: 'undici' } })) {
  t.test(name, async t => {
    const server = await serve(t, (request, response) => {
      if (request.url === '/slow') setTimeout(() => response.end('ok'), 1400)
      else if (request.url !== '/silent') response.end('ok')
    })
    const run = async opts => {
      const result = await autocannon({ url: server.url, connections: 1, timeout: 20, ...wire, ...opts })
      conserves(t, result)
      return result
    }

    t.test('the timeout of a request is that of its stream, shorter or longer than that of the run', async t => {
      const seen = []
      const result = await run({
        amount: 6, user: async ({ http }) => {
          const all = await Promise.allSettled([http.get('/'), http.get('/silent', { timeout: '150ms' }), http.get('/slow')])
          seen.push(all.map(({ value, reason }) => value?.status ?? reason.code).join())
        }
      })
      t.strictSame(seen, ['200,AC_TIMEOUT,200', '200,AC_TIMEOUT,200'])
      t.match(result, { fates: { timedOut: 2 }, iterations: { completed: 2, unfinished: 0 } })
      const longer = await run({
        amount: 2, timeout: 1, user: async ({ http }) => {
          await http.get('/slow', { timeout: 20 })
          await http.get('/silent').catch(error => seen.push(error.code))
        }
      })
      t.match(longer, { fates: { completed: 1, timedOut: 1 }, iterations: { completed: 1 } })
      t.equal(seen.at(-1), 'AC_TIMEOUT')
    })

    t.test('they use one connection, and an amount ends in the middle of an iteration', async t => {
      const before = server.requests.length
      const { iterations } = await run({ amount: 5, user: async ({ http }) => { await Promise.all([http.get('/'), http.get('/'), http.get('/')]) } })
      t.match(iterations, { started: 2, completed: 1, cut: 0, unfinished: 1 })
      // A client of undici is one stream.
      t.equal(new Set(server.requests.slice(before).map(({ socket }) => socket)).size, name === 'undici' ? 3 : 1)
    })
  })
}
