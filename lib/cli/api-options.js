'use strict'

// Owns what flags mean for a run: the options of the API that raw and typed values of the command line stand for.

const { byName } = require('../options/table')
const { headersObject, mergeHeaders, parseHeaders } = require('../scenario/headers')

/** Options that are a header of their own; a header that is given, too, would be another value of the same. */
const HEADER_OF = /** @type {const} */ ([['user', 'authorization'], ['userAgent', 'user-agent']])

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
 * @returns {Array<[string, string]>} of these, the type is just a default, as in curl
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

/**
 * @param {Record<string, any>} config
 * @param {Record<string, any>} flags that win over it: the same header of theirs, in whatever form
 * @returns {Record<string, any>} the config without what the flags give otherwise
 */
function withoutHeadersOf (config, flags) {
  const left = { ...config }
  for (const [name, header] of HEADER_OF) {
    if (flags[name] !== undefined && gives(left.headers, header)) left.headers = headersObject(parseHeaders(left.headers).filter(([name]) => name.toLowerCase() !== header))
    if (gives(flags.headers, header)) delete left[name]
  }
  return left
}

/**
 * @param {Record<string, any>} raw
 * @param {(name: string) => string} call how the user calls an option
 * @returns {string[]} a sentence for each header that is given in two forms
 */
function headersGivenTwice (raw, call) {
  return HEADER_OF.filter(([name, header]) => raw[name] !== undefined && raw[name] !== null && gives(raw.headers, header))
    .map(([name, header]) => `${call(name)} and ${call('headers')} each give the header ${header}: use one of them`)
}

/**
 * @param {unknown} headers in any form
 * @param {string} header in lower case
 * @returns {boolean} false when there is something wrong with them, which is said elsewhere
 */
function gives (headers, header) {
  if (headers === undefined || headers === null) return false
  try {
    return parseHeaders(headers).some(([name]) => name.toLowerCase() === header)
  } catch {
    return false
  }
}

module.exports = { apiOptions, headersGivenTwice, withoutHeadersOf }
