'use strict'

const t = require('tap')
const fc = require('fast-check')
const { compileScenario } = require('../../lib/scenario/compiled-scenario')
const { Sequence } = require('../../lib/scenario/sequence')
const { serialize } = require('../../lib/scenario/serialize')
const { parseTarget } = require('../../lib/scenario/target')

const target = parseTarget('http://localhost/')
const means = { encode: serialize, idReplacement: false, pipelining: 5, makeContext: () => ({}) }

/** @param {string[]} methods of the steps */
const scenarioOf = methods => compileScenario(methods.map(method => ({
  request: { method, path: null, headers: [], body: null }, target, setupRequest: undefined, onResponse: undefined, examiner: null
})), means)

const methodsIn = bytes => bytes.toString().match(/^[A-Z]+(?= \/ HTTP)/gm)

t.test('sends the requests in their order, over and over', async t => {
  const sequence = new Sequence(scenarioOf(['GET', 'HEAD', 'DELETE']))
  t.strictSame(methodsIn(sequence.next(1)), ['GET'])
  t.strictSame(methodsIn(sequence.next(5)), ['HEAD', 'DELETE', 'GET', 'HEAD', 'DELETE'])
  t.strictSame(methodsIn(sequence.next(2)), ['GET', 'HEAD'])
})

t.test('knows the method that the next answer answers, whatever is sent, answered, lost and sent again', async t => {
  const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS']
  const steps = fc.array(fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom('answer', 'lose', 'repeat')), { maxLength: 60 })
  fc.assert(fc.property(fc.integer({ min: 1, max: 4 }), steps, (count, steps) => {
    const sequence = new Sequence(scenarioOf(methods.slice(0, count)))
    const inFlight = []
    for (const step of steps) {
      if (step === 'lose') {
        for (; inFlight.length > 0; inFlight.shift()) sequence.answered()
      } else if (step === 'repeat') {
        for (let left = inFlight.length; left > 0; left--) {
          if (methodsIn(sequence.repeat(left, 1)).join() !== inFlight.at(-left)) return false
        }
        if (inFlight.length > 0 && methodsIn(sequence.repeat(inFlight.length, inFlight.length)).join() !== inFlight.join()) return false
      } else if (step !== 'answer') {
        if (inFlight.length + step <= 5) inFlight.push(...methodsIn(sequence.next(step)))
      } else if (inFlight.length > 0) {
        if (sequence.answeringMethod() !== inFlight.shift()) return false
        sequence.answered()
      }
    }
    return true
  }), { seed: 10 })
})

t.test('counts how many of the newest may be sent twice: those behind the last that must not', async t => {
  for (const [methods, sent, answered, repeatable] of [
    [['GET'], 5, 0, 5],
    [['GET'], 5, 3, 2],
    [['POST'], 5, 0, 0],
    [['PATCH'], 1, 0, 0],
    [['PROPFIND'], 1, 0, 0],
    [['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'], 5, 0, 5],
    [['GET', 'POST'], 4, 0, 0],
    [['GET', 'POST'], 5, 0, 1],
    [['GET', 'POST'], 5, 4, 1],
    [['POST', 'GET', 'GET'], 4, 0, 0],
    [['POST', 'GET', 'GET'], 5, 1, 1],
    [['POST', 'GET', 'GET'], 3, 1, 2]
  ]) {
    const sequence = new Sequence(scenarioOf(methods))
    sequence.next(sent)
    for (let i = 0; i < answered; i++) sequence.answered()
    t.equal(sequence.repeatable(sent - answered), repeatable, `${methods}: ${sent} sent, ${answered} answered`)
  }
})

t.test('of two connections go their own way through one scenario, and share its bytes', async t => {
  const scenario = scenarioOf(['GET', 'HEAD'])
  const [one, other] = [new Sequence(scenario), new Sequence(scenario)]
  one.next(1)
  t.strictSame(methodsIn(other.next(1)), ['GET'])
  t.equal(one.next(1), other.next(1))
})
