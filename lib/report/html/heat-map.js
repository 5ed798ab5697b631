'use strict'

// Heat maps of a distribution over time: a column for each time, a row for each bucket, and a darker cell for more
// values.

const { sumOf } = require('../../core/statistics')
const { formatInteger, round, withOneUnit } = require('../../core/units')
const { EDGES } = require('../../record/coarse')

/** The greatest number of columns. Further ones would be narrower than 2 px on a usual page. */
const COLUMNS = 200

/** Where the first row begins and the last one ends on the log scale, ms. */
const [LOWEST, HIGHEST] = [0.07, 150_000]

/** @typedef {import('./charts').Chart} Chart */

/**
 * @param {any[]} series
 * @param {(point: any) => unknown} bucketsOf a point
 * @param {{ step: number, soFar: boolean }} course `step`: s from one point to the next; `soFar`: whether the run is in
 *   progress, so that an incomplete last column is left out
 * @returns {Pick<Chart, 'unit' | 'log' | 'heat' | 'steps' | 'lines' | 'runs'> | null} null without a value
 */
function heatMap (series, bucketsOf, { step, soFar }) {
  // A power of two: a live page draws all columns again only when the number of points has doubled.
  const width = 2 ** Math.max(0, Math.ceil(Math.log2(series.length / COLUMNS)))
  /** @type {Array<{ at: number, counts: number[] }>} */
  const columns = []
  for (let i = 0; i + (soFar ? width : 1) <= series.length; i += width) {
    columns.push({ at: series[i].time / 1000, counts: countsIn(series.slice(i, i + width).map(bucketsOf)) })
  }
  const used = EDGES.flatMap((_, row) => columns.some(({ counts }) => counts[row] > 0) ? [row] : [])
  if (used.length === 0) return null
  // An empty row on either side shows that there are no values beyond.
  const [first, last] = [Math.max(0, used[0] - 1), Math.min(EDGES.length - 1, used[used.length - 1] + 1)]
  const rows = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  return {
    unit: 'ms',
    log: true,
    heat: [...rows, last + 1].map(edgeOf),
    steps: [round(step * width)],
    lines: rows.map(row => ({ label: labelOf(row), color: '--line' })),
    runs: [[columns.map(({ at }) => at), ...rows.map(row => columns.map(({ counts }) => round(counts[row])))]]
  }
}

/** @param {unknown[]} all buckets of the points of a column, which may be invalid in a file */
function countsIn (all) {
  const counts = new Array(EDGES.length).fill(0)
  for (const buckets of all) {
    for (const bucket of Array.isArray(buckets) ? buckets : []) {
      const row = Array.isArray(bucket) ? EDGES.indexOf(bucket[0]) : -1
      if (row !== -1 && bucket[1] > 0) counts[row] += Number(bucket[1])
    }
  }
  return counts
}

/** @param {number} row */
const edgeOf = row => row === 0 ? LOWEST : EDGES[row] ?? HIGHEST

/** @param {number} row */
function labelOf (row) {
  if (row === 0) return `below ${wordsOf(EDGES[1])}`
  const from = wordsOf(EDGES[row])
  return row === EDGES.length - 1 ? `from ${from} on` : withOneUnit([from, wordsOf(EDGES[row + 1])]).join(' – ')
}

/** An edge is a round number. @param {number} ms */
const wordsOf = ms => ms < 1000 ? `${ms} ms` : `${ms / 1000} s`

/** @param {Chart} chart @returns {{ head: string[], rows: string[][] }} a row for each column of the map */
function heatTable ({ xName, lines, runs: [[x, ...rows]] }) {
  return {
    head: [xName, 'Values', 'Values by length'],
    rows: x.map((at, i) => [
      String(at),
      formatInteger(sumOf(rows, counts => Number(counts[i]))),
      lines.flatMap(({ label }, row) => {
        const count = Number(rows[row][i])
        return count > 0 ? [`${label}: ${formatInteger(count)}`] : []
      }).join(', ')
    ])
  }
}

module.exports = { heatMap, heatTable }
