'use strict'

// What functions hear of the end of the run. One run at a time: what they leave in the process is looked at.

const { setImmediate: turn } = require('node:timers/promises')
const t = require('tap')
const autocannon = require('../..')
const { byPath, endOf, onWires, runUsers } = require('../helpers/user-functions')
const { conserves } = require('../helpers/conservation')
const { answer, rawServer } = require('../helpers/raw-server')

const OK = answer('{"a":1}')
const listeners = process.listenerCount('unhandledRejection')

onWires(t, 'rejects what is awaited with AC_RUN_ENDED: requests, pauses, and what waits for a connection', async (t, { opts }) => {
  const seen = []
  const { rounds } = await runUsers(t, byPath({ '/silent': () => {}, '*': OK }), {
    ...opts, connections: 3, connectionsPerUser: 1, duration: 1, user: async ({ http, pause, signal, user: { number } }) => {
      signal.addEventListener('abort', () => seen.push('aborted'))
      try {
        if (number === 0) await http.get('/silent')
        else if (number === 1) await pause(100)
        else await Promise.all([http.get('/silent'), http.get('/waits')])
      } catch (error) {
        seen.push(error.code)
      } finally {
        seen.push('finally')
      }
    }
  })
  await turn()
  t.strictSame(seen.sort(), [...new Array(3).fill('AC_RUN_ENDED'), ...new Array(3).fill('aborted'), ...new Array(3).fill('finally')])
  t.match(rounds, { started: 3, completed: 0, cut: 0, unfinished: 3 })
})

onWires(t, 'stop() by the function itself, before and behind a request', async (t, { opts }) => {
  for (const place of ['before', 'behind', 'at once']) {
    const server = await rawServer(t, OK)
    const instance = autocannon({
      url: server.url, ...opts, connections: 2, duration: 20, user: async ({ http, signal }) => {
        if (place === 'at once') return instance.stop()
        await http.get('/')
        if (place === 'before') {
          const promise = http.get('/more')
          instance.stop()
          await promise
        } else instance.stop()
      }
    })
    const result = await endOf(t, instance)
    conserves(t, result)
    t.ok(result.duration < 10)
  }
})

onWires(t, 'promises that nobody waits for end no process', async (t, { opts }) => {
  const { rounds } = await runUsers(t, byPath({ '/silent': () => {} }), {
    ...opts, duration: 1, user: async ({ http, pause }) => {
      pause(50).then(() => {})
      http.get('/silent').then(response => response.json())
      const late = http.get('/silent').then(response => response.json())
      await http.get('/silent')
      await late
    }
  })
  t.match(rounds, { started: 1, unfinished: 1 })
  t.equal(process.listenerCount('unhandledRejection'), listeners + 1, 'one listener, until what was rejected is found out')
  for (let i = 0; i < 5; i++) await turn()
  t.equal(process.listenerCount('unhandledRejection'), listeners, 'which is taken away')
}, 1)
