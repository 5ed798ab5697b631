'use strict'

// How many generators each agent has, and which of all they are: of anything that is split over generators each agent has its part.

const t = require('tap')
const fc = require('fast-check')
const { paceOf } = require('../../../lib/shapes/pace')
const { buildPlan } = require('../../../lib/options/plan')
const { split } = require('../../../lib/options/split')
const { validate } = require('../../../lib/options/validate')
const { generatorsOf } = require('../../../lib/run/agents/generators')

/** @param {number[]} workers */
const agents = workers => workers.map((workers, i) => ({ name: `agent-${i}`, workers }))

/** @param {ReturnType<typeof generatorsOf>} generators */
const order = ({ total, agentOf }) => Array.from({ length: total }, (_, i) => agentOf(i))

t.test('an agent has as many as its threads, or as its weight', async t => {
  t.strictSame(generatorsOf(agents([4, 1, 2]), undefined).counts, [4, 1, 2])
  t.strictSame(generatorsOf(agents([4, 1, 2]), [2, 5, 1]).counts, [2, 5, 1])
  t.strictSame(generatorsOf(agents([4, 1]), { 'agent-1': 7, 'agent-0': 2 }).counts, [2, 7])
})

t.test('they are counted in turn', async t => {
  t.strictSame(order(generatorsOf(agents([3, 1, 2]), undefined)), [0, 1, 2, 0, 2, 0])
})

t.test('weights that are not those of the agents that came are refused in one line', async t => {
  t.throws(() => generatorsOf(agents([1, 1, 1]), [1, 2]), { code: 'AC_OPTIONS', message: 'weights: expected one for each of the 3 agents that came, got 2 by --weights' })
  t.throws(() => generatorsOf(agents([1, 1]), { 'agent-0': 1, 'bi\u001bg': 2 }), { code: 'AC_OPTIONS', message: 'weights: expected one for each agent by its name, got none for agent-1 (it came), one for bi\\x1bg (it did not come): change --weights' })
})

t.test('whatever is split over all generators, an agent has its part of it by its weight', async t => {
  const counts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 })
  fc.assert(fc.property(counts, fc.integer({ min: 1, max: 2000 }), fc.option(fc.integer({ min: 1, max: 1e6 })), fc.boolean(), (weights, connections, amount, paced) => {
    const generators = generatorsOf(agents(weights), weights)
    const plan = buildPlan(validate({ url: 'http://localhost/', connections, ...amount !== null && { amount }, ...paced && { rate: 5000 } }).values)
    const slices = split(plan, generators.total, true)
    const share = (/** @type {(slice: any) => number} */ what) => weights.map((_, agent) => slices.reduce((sum, slice, i) => sum + (generators.agentOf(i) === agent ? what(slice) : 0), 0))
    const total = generators.total
    for (const [what, all] of /** @type {Array<[(slice: any) => number, number]>} */ ([[({ connections }) => connections, plan.connections], [({ amount }) => amount, amount ?? 0], [({ pacing }) => pacing?.rate ?? 0, paced ? 5000 : 0]])) {
      const shares = share(what)
      if (Math.abs(shares.reduce((a, b) => a + b, 0) - all) > 1e-6) throw new Error(`${shares} are not ${all}`)
      // Each generator has its part to one; where there are fewer than there might be, their turns are as even as they can be.
      if (slices.length === total && shares.some((part, i) => Math.abs(part - all * weights[i] / total) > weights[i])) throw new Error(`${shares} of ${all} by ${weights}`)
    }
    const used = weights.map((_, agent) => slices.filter((_, i) => generators.agentOf(i) === agent).length)
    if (used.some((count, i) => used.some((other, j) => count < weights[i] && other > count + 1 && weights[j] > count))) throw new Error(`${used} of ${weights}`)
  }), { seed: 22, numRuns: 150 })
})

t.test('rows that are used once and stages are divided among all generators, none twice and none left out', async t => {
  const counts = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 })
  fc.assert(fc.property(counts, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 60 }), (weights, connections, rows) => {
    const generators = generatorsOf(agents(weights), weights)
    const data = { user: { rows: Array.from({ length: rows + 1 }, (_, i) => ({ id: i })), pick: 'once' } }
    const plan = buildPlan(validate({ url: 'http://localhost/', connections, requests: [{ path: '/{{user.id}}' }], data, stages: ['1s:300/s', '500ms:100/s'] }).values)
    const slices = split(plan, generators.total, true)
    const turns = slices.map(({ sharedValues }) => /** @type {any} */ (sharedValues).sources[0].turn)
    t.strictSame(turns, slices.map((_, part) => ({ part, parts: slices.length })))
    const end = 1500
    const due = slices.flatMap(({ pacing }) => {
      const pace = paceOf(/** @type {any} */ (pacing), end)
      return Array.from({ length: pace.dueBy(end) }, (_, n) => pace.dueAt(n))
    }).sort((a, b) => a - b)
    const whole = paceOf(/** @type {any} */ (plan.pacing), end)
    t.strictSame(due, Array.from({ length: whole.dueBy(end) }, (_, n) => whole.dueAt(n)))
  }), { seed: 24, numRuns: 25 })
})
