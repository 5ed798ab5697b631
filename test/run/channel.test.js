'use strict'

// A channel to a host elsewhere, over transports that the test makes: what travels, who is given up, and what rubbish does.

const t = require('tap')
const fc = require('fast-check')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')
const { Recorder } = require('../../lib/record/recorder')
const { Totals } = require('../../lib/record/totals')
const { RemoteChannel } = require('../../lib/run/channel-remote')
const { decode, encode } = require('../../lib/run/codec')
const { Host } = require('../../lib/run/host')
const { encodeSnapshot } = require('../../lib/run/messages')
const { readReport } = require('../../lib/run/reports')
const { serve } = require('../helpers/servers/http-server')

const USAGE = { cpuMs: 300, activeMs: 250, gcMs: 10, wallMs: 1000, stalledMs: 0, delay: { p50: 0.1, p99: 1, max: 4 } }

/** @param {Record<string, any>} opts */
const planOf = opts => buildPlan(validate({ url: 'http://127.0.0.1:1', ...opts }).values)

/** A transport that keeps what is sent. */
function ends () {
  /** @type {any} */
  const transport = { name: 'a worker', sent: [], closed: 0, send: (/** @type {any} */ message) => transport.sent.push(decode(message)), async close () { transport.closed++ } }
  return transport
}

/** Two transports with lines of JSON between them. */
function joined () {
  const [near, far] = [ends(), ends()]
  const carry = (/** @type {any} */ to) => (/** @type {any} */ message) => {
    const line = JSON.stringify(message)
    setImmediate(() => to.closed === 0 && to.onMessage(JSON.parse(line)))
  }
  return [Object.assign(near, { send: carry(far) }), Object.assign(far, { send: carry(near) })]
}

/**
 * @param {any} transport
 * @param {Record<string, any>} [opts]
 */
function channelTo (transport, opts = {}) {
  /** @type {any} */
  const seen = { snapshots: [], ends: [], observer: { response: null, requestError: null, mismatch: null }, beat: null, at: 0 }
  const ended = new Promise(resolve => {
    seen.sinks = { snapshot: (/** @type {any} */ snapshot) => seen.snapshots.push(snapshot), end: (/** @type {any} */ error) => { seen.ends.push(error); resolve(error) } }
  })
  const edge = { now: () => seen.at, setInterval: (/** @type {() => void} */ action) => { seen.beat = action; return /** @type {any} */ (undefined) } }
  seen.channel = new RemoteChannel(planOf(opts), seen.sinks, seen.observer, () => transport, edge)
  return Object.assign(seen, { ended })
}

/** @param {any} transport @param {unknown} report */
const tell = (transport, report) => transport.onMessage(JSON.parse(JSON.stringify(encode(report))))

function snapshotOf () {
  const recorder = new Recorder()
  recorder.sent = 5
  recorder.late = 2
  recorder.complete(200, 50, 40, 10, 5)
  recorder.complete(404, 50, 7, 7, 7)
  recorder.distributions.current.lag.record(0.5)
  recorder.errorCodes.set('__proto__', 1)
  recorder.instruments.checks.of('expect', null).fail('no', () => ({ status: 200, headers: [['a', 'b']], body: 'c', truncated: false }))
  recorder.instruments.requests.of('one').complete(200)
  recorder.instruments.requests.of('one').latency.record(5)
  return recorder.takeLast(0, 1000, 3, USAGE)
}

t.test('a snapshot arrives as it was sent', async t => {
  const sent = snapshotOf()
  const travel = (/** @type {any} */ snapshot) => /** @type {any} */ (readReport(JSON.parse(JSON.stringify(encode({ type: 'snapshot', snapshot: encodeSnapshot(snapshot) }))))).snapshot
  t.strictSame(travel(sent), encodeSnapshot(sent))
  t.strictSame(travel({ ...sent, distributions: null }), { ...sent, distributions: null }, 'also without distributions')
})

t.test('a run over lines of JSON', async t => {
  const { url } = await serve(t, (request, response) => response.end(request.url))
  const [near, far] = joined()
  const host = new Host(far)
  t.teardown(() => host.close())
  const run = channelTo(near, { url, connections: 2, amount: 10, requests: [{ path: '/a' }, { path: '/b' }], expectBody: '/a' })
  /** @type {any[]} */
  const [responses, bodies] = [[], []]
  Object.assign(run.observer, { response: (/** @type {any[]} */ ...args) => responses.push(args), mismatch: (/** @type {string} */ body) => bodies.push(body) })
  await run.channel.open()
  run.channel.start()
  t.equal(await run.ended, null)
  const totals = new Totals()
  for (const snapshot of run.snapshots) totals.add(snapshot)
  t.match(totals, { sent: 10, completed: 10, statuses: { 200: 10 }, mismatches: 4 })
  t.equal(totals.distributions.latency.count, 10)
  t.equal(responses.length, 10)
  for (const [client, status, size, ms] of responses) t.ok(client === null && status === 200 && size > 0 && ms > 0)
  t.strictSame(bodies, new Array(4).fill('/b'))
  await run.channel.close()
  await run.channel.close()
  t.strictSame(run.ends, [null], 'it ends once')
})

