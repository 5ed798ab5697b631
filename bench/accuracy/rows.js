'use strict'

// A row of the table: a figure, what theory says of it, what was measured, and the bound between them.

const markdown = require('../markdown')
const { padded } = markdown

/**
 * @typedef {object} Row
 * @property {string} figure
 * @property {string} theory
 * @property {string} measured
 * @property {string} bound
 * @property {boolean} ok
 */

const COLUMNS = ['case', 'figure', 'theory', 'measured', 'bound', '']

/** A count: there is nothing to be uncertain of. */
function exactly (figure, theory, measured) {
  return { figure, theory: format(theory), measured: format(measured), bound: 'exact', ok: theory === measured }
}

/**
 * @param {{ below?: number, above?: number, unit?: string, relative?: boolean }} bound how much may be missing, how much
 *   may be too much: the same when just `above` is given
 */
function within (figure, theory, measured, { above = 0, below = above, unit = 'ms', relative = false }) {
  const scale = relative ? theory : 1
  const show = (/** @type {number} */ bound) => relative ? `${format(bound * 100)} %` : suffixed(bound, unit)
  return {
    figure,
    theory: suffixed(theory, unit),
    measured: suffixed(measured, unit),
    bound: below === above ? `± ${show(above)}` : `−${show(below)}, +${show(above)}`,
    ok: measured >= theory - below * scale && measured <= theory + above * scale
  }
}

/** @param {string} theory what it comes from */
function atMost (figure, theory, measured, most, unit = 'ms') {
  return { figure, theory, measured: suffixed(measured, unit), bound: `≤ ${suffixed(most, unit)}`, ok: measured <= most }
}

function atLeast (figure, theory, measured, least, unit = 'ms') {
  return { figure, theory, measured: suffixed(measured, unit), bound: `≥ ${suffixed(least, unit)}`, ok: measured >= least }
}

function suffixed (value, unit) {
  return unit === '' ? format(value) : `${format(value)} ${unit}`
}

/** @returns {string} whole numbers as they are, others with four digits at the most */
function format (value) {
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  return Number(value.toPrecision(4)).toLocaleString('en-US', { maximumFractionDigits: 4 })
}

/**
 * Prints the table of cases, and whether all of them are within their bounds.
 * @param {Array<{ name: string, rows: Row[] }>} cases
 * @param {string} [tries]
 */
function conclude (cases, tries = '') {
  console.log(padded(COLUMNS, cases.flatMap(({ name, rows }) => rows.map(({ figure, theory, measured, bound, ok }, i) => [i === 0 ? name : '', figure, theory, measured, bound, ok ? '✓' : '✗']))))
  const wrong = cases.flatMap(({ rows }) => rows).filter(({ ok }) => !ok).length
  console.log(wrong === 0 ? '\nEvery figure is within its bound.' : `\n${wrong} ${wrong === 1 ? 'figure is' : 'figures are'} out of bounds${tries}.`)
  if (wrong > 0) process.exitCode = 1
}

/**
 * @param {Row[]} rows
 * @param {string} about when and of what they are
 * @returns {string} Markdown, as a document quotes them
 */
function quoted (rows, about) {
  return `${about}\n\n${markdown.table(['simulated', 'measured', 'bound'], rows.map(({ figure, theory, measured, bound }) => [figure, `${measured}${theory === '' ? '' : `, ${theory}`}`, bound]), [1, 2])}`
}

module.exports = { exactly, within, atMost, atLeast, conclude, format, quoted }
