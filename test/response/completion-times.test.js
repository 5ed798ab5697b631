'use strict'

// The times of one completion, and where they are counted.

const t = require('tap')
const { CompletionTimes } = require('../../lib/response/completion-times')
const { StageTimes } = require('../../lib/instruments/stages/stage-times')
const { Tokens } = require('../../lib/instruments/tokens/record')

/** @param {Record<string, any>} [changes] */
const delivered = changes => /** @type {any} */ ({
  outputs: 1, contents: 1, reasonings: 0, deltas: 1, count () {}, tokens: -1, promptTokens: -1, isLying: false, finishes: [], failure: null, fault: null, ...changes
})

t.test('the time per output token is that of the run and of the stage', async t => {
  const [tokens, stage] = [new Tokens(), new StageTimes(['perToken'])]
  const completion = new CompletionTimes(tokens)
  completion.open(null, null, 0, stage)
  for (const at of [100, 120, 140]) completion.read(delivered(), at)
  completion.finish(delivered({ tokens: 5 }), false)
  completion.open(null, null, 0, stage)
  completion.read(delivered(), 100)
  completion.finish(delivered(), false)
  for (const { perToken } of [tokens, stage]) t.match(perToken, { count: 1, max: 10_000 }, 'of 5 tokens in 40 ms; a single token has none')
  t.equal(stage.interToken, null, 'what no step is judged by is not counted')
})
