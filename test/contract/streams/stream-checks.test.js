'use strict'

// Checks of events and values captured of them: expect.events, checkEvent, and captures such as 'event last json id'.

const t = require('tap')
const path = require('node:path')
const { conserves } = require('../../helpers/results/conservation')
const { handlingServer } = require('../../helpers/servers/handling-server')
const { byOurClient, run } = require('../modes')

/**
 * Sends so many events of { n }, in parts of one byte to the whole; /other responds with 500, /echo with the path in an event.
 * @param {any} t
 * @param {boolean} isHttp2
 */
async function listen (t, isHttp2) {
  /** @type {string[]} */
  const seen = []
  /** @type {(request: any, response: any) => void} */
  const handle = (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    seen.push(request.url)
    if (pathname === '/other') return response.writeHead(500).end('no')
    if (pathname === '/login') return response.end('{"token":"t"}')
    const isLines = pathname === '/lines'
    response.writeHead(200, { 'content-type': isLines ? 'application/x-ndjson' : 'text/event-stream' })
    const events = Array.from({ length: Number(searchParams.get('n') ?? 3) }, (_, i) => JSON.stringify({ n: i + 1, big: 9007199254740993n.toString(), list: ['a', 'b'], text: `value ${i + 1}` }))
    if (isLines) return response.end(events.join('\n'))
    const text = events.map((data, i) => `id: i${i + 1}\nevent: ${i === 0 ? 'start' : 'token'}\ndata: ${data.replace(/"(9\d+)"/, '$1')}\n\n`).join('') + (searchParams.has('done') ? 'data: [DONE]\n\n' : '')
    const cut = Math.floor(text.length / 2)
    response.write(text.slice(0, cut))
    setTimeout(() => response.end(text.slice(cut)), 2)
  }
  return { url: await handlingServer(t, handle, isHttp2), seen }
}

const checkOf = ({ checks }, name) => checks.filter(one => one.name === name).map(({ passed, failed, reasons = {} }) => [passed, failed, Array.isArray(reasons) ? reasons.map(({ reason }) => reason) : Object.keys(reasons)])

byOurClient(t, 'what is expected of events', async (t, mode) => {
  const { url } = await listen(t, mode.protocol?.http === '2')
  for (const [events, reason] of [
    [3, null], [2, 'more than 2 events'], [4, 'fewer than 4 events'], [{ min: 1 }, null], [{ min: 1, max: 3 }, null], [{ max: 2 }, 'more than 2 events'],
    [{ each: 'value' }, null], [{ each: 'value 1' }, "an event: the data does not include 'value 1'"], [{ each: /"n":\d/ }, null], [{ each: /"n":[12],/ }, 'an event: the data does not match /"n":[12],/'],
    [{ some: 'value 2' }, null], [{ some: 'value 9' }, "no event includes 'value 9'"], [{ some: /e 9/ }, 'no event matches /e 9/'], [{ some: { n: 9 } }, 'no event has the expected JSON'],
    [{ first: { n: 1, 'list[1]': 'b' } }, null], [{ first: { n: 2 } }, 'the first event: json n: 1, expected 2'], [{ last: { n: 3 } }, null], [{ last: { n: 2 } }, 'the last event: json n: 3, expected 2'],
    [{ last: { big: 9007199254740993n } }, null], [{ last: { big: 9007199254740992n } }, /the last event: json big/], [{ each: { text: /^value/ } }, null]
  ]) {
    const result = await mode.run({ url, stream: 'sse', amount: 4, expect: { events } })
    conserves(t, result)
    const name = JSON.stringify(events, (_, value) => typeof value === 'bigint' || value instanceof RegExp ? String(value) : value)
    const [[passed, failed, reasons]] = checkOf(result, 'expect')
    t.strictSame([passed, failed], reason === null ? [4, 0] : [0, 4], name)
    if (reason !== null) t.match(reasons, [reason], name)
    t.equal(result.failures, failed, name)
  }
})

