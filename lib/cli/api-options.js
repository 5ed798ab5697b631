'use strict'

// Owns what flags mean for a run: the options of the API that raw and typed values of the command line stand for.

const { byName } = require('../options/table')
const { headersObject, mergeHeaders } = require('../request/headers')

/**
 * @param {Record<string, any>} raw as flags and config say it
 * @param {import('../options/normalize').Values} values the same, typed: files have been read
 * @returns {any}
 */
function apiOptions (raw, values) {
  const options = Object.fromEntries(Object.entries(raw)
    .filter(([name]) => byName.get(name)?.where !== 'cli')
    .map(([name, value]) => [name, typeof values[name] === 'number' || typeof values[name] === 'boolean' ? values[name] : value]))
  const body = values.input ?? values.bodyRaw ?? values.data
  if (body !== undefined) options.body = body
  if (values.data !== undefined) options.method = values.method
  // What has been read is handed over: a pipe can't be read again.
  for (const name of ['form', 'har']) if (values[name] !== undefined) options[name] = values[name]
  // A list of one URL and lines of headers are forms of the command line.
  if (options.url?.length === 1) [options.url] = options.url
  const headers = mergeHeaders(impliedHeaders(values), values.headers ?? [])
  if (headers.length > 0 || values.headers !== undefined) options.headers = headersObject(headers)
  const expect = expectationOf(values)
  // A config may expect something, too.
  if (expect !== null) options.expect = require('../checks/expectation').mergeGiven(options.expect ?? {}, expect)
  const { cert, key, ca, insecure } = values
  const tls = { ...cert && { cert }, ...key && { key }, ...ca && { ca }, ...insecure && { rejectUnauthorized: false } }
  if (Object.keys(tls).length > 0) options.tlsOptions = { ...values.tlsOptions, ...tls }
  if (values.disableKeepalive) options.reconnectRate = 1
  if (values.abortOn !== undefined) options.thresholds = [...[raw.thresholds ?? []].flat(), ...[raw.abortOn].flat().map(threshold => ({ threshold, abortOn: true }))]
  return options
}

/**
 * @param {import('../options/normalize').Values} values
 * @returns {Array<[string, string]>} those that are given themselves win over them, as in curl
 */
function impliedHeaders ({ data, user, userAgent }) {
  /** @type {Array<[string, string]>} */
  const headers = []
  if (data !== undefined) headers.push(['content-type', 'application/x-www-form-urlencoded'])
  if (user !== undefined) headers.push(['authorization', `Basic ${Buffer.from(user).toString('base64')}`])
  if (userAgent !== undefined) headers.push(['user-agent', userAgent])
  return headers
}

/**
 * @param {import('../options/normalize').Values} values
 * @returns {Record<string, any> | null}
 */
function expectationOf ({ expectStatus, expectHeader, expectJson, expectIncludes }) {
  const expect = {
    ...expectStatus && { status: expectStatus },
    ...expectHeader && { headers: expectHeader },
    ...expectJson && { json: expectJson },
    ...expectIncludes && { body: { includes: expectIncludes } }
  }
  return Object.keys(expect).length > 0 ? expect : null
}

module.exports = { apiOptions }
