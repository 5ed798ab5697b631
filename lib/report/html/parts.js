'use strict'

// The parts of the page in their order, with their charts, as functions of a final or partial result.

const { countedIn } = require('../../core/counted')
const { timeCharts, latencyCharts, iterationCharts, tableOf } = require('./charts')
const { html } = require('./escape')
const sections = require('./sections')

/**
 * @typedef {import('./charts').Chart} Chart
 * @typedef {ReturnType<typeof html> | unknown[] | false} Part
 *
 * @typedef {object} Options
 * @property {Record<string, any>} [baseline]
 * @property {boolean} [live] whether it is a live page, which fills the tables of charts itself
 * @property {boolean} [soFar] whether the run is in progress
 */

/** Names of the parts, in their order. */
const PARTS = Object.freeze([
  'hero', 'figures', 'verdicts', 'comparison', 'runs', 'course', 'stages', 'latency', 'server', 'scenarios',
  'responses', 'requests', 'exemplars', 'agents', 'repeat'
])

/** Up to this number of points, a series is not shown. */
const FEW = 4

/**
 * @param {Record<string, any>} result
 * @param {Options} [options]
 * @returns {{ parts: Record<string, Part>, charts: Chart[] }} by the names of PARTS
 */
function partsOf (result, { baseline, live = false, soFar = false } = {}) {
  const runs = result.versus?.runs
  // Runs of a few seconds have too few points.
  const isLong = [result, baseline].some(one => one?.series?.length > (runs === undefined ? 0 : FEW))
  const [overTime, ofLatency, ofIterations] = [
    isLong ? timeCharts(result, { baseline, soFar }) : [],
    latencyCharts(result, baseline),
    iterationCharts(result, baseline)
  ]
  const ofServer = result.server === undefined ? [] : require('./server').serverCharts(result, baseline)
  const latencies = sections.latency(result)
  const figureOf = (/** @type {Chart} */ chart) => figure(chart, live)
  const chartsOf = (/** @type {Chart[]} */ charts) => html`<div class="charts">${charts.map(figureOf)}</div>`
  const before = { scenarios: ofIterations.length > 0 && chartsOf(ofIterations), server: chartsOf(ofServer) }
  const {
    stages = false, scenarios = false, requests = false, agents = false, server = false, ...others
  } = sections.tables(result, before)
  return {
    parts: {
      hero: sections.hero(result, baseline, soFar),
      figures: result.search === undefined
        ? sections.tiles(result, baseline)
        : require('./search').searchSection(require('../search').searchOf(result)),
      verdicts: sections.verdicts(result),
      comparison: sections.comparison(result),
      runs: runs !== undefined && require('./versus-runs').versusSection(runs, countedIn(result).title),
      course: isLong && sections.section(
        'course',
        runs === undefined ? 'Over time' : 'Over time, last run of each',
        html`<div class="charts">${overTime.map(figureOf)}</div>`
      ),
      stages,
      latency: (ofLatency.length > 0 || latencies !== false) && sections.section(
        'distribution',
        runs === undefined ? 'Latency' : 'Latency, last run of each',
        ofLatency.length > 0 && html`<div class="charts">${ofLatency.map(figureOf)}</div>`,
        latencies
      ),
      server,
      scenarios,
      responses: sections.responses(result, baseline),
      requests,
      exemplars: Object.values(others),
      agents,
      repeat: sections.repeat(result)
    },
    charts: [...overTime, ...ofLatency, ...ofServer, ...ofIterations].map(chart =>
      result.versus === undefined ? chart : { ...chart, names: ['new', 'base'] })
  }
}

/** @param {Chart} chart @param {boolean} live */
function figure (chart, live) {
  const { id, title, unit, note, marks = [], limits = [] } = chart
  const description = [title, ...marks.map(({ label }) => label), ...limits.map(({ label }) => `threshold ${label}`)]
    .join(', ')
  const { head, rows } = tableOf(live ? { ...chart, runs: chart.runs.map(columns => columns.map(() => [])) } : chart)
  const inUnit = !unit.endsWith('/s') && unit !== '' && html`<span class="unit">, ${unit}</span>`
  const label = `${description}: the left and right arrow keys read the values; the table below has all of them`
  const table = sections.table(title, head.map((name, i) => i === 0 ? name : '>' + name), rows)
  return html`<figure data-chart="${id}">
<figcaption><h3>${title}${inUnit}</h3><span class="at"></span><div class="legend"></div></figcaption>
<div class="plot" tabindex="0" role="application" aria-roledescription="chart" aria-label="${label}"></div>
${note !== undefined && html`<p class="note">${note}</p>`}
<details><summary>Table</summary>${table}</details>
</figure>`
}

module.exports = { PARTS, partsOf }
