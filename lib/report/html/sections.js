'use strict'

// The parts of the page without a script: the verdict, the figures and all tables.

const { sum } = require('../../core/statistics')
const { CODES } = require('../../core/errors')
const { formatInteger, formatLatency, formatPercent, plural } = require('../../core/units')
const { isOfEvents } = require('../../figures/parts')
const { figuresOf, formatFigureOf, difference, formatKnown, latencyOf } = require('../figures')
const { countsIn, loadIn, tablesIn, timesIn, verdictTablesIn } = require('../document')
const { badNewsOf, headlineOf, headlineSoFar } = require('../headline')
const { Maxima } = require('../maxima')
const { capital } = require('../../words/sentence')
const {
  comparisonClause, comparisonHeadline, isInconclusive, notesIn, reasonIn, withoutRepeated
} = require('../verdicts')
const { failedFirst } = require('../authored')
const { comparisonTable } = require('../verdict-tables')
const { commandOf } = require('./command')
const { html, trusted } = require('./escape')
const { interrupted } = require('../../words/comparison')

/** @typedef {Record<string, any>} Result */
/** @typedef {import('./escape').Markup} Markup */

const ICONS = {
  good: '<path d="M6.5 12.5l3.6 3.6 7.4-8"/>',
  warning: '<path d="M12 6.5v7M12 17v.4"/>',
  bad: '<path d="M7.5 7.5l9 9M16.5 7.5l-9 9"/>'
}

/** @param {Result} result @param {Result} [baseline] @param {boolean} [soFar] whether the run is in progress */
function hero (result, baseline, soFar = false) {
  const headline = pageHeadline(result, soFar)
  // A comparison without a run.
  if (result.requests === undefined) return verdictOfPage(headline, { eyebrow: html`${result.title}` })
  const { title, start, url } = result
  const begun = start !== undefined && html`<time datetime="${new Date(start).toISOString()}">${when(start)}</time>`
  // In a comparison, the counts would be those of the last run only.
  const facts = [
    ...loadIn(result, { hosts: true }),
    ...result.versus === undefined ? countsIn(result, { hasRate: true }) : []
  ]
  if (result.versus !== undefined) {
    const { versus, comparison: { runs } } = result
    return verdictOfPage(headline, {
      eyebrow: html`${title !== undefined && html`<strong>${title}</strong> · `}versus${begun && html` · ${begun}`}`,
      facts: html`<p class="target"><code>${versus.base}</code> → <code>${versus.new}</code></p>
<p class="facts">${[`${plural(runs.base, 'run')} of base, ${formatInteger(runs.new)} of new`, ...facts].join(' · ')}</p>
`,
      below: html`${baseline !== undefined && legend('base is dotted in the charts of the last runs.')}
`
    })
  }
  return verdictOfPage(headline, {
    eyebrow: html`${title !== undefined && html`<strong>${title}</strong>${begun && ' · '}`}${begun}`,
    facts: html`<p class="target">${[url ?? []].flat().map(one => html`<code>${one}</code> `)}</p>
<p class="facts">${facts.join(' · ')}</p>
`,
    below: html`${baseline !== undefined && legend(html`Compared with ${nameOf(baseline)}: dotted in every chart.`)}
`
  })
}

/** @param {string | Markup} sentence about the dotted line */
function legend (sentence) {
  const line = html`<svg class="dotted" viewBox="0 0 24 8" aria-hidden="true"><path d="M0 4h24"/></svg>`
  return html`<p class="baseline">${line}${sentence}</p>`
}

/** @param {Result} baseline */
function nameOf ({ title, start }) {
  return html`${title === undefined ? 'the run' : html`<strong>${title}</strong>`} ${
    start !== undefined && `of ${when(start)}`}`
}

/**
 * @param {Result} result
 * @param {boolean} [soFar] whether the run is in progress
 * @returns {ReturnType<typeof headlineOf>}
 */
function pageHeadline (result, soFar = false) {
  return result.versus !== undefined ? headlineOfAll(result) : soFar ? headlineSoFar(result) : headlineOf(result)
}

