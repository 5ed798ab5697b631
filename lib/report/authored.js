'use strict'

// The form of an instrument's report: tables, sentences, rows of the table of latencies, and columns of CSV. Each is
// authored once, in the folder of the instrument.

/**
 * The `report` of an instrument. Each function receives the result.
 * @typedef {object} Report
 * @property {TablesOf} [tables]
 * @property {(result: Result) => string[]} [facts] sentences about the measurement, without a full stop
 * @property {TimesOf} [times] distributions beside the latency
 * @property {Columns} [columns] of CSV
 *
 * @typedef {(result: Result, form: Form, options: { verbose: boolean }) => Table[]} TablesOf
 * @typedef {(result: Result) => Times[]} TimesOf
 * @typedef {ReadonlyArray<[column: string, read: (figures: any, result: any) => unknown]>} Columns `figures` are those
 *   of the row, which is the run or a part of it
 * @typedef {Record<string, any>} Result
 * @typedef {'text' | 'md' | 'html'} Form of the report
 *
 * @typedef {object} Times
 * @property {string} name
 * @property {Record<string, any>} distribution
 * @property {boolean} [isBrief] whether a short table has it, too
 * @property {string} [after] the name of the row that it follows
 *
 * @typedef {object} Table
 * @property {string} id
 * @property {string} title
 * @property {string} [caption] for screen readers; the title by default
 * @property {string[]} heads of the columns; one of figures begins with >
 * @property {Cell[][]} rows
 * @property {string[]} [rest] sentences below it
 * @property {string} [none] shown instead on the page if it has no rows
 * @property {boolean} [isNarrow] whether it has room on any screen
 * @property {boolean} [isLong] whether it is folded by default
 * @property {number[]} [elastic] columns that may be narrow; see report/table
 * @property {number} [breakAt]
 * @property {Cell[][]} [brief] the rows where there is little room
 * @property {boolean} [isCompact] without lines between rows in a terminal
 *
 * @typedef {string | Toned | { of: Record<string, any>, key: string } | { counts: Array<{ count: string, reason: string
 *   }> }} Cell text, the figure of a distribution with that key, or counts by reason
 * @typedef {object} Toned
 * @property {string} text
 * @property {Tone} tone
 * @property {boolean | null} [passed] of a mark; null where nothing was judged
 * @property {string} [note] below the text, where a cell has room for it
 * @property {string} [of] the whole that a name is a part of
 * @property {string} [verdict] of a difference
 *
 * @typedef {'name' | 'strong' | 'code' | 'bad' | 'missed' | 'state' | 'lost' | 'mark' | 'part' | 'change'} Tone
 *   `missed`: a target was not reached; `state`, `lost`: a problem of the row; `mark`: whether something passed;
 *   `part`: a name that may be one of a part; `change`: a difference
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
 * @returns {Column} of a figure of the latency, or of another distribution
 */
const timeColumn = (head, key, of = ({ latency }) => latency) => [`>${head}`, row => ({ of: of(row), key })]

/**
 * @param {string} id
 * @param {string} title
 * @param {Times[]} times
 * @returns {Table} for a report that has no table of latencies
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
 * @returns {Columns} of CSV, with the figures of a distribution; empty where it has no value
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
 * @returns {T[]} failed, inconclusive and passed ones; each in the given order
 */
function failedFirst (judged, verdictOf) {
  return [false, null, true].flatMap(verdict => judged.filter(one => verdictOf(one) === verdict))
}

module.exports = { failedFirst, laidOut, markCell, timeColumn, timeColumnsOf, timesTable }
