'use strict'

// Owns the question whether any text of the options may be a template, and which bodies are texts: nothing else of templates is loaded by those who
// have none.

const { isUtf8 } = require('node:buffer')
const { hasExpression } = require('../scenario/expression')

/** How deep texts may stand: in `scenarios[0].requests[0].expect.json`. */
const DEEPEST = 8

/**
 * @param {import('./normalize').Values} values
 * @returns {boolean}
 */
function hasTemplates ({ data, url, headers, body, input, dataBody, jsonBody, expect, requests, scenarios }) {
  return data !== undefined || isIn([url, headers, body, input, dataBody, jsonBody, expect, requests, scenarios], 0)
}

/**
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean}
 */
function isIn (value, depth) {
  if (typeof value === 'string') return hasExpression(value)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || depth > DEEPEST) return false
  return Object.values(value).some(one => isIn(one, depth + 1))
}

/**
 * What is written as a text is a template, also in a file. What is given as bytes is sent as it is.
 * @param {import('./normalize').Values} values which are changed
 */
function readBodies (values) {
  for (const name of ['input', 'dataBody']) {
    const bytes = values[name]
    if (bytes instanceof Uint8Array && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('{{') && isUtf8(bytes)) values[name] = Buffer.from(bytes).toString()
  }
  if (typeof values.bodyRaw === 'string' && hasExpression(values.bodyRaw)) values.bodyRaw = Buffer.from(values.bodyRaw)
}

module.exports = { hasTemplates, readBodies }
