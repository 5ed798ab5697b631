'use strict'

// Reads the head of an HTTP/2 response from a header block that `skim` has accepted.

const { readFields } = require('./header-block')

/**
 * Returns names and values alternating, up to the first invalid one.
 * @type {(block: Buffer, start: number, end: number) => string[]}
 */
function rawHeaders (block, start, end) {
  /** @type {string[]} */
  const raw = []
  readFields(block, start, end, raw)
  return raw
}

/** There is no text beside the status (RFC 9113 §8.3.2). */
const STATUS_LINE = Object.freeze({ statusMessage: '', versionMajor: 2, versionMinor: 0 })

/** @type {import('../head-memo').HeadFormat} */
const HEAD_FORMAT = { rawHeaders, statusLine: () => STATUS_LINE }

module.exports = { HEAD_FORMAT }
