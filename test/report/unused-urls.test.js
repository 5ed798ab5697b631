'use strict'

const t = require('tap')
const autocannon = require('../..')
const { headlineOf } = require('../../lib/report/headline')
const { causeOf } = require('../../lib/figures/generator-cause')
const { unusedUrls } = require('../../lib/report/notes')
const { serve } = require('../helpers/http-server')

t.test('a URL that no connection is there for is named in the verdict', async t => {
  const { url } = await serve(t)
  const result = await autocannon({ url: [url, `${url}/other`, `${url}/third`], connections: 1, amount: 5 })
  t.match(headlineOf(result), { level: 'warning', sentence: '2 URLs of 3 got no request, as there were fewer connections than URLs: use -c 3 or more' })
  t.match(autocannon.printResult(result), '2 URLs of 3 got no request')
  const enough = await autocannon({ url: [url, `${url}/other`], connections: 2, amount: 6 })
  t.equal(unusedUrls(enough), null)
  t.match(headlineOf(enough), { level: 'good' })
})

t.test('a CPU wait does not spoil latencies that end at the arrival in the kernel', async t => {
  const usage = { cpuMs: 500, wallMs: 1000, activeMs: 400, gcMs: 0, runDelayMs: 500, blockedMs: 0, standstillMs: 0, waitingMs: 0, idleMs: 0, delay: { p50: 0, p99: 0, max: 0 } }
  const [read, arrived] = [false, true].map(byArrival => causeOf([usage], [], '--workers', byArrival).cause)
  t.match(read, /latencies are too high/)
  t.match(arrived, /the request rate is too low; latencies end at the arrival in the kernel and are not affected/)
  t.notMatch(arrived, /latencies are too high/)
})
