'use strict'

// Values that are taken out of answers, and what an iteration does with them.

const t = require('tap')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { cli, start } = require('../../helpers/processes/cli')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { byConnection, fixture, inAllModes, inModesOfUsers, run, told } = require('../modes')

inAllModes(t, 'values of an answer are in the context of the iteration, whatever they are taken from', async (t, mode) => {
  let n = 0
  const server = await serve(t, (request, response) => {
    response.writeHead(201, { Location: `/orders/${n}`, 'Set-Cookie': [`sid=${n}; Path=/`, 'b=2'] })
    response.end(`{"order": ${n++}}`)
  })
  const result = await mode.run({
    url: server.url,
    amount: 8,
    initialContext: { kept: 1 },
    requests: [{
      path: '/order',
      capture: {
        order: 'json order',
        next: 'header location',
        sid: 'cookie sid',
        match: /"order": (\d+)/,
        text: '/ORDER/i',
        code: 'status',
        all: 'body',
        second: mode.hook('capture-second.js'),
        late: { from: 'json late', default: { not: 'yet' } }
      }
    }, { path: '/pay', setupRequest: mode.hook('send-captured.js') }]
  })
  for (const requests of byConnection(server.requests)) {
    t.strictSame(requests.map(({ url }) => url), requests.map((_, i) => ['/order', '/pay'][i % 2]))
    for (const request of requests.filter(({ url }) => url === '/pay')) {
      const { order, ...others } = told(request, 'x-captured')
      t.strictSame(others, { kept: 1, next: `/orders/${order}`, sid: String(order), match: String(order), text: 'order', code: 201, all: `{"order": ${order}}`, second: `${order}}`, late: { not: 'yet' } })
    }
  }
  t.equal(result.checks.length, 9)
  t.ok(result.checks.every(({ name, request, passed, failed }) => /^capture /.test(name) && request === 'GET /order' && passed === 4 && failed === 0))
  conserves(t, result)
})

inModesOfUsers(t, 'an iteration whose value is not there ends, and the answer is a sample', async (t, mode) => {
  const server = await serve(t, (request, response) => { response.end('nothing to see') })
  const result = await mode.run({ url: server.url, amount: 6, requests: [{ name: 'login', capture: { token: 'json auth.token' } }, { path: '/never' }] })
  t.ok(server.requests.every(({ url }) => url === '/'))
  t.match(result.checks, [{ name: 'capture token', request: 'login', passed: 0, failed: 6, reasons: { 'the body is not JSON': 6 }, samples: { 'the body is not JSON': { status: 200, body: 'nothing to see' } } }])
  t.equal(result.failures, 6)
  t.strictSame([result.iterations.started, result.iterations.completed, result.iterations.cutBy], [6, 0, { 'capture token': 6 }])
  conserves(t, result)
})

inAllModes(t, 'a user logs in once, and goes on with its token and its cookie in all iterations', async (t, mode) => {
  let n = 0
  const server = await serve(t, (request, response) => {
    if (request.url === '/login') response.setHeader('Set-Cookie', `sid=${n}`)
    response.end(request.url === '/login' ? `{"token": ${n++}}` : 'ok')
  })
  const result = await mode.run({
    url: server.url,
    amount: 22,
    cookies: true,
    scenarios: [{ name: 'shop', requests: [{ path: '/login', once: true, capture: { token: 'json token' } }, { path: '/a/{{token}}' }, { path: '/b', setupRequest: mode.hook('send-captured.js') }] }]
  })
  const connections = byConnection(server.requests)
  t.equal(connections.length, 2)
  for (const [login, ...others] of connections) {
    const sid = valuesOf(others[0], 'cookie')[0]
    t.strictSame([login.url, valuesOf(login, 'cookie')], ['/login', []])
    t.strictSame(others.map(({ url }) => url), others.map((_, i) => i % 2 === 0 ? `/a/${sid.slice(4)}` : '/b'))
    for (const request of others) t.strictSame(valuesOf(request, 'cookie'), [sid])
    for (const request of others.filter(({ url }) => url === '/b')) t.equal(told(request, 'x-captured').token, Number(sid.slice(4)))
  }
  t.equal(n, 2)
  t.match(result.iterations, { started: 10, completed: 10, cut: 0 })
  conserves(t, result)
})

