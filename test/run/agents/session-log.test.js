'use strict'

// What the log of an agent says of a run.

const t = require('tap')
const { encode } = require('../../../lib/run/codec')
const { SessionLog } = require('../../../lib/run/agents/session-log')

const RUN = '0123456789abcdef'.repeat(2)

/** @param {string} name */
function logOf (name) {
  /** @type {string[]} */
  const told = []
  return { log: new SessionLog(RUN, name, sentence => { told.push(sentence) }), told }
}

/** @param {number} connections @param {string[]} urls */
const planOf = (connections, ...urls) => ({ connections, targets: /** @type {any[]} */ (urls.map(url => ({ url }))) })

t.test('it says whose run it is, what load, and how much was sent', async t => {
  const { log, told } = logOf('one')
  log.logRun({ name: 'one#2', host: 'bench', agents: 3 })
  for (let round = 0; round < 2; round++) {
    for (const connections of [2, 1]) log.open(planOf(connections, 'https://shop.example:8443/cart?token=hidden', 'https://me:hidden@b/', 'http://c/'))
    for (let i = 0; i < 2; i++) log.begin()
    for (const sent of [40, 2]) log.report({ type: 'snapshot', snapshot: { sent } })
  }
  log.end(null)
  t.strictSame(told, [
    'works for run 01234567',
    'run 01234567 was started on bench, with 3 agents; this one is called one#2 there',
    'run 01234567: 3 connections to https://shop.example:8443 and 2 more URLs',
    'run 01234567 has ended: 84 requests'
  ], 'the same load is told once')
})

t.test('one that has its own name, and nothing to do', async t => {
  const { log, told } = logOf('one')
  log.logRun({ name: 'one', host: 'bench', agents: 1 })
  log.begin()
  log.end(new Error('the run goes on without this agent'))
  t.strictSame(told.slice(1), ['run 01234567 was started on bench, with 1 agent', 'run 01234567 has ended (the run goes on without this agent): 0 requests'])
})

t.test('messages over WebSocket are counted as such', async t => {
  const { log, told } = logOf('one')
  log.open(planOf(1, 'ws://shop.example/chat'))
  log.report({ type: 'snapshot', snapshot: { sent: 2 } })
  log.end(null)
  t.equal(told.at(-1), 'run 01234567 has ended: 2 messages')
})

t.test('the first of its generators that fails is told', async t => {
  const { log, told } = logOf('one')
  log.report({ type: 'end', error: null })
  log.report({ type: 'end', error: encode(new Error('oops')) })
  log.fail(new Error('another'), true)
  t.strictSame(told.slice(1), ['run 01234567: oops'])
})

t.test('what anybody writes is no news, and fits into a line', async t => {
  const { log, told } = logOf('one')
  for (const runInfo of [null, 5, 'x', [], {}, { name: 'x' }, { name: 'x', host: 5, agents: 1 }, { name: 'x', host: 'y', agents: '1' }]) log.logRun(runInfo)
  for (const message of [null, 5, { type: 'snapshot' }, { type: 'snapshot', snapshot: { sent: 'x' } }]) log.report(message)
  log.open(planOf(/** @type {any} */ ('9'), 'http://a/'))
  log.begin()
  t.equal(told.length, 1)
  log.logRun({ name: 'a\n'.repeat(100), host: '\u001b[31mred', agents: 2 })
  t.match(told[1], /^run 01234567 was started on red, with 2 agents; this one is called (a )+a?… there$/)
  log.report({ type: 'end', error: { $: 'nothing' } })
  t.equal(told.length, 3)
})
