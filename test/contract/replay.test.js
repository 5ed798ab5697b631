'use strict'

// A trace is replayed in one thread as in workers and agents: each request is sent with its own row, once, and not before it is due.

const { performance } = require('node:perf_hooks')
const path = require('node:path')
const t = require('tap')
const { conserves } = require('../helpers/conservation')
const { serve } = require('../helpers/http-server')
const { overHttp1 } = require('./modes')

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
