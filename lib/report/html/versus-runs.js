'use strict'

// All runs of `versus` on the page: a dot for each run of base and of new, without a script.

const { formatLatency, formatRate } = require('../../core/units')
const { html } = require('./escape')
const { section, table } = require('./sections')

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [540, 240, 66, 14, 14, 36]

/** The greatest number of labels below the axis. */
const MOST_NUMBERS = 20

/**
 * @typedef {import('../run-figures').RunFigures} RunFigures
 * @typedef {{ base: RunFigures[], new: RunFigures[] }} VersusRuns
 */

/**
 * @typedef {{ title: string, read: (run: RunFigures) => number, format: (value: number) => string }} Figure
 * @type {(about: string, isOfEvents: boolean) => Figure[]}
 */
const figuresOf = (about, isOfEvents) => [
  { title: `${isOfEvents ? 'Events' : about} per second`, read: ({ rate }) => rate, format: formatRate },
  { title: isOfEvents ? 'Gap p50' : 'p50', read: ({ p50 }) => p50, format: formatLatency },
  { title: isOfEvents ? 'Gap p99' : 'p99', read: ({ p99 }) => p99, format: formatLatency }
]

/** @param {VersusRuns} runs @param {string} about the unit, as the start of a title */
function versusSection (runs, about) {
  const count = Math.max(runs.base.length, runs.new.length)
  const isOfEvents = [...runs.base, ...runs.new].every(({ time }) => time === 'gap')
  const charts = figuresOf(about, isOfEvents).map(figure => chart(runs, count, figure))
  return section('runs', 'Every run', html`<div class="charts">${charts}</div>`)
}

/** @param {VersusRuns} runs @param {number} count @param {Figure} figure */
function chart (runs, count, { title, read, format }) {
  const [base, next] = [runs.base, runs.new].map(list => list.map(read))
  const top = Math.max(...base, ...next) * 1.1 || 1
  /** @param {number} i */
  const x = i => round(LEFT + (i + 0.5) / count * (WIDTH - LEFT - RIGHT))
  /** @param {number} value */
  const y = value => round(HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM))
  /** @param {number[]} values @param {'base' | 'new'} side @param {string} look */
  const dots = (values, side, look) => values.map((value, i) => {
    const words = html`<title>Run ${i + 1}, ${side}: ${format(value)}</title>`
    return html`<circle class="${look}" cx="${x(i)}" cy="${y(value)}" r="4">${words}</circle>`
  })
  const atTick = (/** @type {number} */ value) => [
    html`<path class="grid" d="M${LEFT} ${y(value)}H${WIDTH - RIGHT}"/>`,
    html`<text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${format(value)}</text>`
  ]
  const step = Math.ceil(count / MOST_NUMBERS)
  const numbers = Array.from({ length: count }, (_, i) => i).filter(i => i % step === 0)
  const rows = Array.from({ length: count }, (_, i) =>
    [i + 1, ...[base, next].map(values => values[i] === undefined ? '–' : format(values[i]))])
  const legend = html`${swatch('point', 'base')} ${swatch('line full', 'new')}`
  const description = `${title} of each run: the table below has all values`
  return html`<figure><figcaption><h3>${title}</h3><div class="legend">${legend}</div></figcaption>
<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${description}">
${[0, top / 2.2, top / 1.1].map(atTick)}
${numbers.map(i => html`<text x="${x(i)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${i + 1}</text>`)}
<text class="axis" x="${WIDTH - RIGHT}" y="${HEIGHT - 4}" text-anchor="end">Run</text>
${dots(base, 'base', 'point')}${dots(next, 'new', 'line full')}
</svg>
<details><summary>Table</summary>${table(title, ['Run', '>base', '>new'], rows)}</details></figure>`
}

/** @param {string} look @param {string} name */
function swatch (look, name) {
  const point = html`<circle class="${look}" cx="5" cy="5" r="4"/>`
  return html`<span><svg class="curve swatch" viewBox="0 0 10 10" aria-hidden="true">${point}</svg>${name}</span>`
}

/** @param {number} value */
function round (value) {
  return Math.round(value * 10) / 10
}

module.exports = { versusSection }
