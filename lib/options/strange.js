'use strict'

// The error for an unknown key in an object of a user.

const { show } = require('../core/foreign-text')
const { suggestOf } = require('../core/suggest')

/**
 * @throws {TypeError}
 * @type {(object: Record<string, unknown>, known: string[]) => void}
 */
function refuseStrange (object, known) {
  const strange = Object.keys(object).find(key => !known.includes(key))
  if (strange !== undefined) throw new TypeError(`unknown key ${show(strange)}${suggestOf(strange, known)}`)
}

module.exports = { refuseStrange }
