'use strict'

// Connections that are users, with exact times: each goes through iterations, one request at a time, and pauses. The clock and the server are the test's.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { randomFrom } = require('../../lib/core/random')
const { generatorOf, after, nobody, ANSWER } = require('./helpers/fake-load')

/** @returns {any} a run of users; `duration` 10 s unless said */
const usersOf = (opts, observer = nobody) => generatorOf({ duration: 10, ...opts }, observer)

/** Keeps the path of each request. */
function keepPaths (socket) {
  const { write } = socket
  socket.paths = []
  socket.write = bytes => {
    socket.paths.push(...bytes.toString().match(/(?<=^\w+ )\S+(?= HTTP\/1\.1\r\n)/gm))
    return write.call(socket, bytes)
  }
}

function start (log, serve) {
  log.generator.start()
  for (const socket of log.sockets) {
    keepPaths(socket)
    socket.ready(serve)
  }
}

const NAMED = (name, ...paths) => ({ name, requests: paths.map(path => ({ path })) })
const times = ({ sockets }) => sockets.map(({ times }) => times)
const paths = ({ sockets }) => sockets.map(({ paths }) => paths)
const refused = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

t.test('a user sends its next request when it has the answer to the one before, iteration after iteration', async t => {
  const log = usersOf({ scenarios: [NAMED('browse', '/a', '/b')], duration: 1 })
  start(log, after(100))
  log.time.pass(1000)
  t.strictSame(times(log), [[0, 100, 200, 300, 400, 500, 600, 700, 800, 900]])
  t.strictSame(paths(log), [['/a', '/b', '/a', '/b', '/a', '/b', '/a', '/b', '/a', '/b']])
  const result = log.result()
  t.match(result.byScenario.browse, { started: 5, completed: 4, cut: 0, unfinished: 1, duration: { totalCount: 4, min: 200, max: 200 }, active: { min: 200, max: 200 } })
  conserves(t, result)
})

