'use strict'

// JSON numbers that JavaScript does not hold: what a file or a response has is what is sent and compared, digit by digit.

const t = require('tap')
const { writeFileSync } = require('node:fs')
const path = require('node:path')
const { serve, valuesOf } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { cli } = require('../../helpers/processes/cli')
const { inAllModes, inModesOfUsers } = require('../modes')

const LARGE = '9007199254740993'
const ROUNDED = '9007199254740992'

for (const [name, content] of [['rows.json', `[{"id": ${LARGE}, "price": 1.10, "all": {"n": [${LARGE}, 1e400]}}]`], ['rows.ndjson', `{"id":${LARGE},"price":1.10,"all":{"n":[${LARGE},1e400]}}\n`]]) {
  inAllModes(t, `numbers of ${name} are sent as they are written`, async (t, mode) => {
    const server = await serve(t)
    const file = path.join(t.testdir({}), name)
    writeFileSync(file, content)
    const result = await mode.run({ url: server.url, amount: 8, method: 'POST', data: { u: file }, requests: [{ path: '/{{u.id}}', body: '{"id":{{u.id}},"price":{{u.price}},"all":{{{u.all}}}}' }] })
    for (const { url, body } of server.requests) t.strictSame([url, body], [`/${LARGE}`, `{"id":${LARGE},"price":1.10,"all":{"n":[${LARGE},1e400]}}`])
    conserves(t, result)
  })
}

inAllModes(t, 'an expectation tells the right row from the next one', async (t, mode) => {
  const server = await serve(t, (request, response) => { response.end(`{"id":${request.url === '/wrong' ? ROUNDED : LARGE},"price":1.1,"n":[${LARGE}]}`) })
  const file = path.join(t.testdir({}), 'ids.json')
  writeFileSync(file, `[{"id":${LARGE},"price":1.10}]`)
  const expects = [{ id: '{{u.id}}', price: '{{u.price}}' }, { id: BigInt(LARGE), n: [BigInt(LARGE)], price: 1.1 }]
  for (const expected of expects) {
    const result = await mode.run({ url: server.url, amount: 8, data: { u: file }, requests: [{ name: 'right', path: '/right', expect: { json: expected } }, { name: 'wrong', path: '/wrong', expect: { json: expected } }] })
    t.match(result.checks, [{ request: 'right', passed: 4, failed: 0 }, { request: 'wrong', passed: 0, failed: 4 }])
    conserves(t, result)
  }
})

inModesOfUsers(t, 'captured numbers are sent as they came, and hooks get JavaScript numbers', async (t, mode) => {
  const server = await serve(t, (request, response) => { response.end(`{"id":${LARGE},"price":1.10,"user":{"ids":[${LARGE}],"small":7}}`) })
  const result = await mode.run({
    url: server.url,
    amount: 12,
    requests: [
      { path: '/login', once: true, capture: { first: 'json id' } },
      { path: '/take', capture: { order: 'json id', price: 'json price', user: 'json user', small: 'json user.small' } },
      { path: '/{{first}}/{{order}}/{{price}}/{{small}}', method: 'POST', body: '{"user":{{{user}}}}', setupRequest: mode.hook('numbers-of-context.js') }
    ]
  })
  const sent = server.requests.filter(({ method }) => method === 'POST')
  t.ok(sent.length > 3)
  for (const request of sent) {
    const { url, body } = request
    t.strictSame([url, body], [`/${LARGE}/${LARGE}/1.10/7`, `{"user":{"ids":[${LARGE}],"small":7}}`])
    t.equal(valuesOf(request, 'x-numbers')[0], JSON.stringify([Number(LARGE), 1.1, [Number(LARGE)]]))
  }
  conserves(t, result)
})

