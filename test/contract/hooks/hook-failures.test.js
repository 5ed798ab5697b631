'use strict'

// What a hook may do wrong: it fails the run with its name, and never the process.

const t = require('tap')
const { types } = require('node:util')
const { inAllModes, withWorkers, run, fixture } = require('../modes')
const { LocalChannel } = require('../../../lib/run/channel-local')
const { RemoteChannel } = require('../../../lib/run/channel-remote')
const { buildPlan } = require('../../../lib/options/plan')
const { validate } = require('../../../lib/options/validate')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { strangePromises, strangeThings } = require('../../helpers/strange')

inAllModes(t, 'a promise where a value is needed fails the run, by name', async (t, mode) => {
  const server = await serve(t, (request, response) => response.end('bad'))
  const hook = mode.hook('failing/async-value.js')
  for (const [opts, name, sent] of [
    [{ verifyBody: hook }, 'verifyBody of the response to request 0', 1],
    [{ verifyBody: hook, idReplacement: true }, 'verifyBody of the response to request 0', 1],
    [{ requests: [{ setupRequest: hook }] }, 'setupRequest of request 0', 0]
  ]) {
    const error = await mode.run({ url: server.url, amount: 10, ...opts }).then(() => t.fail('it has to fail'), (/** @type {any} */ error) => error)
    t.match(error, { code: 'AC_HOOK' })
    t.match(error.message, mode.failure(`${name} returned a promise: `))
    t.equal(error.result.mismatches, 0)
    t.ok(error.result.requests.sent >= sent)
    conserves(t, error.result)
  }
})

t.test('verifyBody is named with the request that was answered', async t => {
  const server = await serve(t, (request, response) => response.end(request.url))
  for (const more of [{}, { idReplacement: true }]) {
    await t.rejects(run({
      url: server.url,
      amount: 10,
      requests: [{ path: '/0' }, { path: '/1' }, { path: '/2' }],
      verifyBody (/** @type {string} */ body) {
        if (body === '/2') throw new Error('not this one')
        return true
      },
      ...more
    }), { code: 'AC_HOOK', message: 'verifyBody of the response to request 2 failed: not this one' })
  }
})

inAllModes(t, 'hooks without a return value may be async functions', async (t, mode) => {
  const server = await serve(t)
  const hook = mode.hook('failing/async-fine.js')
  const result = await mode.run({ url: server.url, amount: 10, setupClient: hook, requests: [{ onResponse: hook }] })
  t.equal(result['2xx'], 10)
  t.strictSame(server.requests.map(request => valuesOf(request, 'x-async')), new Array(10).fill(['yes']))
  conserves(t, result)
})

inAllModes(t, 'what an async hook throws fails the run, by name', async (t, mode) => {
  const server = await serve(t)
  const hook = mode.hook('failing/async-throws.js')
  for (const [opts, name] of [
    [{ setupClient: hook }, 'setupClient of connection 0'],
    [{ requests: [{}, { onResponse: hook }] }, 'onResponse of request 1']
  ]) {
    const error = await mode.run({ url: server.url, duration: 60, ...opts }).then(() => t.fail('it has to fail'), (/** @type {any} */ error) => error)
    t.match(error, { code: 'AC_HOOK', message: `${name} failed: out of order` })
    conserves(t, error.result)
  }
})

t.test('whatever a hook throws, the error says so', async t => {
  const { url } = await serve(t)
  for (const [thrown, words] of [
    [undefined, 'it threw undefined'],
    [null, 'it threw null'],
    ['a word', 'a word'],
    [Symbol('s'), 'it threw Symbol(s)'],
    [Object.create(null), 'it threw [Object: null prototype] {}'],
    [{ message: 5 }, 'it threw { message: 5 }'],
    [new TypeError('of its own'), 'of its own']
  ]) {
    const hook = () => { throw thrown }
    const error = await run({ url, amount: 1, requests: [{ setupRequest: hook }] }).catch((/** @type {any} */ error) => error)
    t.match(error, { code: 'AC_HOOK', message: `setupRequest of request 0 failed: ${words}` })
    t.equal(error.cause, thrown)
  }
})