t.test('pauses', async t => {
  t.test('between requests and between iterations: they begin with the answer, add up, and are in no latency', async t => {
    const log = usersOf({ pause: '500ms', scenarios: [{ requests: [{ path: '/a', pause: '100ms' }, { path: '/b', pause: '20ms' }] }], duration: 2 })
    start(log, after(10))
    log.time.pass(2000)
    // a at 0, b at 110; its answer at 120, and 520 ms of pauses.
    t.strictSame(times(log), [[0, 110, 640, 750, 1280, 1390, 1920]])
    const result = log.result()
    t.match(result, { latency: { min: 10, max: 10 }, requests: { total: 7 }, iterations: { started: 4, completed: 3, duration: { min: 120, max: 120 }, active: { min: 20, max: 20 } } })
    conserves(t, result)
  })

  t.test('as an entry of their own, in front of the first request, behind the last, several in a row', async t => {
    const log = usersOf({ scenarios: [{ requests: [{ pause: '50ms' }, { pause: 0.02 }, { path: '/a', pause: '5ms' }, { pause: '100ms' }, { path: '/b' }, { pause: '300ms' }] }], duration: 1 })
    start(log, after(10))
    log.time.pass(1000)
    t.strictSame(times(log), [[70, 185, 565, 680]])
    const result = log.result()
    t.match(result.iterations, { started: 3, completed: 2, unfinished: 1, duration: { min: 195, max: 195 }, active: { min: 20, max: 20 } }, 'an iteration lasts from its first pause to its last answer')
    conserves(t, result)
  })

  t.test('of a scenario that has one the one of all is not used', async t => {
    const log = usersOf({ pause: '1s', scenarios: [{ ...NAMED('a', '/a'), pause: '200ms' }, NAMED('b', '/b')], duration: 3 })
    start(log, after(100))
    log.time.pass(3000)
    t.strictSame(paths(log), [['/a', '/b', '/a', '/b', '/a']])
    t.strictSame(times(log), [[0, 300, 1400, 1700, 2800]])
    conserves(t, log.result())
  })

  t.test('at random they are by the seed, and those of each user are its own', async t => {
    const given = { pause: ['100ms', '900ms'], scenarios: [{ requests: [{ path: '/a', pause: { exponential: '50ms' } }] }], connections: 3, duration: 5 }
    const all = []
    for (const seed of [undefined, undefined, 2]) {
      const log = usersOf({ ...given, seed })
      start(log, after(10))
      log.time.pass(5000)
      conserves(t, log.result())
      all.push(times(log))
    }
    t.strictSame(all[0], all[1])
    t.notSame(all[0], all[2])
    const [[, first], [, second], [, third]] = all[0]
    t.equal(new Set([first, second, third]).size, 3)
  })

  t.test('a function is given the context of the iteration, when its answer and its hooks are there', async t => {
    const seen = []
    const onResponse = (status, body, context) => { context.reads = body.length }
    const pause = context => {
      seen.push({ ...context })
      return context.reads / 100
    }
    const log = usersOf({ pause: ({ reads }) => `${reads * 100}ms`, scenarios: [{ requests: [{ path: '/a', onResponse, pause }, { path: '/b' }] }], initialContext: { user: 7 }, duration: 1 })
    start(log, after(10))
    log.time.pass(1000)
    // The body of each answer has 2 bytes: 20 ms within an iteration, 200 ms between iterations.
    t.strictSame(times(log), [[0, 30, 240, 270, 480, 510, 720, 750, 960, 990]])
    t.strictSame(seen[0], { user: 7, reads: 2 })
    conserves(t, log.result())
  })

  t.test('a function that fails ends the run, and says where it was given', async t => {
    for (const [given, sent, message] of [
      [{ requests: [{ path: '/a' }, { path: '/b', pause: () => 'soon' }] }, 2, /^requests\[1\]\.pause has to return seconds or a time such as '1s', from 0 to 2,000,000 s, got 'soon'/],
      [{ scenarios: [NAMED('a', '/a'), { ...NAMED('b', '/b'), pause: () => { throw new Error('no clock') } }] }, 2, /^scenarios\[1\]\.pause .*no clock/],
      [{ scenarios: [{ requests: [{ pause: () => -1 }, { path: '/a' }] }] }, 0, /^scenarios\[0\]\.requests\[0\]\.pause has to return/],
      [{ scenarios: [NAMED('a', '/a'), { name: 'b', requests: [{ path: '/b', setupRequest: () => { throw new Error('no way') } }] }] }, 1, /^setupRequest of request 0 of scenario 'b' .*no way/],
      [{ pause: async () => 1, requests: [{ path: '/a' }] }, 1, /^pause returned a promise/]
    ]) {
      const log = usersOf(given)
      start(log, after(10))
      log.time.pass(1000)
      t.match([log.ends, log.generator.failure], [1, { code: 'AC_HOOK', message }])
      t.equal(log.sockets[0].requests, sent)
      conserves(t, log.result())
    }
  })

  t.test('a function that fails behind the last request ends the run as well', async t => {
    const pause = () => { throw new Error('no clock') }
    for (const given of [{ amount: 1, requests: [{ path: '/a', pause }] }, { amount: 4, connections: 2, pause, requests: [{ path: '/a' }, { path: '/b' }] }, { maxConnectionRequests: 1, connections: 2, pause, requests: [{ path: '/a' }] }]) {
      const log = usersOf(given)
      start(log, after(10))
      log.time.pass(1000)
      t.match([log.ends, log.generator.failure], [1, { code: 'AC_HOOK', message: /pause .*no clock/ }])
      conserves(t, log.result())
    }
  })

  t.test('what a timer is late is none of the time of the server, and does not add up', async t => {
    const log = usersOf({ pause: '100ms', scenarios: [{ requests: [{ path: '/a', pause: '100ms' }, { path: '/b' }] }], duration: 1 })
    start(log, after(10))
    log.time.pass(105)
    // The pause is over at 110.
    log.time.block(15)
    log.time.pass(880)
    t.strictSame(times(log)[0].slice(0, 3), [0, 120, 230])
    const result = log.result()
    t.match(result.iterations, { active: { min: 20, max: 20 }, duration: { min: 120, max: 130 } })
    conserves(t, result)
  })

  t.test('a connection that is closed during a pause is opened when it is over: the time that takes is not one of the pause', async t => {
    const log = usersOf({ scenarios: [{ requests: [{ path: '/a', pause: '1s' }, { path: '/b' }] }], duration: 3 })
    start(log, after(10))
    log.time.pass(500)
    log.sockets[0].emit('close')
    log.time.pass(500)
    t.equal(log.sockets.length, 1, 'it is not needed before')
    log.time.pass(10)
    t.strictSame(log.attempts, [0, 1010])
    log.time.pass(40)
    log.sockets[1].ready(after(10))
    log.time.pass(100)
    t.strictSame(log.sockets[1].times[0], 1050)
    t.match(log.generator.recorder.instruments.iterations.of(0), { completed: 1, duration: { max: 1_060_000 }, active: { max: 60_000 } }, 'µs')
    log.generator.stop()
    conserves(t, log.result())
  })

  t.test('a thread has one timer for all of them', async t => {
    const log = usersOf({ pause: ['1s', '2s'], requests: [{ path: '/a' }], connections: 1000 })
    start(log, after(10))
    log.time.pass(100)
    t.equal([...log.time.timers].filter(({ at }) => at > 1000 && at < 1100).length, 1)
    log.time.pass(9900)
    const result = log.result()
    t.ok(result.iterations.completed > 6900 && result.iterations.completed < 7400, String(result.iterations.completed))
    conserves(t, result)
  })
})

