'use strict'

// The page in headless Chromium: what it draws, what it says, and what it never does.

const t = require('tap')
const { lacksBrowser, launch, open } = require('../../helpers/pages/browser')
const { serve } = require('../../helpers/servers/http-server')
const { exampleResult, VERDICTS } = require('../../helpers/results/example-result')
const { pagesOf, dataOf, tableOf, colorsOf } = require('../../helpers/pages/page')
const { formatLatency } = require('../../../lib/core/units')

if (lacksBrowser(t)) return

// A browser takes its time on a machine that is busy.
t.setTimeout(240_000)

const written = pagesOf(t)

const round = (/** @type {number} */ value) => Math.round(value * 1000) / 1000

t.before(async () => { /** @type {any} */ (t).browser = await launch(t) })

/** @returns {import('playwright-core').Browser} */
const browser = () => /** @type {any} */ (t).browser

t.test('charts have the values of the result, and their tables say the same', async t => {
  const result = exampleResult()
  const { series } = result
  const { page, requests, complaints } = await open(browser(), written(result))
  const seconds = series.map(({ time }) => time / 1000 + 0.5)
  t.strictSame(await dataOf(page, 'rate'), [seconds, series.map(({ requests, length }) => round(requests / length * 1000))])
  t.strictSame(await dataOf(page, 'latency'), [seconds, ...['p50', 'p95', 'p99'].map(key => series.map(point => point[key]))])
  t.strictSame(await dataOf(page, 'errors'), [seconds, ...['errors', 'non2xx'].map(key => series.map(point => point[key]))])
  t.strictSame(await dataOf(page, 'generator'), [seconds, ...[({ eventLoopUtilization }) => eventLoopUtilization, ({ cpu }) => cpu, ({ runDelay, blocked }) => runDelay + blocked].map(read => series.map(point => round(read(point) * 100)))])

  const [, shares] = await dataOf(page, 'histogram')
  t.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 0.1, 'all requests are in the histogram')
  const [at, curve] = await dataOf(page, 'percentiles')
  for (const [percentile, key] of [[50, 'p50'], [75, 'p75'], [90, 'p90'], [95, 'p95'], [97.5, 'p97_5'], [99, 'p99'], [99.9, 'p99_9']]) {
    const i = at.findIndex(x => Math.abs(x + Math.log10(1 - percentile / 100)) < 1e-6)
    t.ok(Math.abs(curve[i] / result.latency[key] - 1) < 0.002, `${percentile} %: ${curve[i]} ms`)
  }

  const table = await tableOf(page, 'rate')
  t.strictSame(table[0], ['Second', 'Req/s'])
  t.strictSame(table.slice(1), series.map(({ time, requests }) => [String(time / 1000), `${requests} req/s`]))
  t.equal((await tableOf(page, 'latency'))[3].length, 4)
  t.equal((await tableOf(page, 'percentiles')).length, at.length + 1)
  t.equal((await tableOf(page, 'histogram')).length, shares.length + 1)

  t.equal(await page.textContent('h1 span'), '40 of 3,947 requests failed')
  t.match(await page.textContent('.tiles'), /Req\/s\s*393.*p99\s*77\.6\s*ms/s)
  t.strictSame(requests, [page.url()], 'no request leaves the page')
  t.strictSame(complaints, [])
})

t.test('lines are drawn where their values are', async t => {
  const { page } = await open(browser(), written(exampleResult({ bad: 0 })))
  t.strictSame(new Set(await colorsOf(page, 'rate', 1)), new Set(['2563c9']))
  // The edge of a marker is drawn over its middle: a colour may be off by one.
  t.ok((await colorsOf(page, 'latency', 3)).every(color => /^0[bc]2[ef]6b$/.test(color)))
})