/** Hooks by what becomes of a failure: options with the hook, and its name. @type {Array<[string, (hook: any) => Record<string, any>]>} */
const HOOKS = [
  ['setupRequest of request 0', setupRequest => ({ requests: [{ setupRequest }] })],
  ['onResponse of request 0', onResponse => ({ requests: [{ onResponse }] })],
  ['verifyBody of the response to request 0', verifyBody => ({ verifyBody })],
  ['setupClient of connection 0', setupClient => ({ setupClient })]
]

/** @type {typeof HOOKS} */
const CHECKS = [
  ['check', check => ({ check })],
  ['check', check => ({ requests: [{ check }] })],
  ['expect', json => ({ expect: { json } })],
  ['expect', json => ({ expect: { json: { a: json } } })]
]

/** @param {any} opts */
const failing = opts => run(opts).then(() => new Error('the run did not fail'), (/** @type {any} */ error) => error)

t.test('whatever a check throws is a failed check, with a reason', async t => {
  const { url } = await serve(t, (request, response) => response.end('{"a":1}'))
  for (const thrown of strangeThings()) {
    for (const [name, opts] of CHECKS) {
      const result = await run({ url, amount: 2, ...opts(() => { throw thrown }) })
      const [check, ...more] = result.checks
      t.match([check.name, check.passed, check.failed, more.length], [name, 0, 2, 0])
      t.strictSame(Object.values(check.reasons), [2], Object.keys(check.reasons)[0])
      conserves(t, result)
    }
  }
})

t.test('whatever another hook throws fails the run, with its code and its name', async t => {
  const { url } = await serve(t)
  for (const thrown of strangeThings()) {
    for (const [name, opts] of HOOKS) {
      const error = await failing({ url, amount: 2, ...opts(() => { throw thrown }) })
      t.match(error, { code: 'AC_HOOK' })
      t.equal(error.message.split(' failed: ')[0], name)
      t.equal(error.cause, thrown)
    }
  }
})

t.test('what looks like a promise and is none fails the run, with its code and its name', async t => {
  const { url } = await serve(t, (request, response) => response.end('{"a":1}'))
  for (const [what, promise] of strangePromises()) {
    for (const [name, opts] of [...HOOKS, /** @type {typeof HOOKS[0]} */ (['check of request 0', check => ({ check })])]) {
      const error = await failing({ url, duration: 60, ...opts(() => promise) })
      t.match(error, { code: 'AC_HOOK' }, what)
      t.equal(error.message.split(/ failed: | returned | has to /)[0], name, what)
    }
    for (const [name, opts] of CHECKS.slice(2)) {
      const result = await run({ url, amount: 2, ...opts(() => promise) })
      t.match(result.checks, [{ name, passed: 0, failed: 2 }], what)
    }
  }
})

t.test('whatever a check returns that is no answer fails the run, with its code and its name', async t => {
  const { url } = await serve(t)
  for (const returned of strangeThings().filter(one => !types.isNativeError(one))) {
    const error = await failing({ url, amount: 2, check: () => returned })
    t.match(error, { code: 'AC_HOOK' })
    t.match(error.message, /^check of request 0 (has to return|returned a promise)/)
  }
})

t.test('whatever setupRequest puts into a request that can not be read fails the run, with its code and its name', async t => {
  const { url } = await serve(t)
  for (const thing of strangeThings().slice(0, -1)) {
    for (const made of [{ method: thing, path: '/' }, { method: 'GET', path: thing }, { method: 'GET', path: '/', headers: { a: thing } }, { method: 'GET', path: '/', body: thing }, { method: 'GET', get path () { throw thing } }]) {
      const error = await failing({ url, amount: 2, requests: [{ setupRequest: () => made }] })
      t.match(error, { code: 'AC_HOOK', message: /^setupRequest of request 0 failed: / })
    }
  }
})

