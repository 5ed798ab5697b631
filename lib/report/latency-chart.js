'use strict'

// Draws a distribution of latencies with characters: a bar for each range, and marks at percentiles.

const { isMaximum, percentileKey } = require('../record/percentiles')
const { formatPercent } = require('../core/units')
const { binsOf, valuesOf } = require('./html/distribution')

/** Where ranges may start within a decade, from coarse to fine. */
const STEPS = [
  [1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2],
  ...[24, 48, 96, 192].map(n => Array.from({ length: n }, (_, i) => Number((10 ** (i / n)).toPrecision(3))))
]

/** The share of values for which the steps are chosen. The slowest 1 % may be far above: the last range has them. */
const MOST = 0.99

/** The marked percentiles. */
const MARKS = [50, 90, 99, 99.9]

/** Bars of 0 to 7 eighths of a character. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Characters of the longest bar. */
const LONGEST = 50

/**
 * @param {Record<string, any>} latency of a result
 * @param {{ columns: number, color: import('./table').Colors }} screen
 * @param {number} [rows] at most, 3 or more
 * @returns {string[]} a line for each range, from the lowest to the highest; none without a histogram
 */
function latencyChart (latency, { columns, color }, rows = 12) {
  const values = valuesIn(latency)
  if (values === null) return []
  const edges = edgesOf(values, rows)
  const bins = binsOf(values, edges)
  const [labels, shares] = [
    bins.map((_, i) =>
      labelOf(edges[i], i === bins.length - 1 ? Math.max(edges[i], values.us[values.us.length - 1]) : edges[i + 1])),
    bins.map(count => formatPercent(count / values.total))
  ]
  const marks = marksOf(latency, edges)
  const [label, share, mark] = [labels, shares, marks].map(texts => Math.max(...texts.map(text => text.length)))
  const room = Math.min(LONGEST, columns - label - share - mark - 7)
  const highest = Math.max(...bins)
  return bins.map((count, i) => {
    const bar = barOf(count / highest, room)
    const drawn = bar === '' ? '' : color.cyan(bar)
    const end = marks[i] === '' ? '' : ` ${color.dim(marks[i])}`
    return `  ${labels[i].padStart(label)}  ${shares[i].padStart(share)} ${drawn}${end}`.trimEnd()
  })
}

/** @param {Record<string, any>} latency @returns {import('./html/distribution').Values | null} null without values */
function valuesIn (latency) {
  const values = valuesOf(/** @type {any} */ (latency))
  return values.total > 0 ? values : null
}

/**
 * @param {import('./html/distribution').Values} values
 * @param {number} rows
 * @returns {number[]} µs: the starts of the ranges, and the end of the last one. They have the finest steps for which
 *   the rows suffice
 */
function edgesOf ({ us, counts, total }, rows) {
  const [lowest, highest] = [us[0], us[us.length - 1]]
  let seen = counts[0]
  let most = 0
  while (seen < total * MOST) seen += counts[++most]
  const fits = (/** @type {number[]} */ steps) =>
    between(lowest, us[most], steps).length <= (us[most] === highest ? rows : rows - 1)
  const steps = STEPS.findLast(fits) ?? STEPS[0]
  const edges = between(lowest, highest, steps).slice(0, rows)
  return [...edges, highest + 1]
}

/**
 * @param {number} lowest µs
 * @param {number} highest
 * @param {number[]} steps of a decade
 * @returns {number[]} whole µs, rising: the last edge up to the lowest, and all edges from there to the highest
 */
function between (lowest, highest, steps) {
  /** @type {number[]} */
  const edges = []
  for (let decade = 10 ** Math.floor(Math.log10(lowest) + 1e-9); decade <= highest; decade *= 10) {
    for (const step of steps) {
      const edge = Math.round(step * decade)
      if (edge > highest || edge === edges[edges.length - 1]) continue
      if (edge <= lowest) edges[0] = edge
      else edges.push(edge)
    }
  }
  return edges
}

const UNITS = /** @type {const} */ ([[1e6, 's'], [1e3, 'ms']])

/** @param {number} us @returns {{ digits: string, unit: string }} */
function figureOf (us) {
  const [size, unit] = UNITS.find(([size]) => us >= size) ?? UNITS[1]
  return { digits: String(Number((us / size).toPrecision(3))), unit }
}

/** @param {number} from @param {number} to @returns {string} such as `1.5 – 2 ms` */
function labelOf (from, to) {
  const [low, high] = [figureOf(from), figureOf(to)]
  if (low.digits === high.digits && low.unit === high.unit) return `${high.digits} ${high.unit}`
  return `${low.digits}${low.unit === high.unit ? '' : ` ${low.unit}`} – ${high.digits} ${high.unit}`
}

/** @param {number} share of the longest bar @param {number} room */
function barOf (share, room) {
  const eighths = share === 0 ? 0 : Math.max(1, Math.round(share * room * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]
}

/**
 * @param {Record<string, any>} latency
 * @param {number[]} edges
 * @returns {string[]} the percentiles in each range
 */
function marksOf (latency, edges) {
  /** @type {string[]} */
  const marks = Array.from({ length: edges.length - 1 }, () => '')
  for (const percentile of MARKS) {
    const value = latency[percentileKey(percentile)]
    if (value === undefined || isMaximum(percentile, latency.totalCount)) continue
    const i = edges.findLastIndex(edge => edge <= value * 1000 + 0.5)
    const at = Math.min(marks.length - 1, Math.max(0, i))
    marks[at] += `${marks[at] === '' ? '' : ' '}p${percentile}`
  }
  return marks
}

module.exports = { latencyChart }
