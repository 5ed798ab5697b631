'use strict'

// Parses a line of JSON as a request in the format of vegeta: method, url, header and body.

const { isRecord, show } = require('../core/foreign-text')
const { suggestOf } = require('../core/suggest')
const { parseHeader } = require('../requests/headers')
const { parseJson } = require('../requests/json')
const { textOf, withTexts } = require('../requests/json-numbers')
const { parseMethod } = require('../requests/request')

const KEYS = ['method', 'url', 'header', 'headers', 'body']

/** @param {string} text @param {number} line number of the line @returns {import('./target-collector').Parts} */
function partsOfJson (text, line) {
  let entry
  try {
    entry = JSON.parse(text)
  } catch {
    // The error of parseJson has the position.
    entry = parseJson(text, 'the object', line)
  }
  if (!isRecord(entry)) throw new TypeError(`expected a JSON object with method and url, got ${show(entry)}`)
  const { method, url, header, headers = header, body } = entry
  for (const name in entry) {
    if (!KEYS.includes(name)) {
      throw new TypeError(`unknown key ${show(name)}${suggestOf(name, KEYS, 'method, url, header and body')}`)
    }
  }
  if (typeof url !== 'string' || url === '') {
    throw new TypeError(`expected a url such as http://localhost:3000/path, got ${show(url)}`)
  }
  return {
    method: method === undefined || method === null ? null : parseMethod(method),
    url,
    headers: headers === undefined || headers === null ? undefined : headersOf(headers, text),
    body: body === undefined || body === null ? null : parseBase64(body)
  }
}

/**
 * @throws {TypeError}
 * @type {(body: unknown) => Buffer}
 */
function parseBase64 (body) {
  if (typeof body !== 'string' || !/^[\w+/-]*={0,2}$/.test(body)) {
    throw new TypeError('body: expected base64, got ' +
      `${typeof body === 'string' ? 'another text; jq makes base64 by @base64' : show(body)}`)
  }
  return Buffer.from(body, 'base64')
}

/**
 * @param {unknown} given an object of names, each with a value or a list of values
 * @param {string} text of the line
 */
function headersOf (given, text) {
  if (!isRecord(given)) {
    throw new TypeError(`header: expected an object of names and lists of values, got ${show(given)}`)
  }
  /** @type {Array<[string, string]>} */
  const headers = []
  for (const name in given) {
    const values = given[name]
    if (!Array.isArray(values)) {
      headers.push(parseHeader(name, typeof values === 'number' ? textIn(text, name, null) : values))
    } else {
      for (const [i, value] of values.entries()) {
        headers.push(parseHeader(name, typeof value === 'number' ? textIn(text, name, i) : value))
      }
    }
  }
  return headers
}

/**
 * @param {string} line
 * @param {string} name of a header with a number as its value
 * @param {number | null} index of the value; null for a header without a list
 * @returns {string} the text of the number in the line
 */
function textIn (line, name, index) {
  const { header, headers = header } = withTexts(line, parseJson(line, 'the object'))
  return index === null
    ? textOf(headers, name, headers[name])
    : textOf(headers[name], String(index), headers[name][index])
}

module.exports = { partsOfJson }
