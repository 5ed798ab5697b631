'use strict'

// Metrics as Prometheus takes them: its own linter, its scrapes while a run goes on, and the expressions of the dashboard.

const t = require('tap')
const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { start } = require('../helpers/processes/cli')
const { closedPort, serve } = require('../helpers/servers/http-server')
const { absent } = require('../helpers/servers/real-servers')

const skip = absent('prometheus')

let answers = 0
/** @type {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => void} */
const answer = (request, response) => {
  if (++answers % 10 === 0) response.statusCode = 503
  response.end('hello')
}

/**
 * A run with all kinds of figures, whose metrics stay for one more scrape.
 * @param {import('tap').Test} t
 * @param {number} port of its metrics
 */
async function runAt (t, port) {
  const { url } = await serve(t, answer)
  const folder = t.testdir({ 'load.json': JSON.stringify({ requests: [{ name: 'basket', path: '/a' }, { name: 'a "b" \\ ü', path: '/b', expect: { status: 200 } }] }) })
  return start(['-d', '5', '-c', '3', '--rate', '300', '--pace', 'batched', '--threshold', 'p99 < 10s', '--threshold', 'errors == 0', '--config', path.join(folder, 'load.json'),
    '--tag', 'commit=1a2b', '--metrics-listen', `:${port}`, '--metrics-linger', '20s', '--json', url])
}

/**
 * @param {string} url
 * @param {string} [accept]
 */
const textAt = async (url, accept = '*/*') => (await fetch(url, { headers: { accept } })).text()

t.test('its linter has nothing to say', { skip }, async t => {
  const port = await closedPort()
  const running = await runAt(t, port)
  // One in the middle, which has no named requests, and the last one.
  await running.says('stderr', 'metrics are at')
  let middle = ''
  for (; !/^autocannon_requests_total{.*} [1-9]/m.test(middle); await sleep(100)) middle = await textAt(`http://127.0.0.1:${port}/metrics`)
  await running.says('stderr', 'the metrics stay')
  const last = await textAt(`http://127.0.0.1:${port}/metrics`)
  await running.ended
  for (const [text, name] of /** @type {const} */ ([[middle, 'autocannon_running{commit="1a2b"} 1'], [last, 'autocannon_named_failures_total']])) {
    t.ok(text.includes(name))
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    t.strictSame([status, stdout + stderr], [0, ''])
  }
})

/**
 * @param {import('tap').Test} t
 * @param {string[]} [flags]
 * @returns {Promise<{ port: number, ask: (expression: string) => Promise<any>, last: (expression: string) => Promise<number> }>} of a Prometheus that scrapes that port
 */
async function prometheusFor (t, flags = []) {
  const [port, api] = [await closedPort(), await closedPort()]
  const folder = t.testdir()
  writeFileSync(path.join(folder, 'prometheus.yml'), `{ global: { scrape_interval: 2s, scrape_timeout: 2s }, scrape_configs: [{ job_name: load, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }] }`)
  const prometheus = spawn('prometheus', [`--config.file=${path.join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${path.join(folder, 'data')}`, `--web.listen-address=127.0.0.1:${api}`, '--log.level=error', ...flags], { stdio: 'ignore' })
  t.teardown(async () => {
    prometheus.kill('SIGKILL')
    await once(prometheus, 'exit')
  })
  /** @param {string} expression */
  const ask = async expression => (await fetch(`http://127.0.0.1:${api}/api/v1/query?query=${encodeURIComponent(expression)}`)).json()
  for (let ready = false; !ready; await sleep(50)) ready = await fetch(`http://127.0.0.1:${api}/-/ready`).then(({ ok }) => ok, () => false)
  /** @param {string} expression the last value of a run that is over */
  const last = async expression => {
    const { data: { result: [found] } } = await ask(expression.replace('$', '[1m]'))
    return Number(found?.value[1])
  }
  return { port, ask, last }
}

