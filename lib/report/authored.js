'use strict'

// The form of an instrument's part of a report: tables, sentences, rows of the table of latencies, and columns of CSV.
// Each is written once, in the folder of the instrument, and rendered in every format.

/**
 * The `report` of an instrument.
 * @typedef {object} Report
 * @property {TablesOf} [tables]
 * @property {(result: Result) => string[]} [facts] sentences about the measurement, without a full stop
 * @property {TimesOf} [times] distributions other than the latency
 * @property {Columns} [columns] of CSV
 *
 * @typedef {(result: Result, form: Form, options: { verbose: boolean }) => Table[]} TablesOf
 * @typedef {(result: Result) => Times[]} TimesOf
 * @typedef {ReadonlyArray<[column: string, read: (figures: any, result: any) => unknown]>} Columns `figures`: those of
 *   the row, which is the run or a part of it
 * @typedef {Record<string, any>} Result
 * @typedef {'text' | 'md' | 'html'} Form of the report
 *
 * @typedef {object} Times
 * @property {string} name
 * @property {Record<string, any>} distribution
 * @property {boolean} [isBrief] whether it is in the short table of the terminal, too
 * @property {string} [after] the name of the row that it follows
 *
 * @typedef {object} Table
 * @property {string} id
 * @property {string} title
 * @property {string} [caption] for screen readers; the title by default
 * @property {string[]} heads of the columns; one that begins with > is aligned to the right
 * @property {Cell[][]} rows
 * @property {string[]} [rest] sentences below it
 * @property {string} [none] shown on the page if there are no rows
 * @property {boolean} [isNarrow] whether it fits on any screen
 * @property {boolean} [isLong] whether it is folded by default
 * @property {number[]} [elastic] see report/table
 * @property {number} [breakAt] see report/table
 * @property {Cell[][]} [brief] the rows for a narrow terminal
 * @property {boolean} [isCompact] without lines between rows in a terminal
 *
 * @typedef {string | Toned | { of: Record<string, any>, key: string } | { counts: Array<{ count: string, reason: string
 *   }> }} Cell text, the figure of a distribution with that key, or counts by reason
 * @typedef {object} Toned
 * @property {string} text
 * @property {Tone} tone
 * @property {boolean | null} [passed] of a mark; null if nothing was judged
 * @property {string} [note] below the text, in formats with room for it
 * @property {string} [of] the whole to which a part belongs
 * @property {string} [verdict] of a difference
 *
 * @typedef {'name' | 'strong' | 'code' | 'bad' | 'missed' | 'state' | 'lost' | 'mark' | 'part' | 'change'} Tone
 *   `missed`: a target was missed; `state`, `lost`: a problem; `mark`: whether something passed; `part`: the name of a
 *   part; `change`: a difference
 */

/**
 * @typedef {[head: string, cell: (row: any) => Cell]} Column
 * @param {Array<Column | false>} columns
 * @param {any[]} rows
 * @returns {Pick<Table, 'heads' | 'rows'>}
 */
function laidOut (columns, rows) {
  const shown = columns.filter(column => column !== false)
  return { heads: shown.map(([head]) => head), rows: rows.map(row => shown.map(([, cell]) => cell(row))) }
}

/**
 * @param {string} head
 * @param {string} key
 * @param {(row: any) => Record<string, any>} [of]
 * @returns {Column} with a figure of the latency, or of another distribution
 */
const timeColumn = (head, key, of = ({ latency }) => latency) => [`>${head}`, row => ({ of: of(row), key })]

/**
 * @param {string} id
 * @param {string} title
 * @param {Times[]} times
 * @returns {Table} for formats without a table of latencies
 */
const timesTable = (id, title, times) => ({
  id,
  title,
  ...laidOut([
    ['Time', ({ name }) => ({ text: name, tone: 'name' })],
    ...['p50', 'p95', 'p99'].map(key => timeColumn(key, key, ({ distribution }) => distribution)),
    timeColumn('Avg', 'average', ({ distribution }) => distribution),
    timeColumn('Max', 'max', ({ distribution }) => distribution)
  ], times.filter(({ isBrief }) => isBrief))
})

/**
 * @param {string} name
 * @param {(figures: any) => Record<string, any> | null | undefined} of
 * @returns {Columns} with the figures of a distribution; empty without a value
 */
const timeColumnsOf = (name, of) =>
  ['average', 'p50', 'p95', 'p99', 'max'].map(key => [`${name}_${key}_ms`, figures => {
    const distribution = of(figures)
    return distribution && distribution.totalCount > 0 ? distribution[key] : undefined
  }])

/** @type {(passed: boolean | null, text?: string) => Toned} a cell with a mark for passed or failed, and its text */
const markCell = (passed, text = passed === null ? '?' : passed ? '✓' : '✗') => ({ text, tone: 'mark', passed })

/**
 * @template T
 * @param {T[]} judged
 * @param {(one: T) => boolean | null} verdictOf null: not evaluated
 * @returns {T[]} failed ones, then inconclusive and passed ones, each in the given order
 */
function failedFirst (judged, verdictOf) {
  return [false, null, true].flatMap(verdict => judged.filter(one => verdictOf(one) === verdict))
}

module.exports = { failedFirst, laidOut, markCell, timeColumn, timeColumnsOf, timesTable }
