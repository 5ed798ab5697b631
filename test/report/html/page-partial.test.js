'use strict'

// The page of a result that has less than others, or more: of autocannon 9 and older versions, of runs without an answer, of very
// short and very long ones. It shows what was measured and invents nothing.

const t = require('tap')
const { lacksBrowser, launch, open } = require('../../helpers/pages/browser')
const { exampleResult } = require('../../helpers/results/example-result')
const { pagesOf, dataOf } = require('../../helpers/pages/page')

if (lacksBrowser(t)) return

const NINE = require('../../fixtures/results/autocannon-9.json')

const written = pagesOf(t)

t.before(async () => { /** @type {any} */ (t).browser = await launch(t) })

/** @returns {import('playwright-core').Browser} */
const browser = () => /** @type {any} */ (t).browser

t.test('a result of autocannon 9 becomes a page that shows what it has and invents nothing', async t => {
  const { page, complaints, requests } = await open(browser(), written(NINE))
  t.strictSame(complaints, [])
  t.strictSame(requests, [page.url()])
  const text = await page.locator('body').innerText()
  t.notMatch(text, /undefined|NaN|null|Infinity/)
  const tiles = Object.fromEntries(await page.locator('.tiles > div').evaluateAll(all => all.map(one => [one.querySelector('dt')?.textContent, one.querySelector('dd')?.textContent])))
  t.match(tiles, { 'Req/s': '583', p50: '6.00 ms', p99: '14.0 ms', Max: '22.0 ms', p95: '–', Failures: '–', Read: '78.1 kB/s' })
  t.strictSame(await page.locator('[aria-label="Latency and its parts"] th').allInnerTexts(), ['Latency', 'Avg', 'Stdev', 'Min', 'p50', 'p75', 'p90', 'p99', 'p99.9', 'Max'])
  t.equal(await page.locator('figure').count(), 0, 'no chart of what it has not')
  t.equal(await page.locator('[aria-labelledby=repeat]').count(), 0)
  t.match(await page.textContent('[aria-labelledby=codes]'), 'This result has none.')
  t.match(await page.textContent('[aria-labelledby=statuses]'), /200.*1,731.*404.*18/s)
  t.match(await page.textContent('footer'), /^Made by autocannon\. /)
})

t.test('so it does beside a baseline of ours, and as a baseline', async t => {
  const ours = exampleResult()
  const { page, complaints } = await open(browser(), written(NINE, ours))
  t.strictSame(complaints, [])
  t.notMatch(await page.locator('body').innerText(), /undefined|NaN|null|Infinity/)
  t.match(await page.locator('.tiles > div', { hasText: 'p95' }).innerText(), /p95\s+–\s+from 11\.7 ms/)
  const [, shares, theirs] = await dataOf(page, 'histogram')
  t.ok(shares.every((/** @type {unknown} */ share) => share === null), 'no share where there is no histogram')
  t.ok(theirs.some((/** @type {number} */ share) => share > 0))

  const { page: other, complaints: others } = await open(browser(), written(ours, NINE))
  t.strictSame(others, [])
  t.notMatch(await other.locator('body').innerText(), /undefined|NaN|null|Infinity/)
  t.match(await other.locator('.tiles > div', { hasText: 'p95' }).innerText(), /^p95\s+11\.7\s*ms(\s+from –)?$/)
})

t.test('whatever else a result lacks, the rest is shown', async t => {
  const ours = exampleResult()
  for (const name of ['start', 'series', 'options', 'environment', 'generator', 'checks', 'byRequest', 'thresholds', 'statusCodeStats', 'errorCodes', 'ttfb', 'connect', 'serviceTime', 'fates', 'percentiles']) {
    const { [name]: _, ...rest } = ours
    const { page, complaints } = await open(browser(), written(rest, rest))
    t.strictSame(complaints, [], `without ${name}`)
    t.notMatch(await page.locator('body').innerText(), /undefined|NaN|Infinity/, `without ${name}`)
  }
  const series = ours.series.map(({ cpu, eventLoopUtilization, runDelay, blocked, verdict, ...point }) => point)
  const { page, complaints } = await open(browser(), written({ ...ours, series }))
  t.strictSame(complaints, [])
  t.notMatch(await page.locator('body').innerText(), /undefined|NaN|Infinity/, 'points without the load of the generator')
})

t.test('a run without an answer, of one sample, and of very many', async t => {
  for (const result of [
    exampleResult({ perSecond: 0 }), exampleResult({ seconds: 0 }), exampleResult({ seconds: 1, perSecond: 1, bad: 0 }), exampleResult({ seconds: 2000, perSecond: 2 }),
    { ...exampleResult({ seconds: 2 }), series: undefined, options: undefined, environment: undefined }
  ]) {
    const { page, complaints, requests } = await open(browser(), written(result))
    t.strictSame(complaints, [])
    t.strictSame(requests, [page.url()])
    t.ok(await page.locator('h1').isVisible())
  }
})
