'use strict'

// The live page in headless Chromium: what it shows while a run goes on, and what stays of it.

const t = require('tap')
const { readFileSync } = require('node:fs')
const { formatResult } = require('../../..')
const { lacksBrowser, launch, open } = require('../../helpers/pages/browser')
const { exampleResult, VERDICTS } = require('../../helpers/results/example-result')
const { playedPage } = require('../../helpers/pages/live-page')
const { dataOf, tableOf } = require('../../helpers/pages/page')

if (lacksBrowser(t)) return

// A browser takes its time on a machine that is busy.
t.setTimeout(240_000)

t.before(async () => { /** @type {any} */ (t).browser = await launch(t) })

/** @returns {import('playwright-core').Browser} */
const browser = () => /** @type {any} */ (t).browser

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} title */
const titled = (page, title) => page.waitForFunction(title => document.title.includes(title), title, { timeout: 10_000 })

/** @param {Page} page @param {number} count of the points of the chart of the rate */
const points = (page, count) => page.waitForFunction(count => /** @type {any} */ (document.querySelector('[data-chart=rate]'))?.plot?.data[0].length === count, count, { timeout: 10_000 })

t.test('figures, charts and thresholds change in place while the run goes on', async t => {
  const live = await playedPage(t)
  const { page, requests, complaints } = await open(browser(), live.link)
  t.equal(await page.textContent('#phase'), 'Waiting')
  live.run.follower.warmUp({ connections: 1, duration: 3 })
  live.start()
  live.go(2)
  await points(page, 2)
  t.equal(await page.textContent('#phase'), 'Running')
  t.match(await page.textContent('#time'), /^\d+ s of 20 s$/)
  t.match(await page.textContent('h1 span'), /^So far: \d+ of \d+ requests failed$/)
  // What a reader has opened, chosen and focused stays.
  await page.click('[data-chart=rate] summary')
  await page.focus('[aria-label="Latency and its parts"]')
  await page.evaluate(() => {
    Object.assign(window, { seen: [document.querySelector('.tiles'), document.querySelector('[data-chart=rate] canvas'), document.querySelector('[data-chart=histogram] canvas')] })
    document.documentElement.scrollTop = 300
  })
  for (const seconds of [3, 4, 5]) {
    live.go(seconds, { thresholds: [{ expression: 'p99 < 50ms', actual: 40 + 10 * seconds, unit: 'ms', passed: seconds < 4 }] })
    await points(page, seconds)
  }
  const result = live.run.soFar()
  t.strictSame((await dataOf(page, 'rate'))[1], result.series.map((/** @type {any} */ { requests, length }) => requests / length * 1000))
  t.strictSame((await dataOf(page, 'latency'))[3], result.series.map((/** @type {any} */ { p99 }) => p99))
  t.strictSame((await tableOf(page, 'rate')).slice(1).map(([second]) => second), ['0', '1', '2', '3', '4'])
  t.strictSame((await tableOf(page, 'percentiles')).length - 1, (await dataOf(page, 'percentiles'))[0].length)
  t.match(await page.textContent('.tiles'), new RegExp(`Req/s\\s*${Math.round(result.requests.average)}`))
  t.match(await page.textContent('[aria-labelledby=thresholds] tbody'), /failedp99 < 50ms90\.0 ms/)
  t.equal(await page.title(), 'Running: So far: p99 < 50ms failed: it was 90.0 ms')
  t.ok(await page.evaluate(() => /** @type {any} */ (window).seen.every((/** @type {Element} */ element) => element.isConnected)), 'nothing was made anew')
  t.ok(await page.isVisible('[data-chart=rate] table'), 'what is open stays open')
  t.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Latency and its parts')
  t.equal(await page.evaluate(() => document.documentElement.scrollTop), 300)
  t.strictSame(requests, [live.link, live.link + 'events'])
  t.strictSame(complaints, [])
})

t.test('a chart is read out while it grows, and its time axis is that of the whole run', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(3)
  const { page } = await open(browser(), live.link)
  await points(page, 3)
  t.strictSame(await page.evaluate(() => { const { min, max } = /** @type {any} */ (document.querySelector('[data-chart=rate]')).plot.scales.x; return [min, max] }), [0, 20])
  await page.focus('[data-chart=latency] .plot')
  await page.keyboard.press('Home')
  live.go(4)
  await points(page, 4)
  t.match(await page.textContent('[data-chart=latency] .at'), '0 s')
  await page.keyboard.press('End')
  t.match(await page.textContent('p[role=status]'), /^3 s: p50/)
})

