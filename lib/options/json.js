'use strict'

// Owns the words for JSON that can't be parsed: in which file, at which line and column, and what stands there.

/**
 * @param {string} path
 * @param {string} text
 * @param {Error} error of JSON.parse
 * @param {number} [line] of the file where the text begins
 * @returns {string}
 */
function syntaxProblem (path, text, error, line = 1) {
  const at = positionOf(text, error.message)
  const before = text.slice(0, at).split('\n')
  const found = at >= text.trimEnd().length ? 'it ends too early' : `unexpected ${JSON.stringify(text[at])}`
  return `the file '${path}' is not valid JSON: ${found}, line ${line + before.length - 1}, column ${before[before.length - 1].length + 1}`
}

/**
 * V8 tells the position in some of its messages only: else the shortest beginning that is wrong by itself ends there.
 * @param {string} text
 * @param {string} message
 */
function positionOf (text, message) {
  const [, told] = /at position (\d+)/.exec(message) ?? []
  if (told !== undefined) return Number(told)
  if (message.includes('end of JSON')) return text.length
  const [, token] = /^Unexpected token '?(.+?)'?(?:,| in )/.exec(message) ?? []
  for (let at = token === undefined ? -1 : text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    if (isWrongAt(text, at)) return at
  }
  return 0
}

/**
 * @param {string} text
 * @param {number} at
 */
function isWrongAt (text, at) {
  try {
    JSON.parse(text.slice(0, at + 1))
    return false
  } catch (error) {
    return !/end of JSON|Unterminated/.test(/** @type {Error} */ (error).message)
  }
}

module.exports = { syntaxProblem }
