'use strict'

// What a user function is given, without a run around it.

const t = require('tap')
const { FunctionResponse } = require('../../lib/functions/function-response')
const { Iteration } = require('../../lib/functions/iteration')

/** An iteration whose user keeps what it is asked for. */
function iterationOf ({ draw = () => 0.5, number = 3 } = {}) {
  const rests = []
  const tallies = new Map()
  const counts = { failed: 0 }
  const user = {
    draw,
    number,
    state: { token: 't' },
    random: {},
    pauses: { beginCalled: (iteration, ms) => rests.push(ms) },
    refuse: error => Promise.reject(error),
    runtime: {
      signal: new AbortController().signal,
      onFailedCheck: () => counts.failed++,
      checks: {
        of (name, request) {
          const key = request === null ? name : `${request}: ${name}`
          if (!tallies.has(key)) tallies.set(key, { passed: 0, reasons: [], samples: [], fail (reason, sample) { this.reasons.push(reason); this.samples.push(sample) } })
          return tallies.get(key)
        }
      }
    }
  }
  return { iteration: new Iteration(user, 7, { users: { email: 'a@b' } }, { products: [1] }), rests, tallies, counts }
}

t.test('what can be taken apart', async t => {
  const { iteration: given } = iterationOf()
  const { iteration, data, user, setup, signal, context } = given
  t.strictSame([iteration, user, setup, signal.aborted], [7, { number: 3, state: { token: 't' } }, { products: [1] }, false])
  t.ok(data !== undefined && context !== undefined)
  for (const name of ['http', 'pause', 'check', 'group', 'log', 'random']) t.ok(given[name] !== undefined, name)
})

t.test('a pause has the length that is given, or any in between with both bounds', async t => {
  for (const [args, ms, draw] of [[[1], 1000], [['250ms'], 250], [['1m'], 60_000], [[0], 0], [[0.5], 500], [['1s', '3s'], 2000], [[1, 3], 1000, 0], [[1, 3], 2999.8, 0.9999], [[2, 2], 2000, 0.7], [[2_000_000], 2e9]]) {
    const { iteration, rests } = iterationOf({ draw: () => draw ?? 0.5 })
    iteration.pause(...args)
    t.ok(Math.abs(rests[0] - ms) < 1e-6, `${args}: ${rests[0]} ms`)
  }
  const { iteration, rests } = iterationOf()
  for (const args of [[], ['soon'], [-1], [NaN], [Infinity], [null], [{}], [2_000_001], [1, 'x'], [1, null]]) await t.rejects(iteration.pause(...args), { name: 'TypeError', message: /^pause: expected seconds or a time such as '1s', got / }, String(args))
  await t.rejects(iteration.pause(3, 1), { name: 'TypeError', message: 'pause: expected the shorter time first, got 3 and 1' })
  t.equal(rests.length, 0)
})

t.test('checks are counted by name and request, and all of them are made', async t => {
  const { iteration, tallies, counts } = iterationOf()
  const { check } = iteration
  t.equal(check({ n: 5 }, { big: value => value.n > 4, odd: value => value.n % 2 === 1 }), true)
  t.equal(check({ n: 4 }, { big: value => value.n > 4, odd: value => value.n % 2 === 1 }), false)
  t.strictSame(['big', 'odd'].map(name => [tallies.get(name).passed, tallies.get(name).reasons.length]), [[1, 1], [1, 1]])
  t.equal(counts.failed, 2)
  t.equal(check(null, { value: true, 'also a value': 'x' }), true)
  t.equal(check(null, { zero: 0, empty: '', none: null, nothing: undefined, not: false }), false)
  t.equal(check(null, {}), true)
  t.equal(check(undefined, { throws: value => value.x.y }), false)
  t.match(tallies.get('throws').reasons, [/undefined/])
  for (const checks of [undefined, null, 5, 'x', () => true]) t.throws(() => check(null, checks), { name: 'TypeError', message: /^check: expected an object of functions by name, got/ })
  for (const soon of [async () => true, () => Promise.reject(new Error('x'))]) t.throws(() => check(null, { soon }), { name: 'TypeError', message: /^check 'soon' returned a promise, expected true or false: await the value first, then check it/, stack: /^[^\n]*\n(?! +at Iteration)/ })
})

t.test('a check that failed says what came', async t => {
  const { iteration, tallies } = iterationOf()
  for (const [value, reason] of [[false, 'got false'], [0, 'got 0'], [undefined, 'got undefined'], [null, 'got null'], ['', "got ''"], [NaN, 'got NaN']]) {
    iteration.check({ value }, { [reason]: (/** @type {any} */ given) => given.value })
    t.strictSame(tallies.get(reason).reasons, [reason])
  }
})

t.test('a promise in place of a value lacks its await, and fails no run by its rejection', async t => {
  const { iteration } = iterationOf()
  for (const value of [Promise.resolve(1), Promise.reject(new Error('x'))]) {
    t.throws(() => iteration.check(value, { fine: true }), { name: 'TypeError', message: /^check 'fine': expected a value, got a promise: is an await missing, as in check\(await / })
  }
})

t.test('a check of a response is of its request, and keeps a sample of it', async t => {
  const { iteration, tallies } = iterationOf()
  const answer = new FunctionResponse({ status: 500, ms: 1, ttfb: 1, unpacked: null, rawHeaders: () => [], bytes: () => Buffer.from('no') }, { name: 'login', compressed: false })
  t.equal(iteration.check(answer, { fine: r => r.status === 200 }), false)
  const { samples: [sample] } = tallies.get('login: fine')
  t.match(sample(), { status: 500, body: 'no', truncated: false })
})

t.test('time counts as a pause where nothing but pauses goes on', async t => {
  const { iteration } = iterationOf()
  for (const [at, requests, pauses, paused] of [[0, 1, 0, 0], [10, 0, 1, 0], [20, -1, 0, 0], [30, 0, 1, 10], [40, 0, -1, 20], [50, 1, 0, 30], [60, 0, -1, 30], [70, -1, 0, 30], [80, 0, 0, 30]]) {
    iteration.change(at, requests, pauses)
    t.equal(iteration.paused, paused, `at ${at}`)
  }
})
