'use strict'

// Iterations that are functions, on real sockets: what is sent when, what a function hears of each outcome, and how iterations end.

const assert = require('node:assert')
const t = require('tap')
const { after, byPath, headerOf, onWires, pathOf, runUsers } = require('../helpers/user-functions')
const { answer } = require('../helpers/servers/raw-server')

const OK = answer('{"a":1}')
const status = (code, headers = '') => `HTTP/1.1 ${code} X\r\n${headers}Content-Length: 0\r\n\r\n`
const whole = { unfinished: 0, cut: 0 }

t.jobs = 2

onWires(t, 'requests go out in the order in which they are awaited, iteration after iteration, and an amount that ends with an iteration completes it', async (t, { opts }) => {
  const { paths, iterations, result } = await runUsers(t, OK, {
    ...opts, amount: 6, user: async ({ http }) => {
      await http.get('/a')
      await http.post('/b', { body: 'x' })
      await http.request('OPTIONS', '/c')
    }
  })
  t.strictSame(paths, ['/a', '/b', '/c', '/a', '/b', '/c'])
  t.match(iterations, { started: 2, completed: 2, ...whole })
  t.match(result.latency.totalCount, 6)
})

onWires(t, 'an amount that ends in the middle of an iteration leaves it unfinished: what it asks for then rejects', async (t, { opts }) => {
  const seen = []
  const { paths, iterations } = await runUsers(t, OK, {
    ...opts, amount: 3, user: async ({ http }) => {
      await http.get('/a')
      try {
        await http.get('/b')
        await Promise.all([http.get('/c'), http.get('/d')])
      } catch (error) {
        seen.push(error.code)
        // Nothing is sent or refused any more: this waits for ever, and keeps nothing alive.
        await http.get('/e')
        seen.push('goes on')
      }
    }
  })
  t.strictSame(paths.length, 3)
  t.match(iterations, { started: 1, completed: 0, cut: 0, unfinished: 1 })
  t.strictSame(seen, ['AC_RUN_ENDED'])
})

onWires(t, 'what a function finds in the last response of an amount is counted', async (t, { opts }) => {
  const { result } = await runUsers(t, OK, {
    ...opts, connections: 3, amount: 7, user: async ({ http, check }) => {
      const response = await http.get('/')
      await null
      check(response, { good: r => r.json('a') === 1, bad: r => r.status === 201 })
    }
  })
  t.match(result.checks, [{ name: 'good', passed: 7, failed: 0 }, { name: 'bad', passed: 0, failed: 7 }])
  t.match(result.iterations, { started: 7, completed: 7, ...whole })
})

t.test('parallel requests', async t => {
  onWires(t, 'use as many connections as connectionsPerUser says, and no more', async (t, { opts }) => {
    for (const [connectionsPerUser, expected] of [[undefined, 6], [1, 1], [3, 3]]) {
      let flying = 0
      let most = 0
      const script = connection => {
        most = Math.max(most, ++flying)
        setTimeout(() => {
          flying--
          connection.send(OK)
        }, 10)
      }
      const { server, iterations } = await runUsers(t, script, {
        ...opts, amount: 16, ...connectionsPerUser && { connectionsPerUser }, user: async ({ http }) => {
          const all = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(i => http.get(`/${i}`)))
          assert.deepEqual(all.map(({ url }) => new URL(url).pathname), ['/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8'])
        }
      })
      t.strictSame([server.connections.length, most], [expected, expected])
      t.match(iterations, { started: 2, completed: 2, ...whole })
    }
  })

  onWires(t, 'the connections are used again by the next iteration, and by one request after another', async (t, { opts }) => {
    const { server } = await runUsers(t, OK, {
      ...opts, amount: 30, user: async ({ http }) => {
        await Promise.all([http.get('/1'), http.get('/2')])
        await http.get('/3')
      }
    })
    t.equal(server.connections.length, 2)
    t.equal(server.requests.length, 30)
  })

  onWires(t, 'Promise.race: the loser is waited for, and the iteration lasts until it has its response', async (t, { opts }) => {
    const { iterations } = await runUsers(t, byPath({ '/slow': after(2000), '*': OK }), {
      ...opts, amount: 4, user: async ({ http }) => {
        const first = await Promise.race([http.get('/slow'), http.get('/fast')])
        assert.match(first.url, /fast$/)
      }
    })
    t.match(iterations, { started: 2, completed: 2, ...whole })
    // Far more than the fast one takes; times in which the machine stood still are not in it.
    t.ok(iterations.duration.min >= 500, `${iterations.duration.min} ms`)
  })

  onWires(t, 'responses that are not awaited belong to their iteration', async (t, { opts }) => {
    const { iterations, paths } = await runUsers(t, after(5), {
      ...opts, amount: 9, user: async ({ http }) => {
        http.get('/1')
        http.get('/2').then(response => assert.equal(response.status, 200))
        await http.get('/3')
      }
    })
    t.match(iterations, { started: 3, completed: 3, ...whole })
    for (let i = 0; i < 9; i += 3) t.strictSame(paths.length, 9)
  })

  onWires(t, 'a server that never responds leaves all of them abandoned, and their iteration unfinished once', async (t, { opts }) => {
    const { result, iterations } = await runUsers(t, () => {}, {
      ...opts, duration: 30, user: async ({ http }) => {
        await Promise.all([http.get('/1'), http.get('/2'), http.get('/3')])
      }
    }, { stopAt: 3 })
    t.equal(result.fates.abandoned, 3)
    t.match(iterations, { started: 1, completed: 0, cut: 0, unfinished: 1 })
  })

  onWires(t, 'one that throws while others wait for a connection drops these, and waits for those in flight', async (t, { opts }) => {
    const { paths, iterations, result } = await runUsers(t, after(20), {
      ...opts, amount: 6, keepGoing: true, connectionsPerUser: 2, user: async ({ http }) => {
        http.get('/1')
        http.get('/2')
        http.get('/3')
        throw new Error('mine')
      }
    })
    t.strictSame([...new Set(paths)].sort(), ['/1', '/2'])
    t.match(iterations, { started: 3, completed: 0, cut: 3, cutBy: { 'exception: mine': 3 }, unfinished: 0 })
    t.equal(result.errors, 0)
  })
})