t.test('every so often', async t => {
  t.test('an iteration is due so long after the one before was due, or at once when that took longer', async t => {
    const log = usersOf({ every: 1, scenarios: [NAMED('a', '/a')], duration: 10 })
    const takes = [100, 900, 2500, 100, 100, 100, 100, 100, 100]
    start(log, socket => after(takes[socket.requests - 1] ?? 100)(socket))
    log.time.pass(10_000)
    // The third is due at 2000 and lasts until 4500; its delay is not made up for.
    t.strictSame(times(log), [[0, 1000, 2000, 4500, 5500, 6500, 7500, 8500, 9500]])
    conserves(t, log.result())
  })

  t.test('pauses between iterations are kept as well', async t => {
    const log = usersOf({ every: 1, pause: '800ms', requests: [{ path: '/a' }], duration: 5 })
    const takes = [100, 400, 100, 100, 100]
    start(log, socket => after(takes[socket.requests - 1] ?? 100)(socket))
    log.time.pass(5000)
    t.strictSame(times(log), [[0, 1000, 2200, 3200, 4200]])
    conserves(t, log.result())
  })

  t.test('late timers do not add up', async t => {
    const log = usersOf({ every: 1, requests: [{ path: '/a' }], duration: 5 })
    start(log, after(100))
    log.time.pass(990)
    log.time.block(30)
    log.time.pass(3980)
    t.strictSame(times(log), [[0, 1020, 2000, 3000, 4000]])
    conserves(t, log.result())
  })

  t.test('the first iterations of all users are spread over that time', async t => {
    const log = usersOf({ every: 5, requests: [{ path: '/a' }], connections: 1000, duration: 15 })
    start(log, after(10))
    log.time.pass(15_000)
    const sent = times(log).flat()
    for (let second = 0; second < 15; second++) {
      const n = sent.filter(at => Math.floor(at / 1000) === second).length
      t.ok(Math.abs(n - 200) <= 3, `${n} in second ${second}`)
    }
    t.ok(times(log).every(([first, second]) => second - first === 5000))
    t.equal(times(log)[0][0], 0, 'the first user begins at once')
    conserves(t, log.result())
  })
})

t.test('iterations among scenarios', async t => {
  t.test('are at their weights, exactly for one user and soon for all', async t => {
    const log = usersOf({ scenarios: [{ ...NAMED('browse', '/b'), weight: 70 }, { ...NAMED('buy', '/b'), weight: 25 }, { ...NAMED('admin', '/b'), weight: 5 }], connections: 100, duration: 1 })
    start(log, after(10))
    log.time.pass(1000)
    const { byScenario, ...result } = log.result()
    t.strictSame(Object.values(byScenario).map(({ started }) => started), [7000, 2500, 500])
    conserves(t, { ...result, byScenario })
  })

  t.test('a user that stays has one of them for ever, and as many have it as its weight says', async t => {
    const log = usersOf({ sticky: true, scenarios: [{ ...NAMED('a', '/a'), weight: 3 }, NAMED('b', '/b')], connections: 8, duration: 1 })
    start(log, after(100))
    log.time.pass(1000)
    const own = paths(log).map(all => [...new Set(all)].join())
    t.strictSame(own.toSorted(), ['/a', '/a', '/a', '/a', '/a', '/a', '/b', '/b'])
    conserves(t, log.result())
  })

  t.test('with several URLs connections take turns, and each goes through all scenarios', async t => {
    for (const sticky of [false, true]) {
      const log = usersOf({ url: ['http://localhost/', 'http://other/'], sticky, scenarios: [NAMED('a', '/a'), NAMED('b', '/b')], connections: 4, duration: 1 })
      start(log, after(100))
      log.time.pass(1000)
      const { byScenario } = log.result()
      t.match(byScenario, { a: { started: 20 }, b: { started: 20 } })
      conserves(t, log.result())
    }
  })

  t.test('start with a context of their own', async t => {
    const seen = []
    const onResponse = (status, body, context) => { seen.push(context.n = (context.n ?? 0) + 1) }
    const log = usersOf({ scenarios: [{ requests: [{ path: '/a', onResponse }, { path: '/b', onResponse }] }], duration: 1 })
    start(log, after(100))
    log.time.pass(450)
    t.strictSame(seen, [1, 2, 1, 2])
    log.generator.stop()
    conserves(t, log.result())
  })
})