t.test('events that are no JSON, and a response that is no stream', async t => {
  const { url } = await listen(t, false)
  for (const [path, events, reason] of [
    ['/?done', { last: '[DONE]' }, null], ['/?done', { last: { n: 3 } }, 'the last event: the data is not JSON'], ['/?done', { each: { n: 3 } }, 'an event: json n: 1, expected 3'],
    ['/?n=0', { last: 'x' }, 'no event'], ['/?n=0', { first: 'x' }, 'no event'], ['/?n=0', { each: 'x' }, null], ['/?n=0', { min: 1 }, 'no event'], ['/other', 3, 'no stream of events']
  ]) {
    const result = await run({ url: url + path, stream: 'sse', amount: 2, expect: { events } })
    conserves(t, result)
    const [[passed, failed, reasons]] = checkOf(result, 'expect')
    t.strictSame([passed, failed, reasons[0] ?? null], [reason === null ? 2 : 0, reason === null ? 0 : 2, reason], `${path} ${JSON.stringify(events)}`)
  }
  const result = await run({ url, stream: 'ndjson', amount: 2, requests: [{ path: '/lines' }], expect: { events: { min: 3, max: 3, each: { text: /value/ }, last: { n: 3 } } } })
  t.match(checkOf(result, 'expect'), [[2, 0]])
})

byOurClient(t, 'checkEvent sees each event that is wanted once, in order, with its time', async (t, mode) => {
  const { url } = await listen(t, mode.protocol?.http === '2')
  // A module reaches every mode.
  const dir = t.testdir({
    'check.js': `module.exports = ({ type, data, lastEventId, index, ms, json }, context) =>
      (type === (index === 1 ? 'start' : 'token') && lastEventId === 'i' + index && JSON.parse(data).n === index && ms >= 0) || 'another event'`,
    'third.js': "module.exports = event => event.json().n < 3 || 'the third'"
  })
  for (const [name, opts, counts] of [
    ['check.js', {}, [12, 0]], ['third.js', {}, [8, 4]], ['third.js', { events: 2 }, [8, 0]]
  ]) {
    const result = await mode.run({ url, stream: 'sse', amount: 4, checkEvent: path.join(dir, name), ...opts })
    conserves(t, result)
    const [[passed, failed, reasons]] = checkOf(result, 'checkEvent')
    t.strictSame([passed, failed], counts, `${name} ${JSON.stringify(opts)}`)
    t.strictSame(reasons, counts[1] > 0 ? ['the third'] : [])
    t.equal(result.failures, counts[1], 'a stream with such an event fails once')
  }
})

t.test('what checkEvent may return, by request, and what ends the run', async t => {
  const { url } = await listen(t, false)
  const result = await run({
    url, stream: 'sse', amount: 6, checkEvent: event => event.index > 0,
    requests: [{ name: 'own', checkEvent: ({ index }, context) => index <= 2 && typeof context === 'object' }, { name: 'thrown', checkEvent: () => { throw new Error('thrown') } }, { name: 'all' }]
  })
  conserves(t, result)
  t.strictSame(result.checks.filter(({ name }) => name === 'checkEvent').map(({ request, passed, failed }) => [request, passed, failed]).toSorted(), [['all', 6, 0], ['own', 4, 2], ['thrown', 0, 6]])
  t.equal(result.failures, 4)
  for (const [checkEvent, message] of [[async () => true, /checkEvent of request 0 returned a promise/], [() => 5, /checkEvent of request 0 has to return true, false, a reason or an Error, got 5/]]) {
    await t.rejects(run({ url, stream: 'sse', amount: 4, checkEvent }), { message })
    await t.rejects(run({ url: (await listen(t, true)).url, http: '2', pipelining: 2, stream: 'sse', amount: 4, checkEvent }), { message })
  }
})