t.test('a baseline is a second line in every chart, and a column of every table', async t => {
  const [result, baseline] = [exampleResult(), exampleResult({ seed: 2, seconds: 6, ms: 4, title: 'before' })]
  const { page, complaints } = await open(browser(), written(result, baseline))
  for (const [id, lines] of [['rate', 1], ['latency', 3], ['errors', 2], ['generator', 3], ['histogram', 1], ['percentiles', 1]]) {
    t.equal((await dataOf(page, id)).length, 1 + 2 * lines, id)
    t.equal((await tableOf(page, id))[0].length, 1 + 2 * lines, id)
  }
  const [, ...rates] = await dataOf(page, 'rate')
  t.strictSame(rates[1].slice(0, 6), baseline.series.map(({ requests, length }) => round(requests / length * 1000)))
  t.strictSame(rates[1].slice(6), new Array(4).fill(undefined), 'it was shorter')
  t.strictSame((await tableOf(page, 'rate'))[10].slice(2), ['–'])
  t.match(await page.textContent('.baseline'), 'before')
  t.match(await page.textContent('.tiles'), `from ${Math.round(baseline.requests.average)}`)
  t.strictSame(complaints, [])
})

t.test('thresholds, checks with a failing sample, names and what repeats the run', async t => {
  const { page, complaints } = await open(browser(), written(exampleResult(VERDICTS)))
  t.equal(await page.textContent('h1 span'), 'p99 < 50ms failed: it was 61.3 ms; 2 of 3 checks failed: status 2xx (20 times), login: json user.id (2 times)')
  t.match(await page.textContent('[aria-labelledby=thresholds] tbody'), /failedp99 < 50ms61\.3 ms/)
  t.match(await page.textContent('[aria-labelledby=checks] tbody'), /login json user\.id1,5002/)
  await page.click('.sample summary')
  t.equal(await page.innerText('.sample pre'), 'status 503\ncontent-type: text/html\nretry-after: 1\n\n<h1>Service Unavailable</h1>\nTry again later.')
  t.match(await page.textContent('[aria-labelledby=requests] tbody'), /login1,502/)
  t.equal(await page.textContent('.command pre'), "autocannon --connections 20 --pipelining 1 --duration 10 --header 'accept: ***' --header 'authorization: ***' http://localhost:3000/items")
  t.equal(await page.textContent('.command .note'), 'Fill in what is hidden here (***): the header accept, the header authorization.')
  t.match(await page.textContent('[aria-labelledby=repeat]'), 'Example CPU @ 3.0GHz')
  t.match(await page.textContent('[aria-labelledby=codes]'), /ECONNRESET.*AC_TIMEOUT no complete response within the timeout/s)
  t.strictSame(complaints, [])
})

t.test('what failed comes first', async t => {
  const limits = [{ expression: 'rps -5%', passed: true, reason: 'within the limit' }, { expression: 'avg +5%', passed: null, reason: 'between −3 % and +9 %' }, { expression: 'p99 +10%', passed: false, reason: 'beyond the limit' }]
  const metrics = [{ metric: 'p50', unit: 'ms', base: 1, new: 1, difference: 0, low: -0.1, high: 0.1, verdict: 'no difference' }]
  const thresholds = [{ expression: 'login: p50 < 1ms', actual: null, passed: null, unit: 'ms' }, ...[...VERDICTS.thresholds].reverse()]
  const { page } = await open(browser(), written(exampleResult({ seconds: 1, thresholds, checks: [...VERDICTS.checks].reverse(), comparison: { confidence: 0.95, metrics, notes: [], limits } })))
  t.equal(await page.title(), 'p99 < 50ms failed: it was 61.3 ms; 2 of 3 checks failed: login: json user.id (2 times), status 2xx (20 times); p99 +10% failed: beyond the limit; login: p50 < 1ms is inconclusive: it was not judged; avg +5% is inconclusive: between −3 % and +9 % · example')
  t.equal(await page.textContent('h1 span') + ' · example', await page.title())
  for (const [place, first, marks] of /** @type {const} */ ([
    ['[aria-labelledby=thresholds] tbody tr', 'p99 < 50ms', '✗?✓✓✓'], ['[aria-labelledby=checks] tbody tr', 'login json user.id', '✗✗✓'], ['.limits li', 'p99 +10%', '✗?✓']
  ])) {
    t.match(await page.locator(place).first().innerText(), first)
    t.equal((await page.locator(place + ' .mark').allInnerTexts()).map(text => text.trim()[0]).join(''), marks)
  }
})

