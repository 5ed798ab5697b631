'use strict'

// The page: one file with everything in it, which opens from disk and makes no requests. Its policy allows only its own
// scripts and styles, by their hash.

const { createHash } = require('node:crypto')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { formatDuration } = require('../../core/units')
const { html, json, trusted } = require('./escape')
const { PARTS, partsOf } = require('./parts')
const { comparison, hero, pageHeadline } = require('./sections')

const UPLOT = path.dirname(require.resolve('uplot'))

/** The scripts of every page. */
const SCRIPTS = ['drawing.js', 'axes.js', 'heat.js', 'plot.js', 'client.js']

/** A live page also lists the runs that have ended. */
const LIVE_PARTS = PARTS.flatMap(name => name === 'verdicts' ? ['runs', name] : [name])

/** @typedef {{ source: import('./escape').Markup, hash: string }} Asset a script or style of the page */

/** @param {string} file */
const textOf = file => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()

/** @param {string} folder @param {string[]} files @param {string} [before] an own script @returns {Asset} */
function asset (folder, files, before = '') {
  const text = before + files.map(file => `\n${textOf(path.join(folder, file))}\n`).join('')
  return { source: trusted(text), hash: `'sha256-${createHash('sha256').update(text).digest('base64')}'` }
}

/** core/units as window.units, so that scripts format quantities as the rest of the page does. */
const UNITS = `
window.units = (module => {
${textOf(path.join(__dirname, '../../core/units.js'))}
return module.exports
})({})
`

/**
 * @param {object} page
 * @param {string} page.title
 * @param {string[]} [page.scripts] further ones
 * @param {string} [page.more] of the policy
 * @param {import('./escape').Markup} [page.bar] above the report
 * @param {unknown} page.content
 * @param {unknown} page.charts
 * @param {string} [page.version]
 * @returns {{ text: string, policy: string }}
 */
function document ({ title, scripts = [], more = '', bar, content, charts, version }) {
  const [library, client, base, style] = [
    asset(UPLOT, ['uPlot.iife.min.js']),
    asset(__dirname, [...SCRIPTS, ...scripts], UNITS),
    asset(UPLOT, ['uPlot.min.css']),
    asset(__dirname, ['style.css'])
  ]
  const policy = `default-src 'none'; script-src ${library.hash} ${client.hash}; ` +
    `style-src ${base.hash} ${style.hash}; img-src data:;${more} base-uri 'none'; form-action 'none'`
  const maker = version === undefined ? 'autocannon' : `autocannon ${version}`
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${base.source}</style>
<style>${style.source}</style>
</head>
<body>
<header class="top"><span class="brand">autocannon</span><button type="button" id="theme" hidden>Dark</button></header>
${bar}<main>
${content}
</main>
<footer>Made by ${maker}. Charts: uPlot, © Leon Sorokin, MIT licence.</footer>
<script type="application/json" id="charts">${json(charts)}</script>
<script>${library.source}</script>
<script>${client.source}</script>
</body>
</html>
`.toString()
  return { text, policy }
}

/**
 * @param {Record<string, any>} result
 * @param {{ baseline?: Record<string, any>, soFar?: boolean }} [options] `soFar`: the run is in progress
 */
function toHtml (result, { baseline, soFar = false } = {}) {
  const { parts, charts } = partsOf(result, { baseline, soFar })
  const [hero, figures, verdicts, comparison, ...rest] = PARTS.map(name => parts[name])
  const { duration, options, versus, title } = result
  const all = options?.duration > duration && ` of ${formatDuration(options.duration)}`
  const notFinal = html`Saved while the run went on, after ${formatDuration(duration)}${all}: nothing is final.`
  const noScript = 'The charts are drawn by the script in this page. ' +
    'Without it, the table of each chart has the same values.'
  return document({
    title: (versus === undefined ? '' : `${versus.base} → ${versus.new}: `) +
      pageHeadline(result, soFar).sentence + (title === undefined ? '' : ` · ${title}`),
    content: html`${hero}
${soFar && html`<p class="note">${notFinal}</p>`}
${figures}
${verdicts}
${comparison}
<noscript><p class="none">${noScript}</p></noscript>
${rest.map(part => html`${part}
`)}`,
    charts,
    version: result.environment?.autocannon
  }).text
}

/**
 * @typedef {object} Versus
 * @property {import('../../../index').Comparison} comparison printable, as are the others
 * @property {{ base: string, new: string }} names of the servers
 * @property {{ base?: Record<string, any>, new?: Record<string, any> }} last complete run of each
 * @property {import('./versus-runs').VersusRuns} [runs] the figures of all complete runs
 * @property {string} [title]
 */

/**
 * @param {Versus} versus
 * @returns {string} the page of a comparison, with the charts of the last runs if each server has a complete one
 */
function comparisonHtml ({ comparison: compared, names, last, runs, title }) {
  const whole = {
    ...title !== undefined && { title },
    comparison: compared,
    versus: { ...names, ...runs !== undefined && { runs } }
  }
  if (last.base !== undefined && last.new !== undefined) {
    return toHtml({ ...last.new, ...whole }, { baseline: last.base })
  }
  const sentence = pageHeadline(whole).sentence + (title === undefined ? '' : ` · ${title}`)
  return document({ title: sentence, content: html`${hero(whole)}${comparison(whole)}`, charts: [] }).text
}

/**
 * The page of a run in progress, without content: live-client.js fills it with updates of the server.
 * @param {string} version of autocannon
 * @returns {{ text: string, policy: string }} for the header, which allows more than the page
 */
function livePage (version) {
  return document({
    title: 'autocannon',
    scripts: ['live-client.js'],
    more: " connect-src 'self';",
    bar: html`<div class="live" role="region" aria-label="The run"><div class="strip">${[
      html`<strong id="phase" role="status">Connecting</strong>`,
      html`<span id="time"></span>`,
      html`<progress id="progress" max="1" value="0" aria-label="How much of the run is over"></progress>
`,
      html`<span id="viewers"></span>`,
      html`<a id="save" class="button" href="report.html" download hidden>Save</a>`,
      html`<button type="button" id="stop" hidden>Stop</button>`
    ]}</div>
<div role="log" aria-label="Notices"><ul id="notices"></ul></div></div>
`,
    content: html`<noscript><p class="none">The figures come while the run goes on, which takes a script.</p></noscript>
${LIVE_PARTS.map(name => html`<div data-part="${name}"></div>
`)}`,
    charts: [],
    version
  })
}

module.exports = { comparisonHtml, toHtml, livePage }
