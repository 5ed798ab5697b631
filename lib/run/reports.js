'use strict'

// Validates the report of a host, which may be untrusted. Only a coordinator loads it.

const { AutocannonError } = require('../core/errors')
const { problemOfSnapshot } = require('../figures/shape')
const { isRecord, show } = require('../core/foreign-text')
const { decode } = require('./codec')

/** Checks of reports. @type {Record<import('./messages').Report['type'], (report: any) => string | null>} */
const PROBLEMS = {
  ready: () => null,
  waiting: () => null,
  alive: () => null,
  began: ({ at }) => Number.isFinite(at) ? null : 'it has no time',
  snapshot: ({ snapshot }) => problemOfSnapshot(snapshot),
  responses: ({ list }) => list instanceof Float64Array ? null : 'it has no list',
  log: ({ line }) => typeof line === 'string' ? null : 'it has no line',
  mismatch: ({ body }) => typeof body === 'string' ? null : 'it has no body',
  requestError: ({ error }) => error instanceof Error ? null : 'it has no error',
  end: ({ error }) => error === null || error instanceof Error ? null : 'it has no error'
}

/**
 * @param {unknown} message untrusted
 * @returns {import('./messages').Report}
 * @throws {AutocannonError}
 */
function readReport (message) {
  const report = decode(message)
  const type = isRecord(report) ? report.type : undefined
  const problem = typeof type === 'string' && Object.hasOwn(PROBLEMS, type)
    ? PROBLEMS[/** @type {keyof typeof PROBLEMS} */ (type)](report)
    : `it is ${show(type ?? report)}`
  if (problem !== null) {
    throw new AutocannonError(
      'AC_WORKER',
      `a report cannot be used: ${problem}. Does a hook, or a module that it loads, post messages of its own?`
    )
  }
  return report
}

module.exports = { readReport }
