'use strict'

// What is sent for the flags that curl, hey and oha have, too; which flag is which option is in args.test.js.

const t = require('tap')
const path = require('node:path')
const { cli, shell } = require('../helpers/processes/cli')
const { serve, valuesOf } = require('../helpers/servers/http-server')

/** @param {any} request */
const sent = request => ({ method: request.method, body: request.body, type: valuesOf(request, 'content-type'), auth: valuesOf(request, 'authorization'), agent: valuesOf(request, 'user-agent') })

const NOTHING = { method: 'GET', body: '', type: [], auth: [], agent: [] }
const FORM = ['application/x-www-form-urlencoded']
const JSON_TYPE = ['application/json']

t.test('the flags of curl do what they do there', async t => {
  const server = await serve(t)
  const dir = t.testdir({ 'json.json': JSON.stringify({ jsonBody: { a: [1, null] } }), 'body.json': '{"from":"a file"}\n', 'a.json': JSON.stringify({ user: 'c:d', userAgent: 'config/1', data: ['x=1', 'y=2'], http1: true }), 'headers.json': JSON.stringify({ headers: { Authorization: 'config', 'User-Agent': 'config', 'Content-Type': 'x/y' } }), 'users.csv': 'name\n"a&b"\n', 'more.ndjson': '"c d"\n', 'data.json': JSON.stringify({ data: { users: 'users.csv' }, method: 'PUT', body: '{{users.name}}' }) })
  const file = path.join(dir, 'body.json')
  const users = 'users=' + path.join(dir, 'users.csv')
  for (const [argv, expected] of /** @type {Array<[string[], Partial<typeof NOTHING>]>} */ ([
    [['-b', '@' + file, '-X', 'POST'], { method: 'POST', body: '{"from":"a file"}\n' }],
    [['--body-raw', '@' + file, '--request', 'PUT'], { method: 'PUT', body: '@' + file }],
    [['--data', 'a=1'], { method: 'POST', body: 'a=1', type: FORM }],
    [['--data', '{"a":1}', '-H', 'Content-Type: application/json', '-X', 'PATCH'], { method: 'PATCH', body: '{"a":1}', type: ['application/json'] }],
    [['--data', 'a=1', '--data', '@' + file], { method: 'POST', body: 'a=1&{"from":"a file"}\n', type: FORM }],
    [['--data', users, '--data', 'a={{users.name}}', '--data', 'b=1'], { method: 'POST', body: 'a=a%26b&b=1', type: FORM }],
    [['--data', users, '--json-body', '{"a":"{{users.name}}","n":{{counter}}}'], { method: 'POST', body: '{"a":"a&b","n":1}', type: JSON_TYPE }],
    [['--data', users, '--body-raw', '{{users.name}}'], { body: '{{users.name}}' }],
    [['--config', path.join(dir, 'data.json')], { method: 'PUT', body: 'a&b' }],
    [['--config', path.join(dir, 'data.json'), '--data', 'more=' + path.join(dir, 'more.ndjson'), '--data', '{{users.name}} {{more}}'], { method: 'PUT', body: 'a%26b c+d', type: FORM }],
    [['--json-body', '{ "a": 1 }'], { method: 'POST', body: '{ "a": 1 }', type: JSON_TYPE }],
    [['--json-body', '@' + file, '-X', 'PUT', '-H', 'content-type: application/vnd.api+json'], { method: 'PUT', body: '{"from":"a file"}\n', type: ['application/vnd.api+json'] }],
    [['--json-body', '"[<id>]"', '--json-body', '[]'], { method: 'POST', body: '[]', type: JSON_TYPE }],
    [['--config', path.join(dir, 'json.json')], { method: 'POST', body: '{"a":[1,null]}', type: JSON_TYPE }],
    [['--config', path.join(dir, 'json.json'), '--json-body', '2'], { method: 'POST', body: '2', type: JSON_TYPE }],
    [['-u', 'user:p:w'], { auth: ['Basic ' + Buffer.from('user:p:w').toString('base64')] }],
    [['-A', 'me/1'], { agent: ['me/1'] }],
    [['--http1.1', '-k'], {}],
    [['--config', path.join(dir, 'a.json')], { method: 'POST', body: 'x=1&y=2', type: FORM, auth: ['Basic ' + Buffer.from('c:d').toString('base64')], agent: ['config/1'] }],
    [['--config', path.join(dir, 'a.json'), '-b', 'mine', '-m', 'PUT'], { method: 'PUT', body: 'mine', auth: ['Basic ' + Buffer.from('c:d').toString('base64')], agent: ['config/1'] }],
    [['--config', path.join(dir, 'headers.json')], { type: ['x/y'], auth: ['config'], agent: ['config'] }],
    [['--config', path.join(dir, 'headers.json'), '-u', 'e:f', '-A', 'flag/1'], { type: ['x/y'], auth: ['Basic ' + Buffer.from('e:f').toString('base64')], agent: ['flag/1'] }],
    [['--config', path.join(dir, 'a.json'), '-H', 'authorization: flag', '-H', 'user-agent: flag/2', '-b', 'x'], { body: 'x', auth: ['flag'], agent: ['flag/2'] }]
  ])) {
    const { length } = server.requests
    const { code, stderr } = await cli(['-j', '-c', '1', '-a', '1', ...argv, server.url])
    t.equal(code, 0, `${argv.join(' ')}: ${stderr}`)
    t.strictSame(server.requests.slice(length).map(sent), [{ ...NOTHING, ...expected }], argv.join(' '))
  }
})

