'use strict'

// Requests that a user sends in its first iteration only, such as a login: the clock and the server are the test's.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { after, generatorOf } = require('./helpers/fake-load')
const { finish, isSilent, resets, runOf, says } = require('./helpers/scripted-run')

const LOGIN = { path: '/login', once: true, capture: { token: 'json token' } }
/** @param {unknown} token */
const gives = token => says(200, '', JSON.stringify({ token }))
/** @param {any} log */
const paths = log => log.sent.map(({ bytes }) => bytes.split(' ')[1])

t.test('it is sent in the first iteration, and what it captures is there in the later ones', async t => {
  const log = runOf({ duration: 1, amount: 6, requests: [LOGIN, { path: '/a/{{token}}' }, { path: '/b/{{token}}' }] }, [gives('abc')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/a/abc', '/b/abc', '/a/abc', '/b/abc', '/a/abc'])
  t.match(result.iterations, { started: 3, completed: 2, unfinished: 1, duration: { max: 3, min: 2 } })
  t.match(result.checks, [{ name: 'capture token', passed: 1, failed: 0 }])
  conserves(t, result)
})

t.test('each user sends its own, and goes on with what it was given', async t => {
  const log = runOf({ duration: 1, amount: 12, connections: 3, requests: [LOGIN, { path: '/{{token}}' }] }, [gives('a'), gives('b'), gives('c')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/login', '/login', ...new Array(3).fill(['/a', '/b', '/c']).flat()])
  conserves(t, result)
})

t.test('its pause is behind it, and one in front of all requests is in each iteration', async t => {
  const log = runOf({ duration: 1, amount: 4, requests: [{ pause: '10ms' }, LOGIN, { pause: '100ms' }, { path: '/a' }] }, [gives(1)])
  const result = finish(log)
  t.strictSame(log.sent.map(({ at }) => at), [10, 111, 122, 133])
  conserves(t, result)
})

t.test('while it has no answer, or its value is not there, the iteration is cut and it is sent again in the next', async t => {
  const log = runOf({ duration: 3, timeout: 0.5, amount: 7, requests: [LOGIN, { path: '/{{token}}' }] }, [resets, isSilent, says(200, '', '{}'), says(401, '', 'no'), gives('abc')])
  const result = finish(log, 3000)
  t.strictSame(paths(log), ['/login', '/login', '/login', '/login', '/login', '/abc', '/abc'])
  t.match(result.iterations, { started: 6, completed: 2, cut: 4, cutBy: { ECONNRESET: 1, AC_TIMEOUT: 1, 'capture token': 2 } })
  conserves(t, result)
})

t.test('an iteration that is cut behind it does not send it again', async t => {
  const log = runOf({ duration: 1, amount: 4, requests: [LOGIN, { path: '/{{token}}' }] }, [gives('abc'), resets])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/abc', '/abc', '/abc'])
  t.match(result.iterations, { started: 3, cutBy: { ECONNRESET: 1 } })
  conserves(t, result)
})

t.test('of several the one that was not answered is sent again, and what the first captured is there', async t => {
  const log = runOf({ duration: 1, amount: 5, requests: [LOGIN, { path: '/terms/{{token}}', once: true, capture: { terms: 'status' } }, { path: '/{{token}}/{{terms}}' }] }, [gives('abc'), resets])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/terms/abc', '/terms/abc', '/abc/200', '/abc/200'])
  conserves(t, result)
})

t.test('it is tried again and redirected as any other, and its last answer is the one that counts', async t => {
  const log = runOf({ duration: 1, amount: 5, redirects: 2, retries: 1, requests: [LOGIN, { path: '/{{token}}' }] }, [says(503), says(302, 'Location: /in\r\n'), gives('abc')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/login', '/in', '/abc', '/abc'])
  t.strictSame([result.retries, result.redirects], [1, 1])
  conserves(t, result)
})

t.test('what its hooks put into the context stays, and what others put or change there does not', async t => {
  const seen = []
  const log = runOf({
    duration: 1,
    amount: 4,
    initialContext: { visits: 0, list: [] },
    requests: [
      { path: '/login', once: true, setupRequest: (request, context) => { context.asked = true; return request }, onResponse: (status, body, context) => { context.list.push(status) } },
      { path: '/a', onResponse: (status, body, context) => { seen.push(structuredClone(context)); context.visits++; context.list.push('a') } }
    ]
  }, [])
  const result = finish(log)
  t.strictSame(seen, new Array(3).fill({ visits: 0, list: [200], asked: true }))
  conserves(t, result)
})

t.test('setupRequest that returns nothing has it sent in the next iteration', async t => {
  let asked = 0
  const log = runOf({ duration: 1, amount: 3, requests: [{ path: '/login', once: true, setupRequest: request => ++asked === 1 ? null : request }, { path: '/a' }] }, [])
  const result = finish(log)
  t.strictSame([asked, ...paths(log)], [2, '/login', '/a', '/a'])
  t.match(result.iterations.cutBy, { setupRequest: 1 })
  conserves(t, result)
})

t.test('with several scenarios it is sent once for each of them', async t => {
  const log = runOf({
    duration: 1,
    amount: 7,
    scenarios: [{ name: 'a', requests: [{ ...LOGIN, path: '/login-a' }, { path: '/a/{{token}}' }] }, { name: 'b', requests: [{ ...LOGIN, path: '/login-b' }, { path: '/b/{{token}}' }] }, { name: 'c', requests: [{ path: '/c' }] }]
  }, [gives(1), says(200), gives(2)])
  const result = finish(log)
  t.strictSame(paths(log), ['/login-a', '/a/1', '/login-b', '/b/2', '/c', '/a/1', '/b/2'])
  conserves(t, result)
})

t.test('cookies stay where a request is sent once, unless it is said that they do not', async t => {
  for (const [cookies, kept] of [[true, [false, true, true]], [{ keep: 'iteration' }, [false, true, false]], [{ keep: 'round' }, [false, true, false]]]) {
    const log = runOf({ duration: 1, amount: 3, cookies, scenarios: [{ requests: [{ path: '/login', once: true }, { path: '/a' }] }] }, [says(200, 'Set-Cookie: sid=1\r\n')])
    const result = finish(log)
    t.strictSame(log.sent.map(({ bytes }) => bytes.includes('sid=1')), kept)
    conserves(t, result)
  }
})

t.test('rows of data are taken only for what is sent: hooks see those of the login', async t => {
  const seen = []
  const data = { users: { rows: ['ann', 'bob'], pick: 'once' }, items: { rows: [1, 2, 3, 4] } }
  const log = runOf({ duration: 1, amount: 5, data, requests: [{ path: '/login/{{users}}', once: true }, { path: '/{{items}}', onResponse: (status, body, context) => { seen.push(context.users) } }] }, [])
  const result = finish(log)
  t.strictSame(paths(log), ['/login/ann', '/1', '/2', '/3', '/4'])
  t.strictSame(seen, new Array(4).fill('ann'))
  conserves(t, result)
})

t.test('users without a row to log in with skip that scenario, and logged-in users go on', async t => {
  for (const [end, third] of [['run', '/y'], ['scenario', '/y /y /y /y /y']]) {
    const data = { users: { rows: ['ann', 'bob'], pick: 'once', end } }
    const scenarios = [{ name: 'a', requests: [{ path: '/login/{{users}}', once: true }, { path: '/x' }] }, { name: 'b', requests: [{ path: '/y' }] }]
    const log = generatorOf({ duration: 1, connections: 3, data, scenarios })
    log.generator.start()
    const sent = log.sockets.map(socket => {
      const { write } = socket
      const own = []
      socket.write = bytes => {
        own.push(bytes.toString().split(' ')[1])
        return write.call(socket, bytes)
      }
      socket.ready(after(200))
      return own
    })
    log.time.pass(999)
    log.generator.stop()
    t.strictSame(sent.map(paths => paths.join(' ')).sort(), ['/login/ann /x /y /x /y', '/login/bob /x /y /x /y', third])
    conserves(t, log.result())
  }
})

t.test('with a rate of iterations users are connections, too', async t => {
  const log = runOf({ duration: 1, rate: '10 iterations/s', connections: 1, requests: [LOGIN, { path: '/{{token}}' }] }, [gives('abc')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', ...new Array(10).fill('/abc')])
  t.match(result.iterations, { started: 10, completed: 10 })
  conserves(t, result)
})

t.test('a connection that is made anew is the same user', async t => {
  const log = runOf({ duration: 1, amount: 4, reconnectRate: 1, requests: [LOGIN, { path: '/{{token}}' }] }, [gives('abc')])
  const result = finish(log)
  t.strictSame(paths(log), ['/login', '/abc', '/abc', '/abc'])
  t.ok(log.sockets.length >= 4)
  conserves(t, result)
})

t.test('who sends nothing once has nothing of it', async t => {
  for (const [requests, has] of /** @type {Array<[object[], boolean]>} */ ([[[{ path: '/', once: false, pause: '1s' }], false], [[LOGIN, { path: '/' }], true]])) {
    const log = generatorOf({ requests })
    log.generator.start()
    t.equal(log.generator.connections.list[0].responses.user.once !== null, has)
    log.generator.stop()
  }
})
