'use strict'

// Reads a file that an option names, standard input included, and words its errors.

const { closeSync, fstatSync, openSync, readFileSync, readSync } = require('node:fs')
const { show } = require('../core/foreign-text')

/** Names of standard input. It is read by its file descriptor, because a socket cannot be opened by these names. */
const STANDARD_INPUT = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])

/** Standard input can be read once only. */
let isInputRead = false

/** @param {unknown} path */
function isStandardInput (path) {
  return typeof path === 'string' && STANDARD_INPUT.has(path)
}

/**
 * @param {unknown} path
 * @param {string} [what] it is
 * @throws {TypeError}
 */
function readFile (path, what = 'the file') {
  if (typeof path !== 'string') throw new TypeError(`expected the path of a file, got ${show(path)}`)
  if (isStandardInput(path) && isInputRead) {
    throw named(what, path, 'standard input can be read only once, and something else has read it')
  }
  try {
    if (isStandardInput(path)) return readStandardInput()
    const file = openSync(path, 'r')
    try {
      return fstatSync(file).isFile() ? readFileSync(file) : readToEnd(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw unreadable(path, what, error)
  }
}

/** @param {string} path @param {string} what it is @param {unknown} error */
function unreadable (path, what, error) {
  // The message of Node.js ends with the path, which may have any characters.
  const words = /** @type {Error} */ (error).message.replace(/, \w+ '[^]*'$/, '').replace(/ Received [^]*$/, '')
  return named(what, path.slice(0, 1000), words)
}

/** @param {string} what @param {string} path @param {string} words */
function named (what, path, words) {
  return Object.assign(new TypeError(`could not read ${what} '${path}': ${words}`), { path })
}

/** How many bytes are read at once. */
const CHUNK = 256 * 1024

/**
 * The limit of bytes from a pipe or a device: some, such as /dev/zero, have no end. It is also the longest text in V8.
 */
const MOST = 512 * 1024 * 1024

/** The limit of bytes in a line. */
const LONGEST_LINE = 64 * 1024 * 1024

/**
 * Reads a large file in parts.
 * @param {string} path
 * @returns {{ size: number, parts: Generator<Buffer> }} its approximate size, and its parts: each ends at the end of a
 *   line, and none has a byte order mark
 * @throws {TypeError}
 */
function readLines (path) {
  let file
  try {
    file = openSync(path, 'r')
    return { size: fstatSync(file).size, parts: partsOf(path, file) }
  } catch (error) {
    if (file !== undefined) closeSync(file)
    throw unreadable(path, 'the file', error)
  }
}

/** @param {string} path @param {number} file @returns {Generator<Buffer>} */
function * partsOf (path, file) {
  const chunk = Buffer.allocUnsafeSlow(CHUNK)
  /**
   * The start of an incomplete line. Its chunks are joined once: joining at each chunk takes quadratic time.
   * @type {Buffer[]}
   */
  let rest = []
  let length = 0
  let isFirst = true
  try {
    for (;;) {
      const bytes = chunk.subarray(0, readSomething(path, file, chunk))
      const from = isFirst && bytes.length > 2 && bytes.readUIntBE(0, 3) === BYTE_ORDER_MARK ? 3 : 0
      isFirst = false
      const isEnd = bytes.length === 0
      const end = Math.max(from, bytes.lastIndexOf(LINE_FEED) + 1)
      if (isEnd || end > from) {
        const part = Buffer.concat([...rest, bytes.subarray(from, end)])
        if (part.length > 0) yield part
        if (isEnd) return
        rest = []
        length = 0
      }
      rest.push(Buffer.from(bytes.subarray(end)))
      length += bytes.length - end
      if (length > LONGEST_LINE) throw new TypeError('a line is longer than 64 MiB')
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Returns the number of bytes read into the chunk; 0 at the end.
 * @type {(path: string, file: number, chunk: Buffer) => number}
 */
function readSomething (path, file, chunk) {
  try {
    return readSync(file, chunk)
  } catch (error) {
    throw unreadable(path, 'the file', error)
  }
}

const LINE_FEED = 10
const BYTE_ORDER_MARK = 0xefbbbf

/** @returns {Buffer} all of it */
function readStandardInput () {
  isInputRead = true
  return readToEnd(0)
}

/**
 * @param {number} file a pipe or a device
 * @returns {Buffer} its whole content
 * @throws {Error} for more than MOST bytes
 */
function readToEnd (file) {
  const chunks = []
  for (let left = MOST; left >= 0;) {
    const chunk = Buffer.allocUnsafeSlow(CHUNK)
    try {
      const length = readSync(file, chunk)
      if (length === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, length))
      left -= length
    } catch (error) {
      // EOF is how Windows reports the end of a pipe. EAGAIN: a parent process has made the shared pipe non-blocking.
      const { code } = /** @type {NodeJS.ErrnoException} */ (error)
      if (code === 'EOF') return Buffer.concat(chunks)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
  throw new Error('it has more than 512 MiB, or no end')
}

module.exports = { readFile, readLines, isStandardInput }
