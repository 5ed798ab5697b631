'use strict'

// The text form of a regular expression, for the command line, JSON and YAML.

const { printable, show } = require('../core/foreign-text')
const { UnsupportedPattern, linear } = require('./linear-pattern')

/**
 * @param {string} text such as `/^id=\d+$/i`
 * @returns {RegExp | null} null for any other text, such as the path /home/me/capture.js
 * @throws {TypeError}
 */
function patternOf (text) {
  const [, source, flags] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? []
  if (source === undefined) return null
  let pattern
  try {
    pattern = new RegExp(source, flags)
  } catch (error) {
    throw new TypeError(`expected a regular expression, got ${show(text)}: ${/** @type {Error} */ (error).message}`)
  }
  try {
    linear(pattern)
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error
    throw new TypeError(`${show(text)} is not supported: ${printable(error.message)}. Use a function of the response ` +
      'in a JavaScript config instead')
  }
  return pattern
}

module.exports = { patternOf }