t.test('large integers of a config and of --expect-json keep their digits', async t => {
  const server = await serve(t, (request, response) => { response.end(`{"id":${LARGE}}`) })
  const folder = t.testdir({
    'right.yaml': `url: ${server.url}\namount: 2\nconnections: 1\njsonBody: { id: ${LARGE} }\nmethod: POST\nheaders: { x-id: ${LARGE} }\nexpect: { json: { id: ${LARGE} } }\n`,
    'wrong.json': `{"url":"${server.url}","amount":2,"connections":1,"initialContext":{"order":${LARGE}},"requests":[{"path":"/{{order}}","expect":{"json":{"id":${ROUNDED}}}}]}`
  })
  const right = await cli(['--config', path.join(folder, 'right.yaml'), '--json'])
  t.equal(right.code, 0)
  t.match(JSON.parse(right.stdout).checks, [{ passed: 2, failed: 0 }])
  for (const request of server.requests) t.strictSame([request.body, valuesOf(request, 'x-id')[0]], [`{"id":${LARGE}}`, LARGE])
  server.requests.length = 0
  const wrong = await cli(['--config', path.join(folder, 'wrong.json'), '--json'])
  t.match(JSON.parse(wrong.stdout).checks, [{ passed: 0, failed: 2, reasons: { [`json id: ${LARGE}, expected ${ROUNDED}`]: 2 } }])
  for (const { url } of server.requests) t.equal(url, `/${LARGE}`)
  for (const [expected, passed] of /** @type {Array<[string, number]>} */ ([[LARGE, 2], [ROUNDED, 0]])) {
    const { stdout } = await cli(['-c', '1', '-a', '2', '--expect-json', `id=${expected}`, '--json', server.url])
    t.match(JSON.parse(stdout).checks, [{ passed, failed: 2 - passed }])
  }
})

t.test('another spelling of a large integer is the same number, and no number of another row', async t => {
  const server = await serve(t, (request, response) => { response.end(`{"id":${LARGE},"list":[{"id":${LARGE}.0}],"one":1,"rate":0.10}`) })
  for (const [expected, passed] of /** @type {Array<[string, number]>} */ ([
    [`id=${LARGE}.0`, 2], [`id=${LARGE}e0`, 2], [`id=${ROUNDED}.0`, 0], [`id=${ROUNDED}e0`, 0], ['id=900719925474099.2e1', 0], [`list=[{"id":${LARGE}}]`, 2], [`list=[{"id":${ROUNDED}.00}]`, 0], ['one=1.0', 2], ['rate=0.1', 2]
  ])) {
    const { stdout } = await cli(['-c', '1', '-a', '2', '--expect-json', expected, '--json', server.url])
    t.match(JSON.parse(stdout).checks, [{ passed, failed: 2 - passed }], expected)
  }
})

t.test('the config that --print-config prints gives the same verdict and the same requests', async t => {
  const server = await serve(t, (request, response) => { response.end(`{"id":${LARGE},"huge":1e400,"zero":-0,"far":1e9999}`) })
  const folder = t.testdir()
  for (const [id, code] of /** @type {Array<[string, number]>} */ ([[LARGE, 0], [`${LARGE}.0`, 0], [ROUNDED, 3]])) {
    const json = `{"url":"${server.url}","amount":2,"connections":1,"initialContext":{"n":${LARGE}},"requests":[{"path":"/first","capture":{"order":{"from":"header x-order","default":${LARGE}}},"expect":{"json":{"id":${id},"huge":1e400,"zero":-0,"far":1e9999}}},{"path":"/{{order}}","method":"POST","body":"{\\"n\\":{{n}}}"}]}`
    for (const file of ['given.json', 'given.yaml']) {
      const given = path.join(folder, file)
      const printed = path.join(folder, 'printed.json')
      // JSON is YAML, too.
      writeFileSync(given, json)
      writeFileSync(printed, (await cli(['--config', given, '--print-config'])).stdout)
      for (const config of [given, printed]) {
        server.requests.length = 0
        const run = await cli(['--config', config, '--json'])
        t.equal(run.code, code, `${file}, expected ${id}, ${config}`)
        t.strictSame(server.requests.map(({ url, body }) => [url, body]), [['/first', ''], [`/${LARGE}`, `{"n":${LARGE}}`]])
        t.equal(JSON.parse(run.stdout).options.requests[0].expect?.json?.id ?? JSON.parse(run.stdout).options.requests[0].expect.json[0][1], id.replace('.0', ''))
      }
    }
  }
})

inModesOfUsers(t, 'a number that is captured again under the same name is sent with its own digits', async (t, mode) => {
  const ids = [LARGE, ROUNDED]
  const server = await serve(t, (request, response) => { response.end(`{"id":${ids[Number(request.url.at(-1))] ?? 0}}`) })
  const result = await mode.run({
    url: server.url,
    amount: 8,
    requests: [
      { path: '/make/0', capture: { uid: 'json id' } }, { path: '/use/{{uid}}/a' },
      { path: '/make/1', capture: { uid: 'json id' } }, { path: '/use/{{uid}}/b' }
    ]
  })
  const sent = new Set(server.requests.map(({ url }) => url).filter(url => url.startsWith('/use')))
  t.strictSame([...sent].sort(), [`/use/${LARGE}/a`, `/use/${ROUNDED}/b`].sort())
  conserves(t, result)
})
