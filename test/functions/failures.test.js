'use strict'

// What a user function hears of a server, of itself and of wrong use, and what becomes of its iteration and of the run.

const assert = require('node:assert')
const t = require('tap')
const autocannon = require('../..')
const { after, byPath, casesOf, endOf, onWires, runUsers } = require('../helpers/user-functions')
const { conserves } = require('../helpers/results/conservation')
const { closedPort } = require('../helpers/servers/http-server')
const { answer, rawServer } = require('../helpers/servers/raw-server')

const OK = answer('{"a":1}')
const whole = { unfinished: 0, cut: 0 }

t.jobs = 2

onWires(t, 'an uncaught rejection aborts the iteration with its code, and a caught one goes on', async (t, { opts }) => {
  const script = byPath({ '/reset': connection => connection.reset(), '/close': connection => connection.end(), '/cut': connection => connection.send('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf').end(), '/strange': 'HTTP/1.1 2x0 OK\r\n\r\n', '*': OK })
  for (const path of ['/reset', '/close', '/cut', '/strange']) {
    let code
    const { iterations, result } = await runUsers(t, script, {
      ...opts, amount: 4, user: async ({ http }) => {
        await http.post('/')
        try {
          await http.post(path)
        } catch (error) {
          code = error.code
          t.match(error, { name: 'RequestError', request: { method: 'POST', url: new RegExp(`${path}$`) } })
          throw error
        }
        t.fail('it goes on')
      }
    })
    t.match(iterations, { started: 2, completed: 0, cut: 2, cutBy: { [code]: 2 }, unfinished: 0 })
    t.equal(result.errorCodes[code], 2)
    const caught = await runUsers(t, script, {
      ...opts, amount: 4, user: async ({ http }) => {
        await http.post(path).catch(() => {})
        await http.post('/')
      }
    })
    t.match(caught.iterations, { started: 2, completed: 2, ...whole })
  }
})

onWires(t, 'a rejected request that is not awaited ends neither the iteration nor the process', async (t, { opts }) => {
  const { iterations } = await runUsers(t, byPath({ '/reset': connection => connection.reset(), '/slow': after(50), '*': OK }), {
    ...opts, amount: 8, user: async ({ http }) => {
      http.post('/reset')
      // The promise that is derived from it is rejected while another one is waited for, and has no handler.
      http.post('/reset').then(response => response.json())
      const late = http.post('/reset').then(response => response.json())
      await http.get('/slow')
      await late.catch(() => {})
    }
  })
  t.match(iterations, { started: 2, completed: 2, ...whole })
})

onWires(t, 'nothing listens, or vanishes: each request is refused, and a function that tries for ever does so slowly', async (t, { opts }) => {
  const url = `http://127.0.0.1:${await closedPort()}`
  let tried = 0
  const { result } = await runUsers(t, OK, {
    ...opts, url, duration: 0.5, user: async ({ http }) => {
      for (;;) {
        tried++
        await http.get('/').catch(() => {})
      }
    }
  }, { neverSent: ({ errors }) => errors })
  t.ok(tried < 100)
  t.equal(result.requests.sent, 0)
})

onWires(t, 'a server that vanishes in the middle of the run', async (t, { opts }) => {
  const codes = new Set()
  const script = (connection, { index }) => {
    if (index < 3) return connection.send(OK)
    connection.server.server.close()
    connection.reset()
  }
  const server = await rawServer(t, script)
  const result = await endOf(t, autocannon({
    url: server.url, ...opts, connections: 1, amount: 8, user: async ({ http }) => {
      await http.post('/').catch(error => codes.add(error.code))
      if (codes.size === 0) return
      await http.post('/').catch(error => {
        codes.add(error.code)
        throw error
      })
    }
  }))
  const neverSent = result.errors - result.fates.failed
  conserves(t, result, { neverSent, arrived: 4 })
  t.ok(codes.has('ECONNREFUSED') && neverSent > 0, [...codes].join())
  t.match(result.iterations, { completed: 3 })
})

