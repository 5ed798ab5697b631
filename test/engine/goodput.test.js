'use strict'

// Goodput on a fake clock: which requests met their bounds is known of each.

const t = require('tap')
const { begin, generatorOf } = require('./helpers/fake-load')

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
const END = '0\r\n\r\n'
const part = text => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const event = value => part(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
const WORD = event({ choices: [{ index: 0, delta: { content: 'word' } }] })
const LAST = WORD + event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + event('[DONE]') + END
const CHAT = { stream: 'openai', body: '{"model":"m"}', connections: 1, duration: 1000, timeout: 5 }
const tell = (socket, text) => { if (!socket.destroyed) socket.read(Buffer.from(text)) }

/**
 * Runs requests one after the other, of which each has its own times.
 * @param {Array<Array<[number, string]>>} responses
 * @param {string[]} bounds of goodputs
 * @param {object} [options]
 */
function run (responses, bounds, options = {}, ms = 60_000) {
  const log = generatorOf({ ...CHAT, amount: responses.length, thresholds: bounds.map(one => `goodput(${one}) > 50%`), ...options })
  let n = 0
  begin(log, socket => {
    const from = socket.time.ms
    const texts = responses[n++ % responses.length]
    if (texts.length > 0) tell(socket, texts[0][1].startsWith('HTTP') ? '' : HEAD)
    for (const [after, text] of texts) socket.time.at(from + after, () => tell(socket, text))
  })
  log.time.pass(ms)
  return log.result()
}

const at = (...times) => times.map((ms, i) => /** @type {[number, string]} */ ([ms, i === times.length - 1 ? LAST : WORD]))
const counts = ({ streams }) => streams.goodput.map(({ good, requests }) => [good, requests])

t.test('each bound alone, at its limit, and all together', async t => {
  const responses = [at(100, 110, 120), at(101, 111, 121), at(100, 150, 160), at(100, 120, 140)]
  for (const [bound, good] of [
    ['first token < 100ms', 0], ['first token <= 100.01', 3], ['first token < 0.2s', 4], ['first event < 101ms', 3], ['ttft < 101ms', 3],
    ['inter token max < 51ms', 4], ['inter token max < 40ms', 3], ['inter token avg < 15ms', 2], ['gap p50 < 15', 4], ['gap p51 < 15', 3], ['inter token p50 < 15', 3], ['inter token p51 < 15', 2],
    ['time per output token < 11ms', 2], ['tpot < 21ms', 3], ['stream duration < 130', 2], ['latency < 130ms', 2], ['e2el < 130ms', 2],
    ['tokens >= 3', 4], ['tokens > 3', 0], ['tokens/s > 20', 3], ['events > 4', 4], ['first reasoning < 1s', 0],
    ['first token < 101ms, inter token max < 15ms', 1], ['first token < 101ms, inter token max < 15ms, tokens < 3', 0]
  ]) {
    const { streams } = run(responses, [(bound)])
    t.match(streams.goodput, [{ expression: bound, good, requests: 4, share: /** @type {number} */ (good) / 4 }], /** @type {string} */ (bound))
  }
})

t.test('a share of gaps is exact: p99 of 100 gaps may have one that is longer, and of 99 none', async t => {
  const gaps = (n, long) => at(...Array.from({ length: n + 1 }, (_, i) => 10 + i * 10 + (i > n - long ? 100 * (i - n + long) : 0)))
  const { streams } = run([gaps(100, 1), gaps(100, 2), gaps(99, 1), gaps(99, 0)], ['inter token p99 < 20ms'])
  t.match(streams.goodput, [{ good: 2, requests: 4 }])
})

t.test('failures count, whatever they are', async t => {
  const refused = /** @type {[number, string]} */ ([1, 'HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'])
  const failed = /** @type {[number, string]} */ ([2, event({ error: { message: 'x' } }) + END])
  const result = run([at(1, 2), [refused], [[1, WORD], failed], [[1, WORD], [2, END]], []], ['first token < 1s', 'tokens < 100'], { timeout: 2 })
  t.strictSame(counts(result), [[1, 5], [1, 5]])
  t.match(result, { failures: 4, timeouts: 1, fates: { completed: 4, timedOut: 1 } })
})

t.test('a failed check of the response counts as well', async t => {
  const result = run([at(1, 2), at(1, 2)], ['first token < 1s'], { expect: { headers: { 'x-not': 'there' } } })
  t.strictSame(counts(result), [[0, 2]])
})

t.test('an error of a connection that no request had is no request', async t => {
  const result = run([[[1, LAST + 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n']], at(1, 2)], ['first token < 1s'], { rate: 1 })
  // The second request finds no connection.
  t.match(result, { errors: 2, fates: { completed: 1, failed: 0, timedOut: 0 } })
  t.strictSame(counts(result), [[1, 2]])
})

t.test('no connection: what could not be sent has failed', async t => {
  const log = generatorOf({ ...CHAT, amount: 3, thresholds: ['goodput(first token < 1s) > 1%'] })
  log.generator.start()
  for (let i = 0; i < 20; i++) {
    for (const socket of log.sockets) if (!socket.destroyed) socket.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    log.time.pass(500)
  }
  t.match(log.result().streams.goodput, [{ good: 0, requests: 3 }])
})

t.test('with a rate, what is late when the run ends has failed, sent or not, and what may still meet its bounds does not count', async t => {
  // Due each 100 ms from 0 on; the first response never ends, so the others wait.
  const result = run([[[50, WORD]]], ['first token < 520ms', 'first token < 100s', 'latency < 750ms'], { amount: undefined, duration: 1, overallRate: 10, timeout: 100 }, 1500)
  t.match(result.fates, { completed: 0, abandoned: 1 })
  const [short, long, latency] = counts(result)
  t.strictSame(long, [0, 0])
  t.equal(short[0], 0)
  t.ok(short[1] >= 3 && short[1] <= 6, `${short[1]} of 9 have waited for 520 ms`)
  t.ok(latency[1] >= 2 && latency[1] <= 4)
})

t.test('what is silent for longer than a bound when the run ends has broken it', async t => {
  const silent = [[100, WORD], [120, WORD]]
  const bounds = ['inter token max < 50ms', 'gap max < 50ms', 'gap max < 20s', 'gap p99 < 50ms']
  t.strictSame(counts(run([(silent)], bounds, { amount: undefined, duration: 3 }, 4000)), [[0, 1], [0, 1], [0, 0], [0, 0]])
  const complete = [[100, WORD], [120, LAST.slice(0, -END.length)]]
  t.strictSame(counts(run([(complete)], ['inter token max < 50ms'], { amount: undefined, duration: 3 }, 4000)), [[0, 0]])
})

t.test('by name, and not of requests that are no stream', async t => {
  const { streams, byRequest } = run([[[1, 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n']], at(10, 20)], ['first token < 1s'], {
    amount: 4, body: undefined, requests: [{ name: 'login', path: '/login', stream: false }, { name: 'chat', method: 'POST', body: '{}' }]
  })
  t.match(streams.goodput, [{ good: 2, requests: 2 }])
  t.match(byRequest.chat.streams.goodput, [{ good: 2, requests: 2, share: 1 }])
})

t.test('events of any stream, without tokens', async t => {
  const text = event('x')
  const result = run([[[10, text], [20, text + END]], [[10, text], [90, text + END]]], ['first event < 15ms, gap max < 20ms'], { stream: 'sse', body: undefined })
  t.strictSame(counts(result), [[1, 2]])
})
