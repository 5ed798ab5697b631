'use strict'

// Server-Sent Events: bytes → events by the rules of the HTML standard, wherever reads cut them, and held against an independent parser.

const t = require('tap')
const { createParser } = require('eventsource-parser')
const { SseScanner } = require('../../lib/streams/sse/sse')
const { randomFrom } = require('../../lib/core/random')
const { cases } = require('../helpers/effort')

/**
 * @param {Buffer} bytes
 * @param {number[]} cuts where a read ends and another one begins
 * @param {boolean} looks whether events are read
 */
function read (bytes, cuts, looks) {
  const events = []
  const scanner = new SseScanner(looks ? event => events.push(event) : null)
  let count = 0
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    // Other bytes lie around those of a read.
    const buffer = Buffer.concat([Buffer.from('\n\n'), bytes.subarray(from, to), Buffer.from('\n\n')])
    count += scanner.scan(buffer, 2, 2 + to - from) + scanner.endRead()
    from = to
  }
  return { count: count + scanner.finish(), events, isInside: scanner.isInside, retry: scanner.fields?.retry ?? null }
}

/**
 * Whole, byte by byte, and cut in two at each place; counted alone, and with their texts.
 * @param {any} t
 * @param {Buffer} bytes
 * @param {object} expected
 * @param {string} name
 */
function readsAs (t, bytes, { events, isInside = false, retry = null }, name) {
  const all = Array.from({ length: bytes.length }, (_, i) => i)
  for (const cuts of [[], all, ...all.map(i => [i])]) {
    const seen = read(bytes, cuts, true)
    const counted = read(bytes, cuts, false)
    const isGood = JSON.stringify(seen) === JSON.stringify({ count: events.length, events, isInside, retry }) && counted.count === events.length && counted.isInside === isInside
    if (!isGood) return t.strictSame({ ...seen, counted: counted.count, countedInside: counted.isInside }, { count: events.length, events, isInside, retry, counted: events.length, countedInside: isInside }, `${name}, cut at ${cuts}`)
  }
  t.pass(name)
}

const event = (data, { type = 'message', lastEventId = '' } = {}) => ({ type, data, lastEventId })

t.test('events', async t => {
  for (const [name, text, expected] of [
    ['one line', 'data: a\n\n', { events: [event('a')] }],
    ['without a space behind the colon', 'data:a\n\n', { events: [event('a')] }],
    ['just one space is taken away', 'data:  a\n\n', { events: [event(' a')] }],
    ['several lines', 'data: a\ndata: b\ndata\n\n', { events: [event('a\nb\n')] }],
    ['a field without a value', 'data\n\n', { events: [event('')] }],
    ['an empty value', 'data:\n\n', { events: [event('')] }],
    ['CR', 'data: a\r\rdata: b\r\r', { events: [event('a'), event('b')] }],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', { events: [event('a'), event('b')] }],
    ['mixed line ends', 'data: a\r\ndata: b\n\rdata: c\r\n\n', { events: [event('a\nb'), event('c')] }],
    ['CR LF is one line end, LF CR are two', 'data: a\n\rdata: b\r\n\r\n', { events: [event('a'), event('b')] }],
    ['a type', 'event: add\ndata: 1\n\ndata: 2\n\n', { events: [event('1', { type: 'add' }), event('2')] }],
    ['a type without data', 'event: add\n\ndata: 2\n\n', { events: [event('2')] }],
    ['an id lasts', 'id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n', { events: [event('a', { lastEventId: '7' }), event('b', { lastEventId: '7' }), event('c')] }],
    ['an id with NUL is none', 'id: 7\0\ndata: a\n\n', { events: [event('a')] }],
    ['retry', 'retry: 250\ndata: a\n\nretry: 1x\n\n', { events: [event('a')], retry: 250 }],
    ['comments', ': hello\n:\n\n:data: x\n\ndata: a\n: between\ndata: b\n\n', { events: [event('a\nb')] }],
    ['names that are nearly it', 'dat: a\n\ndata2: b\n\ndatabase\n\nDATA: c\n\n data: d\n\nd\n\nda\n\n', { events: [] }],
    ['unknown fields', 'x: 1\ndata: a\ny\n\n', { events: [event('a')] }],
    ['many empty lines', '\n\n\r\r\n\ndata: a\n\n\n\n', { events: [event('a')] }],
    ['nothing', '', { events: [] }],
    ['UTF-8', 'data: grüße 😀\n\n', { events: [event('grüße 😀')] }],
    ['a byte order mark', '\ufeffdata: a\n\n', { events: [event('a')] }],
    ['a byte order mark alone', '\ufeff', { events: [] }],
    ['the second mark is text', '\ufeff\ufeffdata: a\n\n', { events: [] }],
    ['a mark later is text', 'data: a\n\n\ufeffdata: b\n\n', { events: [event('a')] }],
    ['the end cuts off an event', 'data: a\n\ndata: b\n', { events: [event('a')], isInside: true }],
    ['the end cuts off a line', 'data: a\n\ndata: b', { events: [event('a')], isInside: true }],
    ['the end cuts off a name', 'data: a\n\nda', { events: [event('a')], isInside: true }],
    ['the end cuts off a comment', 'data: a\n\n: stay', { events: [event('a')] }],
    ['the end behind a comment', 'data: a\n\n: stay\n', { events: [event('a')] }]
  ]) readsAs(t, Buffer.from(text), expected, name)
  readsAs(t, Buffer.from([0xef, 0xbb, 0x64, 0x0a, 0x0a]), { events: [] }, 'what begins as a mark and is none')
  readsAs(t, Buffer.from([0xef, 0x0a, ...Buffer.from('data: a\n\n')]), { events: [event('a')] }, 'one byte of a mark')
})

