'use strict'

// Streams of user functions, in each mode: a loop sees each event once and in order, and figures count what has arrived.

const t = require('tap')
const { constants, gzipSync } = require('node:zlib')
const { once } = require('node:events')
const { setTimeout: sleep } = require('node:timers/promises')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { handlingServer } = require('../../helpers/servers/handling-server')
const { byOurClient, fixture, run: inThread } = require('../modes')

/**
 * A server of both versions of HTTP. `/events` has 5 events and an end, `/endless` has none.
 * @param {any} t
 * @param {boolean} isHttp2
 * @param {Record<string, (request: any, response: any) => void>} [more]
 */
async function listen (t, isHttp2, more = {}) {
  const seen = { streams: 0, closed: 0 }
  /** @type {(request: any, response: any) => void} */
  const handle = (request, response) => {
    const [path] = request.url.split('?')
    if (Object.hasOwn(more, path)) return more[path](request, response)
    seen.streams++
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let n = 0
    const timer = setInterval(() => {
      if (++n > 5 && path === '/events') {
        clearInterval(timer)
        response.end()
      } else response.write(`id: ${n}\ndata: {"n":${n}}\n\n`)
    }, 2)
    response.on('close', () => {
      clearInterval(timer)
      if (!response.writableFinished) seen.closed++
    })
  }
  return { url: await handlingServer(t, handle, isHttp2), seen }
}

/** Both versions of HTTP, in one thread. */
const onEach = (name, prove) => t.test(name, async t => {
  for (const http of ['1.1', '2']) {
    await t.test(`HTTP/${http}`, t => prove(t, http === '2', async opts => {
      const result = await inThread({ http, ...opts })
      conserves(t, result)
      return result
    }))
  }
})

byOurClient(t, 'a module that reads streams', async (t, mode) => {
  const { url, seen } = await listen(t, mode.protocol?.http === '2')
  const result = await mode.run({ url, amount: '8 iterations', user: fixture('users/stream-user.mjs'), thresholds: ['events == 144', 'ended: gap p99 < 60s', 'first event p99 < 60s'] })
  conserves(t, result)
  t.match(result, { errors: 0, failures: 0, fates: { completed: 32 }, iterations: { started: 8, completed: 8, cut: 0 } })
  t.strictSame(result.checks.filter(({ failed }) => failed > 0), [])
  // What comes behind the last event that a loop wants has arrived as well.
  const { opened, completed, closed, truncated, events, firstEvent, gap, duration } = result.streams
  t.match({ opened, completed, closed, truncated }, { opened: 32, completed: 32, closed: 8, truncated: 0 })
  t.ok(events >= 144)
  t.strictSame([firstEvent.totalCount, gap.totalCount, duration.totalCount], [32, events - 32, 32])
  const { ended, left, both } = result.byRequest
  t.match([ended, both].map(({ streams }) => [streams.opened, streams.events, streams.closed]), [[8, 40, 0], [16, 80, 0]])
  t.match([left.streams.opened, left.streams.closed], [8, 8])
  t.ok(left.streams.events >= 24)
  t.match(result.thresholds.slice(1), [{ passed: true }, { passed: true }])
  t.equal(seen.streams, 32)
  t.strictSame(result.findings.filter(({ code }) => code === 'closed-after-each'), [], 'the server has not closed them')
})

onEach('streams of functions by scenario', async (t, isHttp2, measure) => {
  const { url } = await listen(t, isHttp2)
  const read = n => async ({ http }) => {
    for (let i = 0; i < n; i++) for await (const event of http.stream('/events')) if (event === undefined) return
  }
  const { byScenario: { one, two }, streams } = await measure({
    url, connections: 2, amount: '8 iterations', scenarios: [{ name: 'one', user: read(1) }, { name: 'two', user: read(2) }]
  })
  t.strictSame([one.streams.opened, two.streams.opened], [one.completed, 2 * two.completed])
  t.equal(one.streams.gap.totalCount + two.streams.gap.totalCount, streams.gap.totalCount)
})