t.test('data that is used up', async t => {
  const rows = n => Array.from({ length: n }, (_, i) => ({ id: i + 1 }))

  t.test('ends the run of a user before an iteration, and no iteration is cut by that', async t => {
    const log = usersOf({ data: { users: { rows: rows(5), pick: 'once' } }, scenarios: [NAMED('a', '/a/{{users.id}}', '/b/{{users.id}}')], connections: 2 })
    start(log, after(10))
    log.time.pass(1000)
    t.equal(log.ends, 1)
    t.strictSame(paths(log).flat().toSorted(), [1, 2, 3, 4, 5].flatMap(id => [`/a/${id}`, `/b/${id}`]).toSorted())
    const result = log.result()
    t.match(result.iterations, { started: 5, completed: 5 })
    conserves(t, result)
  })

  t.test('ends the run when the last row has been used, whatever other users do meanwhile', async t => {
    const data = { users: { rows: rows(4), pick: 'once' } }
    const a = { ...NAMED('a', '/a/{{users.id}}', '/end/{{users.id}}') }
    const b = { ...NAMED('b', '/b'), pause: '30ms' }
    for (const [given, last] of [
      [{ connections: 4, pause: '8s', scenarios: [a] }, 20],
      [{ connections: 4, every: '8s', scenarios: [a] }, 6620],
      [{ connections: 30, rate: '4 iterations/s', scenarios: [a] }, 770],
      [{ connections: 30, rate: 4, scenarios: [a] }, 1760],
      [{ connections: 30, rate: 4, requests: a.requests }, 1760],
      [{ connections: 2, pipelining: 3, requests: a.requests }, 40],
      [{ connections: 2, sticky: true, scenarios: [a, b] }, 80],
      [{ connections: 2, amount: 1000, scenarios: [a, b] }, 140],
      [{ duration: undefined, stages: [{ duration: 1, connections: 1 }, { duration: 8, connections: 5 }], pause: '200ms', scenarios: [a] }, 1000],
      [{ duration: undefined, stages: [{ duration: 9, connections: 5 }], scenarios: [a, b] }, 1000],
      [{ connections: undefined, scenarios: [{ ...a, connections: 1 }, { ...b, connections: 3 }] }, 80],
      [{ connections: undefined, scenarios: [{ ...a, rate: '40 iterations/s', connections: 2 }, { ...NAMED('b', '/b'), rate: '1 iterations/s', connections: 3 }] }, 110]
    ]) {
      const log = usersOf({ data, ...given })
      start(log, after(10))
      while (log.ends === 0 && log.time.ms < 9900) {
        log.time.pass(10)
        for (const socket of log.sockets.filter(({ serve }) => serve === null)) {
          keepPaths(socket)
          socket.ready(after(10))
        }
      }
      const what = JSON.stringify(given)
      t.ok(log.ends === 1 && log.time.ms <= last + 50, `${log.time.ms} ms: ${what}`)
      t.strictSame(paths(log).flat().filter(path => !path.startsWith('/b')).toSorted(), [1, 2, 3, 4].flatMap(id => [`/a/${id}`, `/end/${id}`]).toSorted(), what)
      const result = log.result()
      if (given.requests === undefined) t.match(result.iterations, { cut: 0, unfinished: 0, ...given.rate === '4 iterations/s' ? { started: 4, neverStarted: 0 } : {} })
      conserves(t, result)
    }
  })

  t.test('stops a scenario where that is what ends; the others go on at their weights', async t => {
    const scenarios = [{ ...NAMED('a', '/a/{{users.id}}'), weight: 8 }, { ...NAMED('b', '/b'), weight: 3 }, NAMED('c', '/c')]
    const log = usersOf({ data: { users: { rows: rows(5), pick: 'once', end: 'scenario' } }, scenarios, connections: 3, amount: 405 })
    start(log, after(10))
    log.time.pass(10_000)
    t.equal(log.ends, 1)
    const { byScenario: { a, b, c }, ...result } = log.result()
    t.strictSame([a.completed, b.completed + c.completed], [5, 400])
    t.ok(Math.abs(b.completed - 300) < 5, `${b.completed} of 3 : 1`)
    conserves(t, { ...result, byScenario: { a, b, c } })
  })

  t.test('of all scenarios ends the run', async t => {
    const scenarios = [NAMED('a', '/a/{{users.id}}'), NAMED('b', '/b/{{others.id}}')]
    const data = { users: { rows: rows(5), pick: 'once', end: 'scenario' }, others: { rows: rows(9), pick: 'once', end: 'scenario' } }
    const log = usersOf({ data, scenarios, connections: 2, pause: '10ms' })
    start(log, after(10))
    log.time.pass(5000)
    t.equal(log.ends, 1)
    const { byScenario: { a, b } } = log.result()
    t.strictSame([a.completed, b.completed], [5, 9])
    conserves(t, log.result())
  })
})

