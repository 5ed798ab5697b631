'use strict'

// The events of completions: what each delivers, whatever reads cut them. The shortcut for events that are alike is held to JSON.parse.

const { isDeepStrictEqual } = require('node:util')
const t = require('tap')
const { CompletionScanner } = require('../../lib/streams/openai/openai')
const { Completion } = require('../../lib/streams/openai/completion')
const { randomFrom } = require('../../lib/core/random')

const chunk = (delta, more = {}, rest = {}) => ({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }], ...rest })
const data = value => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`

/** @param {Buffer[]} reads */
function read (...reads) {
  const scanner = new CompletionScanner()
  let events = 0
  for (const bytes of reads) {
    // As the buffer that all reads share.
    const shared = Buffer.from(bytes)
    events += scanner.scan(shared, 0, shared.length)
    shared.fill(0)
  }
  const { completion } = scanner
  const { outputs, contents, reasonings, deltas, tokens, promptTokens, isLying, finishes, isDone, fault } = completion
  return { events, outputs, contents, reasonings, deltas, tokens, promptTokens, isLying, finishes, isDone, fault: fault?.code ?? null }
}

const DONE = 'data: [DONE]\n\n'
const STOP = data(chunk({}, { finish_reason: 'stop' }))
const NOTHING = { outputs: 0, contents: 0, reasonings: 0, deltas: 0, tokens: -1, promptTokens: -1, isLying: false, finishes: [], isDone: false, fault: 'AC_LLM_TRUNCATED' }
const usage = (completion, prompt = 7) => data({ ...chunk({}), choices: [], usage: { completion_tokens: completion, prompt_tokens: prompt, total_tokens: 9 } })

/** @type {Array<[name: string, text: string, expected: object]>} */
const TABLE = [
  ['a chat', data(chunk({ role: 'assistant', content: '' })) + data(chunk({ content: 'Hel' })) + data(chunk({ content: 'lo' })) + STOP + usage(2) + DONE, { events: 6, outputs: 2, contents: 2, deltas: 2, tokens: 2, promptTokens: 7, finishes: ['stop'], isDone: true, fault: null }],
  ['texts of completions', data({ choices: [{ index: 0, text: 'a' }] }) + data({ choices: [{ index: 0, text: '' }] }) + data({ choices: [{ index: 0, text: 'b', finish_reason: 'length' }] }), { events: 3, outputs: 2, contents: 2, deltas: 2, finishes: ['length'], fault: null }],
  ['reasoning first', data(chunk({ reasoning_content: 'hm' })) + data(chunk({ reasoning: 'so' })) + data(chunk({ content: null, reasoning: 'x', reasoning_content: 'x' })) + data(chunk({ content: 'a' })) + STOP, { events: 5, outputs: 4, contents: 1, reasonings: 3, deltas: 4, finishes: ['stop'], fault: null }],
  ['tool calls', data(chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] })) + data(chunk({ tool_calls: [{ index: 0, function: { arguments: '{' } }, { index: 1, function: { arguments: '{' } }] })) + data(chunk({}, { finish_reason: 'tool_calls' })), { events: 3, outputs: 2, contents: 2, deltas: 3, finishes: ['tool_calls'], fault: null }],
  ['two choices', [0, 1, 0, 1].map(index => data(chunk({ content: 'x' }, { index }))).join('') + data(chunk({}, { index: 0, finish_reason: 'stop' })) + data(chunk({}, { index: 1, finish_reason: 'length' })), { events: 6, outputs: 4, contents: 4, deltas: 4, finishes: ['stop', 'length'], fault: null }],
  ['two choices in one event', data({ choices: [{ index: 0, delta: { content: 'a' } }, { index: 1, delta: { content: 'b' } }] }) + DONE, { events: 2, outputs: 1, contents: 1, deltas: 2, isDone: true, fault: null }],
  ['two choices, one of which has not ended', [0, 1].map(index => data(chunk({ content: 'x' }, { index }))).join('') + STOP, { events: 3, outputs: 2, contents: 2, deltas: 2, finishes: ['stop'], fault: 'AC_LLM_TRUNCATED' }],
  ['no choices first, as of Azure', data({ id: '', choices: [], prompt_filter_results: [{}] }) + data(chunk({ content: 'a' })) + STOP + DONE, { events: 4, outputs: 1, contents: 1, deltas: 1, finishes: ['stop'], isDone: true, fault: null }],
  ['comments and CRLF', `: OPENROUTER PROCESSING\r\n\r\n${data(chunk({ content: 'a' })).replaceAll('\n', '\r\n')}: x\r\n\r\ndata:[DONE]\r\n\r\n`, { events: 2, outputs: 1, contents: 1, deltas: 1, isDone: true, fault: null }],
  ['data in several lines', 'data: {"choices":[{"delta":\ndata: {"content":"a"},"finish_reason":"stop"}]}\n\n', { events: 1, outputs: 1, contents: 1, deltas: 1, finishes: ['stop'], fault: null }],
  ['cut off', data(chunk({ content: 'a' })), { events: 1, outputs: 1, contents: 1, deltas: 1 }],
  ['nothing at all', '', { events: 0 }],
  ['an error', data(chunk({ content: 'a' })) + data({ error: { message: 'overloaded', code: 503 } }) + DONE, { events: 3, outputs: 1, contents: 1, deltas: 1, isDone: true, fault: 'AC_LLM_ERROR' }],
  ['an event of the name error', 'event: error\ndata: it is broken\n\n', { events: 1, fault: 'AC_LLM_ERROR' }],
  ['the next event has no name', 'event: error\n\ndata: {"choices":[]}\n\ndata: [DONE]\n\n', { events: 2, isDone: true, fault: null }],
  ['an error of old', data({ object: 'error', message: 'no', code: 400 }), { events: 1, fault: 'AC_LLM_ERROR' }],
  ['finish_reason error', data(chunk({}, { finish_reason: 'error' })), { events: 1, finishes: ['error'], fault: 'AC_LLM_ERROR' }],
  ['no JSON', data('{"choices":[{"delta":{"content":"a"}') + DONE, { events: 2, isDone: true, fault: 'AC_LLM_JSON' }],
  ['no object', data('[1]') + data('null') + data('12') + DONE, { events: 4, isDone: true, fault: 'AC_LLM_JSON' }],
  ['strange types', data({ choices: 3 }) + data({ choices: [null, 1, { delta: 5, index: 'x' }, { delta: { content: 5, tool_calls: {} }, index: 1e300, finish_reason: 7 }], usage: 'x' }) + DONE, { events: 3, finishes: ['other'], isDone: true, fault: null }],
  ['behind the end', STOP + DONE + data('{') + data(chunk({ content: 'a' })), { events: 4, finishes: ['stop'], isDone: true, fault: null }],
  ['[DONE] alone', DONE, { events: 1, isDone: true, fault: 'AC_LLM_EMPTY' }],
  ['[DONE] after comments and an event without data', `: wait\n\nid: 1\n\n${DONE}`, { events: 1, isDone: true, fault: 'AC_LLM_EMPTY' }],
  ...[-1, '5', 1e308, 1.5, {}, true].map(lie => /** @type {[string, string, object]} */ ([`tokens that are ${JSON.stringify(lie)}`, usage(lie) + DONE, { events: 2, promptTokens: 7, isLying: true, isDone: true, fault: null }])),
  ['prompts that lie', usage(3, -1) + DONE, { events: 2, tokens: 3, isDone: true, fault: null }],
  ...[1e9, 4000].map(lie => /** @type {[string, string, object]} */ ([`${lie} tokens in a few bytes`, data(chunk({ content: 'a' })) + usage(lie) + DONE, { events: 3, outputs: 1, contents: 1, deltas: 1, promptTokens: 7, isLying: true, isDone: true, fault: null }])),
  ['tokens of reasoning that is not sent', data({ choices: [], usage: { completion_tokens: 4000, completion_tokens_details: { reasoning_tokens: 3990 } } }) + DONE, { events: 2, tokens: 4000, isDone: true, fault: null }],
  ['tokens of reasoning beyond any model', data({ choices: [], usage: { completion_tokens: 1e9, completion_tokens_details: { reasoning_tokens: 1e9 } } }) + DONE, { events: 2, isLying: true, isDone: true, fault: null }],
  ['usage with each event', data(chunk({ content: 'a' }, {}, { usage: { completion_tokens: 1 } })) + data(chunk({ content: 'b' }, {}, { usage: { completion_tokens: 2 } })) + STOP, { events: 3, outputs: 2, contents: 2, deltas: 2, tokens: 2, finishes: ['stop'], fault: null }],
  ['usage where Groq has it', data(chunk({}, { finish_reason: 'stop' }, { x_groq: { usage: { completion_tokens: 4 } } })), { events: 1, tokens: 4, finishes: ['stop'], fault: null }]
]

t.test('what each stream has delivered: whole, byte by byte, and cut at every offset', async t => {
  for (const [name, text, expected] of TABLE) {
    const bytes = Buffer.from(text)
    const whole = { ...NOTHING, ...expected }
    t.strictSame(read(bytes), whole, name)
    t.strictSame(read(...Array.from(bytes, byte => Buffer.from([byte]))), whole, `${name}, byte by byte`)
    let wrong = 0
    for (let cut = 1; cut < bytes.length; cut++) {
      if (!isDeepStrictEqual(read(bytes.subarray(0, cut), bytes.subarray(cut)), whole)) wrong++
    }
    t.equal(wrong, 0, `${name}, cut anywhere`)
  }
})

t.test('invalid UTF-8 is replaced, as the standard says', async t => {
  const bytes = Buffer.from(data(chunk({ content: 'X' })) + data(chunk({ content: 'Y' })) + DONE)
  bytes[bytes.indexOf('X')] = 0xff
  bytes[bytes.indexOf('Y')] = 0xc3
  t.match(read(bytes), { outputs: 2, fault: null })
})

t.test('an event of very many lines, and one that comes byte by byte, take as much memory as bytes', async t => {
  const scanner = new CompletionScanner()
  const lines = Buffer.from('data:\n'.repeat(10_000))
  for (let i = 0; i < 200; i++) scanner.scan(lines, 0, lines.length)
  t.ok(scanner.lines.data.buffer.length <= 3 * 2_000_000)
  scanner.reset()
  t.equal(scanner.lines.data.buffer.length, 0, 'and nothing is left of it')
  const byte = Buffer.from('x')
  scanner.scan(Buffer.from('data: '), 0, 6)
  for (let i = 0; i < 200_000; i++) scanner.scan(byte, 0, 1)
  t.ok(scanner.lines.cut.buffer.length <= 500_000)
  scanner.reset()
  t.equal(scanner.lines.cut.buffer.length, 0)
})

t.test('a scanner is used again, and knows nothing of the response before', async t => {
  const scanner = new CompletionScanner()
  const first = Buffer.from(data(chunk({ content: 'a' })) + data({ error: { message: 'x' } }) + 'event: error\ndata: cut')
  scanner.scan(first, 0, first.length)
  scanner.reset()
  const second = Buffer.from(data(chunk({ content: 'b' })) + STOP)
  scanner.scan(second, 0, second.length)
  t.match(scanner.completion, { outputs: 1, finishes: ['stop'], failure: null })
  t.equal(scanner.completion.fault, null)
  for (const [text, code] of [[data(chunk({ content: 'b' })) + DONE, undefined], [DONE, 'AC_LLM_EMPTY']]) {
    scanner.reset()
    scanner.scan(Buffer.from(text), 0, text.length)
    t.equal(scanner.completion.fault?.code, code)
  }
})

t.test('messages of errors are shown, shortened and harmless', async t => {
  for (const [value, message] of [
    [{ error: { message: 'over\u001b[31m' } }, /over/],
    [{ error: 'plain' }, /plain/],
    [{ error: { code: 429 } }, /429/],
    [{ error: { nested: { x: 1 } } }, /nested/],
    [{ error: { message: 'x'.repeat(1e5) } }, /^.{1,230}$/]
  ]) {
    const completion = new Completion()
    const bytes = Buffer.from(JSON.stringify(value))
    completion.read(bytes, 0, bytes.length, false)
    t.match(completion.failure, { code: 'AC_LLM_ERROR', message })
    t.notMatch(completion.failure.message, /\u001b/) // eslint-disable-line no-control-regex
  }
})

t.test('fuzz: with the shortcut and by JSON.parse alone the same events say the same', async t => {
  const rng = randomFrom(7)
  const pick = list => list[Math.floor(rng() * list.length)]
  const texts = ['a', '', ' ', '"', '\\', '\n', '\u0000', 'ü', '😀', '"content":"', '","finish_reason":"stop', '}]}', '\\u', 'x'.repeat(40)]
  const deltas = [() => ({ content: pick(texts) }), () => ({ content: pick(texts), role: 'assistant' }), () => ({ reasoning_content: pick(texts) }), () => ({ reasoning: pick(texts), content: null }), () => ({ content: pick(texts), name: '"content":"x"' })]
  const events = [
    () => JSON.stringify(chunk(pick(deltas)())),
    () => JSON.stringify(chunk(pick(deltas)(), { index: pick([0, 1]) })),
    () => JSON.stringify({ choices: [{ text: pick(texts), index: 0 }] }),
    () => JSON.stringify(chunk(pick(deltas)(), { finish_reason: pick([null, 'stop']) })),
    () => JSON.stringify(chunk({ content: 'q' })).replace('"q"', pick(['"q","content":"r"', '"q\u0001"', '"\\u12"', '"\\x"', '"\\u00e9"', '"\\"', 'null', '"a"b"', ' "q" '])),
    () => JSON.stringify(chunk(pick(deltas)())).replace(/.$/, pick(['', '}', ' ']))
  ]
  let same = 0
  let shortcuts = 0
  for (let i = 0; i < 3000; i++) {
    const [quick, slow] = [new Completion(), new Completion()]
    slow.likeness.learn = () => {}
    const one = pick(events)
    for (let n = 0; n < 6; n++) {
      const bytes = Buffer.from(rng() < 0.7 ? one() : pick(events)())
      if (rng() < 0.1) bytes[Math.floor(rng() * bytes.length)] = Math.floor(rng() * 256)
      if (quick.likeness.kindOf(bytes, 0, bytes.length) !== 0) shortcuts++
      for (const completion of [quick, slow]) completion.read(bytes, 0, bytes.length, false)
    }
    const facts = ({ likeness, ...rest }) => JSON.stringify(rest)
    if (facts(quick) === facts(slow)) same++
    else t.equal(facts(quick), facts(slow))
  }
  t.equal(same, 3000)
  t.ok(shortcuts > 1000, `${shortcuts} by the shortcut`)
})

t.test('fuzz: events that are read as a whole are those that are read line by line, wherever reads cut them', async t => {
  const rng = randomFrom(11)
  const pick = list => list[Math.floor(rng() * list.length)]
  const texts = ['a', 'word', '', '"', '\\', '\n', 'ü', '","finish_reason":"stop', 'x'.repeat(40)]
  const framed = [
    json => `data:${json}\n\n`, json => `data: ${json}\r\n\r\n`,
    json => `event: error\ndata: ${json}\n\n`, json => `: a comment\n\ndata: ${json}\n\n`, json => `data: ${json}\ndata: 1\n\n`, json => `data: ${json}\nid: 1\n\n`
  ]
  let skipped = 0
  let same = 0
  for (let i = 0; i < 1000; i++) {
    const [quick, slow] = [new CompletionScanner(), new CompletionScanner()]
    slow.completion.likeness.learn = () => {}
    const { skip } = quick.completion
    quick.completion.skip = (...args) => {
      const next = skip.apply(quick.completion, args)
      if (next !== -1) skipped++
      return next
    }
    const events = [
      data(chunk({ content: 'a' })), ...Array.from({ length: 8 }, () => (rng() < 0.8 ? data : text => pick(framed)(JSON.stringify(text)))(chunk({ content: pick(texts) }))),
      pick([DONE + data(chunk({ content: 'a' })), STOP])
    ]
    const text = events.join('')
    const bytes = Buffer.from(text)
    const ends = events.map((_, i) => Buffer.byteLength(events.slice(0, i + 1).join('')))
    const left = pick([Infinity, Infinity, 3])
    quick.completion.left = slow.completion.left = left
    const found = [0, 0]
    for (let from = 0, to; from < bytes.length; from = to) {
      to = rng() < 0.8 ? ends.find(end => end > from) : Math.min(bytes.length, from + pick([1, 100, 160, 1000]))
      found[0] += quick.scan(bytes, from, to)
      found[1] += slow.scan(bytes, from, to)
    }
    const facts = ({ completion: { likeness, skip, ...rest }, isInside, size }) => JSON.stringify([rest, isInside, size])
    if (facts(quick) === facts(slow) && found[0] === found[1]) same++
    else t.same([facts(quick), found[0]], [facts(slow), found[1]], text)
  }
  t.equal(same, 1000)
  t.ok(skipped > 500, `${skipped} read as a whole`)
})