byOurClient(t, 'streams that never end, at the end of a run', async (t, mode) => {
  const { url } = await listen(t, mode.protocol?.http === '2')
  const result = await mode.run({ url, duration: 0.5, user: fixture('users/stream-endless.mjs') })
  conserves(t, result)
  t.match(result, { errors: 0, fates: { completed: 0, abandoned: 2 }, streams: { opened: 2, completed: 0 }, iterations: { started: 2, unfinished: 2 } })
  t.ok(result.streams.events > 0)
})

onEach('a group measures the streams in it, and one whose callback returns before them says so', async (t, isHttp2, run) => {
  const { url } = await listen(t, isHttp2)
  const result = await run({
    url, amount: '2 iterations', connections: 1, user: async ({ http, group }) => {
      await group('talk', async () => {
        const stream = http.stream('/events')
        for await (const { data } of stream) t.ok(data)
      })
    }
  })
  t.match(result.groups, { talk: { count: 2 } })
  t.match(result.iterations, { completed: 2 })
  await t.rejects(run({ url, amount: '2 iterations', connections: 1, user: ({ http, group }) => group('talk', () => { http.stream('/events') }) }), { code: 'AC_HOOK', message: /group\('talk'\) ends before its requests/ })
})

onEach('what leaves a loop closes the stream, and the user goes on', async (t, isHttp2, run) => {
  const { url, seen } = await listen(t, isHttp2, { '/get': (request, response) => response.end('ok') })
  const ways = [
    ['break', async http => { for await (const event of http.stream('/endless')) if (event.id === '2') break }],
    ['return', async http => { for await (const event of http.stream('/endless')) if (event.id === '2') return event }],
    ['an exception that is caught', async http => {
      try { for await (const event of http.stream('/endless')) if (event.id !== '') throw new Error(event.id) } catch {}
    }],
    ['close()', async http => {
      const stream = await http.stream('/endless')
      for await (const event of stream) if (event.id === '2') await stream.close()
    }],
    ['close() before an event', async http => { await (await http.stream('/endless')).close() }],
    ['the end of the function', async http => { await http.stream('/endless') }],
    ['the end of the function before the head', async http => { http.stream('/endless') }],
    ['the end of the function in a race', async http => {
      const read = async () => { for await (const event of http.stream('/endless')) if (event.id === 'x') return }
      await Promise.race([read(), sleep(20)])
    }],
    ['a missing await', async http => {
      const read = async () => { for await (const event of http.stream('/endless')) if (event.id === 'x') return }
      read()
      await http.get('/get')
    }]
  ]
  const goesOn = []
  const { length } = ways
  const result = await run({
    url, amount: `${4 * length} iterations`, connections: 2, user: async ({ http, iteration }) => {
      const [name, leave] = ways[iteration % length]
      await leave(http)
      if (name.startsWith('the end') || name.startsWith('a missing')) return
      await http.get('/get')
      goesOn.push(name)
    }
  })
  t.match(result, { errors: 0, failures: 0, iterations: { started: 4 * length, completed: 4 * length }, streams: { opened: 4 * length, completed: 4 * length, closed: 4 * length } })
  t.equal(seen.streams, 4 * length)
  t.ok(goesOn.length >= 4 * (length - 4) - 8)
  const thrower = async ({ http }) => { for await (const event of http.stream('/endless')) if (event.id !== '') throw new TypeError(`event ${event.id}`) }
  const thrown = await run({ url, amount: '4 iterations', keepGoing: true, user: thrower })
  t.match(thrown, { errors: 0, iterations: { cut: 4, cutBy: { 'exception: event 1': 4 } }, streams: { completed: 4, closed: 4 } })
  const failed = run({ url, amount: '4 iterations', user: thrower })
  await t.rejects(failed, { code: 'AC_HOOK', message: /failed: event 1/ })
})

