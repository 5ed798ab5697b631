'use strict'

// A search for the limit on the page: two charts by load, without a script, and its steps.

const { byLoad, formatLoad, limitsOf, loadUnit, stepTable } = require('../search')
const { html } = require('./escape')
const { drawnTable, section } = require('./sections')
const { formatLatency, formatPercent, formatRate } = require('../../core/units')

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [540, 280, 66, 14, 30, 48]

/** The width of the widest character of a label, px. */
const CHARACTER = 7

/**
 * @typedef {Record<string, any>} Search
 * @typedef {{ name: string, label: string, read: (step: Record<string, any>) => number | null }} Curve
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} axis the name of the y axis, with its unit
 * @property {Curve[]} curves
 * @property {[number, number]} range of the y axis
 * @property {boolean} log whether it is logarithmic
 * @property {number[]} ticks
 * @property {Array<{ expression: string, limit: number }>} limits by the thresholds
 * @property {(value: number) => string} format
 */

/** @param {Search} search @returns {import('./escape').Markup} */
function searchSection (search) {
  const steps = byLoad(search).filter(({ p50 }) => p50 !== null)
  const panels = steps.length < 2 ? [] : [latencies(search, steps), shares(search, steps)]
  const charts = panels.map(panel => chart(search, steps, panel))
  return section(
    'search',
    'The limit',
    charts.length > 0 && html`<div class="charts">${charts}</div>`,
    drawnTable(stepTable(search))
  )
}

/** @param {Search} search @param {Array<Record<string, any>>} steps @returns {Panel} */
function latencies (search, steps) {
  const limits = limitsOf(search, 'ms')
  const values = [...steps.flatMap(({ p50, p99 }) => [p50, p99]), ...limits.map(({ limit }) => limit)]
    .filter(value => value > 0)
  const range = /** @type {[number, number]} */ ([Math.min(...values) / 1.3, Math.max(...values) * 1.3])
  return {
    title: 'Latency by load',
    axis: 'Latency, log scale',
    curves: [
      { name: 'p50', label: 'p50', read: ({ p50 }) => p50 },
      { name: 'p99', label: 'p99', read: ({ p99 }) => p99 }
    ],
    range,
    log: true,
    ticks: logTicks(...range, 6),
    limits,
    format: shortMs
  }
}

/** @param {Search} search @param {Array<Record<string, any>>} steps @returns {Panel} */
function shares (search, steps) {
  const { title, rate } = search.counted
  const failed = {
    name: 'bad', label: 'failed', read: (/** @type {Record<string, any>} */ { failureRate }) => failureRate
  }
  if (search.over === 'connections') {
    const most = Math.max(...steps.map(({ achieved }) => achieved)) * 1.1
    const curves = [{
      name: 'line', label: rate, read: (/** @type {Record<string, any>} */ { achieved }) => achieved
    }]
    return {
      title: `${title} per second by load`,
      axis: rate,
      curves,
      range: [0, most],
      log: false,
      ticks: evenTicks(most, 5),
      limits: limitsOf(search, 'requests/s'),
      format: formatRate
    }
  }
  const curves = [
    {
      name: 'line',
      label: 'sent',
      read: (/** @type {Record<string, any>} */ { achieved, value }) => Math.min(1.1, achieved / value)
    },
    failed
  ]
  return {
    title: `${title} sent and failed by load`,
    axis: 'Share of the load',
    curves,
    range: [0, 1.1],
    log: false,
    ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
    limits: limitsOf(search, 'share'),
    format: formatPercent
  }
}

/** @param {number} value @returns {string} without trailing zeros */
function shortMs (value) {
  return formatLatency(value).replace(/\.0+(?= )|(\.\d*[1-9])0+(?= )/, '$1')
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number} most their greatest number
 * @returns {number[]} 1, 2 and 5 of each decade; fewer in a wide range
 */
function logTicks (low, high, most) {
  for (const factors of [[1, 2, 5], [1, 3], [1]]) {
    const ticks = []
    for (let decade = 10 ** Math.floor(Math.log10(low)); decade <= high; decade *= 10) {
      ticks.push(...factors.map(factor => Number((decade * factor).toPrecision(3))))
    }
    const inside = ticks.filter(tick => tick >= low && tick <= high)
    if (inside.length <= most || factors.length === 1) return inside
  }
  return []
}

/**
 * @param {number} end
 * @param {number} most the greatest number of steps
 * @returns {number[]} multiples of 1, 2 or 5 times a power of ten, from 0 on
 */
function evenTicks (end, most) {
  const decade = 10 ** Math.floor(Math.log10(end / most))
  const step = decade * (/** @type {number} */ ([1, 2, 5, 10].find(factor => end / (decade * factor) <= most)))
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)))
}

/**
 * @param {string[]} texts at their places
 * @param {number[]} places the middles of the texts, rising
 * @returns {boolean[]} whether each of them has room
 */
function roomFor (texts, places) {
  let end = -Infinity
  return texts.map((text, i) => {
    const half = text.length * CHARACTER / 2
    if (places[i] - half < end || places[i] + half > WIDTH) return false
    end = places[i] + half + CHARACTER
    return true
  })
}