inModesOfUsers(t, 'a captured value stays data wherever it is put in', async (t, mode) => {
  const evil = 'a b/../"\\?#\u2028é{{id}}'
  const server = await serve(t, (request, response) => { response.end(JSON.stringify({ evil, split: 'x\r\nX-Evil: 1', list: [{ id: 1 }] })) })
  const result = await mode.run({
    url: server.url,
    amount: 8,
    headers: { 'content-type': 'application/json' },
    requests: [
      { path: '/take', capture: { evil: 'json evil', split: 'json split', list: 'json list' } },
      { path: '/put/{{evil}}', method: 'POST', headers: { 'x-list': '{{list}}' }, body: '{"evil": "{{evil}}", "list": {{{list}}}, "split": "{{split}}"}' },
      { path: '/split', headers: { 'x-split': '{{split}}' } }
    ]
  })
  const put = server.requests.filter(({ method }) => method === 'POST')
  t.equal(put.length, 4)
  for (const { url, body, rawHeaders } of put) {
    t.equal(url, `/put/${encodeURIComponent(evil)}`)
    t.strictSame(JSON.parse(body), { evil, list: [{ id: 1 }], split: 'x\r\nX-Evil: 1' })
    t.strictSame(valuesOf({ rawHeaders }, 'x-list'), ['[{"id":1}]'])
  }
  t.notOk(server.requests.some(request => request.url === '/split' || valuesOf(request, 'x-evil').length > 0))
  t.match(result.iterations, { completed: 0, cutBy: { value: 4 - result.iterations.unfinished } })
  conserves(t, result)
})

inModesOfUsers(t, 'lists of a response: all, the last, how many, one at random, and an attribute of HTML', async (t, mode) => {
  const page = '<form><input name="csrf" value="a&amp;b"></form><a href="/item/1">1</a><a href="/item/2">2</a><a href="/item/3">3</a>'
  const server = await serve(t, (request, response) => {
    response.end(request.url === '/list' ? '{"items":[{"id":9007199254740993},{"id":2},{"id":3}],"empty":[]}' : page)
  })
  const opts = {
    url: server.url,
    amount: 40,
    seed: 7,
    requests: [
      { path: '/list', capture: { ids: 'json items[*].id', last: 'json items[-1].id', count: 'json items.length', one: 'json items[*].id pick random', none: { from: 'json empty', pick: 'random', default: 'nothing' } } },
      { path: '/page', capture: { csrf: "html 'input[name=csrf]' attr value", links: { from: '/href="\\/item\\/(\\d+)"/', all: true }, link: "html 'a' attr href pick random" } },
      { path: '/a/{{one}}/{{last}}/{{count}}/{{none}}/{{ids[0]}}/{{ids[-1]}}/{{ids.length}}/{{links[-1]}}/{{csrf}}' },
      { path: '{{{link}}}', headers: { 'x-list': '{{ids}}', 'x-pick': '{{pick ids}}' } }
    ]
  }
  const result = await mode.run(opts)
  const urls = server.requests.map(({ url }) => String(url)).filter(url => url.startsWith('/a/'))
  t.equal(urls.length, 10)
  for (const url of urls) t.match(url, /^\/a\/(9007199254740993|2|3)\/3\/3\/nothing\/9007199254740993\/3\/3\/3\/a%26b$/)
  t.ok(new Set(urls).size > 1, 'not always the same one')
  const items = server.requests.filter(({ url }) => /^\/item\/[123]$/.test(String(url)))
  t.equal(items.length, 10)
  for (const item of items) {
    t.strictSame(valuesOf(item, 'x-list'), ['[9007199254740993,2,3]'])
    t.match(valuesOf(item, 'x-pick')[0], /^(9007199254740993|2|3)$/)
  }
  t.equal(result.checks.every((/** @type {any} */ { failed }) => failed === 0), true)
  conserves(t, result)

  server.requests.length = 0
  await mode.run(opts)
  t.strictSame(server.requests.map(({ url }) => String(url)).filter(url => url.startsWith('/a/')).sort(), urls.sort(), 'the seed decides')
})