onEach('errors end the loop behind the events that came before, with the codes of requests', async (t, isHttp2, run) => {
  const start = (response, text) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(text)
  }
  const { url } = await listen(t, isHttp2, {
    '/silent': () => {},
    '/idle': (request, response) => start(response, 'data: 1\n\ndata: 2\n\n: nothing\n\n'),
    '/broken': (request, response) => {
      start(response, 'data: 1\n\ndata: 2')
      setTimeout(() => { if (isHttp2) response.stream.close(2); else response.socket.destroy() }, 20)
    },
    '/long': (request, response) => {
      start(response, 'data: 1\n\ndata: ')
      for (let i = 0; i < 17; i++) response.write(Buffer.alloc(1024 * 1024, 'x'))
    },
    '/cut': (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
      response.end(gzipSync('data: 1\n\ndata: 2\n\n', { finishFlush: constants.Z_SYNC_FLUSH }))
    }
  })
  for (const [path, options, code, events] of [
    ['/silent', { timeout: 0.1 }, 'AC_TIMEOUT', 0],
    ['/idle', { idleTimeout: '100ms' }, 'AC_IDLE_TIMEOUT', 2],
    ['/broken', {}, isHttp2 ? 'AC_H2_RESET_INTERNAL_ERROR' : 'AC_TRUNCATED', 1],
    ['/long', {}, 'AC_EVENT_SIZE', 1]
  ]) {
    const seen = []
    const result = await run({
      url, amount: '1 iterations', user: async ({ http }) => {
        let n = 0
        try {
          for await (const event of http.stream(path, { name: 'one', ...options })) n += Number(event.type === 'message')
        } catch (error) {
          seen.push(`${error.code} ${n} ${error.request.name}`)
          throw error
        }
      }
    })
    t.strictSame(seen, [`${code} ${events} one`], path)
    t.match(result, { errorCodes: { [code]: 1 }, iterations: { cut: 1, cutBy: { [code]: 1 } }, streams: { completed: 0, events } }, path)
  }
  const cut = []
  const result = await run({
    url, amount: '1 iterations', user: async ({ http }) => {
      let n = 0
      try {
        for await (const event of http.stream('/cut', { name: 'one' })) n += Number(event.type === 'message')
      } catch (error) {
        cut.push(`${error.code} ${n} ${error.request?.name}`)
        throw error
      }
    }
  })
  t.strictSame(cut, ['AC_CONTENT_ENCODING 2 one'], 'a compressed stream that is cut off')
  t.match(result, { errors: 0, failures: 1, iterations: { cut: 1, cutBy: { AC_CONTENT_ENCODING: 1 } } })
  // The run has limits of its own, and what is not read fails as well.
  const idle = await run({
    url, amount: '1 iterations', idleTimeout: 0.1, user: async ({ http, pause }) => {
      const stream = await http.stream('/idle')
      await pause('500ms')
      for await (const event of stream) if (event.data === 'x') return
    }
  })
  t.match(idle, { errorCodes: { AC_IDLE_TIMEOUT: 1 }, iterations: { cutBy: { AC_IDLE_TIMEOUT: 1 } } })
})

