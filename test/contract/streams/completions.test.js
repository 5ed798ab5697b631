'use strict'

// Completions in every mode, and what --stream openai sends.

const { readFileSync } = require('node:fs')
const path = require('node:path')
const t = require('tap')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { conserves } = require('../../helpers/results/conservation')
const { handlingServer } = require('../../helpers/servers/handling-server')
const { rawServer } = require('../../helpers/servers/raw-server')
const { byOurClient, fixture, run } = require('../modes')

const BODY = '{"model":"m","messages":[{"role":"user","content":"hi"}]}'

/**
 * A server that sends 5 tokens, of which the fourth comes with the fifth.
 * @param {any} t
 * @param {boolean} isHttp2
 */
async function chatServer (t, isHttp2 = false) {
  /** @type {Array<{ method: string, type: string, body: string }>} */
  const seen = []
  const handle = async (/** @type {any} */ request, /** @type {any} */ response) => {
    let body = ''
    for await (const part of request) body += part
    seen.push({ method: request.method, type: request.headers['content-type'], body })
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const send = (/** @type {object} */ value) => response.write(`data: ${JSON.stringify({ id: 'x', ...value })}\n\n`)
    const word = (/** @type {string} */ content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
    send(word(''))
    for (let i = 0; i < 5; i++) {
      if (i !== 4) await new Promise(resolve => setTimeout(resolve, 2))
      send(word(`word "${i}"\n`))
    }
    send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    if (body.includes('include_usage')) send({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } })
    response.end('data: [DONE]\n\n')
  }
  return { seen, url: await handlingServer(t, handle, isHttp2) }
}

byOurClient(t, 'every token is counted once, and merges with those of others', async (t, mode) => {
  const { seen, url } = await chatServer(t, mode.protocol?.http === '2')
  const thresholds = ['first token p99 < 60s', 'inter token p99 < 60s', 'time per output token max < 60s', 'tokens == 100', 'tokens/s > 0', 'goodput(first token < 60s, inter token p99 < 60s) > 99%', 'chat: goodput(first token < 60s) == 100%', 'goodput(tokens > 5) < 1%']
  const result = await mode.run({ url, stream: 'openai', amount: 20, thresholds, requests: [{ name: 'chat', body: BODY }] })
  conserves(t, result)
  for (const streams of [result.streams, result.byRequest.chat.streams]) {
    t.match(streams, { opened: 20, completed: 20, finishReasons: { stop: 20 }, completionFailures: {}, tokens: { total: 100, source: 'usage', reported: 20, counted: 0, prompt: 60, perEvent: 1, perRequest: { min: 5, max: 5 } } })
    t.strictSame([streams.firstToken.totalCount, streams.interToken.totalCount, streams.timePerOutputToken.totalCount], [20, 80, 20])
    t.match(streams.goodput, [{ good: 20, requests: 20, share: 1 }, { good: 20, requests: 20 }, { good: 0, requests: 20, share: 0 }])
  }
  t.ok(result.streams.firstEvent.min <= result.streams.firstToken.min)
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), thresholds.map(() => true))
  t.match(result.checks.find(({ name }) => name === 'completion'), { passed: 20, failed: 0 })
  t.strictSame([seen.length, seen[0].method, seen[0].type], [20, 'POST', 'application/json'])
  t.strictSame(JSON.parse(seen[0].body), { stream: true, stream_options: { include_usage: true }, ...JSON.parse(BODY) })
})

t.test('the body, wherever it is from, asks for a stream and its usage once', async t => {
  const { seen, url } = await chatServer(t)
  const cwd = t.testdir({ 'chat.json': `${BODY}\n`, 'prompts.csv': 'prompt,tokens\n"say ""hi""\nö",7\n' })
  const asked = { stream: true, stream_options: { include_usage: true }, ...JSON.parse(BODY) }
  const template = '{"messages":[{"content":"{{row.prompt}}"}],"max_tokens":{{row.tokens}}}'
  for (const [flags, expected, source = 'usage'] of /** @type {Array<[string[], object, string?]>} */ ([
    [['-b', '@chat.json'], asked],
    [['-i', 'chat.json'], asked],
    [['-b', BODY], asked],
    [['--json-body', BODY], asked],
    [['--data', BODY, '-H', 'content-type: application/json'], asked],
    [['-b', '{"stream":true,"stream_options":{"include_usage":false}}'], { stream: true, stream_options: { include_usage: false } }],
    [['-b', '{}'], { stream: true, stream_options: { include_usage: true } }],
    [['--body-raw', '{"stream":true}', '-m', 'POST'], { stream: true }, 'events'],
    [['--data', 'row=prompts.csv', '-b', template], { stream: true, stream_options: { include_usage: true }, messages: [{ content: 'say "hi"\nö' }], max_tokens: 7 }]
  ])) {
    seen.length = 0
    const { code, stdout, stderr } = await cli(['--stream', 'openai', '-a', '2', '-c', '1', '--json', ...flags, url], { cwd })
    t.equal(code, 0, stderr)
    t.strictSame(seen.map(({ body }) => JSON.parse(body)), [expected, expected], flags.join(' '))
    t.match(seen[0], { method: 'POST', type: 'application/json' })
    t.equal(JSON.parse(stdout).streams.tokens.source, source)
  }
})

