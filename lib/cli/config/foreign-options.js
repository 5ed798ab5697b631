'use strict'

// Options of other tools in a config: their equivalents here.

const { inOptions, options, withoutCounterpart } = require('./foreign-options.json')

/** @param {string} hint with the placeholder {phases} for the hint about the phases of Artillery */
const whole = hint => hint.replace('{phases}', options.phases)

/** @type {(name: string) => string | undefined} */
const hintOn = name => {
  if (Object.hasOwn(options, name)) return whole(options[/** @type {keyof typeof options} */ (name)])
  return withoutCounterpart.includes(name)
    ? 'an option of k6 that is not needed or has no counterpart here: omit it'
    : undefined
}

/**
 * @param {string} place of an object in a config
 * @param {string} key that is unknown in this place
 * @returns {string | undefined} a suggestion
 */
function hintInOption (place, key) {
  const found = inOptions.find(one => new RegExp(one.place).test(place) && new RegExp(one.key).test(key))
  return found === undefined ? undefined : whole(found.hint)
}

module.exports = { hintInOption, hintOn }
