'use strict'

// Reads the head of an HTTP/1.1 response that the parser has accepted.

/**
 * @param {Buffer} head a whole one
 * @param {number} start
 * @param {number} end
 * @returns {string[]} names and values alternate, as received
 */
const rawHeaders = (head, start, end) => fieldsOf(head.toString('latin1', start, end), 1)

/**
 * @param {Buffer} section a whole one, which the parser has accepted
 * @returns {string[]} names and values alternate, as received
 */
const rawTrailers = section => fieldsOf(section.toString('latin1'), 0)

/**
 * @param {string} text up to an empty line
 * @param {number} first line of a field
 */
function fieldsOf (text, first) {
  const lines = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const raw = []
  for (let i = first; i < lines.length - 2; i++) {
    const colon = lines[i].indexOf(':')
    raw.push(lines[i].slice(0, colon), lines[i].slice(colon + 1).trim())
  }
  return raw
}

/** @param {Buffer} head @param {number} start */
function statusLine (head, start) {
  const line = head.toString('latin1', start, head.indexOf('\r\n', start))
  return { statusMessage: line.slice(13), versionMajor: 1, versionMinor: Number(line[7]) }
}

/** @type {import('../head-memo').HeadFormat} */
const HEAD_FORMAT = { rawHeaders, statusLine }

module.exports = { HEAD_FORMAT, rawTrailers }