t.test('an iteration is cut short', async t => {
  const reset = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' })

  t.test('by a connection that breaks, and the next one begins', async t => {
    const log = usersOf({ scenarios: [{ ...NAMED('a', '/a', '/b', '/c'), pause: '100ms' }], duration: 1 })
    start(log, after(10))
    log.time.pass(15)
    log.sockets[0].read(Buffer.from('H'))
    log.sockets[0].emit('error', reset())
    log.time.pass(1)
    keepPaths(log.sockets[1])
    log.sockets[1].ready(after(10))
    log.time.pass(984)
    t.strictSame(paths(log).map(paths => paths.slice(0, 4)), [['/a', '/b'], ['/a', '/b', '/c', '/a']])
    t.equal(log.sockets[1].times[0], 115, 'after its pause')
    const result = log.result()
    t.match(result.byScenario.a, { cut: 1, cutBy: { ECONNRESET: 1 } })
    conserves(t, result)
  })

  t.test('by a timeout', async t => {
    const log = usersOf({ scenarios: [NAMED('a', '/a', '/b')], timeout: 1, duration: 5 })
    start(log, after(10))
    log.sockets[0].serve = null
    log.time.pass(5000)
    const result = log.result()
    t.match(result.iterations, { completed: 0, cutBy: { AC_TIMEOUT: 1 } })
    conserves(t, result, { neverSent: result.errorCodes.AC_CONNECT_TIMEOUT })
  })

  t.test('by a server that closes at once, which is left in peace between', async t => {
    const log = usersOf({ scenarios: [NAMED('a', '/a', '/b')], duration: 5 })
    log.generator.start()
    for (let open = 0; open < log.sockets.length; open++) {
      log.sockets[open].ready(socket => socket.time.loop.setTimeout(() => socket.emit('close'), 1))
      log.time.pass(300)
    }
    const result = log.result()
    t.ok(result.iterations.cut > 10 && result.iterations.cut < 30, `${result.iterations.cut} iterations in 5 s`)
    t.strictSame(Object.keys(result.iterations.cutBy), ['AC_CLOSED'])
    conserves(t, result)
  })

  t.test('and the pauses that the rest of it would have had are kept: the load does not grow', async t => {
    const pauses = { requests: [{ path: '/login', capture: { token: 'json tokn' }, pause: '200ms' }, { path: '/a', pause: '700ms' }, { path: '/b', pause: '90ms' }] }
    const paced = usersOf({ pause: '1s', scenarios: [pauses], duration: 5 })
    start(paced, after(10))
    paced.time.pass(5000)
    t.strictSame(times(paced), [[0, 2000, 4000]], 'as well as the one between iterations')
    t.match(paced.result().iterations, { started: 3, completed: 0, cut: 3, cutBy: { 'capture token': 3 } })
    conserves(t, paced.result())
  })

  t.test('and a function for a pause that fails then, without a response, ends no run', async t => {
    const pause = ({ token }) => token.length
    const log = usersOf({ scenarios: [{ requests: [{ path: '/login', capture: { token: 'json tokn' }, pause }, { path: '/a', pause: '990ms' }] }], duration: 3 })
    start(log, after(10))
    log.time.pass(3000)
    t.strictSame(times(log), [[0, 1000, 2000]])
  })

  t.test('with a rate of iterations the rate is kept instead', async t => {
    const log = usersOf({ rate: '2 iterations/s', scenarios: [{ requests: [{ path: '/login', capture: { token: 'json tokn' }, pause: '2s' }] }], connections: 1, duration: 3 })
    start(log, after(10))
    log.time.pass(3000)
    t.equal(log.result().iterations.started, 6)
  })

  t.test('by no answer that is an error, and no check that fails', async t => {
    const log = usersOf({ scenarios: [{ requests: [{ path: '/a', expect: { status: 200 } }, { path: '/b', check: () => false }] }], duration: 1 })
    start(log, socket => socket.time.loop.setTimeout(() => socket.read(Buffer.from('HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n')), 100))
    log.time.pass(1000)
    const result = log.result()
    t.match(result, { iterations: { completed: 4, cut: 0 }, unexpected: 9 })
    conserves(t, result)
  })

  t.test('by setupRequest, which returns nothing; when it never returns a request, the run fails', async t => {
    let asked = 0
    const log = usersOf({ scenarios: [{ requests: [{ path: '/a' }, { path: '/b', setupRequest: request => ++asked % 2 === 0 && request }] }], duration: 1 })
    start(log, after(100))
    log.time.pass(1000)
    t.strictSame(paths(log), [['/a', '/a', '/b', '/a', '/a', '/b', '/a', '/a', '/b', '/a']])
    const result = log.result()
    t.match(result, { resets: 3, iterations: { completed: 3, cutBy: { setupRequest: 3 } } })
    conserves(t, result)

    const never = usersOf({ scenarios: [{ requests: [{ setupRequest: () => null }] }] })
    start(never, after(100))
    never.time.pass(1000)
    t.match(never.generator.failure, { code: 'AC_HOOK', message: /returned nothing 1000 times in a row/ })
    conserves(t, never.result())
  })

  t.test('not by a connection that is made anew, orderly, and not by an end between two requests', async t => {
    const log = usersOf({ scenarios: [NAMED('a', '/a', '/b', '/c')], reconnectRate: 2, duration: 1 })
    log.generator.start()
    for (let open = 0; open < log.sockets.length; open++) {
      keepPaths(log.sockets[open])
      log.sockets[open].ready(after(50))
      log.time.pass(100)
    }
    t.strictSame(paths(log).flat().slice(0, 7), ['/a', '/b', '/c', '/a', '/b', '/c', '/a'])
    log.generator.stop()
    const result = log.result()
    t.equal(result.iterations.cut, 0)
    conserves(t, result)
  })
})

