'use strict'

// The server of the sample: an OpenAI-compatible one without a model, whose times are known. POST /v1/chat/completions and
// /v1/completions stream `max_tokens` tokens: the first one after `first` ms, each next one after `gap` ms, both with a seeded jitter
// (a share of them). It works on SLOTS requests at a time; others wait, as in the queue of a model server.
// Query: ?first=100&gap=10&jitter=0.2&tokens=40&reasoning=0&fail=0 (a share that ends in an error). It listens on PORT.

const http = require('node:http')

const { PORT = 0, SLOTS = Infinity, SEED = 1 } = process.env

/** As mulberry32: the same SEED gives the same times. */
let state = Number(SEED)
function random () {
  state = (state + 0x6d2b79f5) >>> 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const WORDS = 'the quick brown fox jumps over the lazy dog and "quotes" it\n'.split(' ').map(word => ` ${word}`)

let free = Number(SLOTS)
const waiting = []

function release () {
  free++
  if (waiting.length > 0 && free > 0) waiting.shift()()
}

function enter (work) {
  const start = () => {
    free--
    work()
  }
  if (free > 0) start()
  else waiting.push(start)
}

function complete (request, response, asked, { first, gap, jitter, tokens, reasoning, fail }) {
  const isChat = request.url.includes('/chat/')
  const count = Math.min(tokens, asked.max_completion_tokens ?? asked.max_tokens ?? tokens)
  const base = { id: `cmpl-${Math.floor(random() * 1e9)}`, object: isChat ? 'chat.completion.chunk' : 'text_completion', created: 1, model: String(asked.model ?? 'sample') }
  const write = event => response.write(`data: ${typeof event === 'string' ? event : JSON.stringify({ ...base, ...event })}\n\n`)
  const choice = (delta, reason = null) => ({ choices: [isChat ? { index: 0, delta, finish_reason: reason } : { index: 0, text: delta.content ?? '', finish_reason: reason }] })
  const later = (ms, action) => { timer = setTimeout(action, ms * (1 + jitter * (2 * random() - 1))) }
  const failsAt = random() < fail ? Math.ceil(count / 2) : Infinity
  let timer
  let sent = 0
  const next = () => {
    if (sent === failsAt) {
      write({ error: { message: 'the engine is out of memory', code: 500 } })
      return response.end()
    }
    const word = WORDS[sent % WORDS.length]
    write(choice(sent++ < reasoning ? { reasoning_content: word } : { content: word }))
    if (sent < count) return later(gap, next)
    write(choice({}, 'length'))
    if (asked.stream_options?.include_usage) write({ choices: [], usage: { prompt_tokens: 9, completion_tokens: count, total_tokens: 9 + count } })
    write('[DONE]')
    response.end()
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (isChat) write(choice({ role: 'assistant', content: '' }))
  later(first, next)
  response.on('close', () => {
    clearTimeout(timer)
    release()
  })
}

const server = http.createServer(async (request, response) => {
  const refuse = message => response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
  // Not with URL: it throws for the path //.
  const [pathname, query] = request.url.split('?')
  if (request.method !== 'POST' || !/^\/v1\/(chat\/)?completions$/.test(pathname)) return response.writeHead(404).end()
  let body = ''
  for await (const part of request) body += part
  let asked
  try {
    asked = JSON.parse(body)
  } catch {
    return refuse('the body is not JSON')
  }
  if (asked.stream !== true) return refuse('this server only streams')
  const usual = { first: 100, gap: 10, jitter: 0.2, tokens: 40, reasoning: 0, fail: 0 }
  const chosen = new URLSearchParams(query)
  const times = Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, Number(chosen.get(name) ?? value)]))
  enter(() => response.destroyed ? release() : complete(request, response, asked, times))
})

server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
