'use strict'

// The charts of the page: what is drawn where, and how one line is told from another.

const t = require('tap')
const { formatResult } = require('../../..')
const { lacksBrowser, launch, open } = require('../../helpers/pages/browser')
const { exampleResult } = require('../../helpers/results/example-result')
const { pagesOf, dataOf, tableOf } = require('../../helpers/pages/page')
const { formatLatency } = require('../../../lib/core/units')

if (lacksBrowser(t)) return

const written = pagesOf(t)

t.before(async () => { /** @type {any} */ (t).browser = await launch(t) })

/** @returns {import('playwright-core').Browser} */
const browser = () => /** @type {any} */ (t).browser

/** @typedef {import('playwright-core').Page} Page */

/**
 * @param {Page} page
 * @param {string} id of a chart
 */
const axesOf = (page, id) => page.evaluate(id => {
  const { plot } = /** @type {any} */ (document.querySelector(`[data-chart=${id}]`))
  return { x: [plot.scales.x.min, plot.scales.x.max], xTicks: plot.axes[0]._values, yTicks: plot.axes[1]._values.filter(Boolean) }
}, id)

/**
 * @param {Page} page
 * @param {string} id of a chart
 * @returns {Promise<Array<{ label: string, dash: string, width: number }>>} how its lines are drawn
 */
const linesOf = (page, id) => page.evaluate(id => {
  const { plot } = /** @type {any} */ (document.querySelector(`[data-chart=${id}]`))
  return plot.series.slice(1).map((/** @type {any} */ { label, dash, width }) => ({ label, dash: (dash ?? []).join(' '), width }))
}, id)

/**
 * @param {Page} page
 * @param {string} id of a chart
 * @returns {Promise<number>} the least room between two labels of its x axis, px
 */
const roomOf = (page, id) => page.evaluate(id => {
  const { plot } = /** @type {any} */ (document.querySelector(`[data-chart=${id}]`))
  const { _splits: places, _values: words } = plot.axes[0]
  const labels = places.map((/** @type {number} */ place, /** @type {number} */ i) => ({ at: plot.valToPos(place, 'x'), half: /** @type {any} */ (window).drawing.widthOf([words[i]]) / 2 })).filter((/** @type {any} */ { half }) => half > 0)
  return Math.min(...labels.slice(1).map((/** @type {any} */ { at, half }, /** @type {number} */ i) => at - half - labels[i].at - labels[i].half))
}, id)

/** Keeps what is drawn into the canvases of a page. */
function spy () {
  const { Path2D, devicePixelRatio, CanvasRenderingContext2D: { prototype } } = /** @type {any} */ (window)
  const { fillText, fill } = prototype
  /** @type {any[]} */
  const drawn = /** @type {any} */ (window).drawn = []
  prototype.fillText = function (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) {
    const { a, e, f } = this.getTransform()
    if (this.textAlign === 'left') drawn.push({ canvas: this.canvas, text, x: x * a / devicePixelRatio + e, y: y * a / devicePixelRatio + f, width: this.measureText(text).width })
    return fillText.call(this, text, x, y)
  }
  prototype.fill = function (/** @type {unknown[]} */ ...path) {
    if (path[0] instanceof Path2D && this.lineWidth === 1.5) drawn.push({ canvas: this.canvas })
    return fill.apply(this, path)
  }
}

/**
 * @param {string} url
 * @param {Parameters<typeof open>[2]} [options]
 * @returns {Promise<{ page: Page, textsOf: (id: string) => Promise<any[]>, markersOf: (id: string) => Promise<number> }>} the page,
 *   the text that was drawn into a chart beside its axes, in px, and how many markers
 */
async function openSpied (url, options) {
  const { page } = await open(browser(), url, { ...options, begin: spy })
  /** @param {string} id */
  const drawnIn = id => page.evaluate(id => /** @type {any} */ (window).drawn
    .filter((/** @type {any} */ { canvas }) => canvas.closest('[data-chart]')?.getAttribute('data-chart') === id)
    .map((/** @type {any} */ { canvas, ...drawn }) => drawn), id)
  return {
    page,
    textsOf: async id => (await drawnIn(id)).filter((/** @type {any} */ { text }) => text !== undefined),
    markersOf: async id => (await drawnIn(id)).filter((/** @type {any} */ { text }) => text === undefined).length
  }
}

