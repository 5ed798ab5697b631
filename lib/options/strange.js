'use strict'

// Owns what is said of a key that nobody knows, in an object that a user gives.

const { show } = require('../foreign-text')
const { suggest } = require('../suggest')

/**
 * @param {Record<string, unknown>} object
 * @param {string[]} known
 * @throws {TypeError}
 */
function refuseStrange (object, known) {
  const strange = Object.keys(object).find(key => !known.includes(key))
  if (strange !== undefined) throw new TypeError(`unknown key ${show(strange)}${suggest(strange, known)}; there are ${known.join(', ')}`)
}

module.exports = { refuseStrange }