t.test('what came from a user or a server stays text', async t => {
  // eslint-disable-next-line no-template-curly-in-string
  const text = '</script></style></title></textarea>--><img src="http://127.0.0.1:1/x" onerror="window.hacked=1"><script>window.hacked=1</script>&lt;\'"`${1}\u2028'
  const shown = text.replace('\u2028', '\\u2028')
  const result = exampleResult({
    seconds: 2,
    title: text,
    url: text,
    errorCodes: { [text]: 4 },
    statusCodeStats: { [text]: { count: 3 } },
    thresholds: [{ expression: text, actual: 1, passed: false, unit: text }],
    checks: [{ name: text, request: text, passed: 0, failed: 1, reasons: { [text]: 1 }, samples: { [text]: { status: text, headers: [[text, text]], body: text, truncated: false } } }],
    byRequest: { [text]: { ...VERDICTS.byRequest.login } },
    options: { url: [text], [text]: text, body: text },
    environment: { [text]: text },
    comparison: { confidence: 0.95, metrics: [{ metric: text, unit: text, base: 1, new: 1, difference: 0, low: 0, high: 0, verdict: text }], limits: [{ expression: text, passed: false, reason: text }], notes: [text] }
  })
  result.series[0].errorCodes = { [text]: 1 }
  const { page, requests, complaints } = await open(browser(), written(result, result))
  t.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined)
  t.equal(await page.locator('img').count(), 0)
  t.equal(await page.locator('script').count(), 3, 'its own')
  t.equal(await page.textContent('.eyebrow strong'), shown)
  t.ok((await page.title()).startsWith(`${shown.slice(0, 59)}… failed: it was 1; the check `))
  t.equal(await page.textContent('[aria-labelledby=thresholds] tbody code'), shown)
  await page.click('.sample summary')
  t.ok((await page.textContent('.sample pre'))?.endsWith('\n\n' + shown))
  for (const place of ['.target', '[aria-labelledby=codes]', '[aria-labelledby=statuses]', '[aria-labelledby=requests]', '[aria-labelledby=repeat]', '[aria-labelledby=comparison]', '.notes']) {
    t.ok((await page.textContent(place))?.includes(shown), place)
  }
  t.strictSame(requests, [page.url()])
  t.strictSame(complaints, [])
})

t.test('nothing that is not its own may run or be loaded, wherever it comes from', async t => {
  const server = await serve(t)
  const { page, complaints } = await open(browser(), written(exampleResult({ seconds: 1 })))
  await page.evaluate(url => {
    const script = document.createElement('script')
    script.textContent = 'window.hacked = 1'
    const image = document.createElement('img')
    image.src = url
    document.body.append(script, image)
    return fetch(url).catch(() => {})
  }, server.url)
  t.equal(await page.evaluate(() => /** @type {any} */ (window).hacked), undefined)
  t.equal(server.connections, 0)
  t.ok(complaints.length >= 3, 'the policy forbids each')
  t.strictSame(complaints.filter(complaint => !complaint.includes('Content Security Policy')), [])
})

