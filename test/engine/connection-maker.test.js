'use strict'

const t = require('tap')
const { split } = require('../../lib/options/split')
const { conserves } = require('../helpers/results/conservation')
const { http1 } = require('../../lib/protocols/http1/peer')
const { FakeTime, generatorOf, planOf, play, begin, responses, nobody } = require('./helpers/fake-load')

/** HTTP/1 that keeps the paths of what it made bytes of. */
function counting () {
  const protocol = http1()
  /** @type {string[]} */
  const encoded = []
  return { encoded, edge: { protocol: { ...protocol, encode: (request, ...rest) => encoded.push(request.path) && protocol.encode(request, ...rest) } } }
}

const onResponse = () => {}
const setupRequest = request => ({ ...request, path: '/made' })

t.test('a request becomes bytes once, however many connections send it', async t => {
  for (const [name, opts] of [
    ['as it is', {}],
    ['when its answers have a hook', { requests: [{ path: '/1', onResponse }, { path: '/2' }] }],
    ['with ids', { idReplacement: true }]
  ]) {
    const { encoded, edge } = counting()
    const log = generatorOf({ connections: 20, amount: 80, requests: [{ path: '/1' }, { path: '/2' }], ...opts }, nobody, {}, edge)
    begin(log, socket => log.time.loop.setImmediate(() => socket.read(responses(1))))
    log.time.pass(100)
    t.match(log.total, { sent: 80, completed: 80 })
    t.strictSame(encoded, ['/1', '/2'], name)
    conserves(t, log.result())
  }
})

t.test('a request that a hook makes becomes bytes when it is sent, and the others once', async t => {
  const { encoded, edge } = counting()
  const log = generatorOf({ connections: 3, amount: 6, requests: [{ path: '/1' }, { path: '/2', setupRequest }] }, nobody, {}, edge)
  begin(log, socket => log.time.loop.setImmediate(() => socket.read(responses(1))))
  log.time.pass(100)
  t.strictSame(encoded, ['/1', '/made', '/made', '/made'])
  conserves(t, log.result())
})

t.test('what a Client changes becomes bytes for its connection alone', async t => {
  for (const hooks of [{}, { onResponse }]) {
    const { encoded, edge } = counting()
    const { generator } = generatorOf({ connections: 10, requests: [{ path: '/1', ...hooks }, { path: '/2' }] }, nobody, {}, edge)
    generator.connections.list[3].client.setRequest({ path: '/own' })
    t.strictSame(encoded, ['/1', '/2', '/own'])
    t.strictSame(generator.connections.list.map(({ source }) => source.current.path), ['/1', '/1', '/1', '/own', '/1', '/1', '/1', '/1', '/1', '/1'])
    generator.stop()
  }
})

t.test('connections choose their scenario by weight, those of all threads together', async t => {
  const plan = planOf({ url: ['http://a/', 'http://b/'], connections: 8 })
  const weighted = { ...plan, scenarios: plan.scenarios.map((scenario, i) => ({ ...scenario, weight: [1, 3][i] })) }
  for (const threads of [1, 2, 3]) {
    const hosts = split(weighted, threads).flatMap(part => {
      const { generator } = play(part, new FakeTime(), nobody, {})
      generator.stop()
      return generator.connections.list.map(({ source }) => source.target.host)
    })
    t.equal(hosts.join(''), 'babbbabb', `${threads} threads`)
  }
})