t.test('a time axis goes over the whole run, whatever is missing', async t => {
  const whole = exampleResult()
  for (const [name, series] of /** @type {Array<[string, any[]]>} */ ([
    ['all points', whole.series], ['none at the start', whole.series.slice(4)], ['none at the end', whole.series.slice(0, 3)], ['one', whole.series.slice(5, 6)]
  ])) {
    const { page, complaints } = await open(browser(), written({ ...whole, series }))
    for (const id of ['rate', 'latency', 'errors', 'generator']) t.strictSame((await axesOf(page, id)).x, [0, 10], `${name}: ${id}`)
    t.strictSame((await dataOf(page, 'rate'))[0], series.map(({ time }) => time / 1000 + 0.5), `${name}: each in the middle of what it covers`)
    t.strictSame((await axesOf(page, 'rate')).xTicks, ['0 s', '2 s', '4 s', '6 s', '8 s', '10 s'])
    t.strictSame(complaints, [])
  }
  const { page } = await open(browser(), written(exampleResult({ seconds: 3 }), whole))
  t.strictSame((await axesOf(page, 'rate')).x, [0, 10], 'the longer one of two')
  const { page: short } = await open(browser(), written({ ...exampleResult({ seconds: 1 }), duration: 0.04, series: [{ ...whole.series[0], length: 40 }] }))
  t.strictSame((await axesOf(short, 'rate')).x, [0, 0.04])
  t.strictSame((await dataOf(short, 'rate'))[0], [0.02])
  const { page: long } = await open(browser(), written({ ...whole, duration: 5400, series: whole.series.map(point => ({ ...point, time: point.time * 540, length: 540_000 })) }))
  t.strictSame((await axesOf(long, 'rate')).xTicks, ['0 min', '15 min', '30 min', '45 min', '60 min', '75 min', '90 min'])
})

t.test('where points are missing, the line has a gap, and a point between two gaps is seen', async t => {
  const whole = exampleResult({ bad: 0 })
  const { page } = await open(browser(), written({ ...whole, series: [...whole.series.slice(0, 2), whole.series[5], ...whole.series.slice(8)] }))
  const [x, rate] = await dataOf(page, 'rate')
  t.strictSame(x, [0.5, 1.5, 2.5, 5.5, 6.5, 8.5, 9.5])
  t.strictSame([rate[2], rate[4]], [null, null])
  t.equal((await tableOf(page, 'rate')).length, 1 + 5, 'the table has what there is')
  const found = await page.evaluate(() => {
    const { plot } = /** @type {any} */ (document.querySelector('[data-chart=rate]'))
    const [x, y] = [plot.valToPos(5.5, 'x', true), plot.valToPos(plot.data[1][3], 'y', true)].map(Math.round)
    return [...plot.ctx.getImageData(x, y, 1, 1).data].join()
  })
  t.equal(found, '37,99,201,255')
})

