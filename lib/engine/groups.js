'use strict'

// Assigns connections to groups of parallel scenarios, and a permanent scenario to each connection.

const { chooseScenarios, shareOf, stepsTo } = require('../users/choice')
const { mostOf } = require('../shapes/stages')

/**
 * @typedef {import('../options/plan').Group} Group
 *
 * @typedef {object} Place
 * @property {number} group
 * @property {number} choice index of its permanent scenario
 * @property {number} number in the whole run
 */

class Groups {
  /** @param {import('../options/plan').Plan & { groups: ReadonlyArray<Group> }} plan */
  constructor ({ groups, scenarios, streams }) {
    // Initial connections come first.
    const order = [...groups.keys()].sort((a, b) => Number(groups[a].ramp !== null) - Number(groups[b].ramp !== null))
    /** By index of the connection in this generator. @type {Place[]} */
    this.places = order.flatMap(group => placesOf(groups[group], group, scenarios, streams))
    /** The index of the first connection of each group in this generator. */
    this.first = groups.map((_, group) => this.places.findIndex(place => place.group === group))
  }

  /** @param {number} i index of the connection in this generator */
  of (i) {
    return this.places[i]
  }
}

/**
 * @param {Group} group
 * @param {number} index of the group
 * @param {import('../options/plan').Plan['scenarios']} scenarios
 * @param {number} streams users per connection
 * @returns {Place[]} the places at the maximum number of connections
 */
function placesOf (group, index, scenarios, streams) {
  const { from, until, before, step, firstNumber } = group
  const size = sizeOf(group, streams)
  const choices = chooseScenarios(scenarios.slice(from, until), before, stepsTo(size, step, streams) + 1)
  return Array.from({ length: size }, (_, i) => {
    const steps = stepsTo(i, step, streams)
    return { group: index, choice: from + choices[steps], number: firstNumber + before + steps }
  })
}

/**
 * @param {Group} group
 * @param {number} streams users per connection
 * @returns {number} the maximum number of the group's connections in this generator
 */
function sizeOf ({ connections, ramp, before, step }, streams) {
  return ramp === null ? connections : shareOf(mostOf(ramp) * streams, before, step, streams)
}

module.exports = { Groups }
