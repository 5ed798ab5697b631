'use strict'

// What reports show of completions: also of a result that lacks parts, as from another version.

const t = require('tap')
const { PassThrough } = require('node:stream')
const { formatResult, printResult } = require('../../..')
const { StreamTally } = require('../../../lib/instruments/streams/record')
const { figuresOf: streamFigures } = require('../../../lib/instruments/streams/result')
const { Tokens } = require('../../../lib/instruments/tokens/record')
const { figuresOf } = require('../../../lib/instruments/tokens/result')
const { exampleResult } = require('../../helpers/results/example-result')

const context = { seconds: 10, summary: histogram => histogram.summary() }
const ENDED = { tokens: 30, promptTokens: 5, isLying: false, outputs: 10, deltas: 10, finishes: ['stop'], failure: null, spanMs: 290, wholeMs: 400 }

/** @param {(tally: Tokens) => void} fill */
function resultOf (fill) {
  const tally = new Tokens()
  fill(tally)
  const streams = new StreamTally()
  streams.opened = 3
  streams.events = 30
  const figures = { kind: 'openai', ...streamFigures(streams, context), ...figuresOf(tally, context), goodput: [{ expression: 'first token < 1s', good: 2, requests: 3, share: 2 / 3 }, { expression: 'gap max < 1s', good: 0, requests: 0, share: null }] }
  return { ...exampleResult({ seconds: 4, perSecond: 50 }), streams: figures, byRequest: {} }
}

const full = resultOf(tally => {
  for (let i = 0; i < 3; i++) {
    tally.first(100)
    tally.outputs += 10
    tally.deltas += 10
    for (let n = 0; n < 9; n++) tally.interToken.record(32)
    tally.end(i === 2 ? { ...ENDED, failure: 'AC_LLM_ERROR', finishes: ['\u001b[31mred'] } : ENDED)
  }
})

const outputStream = new PassThrough()
const REPORTS = {
  text: result => printResult(result, { outputStream, renderLatencyTable: true, verbose: true }),
  md: result => formatResult(result, 'md'),
  html: result => formatResult(result, 'html'),
  csv: result => formatResult(result, 'csv')
}

t.test('tokens in all, where they are from, how many come together, and why completions ended', async t => {
  t.match(full.streams.tokens, { total: 90, perSecond: 9, source: 'usage', perEvent: 3, prompt: 15, perRequest: { average: 30 }, perSecondOfRequest: { average: 75 } })
  t.equal(full.streams.timePerOutputToken.average, 10)
  const text = REPORTS.text(full)
  for (const part of ['90 tokens, from the usage that the server reports', '15 prompt tokens', '3 tokens per event: inter token is the time between events, not between tokens', 'Finish reasons: stop 2, ', 'Failed completions: AC_LLM_ERROR 1', 'Goodput: 66.7 %, 2 of 3 requests with first token < 1s', 'Goodput: no request has ended (gap max < 1s)', 'first token p50 100 ms']) t.match(text, part)
  t.notMatch(text, /\u001b\[31mred/) // eslint-disable-line no-control-regex
})

t.test('tokens that are counted, wholly or in part, and usages that are no numbers', async t => {
  const counted = { ...ENDED, tokens: -1, promptTokens: -1 }
  for (const [ends, text] of /** @type {Array<[object[], string]>} */ ([
    [[counted], '10 tokens, counted as events with content, because the server reports no usage'],
    [[ENDED, counted], '40 tokens, from the usage of 1 completion; those of 1 are counted as events'],
    [[{ ...counted, isLying: true }], '1 completion reported a usage that cannot be right, and is not counted'],
    [[{ ...ENDED, tokens: 0 }], '1 completion reported a usage that cannot be right, and is not counted'],
    [[], 'No completion had a token']
  ])) {
    const result = resultOf(tally => {
      for (const one of ends) {
        tally.outputs += 10
        tally.deltas += 10
        tally.end(/** @type {any} */ (one))
      }
    })
    t.match(REPORTS.text(result), text)
  }
})

t.test('what is missing is left out', async t => {
  /** @type {Array<[string, object]>} */
  const partial = Object.keys(full.streams).map(key => [key, { ...full.streams, [key]: undefined }])
  for (const key of Object.keys(full.streams.tokens)) partial.push([`tokens.${key}`, { ...full.streams, tokens: { ...full.streams.tokens, [key]: undefined } }])
  for (const [key, value] of [['tokens', 5], ['finishReasons', { a: 'x' }], ['goodput', [{}, 5]], ['goodput', 'x']]) partial.push([`${key} of another type`, { ...full.streams, [key]: value }])
  for (const [name, streams] of partial) {
    for (const [format, write] of Object.entries(REPORTS)) {
      const text = write(JSON.parse(JSON.stringify({ ...full, streams })))
      t.notMatch(text.replace(/<(script|style)[^]*?<\/\1>/g, ''), /undefined|NaN|\[object/, `${format} without ${name}`)
    }
  }
})

t.test('parts of a run add up', async t => {
  const [one, two, sum] = [new Tokens(), new Tokens(), new Tokens()]
  for (const tokens of [one, two]) {
    for (const tally of tokens.talliesOf('chat', 'buy')) tally.end(ENDED)
    sum.add(JSON.parse(JSON.stringify(tokens.take(true))))
  }
  t.match(sum, { reported: 2, usageTokens: 60, finishes: new Map([['stop', 2]]) })
  t.strictSame([sum.of('named', 'chat'), sum.of('scenarios', 'buy')].map(({ usageTokens }) => usageTokens), [60, 60])
  t.match(one.take(true), { named: [], scenarios: [] }, 'what was handed over is not handed over again')
})
