'use strict'

// The error for an unknown key in an object of a user.

const { show } = require('../core/foreign-text')
const { suggestOf } = require('../core/suggest')

/**
 * @param {Record<string, unknown>} object
 * @param {string[]} known
 * @throws {TypeError}
 */
function refuseStrange (object, known) {
  const strange = Object.keys(object).find(key => !known.includes(key))
  if (strange !== undefined) throw new TypeError(`unknown key ${show(strange)}${suggestOf(strange, known)}`)
}

module.exports = { refuseStrange }