t.test('redirects', async t => {
  const script = byPath({
    '/a/start': status(302, 'Location: next\r\n'), '/b/start': status(302, 'Location: next\r\n'), '/post': status(307, 'Location: /taken\r\n'),
    '/loop': status(302, 'Location: /loop\r\n'), '*': (connection, request) => connection.send(answer(`${pathOf(request)} ${request.body}`))
  })

  onWires(t, 'are relative to the request that was redirected, and repeat its body, whatever was asked for before', async (t, { opts }) => {
    const texts = []
    const { paths } = await runUsers(t, script, {
      ...opts, amount: 8, redirects: 3, user: async ({ http }) => {
        texts.push((await http.get('/a/start')).text(), (await http.get('/b/start')).text())
        await http.post('/first', { body: 'first' })
        texts.push((await http.post('/post', { json: { second: 2 } })).text())
        await http.get('/end')
      }
    })
    t.strictSame(paths, ['/a/start', '/a/next', '/b/start', '/b/next', '/first', '/post', '/taken', '/end'])
    t.strictSame(texts.map(text => text.trim()), ['/a/next', '/b/next', '/taken {"second":2}'])
  })

  onWires(t, 'a request has its own number of them: none, or more than the run follows', async (t, { opts }) => {
    const seen = []
    for (const [redirects, own] of [[0, 2], [3, 0], [0, undefined]]) {
      const { paths } = await runUsers(t, script, {
        ...opts, amount: own === 2 ? 2 : 1, ...redirects > 0 && { redirects }, user: async ({ http }) => {
          seen.push((await http.get('/a/start', own === undefined ? {} : { redirects: own })).status)
        }
      })
      t.strictSame(paths, own === 2 ? ['/a/start', '/a/next'] : ['/a/start'])
    }
    t.strictSame(seen, [200, 302, 302])
  })

  onWires(t, 'one that goes too far resolves with the redirect, and is a failure', async (t, { opts }) => {
    const { result, paths } = await runUsers(t, script, {
      ...opts, amount: 3, user: async ({ http }) => {
        assert.equal((await http.get('/loop', { redirects: 2 })).status, 302)
      }
    })
    t.equal(paths.length, 3)
    t.equal(result.failures, 1)
    t.match(result.iterations, { completed: 1, ...whole })
  })
})

t.test('cookies', async t => {
  onWires(t, 'are those of the user in all its connections, and each iteration begins without', async (t, { opts }) => {
    const script = (connection, request) => connection.send(answer(headerOf(request, 'cookie') ?? 'none', pathOf(request) === '/login' ? `Set-Cookie: sid=${request.body}; Path=/\r\n` : ''))
    const { result } = await runUsers(t, script, {
      ...opts, connections: 2, amount: 24, user: async ({ http, check, user: { number }, iteration }) => {
        const before = (await http.get('/')).text()
        const sid = `${number}-${iteration}`
        const login = await http.post('/login', { body: sid })
        const [a, b] = await Promise.all([http.get('/a'), http.get('/b')])
        check(login, { 'none before': before === 'none', set: r => r.cookie('sid') === sid, here: a.text() === `sid=${sid}`, there: b.text() === `sid=${sid}` })
      }
    })
    t.strictSame(result.checks.map(({ name, passed, failed }) => [name, passed, failed]), ['none before', 'set', 'here', 'there'].map(name => [name, 6, 0]))
    t.match(result.iterations, { started: 6, completed: 6, ...whole })
  })

  onWires(t, 'without a path are for the folder of the request that they are set for, also if it has text for an id', async (t, { opts }) => {
    const script = (connection, request) => {
      const path = pathOf(request)
      if (path === '/from') return connection.send(status(307, 'Location: /shop/login\r\n'))
      connection.send(answer(headerOf(request, 'cookie') ?? 'none', path.startsWith('/shop/login') ? 'Set-Cookie: sid=1\r\n' : ''))
    }
    for (const [idReplacement, first] of [[false, '/shop/login'], [true, '/shop/login?id=[<id>]'], [false, '/from']]) {
      const { result } = await runUsers(t, script, {
        ...opts, idReplacement, connections: 1, ...first === '/from' ? { redirects: 1, amount: 4 } : { amount: 3 }, user: async ({ http, check }) => {
          await http.post(first, { json: { a: 1 } })
          check((await http.get('/shop/cart')).text(), { here: text => text === 'sid=1' })
          check((await http.get('/')).text(), { elsewhere: text => text === 'none' })
        }
      })
      t.strictSame(result.checks.filter(({ name }) => name !== 'redirect').map(({ name, passed, failed }) => [name, passed, failed]), [['here', 1, 0], ['elsewhere', 1, 0]], first)
    }
  })
})

