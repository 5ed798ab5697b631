'use strict'

// Formats the load of scenarios side by side.

const { plural } = require('../core/units')
const { SHAPES } = require('../parts')
const { rateText } = require('../shapes/rate')

/** Of many scenarios the first are shown. */
const MOST_SIDES = 5

/**
 * @param {any} scenarios as options have them
 * @param {string} unit of a rate without a unit
 * @returns {string[]} the load of each scenario with its own load, such as `buy: 2 iterations/s, 20 connections`
 */
function sideTexts (scenarios, unit) {
  if (!Array.isArray(scenarios)) return []
  const texts = scenarios.flatMap(({ name = 'a scenario', connections, rate, stages }) => {
    const load = [
      ...rate == null ? [] : [rateText(rate, unit)],
      ...stages == null ? [] : [SHAPES.staged.load().line(stages)],
      ...connections == null ? [] : [plural(connections, 'connection')]
    ]
    return load.length === 0 ? [] : [`${name}: ${load.join(', ')}`]
  })
  const more = texts.length - MOST_SIDES
  if (more <= 0) return texts
  const rest = `${plural(more, 'more scenario')} with ${more === 1 ? 'its' : 'their'} own load`
  return [...texts.slice(0, MOST_SIDES), rest]
}

module.exports = { sideTexts }