t.test('lines can be told apart without colour: by dash, marker and a name beside each that is short', async t => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const { page, textsOf, markersOf } = await openSpied(written(exampleResult()), { colorScheme })
    for (const [id, names] of /** @type {const} */ ([['latency', ['p50', 'p95', 'p99']], ['errors', ['Errors', 'Not 2xx']], ['generator', ['Event loop', 'CPU', 'CPU wait or blocked']]])) {
      const dashes = (await linesOf(page, id)).map(({ dash }) => dash)
      t.equal(new Set(dashes).size, names.length, `${id}: a dash each: ${dashes.join(', ')}`)
      const shapes = await page.locator(`[data-chart=${id}] .legend svg`).evaluateAll(swatches => swatches.map(swatch => swatch.lastElementChild?.outerHTML.replace(/ (xmlns|style)="[^"]*"/g, '')))
      t.equal(new Set(shapes).size, names.length, `${id}: a marker each`)
      const ends = await page.evaluate(id => {
        const { plot } = /** @type {any} */ (document.querySelector(`[data-chart=${id}]`))
        const last = plot.data[0].length - 1
        return plot.data.slice(1).map((/** @type {any} */ column) => [plot.valToPos(plot.data[0][last], 'x', true), plot.valToPos(column[last], 'y', true)].map(at => at / window.devicePixelRatio))
      }, id)
      const texts = (await textsOf(id)).filter((/** @type {any} */ { text }) => names.includes(/** @type {never} */ (text)))
      const short = names.filter(name => name.length <= 12)
      t.strictSame(new Set(texts.map((/** @type {any} */ { text }) => text)), new Set(short))
      const latest = short.map(name => texts.findLast((/** @type {any} */ { text }) => text === name))
      latest.forEach(({ text, x, y, width }, i) => {
        t.ok(x > ends[i][0] && x - ends[i][0] < 20 && Math.abs(y - ends[i][1]) < 40, `${text} stands at the end of its line`)
        t.ok(x + width <= 490, `${text} is not cut`)
      })
      const heights = latest.map(({ y }) => y).sort((a, b) => a - b)
      t.ok(heights.every((y, i) => i === 0 || y - heights[i - 1] >= 14.9), `${id}: no name on another`)
    }
    t.ok(await markersOf('latency') >= 30, 'each point has its marker')
  }
})

t.test('a long name beside a line does not take the width of the plot', async t => {
  for (const width of [400, 1280]) {
    const { page } = await open(browser(), written(exampleResult()), { viewport: { width, height: 900 } })
    const { clientWidth: shown, offsetWidth: whole } = await page.evaluate(() => {
      const { plot } = /** @type {any} */ (document.querySelector('[data-chart=generator]'))
      return { clientWidth: plot.over.clientWidth, offsetWidth: plot.width }
    })
    t.ok(shown >= 0.55 * whole, `${shown} of ${whole} px`)
  }
})

t.test('the page says why the CPU of an even pace is high, and only of such a run', async t => {
  const result = exampleResult()
  const words = 'The CPU is high because the load generator polls the clock to keep an even pace.'
  const rate = { target: 100, achieved: 100, ratio: 1, sent: 100, late: 0, unsent: 0 }
  for (const [one, isSaid] of /** @type {const} */ ([[result, false], [{ ...result, rate: { ...rate, pace: 'even' } }, true], [{ ...result, rate: { ...rate, pace: 'batched' } }, false]])) {
    t.equal(formatResult(/** @type {any} */ (one), 'html').includes(words), isSaid)
  }
})

t.test('the lines of a baseline are dotted, thinner, and named', async t => {
  const { page, textsOf } = await openSpied(written(exampleResult(), exampleResult({ seed: 2 })))
  for (const id of ['rate', 'latency', 'errors', 'generator', 'percentiles']) {
    const lines = await linesOf(page, id)
    const [ours, theirs] = [lines.slice(0, lines.length / 2), lines.slice(lines.length / 2)]
    t.ok(theirs.every(({ dash, width }) => dash === '2 4' && width < ours[0].width), id)
    t.notOk(ours.some(({ dash }) => dash === '2 4'))
  }
  for (const id of ['rate', 'percentiles']) t.strictSame(new Set((await textsOf(id)).map(({ text }) => text)), new Set(['this run', 'baseline']))
})

t.test('in a run of many points some points have markers', async t => {
  const { markersOf } = await openSpied(written(exampleResult({ seconds: 1500, perSecond: 2 })))
  const count = await markersOf('rate')
  t.ok(count > 5 && count < 80, `${count} markers`)
})

