'use strict'

// The content of a report, as data (report/authored). Renderers draw it, and know no metric.

const { countedIn } = require('../core/counted')
const { plural } = require('../core/units')
const { configuredChecks } = require('../findings/redirects')
const { INSTRUMENTS } = require('../instruments')
const { proxyName } = require('../words/instruments')
const { completedSentence, formatRead, skippedPart } = require('./figures')
const { sideTexts } = require('./load')

/**
 * @typedef {import('./authored').Report} Report
 * @typedef {import('./authored').Columns} Columns
 * @typedef {Record<string, any>} Result
 */

/**
 * @param {Result} result
 * @param {import('../instruments').Place} [place] all places when left out
 * @returns {Report[]} of the instruments that the result shows
 */
function reportsIn (result, place) {
  return /** @type {any[]} */ (Object.values(INSTRUMENTS))
    .filter(one => (place === undefined || one.place === place) && one.isShown?.(result))
    .flatMap(({ report }) => report === undefined ? [] : [report()])
}

/**
 * @param {Result} result
 * @param {import('./authored').Form} form
 * @param {{ verbose?: boolean }} [options] whether tables have all their rows
 * @returns {import('./authored').Table[]}
 */
function tablesIn (result, form, { verbose = false } = {}) {
  return reportsIn(result).flatMap(({ tables }) => tables?.(result, form, { verbose }) ?? [])
}

/** @param {Result} result @param {import('../instruments').Place} [place] */
function factsIn (result, place) {
  return reportsIn(result, place).flatMap(({ facts }) => facts?.(result) ?? [])
}

/** @param {Result} result */
function timesIn (result) {
  return reportsIn(result).flatMap(({ times }) => times?.(result) ?? [])
}

/**
 * @param {import('../instruments').Place} place
 * @returns {Columns} of all instruments, so that every file has the same ones
 */
function columnsOf (place) {
  return /** @type {any[]} */ (Object.values(INSTRUMENTS)).filter(one => one.place === place)
    .flatMap(({ report }) => report?.().columns ?? [])
}

/**
 * @param {Result} result
 * @param {import('./authored').Form} form
 * @param {unknown[]} [explained] thresholds whose notes are in the verdict of the report
 * @returns {import('./authored').Table[]} those of judgements: steps of a search, thresholds, checks, a comparison
 */
function verdictTablesIn (result, form, explained) {
  const { thresholds = [], search, comparison } = result
  const checks = configuredChecks(result)
  const { checkTable, comparisonTable, thresholdTable } = require('./verdict-tables')
  return [
    ...search === undefined || search.steps.length === 0 ? [] : [stepsOf(result)],
    ...thresholds.length === 0 ? [] : [thresholdTable(result, form, explained)],
    ...checks.length === 0 ? [] : [checkTable(checks, form)],
    ...comparison === undefined || comparison.metrics.length === 0 ? [] : [comparisonTable(comparison, form)]
  ]
}

/**
 * @param {Result} result
 * @param {{ hosts?: boolean }} [options] `hosts`: with the threads and machines that made the load
 * @returns {string[]} the target load, and how it was sent
 */
function loadIn (result, { hosts = false } = {}) {
  const { connections, depth, rate } = require('../instruments/stages/report').loadFacts(result)
  const { proxy, options = {}, workers, agents } = result
  return [
    ...connections, ...depth, ...proxy === undefined ? [] : [`through ${proxyName(options.proxy)}`],
    ...hosts && workers > 0 ? [plural(workers, 'worker')] : [],
    ...hosts && agents !== undefined ? [plural(agents.length, 'agent')] : [],
    ...rate === null ? [] : [rate], ...sideTexts(options.scenarios, countedIn(result).rate)
  ]
}

/**
 * @param {Result} result
 * @param {{ hasRate?: boolean }} [options] `hasRate`: the report shows the bytes read elsewhere, so that only decoded
 *   bytes are described
 * @returns {string[]} sentences
 */
function countsIn (result, { hasRate = false } = {}) {
  const read = hasRate && result.decoded === undefined ? '' : formatRead(result)
  return [completedSentence(result), read, ...factsIn(result), skippedPart(result) ?? ''].filter(text => text !== '')
}

/**
 * @param {Result} result printable
 * @param {import('./authored').Form} form
 * @returns {{ level: 'good' | 'warning' | 'bad', sentence: string, title?: string, urls: string[], line: string,
 *   facts: string[], notes: string[], tables: import('./authored').Table[] }} the content of a format without charts,
 *   in the order of reading
 */
function documentOf (result, form) {
  const { title, url, search } = result
  const { explained, ...headline } = require('./headline').headlineOf(result)
  return {
    ...headline,
    title,
    urls: [url ?? []].flat(),
    // A search has many loads, so its total figures mean nothing.
    line: search === undefined ? require('./result-line').resultLine(result) : '',
    facts: [...loadIn(result), ...countsIn(result)],
    tables: [...verdictTablesIn(result, form, explained), ...tablesIn(result, form)]
  }
}

/** @param {Record<string, any>} result */
function stepsOf (result) {
  const { searchOf, stepTable } = require('./search')
  return stepTable(searchOf(result))
}

module.exports = { columnsOf, countsIn, documentOf, factsIn, loadIn, tablesIn, timesIn, verdictTablesIn }
