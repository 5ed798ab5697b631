'use strict'

// Connection-specific headers that a run over HTTP/2 cannot send, from any option. Those of HAR files are dropped.

const { problemAt } = require('../../core/problem')
const { parseHeaders } = require('../../requests/headers')
const { refusalOf } = require('./connection-fields')

/** @type {import('../protocol').Rules} */
function aboutHttp2 (values, call, { entries }) {
  const problems = refused(call, 'headers', values.headers ?? [])
  // They have been read once, without a mistake.
  for (const [place, { headers }] of entries) {
    if (headers !== undefined && headers !== null) {
      problems.push(...refused(call, `${place}.headers`, parseHeaders(headers)))
    }
  }
  const names = new Set(
    /** @type {Array<{ names: string[] }>} */ (values.targets?.list.shapes ?? []).flatMap(({ names }) => names)
  )
  // Of a list the names are known, and values are as many as it has requests.
  for (const name of names) {
    if (name.toLowerCase() === 'te') {
      problems.push(problemAt(call, 'targets', `${name} may only be trailers over HTTP/2 (RFC 9113 §8.2.2), and is ` +
        'not checked in a list of requests: omit it'))
    } else problems.push(...refused(call, 'targets', [[name, '']]))
  }
  return problems
}

/**
 * @param {import('../../core/problem').Call} call
 * @param {string} place
 * @param {import('../../requests/headers').Pairs} headers
 * @returns {import('../../core/problem').Problem[]}
 */
function refused (call, place, headers) {
  return headers.flatMap(([name, value]) => refusalOf(name, value) ?? []).map(reason => problemAt(call, place, reason))
}

module.exports = { aboutHttp2 }
