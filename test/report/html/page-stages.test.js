'use strict'

// The page of a load that changes over time: what it was to be beside what it was, and where its stages are.

const t = require('tap')
const { lacksBrowser, launch, open } = require('../../helpers/pages/browser')
const { exampleResult } = require('../../helpers/results/example-result')
const { stagedResult } = require('../../helpers/results/staged-result')
const { pagesOf, dataOf, tableOf } = require('../../helpers/pages/page')

if (lacksBrowser(t)) return

const written = pagesOf(t)
t.before(async () => { /** @type {any} */ (t).browser = await launch(t) })
const browser = () => /** @type {any} */ (t).browser

const rates = stagedResult({ stages: ['0s:100 req/s', '3s:100 req/s', 'peak=4s:700/s', '0s:100 req/s', '3s:100 req/s'] })
const connections = stagedResult({ stages: ['3s:20', '0s:50', '3s:50', '2s:5'], connections: undefined })

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
const chartsOf = page => page.locator('[data-chart]').evaluateAll(charts => charts.map(chart => chart.getAttribute('data-chart') ?? ''))

t.test('the target is a thin line behind the requests per second', async t => {
  const { page, complaints } = await open(browser(), written(rates))
  t.strictSame(await chartsOf(page), ['rate', 'latency', 'generator', 'histogram', 'percentiles'])
  const [, target, achieved] = await dataOf(page, 'rate')
  t.strictSame(target, rates.series.map(({ target }) => target))
  t.strictSame(achieved, rates.series.map(({ requests }) => requests))
  const lines = await page.evaluate(() => /** @type {any} */ (document.querySelector('[data-chart=rate]')).plot.series.slice(1).map((/** @type {any} */ { label, width }) => [label, width]))
  t.strictSame(lines, [['Target', 1], ['Req/s', 2]])
  t.strictSame((await tableOf(page, 'rate'))[6], ['5', '475 req/s', '400 req/s'])
  t.strictSame(complaints, [])
})

t.test('connections that change have a chart of their own', async t => {
  const { page, complaints } = await open(browser(), written(connections))
  t.strictSame((await chartsOf(page)).slice(0, 2), ['rate', 'connections'])
  t.strictSame((await dataOf(page, 'rate')).length, 2, 'no target in the other one')
  const [, target, there] = await dataOf(page, 'connections')
  t.strictSame([target[5], there[5]], [50, 50])
  t.ok(there.every((/** @type {number} */ open, /** @type {number} */ i) => Math.abs(open - target[i]) <= 1), `${there} of ${target}`)
  t.strictSame(complaints, [])
})

t.test('each stage has a row, and its name and its beginning are in every chart over time', async t => {
  const context = await browser().newContext({ viewport: { width: 1200, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const { CanvasRenderingContext2D: { prototype } } = /** @type {any} */ (window)
    const { fillText } = prototype
    /** @type {string[]} */
    const drawn = /** @type {any} */ (window).drawn = []
    prototype.fillText = function (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) {
      drawn.push(`${this.canvas.closest('[data-chart]')?.getAttribute('data-chart')}: ${text}`)
      return fillText.call(this, text, x, y)
    }
  })
  await page.goto(written(rates))
  const drawn = await page.evaluate(() => /** @type {any} */ (window).drawn)
  for (const id of ['rate', 'latency', 'generator']) for (const name of ['1', '2 peak', '3']) t.ok(drawn.includes(`${id}: ${name}`), `${id}: ${name}`)
  t.notOk(drawn.includes('histogram: 2 peak'))
  const rows = await page.evaluate(() => [...document.querySelectorAll('[aria-labelledby=stages] tbody tr')].map(row => [...row.children].map(cell => cell.textContent)))
  t.strictSame(rows.map(([name, when, target, achieved]) => [name, when, target, achieved]), [
    ['1', '0 s – 3 s', '100 req/s', '100 req/s'], ['2 peak', '3 s – 7 s', '100 → 700 req/s', '337 req/s'], ['3', '7 s – 10 s', '100 req/s', '185 req/s']
  ])
  t.equal(await page.locator('.missed').textContent(), '337 req/s')
  t.match(await page.locator('.facts').textContent(), '100 to 700 req/s in 3 stages')
  await context.close()
})

t.test('a baseline without stages, and a run without them beside one that has some, are drawn', async t => {
  for (const [result, baseline] of [[rates, exampleResult()], [exampleResult(), rates], [rates, rates]]) {
    const { complaints, page } = await open(browser(), written(result, baseline))
    t.strictSame(complaints, [])
    t.equal((await dataOf(page, 'rate')).length, result === rates ? 5 : 3)
  }
})
