'use strict'

// Converts options that exist only on the command line into options of autocannon().

const { tryOr } = require('../core/try-or')
const { visible } = require('../options/describe')
const { TABLE } = require('../options/table')
const { thresholdOf } = require('../options/types')
const { headersObject, mergeHeaders, parseHeaders } = require('../requests/headers')

/** @typedef {import('../options/normalize').Values} Values */

/**
 * A run without any connection ends after this time, s. autocannon() has no such limit by default, like autocannon 9.
 */
const GIVE_UP = 3

/** Options that set a header. The same header among `headers` would be a second value. */
const HEADER_OF = /** @type {const} */ ([['user', 'authorization'], ['userAgent', 'user-agent']])

/** @param {Values} values of the command line: files have been read @returns {Values} */
function runValues (values) {
  const { input, bodyRaw, dataBody, jsonBody, cert, key, ca, disableKeepalive, thresholds, abortOn } = values
  const headers = mergeHeaders(impliedHeaders(values), values.headers ?? [])
  const tls = { ...cert && { cert }, ...key && { key }, ...ca && { ca } }
  return {
    ...values,
    giveUp: values.wait === 0 ? undefined : GIVE_UP,
    body: input ?? bodyRaw ?? dataBody ?? jsonBody ?? values.body,
    headers: headers.length === 0 ? values.headers : headers,
    expect: expectationOf(values),
    tlsOptions: Object.keys(tls).length === 0 ? values.tlsOptions : { ...values.tlsOptions, ...tls },
    reconnectRate: disableKeepalive ? 1 : values.reconnectRate,
    thresholds: abortOn === undefined ? thresholds : [...thresholds ?? [], ...abortOn]
  }
}

/**
 * Returns the headers that other options imply. As in curl, `headers` may override the content type.
 * @type {(values: Values) => Array<[string, string]>}
 */
function impliedHeaders ({ dataBody, jsonBody, credentials, userAgent }) {
  /** @type {Array<[string, string]>} */
  const headers = []
  if (dataBody !== undefined) headers.push(['content-type', 'application/x-www-form-urlencoded'])
  if (jsonBody !== undefined) headers.push(['content-type', 'application/json'])
  if (credentials !== undefined) headers.push(['authorization', `Basic ${Buffer.from(credentials).toString('base64')}`])
  if (userAgent !== undefined) headers.push(['user-agent', userAgent])
  return headers
}

/**
 * @param {Values} values
 * @returns {import('../checks/expectation').Expectation | undefined} the checks of flags and of a config, merged
 */
function expectationOf (values) {
  const given = expectedByFlags(values)
  if (given === null) return values.expect
  const { mergeExpectations, parseExpectation } = require('../checks/expectation')
  const flags = parseExpectation(given)
  const merged = mergeExpectations(values.expect ?? null, flags) ?? undefined
  const [under, over] = [
    values.expect?.body?.includes, flags.body !== null && 'includes' in flags.body ? flags.body.includes : undefined
  ]
  return merged === undefined || under === undefined || over === undefined
    ? merged
    : { ...merged, body: { includes: [...under, ...over] } }
}

/**
 * Returns the checks of flags as the option `expect` of autocannon().
 * @type {(values: Values) => Record<string, any> | null}
 */
function expectedByFlags (values) {
  const parts = TABLE.flatMap(({ name, expects }) =>
    expects === undefined || values[name] === undefined ? [] : [expects(values[name])])
  return parts.length > 0 ? Object.assign({}, ...parts) : null
}

/**
 * @param {Record<string, any>} raw flags
 * @param {Values} values the same, typed
 * @returns {Record<string, any>} options of autocannon() for the same run, and `debug`, which the program implements
 */
function apiOptions (raw, values) {
  const run = runValues(values)
  /** @type {Record<string, any>} */
  const options = Object.fromEntries(TABLE.filter(({ name, where }) => where !== 'cli' && raw[name] !== undefined).map(
    option => [option.name, visible(option, run[option.name], raw[option.name])]
  ))
  // Passes contents that have been read, because a pipe can't be read again.
  for (const name of ['body', 'har', 'data', 'targets', 'replay', 'tlsOptions', 'reconnectRate']) {
    if (run[name] !== undefined) options[name] = run[name]
  }
  // A program may inspect these fields; their files are read when the run starts.
  if (run.form !== undefined && !raw.form.trimStart().startsWith('{')) options.form = run.form
  if (run.data === undefined) delete options.data
  if (run.credentials !== undefined) delete options.user
  if ((run.dataBody ?? run.jsonBody) !== undefined) options.method = run.method
  if (options.url?.length === 1) [options.url] = options.url
  if (run.headers !== undefined) options.headers = headersObject(run.headers)
  if (run.thresholds !== undefined) options.thresholds = run.thresholds.map(thresholdOf)
  const expect = expectedByFlags(values)
  return { ...options, ...expect && { expect }, debug: values.debug }
}

/**
 * @param {Record<string, any>} config
 * @param {Record<string, any>} flags that take precedence over the same header in any form
 * @returns {Record<string, any>} the config without headers that flags set in another form
 */
function withoutHeadersOf (config, flags) {
  const left = { ...config }
  for (const [name, header] of HEADER_OF) {
    if (isHeader(name, flags[name]) && gives(left.headers, header)) {
      left.headers = headersObject(parseHeaders(left.headers).filter(([name]) => name.toLowerCase() !== header))
    }
    if (gives(flags.headers, header) && isHeader(name, left[name])) delete left[name]
  }
  return left
}

/**
 * @param {Record<string, any>} raw
 * @param {(name: string) => string} call returns the user's name of an option
 * @returns {string[]} a sentence for each header that is given in two forms
 */
function headersGivenTwice (raw, call) {
  return HEADER_OF.filter(([name, header]) =>
    isHeader(name, raw[name]) && gives(raw.headers, header))
    .map(([name, header]) => `${call(name)} and ${call('headers')} each give the header ${header}: use one of them`)
}

/**
 * Returns whether the option sets a header: `user` may also be a module.
 * @type {(name: string, given: unknown) => boolean}
 */
function isHeader (name, given) {
  if (given === undefined || given === null) return false
  return name !== 'user' || (typeof given === 'string' && !require('../options/users/functions').isModulePath(given))
}

/**
 * @param {unknown} headers in any form
 * @param {string} header in lower case
 * @returns {boolean} whether they have the header; false if they are invalid, which is reported elsewhere
 */
function gives (headers, header) {
  if (headers === undefined || headers === null) return false
  return tryOr(false, () => parseHeaders(headers).some(([name]) => name.toLowerCase() === header))
}

module.exports = { apiOptions, headersGivenTwice, runValues, withoutHeadersOf }