onEach('responses that are no streams', async (t, isHttp2, run) => {
  const { url } = await listen(t, isHttp2, {
    '/busy': (request, response) => {
      response.writeHead(503, { 'content-type': 'text/plain' })
      response.end('busy')
    },
    '/none': (request, response) => {
      response.statusCode = 204
      response.end()
    },
    '/page': (request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<p>')
    },
    '/moved': (request, response) => {
      response.writeHead(302, { location: '/events' })
      response.end()
    },
    '/flaky': (() => {
      let n = 0
      return (request, response) => {
        response.writeHead(n++ % 2 === 0 ? 503 : 200, { 'content-type': 'application/jsonl' })
        response.end('{"n":1}\n\n {"n":2}')
      }
    })()
  })
  const seen = []
  const read = async stream => {
    let n = 0
    try { for await (const one of stream) n += Number(one !== null) } catch (error) { return `${n} ${error.code} ${error.message}` }
    return n
  }
  const result = await run({
    url, amount: '1 iterations', user: async ({ http }) => {
      const busy = await http.stream('/busy', { name: 'busy' })
      seen.push(busy.status, busy.ok, busy.text(), await read(busy), await read(http.stream('/none')), await read(http.stream('/page', { stream: 'sse' })))
      seen.push(await read(http.stream('/page')))
      const moved = await http.stream('/moved', { redirects: 1 })
      seen.push(new URL(moved.url).pathname, await read(moved), await read(http.stream('/flaky', { retries: 1 })))
      t.throws(() => moved.text(), { message: /^the body of a stream is read event by event/ })
    }
  })
  t.strictSame(seen, [
    503, false, 'busy', '0 AC_NO_STREAM the response to busy is not a stream: it has status 503 and is text/plain', 0,
    '0 AC_NO_STREAM the response to GET /page is not a stream: expected a Content-Type of text/event-stream, got \'text/html\'', 1, '/events', 5, 2
  ])
  t.match(result, { redirects: 1, retries: 1, streams: { opened: 3, completed: 3, events: 8 } })
  t.match(result.checks, [{ name: 'content-type', passed: 0, failed: 1 }])
  // Not caught, it is a page that was not expected, as with json().
  const cut = await run({ url, amount: '2 iterations', user: async ({ http }) => { for await (const event of http.stream('/busy')) t.fail(event) } })
  t.match(cut, { iterations: { cutBy: { 'body AC_NO_STREAM': 2 } }, checks: [{ name: 'body', failed: 2 }] })
})

onEach('events that are not read end the stream, and take no memory without end', async (t, isHttp2, run) => {
  const ended = []
  const { url } = await listen(t, isHttp2, {
    '/flood': (request, response) => {
      ended.push(once(response, 'close'))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const more = () => { while (!response.destroyed && response.write('data: x\n\n'.repeat(500))); }
      response.on('drain', more)
      more()
    }
  })
  const seen = []
  const result = await run({
    url, amount: '1 iterations', user: async ({ http }) => {
      const stream = await http.stream('/flood')
      let n = 0
      try {
        for await (const event of stream) {
          if (n++ === 0) await ended[0]
          if (event.data !== 'x') return
        }
      } catch (error) {
        seen.push(error.code, n > 10_000)
        throw error
      }
    }
  })
  t.strictSame(seen, ['AC_UNREAD_EVENTS', true])
  t.match(result, { errorCodes: { AC_UNREAD_EVENTS: 1 }, iterations: { cutBy: { AC_UNREAD_EVENTS: 1 } }, fates: { failed: 1 } })
  t.ok(result.streams.events > 20_000)
  // One that reads as they come is fast enough, however many there are.
  const fast = await run({
    url, amount: '1 iterations', user: async ({ http }) => {
      let n = 0
      for await (const { data } of http.stream('/flood')) if (data === 'x' && ++n === 50_000) break
    }
  })
  t.match(fast, { errors: 0, streams: { completed: 1, closed: 1 } })
})

t.test('lines, chunks and what is wrong in them', async t => {
  const { url } = await listen(t, false, {
    '/lines': (request, response) => {
      response.setHeader('content-type', 'application/x-ndjson; charset=utf-8')
      response.write('{"a":"ü😀"}\r\n\n  \n[1]')
      response.write(',\n2\n')
      response.end('3')
    },
    '/bytes': (request, response) => response.end(Buffer.from([1, 2, 3]))
  })
  const seen = []
  const result = await inThread({
    url, amount: '1 iterations', user: async ({ http }) => {
      try { for await (const value of http.stream('/lines')) seen.push(value) } catch (error) { seen.push(`${error.code} ${error.message}`) }
      for await (const bytes of http.stream('/bytes')) seen.push(bytes)
      for await (const bytes of http.stream('/lines', { stream: 'chunks' })) seen.push(Buffer.isBuffer(bytes))
      try { for await (const event of http.stream('/events')) event.json('[') } catch (error) { seen.push(error.name) }
      const stream = await http.stream('/events')
      // Two loops share the events.
      const read = async () => {
        const ids = []
        for await (const { id } of stream) ids.push(id)
        return ids
      }
      seen.push((await Promise.all([read(), read()])).flat().sort().join(''))
      for await (const event of stream) seen.push(event)
    }
  })
  conserves(t, result)
  t.strictSame(seen.slice(0, 3), [{ a: 'ü😀' }, 'AC_JSON a line of the stream of GET /lines is not JSON', Buffer.from([1, 2, 3])])
  t.equal(seen.at(-1), '12345', 'nothing is read twice')
})

