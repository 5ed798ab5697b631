'use strict'

// Parses Sec-WebSocket-Extensions (RFC 6455 §9.1).

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
// A quoted value must be a token as well.
const ITEM = new RegExp(`[ \\t]*(${TOKEN})(?:[ \\t]*=[ \\t]*(?:(${TOKEN})|"(${TOKEN})"))?[ \\t]*([,;]|$)`, 'y')

/**
 * @typedef {object} Extension
 * @property {string} name
 * @property {Array<[name: string, value: string | null]>} parameters in order; null for a parameter without a value
 */

/**
 * @param {string} text the value of the header; several headers are joined by commas
 * @returns {Extension[] | null} null when it is malformed
 */
function parseExtensions (text) {
  /** @type {Extension[]} */
  const extensions = []
  let isName = true
  ITEM.lastIndex = 0
  while (ITEM.lastIndex < text.length || extensions.length === 0) {
    const found = ITEM.exec(text)
    if (found === null) return null
    const [, name, plain, quoted, end] = found
    const value = plain ?? quoted ?? null
    if (!isName) extensions[extensions.length - 1].parameters.push([name, value])
    else if (value !== null) return null
    else extensions.push({ name, parameters: [] })
    isName = end === ','
    if (end !== '' && ITEM.lastIndex === text.length) return null
  }
  return extensions
}

module.exports = { parseExtensions }