t.test('--disable-keepalive makes a new connection for each request', async t => {
  const server = await serve(t)
  const { code } = await cli(['-j', '-c', '1', '-a', '5', '--disable-keepalive', server.url])
  t.equal(code, 0)
  t.equal(server.connections, 5)
})

t.test('-b @- and -i - are standard input', { skip: process.platform === 'win32' && 'no shell' }, async t => {
  const server = await serve(t)
  for (const flags of ['-b @-', '-i -', '--json-body @-']) {
    const { length } = server.requests
    const { code, stderr } = await shell(`printf '"hello"' | $AUTOCANNON -j -c 1 -a 1 -m POST ${flags} ${server.url}`)
    t.equal(code, 0, stderr)
    t.equal(server.requests[length]?.body, '"hello"', flags)
  }
})

t.test('--json-body says where a text is no JSON, and is the only body', async t => {
  const dir = t.testdir({ 'bad.json': '{\n  "a": 1,\n}' })
  for (const [argv, problem] of /** @type {Array<[string[], string]>} */ ([
    [['--json-body', '{"a":1'], '--json-body: the text is not valid JSON: it ends too early, line 1, column 7'],
    [['--json-body', "{'a':1}"], '--json-body: the text is not valid JSON: unexpected "\'", line 1, column 2'],
    [['--json-body', '@' + path.join(dir, 'bad.json')], `--json-body: the file '${path.join(dir, 'bad.json')}' is not valid JSON: unexpected "}", line 3, column 1`],
    [['--json-body', '@'], '--json-body: expected the path of a file after the @, or - for standard input, got none'],
    [['--json-body', '1', '-b', '2'], '-b/--body and --json-body each give a body: use one of them']
  ])) t.match(await cli([...argv, 'http://127.0.0.1:1']), { code: 2, stdout: '', stderr: `autocannon: ${problem}\n` }, argv.join(' '))
})

t.test('help is help, and --print-config shows no password of -u', async t => {
  const [help, flag, compare, flagOfCompare, config] = await Promise.all([['help'], ['--help'], ['help', 'compare'], ['compare', '--help'], ['--print-config', '-u', 'ann:s3cret', 'localhost']].map(argv => cli(argv)))
  t.equal(help.code, 0)
  t.strictSame(help, flag)
  t.strictSame(compare, flagOfCompare)
  t.match(JSON.parse(config.stdout), { user: '***' })
  t.notMatch(config.stdout, 's3cret')
})

t.test('-t4 says once what it is, and nothing beside JSON', async t => {
  const server = await serve(t)
  const [text, json] = await Promise.all([['-t4'], ['-t4', '-j']].map(flags => cli(['-c1', '-a1', ...flags, server.url])))
  t.match(text, { code: 0, stderr: /^autocannon: -t4 is a timeout of 4 s; for 4 threads, as in wrk, use -w 4\n/ })
  t.match(json, { code: 0, stderr: '' })
})

t.test('a body without a method is sent by GET, with a note that names -m POST', async t => {
  const server = await serve(t)
  const run = (/** @type {string[]} */ ...flags) => cli(['-c', '1', '-a', '1', ...flags, server.url])
  const [body, file, given, data, json] = await Promise.all([
    run('-b', 'x'), run('-i', path.join(__dirname, '../../LICENSE')), run('-b', 'x', '-m', 'GET'), run('--data', 'x=1'), run('-j', '-b', 'x')
  ])
  t.match(body.stderr, /^autocannon: -b\/--body does not change the method: the requests are GET with a body; -m POST makes them POST\n/)
  t.match(file.stderr, /^autocannon: -i\/--input does not change the method/)
  for (const { code, stderr } of [given, data, json]) {
    t.equal(code, 0)
    t.notMatch(stderr, 'the method')
  }
})

t.test('a duration beside an amount is said to be ignored, and nothing beside JSON or without one', async t => {
  const server = await serve(t)
  const config = path.join(t.testdir({ 'c.json': JSON.stringify({ url: server.url, duration: 7 }) }), 'c.json')
  const [both, ofConfig, json, none] = await Promise.all([['-a', '3', '-d', '60', server.url], ['-a', '3', '--config', config], ['-a', '3', '-d', '60', '-j', server.url], ['-a', '3', server.url]].map(argv => cli(argv)))
  t.match(both, { code: 0, stderr: /^autocannon: -d\/--duration is ignored: the run ends after 3 requests \(-a\/--amount\), and not after 60 s\n/ })
  t.match(ofConfig, { code: 0, stderr: /^autocannon: duration is ignored: the run ends after 3 requests \(-a\/--amount\), and not after 7 s\n/ })
  for (const { stderr } of [json, none]) t.notMatch(stderr, 'ignored')
})

t.test('an amount that lowers the connections or workers says so once, and nothing beside JSON or where none were given', async t => {
  const server = await serve(t)
  const run = (/** @type {string[]} */ ...flags) => cli([...flags, server.url])
  const [both, json, none, enough] = await Promise.all([run('-c', '20', '-a', '3', '-w', '4'), run('-c', '20', '-a', '3', '-j'), run('-a', '3'), run('-c', '3', '-a', '3')])
  t.match(both, { code: 0, stderr: /^autocannon: the run has 3 connections, not 20: it sends 3 requests in all\nautocannon: the run has 3 workers, not 4: it sends 3 requests in all\nRunning / })
  for (const { stderr } of [json, none, enough]) t.notMatch(stderr, /the run has/)
  t.match(JSON.parse(json.stdout), { connections: 3 })
})
