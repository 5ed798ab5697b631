'use strict'

// Streams of user functions against what goes wrong: hostile cuts, runs that end at any moment, functions that never read, and all of it at once.

const t = require('tap')
const zlib = require('node:zlib')
const { setTimeout: sleep } = require('node:timers/promises')
const { createParser } = require('eventsource-parser')
const autocannon = require('../..')
const { randomFrom } = require('../../lib/core/random')
const { conserves } = require('../helpers/results/conservation')
const { handlingServer } = require('../helpers/servers/handling-server')
const { cases } = require('../helpers/effort')

const MIB = 1024 * 1024

// Without run.js the time of tap is 30 s, at whose end it closes the servers while runs still go on: their connections are refused.
t.setTimeout(240_000)

/** What streams are made of, so that anything may stand next to anything. */
const PIECES = ['data', 'data:', 'data: ', 'event: ', 'id: ', 'retry: 3', ':', ': c', '\n', '\n\n', '\r', '\r\n', '\r\n\r\n', ' ', 'a', 'ü', '😀', '\0', 'x: y', 'da', '{"a":1}', '\n\ndata: 1\n\n']

const streamOf = seed => {
  const random = randomFrom(seed)
  let text = ''
  for (let i = 1 + Math.floor(30 * random()); i > 0; i--) text += PIECES[Math.floor(PIECES.length * random())]
  return text
}

t.test('a loop sees what eventsource-parser reads, wherever the server cuts its bytes', async t => {
  const random = randomFrom(7)
  const handle = async (request, response) => {
    const bytes = Buffer.from(streamOf(Number(request.url.slice(1))))
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    for (let from = 0; from < bytes.length;) {
      const to = from + 1 + Math.floor(8 * random())
      response.write(bytes.subarray(from, to))
      from = to
      if (random() < 0.1) await sleep(1)
    }
    response.end()
  }
  for (const isHttp2 of [false, true]) {
    const url = await handlingServer(t, handle, isHttp2)
    const amount = cases(1000, 150)
    const wrong = []
    let seed = isHttp2 ? 100_000 : 0
    const result = await autocannon({
      url, http: isHttp2 ? '2' : '1.1', connections: 8, amount: `${amount} iterations`, user: async ({ http }) => {
        const mine = ++seed
        const expected = []
        const parser = createParser({ onEvent ({ event: type = 'message', data }) { expected.push(`${type} ${data}`) } })
        // It waits for what is behind a CR at the end.
        parser.feed(`${streamOf(mine)}:`)
        const seen = []
        for await (const { type, data } of http.stream(`/${mine}`)) seen.push(`${type} ${data}`)
        if (seen.join('|') !== expected.join('|')) wrong.push({ seed: mine, seen, expected })
      }
    })
    conserves(t, result)
    t.strictSame(wrong, [])
    t.match(result, { errors: 0, streams: { opened: amount, completed: amount, closed: 0 } })
  }
})

/** A server whose streams end well, break off, fall silent, flood, or are none. */
const anything = random => (request, response) => {
  const roll = random()
  if (roll < 0.1) {
    response.statusCode = 503
    return response.end('busy')
  }
  if (roll < 0.15) return
  if (roll < 0.2) return response.stream === undefined ? response.socket.destroy() : response.stream.close(2)
  response.writeHead(200, { 'content-type': roll < 0.6 ? 'text/event-stream' : roll < 0.8 ? 'application/x-ndjson' : 'application/octet-stream' })
  let n = 0
  const timer = setInterval(() => {
    n++
    if (random() < 0.03) response.end()
    else if (random() < 0.01 && response.stream === undefined) response.socket.destroy()
    else if (random() < 0.01) clearInterval(timer)
    else response.write(roll < 0.6 ? `data: {"n":${n}}\n\n`.repeat(1 + Math.floor(8 * random())) : random() < 0.02 ? '{"n":' : `{"n":${n}}\n`)
  }, 1)
  response.on('close', () => clearInterval(timer))
}

