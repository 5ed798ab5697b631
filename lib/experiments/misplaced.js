'use strict'

// Refuses options of a run that an experiment cannot use, or that would mean something else.

const { byName } = require('../options/table')

/** @typedef {import('../options/table').Option} Option */

/**
 * @param {Readonly<Record<string, any>>} refused what to do instead, by the name of the option
 * @param {Record<string, any>} raw the options, from which these are removed, so that they are reported once
 * @param {(option: Option) => string} label the name of an option as the user writes it
 * @param {(instead: any, option: Option, given: any) => string | null} say the sentence; null if it is reported
 *   elsewhere
 * @returns {string[]} a sentence for each
 */
function misplaced (refused, raw, label, say) {
  return Object.entries(refused).flatMap(([name, instead]) => {
    const option = /** @type {Option} */ (byName.get(name))
    const given = raw[name] === 'true' ? true : raw[name] === 'false' ? false : raw[name]
    const words = given === undefined || given === null || given === option.default ? null : say(instead, option, given)
    if (words === null) return []
    delete raw[name]
    return [`${label(option)}: ${words}`]
  })
}

module.exports = { misplaced }
