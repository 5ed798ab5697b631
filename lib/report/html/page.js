'use strict'

// Owns the page: one file with everything in it, which opens from disk and asks nobody for anything. A policy lets only the
// scripts and styles run that were put in here, by their hash.

const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { headlineOf } = require('../headline')
const { timeCharts, latencyCharts, roundCharts, tableOf } = require('./charts')
const { html, json, trusted } = require('./escape')
const sections = require('./sections')

const UPLOT = path.dirname(require.resolve('uplot'))

/**
 * @param {string} folder
 * @param {...string} files
 * @returns {{ source: import('./escape').Markup, hash: string }} as it stands in the page
 */
function asset (folder, ...files) {
  const text = files.map(file => '\n' + readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim() + '\n').join('')
  return { source: trusted(text), hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}

/**
 * @param {Record<string, any>} result
 * @param {{ baseline?: Record<string, any> }} [options]
 * @returns {string}
 */
function toHtml (result, { baseline } = {}) {
  const [library, client, base, style] = [asset(UPLOT, 'uPlot.iife.min.js'), asset(__dirname, 'drawing.js', 'client.js'), asset(UPLOT, 'uPlot.min.css'), asset(__dirname, 'style.css')]
  const policy = `default-src 'none'; script-src ${library.hash} ${client.hash}; style-src ${base.hash} ${style.hash}; img-src data:; base-uri 'none'; form-action 'none'`
  const { sentence } = headlineOf(result)
  const [overTime, ofLatency, ofRounds] = [timeCharts(result, baseline), latencyCharts(result, baseline), roundCharts(result, baseline)]
  const latencies = sections.latency(result)
  const isLong = result.series?.length > 0 || baseline?.series?.length > 0
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${sentence}${result.title !== undefined && ` · ${result.title}`}</title>
<style>${base.source}</style>
<style>${style.source}</style>
</head>
<body>
<div class="top"><span class="brand">autocannon</span><button type="button" id="theme" hidden>Dark</button></div>
<main>
${sections.hero(result, baseline)}
${result.search === undefined ? sections.tiles(result, baseline) : require('./search').searchSection(result.search)}
${sections.verdicts(result)}
${sections.comparison(result)}
<noscript><p class="none">The charts are drawn by the script in this page. Without it, the table behind each one says the same.</p></noscript>
${isLong && sections.section('course', 'Over time', html`<div class="charts">${overTime.map(chart => figure(chart))}</div>`)}
${sections.stages(result)}
${(ofLatency.length > 0 || latencies !== false) && sections.section('distribution', 'Latency', ofLatency.length > 0 && html`<div class="charts">${ofLatency.map(chart => figure(chart))}</div>`, latencies)}
${sections.scenarios(result, ofRounds.map(figure))}
${sections.answers(result, baseline)}
${sections.requests(result)}
${sections.agents(result)}
${sections.repeat(result)}
</main>
<footer>Made by autocannon${result.environment !== undefined && ` ${result.environment.autocannon}`}. Charts: uPlot, © Leon Sorokin, MIT licence.</footer>
<script type="application/json" id="charts">${json([...isLong ? overTime : [], ...ofLatency, ...ofRounds])}</script>
<script>${library.source}</script>
<script>${client.source}</script>
</body>
</html>
`.toString()
}

/** @param {import('./charts').Chart} chart */
function figure (chart) {
  const { id, title, unit, note, marks = [] } = chart
  const said = [title, ...marks.map(({ label }) => label)].join(', ')
  const { head, rows } = tableOf(chart)
  return html`<figure data-chart="${id}">
<figcaption><h3>${title}${unit !== '/s' && unit !== '' && html`<span class="unit">, ${unit}</span>`}</h3><span class="at"></span><div class="legend"></div></figcaption>
<div class="plot" tabindex="0" role="application" aria-roledescription="chart" aria-label="${said}: the left and right arrow keys read the values; the table below has all of them"></div>
${note !== undefined && html`<p class="note">${note}</p>`}
<details><summary>Table</summary>${sections.table(title, head.map((name, i) => i === 0 ? name : '>' + name), rows)}</details>
</figure>`
}

module.exports = { toHtml }
