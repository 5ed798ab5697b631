'use strict'

// Owns how a regular expression is written as a text, where there are no literals: on the command line, in JSON and in YAML.

const { show } = require('../foreign-text')

/**
 * @param {string} text such as `/^id=\d+$/i`
 * @returns {RegExp | null} null for a text that is none, such as the path /home/me/capture.js
 * @throws {TypeError}
 */
function patternOf (text) {
  const [, source, flags] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text) ?? []
  if (source === undefined) return null
  try {
    return new RegExp(source, flags)
  } catch (error) {
    throw new TypeError(`expected a regular expression, got ${show(text)}: ${/** @type {Error} */ (error).message}`)
  }
}

module.exports = { patternOf }
