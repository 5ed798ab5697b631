'use strict'

// What makes a block of an entry in a list of requests: conditions, loops and parallel requests. blocks.js reads them,
// and is loaded by those who have some.

const { isRecord } = require('../../core/foreign-text')

/** What makes a block of an entry, and what else it may have. @type {Readonly<Record<string, string[]>>} */
const BLOCKS = Object.freeze({
  if: ['requests', 'else'], repeat: ['requests'], while: ['max', 'requests'], forEach: ['requests'], parallel: []
})

const KINDS = Object.keys(BLOCKS)

/** @param {unknown} entry @returns {string | undefined} undefined for a request or a pause */
function kindOf (entry) {
  return isRecord(entry) ? KINDS.find(kind => Object.hasOwn(entry, kind) && entry[kind] !== undefined) : undefined
}

module.exports = { BLOCKS, KINDS, kindOf }
