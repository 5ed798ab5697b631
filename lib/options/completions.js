'use strict'

// `stream: openai` for requests: POST, JSON, and a body that requests a stream and its usage.

const { isUtf8 } = require('node:buffer')
const { existsSync } = require('node:fs')
const { isRecord, printable, show } = require('../core/foreign-text')
const { problemAt } = require('../core/problem')
const { missingIn } = require('../requests/completion')
const { mergeHeaders } = require('../requests/headers')
const { isBlock, isPause } = require('./requests/requests')

/** Bytes from a program, or of --body-raw, are sent unchanged. */
const BODIES = ['body', 'input', 'dataBody', 'jsonBody']

/** Other options that define requests. */
const OTHERS = ['requests', 'scenarios', 'targets', 'har', 'bodyRaw', 'form']

/** A value that is not known yet: a template, or an id. JSON has no place for it outside of a text. */
const UNKNOWN = /\{\{.*?\}\}|\[<id>\]/gs

/** @type {import('./derived').Derivation} */
function withCompletions (values, { raw, call, problems }) {
  const isGiven = (/** @type {string} */ name) => (raw[name] ?? null) !== null
  /** @type {(body: unknown, place: string) => any} */
  const completed = (body, place) => {
    try {
      return withStream(body)
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      // On the command line alone, a file is given by an @.
      const isFile = call(place).startsWith('-') && typeof body === 'string' && existsSync(body)
      problems.push(problemAt(call, place, isFile ? `${message}; did you mean @${printable(body)}?` : message))
      return body
    }
  }
  /** @type {import('./normalize').Values} */
  const changed = {}
  for (const name of BODIES.filter(name => (values[name] ?? null) !== null)) {
    // A program that gives bytes means these.
    if (name === 'body' && typeof values.body !== 'string') continue
    changed[name] = completed(values[name], name === 'dataBody' ? 'data' : name)
  }
  const hasBody = BODIES.some(name => (values[name] ?? null) !== null)
  if (!hasBody && !OTHERS.some(isGiven)) {
    problems.push(problemAt(call, 'stream', `expected ${call('body')} as well, the JSON with the model and the ` +
      'messages, got none'))
  }
  /** @param {any} entry @param {string} place */
  const withBody = (entry, place) => {
    if (entry.stream === false || !isRecord(entry) || isPause(entry) || isBlock(entry)) return entry
    const own = typeof entry.body === 'string' ? { body: completed(entry.body, `${place}.body`) } : {}
    return hasBody || (entry.body ?? null) !== null ? { method: 'POST', ...entry, ...own } : entry
  }
  /** @type {(entries: any, place: string) => any} */
  const all = (entries, place) => Array.isArray(entries)
    ? entries.map((entry, i) => withBody(entry, `${place}[${i}]`))
    : entries
  return {
    ...values,
    ...changed,
    headers: mergeHeaders([['content-type', 'application/json']], values.headers ?? []),
    ...!isGiven('method') && hasBody && values.requests === undefined && values.scenarios === undefined &&
      { method: 'POST' },
    ...values.requests !== undefined && { requests: all(values.requests, 'requests') },
    ...values.scenarios !== undefined && {
      scenarios: values.scenarios.map((/** @type {any} */ scenario, /** @type {number} */ i) =>
        isRecord(scenario)
          ? { ...scenario, requests: all(scenario.requests, `scenarios[${i}].requests`) }
          : scenario)
    }
  }
}

/**
 * @template T
 * @param {T} body a text or bytes
 * @returns {T} the same, with a stream and its usage by default
 * @throws {TypeError}
 */
function withStream (body) {
  const isBytes = body instanceof Uint8Array
  if (isBytes && !isUtf8(body)) throw new TypeError('expected JSON, got bytes that are no UTF-8')
  const text = isBytes ? Buffer.from(body).toString() : String(body)
  const given = objectIn(text)
  const missing = missingIn(given)
  if (Object.keys(missing).length === 0) return body
  const at = text.indexOf('{') + 1
  const first = JSON.stringify(missing).slice(1, -1)
  const changed = `${text.slice(0, at)}${first}${Object.keys(given).length > 0 ? ',' : ''}${text.slice(at)}`
  return /** @type {any} */ (isBytes ? Buffer.from(changed) : changed)
}

/** @param {string} text @returns {Record<string, unknown>} @throws {TypeError} */
function objectIn (text) {
  let value
  try {
    value = JSON.parse(text.replace(UNKNOWN, '0'))
  } catch (error) {
    throw new TypeError(`expected a JSON object with the model and the messages, got ${show(text.slice(0, 80))}: ` +
      /** @type {Error} */ (error).message)
  }
  if (isRecord(value)) return value
  throw new TypeError(`expected a JSON object with the model and the messages, got ${show(value)}`)
}

module.exports = { withCompletions }
