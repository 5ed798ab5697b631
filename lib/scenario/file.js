'use strict'

// Owns how a file that an option gives is read, and what is said when it can't be. Standard input is a file, too.

const { readFileSync, readSync } = require('node:fs')
const { show } = require('../foreign-text')

/** What standard input is called. It is read by its number: under its other names a socket can't be opened. */
const STANDARD_INPUT = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])

/** Whether somebody has read standard input, which nobody can do again. */
let isInputRead = false

/** @param {unknown} path */
function isStandardInput (path) {
  return typeof path === 'string' && STANDARD_INPUT.has(path)
}

/**
 * @param {unknown} path
 * @param {string} [what] it is
 * @returns {Buffer}
 * @throws {TypeError}
 */
function readFile (path, what = 'the file') {
  if (typeof path !== 'string') throw new TypeError(`expected the path of a file, got ${show(path)}`)
  if (isStandardInput(path) && isInputRead) throw new TypeError(`could not read ${what} '${path}': standard input can be read only once, and something else has read it`)
  try {
    return isStandardInput(path) ? readStandardInput() : readFileSync(path)
  } catch (error) {
    // The message ends with the path, whatever is in it.
    const words = /** @type {Error} */ (error).message.replace(/, \w+ '[^]*'$/, '').replace(/ Received [^]*$/, '')
    throw new TypeError(`could not read ${what} '${path.slice(0, 1000)}': ${words}`)
  }
}

/** @returns {Buffer} all of it */
function readStandardInput () {
  isInputRead = true
  const chunks = []
  for (;;) {
    const chunk = Buffer.allocUnsafe(65536)
    try {
      const length = readSync(0, chunk)
      if (length === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, length))
    } catch (error) {
      // On Windows that is the end. A parent that reads from the same pipe may have made it non-blocking.
      const { code } = /** @type {NodeJS.ErrnoException} */ (error)
      if (code === 'EOF') return Buffer.concat(chunks)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

module.exports = { readFile, isStandardInput }