byOurClient(t, 'captures of events', async (t, mode) => {
  const { url, seen } = await listen(t, mode.protocol?.http === '2')
  const capture = {
    first: 'event 1 json n', big: 'event last json big', last: 'event last json text', lastId: 'event last id', type: 'event first type', two: 'event 2 /value (\\d)/', all: 'event 2 json list[*] pick random',
    none: { from: 'event 9 json n', default: 'nothing' }
  }
  const next = '/next?first={{first}}&big={{big}}&last={{last}}&id={{lastId}}&type={{type}}&two={{two}}&none={{none}}&n=1'
  const result = await mode.run({ url, stream: 'sse', amount: 8, scenarios: [{ name: 'a', requests: [{ path: '/', capture }, { path: next }] }] })
  conserves(t, result)
  t.equal(result.failures, 0)
  t.match(checkOf(result, 'capture first'), [[4, 0]])
  const sent = seen.filter(url => url.startsWith('/next'))
  t.equal(sent.length, 4)
  for (const one of sent) t.equal(decodeURIComponent(one), '/next?first=1&big=9007199254740993&last=value 3&id=i3&type=start&two=2&none=nothing&n=1')
})

t.test('an event that is not there aborts the iteration, and templates in what is expected', async t => {
  const { url } = await listen(t, false)
  for (const [from, reason] of [['event 4 json n', 'no event 4'], ['event 1 json x', 'event 1: json x: missing'], ['event last /nothing (x)/', /^the last event: .* does not match/], ['event 3 id', null]]) {
    const result = await run({ url, stream: 'sse', amount: 4, scenarios: [{ name: 'a', requests: [{ path: '/', capture: { x: from } }, { path: '/?{{x}}' }] }] })
    conserves(t, result)
    const [[, failed, reasons]] = checkOf(result, 'capture x')
    t.equal(failed, reason === null ? 0 : 4, from)
    if (reason !== null) t.match(reasons, [reason])
  }
  const result = await run({ url, stream: 'sse', amount: 4, scenarios: [{ name: 'a', requests: [{ path: '/login', stream: false, capture: { token: 'json token' } }, { path: '/', expect: { events: { min: 3, some: { text: '{{token}}' } } } }] }], initialContext: { token: '' } })
  t.match(checkOf(result, 'expect'), [[0, 2, ['no event has the expected JSON']]])
})

t.test('a login beside streams need not have the events that all others have', async t => {
  const { url } = await listen(t, false)
  const result = await run({ url, stream: 'sse', amount: 4, expect: { status: 200, events: 3 }, requests: [{ path: '/login', stream: false }, { path: '/' }] })
  t.equal(result.failures, 0)
})

t.test('what can not be', async t => {
  const url = 'http://127.0.0.1:1'
  for (const [opts, message] of [
    [{ expect: { events: -1 } }, /^expect.events: expected a number of events or an object with min, max, each, some, first, last, got -1/],
    [{ expect: { events: {} } }, /^expect.events: expected one of min, max/],
    [{ expect: { events: { mni: 1 } } }, /^expect.events: unknown key 'mni', did you mean 'min'\?/],
    [{ expect: { events: { min: 2, max: 1 } } }, /^expect.events: expected a min up to max, got 2 and 1/],
    [{ expect: { events: { last: 5 } } }, /^expect.events.last: expected a text, a regular expression or an object/],
    [{ stream: undefined, expect: { events: 1 } }, /^expect.events: expected stream as well, got none/],
    [{ stream: undefined, checkEvent: () => true }, /^checkEvent: expected stream as well, got none/],
    [{ stream: undefined, scenarios: [{ name: 'a', requests: [{ path: '/', capture: { a: 'event 1' } }] }] }, /^scenarios\[0\].requests\[0\].capture.a: expected stream as well/],
    [{ requests: [{ stream: false, expect: { events: 1 } }] }, /^requests\[0\].expect.events: the request has stream: false/],
    [{ requests: [{ path: '/', capture: { a: 'event' } }] }, /capture.a: expected 'event 1', 'event last'/],
    [{ requests: [{ path: '/', capture: { a: 'event 0 json a' } }] }, /capture.a: expected 'event 1', 'event last'/],
    [{ requests: [{ path: '/', capture: { a: 'event 1 header a' } }] }, /capture.a: expected 'event 1', 'event last'/],
    [{ workers: 2, checkEvent: () => true }, /checkEvent: a function does not reach a worker thread/]
  ]) await t.rejects(async () => run({ url, stream: 'sse', amount: 4, ...opts }), { code: 'AC_OPTIONS', message })
})
