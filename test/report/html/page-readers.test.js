'use strict'

// The page on a phone, by the keyboard, with a screen reader, or in other colours.

const t = require('tap')
const { lacksBrowser, launch, open } = require('../../helpers/pages/browser')
const { exampleResult, VERDICTS, exampleIterations } = require('../../helpers/results/example-result')
const { pagesOf } = require('../../helpers/pages/page')

if (lacksBrowser(t)) return

const written = pagesOf(t)

t.before(async () => { /** @type {any} */ (t).browser = await launch(t) })

/** @returns {import('playwright-core').Browser} */
const browser = () => /** @type {any} */ (t).browser

t.test('nothing moves when values are read out', async t => {
  const url = written(exampleResult(), exampleResult({ seed: 2, ms: 300, perSecond: 30 }))
  for (const width of [1200, 400]) {
    const { page } = await open(browser(), url, { viewport: { width, height: 900 } })
    const places = () => page.evaluate(() => [...document.querySelectorAll('body *')]
      .filter(element => !element.closest('.u-over, .u-legend, script, .probe, [role=status], .legend b, .at'))
      .map(element => Object.values(element.getBoundingClientRect().toJSON()).map(Math.round).join()).join('\n'))
    for (const id of ['rate', 'latency', 'errors', 'generator', 'histogram', 'percentiles']) {
      const plot = page.locator(`[data-chart=${id}] .u-over`)
      await plot.scrollIntoViewIfNeeded()
      const before = await places()
      const { x, y, width: across } = /** @type {any} */ (await plot.boundingBox())
      for (const part of [0.02, 0.4, 0.99]) {
        await page.mouse.move(x + across * part, y + 50)
        t.not(await page.textContent(`[data-chart=${id}] .at`), '')
        t.equal(await places(), before, `${width} px, ${id}, ${part}`)
      }
      await page.mouse.move(x + across / 2, y - 200)
    }
  }
})

t.test('who can not see a chart is told what the arrow keys read', async t => {
  const { page } = await open(browser(), written(exampleResult({ bad: 0 })))
  await page.locator('[data-chart=latency] .plot').focus()
  await page.keyboard.press('ArrowRight')
  t.match(await page.textContent('[role=status]'), /^0 s: p50 \S+ ms, p95 \S+ ms, p99 \S+ ms$/)
  await page.keyboard.press('ArrowRight')
  t.match(await page.textContent('[role=status]'), /^1 s: /)
})

t.test('lines, words and marks stand out against what is behind them', async t => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const { page } = await open(browser(), written(exampleResult({ seconds: 1 })), { colorScheme })
    const ratios = await page.evaluate(() => {
      const style = window.getComputedStyle(document.documentElement)
      /** @param {string} name */
      const luminance = name => {
        const hex = style.getPropertyValue(name).trim().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
        const [r, g, b] = [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16) / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      /** @param {string} a @param {string} b */
      const contrast = (a, b) => { const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y); return (high + 0.05) / (low + 0.05) }
      return {
        lines: ['--line', '--quiet', '--p50', '--p95', '--p99', '--bad', '--warning'].map(name => ({ name, ratio: contrast(name, '--card') })),
        words: ['--ink', '--soft', '--good', '--bad', '--warning'].map(name => ({ name, ratio: contrast(name, '--card') }))
      }
    })
    for (const { name, ratio } of ratios.lines) t.ok(ratio >= 3, `${colorScheme} ${name}: ${ratio.toFixed(2)}`)
    for (const { name, ratio } of ratios.words) t.ok(ratio >= 4.5, `${colorScheme} ${name}: ${ratio.toFixed(2)}`)
  }
})

t.test('where the system has its own colours, the charts have them', async t => {
  const { page } = await open(browser(), written(exampleResult({ bad: 0 })), { forcedColors: 'active', colorScheme: 'dark' })
  const [line, ink] = await page.evaluate(() => {
    const { plot } = /** @type {any} */ (document.querySelector('[data-chart=rate]'))
    const at = [plot.valToPos(plot.data[0][2], 'x', true), plot.valToPos(plot.data[1][2], 'y', true)].map(Math.round)
    return [`rgb(${[...plot.ctx.getImageData(at[0], at[1], 1, 1).data].slice(0, 3).join(', ')})`, window.getComputedStyle(document.body).color]
  })
  t.equal(line, ink)
  t.notOk(await page.locator('#theme').isVisible(), 'and the page has none to choose from')
})

