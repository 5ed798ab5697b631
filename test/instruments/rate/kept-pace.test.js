'use strict'

// Why requests were not sent evenly, as data and as a sentence.

const t = require('tap')
const { findingsOf } = require('../../../lib/findings/findings')
const { paceCircumstances, paceOf } = require('../../../lib/instruments/rate/kept-pace')
const { noteOf } = require('../../../lib/words/findings')
const { exampleResult } = require('../../helpers/results/example-result')

/** @type {Array<[any, RegExp]>} */
const REASONS = [
  [{ code: 'cpu-wait', from: 3 }, /^From 3\.0 s on, the load was sent in batches, one per ms: the CPU wait was too high/],
  [{ code: 'few-cores', threads: 1, cores: 1 }, /an even pace takes a core for itself, and this process may use one\.$/],
  [{ code: 'few-cores', threads: 4, cores: 3 }, /4 workers at an even pace take a core each, and the server one, and this process may use 3\.$/],
  [{ code: 'few-cores-of-agent', threads: 1, cores: 1 }, /an agent with a thread at an even pace takes 2 cores, and it may use one\.$/],
  [{ code: 'few-cores-of-agent', threads: 2, cores: 2 }, /an agent with 2 threads at an even pace takes 3 cores, and it may use 2\.$/]
]

for (const [reason, sentence] of REASONS) {
  t.test(JSON.stringify(reason), async t => {
    const rate = paceOf({ pace: 'batched', reason })
    t.match(rate, { pace: 'batched', paceReason: sentence, paceCause: reason })
    const { code, ...facts } = reason
    for (const result of [{ rate }, { iterations: rate }]) {
      const found = findingsOf({ ...exampleResult(), rate: undefined, ...result }, ['connections']).find(({ code }) => code === 'batched-pace')
      t.strictSame(found, { code: 'batched-pace', severity: 'info', facts: { reason: code, ...facts } })
      t.match(noteOf(/** @type {any} */ (found), result).text, sentence)
    }
  })
}

t.test('an older version has the sentence alone', async t => {
  const rate = paceOf({ pace: 'batched', reason: 'For some reason.' })
  t.strictSame(rate, { pace: 'batched', paceReason: 'For some reason.' })
  const [found] = findingsOf({ ...exampleResult(), rate }, ['connections'])
  t.strictSame([found.facts, noteOf(found, { rate }).text], [{}, 'For some reason.'])
  t.strictSame(paceOf({ pace: 'even', reason: null }), { pace: 'even' })
})

t.test('a rate of iterations is kept if all due ones started; a closed loop has no target', async t => {
  for (const [part, facts] of /** @type {Array<[any, object]>} */ ([
    [{ iterations: { due: 80, neverStarted: 0 } }, { hasTarget: true, rateKept: true }],
    [{ iterations: { due: 80, neverStarted: 8 } }, { hasTarget: true, rateKept: false }],
    [{ iterations: { due: 0, neverStarted: 0 } }, { hasTarget: true, rateKept: false }],
    [{ rate: { ratio: 1, sent: 80, late: 0, unsent: 0 } }, { hasTarget: true, rateKept: true }],
    [{}, { hasTarget: false, rateKept: false }]
  ])) t.match(paceCircumstances(part), facts, JSON.stringify(part))
})