onWires(t, 'another origin is refused with its name, and nothing is sent, also in a loop without an end', async (t, { opts }) => {
  const seen = new Set()
  const { paths, iterations } = await runUsers(t, OK, {
    ...opts, duration: 0.4, user: async ({ http }) => {
      for (;;) {
        try {
          await http.get('https://refused.example/x')
        } catch (error) {
          seen.add(error.message)
        }
      }
    }
  })
  t.strictSame(paths, [])
  t.match(iterations, { started: 1, unfinished: 1 })
  t.strictSame([...seen], ["http.get('https://refused.example/x'): 'https://refused.example' is not an origin of this run, so nothing was sent: allow it with --origin https://refused.example, or origins: ['https://refused.example']"])
})

onWires(t, 'an exception ends the run with what it says: at once, behind each await, with anything that can be thrown', async (t, wire) => {
  const hostile = new Proxy({}, { get () { throw new Error('no') } })
  for (const [user, sent, message] of casesOf(t, wire, [
    [() => { throw new Error('at once') }, 0, /^the function of user 0 failed: at once$/],
    [async () => { throw new Error('soon') }, 0, /soon/],
    [async ({ http }) => { await http.get('/'); throw new Error('behind one') }, 1, /behind one/],
    [async ({ http, pause }) => { await http.get('/'); await pause(0.001); throw new RangeError('behind a pause') }, 1, /behind a pause/],
    [async ({ http }) => { await http.get('/'); undefined.name }, 1, /undefined/], // eslint-disable-line no-unused-expressions
    [async ({ http }) => { await http.get('/', { quary: {} }) }, 0, /http\.get\('\/'\): unknown option 'quary', did you mean 'query'\?/],
    [async ({ http }) => { http.get('/', { quary: {} }); await http.get('/') }, undefined, /unknown option 'quary'/],
    [async ({ http }) => { await http.post('/', null, { headers: {} }) }, 0, /http\.post\('\/'\): expected no further argument after the options: the body is a key of the options, as in http\.post\(path, \{ body, headers \}\)$/],
    [async ({ pause }) => { await pause('later') }, 0, /pause: expected seconds or a time such as '1s', got 'later'/],
    [async ({ http, pause }) => { try { pause('later') } catch {} await http.get('/'); await pause(1) }, undefined, /pause: expected seconds or a time such as '1s', got 'later'/],
    [async ({ http, pause }) => { await http.get('/'); pause('20s') }, 1, /^the function of user 0 failed: pause\('20s'\) has no effect, because nothing waits for it: write await pause\('20s'\)$/],
    [async ({ http, pause }) => { pause(0); await http.get('/') }, 1, /pause\(0\) has no effect/],
    [({ http, pause }) => { [1, 2].forEach(async () => { await http.get('/'); await pause('20s') }) }, undefined, /^the function of user 0 failed: pause\('20s'\) begins after the function has returned: is an await missing\? An async callback of forEach is not awaited: use for … of, or Promise\.all$/],
    [async ({ http, group }) => { await group('buy', () => { http.get('/') }) }, undefined, /^the function of user 0 failed: group\('buy'\) ends before its requests, because nothing waits for them: return or await each request in it$/],
    [async ({ http, group }) => { await group('buy', async () => { http.get('/') }) }, undefined, /group\('buy'\) ends before its requests/],
    [async ({ http, group }) => { group('buy', () => { http.get('/').then(() => {}) }); await http.get('/') }, undefined, /group\('buy'\) ends before its requests/],
    [async ({ http, group }) => { await group('all', async () => { await http.get('/'); await group('buy', () => { http.get('/') }) }) }, undefined, /group\('buy'\) ends before its requests/],
    [async ({ group }) => { await group(async () => {}) }, 0, /group: its name comes first: expected a text of up to 100 printable characters, got .*: write await group\('buy', async \(\) => \{ … \}\)$/],
    [async ({ group, http }) => { group('buy'); await http.get('/') }, undefined, /group\('buy'\): expected a function, got undefined: write await group\('buy', async/],
    [async ({ http }) => { await http.post('/x', { expect: { stat: 200 } }) }, 0, /^the function of user 0 failed: http\.post\('\/x'\): expect: unknown key 'stat', did you mean 'status'\? There are status, headers, /],
    [async ({ http }) => { await http.get('/x', { expect: { status: 'x' } }) }, 0, /^the function of user 0 failed: http\.get\('\/x'\): expect\.status: expected /],
    [async ({ http }) => { await http.get('/x', { capture: { id: { form: 'json id' } } }) }, 0, /^the function of user 0 failed: http\.get\('\/x'\): capture\.id: unknown key 'form', did you mean 'from'\?/],
    [async ({ http }) => { await http.batch([['GET', '/']]) }, 0, /there is no http\.batch here: use await Promise\.all\(\[http\.get\('\/a'\), http\.get\('\/b'\)\]\)$/],
    [async ({ http }) => { http.del('/'); await http.get('/') }, undefined, /there is no http\.del here: use http\.delete\(path\)$/],
    [async ({ http }) => { await http.asyncRequest('GET', '/') }, 0, /there is no http\.asyncRequest here: use http\.request\(method, path\)/],
    [async function (http) { await http.get('/') }, 0, /^the function of user 0 failed: a user function is given one object, and its requests are those of http: async \(\{ http \}\) => /],
    [async ({ http }) => { await http.get('/').json() }, undefined, /\.json is not a function: is an await missing, as in await http\.get\(path\)\?$/],
    [async ({ http }) => { const r = http.get('/'); if (r.status !== 200) await r }, undefined, /^the function of user 0 failed: a promise has no status: is an await missing, as in await http\.get\(path\)\?$/],
    [async ({ http }) => { const { ok } = http.post('/'); return ok }, undefined, /failed: a promise has no ok: is an await missing/],
    [async ({ http, group }) => { await group('buy', async () => { const r = http.get('/'); if (r.status_code !== 200) await r }) }, undefined, /failed: a promise has no status_code: is an await missing/],
    [async ({ http }) => { const s = http.stream('/'); if (s.status !== 200) await s }, undefined, /failed: a promise has no status: is an await missing, as in await http\.stream\(path\)\?|undici reports no times of events/],
    [async ({ http }) => { const { status_code: status } = await http.get('/'); return status }, 1, /failed: a response has no status_code here: use status$/],
    [async ({ http, data }) => { await http.get(`/${data.users.email}`) }, 0, /\(reading 'email'\): data has no users: give the run its rows, as in --data users=users\.csv$/],
    [async ({ http, sleep }) => { await http.get('/'); sleep(1) }, undefined, /^the function of user 0 failed: there is no sleep here: use await pause\('1s'\)/],
    [async ({ http }) => { await http.get('/'); http.batch([]) }, undefined, /^the function of user 0 failed: there is no http\.batch here/],
    [async ({ sleep }) => { await sleep(1) }, 0, /there is no sleep here: use await pause\('1s'\)/],
    [async () => { sleep(1) }, 0, /sleep is not defined: use await pause\('1s'\), which a user function is given/], // eslint-disable-line no-undef
    [async ({ http }) => { check(await http.get('/'), {}) }, 0, /check is not defined: a user function is given it, as in async \(\{ check \}\) => \{ … \}$/], // eslint-disable-line no-undef
    [async ({ check, http }) => { check(await http.get('/'), { soon: async () => true }) }, 1, /^the function of user 0 failed: check 'soon' returned a promise, expected true or false: await the value first, then check it, as in check\(await …, \{ … \}\)$/],
    [() => { throw undefined }, 0, /it threw undefined/], // eslint-disable-line no-throw-literal
    [() => { throw null }, 0, /it threw null/], // eslint-disable-line no-throw-literal
    [() => { throw hostile }, 0, /failed/],
    [() => ({ then () { throw new Error('of a thenable') } }), 0, /of a thenable/]
  ])) {
    const server = await rawServer(t, OK)
    const error = await endOf(t, autocannon({ url: server.url, ...wire.opts, connections: 1, duration: 5, user })).then(() => null, error => error)
    t.match(error, { code: 'AC_HOOK', message }, String(user))
    if (sent !== undefined) t.equal(server.requestCount, sent)
  }
})

t.test('a wrong call that is not awaited fails a run by iterations or requests, also as the last call', async t => {
  const server = await rawServer(t, OK)
  for (const [user, message] of [
    [async ({ http }) => { await http.get('/'); http.get('/a', { tags: {} }) }, /http\.get\('\/a'\): unknown option 'tags'/],
    [async ({ http }) => { await Promise.all([http.get('/'), http.get('/')]); http.get('/a', { tags: {} }) }, /http\.get\('\/a'\): unknown option 'tags'/],
    [async ({ http }) => { await http.get('/'); await http.get('/a', { tags: {} }) }, /http\.get\('\/a'\): unknown option 'tags'/],
    [async ({ http, pause }) => { await http.get('/'); pause('1 foo') }, /pause: expected seconds or a time such as '1s', got '1 foo'/],
    [async ({ http, ws }) => { await http.get('/'); ws('/a', { tags: {} }) }, /ws\('\/a'\): unknown option 'tags'/],
    [async ({ http, group }) => { await http.get('/'); group('buy') }, /group\('buy'\): expected a function/]
  ]) {
    for (const amount of ['2 iterations', 4]) {
      const runs = Array.from({ length: 10 }, (_, i) => autocannon({ url: server.url, connections: 2, amount, seed: i + 1, user }).then(() => null, error => error))
      for (const error of await Promise.all(runs)) t.match(error, { code: 'AC_HOOK', message }, `${user} of ${amount}`)
    }
  }
})

onWires(t, 'with keepGoing a wrong call is counted once, whether it is awaited or not, and a run by requests ends', async (t, { opts }) => {
  for (const [user, reason] of [
    [async ({ http }) => { await http.get('/'); http.get('/a', { tags: {} }) }, /unknown option 'tags'/],
    [async ({ http }) => { await http.get('/'); await http.get('/a', { tags: {} }) }, /unknown option 'tags'/],
    [async ({ http, group }) => { await http.get('/'); group('buy') }, /group\('buy'\): expected a function/],
    [async ({ http, group }) => { await http.get('/'); await group('buy') }, /group\('buy'\): expected a function/]
  ]) {
    const { result } = await runUsers(t, OK, { ...opts, amount: 3, keepGoing: true, user })
    t.match(result.checks, [{ name: 'exception', failed: 3 }], String(user))
    t.match(Object.keys(result.checks[0].reasons), [reason])
  }
  const { iterations } = await runUsers(t, OK, {
    ...opts, amount: 1, user: async ({ http }) => {
      await http.get('/')
      for (;;) await http.get('/a', { tags: {} }).catch(() => {})
    }
  })
  t.match(iterations, { started: 1, unfinished: 1 }, 'also if the function repeats it for ever')
})

onWires(t, 'with keepGoing an exception aborts the iteration and is counted', async (t, { opts }) => {
  const { iterations } = await runUsers(t, OK, {
    ...opts, amount: 4, keepGoing: true, user: async ({ http, iteration }) => {
      await http.get('/')
      if (iteration % 2 === 1) throw new Error('every other one')
    }
  })
  t.match(iterations, { started: 4, completed: 2, cut: 2, cutBy: { 'exception: every other one': 2 }, unfinished: 0 })
})

onWires(t, 'a pause that something waits for may outlast the function, as the slower one of a race', async (t, { opts }) => {
  const { iterations } = await runUsers(t, OK, {
    ...opts, amount: 6, user: async ({ http, pause }) => {
      await Promise.race([http.get('/'), pause(30)])
      await Promise.any([http.get('/'), pause(30).finally(() => {})])
      const think = pause('1ms')
      await http.get('/')
      await Promise.all([pause('1ms'), think])
      return pause('1ms')
    }
  })
  t.match(iterations, { started: 2, completed: 1, cut: 0, unfinished: 1 }, 'the amount ends during the last pause')
})

onWires(t, 'parallel and nested groups, whose requests something waits for, are measured', async (t, { opts }) => {
  const { iterations, result } = await runUsers(t, byPath({ '/slow': after(40), '*': OK }), {
    ...opts, amount: 7, user: async ({ http, group, pause }) => {
      await Promise.all([
        group('returned', () => http.get('/slow')),
        group('awaited', async () => { await Promise.all([http.get('/slow'), http.get('/')]) }),
        group('raced', async () => { await Promise.race([http.get('/slow'), pause(0.001)]) }),
        group('outer', async () => { await group('inner', async () => { await http.get('/') }) })
      ])
      // In no group, and not waited for.
      http.get('/')
      http.get('/')
    }
  })
  t.match(iterations, { completed: 1, cut: 0 })
  t.strictSame(Object.keys(result.groups).sort(), ['awaited', 'inner', 'outer', 'raced', 'returned'])
  t.ok(result.groups.returned.duration.max >= 39)
})

onWires(t, 'with keepGoing a pause without an await aborts its iteration, and says so', async (t, { opts }) => {
  const { iterations, result } = await runUsers(t, OK, {
    ...opts, amount: 2, keepGoing: true, user: async ({ http, pause }) => { pause('1s'); await http.get('/') }
  })
  t.match(iterations, { started: 2, completed: 0, cut: 2 })
  t.match(result.checks, [{ name: 'exception', failed: 2 }])
  t.match(Object.keys(iterations.cutBy), ["exception: pause('1s') has no effect, because nothing waits for it: write await pause('1s')"])
})

onWires(t, 'with keepGoing the check exception says what to write as well', async (t, { opts }) => {
  const { result } = await runUsers(t, OK, { ...opts, amount: 2, keepGoing: true, user: async ({ http }) => { await http.get('/').json() } })
  t.match(result.checks, [{ name: 'exception', reasons: Object }])
  t.match(Object.keys(result.checks[0].reasons), [/\.json is not a function: is an await missing, as in await http\.get\(path\)\?$/])
})

onWires(t, 'an assertion that fails aborts the iteration as a failed check', async (t, { opts }) => {
  const { iterations, result } = await runUsers(t, OK, {
    ...opts, amount: 3, user: async ({ http }) => {
      const { status } = await http.get('/')
      assert.equal(status, 201, 'created')
    }
  })
  t.match(iterations, { started: 3, completed: 0, cut: 3, cutBy: { assertion: 3 }, unfinished: 0 })
  t.match(result.checks, [{ name: 'assertion', passed: 0, failed: 3, reasons: { created: 3 } }])
})

onWires(t, 'one that never returns is unfinished, and nothing waits for it', async (t, { opts }) => {
  const { iterations } = await runUsers(t, OK, {
    ...opts, connections: 2, duration: 30, user: async ({ http }) => {
      await http.get('/')
      await new Promise(() => {})
    }
  }, { stopAt: 2 })
  t.match(iterations, { started: 2, completed: 0, cut: 0, unfinished: 2 })
  const amount = await runUsers(t, OK, {
    ...opts, amount: 1, user: async ({ http }) => {
      await http.get('/')
      await new Promise(() => {})
    }
  })
  t.match(amount.iterations, { started: 1, unfinished: 1 })
})

onWires(t, 'one that returns at once does not keep the thread busy: at most an iteration each ms', async (t, { opts }) => {
  for (const user of [() => {}, async () => {}, async ({ pause }) => { await pause(0) }]) {
    const { iterations, result } = await runUsers(t, OK, { ...opts, amount: '200 iterations', user })
    t.equal(iterations.completed, 200)
    t.ok(result.duration * 1000 + 10 >= 200, `in ${result.duration} s`)
    t.equal(result.requests.sent, 0)
  }
})

onWires(t, 'a request behind the end of its iteration is rejected, and never sent', async (t, { opts }) => {
  const codes = []
  let first
  const { paths, iterations } = await runUsers(t, OK, {
    ...opts, amount: 2, user: async ({ http, iteration }) => {
      first ??= http
      if (iteration === 1) {
        await first.get('/late').catch(error => codes.push(error.code))
      }
      await http.get('/')
    }
  })
  t.strictSame([paths, codes], [['/', '/'], ['AC_ITERATION_OVER']])
  t.match(iterations, { started: 2, completed: 2, ...whole })
})

onWires(t, 'a body that is not what the function reads it as aborts the iteration, and fails a check', async (t, { opts }) => {
  const { iterations, result } = await runUsers(t, byPath({ '*': answer('<html>too busy</html>') }), {
    ...opts, amount: 3, user: async ({ http }) => { (await http.get('/')).json('id') }
  })
  t.match(iterations, { started: 3, completed: 0, cut: 3, cutBy: { 'body AC_JSON': 3 } })
  t.match(result.checks, [{ name: 'body', failed: 3 }])
})