t.test('a run that ends', async t => {
  t.test('by amount, in the middle of an iteration: it is unfinished', async t => {
    const log = usersOf({ scenarios: [NAMED('a', '/a', '/b', '/c')], amount: 8 })
    start(log, after(10))
    log.time.pass(1000)
    t.equal(log.ends, 1)
    const result = log.result()
    t.match(result, { requests: { sent: 8 }, iterations: { started: 3, completed: 2, unfinished: 1 } })
    conserves(t, result)
  })

  t.test('by so many requests of each connection', async t => {
    const log = usersOf({ scenarios: [NAMED('a', '/a', '/b', '/c')], connections: 2, maxConnectionRequests: 4 })
    start(log, after(10))
    log.time.pass(1000)
    const result = log.result()
    t.match(result, { requests: { sent: 8 }, iterations: { started: 4, completed: 2, unfinished: 2 } })
    conserves(t, result)
  })

  t.test('by the bailout', async t => {
    const log = usersOf({ scenarios: [NAMED('a', '/a', '/b', '/c')], connections: 2, bailout: 1 })
    start(log, after(10))
    log.time.pass(15)
    log.sockets[0].emit('error', refused())
    t.equal(log.ends, 1)
    const result = log.result()
    t.match(result, { bailedOut: true, iterations: { started: 2, completed: 0, cut: 1, unfinished: 1 } })
    conserves(t, result)
  })

  t.test('when all users pause', async t => {
    const log = usersOf({ pause: '1m', requests: [{ path: '/a' }], connections: 3, duration: 1 })
    start(log, after(10))
    log.time.pass(1000)
    const result = log.result()
    t.match(result.iterations, { started: 3, completed: 3, unfinished: 0 })
    t.equal(log.time.timers.size, 0)
    conserves(t, result)
  })

  t.test('against a server that refuses: no iteration has started', async t => {
    const log = usersOf({ scenarios: [NAMED('a', '/a')], amount: 3 })
    log.generator.start()
    for (let open = 0; open < log.sockets.length; open++) {
      log.sockets[open].emit('error', refused())
      log.time.pass(300)
    }
    const result = log.result()
    t.match(result, { errors: 3, iterations: { started: 0 } })
    conserves(t, result, { neverSent: 3 })
  })
})