t.test('retries', async t => {
  onWires(t, 'of a request are its own: the responses between are neither seen nor errors of the function', async (t, { opts }) => {
    const seen = []
    const script = (connection, request) => {
      const n = connection.server.seenOf = (connection.server.seenOf ?? 0) + 1
      connection.send(n % 3 === 0 ? OK : status(503))
    }
    const { paths, result } = await runUsers(t, script, {
      ...opts, amount: 7, user: async ({ http }) => {
        seen.push((await http.get('/twice', { retries: 2 })).status)
        if (seen.length === 2) seen.push((await http.get('/none')).status)
      }
    })
    t.strictSame(seen, [200, 200, 503])
    t.strictSame(paths, [...new Array(6).fill('/twice'), '/none'])
    t.match(result, { iterations: { started: 2, completed: 2, ...whole } })
  })

  onWires(t, 'after a lost connection', async (t, { opts }) => {
    const { paths, result } = await runUsers(t, connection => connection.index === 0 ? connection.end() : connection.send(OK), {
      ...opts, amount: 2, user: async ({ http }) => {
        assert.equal((await http.post('/', { body: 'x', retries: 1 })).status, 200)
      }
    })
    t.strictSame(paths, ['/', '/'])
    t.match(result, { errors: 1, iterations: { started: 1, completed: 1, ...whole } })
  })
})

t.test('the timeout of a request', async t => {
  const script = byPath({ '/silent': () => {}, '/slow': after(3000), '*': OK })

  onWires(t, 'that is shorter than that of the run rejects it by that time, as a timeout', async (t, { opts }) => {
    const took = []
    const { result } = await runUsers(t, script, {
      ...opts, amount: 4, timeout: 10, user: async ({ http }) => {
        await http.get('/')
        const from = performance.now()
        await assert.rejects(http.get('/silent', { timeout: '150ms' }), { code: 'AC_TIMEOUT' })
        took.push(performance.now() - from)
      }
    })
    t.ok(took.every(ms => ms >= 149 && ms < 5000), String(took))
    t.match(result, { timeouts: 2, fates: { timedOut: 2 }, iterations: { started: 2, completed: 2, ...whole } })
  })

  onWires(t, 'that is longer lets it take longer, and the next one has that of the run again', async (t, { opts }) => {
    const codes = []
    const { result } = await runUsers(t, script, {
      ...opts, amount: 2, timeout: 1, user: async ({ http }) => {
        assert.equal((await http.get('/slow', { timeout: 10 })).status, 200)
        await http.get('/slow').catch(error => codes.push(error.code))
      }
    })
    t.strictSame(codes, ['AC_TIMEOUT'])
    t.match(result, { timeouts: 1, iterations: { completed: 1, ...whole } })
  })

  onWires(t, 'counts from each attempt', async (t, { opts }) => {
    const { result } = await runUsers(t, byPath({ '/silent': () => {}, '/moved': connection => setTimeout(() => connection.send(status(302, 'Location: /there\r\n')), 2000), '/there': after(2000) }), {
      ...opts, amount: 4, timeout: 10, user: async ({ http }) => {
        assert.equal((await http.get('/moved', { redirects: 1, timeout: '3500ms' })).status, 200)
        await assert.rejects(http.get('/silent', { retries: { times: 1, pause: '50ms' }, timeout: '100ms' }), { code: 'AC_TIMEOUT' })
      }
    })
    t.match(result, { timeouts: 2, iterations: { completed: 1, ...whole } })
  })
})

onWires(t, 'captured values may have the names of built-in values of templates, which functions do not have', async (t, { opts }) => {
  const seen = []
  await runUsers(t, OK, {
    ...opts, amount: 1, user: async ({ http, context }) => {
      await http.get('/', { capture: { id: 'json a', now: 'status' } })
      seen.push(context.id, context.now)
    }
  })
  t.strictSame(seen, [1, 200])
})
