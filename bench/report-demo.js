'use strict'

// Writes a page to look at: two short runs against a small server, the second one with a slower version of it, which the page
// compares with the first. `npm run report:demo [FILE [PNG]]`: with a PNG it takes the picture for the README, too, which
// needs Chromium.

const http = require('node:http')
const { once } = require('node:events')
const { writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const autocannon = require('..')
const { start, Problem } = require('./program')

const [, , given, picture] = process.argv
const file = path.resolve(given ?? path.join(tmpdir(), 'autocannon-report.html'))
const SECONDS = Number(process.env.DEMO_SECONDS ?? 12)

/** A shop that is slow now and then, and sometimes has had enough. */
function shop (slowness) {
  const started = Date.now()
  return http.createServer((request, response) => {
    const isBusy = (Date.now() - started) % 4000 > 3000
    const luck = Math.random()
    const ms = (request.url === '/login' ? 9 : 3) * slowness * (0.6 + Math.random()) * (isBusy ? 1.3 : 1) + (luck > 0.985 ? 40 + 60 * Math.random() : 0)
    request.resume()
    setTimeout(() => {
      if (luck < 0.002 * slowness) return response.destroy()
      const isDown = isBusy && luck < 0.01 * slowness
      response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isDown ? { error: 'try again' } : request.url === '/login' ? { user: { id: 42 } } : { items: new Array(12).fill('item') }))
    }, ms)
  }).listen(0, '127.0.0.1')
}

async function run (title, slowness) {
  const server = shop(slowness)
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const instance = autocannon({
    url: `http://127.0.0.1:${port}`,
    title,
    connections: 40,
    duration: SECONDS,
    requests: [
      { name: 'login', method: 'POST', path: '/login', headers: { 'content-type': 'application/json' }, body: '{"name":"someone"}', expect: { status: 200, json: { 'user.id': 42 } } },
      { name: 'items', path: '/items', expect: { status: 200 } },
      { name: 'items', path: '/items?page=2', expect: { status: 200 } }
    ],
    thresholds: ['p99 < 100ms', 'failure rate < 1%', 'login: p95 < 25ms']
  })
  const result = await autocannon.track(instance, { renderResultsTable: false })
  server.close()
  server.closeAllConnections()
  return result
}

async function main () {
  const flag = process.argv.slice(2).find(word => word.startsWith('-'))
  if (flag !== undefined) throw new Problem(`Unknown option '${flag}'. It is npm run report:demo [FILE [PNG]]`)
  const baseline = await run('Shop 1.0', 1)
  const result = await run('Shop 1.1', 1.35)
  result.comparison = autocannon.compareResults(baseline, result)
  writeFileSync(file, autocannon.formatResult(result, 'html', { baseline }))
  console.log(`\n${file}\n${pathToFileURL(file)}`)
  if (picture !== undefined) await photograph(pathToFileURL(file).href, picture)
}

async function photograph (url, png) {
  const { launch } = require('../test/helpers/pages/browser')
  const browser = await launch({ teardown () {} })
  const page = await browser.newPage({ viewport: { width: 1180, height: 1980 }, deviceScaleFactor: 0.6 })
  await page.goto(url)
  await page.screenshot({ path: png })
  await browser.close()
}

start(main)