/** @param {Search} search @param {Array<Record<string, any>>} steps @param {Panel} panel */
function chart (search, steps, { title, axis, curves, range: [low, high], log, ticks, limits, format }) {
  const loads = steps.map(({ value }) => value)
  const [least, most] = [Math.min(...loads), Math.max(...loads)]
  /** @param {number} load */
  const x = load => round(LEFT + Math.log(load / least) / Math.log(most / least) * (WIDTH - LEFT - RIGHT))
  /** @param {number} value */
  const shareOf = value => log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low)
  /** @param {number} value */
  const y = value => round(HEIGHT - BOTTOM - shareOf(value) * (HEIGHT - TOP - BOTTOM))
  const round10 = logTicks(least, most, 12)
  // A range without round loads is labelled at its ends.
  const candidates = round10.length > 1 ? round10 : [least, most]
  const words = candidates.map(load => formatLoad(search, load, false))
  const fits = roomFor(words, candidates.map(x))
  const shown = limits.filter(({ limit }) => limit > low && limit < high)
  const description = `${title}: ${curves.map(({ label }) => label).join(' and ')} ` +
    `from ${formatLoad(search, least, false)} to ${formatLoad(search, most)}; ` +
    'a full point was not held; the table below has all of it'
  const legend = [
    ...curves.map(({ name, label }) => html`${swatch(name)}${label}`),
    ...shown.length > 0 ? [html`${swatch('limit')}threshold`] : [],
    ...search.best !== null
      ? [html`${swatch('best')}highest load held: ${formatLoad(search, search.best, false)}`]
      : [],
    html`${swatch('', 'held')}held`,
    html`${swatch('', 'full')}not held`
  ].map(entry => html`<span>${entry}</span>`)
  const across = (/** @type {number} */ value) => `M${LEFT} ${y(value)}H${WIDTH - RIGHT}`
  const upwards = (/** @type {number} */ load) => `M${x(load)} ${TOP}V${HEIGHT - BOTTOM}`
  const atTick = (/** @type {number} */ tick) => [
    html`<path class="grid" d="${across(tick)}"/>`,
    html`<text x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${format(tick)}</text>`
  ]
  const atLoad = (/** @type {number} */ load, /** @type {number} */ i) => [
    html`<path class="grid" d="${upwards(load)}"/>`,
    fits[i] && html`<text x="${x(load)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${words[i]}</text>`
  ]
  const atLimit = (/** @type {typeof shown[number]} */ { expression, limit }) => [
    html`<path class="limit" d="${across(limit)}"><title>threshold: ${expression}</title></path>`,
    html`<text class="limit" x="${LEFT + 6}" y="${y(limit) - 5}">${expression}</text>`
  ]
  const atBest = (/** @type {number} */ load) => {
    const words = html`<title>${formatLoad(search, load)}: the highest that was held</title>`
    return html`<path class="best" d="${upwards(load)}">${words}</path>`
  }
  const curve = (/** @type {Panel['curves'][number]} */ { name, label, read }) => {
    const points = steps
      .map(step => ({ step, value: Number(read(step) ?? NaN) }))
      .filter(({ value }) => !Number.isNaN(value) && (!log || value > 0))
    const line = points.map(({ step, value }, i) => `${i === 0 ? 'M' : 'L'}${x(step.value)} ${y(value)}`).join('')
    const dots = points.map(({ step, value }) => {
      const isHeld = step.outcome === 'held'
      const words = `${formatLoad(search, step.value)}: ${label} ${format(value)}${isHeld ? '' : ', not held'}`
      const place = html`cx="${x(step.value)}" cy="${y(value)}" r="3.5"`
      return html`<circle class="${name}${!isHeld && ' full'}" ${place}><title>${words}</title></circle>`
    })
    return html`<path class="${name}" d="${line}"/>
${dots}`
  }
  return html`<figure><figcaption><h3>${title}</h3><div class="legend">${legend}</div></figcaption>
<div class="scroll plain"><svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${description}">
<text class="axis" x="4" y="14">${axis}</text>
<text class="axis" x="${WIDTH - RIGHT}" y="${HEIGHT - 6}" text-anchor="end">Load, ${loadUnit(search)}, log scale</text>
${ticks.map(atTick)}
${candidates.map(atLoad)}
${shown.map(atLimit)}
${search.best !== null && atBest(search.best)}
${curves.map(curve)}
</svg></div></figure>`
}

/**
 * @param {string} name of the line
 * @param {'' | 'held' | 'full'} [point] instead of a line
 * @returns {import('./escape').Markup} its symbol in the legend
 */
function swatch (name, point = '') {
  const drawn = point === ''
    ? html`<path class="${name}" d="M0 5h30"/>`
    : html`<circle class="point ${point}" cx="5" cy="5" r="3.5"/>`
  return html`<svg class="curve swatch" viewBox="0 0 ${point === '' ? 30 : 10} 10" aria-hidden="true">${drawn}</svg>`
}

/** @param {number} pixels */
function round (pixels) {
  return Math.round(pixels * 10) / 10
}

module.exports = { searchSection }
