'use strict'

// The single table of a run with user scenarios: scenarios, stages, requests and groups, by the names that thresholds
// use. The tables with all figures are longer than a screen.

const { sumOf } = require('../core/statistics')
const { countedIn } = require('../core/counted')
const { cut } = require('../core/foreign-text')
const { unsentErrors } = require('../figures/error-words')
const { namedRequests, namelessRequests, requestParts, iterationRows, stagesOf } = require('../figures/parts')
const { formatInteger, plural } = require('../core/units')
const { laidOut, timeColumn } = require('./authored')

/** With more rows, thresholds and errors would not fit on a screen of 50 lines. */
const MOST_ROWS = 20

/** Characters of a name. */
const LONGEST_NAME = 40

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} count of iterations or responses
 * @property {number} [failures] unknown for groups, and in results of older versions
 * @property {Record<string, any>} times of iterations or responses
 */

/** @param {Row[]} rows */
const failuresIn = rows => sumOf(rows, ({ failures = 0 }) => failures)

/**
 * Other rows may lack failures: iterations complete in spite of them, and requests without a name have no row if some
 * were redirected or retried.
 * @param {Record<string, any>} result
 * @param {Row[][]} others rows of stages, and of requests
 * @returns {Row[]} one for all requests, if neither stages nor requests have all failures
 */
function allRequests (result, others) {
  const { requests, failures, latency } = result
  const isComplete = Math.max(...others.map(failuresIn)) >= failures - unsentErrors(result)
  if (!(failures > 0) || isComplete) return []
  return [{ name: `all ${countedIn(result).many}`, count: requests.total, failures, times: latency }]
}

/** @param {Record<string, any>} result @returns {Row[]} */
function rowsOf (result) {
  const stages = stagesOf(result).map(({ name, own, count, failures, latency }) => ({
    name: own === null ? name : `${name} ${own}`, count, failures, times: latency
  }))
  const requests = requestParts(result).map(({ name, count, failures, latency }) => ({
    name, count, failures, times: latency
  }))
  return [
    ...iterationRows(result).map(({ scenario, completed, cut, duration }) => ({
      name: scenario === null ? 'iterations' : `scenario ${scenario}`, count: completed, failures: cut, times: duration
    })),
    ...stages,
    ...requests,
    ...Object.entries(result.groups ?? {}).map(([name, { count, duration }]) => ({
      name: `group ${name}`, count, times: duration
    })),
    ...allRequests(result, [stages, requests])
  ]
}

/**
 * @param {Record<string, any>} result
 * @returns {boolean} whether it has user scenarios, and parts for such a table
 */
function hasOverview (result) {
  return result.iterations !== undefined &&
    (result.byScenario !== undefined || namedRequests(result).length > 0 || stagesOf(result).length > 0)
}

/**
 * @template T
 * @param {T[]} rows
 * @param {(row: T) => boolean} isImportant
 * @param {number} most
 * @returns {T[]} at most that number of rows, in their order; important ones are kept first
 */
function fitting (rows, isImportant, most) {
  if (rows.length <= most) return rows
  const kept = new Set([...new Set([...rows.filter(isImportant), ...rows])].slice(0, most))
  return rows.filter(row => kept.has(row))
}

/**
 * @param {number} more rows that were left out
 * @param {string} what
 * @returns {string[]} a sentence on them; none without any
 */
function restOf (more, what) {
  return more > 0 ? [`${plural(more, `more ${what} is`, `more ${what}s are`)} shown with --verbose.`] : []
}

/** @param {Record<string, any>} result */
function unnamedNote (result) {
  return namelessRequests(result).length === 0
    ? []
    : [`${countedIn(result).title} without a name have no latencies of their own: name them, or use --by-request.`]
}

/**
 * @param {{ failures?: number }} row
 * @returns {import('./authored').Cell}
 */
function failureCell ({ failures }) {
  if (failures === undefined) return '–'
  return failures > 0 ? { text: formatInteger(failures), tone: 'bad' } : '0'
}

/** @param {Record<string, any>} result of a run with user scenarios @returns {import('./authored').Table} */
function overviewTable (result) {
  const all = rowsOf(result)
  const rows = fitting(all, ({ failures = 0 }) => failures > 0, MOST_ROWS)
  return {
    id: 'overview',
    title: 'Parts of the run',
    ...laidOut([
      ['Part of the run', ({ name }) => ({ text: cut(name, LONGEST_NAME), tone: 'name' })],
      ['>Count', ({ count }) => formatInteger(count)],
      ['>Failures', failureCell],
      ...['p50', 'p95', 'p99'].map(key => timeColumn(key, key, ({ times }) => times)),
      timeColumn('Max', 'max', ({ times }) => times)
    ], rows),
    rest: [
      ...restOf(all.length - rows.length, 'part'),
      ...unnamedNote(result),
      'Of scenarios and iterations, Count has the completed ones and Failures the aborted ones. ' +
      'Their times include the pauses between their requests. All tables: --verbose.'
    ],
    elastic: [0],
    isCompact: true
  }
}

module.exports = { fitting, hasOverview, overviewTable, restOf, unnamedNote }
