'use strict'

// Checks for `sticky` that every scenario has a user.

const { problemAt } = require('../../core/problem')
const { formatInteger, plural } = require('../../core/units')
const { chooseScenarios } = require('../../users/choice')
const { show } = require('../../core/foreign-text')
const { extentOf } = require('../plan')
const { runSideBySide, sidesOf } = require('../load/side-by-side')
const { usersPerConnection } = require('./user-rules')

/**
 * @param {import('../normalize').Values} values with scenarios
 * @param {(name: string) => string} call how the user calls an option
 * @returns {import('../../core/problem').Problem[]} one if a scenario has no user
 */
function aboutSticky (values, call) {
  // Stages may add connections later.
  if (values.stages?.[0].connections !== undefined) return []
  const { url = [''] } = values
  const streams = usersPerConnection(values)
  const { connections } = extentOf(values)
  const all = { scenarios: /** @type {number[]} */ ([...values.scenarios.keys()]), connections }
  const [side] = runSideBySide(values) ? sidesOf(values) : [all]
  // Scenarios with their own load have their own users. An invalid number was already reported.
  if (!(side.connections >= 1)) return []
  const weights = side.scenarios.map(i => values.scenarios[i].weight)
  const kinds = /** @type {string[]} */ (url).flatMap(() => weights.map(weight => ({ weight })))
  const users = Math.min(side.connections * streams, values.amount ?? Infinity)
  const taken = new Set(chooseScenarios(kinds, 0, users).map(choice => side.scenarios[choice % weights.length]))
  const without = side.scenarios.find(i => !taken.has(i))
  if (without === undefined) return []
  const needed = connections - side.connections + Math.ceil(enough(kinds.map(({ weight }) => weight)) / streams)
  return [problemAt(call, 'sticky', `${plural(users, 'user')} for ${plural(weights.length, 'scenario')}, and no user ` +
    `for ${show(values.scenarios[without].name)}: expected at least ${formatInteger(needed)} in ` +
    `${call(values.amount < needed * streams ? 'amount' : 'connections')}, or more similar weights`)]
}

/**
 * Returns the number of connections with which each scenario is chosen at least once.
 * @type {(weights: number[]) => number}
 */
function enough (weights) {
  const least = Math.min(...weights)
  return weights.reduce((sum, weight) => sum + Math.floor((weight / least + 1) / 2), 0)
}

module.exports = { aboutSticky }
