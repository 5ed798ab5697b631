'use strict'

const t = require('tap')
const { EventEmitter, once } = require('node:events')
const path = require('node:path')
const autocannon = require('../..')
const { OptionsError } = require('../../lib/core/errors')
const { Instance } = require('../../lib/run/instance')
const { Running } = require('../helpers/processes/cli')
const { serve, closedPort } = require('../helpers/servers/http-server')
const { conserves } = require('../helpers/results/conservation')

const ROOT = path.join(__dirname, '../..')
const turn = () => new Promise(resolve => setImmediate(resolve))

/** @param {string} script CommonJS; `autocannon` is there */
const script = script =>
  new Running(process.execPath, ['-e', `const autocannon = require(${JSON.stringify(ROOT)})\n${script}`], {}).ended

t.test('an instance is an emitter and, without a callback, a promise', async t => {
  const { url } = await serve(t)
  const instance = autocannon({ url, amount: 1, connections: 1 })
  t.ok(instance instanceof EventEmitter && instance instanceof Instance)
  for (const name of ['then', 'catch', 'finally', 'stop']) t.type(/** @type {any} */ (instance)[name], 'function')
  let last = false
  const result = await instance.finally(() => { last = true })
  t.equal(last, true)
  t.equal(result['2xx'], 1)
  t.equal(await instance, result, 'it may be awaited more than once')
  conserves(t, result)
})

t.test('a callback takes the place of the promise', async t => {
  const { url } = await serve(t)
  /** @type {any[][]} */
  const calls = []
  await new Promise(resolve => {
    const instance = autocannon({ url, amount: 3, connections: 1 }, (...args) => {
      calls.push(args)
      resolve(undefined)
    })
    t.strictSame([instance.then, instance.catch, instance.finally], [undefined, undefined, undefined])
    t.strictSame(calls, [], 'never called within the call')
  })
  await turn()
  t.equal(calls.length, 1)
  const [[error, result]] = calls
  t.equal(error, null)
  t.equal(result.requests.total, 3)
  conserves(t, result)
})

t.test('errors of the set-up', async t => {
  const url = 'http://localhost:1'
  /** @type {Array<[title: string, opts: any, message: RegExp]>} */
  const cases = [
    ['no options', undefined, /^expected an object of options, got undefined$|^a URL is required/],
    ['null', null, /^expected an object of options, got null$|^a URL is required/],
    ['no URL', {}, /^a URL is required/],
    ['a URL that is none', { url: 'foo://' }, /^url: 'foo:\/\/' has the protocol foo/],
    ['a bad value', { url, connections: -1 }, /^connections: expected a whole number/],
    ['two bad values', { url, connections: -1, duration: 'x' }, /^connections: [^\n]*\nduration: [^\n]*$/]
  ]
  for (const [title, opts, message] of cases) {
    t.test(title, async t => {
      /** @type {any[][]} */
      const calls = []
      t.doesNotThrow(() => autocannon(opts, (...args) => calls.push(args)), 'does not throw')
      t.strictSame(calls, [], 'does not call back within the call')
      await turn()
      await turn()
      t.equal(calls.length, 1, 'calls back once')
      t.ok(calls[0][0] instanceof OptionsError)
      t.match(calls[0][0].message, message)
      t.equal(calls[0][0].code, 'AC_OPTIONS')
      t.equal(calls[0][1], undefined)

      /** @type {any} */
      let instance
      t.doesNotThrow(() => { instance = autocannon(opts) })
      const error = await instance.then(() => null, (/** @type {Error} */ error) => error)
      t.ok(error instanceof OptionsError, 'rejects')
      t.match(error.message, message)

      const emitter = autocannon(opts)
      /** @type {any[]} */
      const events = []
      for (const name of ['start', 'tick', 'done', 'error']) emitter.on(name, value => events.push([name, value?.code]))
      await turn()
      await turn()
      t.strictSame(events, [['error', 'AC_OPTIONS']], 'emits error and nothing else')
    })
  }

  t.test('a hook that can not be loaded', async t => {
    const server = await serve(t)
    const opts = { url: server.url, amount: 1, setupClient: path.join(ROOT, 'nowhere.js') }
    await t.rejects(Promise.resolve(autocannon(opts)), /setupClient.*nowhere\.js/)
    t.match(await new Promise(resolve => autocannon(opts, resolve)), /setupClient.*nowhere\.js/)
    t.equal(server.requests.length, 0)
  })
})

