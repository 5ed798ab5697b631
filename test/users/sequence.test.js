'use strict'

const t = require('tap')
const { compileScenario } = require('../../lib/users/compiled-scenario')
const { Sequence } = require('../../lib/users/sequence')
const { serialize } = require('../../lib/protocols/serialize')
const { parseTarget } = require('../../lib/requests/target')

const target = parseTarget('http://localhost/')
const means = { encode: serialize, tags: [], pipelining: 5, makeContext: () => ({}), sharedValues: null }

/** @param {string[]} methods of the steps */
const scenarioOf = methods => compileScenario(methods.map(method => ({
  request: { method, path: null, headers: [], body: null }, target, setupRequest: undefined, onResponse: undefined, inspector: null, pauses: null, templates: null
})), means)

const methodsIn = bytes => bytes.toString().match(/^[A-Z]+(?= \/ HTTP)/gm)

/** What a source says of its next requests, in the rows of a table. */
function ask (source, n) {
  const rows = { free: 0, following: row => row + 1, steps: [] }
  t.equal(source.next(n, rows), n)
  t.strictSame(rows.steps.map(({ method }) => method), methodsIn(source.bytes))
  return methodsIn(source.bytes)
}

t.test('sends the requests in their order, over and over', async t => {
  const sequence = new Sequence(scenarioOf(['GET', 'HEAD', 'DELETE']))
  t.strictSame(ask(sequence, 1), ['GET'])
  t.strictSame(ask(sequence, 5), ['HEAD', 'DELETE', 'GET', 'HEAD', 'DELETE'])
  t.strictSame(ask(sequence, 2), ['GET', 'HEAD'])
})

t.test('an edited one goes on where the other was, which is as it was', async t => {
  const sequence = new Sequence(scenarioOf(['GET', 'HEAD', 'DELETE']))
  ask(sequence, 1)
  const edited = sequence.edit({ ...sequence.current, method: 'PUT' })
  t.strictSame(ask(edited, 5), ['PUT', 'DELETE', 'GET', 'PUT', 'DELETE'])
  t.strictSame(ask(sequence, 2), ['HEAD', 'DELETE'])
})

t.test('of two connections go their own way through one scenario, and share its bytes', async t => {
  const scenario = scenarioOf(['GET', 'HEAD'])
  const [one, other] = [new Sequence(scenario), new Sequence(scenario)]
  ask(one, 1)
  t.strictSame(ask(other, 1), ['GET'])
  ask(one, 1)
  ask(other, 1)
  t.equal(one.bytes, other.bytes)
})