t.test('scenarios: a login before a completion is sent as it is', async t => {
  const { seen, url } = await chatServer(t)
  const result = await run({ url, stream: 'openai', amount: 4, connections: 1, scenarios: [{ requests: [{ path: '/login', stream: false }, { path: '/chat', body: BODY }] }] })
  t.match(seen.map(({ method, body }) => [method, body.length > 0]), [['GET', false], ['POST', true], ['GET', false], ['POST', true]])
  t.match(result.streams, { opened: 2, tokens: { total: 10, source: 'usage' } })
})

t.test('what can not be is told in one line', async t => {
  for (const [flags, message] of /** @type {Array<[string[], RegExp]>} */ ([
    [[], /^autocannon: --stream: expected -b\/--body as well, the JSON with the model and the messages, got none\n/],
    [['-b', 'hi'], /^autocannon: -b\/--body: expected a JSON object with the model and the messages, got 'hi': /],
    [['-b', __filename], /; did you mean @\/.*completions\.test\.js\?\n/],
    [['-b', '[]'], /^autocannon: -b\/--body: expected a JSON object with the model and the messages, got an array\n/],
    [['-b', '{"stream":false}'], /^autocannon: -b\/--body: "stream" is false, so there are no tokens to time: omit it, or make it true\n/],
    [['-b', '{}', '--threshold', 'goodput > 1%'], /a goodput has bounds in parentheses, as in goodput\(first token < 300ms, gap p99 < 50ms\) > 95%\n/]
  ])) {
    const { code, stderr } = await cli(['--stream', 'openai', ...flags, 'http://localhost:1'])
    t.equal(code, 2)
    t.match(stderr, message, flags.join(' '))
  }
  for (const [threshold, message] of [['first token p99 < 1s', /there are no tokens: they need --stream openai, and not sse/], ['goodput(tokens > 1) > 1%', /there are no tokens/]]) {
    t.match((await cli(['--stream', 'sse', '--threshold', threshold, 'http://localhost:1'])).stderr, message)
  }
  t.match((await cli(['--threshold', 'goodput(gap max < 1s) > 1%', 'http://localhost:1'])).stderr, /there are no streams: give the run --stream/)
})

t.test('the report begins with the first token and tokens/s, and every format has them', async t => {
  const { url } = await chatServer(t)
  const cwd = t.testdir()
  const { code, stderr, stdout } = await cli(['--stream', 'openai', '-b', BODY, '-a', '200', '-c', '2', '--threshold', 'goodput(first token < 60s) > 99%', '-o', 'run.csv', '-o', 'run.html', '-o', 'run.ndjson', '-o', '-.md', url], { cwd })
  t.equal(code, 0, stderr)
  const all = stdout + stderr
  t.match(all, /first token p50 [\d.]+ ms, p99 [\d.]+ ms · inter token p50 [\d.]+ ms, p99 [\d.]+ ms · [\d,.]+ tokens\/s · /)
  t.match(all, /1,000 tokens, from the usage that the server reports/)
  t.match(all, /Finish reasons: stop 200/)
  t.match(all, /Goodput: 100 %, 200 of 200 requests with first token < 60s/)
  const samples = readFileSync(path.join(cwd, 'run.ndjson'), 'utf8').trim().split('\n').map(line => JSON.parse(line).streams)
  const sum = (/** @type {(streams: any) => number} */ of) => Math.round(samples.reduce((sum, streams) => sum + of(streams), 0))
  const countIn = (/** @type {any} */ quantiles) => (quantiles?.buckets ?? []).reduce((/** @type {number} */ sum, /** @type {[number, number]} */ [, n]) => sum + n, 0)
  t.strictSame([sum(({ tokens }) => tokens), sum(({ firstToken }) => countIn(firstToken)), sum(({ interToken }) => countIn(interToken))], [1000, 200, 800], 'lines of NDJSON have the tokens of all')
  t.ok(samples[0].tokensPerSecond > 0)
})

