'use strict'

// Owns how a file or a document that an option gives is read, and what is said when it can't be.

const { readFileSync } = require('node:fs')
const { show } = require('../units')

/**
 * @param {unknown} path
 * @param {string} [what] it is
 * @returns {Buffer}
 * @throws {TypeError}
 */
function readFile (path, what = 'the file') {
  if (typeof path !== 'string') throw new TypeError(`expected the path of a file, got ${show(path)}`)
  try {
    return readFileSync(path)
  } catch (error) {
    // The message ends with the path, whatever is in it.
    const words = /** @type {Error} */ (error).message.replace(/, \w+ '[^]*'$/, '').replace(/ Received [^]*$/, '')
    throw new TypeError(`could not read ${what} '${path.slice(0, 1000)}': ${words}`)
  }
}

/**
 * @param {string} text
 * @param {string} what it is
 * @returns {any}
 * @throws {TypeError} without what is in the text: HAR files have cookies in them
 */
function parseJson (text, what) {
  try {
    // Some programs begin their files with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new TypeError(`${what} is not valid JSON: ${/** @type {Error} */ (error).message.replace(/, (\.\.\.)?"[^]*$/, '').replace(/ is not valid JSON$/, '')}`)
  }
}

module.exports = { readFile, parseJson }
