'use strict'

// Owns how a file that an option names is read, and what is said when it can't be.

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

module.exports = { readFile }