t.test('bytes that no server should send: each completion has failed, and the run goes on', async t => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n'
  const word = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'
  for (const [name, text, code] of /** @type {Array<[string, string | Buffer, string]>} */ ([
    ['no JSON', `${word}data: {"choices":[{"delta":{\n\ndata: [DONE]\n\n`, 'AC_LLM_JSON'],
    ['deep JSON', `${word}data: ${'['.repeat(100_000)}\n\ndata: [DONE]\n\n`, 'AC_LLM_JSON'],
    ['bytes', Buffer.concat([Buffer.from('data: '), Buffer.from(Array.from({ length: 200 }, (_, i) => i < 14 ? 200 : i)), Buffer.from('\n\n')]), 'AC_LLM_JSON'],
    ['an error', `${word}data: {"error":{"message":"\\u001b[2Jboom","code":500}}\n\n`, 'AC_LLM_ERROR'],
    ['a long error', `event: error\ndata: ${'x'.repeat(1e6)}\n\n`, 'AC_LLM_ERROR'],
    ['an end', word, 'AC_LLM_TRUNCATED']
  ])) {
    const bytes = Buffer.from(text)
    const server = await rawServer(t, connection => {
      connection.send(Buffer.concat([Buffer.from(`${head}Content-Length: ${bytes.length}\r\n\r\n`), bytes]))
    })
    const result = await run({ url: server.url, stream: 'openai', body: BODY, amount: 3, connections: 1 })
    conserves(t, result)
    t.strictSame(result.streams.completionFailures, { [code]: 3 }, name)
    t.strictSame([result.failures, result.errors], [3, 0])
    const { reasons } = result.checks.find(one => one.name === 'completion')
    for (const reason of Object.keys(reasons)) t.ok(reason.startsWith(code) && reason.length < 400 && !reason.includes('\u001b'), reason.slice(0, 300))
  }
})

t.test('a search is judged by the times of tokens and events, also of workers', async t => {
  const { url } = await chatServer(t)
  const thresholds = ['first token p50 < 60s', 'inter token p50 < 60s', 'first event p50 < 60s', 'gap p50 < 60s', 'goodput(first token < 60s, gap p99 < 60s) > 90%', 'goodput(tokens < 6) >= 50%']
  const { search, errors, streams } = await autocannon.find({ url, stream: 'openai', body: BODY, workers: 1, from: 40, to: 40, step: 0.5, connections: 20, thresholds })
  t.equal(errors, 0)
  t.ok(search.steps.length > 0)
  for (const { thresholds: judged, p50 } of search.steps) {
    const [token, between, event, gap, ...shares] = judged.map((/** @type {any} */ { actual }) => actual)
    t.strictSame(shares.slice(0, 2), [1, 1])
    t.ok(event > 0 && event <= token && token < p50 && between >= 0 && gap >= 0 && between < p50, `${event} ${token} ${between} ${gap} of ${p50} ms`)
    t.ok(judged.every((/** @type {any} */ { passed }) => passed))
  }
  t.ok(streams.goodput.every((/** @type {any} */ { good, requests }) => good === requests && requests >= 20), 'the goodput of the whole search')
})