t.test('at 400 px no table and no chart is cut', async t => {
  const long = 'x'.repeat(200)
  const [requests, checks] = [
    { ...VERDICTS.byRequest, [`GET /${long}`]: VERDICTS.byRequest.login },
    [...VERDICTS.checks, { name: long, request: long, passed: 1_000_000, failed: 3, reasons: { [long]: 3 }, samples: {} }]
  ]
  const metrics = ['rps', 'p99.9', 'error rate'].map(metric => ({ metric, unit: 'ms', base: 12345.6, new: 23456.7, difference: 0.9, low: -0.123, high: 1.234, verdict: 'worse' }))
  const result = exampleResult({
    ...VERDICTS,
    checks,
    byRequest: requests,
    perSecond: 4000,
    seconds: 3,
    ms: 700,
    thresholds: [...VERDICTS.thresholds, { expression: `${long}: p99 < 1ms`, actual: 123456.7, passed: false, unit: 'ms' }],
    errorCodes: { AC_TIMEOUT: 1_000_000, [long]: 1 },
    comparison: { confidence: 0.95, metrics, notes: [long], limits: [{ expression: `${long} +1%`, passed: false, reason: long }] }
  })
  const url = written(result, exampleResult({ seed: 2, perSecond: 3000, ms: 900 }))
  for (const width of [400, 360, 768, 1280]) {
    const { page } = await open(browser(), url, { viewport: { width, height: 800 } })
    await page.evaluate(() => { for (const details of document.querySelectorAll('details')) details.open = true })
    const cut = await page.evaluate(() => [...document.querySelectorAll('.scroll, .plot, .tiles, .command, pre, figcaption, .notes')]
      .filter(element => element.scrollWidth > element.clientWidth || element.getBoundingClientRect().right > window.innerWidth)
      .map(element => `${element.className} ${element.getAttribute('aria-label')} ${element.scrollWidth} > ${element.clientWidth}`))
    t.strictSame(cut, [], `${width} px`)
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
  }
})

t.test('the widest tables are whole at 1,024 and 1,280 px', async t => {
  const users = exampleIterations({ rate: 130 })
  const [one] = Object.values(users.byScenario)
  const much = { ...one, started: 12_345, completed: 12_345, cut: 123, unfinished: 12, due: 12_345, waited: 123, neverStarted: 12, target: 123, achieved: 123, wait: users.iterations.wait }
  const url = written({ ...exampleResult(), ...users, byScenario: { 'browse the whole catalogue': much, checkout: much } })
  for (const width of [1024, 1280]) {
    const { page } = await open(browser(), url, { viewport: { width, height: 800 } })
    t.ok(await page.locator('[aria-labelledby=scenarios] th').count() >= 14)
    t.strictSame(await page.evaluate(() => [...document.querySelectorAll('.scroll')].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(element => element.getAttribute('aria-label'))), [], `${width} px`)
  }
})

t.test('a table that became blocks on a small screen is a table to screen readers, and each value has its name', async t => {
  const { page } = await open(browser(), written(exampleResult(VERDICTS)), { viewport: { width: 400, height: 800 } })
  const table = page.locator('[aria-label="Latency and its parts"]')
  t.equal(await table.getByRole('columnheader').count(), 11)
  t.equal(await table.getByRole('row').count(), 4)
  t.strictSame(await table.locator('tbody tr').first().locator('td').evaluateAll(cells => cells.slice(1).map(cell => window.getComputedStyle(cell, '::before').content)),
    ['Avg', 'Stdev', 'Min', 'p50', 'p75', 'p90', 'p95', 'p99', 'p99.9', 'Max'].map(name => `"${name}"`))
})