t.test('a scanner that is used again begins anew', async t => {
  const events = []
  const scanner = new SseScanner(one => events.push(one))
  const first = Buffer.from('\ufeffid: 1\nevent: x\nretry: 5\ndata: cut')
  scanner.scan(first, 0, first.length)
  t.ok(scanner.size > 0)
  scanner.reset()
  t.strictSame([scanner.isInside, scanner.size, scanner.fields.retry], [false, 0, null])
  const second = Buffer.from('\ufeffdata: a\n\n')
  t.equal(scanner.scan(second, 0, second.length), 1)
  t.strictSame(events, [event('a')])
})

t.test('a stream that is only continued: id and retry are read, and nothing else is kept', async t => {
  const cut = 'x'.repeat(50_000)
  const bytes = Buffer.from(`\ufeffretry: 5\nid: 7\ndata: a\n\nevent: ${cut}\nid: 8\n${'data: a\n'.repeat(5000)}data: ${cut}\n: i\nid\nid: 9`)
  for (const size of [bytes.length, 1000, 1]) {
    const scanner = new SseScanner(null, true)
    let count = 0
    let kept = 0
    for (let from = 0; from < bytes.length; from += size) {
      count += scanner.scan(bytes, from, Math.min(from + size, bytes.length))
      kept = Math.max(kept, scanner.fields.data.length, scanner.fields.type.length, scanner.fields.cut.buffer.length)
    }
    t.strictSame([count, scanner.fields.lastEventId, scanner.fields.id, scanner.fields.retry], [1, '7', '', 5], `${size} bytes per read`)
    t.ok(kept <= 1024, String(kept))
    const rest = Buffer.from('\n\n')
    t.equal(scanner.scan(rest, 0, 2), 1)
    t.equal(scanner.fields.lastEventId, '9')
  }
})

t.test('the size is that of the event that has begun', async t => {
  const scanner = new SseScanner()
  const bytes = Buffer.from('data: a\n\ndata: 123')
  scanner.scan(bytes, 0, bytes.length)
  t.equal(scanner.size, 9)
  for (let i = 0; i < 10; i++) scanner.scan(Buffer.from('xxxx'), 0, 4)
  t.equal(scanner.size, 49)
  scanner.scan(Buffer.from('\n\n'), 0, 2)
  t.equal(scanner.size, 0)
})

/** What streams are made of, so that anything may stand next to anything. */
const PIECES = ['data', 'data:', 'data: ', 'event: ', 'event', 'id: ', 'id', 'retry: ', 'retry:3', ':', ': c', '\n', '\n\n', '\r', '\r\n', '\r\n\r\n', '\r\r', ' ', 'a', 'ü', '😀', '\0', '1', 'x: y', 'dat', 'da', '\ufeff', '{"a":1}']

t.test('fuzz: as eventsource-parser reads it, whole and cut at each byte', async t => {
  const runs = cases(3000, 400)
  for (let seed = 1; seed <= runs; seed++) {
    const random = randomFrom(seed)
    let text = ''
    for (let i = 1 + Math.floor(30 * random()); i > 0; i--) text += PIECES[Math.floor(PIECES.length * random())]
    // The mark at the start is a matter of bytes, which the other one does not see.
    text = text.replace(/^\ufeff+/, '')
    const events = []
    const ids = []
    let retry = null
    const parser = createParser({
      onEvent ({ event: type = 'message', data, id }) {
        events.push({ type, data })
        ids.push(id)
      },
      onRetry (ms) { retry = ms }
    })
    // It waits for what is behind a CR at the end.
    parser.feed(`${text}:`)
    const bytes = Buffer.from(text)
    const all = Array.from({ length: bytes.length }, (_, i) => i)
    for (const cuts of [[], all, ...all.map(i => [i]), all.filter(() => random() < 0.2)]) {
      const seen = read(bytes, cuts, true)
      const counted = read(bytes, cuts, false)
      const same = JSON.stringify(seen.events.map(({ type, data }) => ({ type, data }))) === JSON.stringify(events) &&
        ids.every((id, i) => id === undefined || seen.events[i].lastEventId === id) && seen.retry === retry && counted.count === events.length && counted.isInside === seen.isInside
      if (!same) return t.strictSame({ ...seen, counted }, { events, ids, retry }, `seed ${seed}: ${JSON.stringify(text)} cut at ${cuts}`)
    }
  }
  t.pass(`${runs} streams`)
})
