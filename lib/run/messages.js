'use strict'

// Owns what a coordinator and the host of a generator tell each other, and what has to be right about it: a report may come from
// anybody.

const { AutocannonError } = require('../errors')
const { problemOfSnapshot } = require('../figures/shape')
const { isRecord, show } = require('../foreign-text')
const { decode } = require('./codec')

/**
 * Each travels encoded. A list of responses has status, size and ms of each.
 * @typedef {{ type: 'memory', memory: import('./memory').Memory[] } | { type: 'open', plan: import('../options/plan').Plan }
 *   | { type: 'observe', responses: boolean, errors: boolean, mismatches: boolean }
 *   | { type: 'start' } | { type: 'begin', at: number } | { type: 'stop' }
 *   | { type: 'extend', stage: import('../load/stages').Stage, drop: boolean } | { type: 'grow', connections: number }} Order
 * @typedef {{ type: 'ready' } | { type: 'waiting' } | { type: 'alive' } | { type: 'began', at: number }
 *   | { type: 'snapshot', snapshot: ReturnType<typeof encodeSnapshot> }
 *   | { type: 'responses', list: Float64Array }
 *   | { type: 'mismatch', body: string }
 *   | { type: 'requestError', error: Error }
 *   | { type: 'end', error: Error | null, usedUp: boolean }} Report
 *
 * What carries messages, which are JSON values, to the other side and back. Each side has one.
 * @typedef {object} Transport
 * @property {string} name what the other side is called in errors
 * @property {boolean} [shares] whether it hands over a message that is not encoded, `{ memory }`, whose memory both sides have then
 * @property {() => boolean} [isBehind] whether what was sent waits to go on its way, so that the other side can't have answered
 * @property {(message: any) => void} send
 * @property {(message: any) => void} onMessage set by whoever listens
 * @property {(error: Error) => Error} [told] how an error of the host is told here, when it says more with the name of the other side
 * @property {(error: Error) => void} onClose set by whoever listens; the other side is gone, and why
 * @property {() => Promise<void>} close may be called more than once; `onMessage` and `onClose` are called no more
 */

/** How often a host says that it lives, ms. */
const HEARTBEAT = 1000

/** @param {import('../record/recorder').Snapshot} snapshot of a generator. It is added up as it is: of many agents, what is in it costs less than room for what might be */
function encodeSnapshot (snapshot) {
  const distributions = /** @type {import('../record/distributions').Distributions | null} */ (snapshot.distributions)
  return { ...snapshot, distributions: distributions?.encode() ?? null }
}

/** What is wrong with a report. @type {Record<Report['type'], (report: any) => string | null>} */
const PROBLEMS = {
  ready: () => null,
  waiting: () => null,
  alive: () => null,
  began: ({ at }) => Number.isFinite(at) ? null : 'it has no time',
  snapshot: ({ snapshot }) => problemOfSnapshot(snapshot),
  responses: ({ list }) => list instanceof Float64Array ? null : 'it has no list',
  mismatch: ({ body }) => typeof body === 'string' ? null : 'it has no body',
  requestError: ({ error }) => error instanceof Error ? null : 'it has no error',
  end: ({ error }) => error === null || error instanceof Error ? null : 'it has no error'
}

/**
 * @param {unknown} message from anybody
 * @returns {Report}
 * @throws {AutocannonError}
 */
function readReport (message) {
  const report = decode(message)
  const type = isRecord(report) ? report.type : undefined
  const problem = typeof type === 'string' && Object.hasOwn(PROBLEMS, type) ? PROBLEMS[/** @type {Report['type']} */ (type)](report) : `it is ${show(type ?? report)}`
  if (problem !== null) throw new AutocannonError('AC_WORKER', `a report can not be used: ${problem}. Does a hook, or a module that it loads, post messages of its own?`)
  return report
}

module.exports = { HEARTBEAT, encodeSnapshot, readReport }
