'use strict'

// A result in Markdown: the whole report, short enough for a comment on a pull request; and the summary of a CI step.

const { formatInteger } = require('../../core/units')
const { documentOf } = require('../document')
const { figuresOf, formatFigureOf, completedSentence, difference } = require('../figures')
const { headlineOf, judgedOf } = require('../headline')
const { Maxima } = require('../maxima')
const { resultLine } = require('../result-line')
const { iterationsSentence } = require('../../instruments/iterations/report')
const { knownSentence } = require('../until')
const { comparisonTable } = require('../verdict-tables')
const { comparisonHeadline, mark } = require('../verdicts')
const { md, code, joined, table } = require('./markup')
const { BREAK, drawnTable, starred } = require('./drawn')
const { comparisonMarkdown, thresholdMarkdown } = require('./verdicts')

/** The order of tables; others follow. */
const ORDER = ['scenarios', 'stages', 'requests', 'agents']

/** Tables with a fixed place in the report. */
const VERDICTS = ['steps', 'thresholds', 'checks', 'comparison']

/** @param {{ id: string }} table */
const placeOf = ({ id }) => ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length

const SIGNS = { good: md`✅`, warning: md`⚠️`, bad: md`❌` }

/**
 * @param {Record<string, any>} result printable
 * @param {{ baseline?: Record<string, any> }} [options]
 */
function toMarkdown (result, { baseline } = {}) {
  const { level, sentence, notes, title, urls, facts, line, tables: all } = documentOf(result, 'md')
  const { requests, comparison, statusCodeStats, search } = result
  const maxima = new Maxima()
  const figures = figureTable(result, baseline, maxima)
  const ofVerdicts = new Map(all.map(one => [one.id, one]))
  const verdict = (/** @type {string} */ id) => [ofVerdicts.get(id) ?? []].flat().map(one => drawnTable(one))
  const tables = all.filter(({ id }) => !VERDICTS.includes(id))
  const long = tables.filter(({ isLong }) => isLong)
  const short = tables.filter(({ isLong }) => !isLong).map(one => drawn(one, maxima))
    .sort((a, b) => placeOf(a) - placeOf(b))
  const countsOf = (/** @type {Record<string, { count: number }>} */ stats) =>
    Object.entries(stats).map(([status, { count }]) => `${status} × ${formatInteger(count)}`).join(', ')
  const parts = [
    md`### ${SIGNS[level]} ${title === undefined ? sentence : `${title}: ${sentence}`}`,
    ...search === undefined ? [line] : [],
    joined([...urls.length === 0 ? [] : [joined(urls.map(code), md`, `)], ...facts], md` · `),
    // A search has many loads, so its total figures mean nothing.
    ...requests.total > 0 && search === undefined ? [figures] : [],
    ...verdict('steps'),
    ...[...notes, ...gateNote(result), ...maxima.notes].map(note => md`> ${note}`),
    ...verdict('thresholds'),
    ...verdict('checks'),
    ...comparison === undefined ? [] : [comparisonPart(comparison)],
    ...short.flatMap(({ parts }) => parts),
    ...Object.keys(statusCodeStats ?? {}).length === 0 ? [] : [md`Responses: ${countsOf(statusCodeStats)}`],
    ...long.flatMap(one => drawn(one, maxima).parts)
  ]
  return md`${joined(parts, md`\n\n`)}\n`.text
}

/** @param {Record<string, any>} result @param {Record<string, any> | undefined} baseline @param {Maxima} maxima */
function figureTable (result, baseline, maxima) {
  const figures = figuresOf(result)
  /** @param {any} run */
  const row = run => figures.map(figure => starred(formatFigureOf(figure, run, maxima)))
  if (baseline === undefined) return table(figures.map(({ name }) => '>' + name), [row(result)])
  return table(['', ...figures.map(({ name }) => '>' + name)], [
    ['This run', ...row(result)],
    ['Baseline', ...row(baseline)],
    ['Difference', ...figures.map(({ read }) => difference(read(result), read(baseline)))]
  ])
}

/** @param {any} comparison */
function comparisonPart (comparison) {
  return joined([
    md`**${comparisonHeadline(comparison)}**`,
    drawnTable(comparisonTable(comparison, 'md')),
    ...comparison.limits.map((/** @type {any} */ limit) =>
      md`${mark(limit)} ${code(limit.expression)}: ${limit.reason}`),
    ...comparison.notes.map((/** @type {string} */ note) => md`> ${note}`)
  ], md`\n\n`)
}

/**
 * @param {import('../authored').Table} given
 * @param {Maxima} maxima
 * @returns {{ id: string, parts: unknown[] }} the table, and sentences below it
 */
function drawn (given, maxima) {
  const { id, title, rows, rest = [], isLong = false } = given
  const made = rows.length === 0 ? [] : [drawnTable(given, maxima)]
  return {
    id,
    parts: [
      ...isLong ? made.map(one => md`<details><summary>${title}</summary>\n\n${one}\n\n</details>`) : made,
      ...rest
    ]
  }
}

/** @param {Record<string, any>} result @returns {string[]} why the exit code of a run with failures is 0 */
function gateNote (result) {
  // A run without a response has exit code 1.
  return result.failures > 0 && result.requests.total > 0 && judgedOf(result).length === 0
    ? ['No threshold was given, so failures do not change the exit code.']
    : []
}

/**
 * @param {Record<string, any>} result printable
 * @returns {string} ends with a line break
 */
function toSummary (result) {
  const { title, url, thresholds, comparison, agents } = result
  const { level, notes: all } = headlineOf(result, ['precision', 'lost-agents'])
  const figures = [
    resultLine(result),
    ...[knownSentence(result), iterationsSentence(result)].filter(sentence => sentence !== null),
    ...[completedSentence(result)].filter(text => text !== ''),
    ...[agents === undefined ? null : require('../../instruments/agents/report').lossSentence(result)]
      .filter(sentence => sentence !== null)
  ]
  const notes = [...all, ...gateNote(result)]
  return joined([
    md`### ${SIGNS[level]} ${title ?? [url ?? []].flat().join(', ')}\n\n${joined(figures, md` · `)}\n`,
    ...thresholds.length > 0 ? [thresholdMarkdown(result)] : [],
    ...comparison !== undefined ? [comparisonMarkdown(comparison)] : [],
    ...notes.length > 0 ? [md`${joined(notes, BREAK)}\n`] : []
  ], md`\n`).text
}

module.exports = { toMarkdown, toSummary }