t.test('it scrapes a run, its totals are those of the result, and it knows the expressions of the dashboard', { skip }, async t => {
  const { port, ask, last } = await prometheusFor(t)
  const running = await runAt(t, port)
  const { code, stdout, stderr } = await running.ended
  t.equal(code, 3, `a check fails: ${stderr}`)
  const result = JSON.parse(stdout)
  // It is in the database a moment after it was scraped.
  for (let tries = 0; tries < 400 && await last('sum(last_over_time(autocannon_requests_total$))') !== result.requests.sent; tries++) await sleep(50)
  t.equal(await last('sum(last_over_time(autocannon_sent_total$))'), result.requests.sent)
  t.equal(await last('sum(last_over_time(autocannon_requests_total{outcome="completed"}$))'), result.requests.total)
  t.equal(await last('sum(last_over_time(http_client_request_duration_seconds_count$))'), result.latency.totalCount)
  t.equal(await last('sum(last_over_time(autocannon_responses_total{http_response_status_code="503"}$))'), result.statusCodeStats[503].count)
  t.equal(await last('sum(last_over_time(autocannon_named_failures_total$))'), result.failures)
  t.equal(await last('last_over_time(autocannon_running$)'), 0)
  const p99 = await last('histogram_quantile(0.99, sum by (le) (last_over_time(http_client_request_duration_seconds_bucket$)))')
  t.ok(p99 * 1000 >= result.latency.p99 / 2 && p99 * 1000 <= result.latency.p99 * 2, `${p99} s, and ${result.latency.p99} ms`)

  for (const [, text] of readFileSync(path.join(__dirname, '../../samples/grafana/dashboards/prometheus.json'), 'utf8').matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)) {
    const expression = JSON.parse(text).replaceAll('$__rate_interval', '1m')
    t.match(await ask(expression), { status: 'success' }, expression)
  }
})

t.test('with native histograms it knows percentiles to the width of a bucket, 9 %', { skip }, async t => {
  const { port, ask, last } = await prometheusFor(t, ['--enable-feature=native-histograms'])
  const running = await runAt(t, port)
  const { stdout } = await running.ended
  const result = JSON.parse(stdout)
  for (let tries = 0; tries < 400 && await last('sum(last_over_time(autocannon_requests_total$))') !== result.requests.sent; tries++) await sleep(50)
  t.equal(await last('sum(last_over_time(autocannon_requests_total{outcome="completed",commit="1a2b"}$))'), result.requests.total)
  // Prometheus 2.42 knows no last_over_time of histograms.
  const { data: { result: [{ histograms }] } } = await ask('http_client_request_duration_seconds[1m]')
  const [at, { count, sum, buckets }] = histograms.at(-1)
  t.equal(Number(count), result.latency.totalCount)
  t.ok(Math.abs(sum * 1000 / count / result.latency.average - 1) < 0.01, `${sum} s`)
  t.equal(buckets.reduce((/** @type {number} */ all, /** @type {string[]} */ [,,, n]) => all + Number(n), 0), result.latency.totalCount)
  for (const [percentile, ms] of [[50, result.latency.p50], [90, result.latency.p90], [99, result.latency.p99]]) {
    let rank = Math.ceil(percentile / 100 * count)
    const [, low, high] = buckets.find((/** @type {string[]} */ [,,, n]) => (rank -= Number(n)) <= 0)
    t.ok(ms / 1000 > low * 0.998 && ms / 1000 <= high * 1.002, `${ms} ms are between ${low} and ${high} s`)
  }
  // At the time of the last scrape: a rate needs two of them, and the histogram may have been scraped once.
  const p99 = await last(`histogram_quantile(0.99, http_client_request_duration_seconds @ ${at})`)
  t.ok(p99 * 1000 >= result.latency.p99 / 2 && p99 * 1000 <= result.latency.p99 * 2, `${p99} s, and ${result.latency.p99} ms`)
})