inModesOfUsers(t, 'an empty list to pick from aborts the iteration', async (t, mode) => {
  const server = await serve(t, (request, response) => { response.end('{"items":[]}') })
  const result = await mode.run({ url: server.url, amount: 6, requests: [{ name: 'list', capture: { item: 'json items[*].id pick random' } }, { path: '/never' }] })
  t.ok(server.requests.every(({ url }) => url === '/'))
  t.match(result.checks, [{ name: 'capture item', request: 'list', failed: 6, reasons: { 'the list to pick from is empty': 6 } }])
  t.strictSame([result.iterations.started, result.iterations.cutBy], [6, { 'capture item': 6 }])
  conserves(t, result)
})

t.test('html uses the cheerio beside the config, also in a worker', { buffered: true }, async t => {
  const { url, requests: seen } = await serve(t, (request, response) => { response.end('<title>shop</title>') })
  const cheerio = `const { load } = require(${JSON.stringify(require.resolve('cheerio'))}); exports.load = (text, ...more) => load(text.replace('shop', 'beside'), ...more)`
  const requests = [{ path: '/', capture: { title: 'html title' } }, { path: '/{{title}}' }]
  const folder = t.testdir({ elsewhere: {}, project: { 'a.json': JSON.stringify({ url, requests }), node_modules: { cheerio: { 'index.js': cheerio } } } })
  for (const args of [[], ['-w', '1']]) {
    const { code, stderr } = await start(['--config', path.join(folder, 'project', 'a.json'), '-a', '4', '-c', '1', ...args], { cwd: path.join(folder, 'elsewhere') }).ended
    t.equal(code, 0, stderr)
    t.strictSame(seen.splice(0).map(({ url }) => url), ['/', '/beside', '/', '/beside'])
  }
})

t.test('html without cheerio is one line before the first request, also in a worker', { buffered: true }, async t => {
  const server = await serve(t, (request, response) => { response.end('<p>') })
  const folder = t.testdir({ 'a.json': JSON.stringify({ url: server.url, requests: [{ capture: { title: 'html h1' } }] }) })
  for (const args of [[], ['-w', '1']]) {
    const { code, stderr } = await cli(['--config', path.join(folder, 'a.json'), '-a', '1', '-c', '1', ...args], { preload: require.resolve('../../helpers/processes/without-cheerio') })
    t.equal(code, 2)
    t.match(stderr, /^autocannon: the config '.*a\.json', line 1: requests\[0\]\.capture\.title: html needs the package cheerio, which is not installed: npm install cheerio\n/)
  }
  t.equal(server.requests.length, 0)
})

t.test('functions that can not travel are refused with their place', async t => {
  const capture = { token: () => 1 }
  await t.rejects(run({ url: 'http://127.0.0.1:1', workers: 1, requests: [{ capture }] }), { message: /^requests\[0\]\.capture\.token: a function does not reach a worker thread/ })
  await t.rejects(run({ url: 'http://127.0.0.1:1', scenarios: [{ requests: [{ capture: { token: 'jsn a' } }] }] }), { message: /^scenarios\[0\]\.requests\[0\]\.capture\.token: expected 'json user\.id'/ })
  await t.rejects(run({ url: 'http://127.0.0.1:1', data: { users: { rows: [{ a: 1 }] } }, requests: [{ capture: { users: 'body' } }] }), { message: /^data and requests\[0\]\.capture both have users: rename one of them/ })
  await t.rejects(run({ url: 'http://127.0.0.1:1', requests: [{ path: '/{{token}}' }, { capture: { token: 'body' } }] }), { message: /^requests\[0\]\.path/ })
  await t.rejects(run({ url: 'http://127.0.0.1:1', pipelining: 2, requests: [{ capture: { token: 'body' } }] }), { message: /^pipelining and requests: a user waits for each response/ })
  await t.rejects(run({ url: 'http://127.0.0.1:1', requests: [{ capture: { token: fixture('nowhere.js') } }] }), { code: 'AC_HOOK', message: /^capture token of request 0: could not load the module/ })
})