t.test('p50 and p99 are marked where they are in the histogram, with their units', async t => {
  for (const result of [exampleResult(), exampleResult({ ms: 0.05, bad: 0 }), exampleResult({ seed: 3, ms: 800, bad: 0.04 }), exampleResult({ seconds: 1, perSecond: 1, bad: 0 })]) {
    const { page, textsOf } = await openSpied(written(result, exampleResult({ seed: 2, ms: 6 })))
    const { p50, p99 } = result.latency
    const texts = await textsOf('histogram')
    const labels = [p50, p99].map((value, i) => texts.findLast((/** @type {any} */ { text }) => text.startsWith(i === 0 ? 'p50 ' : 'p99 ')))
    for (const [i, value] of [p50, p99].entries()) {
      const { text, x, width } = labels[i]
      t.equal(text, `${i === 0 ? 'p50' : 'p99'} ${formatLatency(value)}`)
      const at = await page.evaluate(value => {
        const { plot } = /** @type {any} */ (document.querySelector('[data-chart=histogram]'))
        const { edges } = JSON.parse(document.getElementById('charts')?.textContent ?? '').find((/** @type {any} */ { id }) => id === 'histogram')
        // A histogram rounds its values to three digits.
        const bin = Math.max(0, edges.findIndex((/** @type {number} */ edge, /** @type {number} */ i) => edge <= value && value < edges[i + 1]))
        const place = plot.valToPos(Math.max(-0.5, bin + (value - edges[bin]) / (edges[bin + 1] - edges[bin]) - 0.5), 'x', true)
        const row = plot.ctx.getImageData(Math.round(place) - 3, plot.bbox.top - 3, 7, 1).data
        return { place: place / window.devicePixelRatio, darkest: Math.min(...Array.from({ length: 7 }, (_, i) => row[4 * i])), bin }
      }, value)
      t.ok(at.darkest < 130, `a line at ${value} ms`)
      t.ok(Math.abs(at.place - x) < 6 || Math.abs(at.place - x - width) < 6, `${text} stands at its line`)
      t.ok(x >= 0 && x + width <= 500, `${text} is not cut`)
    }
    t.ok(labels[1].y - labels[0].y >= 14.9, 'one above the other')
    t.match(await page.getAttribute('[data-chart=histogram] .plot', 'aria-label'), `p50 ${formatLatency(p50)}, p99 ${formatLatency(p99)}`)
    const { xTicks, yTicks } = await axesOf(page, 'histogram')
    t.ok([...xTicks].every(tick => tick.endsWith(' ms')) && yTicks.every((/** @type {string} */ tick) => tick.endsWith(' %')), 'the axes have units')
  }
})

t.test('labels of the x axis have room beside each other, however narrow the page is', async t => {
  const result = exampleResult()
  for (const width of [360, 620, 900, 1400]) {
    const { page } = await open(browser(), written(result), { viewport: { width, height: 900 } })
    for (const id of ['histogram', 'percentiles']) t.ok(await roomOf(page, id) >= 12, `${id} at ${width} px: ${await roomOf(page, id)} px`)
  }
})

t.test('thresholds are lines with their names on the chart of their figure, or names at its edge', async t => {
  const result = exampleResult({ seconds: 4 })
  const most = Math.max(...result.series.map(({ p99 }) => p99))
  const rate = Math.max(...result.series.map(({ requests, length }) => requests / length * 1000))
  const judged = (/** @type {string} */ metric, /** @type {number} */ limit, /** @type {object} */ more = {}) => ({ expression: `${metric} ${metric === 'rps' ? '>' : '<'} ${limit}${metric === 'rps' ? '' : 'ms'}`, metric, actual: 1, unit: metric === 'rps' ? 'requests/s' : 'ms', passed: true, ...more })
  const near = judged('p99', Math.round(most * 2))
  const far = judged('p95', Math.round(most * 100))
  const thresholds = [near, far, judged('rps', Math.round(rate * 3)), judged('ttfb p99', 10), judged('p99', 11, { request: 'login' }), judged('p99', 12, { group: 'buy' }), { ...judged('p99', 5), expression: 'of another version', metric: 'p99' }]
  const { page } = await open(browser(), written({ ...result, thresholds }))
  const [latency, requests] = await page.evaluate(() => ['latency', 'rate'].map(id => {
    const { plot } = /** @type {any} */ (document.querySelector(`[data-chart=${id}]`))
    return { y: plot.scales.y.max, legend: document.querySelector(`[data-chart=${id}] .legend`)?.textContent }
  }))
  t.ok(latency.y > most * 2 && latency.y < most * 100, 'what is far away does not flatten the lines')
  t.ok(requests.y > rate * 3)
  t.match([latency.legend, requests.legend], [/Threshold/, /Threshold/])
  const charts = await page.evaluate(() => JSON.parse(/** @type {any} */ (document.querySelector('#charts')).textContent))
  t.strictSame(Object.fromEntries(charts.filter((/** @type {any} */ { limits }) => limits !== undefined).map((/** @type {any} */ { id, limits }) => [id, limits.map((/** @type {any} */ { label }) => label)])),
    { rate: [thresholds[2].expression], latency: [near.expression, far.expression] }, 'those on a named request or another figure are on no chart')
  t.match(await page.getAttribute('[data-chart=latency] .plot', 'aria-label'), `threshold ${near.expression}`)
})