t.test('a search for a goodput counts failures of its steps', async t => {
  let n = 0
  const url = await handlingServer(t, (/** @type {any} */ request, /** @type {any} */ response) => {
    response.writeHead(n++ % 2 === 0 ? 503 : 200, { 'content-type': 'text/event-stream' })
    response.end('data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
  })
  const { search, passed } = await autocannon.find({ url, stream: 'openai', body: BODY, from: 40, to: 40, step: 0.5, connections: 20, thresholds: 'goodput(first token < 60s) > 90%' })
  t.not(passed, true)
  t.strictSame([search.best, search.implied], [null, 'failure rate < 10%'])
  for (const { thresholds: [{ actual, metric, unit, passed }] } of search.steps) {
    t.ok(actual > 0.3 && actual < 0.7, `${actual}`)
    t.strictSame([metric, unit, passed], ['goodput(first token < 60s)', 'share', false])
  }
})

byOurClient(t, 'user functions read completions, whose tokens are counted as those of requests', async (t, mode) => {
  const { seen, url } = await chatServer(t, mode.protocol?.http === '2')
  const thresholds = ['first token p99 < 60s', 'chat: tokens == 40', 'chat: inter token p99 < 60s']
  const result = await mode.run({ url, amount: '8 iterations', user: fixture('users/chat-user.mjs'), thresholds })
  conserves(t, result)
  t.match(result, { errors: 0, failures: 0, iterations: { completed: 8, cut: 0 } })
  t.match(result.byRequest.chat.streams, { opened: 8, completed: 8, finishReasons: { stop: 8 }, completionFailures: {}, tokens: { total: 40, source: 'usage', reported: 8, counted: 0, prompt: 24 } })
  t.equal(result.byRequest.left.streams.tokens.reported + result.byRequest.left.streams.tokens.counted, 8)
  t.equal(result.byRequest.plain.streams.tokens, undefined)
  t.equal(result.byRequest.plain.streams.opened, 8)
  t.equal(result.streams.firstToken.totalCount, 16)
  t.strictSame(result.thresholds.map(({ passed, exact }) => passed ?? exact), [true, true, true])
  t.match(result.checks.find(({ name, request }) => name === 'completion' && request === 'chat'), { passed: 8, failed: 0 })
  t.match(JSON.parse(seen[0].body), { model: 'm', stream: true, stream_options: { include_usage: true } })
})

t.test('a completion that has failed rejects the loop of a user function with its code, behind its events', async t => {
  const word = '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}'
  /** @type {Record<string, string>} */
  const bodies = {
    AC_LLM_TRUNCATED: `data: ${word}\n\n`,
    AC_LLM_ERROR: `data: ${word}\n\ndata: {"error":{"message":"out of memory"}}\n\n`,
    AC_LLM_JSON: `data: ${word}\n\ndata: nothing\n\ndata: [DONE]\n\n`,
    AC_LLM_EMPTY: 'data: [DONE]\n\n'
  }
  for (const isHttp2 of [false, true]) {
    const url = await handlingServer(t, (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bodies[request.url.slice(1)])
    }, isHttp2)
    for (const code of Object.keys(bodies)) {
      /** @type {any[]} */
      const seen = []
      const read = async (/** @type {any} */ { http }, /** @type {any[]} */ into) => {
        for await (const { data } of http.stream(`/${code}`, { stream: 'openai', json: { model: 'm' }, name: 'chat' })) into.push(data)
      }
      const caught = await run({ url, http: isHttp2 ? '2' : '1.1', connections: 1, amount: '1 iteration', user: async (/** @type {any} */ own) => { await read(own, seen).catch(error => seen.push(error)) } })
      conserves(t, caught)
      t.match(caught, { failures: 1, iterations: { completed: 1 }, byRequest: { chat: { count: 1, failures: 1 } }, streams: { completionFailures: { [code]: 1 } } })
      t.match(seen.at(-1), { code, request: { name: 'chat' } }, code)
      t.equal(seen.length, { AC_LLM_TRUNCATED: 2, AC_LLM_ERROR: 3, AC_LLM_JSON: 3, AC_LLM_EMPTY: 1 }[code])
      const aborted = await run({ url, http: isHttp2 ? '2' : '1.1', connections: 1, amount: '1 iteration', user: async (/** @type {any} */ own) => { await read(own, []) } })
      conserves(t, aborted)
      t.match(aborted.iterations, { cut: 1, cutBy: { [code]: 1 } })
    }
  }
})

t.test('what a completion of a user function cannot be', async t => {
  const { url } = await chatServer(t)
  for (const [options, message] of [
    [{ stream: 'openai', json: { stream: false } }, /"stream" is false, so there are no tokens to time: omit it, or make it true/],
    [{ stream: 'llm' }, /stream: expected 'sse', 'ndjson', 'chunks', 'openai', got 'llm'/]
  ]) await t.rejects(run({ url, amount: 1, user: async (/** @type {any} */ { http }) => { await http.stream('/', options) } }), { code: 'AC_HOOK', message })
  const lost = await run({
    url: await rawServer(t, () => {}).then(({ url }) => url), amount: '1 iteration', connections: 1, timeout: 0.2, thresholds: ['first token p99 < 1us'],
    user: async (/** @type {any} */ { http }) => { for await (const { data } of http.stream('/', { stream: 'openai', json: {} })) t.fail(data) }
  })
  conserves(t, lost)
  t.match(lost, { iterations: { cutBy: { AC_TIMEOUT: 1 } } })
  // A busy machine leaves the verdict open, and not the figure.
  const [{ passed, exact }] = lost.thresholds
  t.equal(passed ?? exact, false)
  t.equal(lost.streams.firstToken.totalCount, 1, 'a request without a token counts with its age')
})