/**
 * @param {ReturnType<typeof headlineOf>} headline
 * @param {{ eyebrow: Markup, facts?: Markup, below?: Markup }} around
 */
function verdictOfPage ({ level, sentence, notes }, { eyebrow, facts, below }) {
  const shape = html`<circle cx="12" cy="12" r="12"/>${trusted(ICONS[level])}`
  const icon = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`
  return html`<header class="hero ${level}">
<p class="eyebrow">${eyebrow}</p>
<h1${sentence.length > 50 && html` class="long"`}>${icon}<span>${sentence}</span></h1>
${facts}${notes.length > 0 && html`<ul class="notes">${notes.map(note => html`<li>${note}</li>`)}</ul>`}
${below}</header>`
}

/**
 * @param {Result} result the last run of new, with the comparison of all runs
 * @returns {ReturnType<typeof headlineOf>}
 */
function headlineOfAll ({ comparison, versus: { base, new: next } }) {
  const { metrics } = comparison
  const bad = badNewsOf({ comparison: withoutRepeated(comparison) })
  const isWorse = metrics.some((/** @type {any} */ { verdict }) => verdict === 'worse')
  const { runs } = comparison
  return {
    ...comparison.interrupted
      ? { level: /** @type {const} */ ('warning'), sentence: `The comparison was ${interrupted(runs)}` }
      : bad ?? {
        level: isWorse || isInconclusive(comparison) ? 'warning' : 'good',
        sentence: capital(comparisonClause(comparison))
      },
    notes: metrics.length === 0
      ? [`New: ${next}.`, `Base: ${base}.`]
      : ['Other charts and tables show the last run of base and of new.']
  }
}

/** @param {Result} result @param {Result} [baseline] */
function tiles (result, baseline) {
  // They would be those of the last run, while the comparison has those of all runs.
  if (result.versus !== undefined) return false
  const { metrics } = result.comparison ?? {}
  const verdicts = new Map(metrics?.map((/** @type {any} */ { metric, verdict }) => [metric, verdict]))
  const maxima = new Maxima()
  const hasNoResponse = result.requests.total === 0 && !isOfEvents(result)
  const figures = figuresOf(result).map(one => {
    const { name, metric, read, format } = one
    const value = read(result)
    const figure = hasNoResponse && name !== 'Failures' ? '–' : formatFigureOf(one, result, maxima)
    const [number, ...units] = figure.split(' ')
    const unit = units.length > 0 && html` <span class="unit">${units.join(' ')}</span>`
    const base = baseline === undefined ? undefined : read(baseline) ?? null
    const change = base !== undefined && html`<dd class="change ${verdicts.get(metric)}">${
      difference(value, base)} <span>from ${formatKnown(base, format)}</span></dd>`
    return html`<div><dt>${name}</dt><dd><span class="number">${number}</span>${unit}</dd>${change}</div>`
  })
  return html`<dl class="tiles">${figures}</dl>${noteOn(maxima)}`
}

/** @param {Maxima} maxima */
function noteOn ({ notes }) {
  return notes.map(note => html`<p class="note">${note}</p>`)
}

/** @param {Result} result */
function verdicts (result) {
  const { checks = [], versus } = result
  const explained = versus === undefined ? headlineOf(result).explained : []
  const tables = verdictTablesIn(result, 'html', explained).filter(({ id }) => id === 'thresholds' || id === 'checks')
    .map(table => drawn(table))
  return [tables.length > 1 ? html`<div class="pair">${tables}</div>` : tables, checks.flatMap(failures)]
}

/** @param {Result} result */
function comparison ({ comparison, versus }) {
  if (comparison === undefined) return false
  const { metrics, limits } = comparison
  const items = failedFirst(limits, ({ passed }) => passed).map(limit =>
    html`<li>${mark(limit.passed)} <code>${limit.expression}</code> ${reasonIn(comparison, limit)}</li>`)
  return section(
    'comparison',
    versus === undefined ? 'Compared with the baseline' : 'base → new, all runs',
    html`<p class="sentence">${comparisonHeadline(comparison)}</p>`,
    metrics.length > 0 && drawnTable(comparisonTable(comparison, 'html'), versus === undefined ? 'wide' : 'narrow'),
    limits.length > 0 && html`<ul class="limits">${items}</ul>`,
    notesIn(comparison).map((/** @type {string} */ note) => html`<p class="note">${capital(note)}</p>`)
  )
}

/** @param {any} check */
function failures ({ name, request, reasons, samples = {} }) {
  return Object.entries(reasons).map(([reason, count]) => {
    const sample = samples[reason]
    const check = request === undefined ? name : `${request}: ${name}`
    const title = html`<strong>${check}</strong> · ${reason} · ${plural(Number(count), 'time')}`
    if (sample === undefined) return html`<p class="reason">${title}</p>`
    const headers = sample.headers.map((/** @type {[string, string]} */ [key, value]) => `${key}: ${value}`)
    const lines = [`status ${sample.status}`, ...headers, '', sample.body]
    return html`<details class="sample"><summary>${title}</summary>
<p>The first of these responses:</p>
<pre tabindex="0">${lines.join('\n')}${sample.truncated && '…'}</pre></details>`
  })
}

/** The columns of the table of latencies. */
const COLUMNS = {
  average: 'Avg', stddev: 'Stdev', min: 'Min', p50: 'p50', p75: 'p75', p90: 'p90', p95: 'p95', p99: 'p99',
  p99_9: 'p99.9', max: 'Max'
}

/** @param {Result} result */
function latency (result) {
  const { latency, serviceTime, ttfb, connect, rate, clock } = result
  const all = [
    ['Latency', latency],
    ...rate === undefined ? [] : [['Service time', serviceTime]],
    ['First byte', ttfb],
    ['Connect', connect],
    ['Read late', clock?.late]
  ]
  for (const { name, distribution, after } of timesIn(result)) {
    const at = after === undefined ? all.length - 1 : all.findIndex(([name]) => name === after) + 1
    all.splice(at, 0, [name, distribution])
  }
  const rows = all.filter(([, distribution]) => distribution?.totalCount > 0)
  // A result of autocannon 9 has no p95.
  const columns = Object.entries(COLUMNS)
    .filter(([key]) => rows.some(([, distribution]) => distribution[key] !== undefined))
  const maxima = new Maxima()
  const cells = rows.map(([name, distribution]) =>
    [name, ...columns.map(([key]) => maxima.mark(formatLatency(distribution[key]), key, distribution))])
  return rows.length > 0 && [
    table('Latency and its parts', ['Latency', ...columns.map(([, name]) => '>' + name)], cells, 'wide'), noteOn(maxima)
  ]
}

/** @param {Result} result @param {Result} [baseline] */
function responses (result, baseline) {
  const { statusCodeStats, errorCodes } = result
  /** @param {Record<string, { count: number }> | undefined} stats */
  const countsIn = stats =>
    stats && Object.fromEntries(Object.entries(stats).map(([status, { count }]) => [status, count]))
  const [statuses, before] = [countsIn(statusCodeStats), countsIn(baseline?.statusCodeStats)]
  const levelOf = (/** @type {string} */ status) =>
    status[0] === '2' ? 'good' : status[0] === '5' ? 'bad' : 'warning'
  const meaningOf = (/** @type {string} */ code) => code in CODES ? CODES[code] : undefined
  const byStatus = counts('Status', statuses, before, levelOf, () => undefined)
  const byCode = counts('Code', errorCodes, baseline?.errorCodes, () => 'bad', meaningOf)
  return html`<div class="pair">
${section('statuses', 'Responses by status', byStatus)}
${section('codes', 'Errors by code', byCode)}
</div>`
}

/**
 * @param {string} name
 * @param {Record<string, number> | undefined} counts undefined in a result without them, such as one of autocannon 9
 * @param {Record<string, number> | undefined} before of the baseline
 * @param {(key: string) => string} levelOf
 * @param {(key: string) => string | undefined} meaningOf
 */
function counts (name, counts, before, levelOf, meaningOf) {
  if (counts === undefined) return html`<p class="none">This result has none.</p>`
  const keys = [...new Set([...Object.keys(counts), ...Object.keys(before ?? {})])]
    .sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
  if (keys.length === 0) return html`<p class="none">None.</p>`
  const total = sum(Object.values(counts))
  return table(name, [name, '>Count', '>Share', ...before === undefined ? [] : ['>Baseline']], keys.map(key => {
    const count = counts[key] ?? 0
    const width = total === 0 ? 0 : count / total * 100
    const meaning = meaningOf(key) !== undefined && html` <span class="meaning">${meaningOf(key)}</span>`
    const bars = [html`class="all" width="100%"`, html`width="${width.toFixed(2)}%"`]
      .map(bar => html`<rect ${bar} height="4" rx="2"/>`)
    return [
      html`<strong>${key}</strong>${meaning}<svg class="bar ${levelOf(key)}" aria-hidden="true">${bars}</svg>`,
      formatInteger(count),
      formatPercent(total === 0 ? 0 : count / total),
      ...before === undefined ? [] : [formatInteger(before[key] ?? 0)]
    ]
  }))
}

/** @param {import('../authored').Toned} cell @returns {unknown} */
function toned ({ text, tone, passed = null, note, of, verdict }) {
  if (tone === 'name' || tone === 'strong') return html`<strong>${text}</strong>`
  if (tone === 'code') return html`<code>${text}</code>${note !== undefined && html`<br>${note}`}`
  if (tone === 'part') return of === undefined ? html`${text}` : html`<span class="of">${of}</span> ${text}`
  if (tone === 'change') return html`<span class="change ${verdict}">${text}</span>`
  if (tone === 'mark') {
    return MARKS.includes(text)
      ? mark(passed)
      : passed === null ? html`<span class="mark" title="not evaluated">${text}</span>` : html`${mark(passed)} ${text}`
  }
  return tone === 'bad' ? text : text !== '' && html`<span class="missed">${text}</span>`
}

/** @param {import('../authored').Table} given @param {'wide' | 'narrow'} [width] @param {Maxima} [maxima] */
function drawnTable (given, width = given.isNarrow ? undefined : 'wide', maxima = new Maxima()) {
  const { title, caption = title, heads, rows } = given
  /** @param {import('../authored').Cell} cell */
  const shown = cell => {
    if (typeof cell === 'string') return cell
    if ('key' in cell) return maxima.mark(latencyOf(cell.of, cell.key), cell.key, cell.of)
    return 'counts' in cell ? cell.counts.map(({ count, reason }) => `${count} × ${reason}`).join(', ') : toned(cell)
  }
  return table(caption, heads, rows.map(row => row.map(shown)), width)
}

/** @param {import('../authored').Table} given @param {unknown} [before] the table */
function drawn (given, before) {
  const { id, title, rows, rest = [], none } = given
  const maxima = new Maxima()
  const made = rows.length === 0
    ? none !== undefined && html`<p class="none">${none}</p>`
    : drawnTable(given, undefined, maxima)
  return section(id, title, before, made, rest.map(sentence => html`<p class="note">${sentence}</p>`), noteOn(maxima))
}

/**
 * @param {Result} result
 * @param {Record<string, unknown>} before contents before the table of that name
 * @returns {Record<string, Markup>} a section for each table of instruments, by its name
 */
function tables (result, before) {
  return Object.fromEntries(tablesIn(result, 'html').map(one => [one.id, drawn(one, before[one.id])]))
}

/** @param {Result} result */
function repeat ({ options, environment, search }) {
  if (options === undefined && environment === undefined) return false
  const command = options !== undefined && shownCommand(options, search)
  const given = options !== undefined &&
    list('Options', Object.entries(options).map(([name, value]) => [name, wordsOf(value)]))
  const known = Object.entries(environment ?? {}).filter(([, value]) => value !== null)
  const machine = environment !== undefined &&
    list('Measured with', known.map(([name, value]) => [name, String(value)]))
  return section('repeat', 'To repeat this run', command, html`<div class="pair">${given}${machine}</div>`)
}

/**
 * @param {Record<string, any>} options of a result
 * @param {Record<string, any>} [search] of the same
 */
function shownCommand (options, search) {
  const { command, hidden, missing } = commandOf(options, search)
  const why = 'Not in this command, because it requires a config (--config) or a program'
  return html`<div class="command"><pre tabindex="0">${command}</pre>
${hidden.length > 0 && html`<p class="note">Fill in what is hidden here (***): ${hidden.join(', ')}.</p>`}
${missing.length > 0 && html`<p class="note">${why}: ${missing.join(', ')}.</p>`}</div>`
}

/** @param {any} value */
function wordsOf (value) {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(one => typeof one === 'string')) {
    return value.join(value.some(one => one.includes(' ')) ? '\n' : ' ')
  }
  if (Array.isArray(value) && value.every(one => Array.isArray(one))) {
    return value.map(pair => pair.join(': ')).join('\n')
  }
  return Array.isArray(value) ? value.map(one => JSON.stringify(one)).join('\n') : JSON.stringify(value)
}

/** @param {string} title @param {Array<[string, string]>} rows */
function list (title, rows) {
  const items = rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)
  return html`<div><h3>${title}</h3><dl class="list">${items}</dl></div>`
}

/** @param {string} id @param {string} title @param {...unknown} content */
function section (id, title, ...content) {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`
}