t.test('Stop ends the run for all, once', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(1)
  const { page, complaints } = await open(browser(), live.link)
  await points(page, 1)
  await page.focus('#stop')
  const stopped = page.waitForResponse(response => response.url().endsWith('/stop'))
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.querySelector('#stop')?.textContent === 'Stopping')
  await stopped
  t.strictSame(live.said, ['stop'])
  t.ok(await page.isDisabled('#stop'))
  t.strictSame(complaints, [])
})

t.test('who reloads, and who comes later, sees all that happened so far', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(2)
  const { page: one } = await open(browser(), live.link)
  await points(one, 2)
  live.go(6)
  await points(one, 6)
  await one.reload()
  await points(one, 6)
  const other = await browser().newPage()
  await other.goto(live.link)
  await points(other, 6)
  live.go(7)
  await Promise.all([points(one, 7), points(other, 7)])
  t.strictSame(await dataOf(one, 'rate'), await dataOf(other, 'rate'))
  t.equal(await other.innerHTML('main'), await one.innerHTML('main'))
  t.equal(await one.textContent('#viewers'), '2 viewers')
  await other.close()
})

t.test('at the end it is the final report, to be saved as the file that -o writes, and the server is gone', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(2)
  const { page, complaints } = await open(browser(), live.link)
  await points(page, 2)
  const final = exampleResult({ seconds: 20, ...VERDICTS })
  live.done(final)
  await live.server.end()
  await titled(page, '2 of 3 checks failed')
  t.equal(await page.textContent('#phase'), 'Ended')
  t.notOk(await page.isVisible('#stop'))
  t.notOk(await page.isVisible('#progress'))
  t.strictSame((await dataOf(page, 'rate'))[1].length, 20)
  await t.rejects(fetch(live.link), 'the server has closed')
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
  t.equal(download.suggestedFilename(), 'autocannon-localhost-3000-2026-11-21T10-00-00.html')
  t.equal(readFileSync(await download.path(), 'utf8'), formatResult(/** @type {any} */ (final), 'html'))
  await new Promise(resolve => setTimeout(resolve, 100))
  t.strictSame(complaints, [], 'and it does not ask for more')
  // All that the page says is what the file says.
  const shown = () => page.evaluate(() => [...document.querySelectorAll('main h1, main h2, main td, main dd, main li')].map(element => element.textContent))
  const live1 = await shown()
  await page.setContent(formatResult(/** @type {any} */ (final), 'html'))
  t.strictSame(live1, await shown())
})

t.test('runs follow each other, and those that have ended are listed', async t => {
  const live = await playedPage(t, { opts: { duration: 2, forever: true } })
  live.start()
  live.go(5)
  const { page, complaints } = await open(browser(), live.link)
  await points(page, 5)
  t.equal(await page.textContent('#phase'), 'Running: run 1')
  live.done(exampleResult({ seconds: 6 }))
  await page.waitForSelector('[data-part=runs] tbody tr')
  live.start()
  live.go(2, { seed: 7, bad: 0 })
  await points(page, 2)
  t.equal(await page.textContent('#phase'), 'Running: run 2')
  t.match(await page.textContent('[data-part=runs] tbody'), /run 1/)
  t.notOk(await page.isVisible('[data-chart=errors]'), 'the run has no errors')
  t.strictSame(complaints, [])
})

t.test('of two servers, the runs of new are shown beside base, and at the end what is said of both', async t => {
  const live = await playedPage(t, { about: { side: 'base', run: 1 } })
  live.start()
  const { page, complaints } = await open(browser(), live.link)
  live.go(3)
  await points(page, 3)
  live.done(exampleResult({ seconds: 4 }))
  live.page.follow(live.run, { side: 'new', run: 1 })
  live.start()
  live.go(2, { ms: 9 })
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('[data-chart=rate]')).plot.data.length === 3)
  t.equal(await page.textContent('#phase'), 'Running: new, run 1')
  live.done(exampleResult({ seconds: 4, ms: 9 }))
  const metrics = [{ metric: 'p50', unit: 'ms', base: 5, new: 9, difference: 0.8, low: 0.7, high: 0.9, verdict: 'worse' }]
  live.page.compare({ base: exampleResult({ seconds: 4 }), new: exampleResult({ seconds: 4, ms: 9 }), comparison: { confidence: 0.95, metrics, limits: [], notes: [] } })
  await live.server.end()
  await page.waitForSelector('[aria-labelledby=comparison]')
  t.match(await page.textContent('[aria-labelledby=comparison]'), 'Worse: p50 +80 %')
  t.strictSame(await page.locator('[data-part=runs] tbody tr').count(), 2)
  t.strictSame(complaints, [])
})