t.test('a heat map of gaps has a cell where there are some, and the keys read its columns', async t => {
  const whole = exampleResult()
  const gap = { p50: 20, p95: 21, p99: 40, max: 45, buckets: [[20, 90], [30, 4]] }
  const series = whole.series.map((/** @type {any} */ point, /** @type {number} */ i) =>
    ({ ...point, streams: { events: 100, stalls: 0, firstEvent: null, gap: i === 3 ? null : gap } }))
  const { page, complaints } = await open(browser(), written({ ...whole, series }))
  const figure = page.locator('[data-chart=gap-map]')
  t.equal(await figure.locator('h3').textContent(), 'Gap between events: heat map, ms, log scale')
  t.strictSame(complaints, [])
  const shades = await page.evaluate(() => {
    const { plot } = /** @type {any} */ (document.querySelector('[data-chart=gap-map]'))
    return [[2.5, 25], [2.5, 40], [3.5, 25]].map(([s, ms]) => {
      const [x, y] = [plot.valToPos(s, 'x', true), plot.valToPos(ms, 'y', true)].map(Math.round)
      return plot.ctx.getImageData(x, y, 1, 1).data[3]
    })
  })
  t.equal(shades[0], 255, 'the fullest')
  t.ok(shades[1] > 50 && shades[1] < 200, 'one with fewer is paler')
  t.equal(shades[2], 0, 'nothing where there is none')
  t.strictSame((await axesOf(page, 'gap-map')).yTicks, ['20 ms', '50 ms'], 'also where the lowest row begins at 15 ms')
  await figure.locator('.plot').focus()
  await page.keyboard.press('End')
  t.equal(await page.locator('p[role=status]').last().textContent(), '9 s: 20 – 30 ms: 90, 30 – 50 ms: 4')
  t.equal(await figure.locator('.legend b').textContent(), '20 – 30 ms: 90')
  t.match(await figure.locator('.legend').textContent(), /^1\s+90 values/)
  t.strictSame((await tableOf(page, 'gap-map')).slice(0, 2), [['Second', 'Values', 'Values by length'], ['0', '94', '20 – 30 ms: 90, 30 – 50 ms: 4']])
})

t.test('numbers at an axis are written as everywhere else, and a log scale is named', async t => {
  const result = exampleResult({ seconds: 4 })
  const series = result.series.map((point, i) => ({ ...point, length: 1000, requests: 7000 + i * 2000, p50: 0.5, p99: 400 }))
  const { page } = await open(browser(), written({ ...result, series }))
  const { yTicks } = await axesOf(page, 'rate')
  for (const tick of yTicks) t.match(tick, /^\d{1,3}(,\d{3})* req\/s$/)
  t.ok(yTicks.includes('10,000 req/s'), String(yTicks))
  t.equal(await page.textContent('[data-chart=latency] h3'), 'Latency, ms, log scale')
})
