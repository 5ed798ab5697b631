'use strict'

// Checks given Content-Length and Transfer-Encoding headers: they have to match the body.

const { problemAt } = require('../../core/problem')
const { hasExpression } = require('../../requests/expression')
const { framingProblem, hasFraming, isFraming } = require('../../requests/framing')
const { mergeHeaders, parseHeaders } = require('../../requests/headers')
const { entriesIn, isPause } = require('./requests')

/** With idReplacement, this text in a body is replaced by an id. */
const ID = '[<id>]'

/** The body of a multipart request with templates, for the check. */
const A_TEMPLATE = '{{}}'

/** @param {Record<string, any>} entry @returns {import('../../requests/headers').Pairs} */
const headersIn = ({ headers }) => headers === undefined || headers === null ? [] : parseHeaders(headers)

/** @type {import('../normalize').Rules} */
function aboutFraming (values, call) {
  const { headers = [], body, bodyRaw, input, dataBody, jsonBody, form, har, targets, idReplacement } = values
  if (targets !== undefined) {
    return hasFraming(headers)
      ? [problemAt(call, 'headers', 'each target has a body of its own: omit Content-Length and Transfer-Encoding')]
      : []
  }
  const all = input ?? bodyRaw ?? dataBody ?? jsonBody ?? form?.body ?? body ?? null
  /** @type {Array<[place: string, request: Pick<import('../../requests/request').Request, 'headers' | 'body'>]>} */
  const sent = har !== undefined
    ? [...har.values()].flat().map((/** @type {any} */ { request }) =>
        ['headers', { body: request.body, headers: mergeHeaders(request.headers, headers) }])
    : values.requests === undefined && values.scenarios === undefined
      ? [['headers', { body: all, headers }]]
      : entriesIn(values).filter(([, entry]) => !isMadeLater(entry)).map(([place, entry]) => {
        const own = headersIn(entry)
        return [hasFraming(own) ? `${place}.headers` : place, {
          body: entry.multipart === undefined ? entry.body ?? all : A_TEMPLATE, headers: mergeHeaders(headers, own)
        }]
      })
  return sent.flatMap(([place, request]) => {
    // Templates as values of these headers are reported by templates.js.
    if (!hasFraming(request.headers) || request.headers.some(isTemplate)) return []
    const { body } = request
    const isLength = request.headers.some(([name]) => name.toLowerCase() === 'content-length')
    if (isLength && typeof body === 'string' && hasExpression(body)) {
      return [problemAt(call, 'headers', 'a body that is a template has the length of its values: omit the ' +
        'Content-Length')]
    }
    if (isLength && idReplacement && body !== null && Buffer.from(body).includes(ID)) {
      return [problemAt(call, 'headers', 'a body with ids has the length of its ids: omit the Content-Length')]
    }
    const problem = framingProblem(request)
    if (problem === null) return []
    return [problemAt(call, place, place.endsWith('headers') ? problem : `${call('headers')}: ${problem}`)]
  })
}

/** @param {readonly [string, string]} header */
const isTemplate = ([name, value]) => isFraming(name) && hasExpression(value)

/** Whether it is a pause, or a hook creates the request, which is then checked when it is sent. */
const isMadeLater = (/** @type {Record<string, any>} */ entry) => isPause(entry) || entry.setupRequest !== undefined

module.exports = { aboutFraming }
