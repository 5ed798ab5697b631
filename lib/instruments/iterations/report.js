'use strict'

// The iterations of user scenarios in reports.

const { cut } = require('../../core/foreign-text')
const { iterationRows, cutList } = require('../../figures/parts')
const { formatInteger, formatRate, plural } = require('../../core/units')
const { laidOut, timeColumn, timeColumnsOf } = require('../../report/authored')
const { latencyOf } = require('../../report/figures')
const { LONGEST_NAME } = require('../requests/report')
const { isTimed } = require('./findings')

/** @param {import('../../figures/parts').IterationsPart} iterations @returns {string} its name in a table */
function label ({ scenario }) {
  return scenario ?? 'all iterations'
}

/** @param {Record<string, any>} result @returns {string | null} how many iterations there were; null without users */
function iterationsSentence ({ iterations }) {
  if (iterations === undefined) return null
  const { completed, cut, unfinished, perSecond, target, achieved } = iterations
  return [
    `${plural(completed, 'iteration')} completed, ${formatRate(perSecond)} iterations/s`,
    ...isTimed(iterations) ? [`${formatRate(achieved)} of ${formatRate(target)} iterations/s started`] : [],
    ...cut > 0 ? [`${formatInteger(cut)} aborted`] : [],
    ...unfinished > 0 ? [`${formatInteger(unfinished)} unfinished`] : []
  ].join('; ')
}

/**
 * @param {Record<string, any>} result of a run with users
 * @returns {boolean} whether the rates of iterations and of requests are equal, as with one request each, so that the
 *   figures of requests suffice
 */
function areRequests ({ iterations: { perSecond, target }, requests }) {
  return target === undefined && formatRate(perSecond) === formatRate(requests?.average)
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} how many requests were redirects and retries; null for none
 */
function sessionSentence ({ redirects = 0, retries = 0 }) {
  const found = [
    ...redirects > 0 ? [`${plural(redirects, 'redirect')} followed`] : [],
    ...retries > 0 ? [`${plural(retries, 'request')} sent as another try`] : []
  ]
  return found.length === 0 ? null : found.join('; ')
}

/** @param {Record<string, any>} result */
function facts (result) {
  return [iterationsSentence(result), sessionSentence(result)].filter(sentence => sentence !== null)
}

/**
 * @param {string} head
 * @param {(iterations: any) => string} figure
 * @returns {import('../../report/authored').Column} of scenarios with a rate of iterations
 */
const timedColumn = (head, figure) => [`>${head}`, one => isTimed(one) ? figure(one) : '–']

/** @type {import('../../report/authored').TablesOf} */
function tables (result, form, { verbose }) {
  const [isText, isHtml] = [form === 'text', form === 'html']
  const rows = iterationRows(result)
  if (rows.length === 0 || (!isHtml && result.iterations === undefined) ||
      (isText && !verbose && areRequests(/** @type {any} */ (result)))) {
    return []
  }
  const aborted = rows.filter(({ cut }) => cut > 0)
  const timed = rows.some(isTimed)
  const table = laidOut([
    ['Scenario', one => ({ text: isText ? cut(label(one), LONGEST_NAME) : label(one), tone: 'name' })],
    ['>Started', ({ started }) => formatInteger(started)],
    ['>Completed', ({ completed }) => formatInteger(completed)],
    isHtml && ['>Iterations/s', ({ perSecond }) => formatRate(perSecond)],
    isHtml && ['>Aborted', ({ cut }) => formatInteger(cut)],
    (!isText || rows.some(({ unfinished }) => unfinished > 0)) &&
      ['>Unfinished', ({ unfinished }) => formatInteger(unfinished)],
    !isHtml && ['>Aborted', ({ cut }) => cut > 0 ? { text: formatInteger(cut), tone: 'bad' } : '0'],
    !isHtml && (!isText || aborted.length > 0) && ['Aborted by', ({ cutBy }) => cutList(cutBy)],
    timed && timedColumn('Target/s', ({ target }) => formatRate(target)),
    timed && timedColumn('Achieved/s', ({ achieved }) => formatRate(achieved)),
    timed && timedColumn('Waited', ({ waited }) => formatInteger(waited)),
    timed && timedColumn('Never started', ({ neverStarted }) => formatInteger(neverStarted)),
    ...([['p50', 'p50'], ['p95', 'p95'], ['p99', 'p99'], ['Max', 'max']]).map(([head, key]) =>
      timeColumn(head, key, ({ duration }) => duration)),
    ['>Active avg', ({ active }) => latencyOf(active, 'average')]
  ], rows)
  const why = table.heads.indexOf('Aborted by')
  return [{
    id: 'scenarios',
    title: 'Scenarios',
    ...table,
    rest: isHtml ? aborted.map(one => `${label(one)} was aborted by ${cutList(one.cutBy)}.`) : [],
    elastic: [0, ...why === -1 ? [] : [why]],
    breakAt: table.heads.indexOf('>p50')
  }]
}

/**
 * The iterations of a scenario, the run or a stage, which has some of these figures only.
 * @type {import('../../report/authored').Columns}
 */
const columns = [
  ['scenario', ({ scenario }) => scenario],
  ['iterations_started', ({ iterations }) => iterations?.started],
  ['iterations_completed', ({ iterations }) => iterations?.completed],
  ['iterations_cut', ({ iterations }) => iterations?.cut],
  ['iterations_cut_by', ({ iterations }) => iterations?.cutBy && cutList(iterations.cutBy)],
  ['iterations_unfinished', ({ iterations }) => iterations?.unfinished],
  ['iterations_per_s', ({ iterations }) => iterations?.perSecond],
  ...['duration', 'active'].flatMap(name => timeColumnsOf(`iteration_${name}`, ({ iterations }) => iterations?.[name])),
  ['iterations_target_per_s', ({ iterations }) => iterations?.target],
  ['iterations_achieved_per_s', ({ iterations }) => iterations?.achieved],
  ['iterations_due', ({ iterations }) => iterations?.due],
  ['iterations_waited', ({ iterations }) => iterations?.waited],
  ['iterations_never_started', ({ iterations }) => iterations?.neverStarted]
]

module.exports = { areRequests, columns, facts, iterationsSentence, label, tables }
