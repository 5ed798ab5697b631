'use strict'

// The options of a run in its result, for repeating it: plain data that survives JSON, without defaults and possible
// secrets (SECURITY.md). Bodies are given by size, headers by name, or by a template that names all of their values.

const { parseHeaders } = require('../requests/headers')
const { HIDDEN, isTemplateAlone, redacted } = require('../core/secrets')
const { Rate } = require('../shapes/rate')
const { TABLE } = require('./table')
const { typeOf } = require('./types')

/** Of longer texts, the size is shown. */
const LONGEST = 1024

/** Of longer lists, the first entries are shown. */
const MOST = 100

const DEEPEST = 6

/** Options with contents of requests or responses; requests have some of the same names. */
const CONTENT = new Set(TABLE.filter(option => typeOf(option).isContent).map(({ name }) => name))

/**
 * @param {Record<string, any>} given as the user gave them
 * @param {import('./normalize').Values} values the same, typed
 * @returns {Record<string, unknown>} options by name; a hook is its name or path
 */
function describeOptions (given, values) {
  /** @type {Record<string, unknown>} */
  const described = {}
  for (const option of TABLE) {
    const { name, where, inResult, implied, means, default: fallback } = option
    const value = values[name]
    if (where === 'cli' || inResult === false || means !== undefined || value === undefined) continue
    if ((value === fallback && !inResult) || implied?.(values)) continue
    const { shown, described: form = shown, isContent } = typeOf(option)
    described[name] = form === undefined
      ? redacted(isContent ? given[name] : value, name, shortened)
      : form(value, values)
  }
  // A server that was started for the run chose its own port.
  if (values.started !== undefined) described.onPort = redacted(values.started.command, 'command')
  return described
}

/**
 * Returns its value in a form that can be given again: as the user gave it, or the default.
 * @type {(option: Readonly<import('./table').Option>, typed: any, given: unknown) => unknown}
 */
function visible (option, typed, given) {
  const { shown } = typeOf(option)
  if (shown !== undefined && typed !== undefined) return shown(typed)
  return typeof typed === 'number' || typeof typed === 'boolean' || given === undefined || given === null
    ? typed
    : given
}

/** Returns it, or a description. @type {(value: any, key: string, depth: number) => unknown} */
function shortened (value, key, depth) {
  if (key === 'headers') return headersOf(value)
  // JSON.stringify(result) must not throw.
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Rate) return value.toJSON()
  if (key === 'pause') return require('./users/pauses').givenPause(value)
  if (CONTENT.has(key) || key === 'multipart') return sizeOf(value)
  if (typeof value === 'string' && value.length > LONGEST) return sizeOf(value)
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value
  if (depth === DEEPEST) return sizeOf(value)
  if (Array.isArray(value)) return value.slice(0, MOST)
  return value instanceof Uint8Array
    ? value
    : Object.fromEntries(
      // A body of JSON is content, and the JSON that is expected is not.
      Object.entries(value).filter(([, one]) => one !== undefined && one !== null).map(([name, one]) =>
        [name, name === 'json' && value.method !== undefined ? sizeOf(one) : one]))
}

/** @param {any} value headers in any form, or expected ones @returns {Array<[string, string]>} */
function headersOf (value) {
  try {
    const headers = Array.isArray(value?.[0]) ? value : parseHeaders(value)
    return headers.map((/** @type {[string, unknown]} */ [name, one]) =>
      [name, typeof one === 'string' && isTemplateAlone(one, name) ? one : HIDDEN])
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return Object.keys(value).map(name => [name, HIDDEN])
  }
}

/** @param {any} value */
function sizeOf (value) {
  return typeof value === 'string' || value instanceof Uint8Array
    ? `[${Buffer.byteLength(value)} bytes]`
    : '[not shown]'
}

module.exports = { describeOptions, visible }
