'use strict'

// Finds duplicate keys in JSON: JSON.parse keeps the last and ignores the others.

const { endOfString } = require('./json-numbers')

const STRUCTURE = /["{}[\]]/g
const COLON = /\s*:/y

/**
 * @param {string} json valid JSON
 * @returns {{ key: string, at: number } | null} the first duplicate key, and the offset of its opening quotation mark
 */
function duplicateKeyIn (json) {
  /** The keys of each open object; null for an array. @type {Array<Set<string> | null>} */
  const open = []
  STRUCTURE.lastIndex = 0
  for (let found = STRUCTURE.exec(json); found !== null; found = STRUCTURE.exec(json)) {
    const at = found.index
    if (found[0] === '{') open.push(new Set())
    else if (found[0] === '[') open.push(null)
    else if (found[0] !== '"') open.pop()
    else {
      COLON.lastIndex = STRUCTURE.lastIndex = endOfString(json, at) + 1
      if (!COLON.test(json)) continue
      const key = JSON.parse(json.slice(at, STRUCTURE.lastIndex))
      const keys = open.at(-1)
      if (keys?.has(key)) return { key, at }
      keys?.add(key)
    }
  }
  return null
}

module.exports = { duplicateKeyIn }