t.test('a host that is silent for 30 heartbeats is given up, one that says anything is not', async t => {
  const transport = ends()
  const run = channelTo(transport)
  const opened = run.channel.open()
  for (let i = 0; i < 30; i++) run.beat()
  tell(transport, { type: 'ready' })
  await opened
  run.channel.start()
  for (let i = 0; i < 30; i++) run.beat()
  tell(transport, { type: 'alive' })
  for (let i = 0; i < 30; i++) run.beat()
  t.strictSame(run.ends, [])
  run.beat()
  run.beat()
  t.match(run.ends, [{ code: 'AC_WORKER', message: 'a worker has not been heard of for 30 s and is ended: is there a hook that does not return?' }])
  tell(transport, { type: 'end', error: null })
  t.equal(run.ends.length, 1)
  t.strictSame(transport.sent.map((/** @type {any} */ { type }) => type), ['open', 'observe', 'start'])
})

t.test('a host whose plan is still on its way is not silent', async t => {
  const transport = ends()
  const run = channelTo(transport)
  run.channel.open().catch(() => {})
  transport.isBehind = () => true
  for (let i = 0; i < 100; i++) run.beat()
  t.strictSame(run.ends, [])
  transport.isBehind = () => false
  for (let i = 0; i <= 31; i++) run.beat()
  t.match(run.ends, [{ code: 'AC_WORKER' }])
})

t.test('a host says each second that it lives, until it ends', async t => {
  const transport = ends()
  /** @type {any[]} */
  const beats = []
  const host = new Host(transport, { setInterval: (action, ms) => { beats.push([action, ms]); return /** @type {any} */ (undefined) } })
  t.equal(beats[0][1], 1000)
  beats[0][0]()
  t.strictSame(transport.sent, [{ type: 'alive' }])
  transport.onClose(new Error('gone'))
  host.close()
  t.equal(transport.closed, 1)
})

t.test('a host that goes away while it opens, or while it runs, ends its channel once', async t => {
  for (const whileItRuns of [false, true]) {
    const transport = ends()
    const run = channelTo(transport)
    const opened = run.channel.open()
    if (whileItRuns) {
      tell(transport, { type: 'ready' })
      await opened
      run.channel.start()
    }
    const gone = new Error('gone')
    transport.onClose(gone)
    transport.onClose(gone)
    if (!whileItRuns) await t.rejects(opened, gone)
    t.strictSame(run.ends, [gone])
  }
})

t.test('a host that is stopped before its start tells what it has', async t => {
  const transport = ends()
  const run = channelTo(transport)
  run.channel.open()
  tell(transport, { type: 'ready' })
  run.channel.stop()
  tell(transport, { type: 'snapshot', snapshot: encodeSnapshot(snapshotOf()) })
  tell(transport, { type: 'end', error: null })
  t.equal(run.snapshots.length, 1)
  t.strictSame(run.ends, [null])
})

t.test('close() while it opens leaves nothing behind', async t => {
  const transport = ends()
  const run = channelTo(transport)
  run.channel.open()
  await run.channel.close()
  t.equal(transport.closed, 1)
  tell(transport, { type: 'ready' })
  transport.onClose(new Error('gone'))
  t.strictSame(run.ends, [])
})

t.test('a function in a plan is refused before a host is started', async t => {
  const { sinks, observer } = channelTo(ends())
  const channel = new RemoteChannel(planOf({ setupClient () {} }), sinks, observer, () => t.fail('started'))
  t.throws(() => channel.open(), { code: 'AC_OPTIONS', message: /^hooks\.setupClient: a function does not reach another thread or process; give the absolute path/ })
})

t.test('a host that lives and never begins, or never ends, is given up', async t => {
  for (const [words, begins] of /** @type {const} */ ([['is not ready to begin', false], ['does not end', true]])) {
    const transport = ends()
    const run = channelTo(transport, { duration: 10, timeout: 5 })
    run.channel.plan = Object.freeze({ ...run.channel.plan, together: true })
    run.sinks.waiting = () => run.channel.begin(0)
    run.channel.open()
    tell(transport, { type: 'ready' })
    run.channel.start()
    if (begins) tell(transport, { type: 'waiting' })
    const beats = begins ? 10 + 5 + 120 : 5 + 120
    for (let i = 0; i <= beats; i++) {
      t.strictSame(run.ends, [], `${i} s`)
      tell(transport, { type: 'alive' })
      run.beat()
    }
    t.match(run.ends, [{ code: 'AC_WORKER', message: `a worker ${words}, and is ended` }])
  }
})