t.test('what is left out at the start leaves the iterations that go on', async t => {
  const log = usersOf({ scenarios: [NAMED('a', '/a', '/b')], connections: 2, duration: 3, skipFirst: 1 })
  start(log, after(300))
  log.time.pass(3000)
  const result = log.result()
  // Iterations end at 600, 1200, … 3000 ms; the first of each is left out.
  t.match(result.iterations, { started: 8, completed: 8 - result.iterations.unfinished, duration: { min: 600, max: 600 } })
  conserves(t, result, { arrived: log.sockets.reduce((sum, { requests }) => sum + requests, 0) - 6 })
})

t.test('hooks, checks and bodies see the context of the iteration', async t => {
  const verifyBody = (body, context) => context.path === '/b'
  const check = (response, context) => context.path === '/b'
  const setupRequest = (request, context) => {
    context.path = request.path
    return request
  }
  const log = usersOf({ scenarios: [{ requests: [{ path: '/a', setupRequest, check }, { path: '/b', setupRequest, check }] }], verifyBody, duration: 1 })
  start(log, after(100))
  log.time.pass(1000)
  const result = log.result()
  const found = Object.fromEntries(result.checks.map(({ name, request, passed, failed }) => [`${name} ${request}`, [passed, failed]]))
  t.match(found, { 'check GET /a': [0, 5], 'check GET /b': [4, 0] })
  t.equal(result.mismatches, 5)
  conserves(t, result)
})

t.test('with a rate of requests, those that are due are sent by users that wait for nothing', async t => {
  const log = usersOf({ scenarios: [NAMED('a', '/a', '/b')], rate: 100, connections: 5, duration: 1 })
  start(log, after(20))
  log.time.pass(1000)
  const result = log.result()
  t.match(result, { requests: { sent: 100 }, iterations: { cut: 0 } })
  for (const own of paths(log)) t.match(own.slice(0, 4), ['/a', '/b', '/a', '/b'])
  conserves(t, result)
})

t.test('a Client can not change what a user sends, and hears of it', async t => {
  const log = usersOf({ scenarios: [NAMED('a', '/a')], duration: 1, setupClient: client => client.on('response', () => heard++) })
  let heard = 0
  start(log, after(100))
  log.time.pass(1000)
  const [{ client }] = log.generator.connections.list
  for (const change of ['setHeaders', 'setBody', 'setHeadersAndBody', 'setRequest']) t.throws(() => client[change]({}), { code: 'AC_USERS_CLIENT' }, change)
  t.throws(() => client.setRequests([{}]), { code: 'AC_USERS_CLIENT' })
  t.equal(heard, 9)
  conserves(t, log.result())
})

t.test('iterations that hang when the run ends', async t => {
  /** Answers after so many ms, or never. */
  const slow = next => socket => {
    const ms = next(socket)
    if (ms !== Infinity) socket.time.loop.setTimeout(() => { if (!socket.destroyed) socket.read(ANSWER) }, ms)
  }
  const hangs = log => Object.values(log.result().byScenario).map(({ hanging }) => hanging)

  t.test('are told from those that go on', async t => {
    const log = usersOf({ timeout: 60, connections: 20, scenarios: [NAMED('buy', '/a', '/b')] })
    let n = 0
    start(log, slow(socket => socket.stuck || (socket.time.ms > 2000 && socket.time.ms < 8000 && ++n % 50 === 0 && (socket.stuck = true)) ? Infinity : 100))
    log.time.pass(10_000)
    const stuck = log.sockets.filter(({ stuck }) => stuck).length
    t.ok(stuck > 5 && stuck < 20)
    t.strictSame(hangs(log), [stuck])
    t.equal(log.result().iterations.hanging, stuck)
    conserves(t, log.result())
  })

  t.test('a pause that goes on is no iteration that hangs, however long it is, nor is the answer behind it', async t => {
    for (const duration of [0.5, 2, 5, 30]) {
      for (const pause of [{ exponential: '5s' }, ['1ms', '20s'], '3s']) {
        for (const seed of [1, 2, 3]) {
          const next = randomFrom(seed)
          const log = usersOf({ duration, seed, timeout: 60, connections: 50, scenarios: [{ name: 'a', pause, requests: [{ path: '/a', pause }, { path: '/b', pause }, { path: '/c' }] }, NAMED('b', '/a')] })
          start(log, slow(() => -200 * Math.log(1 - next())))
          log.time.pass(duration * 1000)
          t.strictSame(hangs(log), [0, 0], `${duration} s, ${JSON.stringify(pause)}, seed ${seed}`)
          conserves(t, log.result())
        }
      }
    }
  })

  t.test('a server that is slow from the start, or for one request of the iteration, and a run that is short', async t => {
    for (const duration of [0.5, 1.5, 4, 20]) {
      for (const ms of [10, 1000, 3000, 15_000]) {
        const log = usersOf({ duration, timeout: 60, connections: 10, scenarios: [NAMED('buy', '/cart', '/pay')] })
        start(log, slow(socket => socket.paths.at(-1) === '/pay' ? ms : 5))
        log.time.pass(duration * 1000)
        t.strictSame(hangs(log), [0], `${duration} s, ${ms} ms`)
        conserves(t, log.result())
      }
    }
  })

  t.test('who has lost its connection in the middle of an iteration, and gets none any more, waits for the server as well', async t => {
    const log = usersOf({ duration: 5, connections: 3, scenarios: [{ name: 'a', requests: [{ path: '/a', pause: '50ms' }, { path: '/b' }] }] })
    start(log, after(10))
    log.time.pass(1001)
    const [, lost] = log.sockets
    while (log.generator.connections.all[1].exchanges.count > 0 || !log.generator.connections.all[1].source.inIteration) log.time.pass(1)
    lost.emit('error', refused())
    for (let i = 0; i < 50; i++) {
      log.time.pass(100)
      for (const socket of log.sockets.slice(3)) if (!socket.destroyed) socket.emit('error', refused())
    }
    t.strictSame(hangs(log), [1])
    conserves(t, log.result(), { neverSent: log.result().errors })
  })
})