t.test('what came from a user, a server or an agent stays text', async t => {
  const text = '</script><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
  const live = await playedPage(t)
  live.run.follower.notice(text + '\u202e')
  live.start()
  const { page, requests, complaints } = await open(browser(), live.link)
  live.go(2, { title: text, url: text, errorCodes: { [text]: 4 }, thresholds: [{ expression: text, actual: 1, passed: false, unit: text }] })
  await points(page, 2)
  t.equal(await page.textContent('#notices li'), text + '\\u202e')
  t.match(await page.textContent('h1 span'), text.slice(0, 20))
  t.match(await page.title(), '</script>')
  t.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined)
  t.equal(requests.length, 2)
  t.strictSame(complaints, [])
})

t.test('a page that lost its server says so, and goes on when that is there again', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(2)
  const { page } = await open(browser(), live.link)
  await points(page, 2)
  for (const { response } of live.page.viewers) response.destroy()
  await page.waitForFunction(() => document.querySelector('#phase')?.textContent === 'No connection')
  t.equal((await dataOf(page, 'rate'))[1].length, 2, 'what is known stays')
  for (const button of ['#stop', '#save']) t.notOk(await page.isVisible(button), `the server is gone for ${button}`)
  live.go(3)
  await points(page, 3)
  t.equal(await page.textContent('#phase'), 'Running')
  for (const button of ['#stop', '#save']) t.ok(await page.isVisible(button), button)
})

t.test('a run that fails, or ends before it began, says so', async t => {
  const live = await playedPage(t)
  live.run.follower.notice('waiting for 3 agents')
  const { page, complaints } = await open(browser(), live.link)
  await page.waitForFunction(() => document.querySelectorAll('#notices li').length === 1)
  live.run.follower.failed(new Error('the agents did not come'))
  await live.server.end()
  await page.waitForFunction(() => document.querySelector('#phase')?.textContent === 'Failed')
  t.strictSame(await page.locator('#notices li').allTextContents(), ['waiting for 3 agents', 'the agents did not come'])
  t.notOk(await page.isVisible('#save'), 'there is nothing to save')
  t.notOk(await page.isVisible('#stop'))
  const ended = await playedPage(t)
  const { page: other } = await open(browser(), ended.link)
  await other.waitForFunction(() => document.querySelector('#phase')?.textContent === 'Waiting')
  await ended.server.end()
  await other.waitForFunction(() => document.querySelector('#phase')?.textContent === 'Ended')
  t.strictSame(complaints, [])
})

t.test('on a phone and in the dark, by keyboard and by ear', async t => {
  const live = await playedPage(t)
  live.run.follower.notice('waiting for 3 agents: 1 is there')
  live.start()
  live.go(4, VERDICTS)
  for (const { width, colorScheme } of /** @type {const} */ ([{ width: 400, colorScheme: 'dark' }, { width: 1200, colorScheme: 'light' }])) {
    const { page } = await open(browser(), live.link, { viewport: { width, height: 800 }, colorScheme })
    await points(page, 4)
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, 'nothing is cut')
    await page.evaluate(`${readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')};0`)
    const found = await page.evaluate(async () => {
      const { violations } = await /** @type {any} */ (window).axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] })
      return violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ { html, failureSummary }) => html.slice(0, 120) + failureSummary).join(', ')}`)
    })
    t.strictSame(found, [], `${width} px, ${colorScheme}`)
    const order = []
    await page.evaluate(() => { document.documentElement.focus(); document.documentElement.scrollTop = 0 })
    for (let i = 0; i < 3; i++) {
      await page.keyboard.press('Tab')
      order.push(await page.evaluate(() => document.activeElement?.id))
    }
    t.strictSame(order, ['theme', 'save', 'stop'])
    t.equal(await page.getAttribute('#phase', 'role'), 'status')
  }
})
