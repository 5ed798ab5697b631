'use strict'

const t = require('tap')
const { NodeSockets } = require('../../../lib/instruments/sockets/record')
const { derive } = require('../../../lib/instruments/sockets/result')
const { WORDS } = require('../../../lib/words/findings')
const { findings } = require('../../../lib/instruments/sockets/findings')

/** @type {(sockets: object, more?: object) => string[]} */
const told = (sockets, more = {}) => {
  const result = { sockets, ...more }
  return findings(result).map(({ code, facts, severity }) => WORDS[code](facts, severity, result).text)
}

t.test('generators and connections are counted by reason, once, and added up', async t => {
  const one = new NodeSockets()
  one.count('EMFILE', 1, 0)
  one.skip()
  const report = one.take()
  t.strictSame(report, [{ reason: 'EMFILE', generators: 1, connections: 0 }], 'an excluded start does not change which sockets are used')
  t.strictSame(one.take(), [], 'not again in the next sample')
  const total = new NodeSockets()
  total.add(report)
  total.add([{ reason: 'EMFILE', generators: 1, connections: 0 }, { reason: 'ENOSPC', generators: 0, connections: 3 }])
  const reasons = [{ reason: 'EMFILE', generators: 2, connections: 0 }, { reason: 'ENOSPC', generators: 0, connections: 3 }]
  const context = /** @type {any} */ ({ outcome: { usages: [{}, {}, {}] } })
  t.strictSame(derive(total, context), { sockets: { native: 1, node: 2, reasons } })
  t.strictSame(derive(new NodeSockets(), context), {})
  for (let i = 0; i < 100; i++) total.count(`reason ${i}`, 1, 0)
  t.equal(total.encode().length, 20, 'reasons of other machines are bounded')
})

t.test('the sentence names how many, and why', async t => {
  const emfile = { reason: 'EMFILE', generators: 1, connections: 0 }
  const enospc = { reason: 'ENOSPC', generators: 0, connections: 3 }
  const END = 'Their latencies end when responses are read.'
  t.strictSame(told({ native: 3, node: 1, reasons: [emfile] }, { workers: 4 }), [`1 of 4 workers used the sockets of Node.js instead of native ones (EMFILE). ${END}`])
  t.strictSame(told({ native: 0, node: 1, reasons: [emfile] }), [`The load generator used the sockets of Node.js instead of native ones (EMFILE). ${END}`])
  t.strictSame(told({ native: 0, node: 2, reasons: [{ ...emfile, generators: 2, reason: 'a\nb\x1b[2J' }] }, { workers: 2, agents: [] }), [`All 2 load generators used the sockets of Node.js instead of native ones (a b\\x1b[2J). ${END}`])
  t.strictSame(told({ native: 1, node: 0, reasons: [enospc] }), [`3 connections used the sockets of Node.js instead of native ones (ENOSPC). ${END}`])
  t.strictSame(told({ native: 0, node: 1, reasons: [emfile] }, { environment: { sockets: 'node' } }), [], 'the header has said it')
})