t.test('a module whose export can not be looked at says so', async t => {
  await t.rejects(run({ url: 'http://127.0.0.1:1', verifyBody: fixture('failing/throws-when-looked-at.js') }),
    { code: 'AC_HOOK', message: /^verifyBody: could not load the module '.*throws-when-looked-at\.js': from the proxy$/ })
})

t.test('a setupRequest that returns no request says what it returned', async t => {
  const { url } = await serve(t)
  for (const [made, words] of [
    [5, 'expected it to return the request, or nothing to start over, got 5'],
    [true, 'expected it to return the request, or nothing to start over, got true'],
    ['GET /', "expected it to return the request, or nothing to start over, got 'GET /'"],
    [() => {}, 'expected it to return the request, or nothing to start over, got a function'],
    [{}, 'expected an HTTP method such as GET or POST, got undefined'],
    [{ method: 'GET' }, 'expected a path such as /users?id=1, got undefined'],
    [{ method: 'GET\r\nX: y', path: '/' }, "expected an HTTP method such as GET or POST, got 'GET\\r\\nX: y'"],
    [{ method: 'GET', path: '/', headers: 'nothing' }, 'expected name=value or "name: value", got \'nothing\''],
    [{ method: 'GET', path: '/', headers: { a: 'b\r\nc: d' } }, 'the value of a has a line break or a NUL in it'],
    [{ method: 'GET', path: '/', headers: {}, body: 5 }, 'expected a string or a Buffer, got 5']
  ]) {
    await t.rejects(run({ url, amount: 1, requests: [{ setupRequest: () => made }] }), { code: 'AC_HOOK', message: `setupRequest of request 0 failed: ${words}` })
  }
})

t.test('setRequests takes hooks that are functions only', async t => {
  const { url } = await serve(t)
  await t.rejects(run({ url, amount: 1, setupClient: (/** @type {any} */ client) => client.setRequests([{}, { onResponse: './hook.js' }]) }),
    { code: 'AC_HOOK', message: "setupClient of connection 0 failed: setRequests: onResponse of request 1 has to be a function, got './hook.js'" })
})

inAllModes(t, 'a module that fails while it is loaded fails the run before anything is sent', async (t, mode) => {
  const server = await serve(t)
  await t.rejects(mode.run({ url: server.url, amount: 2, setupClient: fixture('failing/throws-on-load.js') }),
    { code: 'AC_HOOK', message: mode.failure('setupClient: could not load the module .*throws-on-load\\.js\': no licence$') })
  t.equal(server.requests.length, 0)
})

/** @param {any} given */
const planOf = given => buildPlan(validate({ duration: 60, ...given }).values)

/** Takes what a channel tells. */
function listener () {
  /** @type {(error: any) => void} */
  let end = () => {}
  const ended = new Promise(resolve => { end = resolve })
  return { ended, sinks: { snapshot () {}, end: (/** @type {any} */ error) => end(error) }, observer: { response: null, requestError: null, mismatch: null } }
}

t.test('a module that never finishes loading is given up', async t => {
  const { sinks, observer } = listener()
  const plan = planOf({ url: 'http://127.0.0.1:1', verifyBody: fixture('esm/never-loads.mjs') })
  await t.rejects(new LocalChannel(plan, sinks, observer, { loadTimeout: 10 }).open(),
    { code: 'AC_HOOK', message: /^verifyBody: the module '.*never-loads\.mjs' does not finish loading/ })
})

withWorkers(t, 'a hook that does not return is ended with its worker', async (t, mode) => {
  const server = await serve(t)
  const { sinks, observer, ended } = listener()
  // A heartbeat in place of each second; a worker that starts has the time that it has.
  let begun = false
  const beat = (/** @type {() => void} */ action, beats = 0) => setInterval(() => { if (begun || ++beats % 20 === 0) action() }, 50)
  const channel = new RemoteChannel(planOf({ url: server.url, connections: 1, verifyBody: fixture('failing/never-returns.js') }), sinks, observer, mode.startWorker, { setInterval: beat })
  t.teardown(() => channel.close())
  await channel.open()
  begun = true
  channel.start()
  t.match(await ended, { code: 'AC_WORKER', message: /is there a hook that does not return\?$/ })
})
