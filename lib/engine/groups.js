'use strict'

// Assigns connections to groups of scenarios that run side by side, and the scenario that each connection keeps.

const { chooseScenarios, shareOf, stepsTo } = require('../users/choice')
const { mostOf } = require('../shapes/stages')

/**
 * @typedef {import('../options/plan').Group} Group
 *
 * @typedef {object} Place
 * @property {number} group
 * @property {number} choice index of the scenario that it is given for life
 * @property {number} number in the whole run
 */

class Groups {
  /** @param {import('../options/plan').Plan & { groups: ReadonlyArray<Group> }} plan */
  constructor ({ groups, scenarios, streams }) {
    // Those of the start come first.
    const order = [...groups.keys()].sort((a, b) => Number(groups[a].ramp !== null) - Number(groups[b].ramp !== null))
    /** By the number of the connection here. @type {Place[]} */
    this.places = order.flatMap(group => placesOf(groups[group], group, scenarios, streams))
    /** Of each group the number here of its first connection. */
    this.first = groups.map((_, group) => this.places.findIndex(place => place.group === group))
  }

  /** @param {number} i which of the connections of this generator */
  of (i) {
    return this.places[i]
  }
}

/**
 * @param {Group} group
 * @param {number} index of the group
 * @param {import('../options/plan').Plan['scenarios']} scenarios
 * @param {number} streams how many users share a connection
 * @returns {Place[]} of all that it has here, when it has most
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
 * @param {number} streams how many users share a connection
 * @returns {number} how many connections of it this generator has, when it has most
 */
function sizeOf ({ connections, ramp, before, step }, streams) {
  return ramp === null ? connections : shareOf(mostOf(ramp) * streams, before, step, streams)
}

module.exports = { Groups }