t.test('an error does not end the process of the caller', async t => {
  /** @type {Array<[title: string, script: string, stdout: string]>} */
  const cases = [
    ['only a listener of error', "autocannon({}).on('error', ({ code }) => console.log(code))", 'AC_OPTIONS\n'],
    ['only a callback', 'autocannon({}, ({ code }) => console.log(code))', 'AC_OPTIONS\n'],
    ['a callback and a listener of error', "autocannon({}, ({ code }) => console.log(code)).on('error', ({ code }) => console.log(code))", 'AC_OPTIONS\nAC_OPTIONS\n'],
    ['a promise and a listener of error', "autocannon({}).on('error', () => console.log('event')).catch(() => console.log('rejected'))", 'event\nrejected\n']
  ]
  await Promise.all(cases.map(async ([title, text, stdout]) => {
    t.strictSame(await script(text), { code: 0, signal: null, stdout, stderr: '' }, title)
  }))
})

t.test('an error without a listener is not swallowed: it is an unhandled rejection', async t => {
  const { code, stderr } = await script('autocannon({})')
  t.equal(code, 1)
  t.match(stderr, 'AC_OPTIONS')
})

t.test('what a user throws is not taken for an error of the run', async t => {
  t.test('in a callback', async t => {
    const { url } = await serve(t)
    const { code, stdout, stderr } = await script(`
      autocannon({ url: '${url}', amount: 1, connections: 1 }, error => {
        console.log('called', error)
        throw new Error('of the user')
      })`)
    t.equal(stdout, 'called null\n', 'called once')
    t.not(code, 0)
    t.match(stderr, 'of the user')
  })

  t.test('in a listener', async t => {
    const { url } = await serve(t)
    for (const event of ['start', 'tick', 'response', 'done']) {
      const { code, stderr } = await script(`
        autocannon({ url: '${url}', amount: 1, connections: 1 }).on('${event}', () => {
          throw new Error('of the user')
        })`)
      t.not(code, 0, event)
      t.match(stderr, 'of the user', event)
    }
  })
})

t.test('events come in order, and ticks add up', async t => {
  const { url } = await serve(t)
  const instance = autocannon({ url, connections: 2, duration: 1.2, sampleInt: 100 })
  /** @type {string[]} */
  const events = []
  /** @type {any[]} */
  const ticks = []
  let responses = 0
  instance.on('start', () => events.push('start'))
  instance.on('tick', tick => {
    events.push('tick')
    ticks.push(tick)
  })
  instance.on('response', (client, status, size, ms) => {
    if (responses++ === 0) {
      events.push('response')
      t.strictSame([status, typeof size, typeof ms], [200, 'number', 'number'])
    }
  })
  const done = once(instance, 'done')
  t.strictSame(events, [], 'nothing happens within the call')
  const result = await instance
  t.equal((await done)[0], result)
  events.push('resolved')

  t.equal(events[0], 'start')
  t.equal(events[1], 'response')
  t.strictSame(events.slice(2), [...Array(ticks.length).fill('tick'), 'resolved'])
  t.ok(ticks.length >= 4, `${ticks.length} ticks`)
  for (const { counter, bytes } of ticks) t.ok(Number.isInteger(counter) && Number.isInteger(bytes) && counter >= 0 && bytes >= counter)
  t.equal(ticks.reduce((sum, { counter }) => sum + counter, 0), result.requests.total)
  t.equal(ticks.reduce((sum, { bytes }) => sum + bytes, 0), result.throughput.total)
  t.equal(responses, result.requests.total)
  conserves(t, result)
})

