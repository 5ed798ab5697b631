'use strict'

// Saved results with older keys: everything that reads a result reads them as those of this version.

const t = require('tap')
const path = require('node:path')
const autocannon = require('../..')
const { lifted } = require('../../lib/figures/lifted')
const { readFigures } = require('../../lib/options/results-file')
const { exampleResult } = require('../helpers/results/example-result')
const { failing, searchOf, stepOf } = require('../helpers/results/example-search')
const { serve } = require('../helpers/servers/http-server')

const FORMATS = ['csv', 'md', 'html', 'ndjson', 'junit']

/** @type {Record<string, string>} */
const OLD_KEYS = { iterations: 'rounds', stalledMs: 'standstillMs' }

/** @param {any} part @returns {any} as it was saved before */
const aged = part => Object.fromEntries(Object.entries(part).map(([key, value]) => [OLD_KEYS[key] ?? key, value]))

/** @param {any} result */
function older (result) {
  const old = saved(aged(result))
  if (old.options.burst !== undefined) old.options.burst = aged(old.options.burst)
  if (old.byStage !== undefined) old.byStage = old.byStage.map(aged)
  if (old.totals !== undefined) old.totals = aged(old.totals)
  if (old.generator !== undefined) old.generator = aged(old.generator)
  if (old.loads !== undefined) old.loads = old.loads.map(aged)
  for (const stage of old.stages ?? []) stage.over = 'rounds'
  return old
}

/** @param {any} result */
const saved = result => JSON.parse(JSON.stringify(result))

/** @param {any} result @returns {Record<string, string>} each report of it, whose page may have the time at which it was written */
const reportsOf = result => Object.fromEntries([
  ...FORMATS.map(format => [format, autocannon.formatResult(result, format)]),
  ['text', autocannon.printResult(result)]
])

t.test('results, raw results and reports are the same', async t => {
  const { url } = await serve(t)
  const opts = { url, connections: 5, scenarios: [{ name: 'shop', requests: [{ path: '/' }] }] }
  const staged = { ...opts, stages: ['0.2s:50iterations/s', '0.2s:100iterations/s'] }
  const [burst, one, other] = await Promise.all([
    autocannon({ ...opts, burst: { iterations: 5, every: '100ms' }, duration: 0.4 }),
    autocannon({ ...staged, skipAggregateResult: true }),
    autocannon({ ...staged, skipAggregateResult: true })
  ])
  const merged = autocannon.aggregateResult([one, other])
  const { iterations: { due }, byStage } = merged
  t.ok(due > 0)
  t.match(older(merged), { rounds: { due }, byStage: [{ rounds: {}, iterations: undefined }, { rounds: {} }], iterations: undefined })
  t.match(older(one), { totals: { rounds: {}, iterations: undefined }, stages: [{ over: 'rounds' }, {}] })
  t.match(older(merged), { generator: { standstillMs: merged.generator.stalledMs, stalledMs: undefined } })
  t.match(older(one), { loads: [{ standstillMs: 0, stalledMs: undefined }] })
  t.match(older(burst), { options: { burst: { rounds: 5 } } })
  t.strictSame(saved(autocannon.aggregateResult([older(one), older(other)])), saved(merged))
  for (const result of [burst, merged]) {
    t.strictSame(reportsOf(older(result)), reportsOf(saved(result)))
    t.strictSame(autocannon.compareResults(older(burst), older(merged)), autocannon.compareResults(burst, merged))
  }
  const dir = t.testdir({ 'old.json': JSON.stringify(older(merged)) })
  const [read] = readFigures(path.join(dir, 'old.json'))
  t.match(read, { iterations: { due }, byStage: byStage.map(({ iterations: { due } }) => ({ iterations: { due } })), rounds: undefined })
})

t.test('a search is as well', async t => {
  const search = searchOf({ best: null, above: 200, steps: [stepOf(200, { ...failing, completed: 0 })] })
  const steps = search.steps.map(({ completed, ...step }) => ({ ...step, answered: completed }))
  const text = autocannon.printResult({ ...exampleResult(), search })
  t.match(text, 'no response')
  t.equal(autocannon.printResult({ ...exampleResult(), search: { ...search, steps } }), text)
})

t.test('the health of load generators and agents that stalled is read', async t => {
  const result = exampleResult()
  const generator = { ...result.generator, verdict: 'busy', reason: 'stall', stalledMs: 2500 }
  const agents = [{ name: 'a', generator }]
  const old = { ...aged(generator), reason: 'standstill' }
  t.strictSame(lifted({ ...result, generator: old, agents: [{ name: 'a', generator: old }] }), { ...result, generator, agents })
  t.strictSame(lifted({ agents: [{ name: 'a', health: old }, null], generator: null, loads: 1 }), { agents: [{ name: 'a', health: generator }, null], generator: null, loads: 1 })
})