inAllModes(t, 'of a body that is too long, or has no end, no more is kept than checks and captures look at', async (t, mode) => {
  const long = Buffer.alloc(17 * 1024 * 1024, 'a')
  const { url } = await serve(t, (request, response) => {
    response.on('error', () => {})
    if (request.url === '/long') return response.end(long)
    const more = () => { while (!response.destroyed && response.write(long.subarray(0, 65_536))); }
    response.on('drain', more)
    more()
  })
  const capture = { value: '/(b)/' }
  const result = await mode.run({ url, amount: 2, scenarios: [{ name: 'a', requests: [{ path: '/long', expect: { status: 200 }, capture }, { path: '/never' }] }] })
  t.strictSame(result.checks.map(({ name, passed, failed, reasons }) => [name, passed, failed, reasons]), [
    ['expect', 0, 2, { 'the body has more than 16 MiB': 2 }], ['capture value', 0, 2, { 'the body has more than 16 MiB': 2 }]
  ])
  t.match(result.byScenario.a, { started: 2, cut: 2, cutBy: { 'capture value': 2 } })
  t.equal(result.checks[1].samples['the body has more than 16 MiB'].truncated, true)
  conserves(t, result)

  const endless = await mode.run({ url, duration: 0.7, timeout: 0.3, scenarios: [{ name: 'a', requests: [{ path: '/endless', capture }] }] })
  t.ok(endless.byScenario.a.cutBy.AC_TIMEOUT > 0)
  conserves(t, endless)
})

inAllModes(t, 'a pattern over a body that makes it backtrack does not hold up the end of the run', async (t, mode) => {
  const { url } = await serve(t, (request, response) => response.writeHead(200, { x: 'a'.repeat(5000) }).end('a'.repeat(100_000)))
  const hostile = /^(a+)+b/
  const result = await mode.run({ url, duration: 0.6, requests: [{ capture: { value: '/(a+)+b/' }, expect: { body: hostile } }, { expect: { headers: { x: hostile } } }] })
  t.ok(result['2xx'] > 1)
  t.ok(result.checks.every(({ passed, failed }) => passed === 0 && failed > 0))
  t.ok(result.duration < 10, 'V8 would take longer than the universe has existed')
  conserves(t, result)
})

t.test('nor does it hold up Ctrl-C', async t => {
  const { url, requests } = await serve(t, (request, response) => response.end('a'.repeat(100_000)))
  const file = path.join(t.testdir({ 'run.yaml': 'requests: [{ expect: { body: /(a+)+b/ } }]' }), 'run.yaml')
  const running = start(['--config', file, '-c', '1', '-d', '60', '--json', url])
  // The one connection asks again behind a response that was checked.
  while (requests.length < 3) await sleep(10)
  running.kill('SIGINT')
  const { stdout } = await running.ended
  t.ok(JSON.parse(stdout).checks[0].failed > 0)
})

t.test('a pattern that has no linear form is refused when it is read', async t => {
  const reason = "'/(?=a)b/' is not supported: lookahead (?=…) has no form that runs in linear time. Use a function of the response in a JavaScript config instead"
  await t.rejects(run({ url: 'http://127.0.0.1:1', requests: [{ capture: { token: '/(?=a)b/' } }] }), { code: 'AC_OPTIONS', message: `requests[0].capture.token: ${reason}` })
  for (const args of [['--expect-header', 'x=/(?=a)b/'], ['--config', path.join(t.testdir({ 'run.json': JSON.stringify({ expect: { body: '/(?=a)b/' } }) }), 'run.json')]]) {
    const { code, stderr, stdout } = await cli([...args, 'http://127.0.0.1:1'])
    t.equal(code, 2)
    t.ok(stderr.includes(reason), stderr)
    t.equal(stdout, '')
  }
})
