'use strict'

// Completions on a fake clock: what is measured of servers whose tokens come at known times.

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { begin, generatorOf } = require('./helpers/fake-load')

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
const END = '0\r\n\r\n'
const part = text => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const event = value => part(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
const delta = (fields, reason = null) => event({ id: 'x', choices: [{ index: 0, delta: fields, finish_reason: reason }] })
const usage = (tokens, prompt = 9) => event({ choices: [], usage: { completion_tokens: tokens, prompt_tokens: prompt } })
const CHAT = { stream: 'openai', body: '{"model":"m","messages":[]}', connections: 1, amount: 1, duration: 1000, timeout: 5 }
const tell = (socket, text) => { if (!socket.destroyed) socket.read(Buffer.from(text)) }

/** A server that writes each text after that many ms. @param {Array<[number, string]>} texts */
const serverOf = texts => socket => {
  const from = socket.time.ms
  tell(socket, HEAD)
  for (const [ms, text] of texts) socket.time.at(from + ms, () => tell(socket, text))
}

/** @param {Array<[number, string]>} texts @param {object} [options] */
function run (texts, options = {}, ms = 60_000) {
  const log = generatorOf({ ...CHAT, ...options })
  begin(log, serverOf(texts))
  log.time.pass(ms)
  return log.result()
}

const ROLE = delta({ role: 'assistant', content: '' })
const WORD = delta({ content: 'word' })
const STOP = delta({}, 'stop')
const DONE = event('[DONE]')
const near = (t, actual, expected, name) => t.ok(Math.abs(actual - expected) <= Math.max(0.02, expected / 100), `${name}: ${actual} instead of ${expected}`)

t.test('the first token is the first content, and not the role; the last ones are no tokens', async t => {
  const { streams, checks, failures } = run([[10, ROLE], [100, WORD], [120, WORD], [150, WORD], [160, STOP], [170, usage(3)], [180, DONE + END]])
  near(t, streams.firstEvent.max, 10, 'first event')
  near(t, streams.firstToken.max, 100, 'first token')
  t.strictSame([streams.firstToken.totalCount, streams.interToken.totalCount, streams.timePerOutputToken.totalCount, streams.firstReasoning.totalCount], [1, 2, 1, 0])
  near(t, streams.interToken.min, 20, 'inter token min')
  near(t, streams.interToken.max, 30, 'inter token max')
  near(t, streams.timePerOutputToken.max, 25, 'time per output token')
  t.match(streams.tokens, { total: 3, source: 'usage', reported: 1, counted: 0, prompt: 9, perEvent: 1, invalidUsage: 0, perRequest: { min: 3, max: 3 } })
  near(t, streams.tokens.perSecondOfRequest.average, 20, 'tokens/s of the request')
  t.strictSame(streams.finishReasons, { stop: 1 })
  t.match(checks, [{ name: 'completion', passed: 1, failed: 0 }, { name: 'content-type', passed: 1 }].sort((a, b) => a.name === checks[0].name ? -1 : 1))
  t.equal(failures, 0)
})

t.test('exponential times between tokens: each quantile is within 3 % of theory', async t => {
  const random = randomFrom(3)
  const log = generatorOf({ ...CHAT, connections: 10, amount: 300, timeout: 100, duration: 10_000 })
  begin(log, socket => {
    const { time } = socket
    let at = time.ms
    tell(socket, HEAD)
    for (let i = 0; i < 100; i++) {
      at += -40 * Math.log(1 - random())
      time.at(at, () => tell(socket, i === 99 ? WORD + STOP + DONE + END : WORD))
    }
  })
  log.time.pass(900_000)
  const { streams } = log.result()
  t.strictSame([streams.tokens.total, streams.interToken.totalCount, streams.timePerOutputToken.totalCount], [30_000, 300 * 99, 300])
  for (const p of [25, 50, 75, 90, 95, 99]) {
    const theory = -40 * Math.log(1 - p / 100)
    t.ok(Math.abs(streams.interToken[`p${p}`] / theory - 1) < 0.03, `p${p}: ${streams.interToken[`p${p}`]} instead of ${theory}`)
  }
  t.ok(Math.abs(streams.timePerOutputToken.average / 40 - 1) < 0.03)
})

t.test('several tokens in an event: the usage knows how many, and the mean time of a token with it', async t => {
  const { streams } = run([[100, WORD], [200, WORD], [300, WORD + STOP + usage(9) + DONE + END]])
  t.match(streams.tokens, { total: 9, perEvent: 3, source: 'usage' })
  near(t, streams.timePerOutputToken.max, 25, '200 ms by 8 tokens')
})

t.test('without a usage, and with one that is no number of tokens, events count', async t => {
  for (const [more, invalidUsage] of [['', 0], [usage(-5), 1], [usage('7'), 1], [usage(1e308), 1], [usage(1e6), 1], [usage(0), 1]]) {
    const { streams } = run([[100, WORD], [200, WORD + STOP + more + DONE + END]])
    t.match(streams.tokens, { total: 2, source: 'events', reported: 0, counted: 1, perEvent: null, invalidUsage })
  }
})

t.test('reasoning has a first token of its own, and its tokens count', async t => {
  const { streams } = run([[50, delta({ reasoning_content: 'hm' })], [70, delta({ reasoning_content: 'so' })], [90, WORD], [110, WORD + STOP + usage(4) + DONE + END]])
  near(t, streams.firstReasoning.max, 50, 'first reasoning')
  near(t, streams.firstToken.max, 90, 'first token')
  t.equal(streams.interToken.totalCount, 3)
  near(t, streams.timePerOutputToken.max, 20, 'time per output token')
})

t.test('completions that fail have a code, a failed check, and no effect on the next one', async t => {
  for (const [name, texts, code, reason] of [
    ['an error', [[10, WORD], [20, event({ error: { message: 'out of memory' } }) + DONE + END]], 'AC_LLM_ERROR', "AC_LLM_ERROR: 'out of memory'"],
    ['no JSON', [[10, WORD], [20, event('{"choices"') + STOP + END]], 'AC_LLM_JSON', 'AC_LLM_JSON: an event is not a JSON object: \'{"choices"\''],
    ['no end', [[10, WORD], [20, END]], 'AC_LLM_TRUNCATED', 'AC_LLM_TRUNCATED: the stream ended without a finish_reason and without [DONE]'],
    ['nothing', [[20, END]], 'AC_LLM_TRUNCATED', /TRUNCATED/],
    ['[DONE] alone', [[20, DONE + END]], 'AC_LLM_EMPTY', 'AC_LLM_EMPTY: the stream ended with [DONE] before any chunk']
  ]) {
    const { streams, checks, failures, errors, fates } = run(texts, { amount: 3 })
    t.strictSame(streams.completionFailures, { [code]: 3 }, name)
    const check = checks.find(one => one.name === 'completion')
    t.match(check, { passed: 0, failed: 3 })
    t.match(Object.keys(check.reasons)[0], reason)
    t.strictSame([failures, errors, fates.completed], [3, 0, 3])
  }
})

t.test('with a rate, the first token counts from when the request was due', async t => {
  const texts = [[50, ROLE], [100, WORD], [400, WORD + STOP + usage(2) + DONE + END]]
  const { streams } = run(texts, { amount: 10, overallRate: 5 })
  near(t, streams.firstToken.max, 100 + 9 * 200, 'the last one has waited for all before it')
  near(t, streams.firstToken.min, 100, 'the first one has not waited')
  near(t, streams.interToken.max, 300, 'which is no time between tokens')
})

t.test('what never has a token is in the tail with its age', async t => {
  const silent = run([], { timeout: 1 })
  t.match(silent, { errorCodes: { AC_IDLE_TIMEOUT: 1 } })
  t.ok(silent.streams.firstToken.max >= 1000)
  const none = generatorOf({ ...CHAT, timeout: 1 })
  begin(none, () => {})
  none.time.pass(5000)
  t.ok(none.result().streams.firstToken.max >= 1000, 'also without a response')
  const stuck = run([[10, WORD]], { timeout: 1 })
  t.equal(stuck.streams.firstToken.totalCount, 1)
  t.match(stuck.streams.tokens, { total: 1, source: 'events' })
})

t.test('a token that never follows is in the times between tokens with what was waited for it', async t => {
  const timedOut = run([[100, WORD], [120, WORD]], { idleTimeout: 2 })
  t.match(timedOut, { timeouts: 1, streams: { interToken: { totalCount: 2 } } })
  t.ok(timedOut.streams.interToken.max >= 2000 && timedOut.streams.interToken.max < 2200)
  const EMPTY = delta({ content: '' })
  const abandoned = run([[100, WORD], [120, WORD], ...Array.from({ length: 10 }, (_, i) => [1000 * (i + 1), EMPTY])], { amount: undefined, duration: 5, idleTimeout: 2 }, 6000)
  t.match(abandoned, { unfinished: 1, streams: { interToken: { totalCount: 2 }, stalls: 0 } })
  near(t, abandoned.streams.interToken.max, 4880, 'other events are no tokens')
  for (const end of [STOP, DONE]) t.equal(run([[100, WORD], [120, WORD + end]], { idleTimeout: 2 }).streams.interToken.totalCount, 1, 'behind the last one there is none')
})

t.test('closed by --events: that is no failure', async t => {
  const { streams, failures } = run([[10, WORD], [20, WORD], [30, WORD], [40, WORD]], { events: 2 })
  t.match(streams, { closed: 1, tokens: { total: 2, counted: 1 }, completionFailures: {} })
  t.equal(failures, 0)
  const bundled = run([[10, WORD.repeat(50)], [20, event({ error: 'late' })]], { events: 3 })
  t.match(bundled, { failures: 0, streams: { events: 3, interToken: { totalCount: 2 }, tokens: { total: 3 } } }, 'what one read brings behind them is not wanted')
  const together = run([[10, WORD + WORD + event({ error: 'late' })]], { events: 2 })
  t.match(together, { failures: 0, streams: { events: 2, tokens: { total: 2 } } })
})

t.test('finish reasons that a server makes up are bounded', async t => {
  let n = 0
  const log = generatorOf({ ...CHAT, amount: 100 })
  begin(log, socket => serverOf([[1, delta({ content: 'a' }, `reason ${n++} ${'x'.repeat(1000)}`) + DONE + END]])(socket))
  log.time.pass(60_000)
  const reasons = log.result().streams.finishReasons
  t.ok(Object.keys(reasons).length <= 21)
  t.equal(reasons.others, 80)
  t.ok(Object.keys(reasons).every(name => name.length <= 40))
})

t.test('each choice ends once, and half a character is no part of a reason', async t => {
  const twice = [[10, WORD + STOP + STOP + usage(1) + DONE + END]]
  t.strictSame(run(twice).streams.finishReasons, { stop: 1 })
  const long = 'x'.repeat(39)
  t.strictSame(run([[10, WORD + delta({}, `${long}😀`) + DONE + END]]).streams.finishReasons, { [long]: 1 })
})

t.test('by name, and for requests that are no completion', async t => {
  const { byRequest, streams } = run([[10, WORD], [30, WORD + STOP + usage(2) + DONE + END]], { amount: 4, body: undefined, requests: [{ name: 'chat', body: CHAT.body }, { name: 'other', path: '/b', body: '{}' }] })
  for (const name of ['chat', 'other']) {
    t.match(byRequest[name].streams, { opened: 2, firstToken: { totalCount: 2 }, tokens: { total: 4 }, finishReasons: { stop: 2 } })
  }
  t.equal(streams.tokens.total, 8)
})