t.test('wrong calls are one line each, whether a loop or an await meets them', async t => {
  const { url } = await listen(t, false)
  for (const [options, message] of [
    [{ stream: 'x' }, /http\.stream\('\/events'\): stream: expected 'sse', 'ndjson', 'chunks', 'openai', got 'x'/],
    [{ idleTimout: 1 }, /unknown option 'idleTimout'.*idleTimeout/],
    [{ idleTimeout: 0 }, /idleTimeout: expected seconds or a time such as 5s, more than 0, got 0/],
    [{ method: 'HEAD' }, /method: a response to HEAD has no body/],
    [{ check: () => true }, /check: check events in the loop/],
    [{ capture: { a: 'json a' } }, /capture: read values of events in the loop/],
    [{ compressed: true }, /compressed: events of a compressed response are not read/],
    [{ expect: { json: { a: 1 } } }, /expect\.json: a function reads events one by one: check them in the loop/],
    ['GET', /expected an object of options, got 'GET'/]
  ]) {
    for (const user of [async ({ http }) => { for await (const event of http.stream('/events', options)) t.fail(event) }, async ({ http }) => { await http.stream('/events', options) }]) {
      await t.rejects(inThread({ url, amount: 1, user }), { code: 'AC_HOOK', message })
    }
  }
  await t.rejects(inThread({ url, amount: 1, client: 'undici', user: async ({ http }) => { await http.stream('/events') } }), { message: /undici reports no times of events/ })
  for (const [options, message] of [
    [{ events: 5 }, /^events: a user function leaves each stream itself, with break, and checks its events in the loop; omit events/],
    [{ streamFor: 5 }, /^streamFor: a user function leaves each stream itself/],
    [{ thresholds: ['goodput(first event < 1s) > 95%'] }, /: streams of user functions have no goodput: give the run requests/]
  ]) await t.rejects(async () => inThread({ url, amount: 1, user: async () => {}, ...options }), { code: 'AC_OPTIONS', message })
  const later = await inThread({ url, amount: '1 iterations', user: async ({ http }) => { setTimeout(() => http.stream('/events').catch(() => {}), 1); await http.get('/events') } })
  conserves(t, later)
})

onEach('expectations of the head, and a user with as many streams as connections', async (t, isHttp2, run) => {
  const { url } = await listen(t, isHttp2)
  const result = await run({
    url, amount: '2 iterations', connectionsPerUser: 2, user: async ({ http }) => {
      const read = async () => { for await (const event of http.stream('/events', { expect: { status: 201, headers: { 'content-type': true } } })) if (event.data === '') return }
      await Promise.all([read(), read(), read()])
    }
  })
  t.match(result, { iterations: { completed: 2 }, streams: { opened: 6, completed: 6, events: 30 }, failures: 6 })
  t.match(result.checks, [{ name: 'expect', failed: 6 }])
  t.match(result.firstFailures[0], { status: 200 })
})

t.test('a run without streams has no figures of them', async t => {
  const { url } = await listen(t, false, { '/get': (request, response) => response.end('ok') })
  const result = await autocannon({ url, amount: 3, connections: 1, user: async ({ http }) => { await http.get('/get') } })
  t.notOk('streams' in result)
  const setUp = await autocannon({ url, amount: 3, connections: 1, user: { default: async ({ http, setup }) => { await http.get('/get', { headers: { n: String(setup) } }) }, setup: async ({ http }) => { for await (const { id } of http.stream('/endless')) if (id === '2') return Number(id) } } })
  t.notOk('streams' in setUp, 'those of setup are in no figure')
})
