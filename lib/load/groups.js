'use strict'

// Owns which of the connections of a generator belong to which group, where scenarios run side by side, and what each of them is given for life.

const { chooseScenarios } = require('../scenario/choice')

class Groups {
  /** @param {import('../options/plan').Plan & { groups: ReadonlyArray<import('../options/plan').Group> }} plan */
  constructor ({ groups, scenarios }) {
    /** By the number of the connection here. */
    this.places = groups.flatMap(({ from, until, connections, before, firstNumber }, group) =>
      chooseScenarios(scenarios.slice(from, until), before, connections).map((choice, i) => ({ group, choice: from + choice, number: firstNumber + before + i })))
  }

  /** @param {number} i which of the connections of this generator */
  of (i) {
    return this.places[i]
  }
}

module.exports = { Groups }
