'use strict'

// Owns the part of the page that shows a search for the limit: two charts over the load, which need no script, and its steps.

const { formatRate, briefMs } = require('../figures')
const { byLoad, formatLoad, headsOf, limitsOf, percent, rowOf } = require('../search')
const { html } = require('./escape')
const { section, table } = require('./sections')

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 240, 64, 16, 12, 28]

/** How far apart the middles of two labels of loads are at least. */
const ROOM = 64

/**
 * @typedef {Record<string, any>} Search
 * @typedef {{ name: string, label: string, read: (step: Record<string, any>) => number | null }} Curve
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {Curve[]} curves
 * @property {[number, number]} range of the y axis
 * @property {boolean} log whether it is logarithmic
 * @property {number[]} ticks
 * @property {number[]} limits what the thresholds allow
 * @property {(value: number) => string} format
 */

/**
 * @param {Search} search
 * @returns {import('./escape').Markup}
 */
function searchSection (search) {
  const steps = byLoad(search).filter(({ p50 }) => p50 !== null)
  const drawn = steps.length < 2 ? false : html`<div class="charts">${[latencies(search, steps), shares(search, steps)].map(panel => chart(search, steps, panel))}</div>`
  const rows = search.steps.map((/** @type {Record<string, any>} */ step) => {
    const { mark, cells, words } = rowOf(search, step)
    return [html`<span class="mark ${step.outcome === 'held' ? 'good' : step.outcome === 'failed' ? 'bad' : ''}">${mark}</span>`, ...cells, words]
  })
  return section('search', 'The limit', drawn, table('Steps', headsOf(search).map((name, i, { length }) => i === 0 || i === length - 1 ? name : `>${name}`), rows, 'wide'))
}

/**
 * @param {Search} search
 * @param {Array<Record<string, any>>} steps
 * @returns {Panel}
 */
function latencies (search, steps) {
  const values = steps.flatMap(({ p50, p99 }) => [p50, p99]).filter(value => value > 0)
  const range = /** @type {[number, number]} */ ([Math.min(...values) / 1.3, Math.max(...values) * 1.3])
  const ticks = []
  for (let decade = 10 ** Math.ceil(Math.log10(range[0])); decade <= range[1]; decade *= 10) ticks.push(decade)
  return {
    title: 'Latency by load',
    curves: [{ name: 'p50', label: 'p50', read: ({ p50 }) => p50 }, { name: 'p99', label: 'p99', read: ({ p99 }) => p99 }],
    range,
    log: true,
    ticks,
    limits: limitsOf(search),
    format: briefMs
  }
}

/**
 * @param {Search} search
 * @param {Array<Record<string, any>>} steps
 * @returns {Panel}
 */
function shares ({ over }, steps) {
  const failed = { name: 'bad', label: 'failed', read: (/** @type {Record<string, any>} */ { failureRate }) => failureRate }
  if (over === 'connections') {
    const most = Math.max(...steps.map(({ achieved }) => achieved)) * 1.1
    return { title: 'Requests per second by load', curves: [{ name: 'line', label: 'requests/s', read: ({ achieved }) => achieved }], range: [0, most], log: false, ticks: [0, most / 2], limits: [], format: formatRate }
  }
  const curves = [{ name: 'line', label: 'achieved', read: (/** @type {Record<string, any>} */ { achieved, value }) => Math.min(1.1, achieved / value) }, failed]
  return { title: 'Part of the load that was sent, and that failed', curves, range: [0, 1.1], log: false, ticks: [0, 0.5, 1], limits: [], format: percent }
}

/**
 * @param {Search} search
 * @param {Array<Record<string, any>>} steps
 * @param {Panel} panel
 */
function chart (search, steps, { title, curves, range: [low, high], log, ticks, limits, format }) {
  const loads = steps.map(({ value }) => value)
  const [least, most] = [Math.min(...loads), Math.max(...loads)]
  /** @param {number} load */
  const x = load => round(LEFT + Math.log(load / least) / Math.log(most / least) * (WIDTH - LEFT - RIGHT))
  /** @param {number} value */
  const y = value => round(HEIGHT - BOTTOM - (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM))
  // One that would stand over another is left out: the best says most.
  const labels = [search.best ?? least, least, most].filter((load, i, all) => all.slice(0, i).every(other => Math.abs(x(load) - x(other)) > ROOM))
  const said = `${title}: ${curves.map(({ label }) => label).join(' and ')} from ${formatLoad(search, least, false)} to ${formatLoad(search, most)}; a full point was not held; the table below has all of it`
  return html`<figure><figcaption><h3>${title}</h3><div class="legend">${curves.map(({ name, label }) => html`<span class="key ${name}">${label}</span>`)}<span>full points were not held</span></div></figcaption>
<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${said}">
${ticks.map(tick => html`<path class="grid" d="M${LEFT} ${y(tick)}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${format(tick)}</text>`)}
${labels.map(load => html`<text x="${x(load)}" y="${HEIGHT - 8}" text-anchor="${load === least ? 'start' : load === most ? 'end' : 'middle'}">${formatLoad(search, load, false)}</text>`)}
${limits.filter(limit => limit > low && limit < high).map(limit => html`<path class="limit" d="M${LEFT} ${y(limit)}H${WIDTH - RIGHT}"><title>threshold: ${format(limit)}</title></path>`)}
${search.best !== null && html`<path class="best" d="M${x(search.best)} ${TOP}V${HEIGHT - BOTTOM}"><title>${formatLoad(search, search.best)}: the highest that was held</title></path>`}
${curves.map(({ name, label, read }) => {
  const points = steps.map(step => ({ step, value: read(step) })).filter(({ value }) => value !== null && (!log || value > 0))
  return html`<path class="${name}" d="${points.map(({ step, value }, i) => `${i === 0 ? 'M' : 'L'}${x(step.value)} ${y(Number(value))}`).join('')}"/>
${points.map(({ step, value }) => html`<circle class="${name}${step.outcome !== 'held' && ' full'}" cx="${x(step.value)}" cy="${y(Number(value))}" r="3.5"><title>${formatLoad(search, step.value)}: ${label} ${format(Number(value))}${step.outcome !== 'held' && ', not held'}</title></circle>`)}`
})}
</svg></figure>`
}

/** @param {number} pixels */
function round (pixels) {
  return Math.round(pixels * 10) / 10
}

module.exports = { searchSection }
