'use strict'

// The difference between two states of a live page: changed parts, and new points of charts. It is computed once for
// all viewers.

const { tableOf } = require('../../report/html/charts')

/**
 * @typedef {import('../../report/html/charts').Chart} Chart
 *
 * @typedef {object} Drawing the update of a chart for a viewer
 * @property {Omit<Chart, 'runs'>} about
 * @property {number} from the number of points that the viewer already has
 * @property {Chart['runs']} runs their runs
 * @property {string[][]} rows of their tables
 *
 * @typedef {object} Look the state of a run
 * @property {Record<string, string>} parts
 * @property {Chart[]} charts
 *
 * @typedef {object} Changes
 * @property {Record<string, string>} parts that have changed
 * @property {Drawing[]} charts that have changed
 */

/** @param {Look | null} before null for a new viewer @param {Look} now @returns {Changes} */
function changesOf (before, now) {
  const known = new Map(before?.charts.map(chart => [chart.id, chart]))
  return {
    parts: Object.fromEntries(Object.entries(now.parts).filter(([name, html]) => before?.parts[name] !== html)),
    charts: now.charts.map(chart => drawingOf(chart, keptOf(known.get(chart.id), chart)))
  }
}

/** @type {(chart: Chart, from: number) => Drawing} */
function drawingOf ({ runs, ...about }, from) {
  const rest = from === 0 ? runs : runs.map(columns => columns.map(values => values.slice(from)))
  return { about, from, runs: rest, rows: tableOf({ ...about, runs: rest }).rows }
}

/**
 * Returns the number of unchanged points: 0 unless the chart shows the progress of one run.
 * @type {(before: Chart | undefined, now: Chart) => number}
 */
function keptOf (before, now) {
  if (before === undefined || now.kind !== 'time' || now.runs.length > 1 || before.steps?.[0] !== now.steps?.[0] ||
    before.lines.length !== now.lines.length) return 0
  const { length } = before.runs[0][0]
  // Points of long runs are merged, and the last point may still change.
  return length > 0 && before.runs[0].every((values, i) => values[length - 1] === now.runs[0][i][length - 1])
    ? length
    : 0
}

module.exports = { changesOf }
