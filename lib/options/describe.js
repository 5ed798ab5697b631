'use strict'

// Owns what a result says of the options of its run, so that it can be repeated: plain data that survives JSON, without
// defaults, and without what may be a secret (SECURITY.md): bodies are told by their size, headers by their names.

const { parseHeaders } = require('../scenario/headers')
const { HIDDEN, redacted, withoutUserinfo } = require('../secrets')
const { usualSample } = require('./sample')
const { TABLE } = require('./table')

/** Longer texts are told by their size. */
const LONGEST = 1024

/** Longer lists are told by their first entries. */
const MOST = 100

const DEEPEST = 6

/** Part of every result anyway, said by another option, or no part of a run: a PID says nothing of the next one. */
const SKIPPED = new Set(['title', 'skipAggregateResult', 'watch', 'http2', 'http1'])

/** Said even when they are the defaults. */
const ALWAYS = new Set(['connections', 'pipelining', 'duration', 'timeout'])

/** Options that hold what is sent, or what comes back. */
const CONTENT = new Set(['body', 'expectBody', 'form', 'har', 'initialContext', 'tlsOptions'])

/**
 * @param {Record<string, any>} given as the user gave them
 * @param {import('./normalize').Values} values the same, typed
 * @returns {Record<string, unknown>} options by name; a hook is its name or path
 */
function describeOptions (given, values) {
  /** @type {Record<string, unknown>} */
  const described = {}
  for (const { name, where, default: fallback } of TABLE) {
    if (where === 'cli' || SKIPPED.has(name)) continue
    const value = values[name]
    if (value === undefined || (value === fallback && !ALWAYS.has(name))) continue
    if (name === 'duration' && values.amount !== undefined) continue
    if (name === 'sampleInt' && value === usualSample(values)) continue
    // Stages begin without one unless it is said.
    if (name === 'connections' && value === 0) continue
    // What ends a run by itself is no amount that somebody gave.
    if (name === 'amount' && values.pick === 'once') continue
    // Targets that name their servers go with no URL.
    if (name === 'url' && values.targets?.base === null) continue
    // Cookies that a run starts with are secrets, and nearly all that is said of cookies is not.
    if (name === 'cookies') described.cookies = value.keep === null ? true : { keep: value.keep }
    else if (name === 'targets') described.targets = value.source
    else if (name === 'data') described.data = sourcesOf(value)
    else if (name === 'url') described.url = [values.targets?.base ?? value].flat().map(withoutUserinfo)
    else if (name === 'proxy' || name === 'redis') described[name] = withoutUserinfo(value)
    else if (name === 'dispatcher') described.dispatcher = typeof value === 'string' ? value : '[not shown]'
    else if (name === 'trace') described.trace = require('./trace').shownTrace(value)
    else if (name === 'until') described.until = value.expression
    else if (name === 'burst' && value.unit === 'rounds') described.burst = { rounds: value.requests, every: value.every }
    else if (name === 'thresholds') described.thresholds = value.map(thresholdOf)
    else described[name] = redacted(CONTENT.has(name) ? given[name] : value, name, shortened)
  }
  // A server that was started for the run listened wherever it liked.
  if (values.started !== undefined) described.onPort = redacted(values.started.command, 'command')
  return described
}

/** @param {import('./data').Data} data */
function sourcesOf ({ sources }) {
  return Object.fromEntries(sources.map(({ name, source, pick }) => [name, pick === 'order' ? source : { file: source, pick }]))
}

/**
 * @param {string} name of an option
 * @param {any} typed
 * @param {unknown} given
 * @returns {unknown} its value in a form that can be given again: as the user gave it, or the default
 */
function visible (name, typed, given) {
  if (name === 'trace' && typed !== undefined) return require('./trace').shownTrace(typed)
  return typeof typed === 'number' || typeof typed === 'boolean' || given === undefined || given === null ? typed : given
}

/** @param {import('../verdict/threshold').Threshold} threshold */
function thresholdOf ({ expression, abortOn }) {
  return abortOn ? { threshold: expression, abortOn } : expression
}

/**
 * @param {any} value
 * @param {string} key
 * @param {number} depth
 * @returns {unknown} it, or what is said of it
 */
function shortened (value, key, depth) {
  if (key === 'headers') return headersOf(value)
  // JSON.stringify(result) must not throw.
  if (typeof value === 'bigint') return String(value)
  if (key === 'pause') return require('./pauses').givenPause(value)
  if (CONTENT.has(key) || (typeof value === 'string' && value.length > LONGEST)) return sizeOf(value)
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return value
  if (depth === DEEPEST) return sizeOf(value)
  if (Array.isArray(value)) return value.slice(0, MOST)
  return value instanceof Uint8Array ? value : Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined && one !== null))
}

/**
 * @param {any} value headers in any form, or what they are expected to be
 * @returns {Array<[string, string]>}
 */
function headersOf (value) {
  try {
    return (Array.isArray(value?.[0]) ? value : parseHeaders(value)).map((/** @type {[string]} */ [name]) => [name, HIDDEN])
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return Object.keys(value).map(name => [name, HIDDEN])
  }
}

/** @param {any} value */
function sizeOf (value) {
  return typeof value === 'string' || value instanceof Uint8Array ? `[${Buffer.byteLength(value)} bytes]` : '[not shown]'
}

module.exports = { describeOptions, thresholdOf, visible }