/**
 * @param {string} caption for screen readers
 * @param {string[]} head a column that begins with > has figures
 * @param {unknown[][]} rows
 * @param {'wide' | 'narrow'} [width] `wide`: it has no room on a narrow screen, where each row becomes a block of names
 *   and values, and the roles keep it a table for screen readers; `narrow`: its cells become narrow there
 */
function table (caption, head, rows, width) {
  const names = head.map(name => name.replace(/^>/, ''))
  /** @param {number} i */
  const kind = i => head[i].startsWith('>') && html` class="figure"`
  /** @param {string} role */
  const as = role => width !== undefined && html` role="${role}"`
  /** @param {number} i */
  const named = i => width !== undefined && i > 0 && html` data-name="${names[i]}"`
  const heads = names.map((name, i) => html`<th scope="col"${as('columnheader')}${kind(i)}>${
    name === '' ? html`<span class="hidden">Verdict</span>` : name}</th>`)
  const body = rows.map(row => html`<tr${as('row')}>${
    row.map((cell, i) => html`<td${as('cell')}${kind(i)}${named(i)}>${cell}</td>`)}</tr>
`)
  const kindOfTable = html`${width !== undefined && html` class="${width}"`}${as('table')}`
  const made = html`<table${kindOfTable}><thead${as('rowgroup')}><tr${as('row')}>${heads}</tr></thead>
<tbody${as('rowgroup')}>${body}</tbody></table>`
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}">${made}</div>`
}

/** Marks in text, which are elements on the page. */
const MARKS = ['✓', '✗', '?']

/** @param {boolean | null} passed */
function mark (passed) {
  const [look, sign, word] = passed === null
    ? ['unsure', '?', 'inconclusive']
    : passed ? ['good', '✓', 'passed'] : ['bad', '✗', 'failed']
  const text = html`<span aria-hidden="true">${sign}</span><span class="hidden">${word}</span>`
  return html`<span class="mark ${look}">${text}</span>`
}

/** @param {string | Date} date */
function when (date) {
  return new Date(date).toISOString().replace('T', ' ').replace(/:\d\d\.\d+Z$/, ' UTC')
}

module.exports = {
  hero, pageHeadline, tiles, verdicts, comparison, latency, responses, tables, repeat, section, drawnTable, table
}
