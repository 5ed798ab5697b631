'use strict'

// A trace is replayed in one thread as in workers and agents: each request is sent with its own row, once, and not before it is due.

const { performance } = require('node:perf_hooks')
const path = require('node:path')
const t = require('tap')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')
const { overHttp1, run } = require('../modes')

/** Timers may fire this much early, ms. */
const EARLY = 3

const rows = Array.from({ length: 40 }, (_, i) => ({ timestamp: 5000 + 10 * i, input_length: i, output_length: 100 + i }))

overHttp1(t, 'each request of a trace has its own row, at its time', async (t, mode) => {
  const times = []
  const server = await serve(t, (request, response) => {
    times.push(performance.now())
    response.end()
  })
  const trace = path.join(t.testdir({ 'trace.jsonl': rows.map(row => JSON.stringify(row)).join('\n') }), 'trace.jsonl')
  const start = performance.now()
  const result = await mode.run({ url: server.url, method: 'POST', connections: 8, replay: trace, body: '{"input":{{trace.input}},"output":{{trace.output}},"prompt":"{{trace.prompt}}"}' })
  const seen = server.requests.map(({ body }, i) => ({ at: times[i], ...JSON.parse(body) }))
  t.strictSame(seen.map(({ input }) => input).sort((a, b) => a - b), rows.map((_, i) => i), 'each once')
  for (const { at, input, output, prompt } of seen) {
    const hasRow = output === 100 + input && prompt.split(' ').filter(Boolean).length === input
    if (!hasRow || at < start + 10 * input - EARLY) t.fail(`row ${input}: ${output} tokens, after ${at - start} ms`)
  }
  t.equal(result.rate.sent, 40)
  t.equal(result.options.replay, trace)
  t.equal(result.options.data, undefined)
  conserves(t, result)
})

t.test('a request that setupRequest declines does not shift the rows of a trace; those of other data go on', async t => {
  const server = await serve(t)
  const few = rows.slice(0, 20)
  const folder = t.testdir({ 'trace.jsonl': few.map(row => JSON.stringify(row)).join('\n'), 'users.csv': `name\n${few.map((_, i) => `user ${i}\n`).join('')}` })
  let calls = 0
  const setupRequest = request => ++calls % 2 === 0 ? undefined : request
  const result = await run({
    url: server.url, method: 'POST', connections: 3, replay: path.join(folder, 'trace.jsonl'), data: { user: path.join(folder, 'users.csv') },
    requests: [{ body: '{{trace.input}} {{user.name}}', setupRequest }]
  })
  const seen = server.requests.map(({ body }) => body.split(' user '))
  t.strictSame(seen.map(([input]) => Number(input)).sort((a, b) => a - b), few.map((_, i) => i), 'each once')
  t.ok(seen.some(([input, user]) => input !== user), 'a user of a request that was declined is not asked for again')
  t.match(result, { errors: 0, resets: calls - 20, fates: { completed: 20 }, rate: { sent: 20 } })
  conserves(t, result)
})
