'use strict'

// Owns what a run over HTTP/2 can't send: headers that are a connection's, wherever they are given. HAR files leave theirs out.

const { parseHeaders } = require('../scenario/headers')
const { refusalOf } = require('../wire/http2/connection-fields')
const { entriesIn } = require('./requests')

/**
 * @param {import('./normalize').Values} values
 * @param {(name: string) => string} call how the user calls an option
 * @returns {string[]} a sentence for each header that is refused
 */
function aboutHttp2 (values, call) {
  const problems = refused(call('headers'), values.headers ?? [])
  // They have been read once, without a mistake.
  for (const [place, { headers }] of entriesIn(values)) if (headers !== undefined && headers !== null) problems.push(...refused(`${place}.headers`, parseHeaders(headers)))
  return problems
}

/**
 * @param {string} place
 * @param {import('../scenario/headers').Pairs} headers
 * @returns {string[]}
 */
function refused (place, headers) {
  return headers.flatMap(([name, value]) => refusalOf(name, value) ?? []).map(reason => `${place}: ${reason}`)
}

module.exports = { aboutHttp2 }