t.test('users that come and go by stages', async t => {
  const steps = (/** @type {number} */ pause) => [{ path: '/a', pause: `${pause}ms` }, { path: '/b', pause: `${pause}ms` }, { path: '/c' }]
  const run = (opts, ms) => {
    const log = usersOf({ connections: undefined, duration: undefined, ...opts })
    log.generator.start()
    for (let i = 0; i < ms; i++) {
      for (const socket of log.sockets) {
        if (socket.paths !== undefined) continue
        keepPaths(socket)
        socket.ready(after(20))
      }
      log.time.pass(1)
    }
    return log
  }

  t.test('go through the rest of their iteration before they leave, its pauses included; who is between iterations leaves at once', async t => {
    const log = run({ stages: ['0s:10', '1s:10', '0s:1', '3s:1'], scenarios: [{ name: 'visit', requests: steps(300) }] }, 1100)
    t.equal(log.sockets.filter(({ destroyed }) => !destroyed).length, 10, 'all are in an iteration of 660 ms')
    log.time.pass(3000)
    t.ok(log.generator.ended)
    t.strictSame(log.sockets.slice(1).map(({ paths }) => paths.join('')), Array(9).fill('/a/b/c/a/b/c'), 'each leaves behind its second one')
    const result = log.result()
    t.ok(result.iterations.unfinished <= 1, 'that of the one who stays')
    conserves(t, result)

    const resting = run({ stages: ['0s:5', '500ms:5', '0s:1', '2s:1'], scenarios: [{ name: 'visit', pause: '1s', requests: [{ path: '/a' }] }] }, 600)
    t.equal(resting.sockets.filter(({ destroyed }) => !destroyed).length, 1, 'a pause between iterations is of none')
    resting.time.pass(2000)
    conserves(t, resting.result())
  })

  t.test('end with the run at the latest, and keep to limits', async t => {
    const late = run({ stages: ['0s:4', '1s:4', '0s:0', '200ms:0'], scenarios: [{ name: 'visit', requests: steps(5000) }] }, 1300)
    t.ok(late.generator.ended)
    t.match(late.result().iterations, { started: 4, unfinished: 4, hanging: 0 })
    conserves(t, late.result())
    const few = run({ stages: ['0s:4', '300ms:4', '0s:1', '2s:1'], maxOverallRequests: 30, scenarios: [{ name: 'visit', requests: steps(50) }] }, 2400)
    t.ok(few.total.sent <= 30)
    conserves(t, few.result())
    const own = run({ scenarios: [{ name: 'crowd', stages: ['0s:3', '500ms:3', '0s:0', '1s:0'], requests: steps(300) }, { name: 'steady', connections: 1, requests: [{ path: '/s' }] }] }, 1600)
    t.match(own.result().byScenario.crowd, { started: 3, completed: 3, unfinished: 0 })
    conserves(t, own.result())
  })
})
