'use strict'

// What functions hear of the end of the run. One run at a time: what they leave in the process is looked at.

const { addAbortListener } = require('node:events')
const { setImmediate: turn } = require('node:timers/promises')
const t = require('tap')
const autocannon = require('../..')
const { byPath, casesOf, endOf, onWires, runUsers } = require('../helpers/user-functions')
const { conserves } = require('../helpers/results/conservation')
const { answer, rawServer } = require('../helpers/servers/raw-server')
const { Pauses } = require('../../lib/engine/pacing/pauses')

const OK = answer('{"a":1}')
const listeners = process.listenerCount('unhandledRejection')

onWires(t, 'rejects what is awaited with AC_RUN_ENDED: requests, pauses, and what waits for a connection', async (t, { opts }) => {
  const seen = []
  const { iterations } = await runUsers(t, byPath({ '/silent': () => {}, '*': OK }), {
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
  t.match(iterations, { started: 3, completed: 0, cut: 0, unfinished: 3 })
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

onWires(t, 'promises that are not awaited end no process', async (t, { opts }) => {
  const { iterations } = await runUsers(t, byPath({ '/silent': () => {} }), {
    ...opts, duration: 1, user: async ({ http, pause }) => {
      pause(50).then(() => {})
      http.get('/silent').then(response => response.json())
      const late = http.get('/silent').then(response => response.json())
      await http.get('/silent')
      await late
    }
  })
  t.match(iterations, { started: 1, unfinished: 1 })
  t.equal(process.listenerCount('unhandledRejection'), listeners + 1, 'one listener, until what was rejected is found out')
  for (let i = 0; i < 5; i++) await turn()
  t.equal(process.listenerCount('unhandledRejection'), listeners, 'which is taken away')
}, 1)

onWires(t, 'nothing is left of requests and pauses that are over, and all users may listen to the signal', async (t, { opts }) => {
  const warnings = []
  const listen = warning => warnings.push(warning.message)
  process.on('warning', listen)
  const { add } = Pauses.prototype
  let most = 0
  Pauses.prototype.add = function (...args) {
    add.apply(this, args)
    most = Math.max(most, this.untils.length)
  }
  const { iterations } = await runUsers(t, OK, {
    ...opts, connections: 20, amount: 1000, user: async ({ http, signal }) => {
      await http.get('/', { timeout: 60 })
      signal.addEventListener('abort', () => {})
    }
  })
  Pauses.prototype.add = add
  t.equal(iterations.completed, 1000)
  t.ok(most <= 20, `${most} timers for the timeouts of 1,000 requests of 20 users`)
  await turn()
  process.off('warning', listen)
  t.strictSame(warnings, [])
}, 1)

onWires(t, 'what a listener of the signal throws is an exception of the function', async (t, wire) => {
  const listen = {
    'a function': (signal, fn) => signal.addEventListener('abort', fn),
    'an object': (signal, fn) => signal.addEventListener('abort', { handleEvent: fn }, { once: true }),
    onabort: (signal, fn) => { signal.onabort = fn },
    'a library': (signal, fn) => addAbortListener(signal, fn)
  }
  const cases = Object.entries(listen).flatMap(([name, add]) => [false, true].map(keepGoing => ({ name, add, keepGoing })))
  for (const { name, add, keepGoing } of casesOf(t, wire, cases)) {
    const server = await rawServer(t, OK)
    const run = autocannon({
      url: server.url, ...wire.opts, connections: 1, duration: 0.3, keepGoing, user: async ({ http, signal }) => {
        const removed = () => { throw new Error('removed') }
        signal.addEventListener('abort', removed)
        signal.removeEventListener('abort', removed)
        add(signal, () => { throw new Error('away') })
        await http.get('/')
        await new Promise(() => {})
      }
    })
    const end = await endOf(t, run).then(result => result.checks, error => error)
    const words = /^a listener of the signal of a user function failed: away$/
    if (keepGoing) t.match(Object.keys(end[0].reasons), [words], name)
    else t.match(end, { code: 'AC_HOOK', message: words }, name)
  }
}, 1)

onWires(t, 'exceptions with an id in them do not fill the result', async (t, { opts }) => {
  let id = 0
  const { iterations } = await runUsers(t, OK, {
    ...opts, amount: 200, keepGoing: true, user: async ({ http }) => {
      await http.get('/')
      throw new Error(`order ${id++}`)
    }
  })
  t.equal(iterations.cut, 200)
  t.equal(Object.keys(iterations.cutBy).length, 21)
  t.equal(iterations.cutBy['exception: others'], 180)
})

onWires(t, 'users that pause are all unfinished at the end, and nothing waits for their pauses', async (t, { opts }) => {
  const users = 300
  const { iterations } = await runUsers(t, OK, {
    ...opts, connections: users, duration: 30, user: async ({ http, pause }) => {
      await http.get('/')
      await pause(100)
    }
  }, { stopAt: users })
  t.match(iterations, { started: users, unfinished: users, cut: 0 })
}, 1)

onWires(t, 'pauses end with their iteration, and the timer does not keep them', async (t, { opts }) => {
  const { add } = Pauses.prototype
  const codes = new Set()
  let most = 0
  Pauses.prototype.add = function (...args) {
    add.apply(this, args)
    most = Math.max(most, this.untils.length)
  }
  const { iterations } = await runUsers(t, OK, {
    ...opts, connections: 5, amount: '3000 iterations', keepGoing: true, user: async ({ http, pause, iteration }) => {
      pause('60s').catch(error => codes.add(error.code))
      await Promise.race([http.get('/'), pause('60s')])
      if (iteration % 2 === 0) throw new Error('x')
    }
  })
  Pauses.prototype.add = add
  t.match(iterations, { started: 3000, unfinished: 0 })
  t.strictSame([...codes], ['AC_ITERATION_OVER'])
  t.ok(most <= 1010, `${most} timers for 6,000 pauses, 10 of which go on at most`)
}, 1)