t.test('reqError tells each error', async t => {
  const port = await closedPort()
  const instance = autocannon({ url: `http://127.0.0.1:${port}`, amount: 6, connections: 2 })
  /** @type {string[]} */
  const codes = []
  instance.on('reqError', error => codes.push(error.code))
  const result = await instance
  t.strictSame(codes, Array(6).fill('ECONNREFUSED'))
  t.equal(result.errors, 6)
  conserves(t, result, { neverSent: 6 })
})

t.test('stop', async t => {
  t.test('before the start sends nothing and is done', async t => {
    const server = await serve(t)
    const instance = autocannon({ url: server.url, duration: 60 })
    /** @type {string[]} */
    const events = []
    for (const name of ['start', 'done', 'error']) instance.on(name, () => events.push(name))
    instance.stop()
    const result = await instance
    t.equal(events.at(-1), 'done')
    t.notOk(events.includes('error'))
    t.equal(result.requests.total, 0)
    t.equal(server.requests.length, 0)
    conserves(t, result)
  })

  t.test('ends the run with what was measured', async t => {
    const server = await serve(t)
    const instance = autocannon({ url: server.url, connections: 3, duration: 60 })
    let left = 20
    instance.on('response', () => {
      if (--left === 0) instance.stop()
    })
    const result = await instance
    t.ok(result.requests.total >= 20 && result.requests.total < 40, `${result.requests.total} requests`)
    t.ok(result.duration < 60)
    conserves(t, result)
  })

  t.test('may be called again and again', async t => {
    const server = await serve(t)
    const instance = autocannon({ url: server.url, connections: 1, duration: 60 })
    let done = 0
    instance.on('done', () => done++)
    await once(instance, 'start')
    for (let i = 0; i < 3; i++) instance.stop()
    const result = await instance
    instance.stop()
    await turn()
    t.equal(done, 1)
    conserves(t, result)
  })

  t.test('after the end does nothing', async t => {
    const server = await serve(t)
    const instance = autocannon({ url: server.url, connections: 1, amount: 2 })
    const result = await instance
    instance.stop()
    t.equal(await instance, result)
    t.equal(server.requests.length, 2)
  })

  t.test('of a run that could not start does nothing', async t => {
    const instance = autocannon(/** @type {any} */ ({}))
    instance.stop()
    await t.rejects(Promise.resolve(instance), OptionsError)
    instance.stop()
  })
})

t.test('opts', async t => {
  const { url } = await serve(t)
  const given = Object.freeze({ url, amount: 1, connections: '1', headers: Object.freeze({ a: 'b' }) })
  const instance = autocannon(/** @type {any} */ (given))
  await instance
  t.strictSame(given, { url, amount: 1, connections: '1', headers: { a: 'b' } }, 'what is given stays as it is')
  t.equal(instance.opts.connections, 1, 'has typed values')
  t.equal(instance.opts.pipelining, 1, 'has defaults')

  const form = { field: { type: 'text', value: 'x' } }
  const thresholds = ['p99 < 10s', { threshold: 'errors == 0', abortOn: true }]
  const expect = { status: 200, headers: { 'x-a': /b/ } }
  const requests = [{ path: '/a', expect: { status: '2xx' } }]
  const all = autocannon({ url, amount: '1', connections: 1, duration: '1m', headers: ['a: b'], form, thresholds, expect, requests, percentiles: '99,50', warmup: undefined, method: null })
  await all
  for (const [name, value] of Object.entries({ form, thresholds, expect, requests })) t.equal(all.opts[name], value, `${name} is as it was given`)
  t.match(all.opts, { url: [url], amount: 1, duration: 60, headers: ['a: b'], percentiles: '99,50', method: 'POST' })
  t.notOk('json' in all.opts, 'has no options of the command line')
})

