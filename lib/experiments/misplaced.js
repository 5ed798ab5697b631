'use strict'

// Refuses options of a run that an experiment has no use for, or that mean something else there.

const { byName } = require('../options/table')

/**
 * @typedef {import('../options/table').Option} Option
 */

/**
 * @param {Readonly<Record<string, any>>} notHere what to do instead, by the name of an option
 * @param {Record<string, any>} raw of which these are removed, so that they are reported once
 * @param {(option: Option) => string} label how the user calls an option
 * @param {(instead: any, option: Option, given: any) => string | null} say in the user's words; null where it is
 *   reported elsewhere
 * @returns {string[]} a sentence for each
 */
function misplaced (notHere, raw, label, say) {
  return Object.entries(notHere).flatMap(([name, instead]) => {
    const option = /** @type {Option} */ (byName.get(name))
    const given = raw[name] === 'true' ? true : raw[name] === 'false' ? false : raw[name]
    const words = given === undefined || given === null || given === option.default ? null : say(instead, option, given)
    if (words === null) return []
    delete raw[name]
    return [`${label(option)}: ${words}`]
  })
}

module.exports = { misplaced }