t.test('a report that is none ends the channel with an error', async t => {
  const snapshot = encodeSnapshot(snapshotOf())
  /** @type {Array<[message: any, words: RegExp]>} */
  const cases = [
    ...[null, 5, 'alive', [], {}, { type: 'start' }, { type: 'constructor' }, { type: ['alive'] }].map(message => /** @type {[any, RegExp]} */ ([message, /cannot be used: it is/])),
    [{ $: 'map', of: 5 }, /cannot be read/],
    [{ type: 'responses', list: [1, 2, 3] }, /it has no list/],
    [{ type: 'mismatch' }, /it has no body/],
    [{ type: 'requestError', error: { message: 'x' } }, /it has no error/],
    [{ type: 'end' }, /it has no error/],
    [{ type: 'snapshot' }, /expected an object|it has no snapshot/],
    [{ type: 'snapshot', snapshot: { ...snapshot, sent: -1 } }, /snapshot\.sent is -1/],
    [{ type: 'snapshot', snapshot: { ...snapshot, sample: 1.5 } }, /sample is 1\.5/],
    [{ type: 'snapshot', snapshot: { ...snapshot, sample: 1e15 } }, /reports sample 1000000000000000 of \d+ ms after -1/],
    [{ type: 'snapshot', snapshot: { ...snapshot, to: 1e300 } }, /reports sample 3 of 1e\+300 ms after -1/],
    [{ type: 'snapshot', snapshot: { ...snapshot, distributions: { ...snapshot.distributions, lag: { ...snapshot.distributions?.lag, buckets: [1e9, 1] } } } }, /lag\.buckets\[0\] is 1000000000/]
  ]
  for (const [message, words] of cases) {
    const transport = ends()
    const run = channelTo(transport)
    const opened = run.channel.open()
    tell(transport, { type: 'ready' })
    await opened
    run.channel.start()
    t.doesNotThrow(() => transport.onMessage(message))
    t.match(run.ends, [{ code: 'AC_WORKER', message: words }], words.source)
    t.strictSame(run.snapshots, [])
  }
})

t.test('a sample that is told of again ends the channel', async t => {
  const transport = ends()
  const run = channelTo(transport)
  run.channel.open()
  tell(transport, { type: 'ready' })
  run.channel.start()
  for (let i = 0; i < 2; i++) tell(transport, { type: 'snapshot', snapshot: encodeSnapshot(snapshotOf()) })
  t.equal(run.snapshots.length, 1)
  t.match(run.ends, [{ code: 'AC_WORKER', message: /^a worker reports sample 3 of \d+ ms after 3, 0 ms after it was opened$/ }])
})

t.test('a snapshot with anything wrong in it is refused, or can be added up', async t => {
  const report = JSON.stringify(encode({ type: 'snapshot', snapshot: encodeSnapshot(snapshotOf()) }))
  /** @type {Array<Array<string>>} */
  const places = []
  const find = (/** @type {any} */ value, /** @type {string[]} */ way) => {
    places.push(way)
    if (typeof value === 'object' && value !== null) for (const key of Object.keys(value)) find(value[key], [...way, key])
  }
  find(JSON.parse(report).snapshot, ['snapshot'])
  t.doesNotThrow(() => fc.assert(fc.property(fc.constantFrom(...places), fc.oneof(fc.jsonValue(), fc.constantFrom({ $: 'undefined' }, { $: 'number', of: 'Infinity' }, -1, 1e300)), (way, wrong) => {
    const message = JSON.parse(report)
    let parent = message
    for (const key of way.slice(0, -1)) parent = parent[key]
    parent[/** @type {string} */ (way.at(-1))] = wrong
    let read
    try {
      read = /** @type {any} */ (readReport(message))
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'AC_WORKER') throw error
      return
    }
    const totals = new Totals()
    totals.add(read.snapshot)
    for (const [key, value] of Object.entries(totals)) if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${key} is ${value}`)
  }), { seed: 17, numRuns: 1000 }))
})

t.test('an order that is none, or a plan too many, ends the host with an error', async t => {
  const open = encode({ type: 'open', plan: planOf({ amount: 1 }) })
  for (const orders of [[null], [5], [{ type: 'constructor' }], [{ $: 'x' }], [{ type: 'open', plan: 5 }], [{ type: 'open' }], [open, open]]) {
    const transport = ends()
    const host = new Host(transport)
    t.teardown(() => host.close())
    for (const order of orders) t.doesNotThrow(() => transport.onMessage(order))
    await new Promise(resolve => setImmediate(resolve))
    const last = transport.sent.at(-1)
    t.equal(last.type, 'end')
    t.ok(last.error instanceof Error, last.error.message)
    t.equal(transport.closed, 1)
    t.equal(transport.sent.filter((/** @type {any} */ { type }) => type === 'end').length, 1)
  }
})
