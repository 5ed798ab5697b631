'use strict'

const t = require('tap')
const fc = require('fast-check')
const { chooseScenarios } = require('../../lib/users/choice')

/** @param {number[]} weights */
const scenariosOf = weights => weights.map(weight => ({ weight }))

t.test('connections take turns by weight, spread evenly', async t => {
  for (const [weights, order] of [
    [[1], '000000'],
    [[1, 1, 1], '012012012'],
    [[7, 7], '010101'],
    [[1, 3], '10111011'],
    [[2, 1], '010010'],
    [[0.5, 0.25, 0.25], '01200120'],
    [[5, 0, 1], '0002000002']
  ]) {
    t.equal(chooseScenarios(scenariosOf(weights), 0, order.length).join(''), order, `weights ${weights}`)
  }
})

t.test('every part of the connections gets what they have in the whole', async t => {
  const weights = fc.array(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.double({ min: 0.01, max: 10, noNaN: true })), { minLength: 1, maxLength: 6 })
  fc.assert(fc.property(weights, fc.nat(200), fc.integer({ min: 1, max: 100 }), (weights, first, count) => {
    const whole = chooseScenarios(scenariosOf(weights), 0, first + count)
    t.strictSame(chooseScenarios(scenariosOf(weights), first, count), whole.slice(first))
  }), { seed: 7 })
})

t.test('after any number of connections each scenario has its share to within the number of scenarios', async t => {
  const weights = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 8 })
  fc.assert(fc.property(weights, fc.integer({ min: 1, max: 300 }), (weights, count) => {
    const all = weights.reduce((a, b) => a + b)
    const chosen = chooseScenarios(scenariosOf(weights), 0, count)
    if (chosen.length !== count) return false
    return weights.every((weight, i) => Math.abs(chosen.filter(one => one === i).length - count * weight / all) < Math.max(1, weights.length / 2))
  }), { seed: 8 })
})