t.test('dark and light', async t => {
  const url = written(exampleResult({ bad: 0 }))
  const { page, complaints } = await open(browser(), url, { colorScheme: 'dark' })
  const background = () => page.evaluate(() => window.getComputedStyle(document.body).backgroundColor)
  t.equal(await background(), 'rgb(13, 16, 21)', 'as the system is')
  t.strictSame(new Set(await colorsOf(page, 'rate', 1)), new Set(['6ba4ff']), 'the charts, too')
  t.equal(await page.textContent('#theme'), 'Light')
  await page.click('#theme')
  t.equal(await background(), 'rgb(246, 247, 249)')
  t.strictSame(new Set(await colorsOf(page, 'rate', 1)), new Set(['2563c9']))
  t.equal(await page.textContent('#theme'), 'Dark')
  t.strictSame(complaints.filter(complaint => !complaint.includes('getImageData')), [], 'but for the test itself')

  const { page: light } = await open(browser(), url)
  await light.emulateMedia({ colorScheme: 'dark' })
  await light.waitForFunction(() => document.getElementById('theme')?.textContent === 'Light')
  t.strictSame(new Set(await colorsOf(light, 'rate', 1)), new Set(['6ba4ff']), 'the system changes its mind')
})

t.test('the keyboard reaches everything', async t => {
  const result = exampleResult(VERDICTS)
  const { page } = await open(browser(), written(result))
  const focused = () => page.evaluate(() => {
    const { activeElement: element } = document
    return element?.id || element?.closest('[data-chart]')?.getAttribute('data-chart') || element?.className || element?.parentElement?.className || element?.tagName
  })
  const reached = new Set()
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    reached.add(await focused())
  }
  for (const place of ['theme', 'rate', 'latency', 'errors', 'generator', 'histogram', 'percentiles', 'scroll', 'command']) t.ok(reached.has(place), place)

  await page.locator('[data-chart=latency] .plot').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const legend = () => page.locator('[data-chart=latency] .legend b').allTextContents()
  t.strictSame(await legend(), ['p50', 'p95', 'p99'].map(key => formatLatency(result.series[1][key])))
  t.equal(await page.textContent('[data-chart=latency] .at'), '1 s')
  await page.keyboard.press('End')
  t.strictSame(await legend(), ['p50', 'p95', 'p99'].map(key => formatLatency(result.series[9][key])))
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  t.equal(await page.textContent('[data-chart=latency] .at'), '0 s')

  const summary = page.locator('[data-chart=rate] summary')
  await summary.focus()
  await page.keyboard.press('Enter')
  t.ok(await page.locator('[data-chart=rate] table').isVisible())

  await page.locator('#theme').focus()
  await page.keyboard.press('Enter')
  t.equal(await page.textContent('#theme'), 'Light')
})

t.test('it fits a phone', async t => {
  const long = 'x'.repeat(300)
  const { page } = await open(browser(), written(exampleResult({ ...VERDICTS, title: long, url: 'http://localhost/' + long, errorCodes: { [long]: 1 } }), exampleResult({ seed: 2 })), { viewport: { width: 360, height: 740 } })
  t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, 'nothing has to be scrolled sideways')
  t.equal(await page.evaluate(() => Math.max(...[...document.querySelectorAll('.plot canvas')].map(canvas => canvas.getBoundingClientRect().right)) <= 360), true)
})

t.test('it can be printed, on white', async t => {
  const { page } = await open(browser(), written(exampleResult(VERDICTS), exampleResult({ seed: 2 })), { colorScheme: 'dark' })
  await page.evaluate(() => window.addEventListener('beforeprint', () => {
    document.body.dataset.printed = document.documentElement.dataset.theme
  }))
  const pdf = await page.pdf({ format: 'A4', printBackground: true })
  t.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  t.equal(await page.evaluate(() => document.body.dataset.printed), 'light')
  t.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined, 'and is dark again')
  await page.setViewportSize({ width: 690, height: 900 })
  await page.emulateMedia({ media: 'print' })
  await page.waitForFunction(() => document.documentElement.scrollWidth === 690)
  t.notOk(await page.locator('#theme').isVisible())
})

t.test('without a script the tables say it all', async t => {
  const { page } = await open(browser(), written(exampleResult(VERDICTS)), { javaScriptEnabled: false })
  await page.locator('[data-chart=rate] summary').click()
  t.ok(await page.locator('[data-chart=rate] table').isVisible())
  t.ok(await page.locator('noscript').count() > 0)
  t.notOk(await page.locator('#theme').isVisible())
})