t.test('two runs at once know nothing of each other', async t => {
  const servers = [await serve(t), await serve(t, (request, response) => {
    response.statusCode = 404
    response.end('a longer body')
  })]
  const instances = [
    autocannon({ url: servers[0].url, amount: 30, connections: 2, method: 'POST', body: 'one', headers: { a: '1' } }),
    autocannon({ url: servers[1].url, amount: 50, connections: 3, pipelining: 2, title: 'two' })
  ]
  let responses = 0
  instances[1].on('response', () => responses++)
  const [one, two] = await Promise.all(instances)
  t.strictSame([one['2xx'], one['4xx'], one.connections, one.title], [30, 0, 2, undefined])
  t.strictSame([two['2xx'], two['4xx'], two.connections, two.title], [0, 50, 3, 'two'])
  t.equal(responses, 50, 'events of one are not those of the other')
  t.strictSame(servers.map(({ requests }) => requests.length), [30, 50])
  t.strictSame([...new Set(servers.map(({ requests }) => requests[0].method))], ['POST', 'GET'])
  conserves(t, one)
  conserves(t, two)

  instances[0].stop()
  const third = autocannon({ url: servers[0].url, duration: 60, connections: 1 })
  const fourth = autocannon({ url: servers[0].url, amount: 5, connections: 1 })
  await once(third, 'start')
  third.stop()
  t.equal((await fourth)['2xx'], 5, 'to stop one stops no other')
  await third
})

t.test('an unknown option is warned of and ignored', async t => {
  const { url } = await serve(t)
  const warned = once(process, 'warning')
  const result = await autocannon(/** @type {any} */ ({ url, amount: 1, connections: 1, xylophone: 5 }))
  const [warning] = await warned
  t.equal(warning.message, "autocannon: unknown option 'xylophone'")
  t.equal(result['2xx'], 1)
})

t.test('nothing is written to stdout or stderr, and nothing keeps the process', async t => {
  const { url } = await serve(t)
  t.strictSame(await script(`autocannon({ url: '${url}', duration: 0.3, sampleInt: 100 })`), { code: 0, signal: null, stdout: '', stderr: '' })
  t.strictSame(await script(`autocannon({ url: '${url}', amount: 5 }, () => {})`), { code: 0, signal: null, stdout: '', stderr: '' })
  const tracked = await script(`autocannon.track(autocannon({ url: '${url}', amount: 5 }))`)
  t.equal(tracked.code, 0)
  t.equal(tracked.stdout, '', 'track writes to stderr')
  t.match(tracked.stderr, '5 requests in')
})

t.test('it never ends the process', async t => {
  const { url } = await serve(t)
  const { code, stdout } = await script(`
    autocannon({ url: '${url}', amount: 1, connections: 1 }).then(() => {
      process.exitCode = 7
      setTimeout(() => console.log('still here'), 20)
    })`)
  t.equal(stdout, 'still here\n')
  t.equal(code, 7)
})

t.test('imports cleanly from ESM', async t => {
  const { url } = await serve(t)
  const dir = t.testdir({
    'main.mjs': `
      import autocannon, { track, printResult } from ${JSON.stringify(path.join(ROOT, 'index.js'))}
      import * as all from ${JSON.stringify(path.join(ROOT, 'index.js'))}
      const instance = autocannon({ url: '${url}', amount: 2, connections: 1 })
      const lines = []
      track(instance, { renderProgressBar: false, outputStream: { write: text => lines.push(text) } })
      const result = await instance
      console.log(JSON.stringify({
        ok: result['2xx'],
        tracked: lines.join('').includes('2 requests in'),
        printed: printResult(result).includes('2 requests in'),
        names: Object.keys(all).filter(name => typeof all[name] === 'function').sort()
      }))`
  })
  const { code, stdout, stderr } = await new Running(process.execPath, [path.join(dir, 'main.mjs')], {}).ended
  t.equal(code, 0, stderr)
  const { names, ...rest } = JSON.parse(stdout)
  t.strictSame(rest, { ok: 2, tracked: true, printed: true })
  for (const name of Object.keys(autocannon)) t.ok(names.includes(name), `${name} can be imported by its name`)
})