/** What functions do with streams, one of these at a time. */
const HABITS = [
  async ({ http }) => { for await (const event of http.stream('/')) if (event === undefined) return },
  async ({ http, random }) => {
    let left = random.int(1, 20)
    for await (const event of http.stream('/')) if (event !== undefined && --left === 0) break
  },
  async ({ http, pause }) => { for await (const event of http.stream('/')) if (event !== undefined) await pause(0.001) },
  async ({ http, pause }) => {
    await http.stream('/')
    await pause(0.02)
  },
  async ({ http }) => { http.stream('/') },
  async ({ http }) => { for await (const event of http.stream('/')) if (event !== undefined) throw new Error('of the function') },
  async ({ http, random }) => {
    const read = async () => {
      let left = random.int(1, 10)
      for await (const event of http.stream('/')) if (event !== undefined && --left === 0) return left
    }
    await Promise.all([read(), read(), http.get('/'), read()])
  },
  async ({ http, pause }) => {
    const read = async () => { for await (const event of http.stream('/')) if (event === undefined) return }
    await Promise.race([read(), read(), pause(0.01)])
  },
  async ({ http }) => {
    const stream = await http.stream('/')
    const iterator = stream[Symbol.asyncIterator]()
    await Promise.all([iterator.next(), iterator.next(), iterator.return(), iterator.next(), stream.close()])
  },
  async ({ http }) => {
    const stream = http.stream('/')
    const iterator = stream[Symbol.asyncIterator]()
    await iterator.return()
    await stream
  }
]

t.test('any server, any function, and a run that ends at any moment', async t => {
  for (let seed = 1; seed <= cases(30, 4); seed++) {
    const random = randomFrom(seed)
    const isHttp2 = seed % 2 === 0
    const url = await handlingServer(t, anything(random), isHttp2)
    const amounts = [{ duration: 0.1 + random() / 2 }, { amount: 60, duration: 3 }, { amount: '40 iterations' }]
    const result = await autocannon({
      url, http: isHttp2 ? '2' : '1.1', connections: 20, connectionsPerUser: 3, timeout: 0.2, connectTimeout: 20, idleTimeout: 0.05, keepGoing: true, bailout: 1e9, seed,
      ...seed % 3 === 0 && { sockets: 'node' },
      ...amounts[seed % 3], user: async given => HABITS[given.random.int(0, HABITS.length - 1)](given)
    })
    conserves(t, result, { arrived: result.requests.sent + result.resent })
    const { opened, completed, events, firstEvent, gap } = result.streams
    t.ok(completed <= opened && firstEvent.totalCount + gap.totalCount >= events, `seed ${seed}`)
  }
})

t.test('many users that never read', async t => {
  const url = await handlingServer(t, (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${'x'.repeat(1000)}\n\n`.repeat(60))
  }, true)
  const result = await autocannon({
    url, http: '2', connections: 4, pipelining: 100, duration: 1, user: async ({ http, pause }) => {
      await http.stream('/')
      await pause('10s')
    }
  })
  conserves(t, result)
  const { errors, fates, streams } = result
  t.strictSame([errors, fates.abandoned], [0, fates.sent])
  // A busy machine may not read all of it in time.
  t.ok(streams.opened > 0 && streams.opened <= 400 && streams.events <= 60 * streams.opened, `${streams.events} events of ${streams.opened} streams`)
})

t.test('what an iteration has not read of a stream that is complete counts no more when it has ended', async t => {
  const url = await handlingServer(t, async (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let i = 0; i < 5; i++) {
      response.write('data: x\n\n'.repeat(10_000))
      await sleep(1)
    }
    response.end()
  })
  // Of 10 MiB each, 25 are too many for a thread.
  const result = await autocannon({
    url, connections: 1, amount: '40 iterations', user: async ({ http }) => {
      await http.stream('/')
      await http.get('/')
    }
  })
  conserves(t, result)
  t.match(result, { errors: 0, errorCodes: {}, streams: { opened: 40 } })
})

t.test('a few compressed bytes that are millions of events take no memory', async t => {
  const bytes = zlib.gzipSync(Buffer.alloc(32 * MIB, '1\n'))
  for (const [cut, name] of [[bytes, 'whole, in one read'], [bytes.subarray(0, -9), 'without its end']]) {
    const url = await handlingServer(t, (request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' })
      response.end(cut)
    })
    let seen = 0
    let code
    const result = await autocannon({
      url, connections: 1, amount: '1 iterations', user: async ({ http }) => {
        try {
          for await (const line of http.stream('/')) seen += line
        } catch (error) {
          code = error.code
          throw error
        }
      }
    })
    conserves(t, result)
    t.equal(code, 'AC_UNREAD_EVENTS', name)
    t.equal(result.failures, 1)
    t.ok(seen > 10_000 && seen < 1_000_000, `those that came before are read: ${seen}`)
  }
})
