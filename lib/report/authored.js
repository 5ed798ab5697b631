'use strict'

// Owns the form in which an instrument says what reports show of it: tables, sentences, rows of the table of latencies, and columns of CSV. Each is
// authored once, in the folder of the instrument.

/**
 * What the `report` of an instrument may have. Each receives the result.
 * @typedef {object} Report
 * @property {TablesOf} [tables]
 * @property {(result: Result) => string[]} [facts] sentences about what was measured, without a full stop
 * @property {TimesOf} [times] distributions beside the latency
 * @property {Columns} [columns] of CSV
 *
 * @typedef {(result: Result, form: Form, options: { verbose: boolean }) => Table[]} TablesOf
 * @typedef {(result: Result) => Times[]} TimesOf
 * @typedef {ReadonlyArray<[column: string, read: (figures: any, result: any) => unknown]>} Columns `figures` are those of the row, which is the run or a part of it
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
 * @property {string} [caption] for those who can't see what is around; the title when left out
 * @property {string[]} heads of the columns; one of figures begins with >
 * @property {Cell[][]} rows
 * @property {string[]} [rest] sentences below it
 * @property {string} [none] what is said in its place on the page where it has no rows
 * @property {boolean} [isNarrow] whether it has room on any screen
 * @property {boolean} [isLong] whether few want to read it
 * @property {number[]} [elastic] columns that may be narrow; see report/table
 * @property {number} [breakAt]
 *
 * @typedef {string | Toned | { of: Record<string, any>, key: string }} Cell text, or the figure of a distribution that has that key
 * @typedef {{ text: string, tone: Tone, passed?: boolean }} Toned
 * @typedef {'name' | 'code' | 'bad' | 'missed' | 'state' | 'lost' | 'mark'} Tone `missed`: a target was not reached; `state`, `lost`: what is wrong with the row; `mark`: whether something passed
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

module.exports = { laidOut, timeColumn }
