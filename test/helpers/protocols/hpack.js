'use strict'

// Header blocks as npm hpack.js writes and reads them: the oracle of our own. Text is latin1, a character a byte.

const { compressor, decompressor } = require('hpack.js')

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} value
 * @property {boolean} [neverIndex]
 * @property {boolean} [incremental]
 * @property {boolean} [huffman]
 */

/**
 * @param {Field[]} fields
 * @param {number} [tableSize] of the dynamic table
 * @returns {Buffer}
 */
function writeBlock (fields, tableSize = 0) {
  const writer = compressor.create({ table: { maxSize: tableSize } })
  writer.write(fields)
  return writer.read() ?? Buffer.alloc(0)
}

/**
 * @param {Uint8Array} bytes
 * @param {number} [tableSize] of the dynamic table
 * @returns {Field[]}
 */
function readBlock (bytes, tableSize = 0) {
  const reader = decompressor.create({ table: { maxSize: tableSize } })
  // An error is thrown by `emit`, which has no listener.
  reader.write(Buffer.from(bytes))
  reader.execute()
  const fields = []
  for (let field = reader.read(); field !== null; field = reader.read()) fields.push(field)
  return fields
}

module.exports = { writeBlock, readBlock }
