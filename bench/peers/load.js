'use strict'

// One load by an autocannon as a library, in a process of its own: node load.js MODULE ours|9 CASE URL SECONDS

const { CASES } = require('./cases')
const { cpuSince } = require('./floor')

const [module_, version, name, url, seconds] = process.argv.slice(2)
const { options, nine, listen, events = false } = CASES[name]
const autocannon = require(module_)
const started = process.cpuUsage()
const instance = autocannon({
  ...(typeof options === 'function' ? options() : options),
  ...(version === '9' ? nine : {}),
  url,
  duration: Number(seconds)
})
if (listen !== undefined) listen(instance)
instance.then(({ requests, latency, streams, throughput, duration, errors, non2xx, mismatches }) => {
  const rss = process.resourceUsage().maxRSS * 1024
  const counted = events
    ? { count: streams.events, cpu: cpuSince(started) }
    : { count: requests.total, p50: latency.p50, p99: latency.p99 }
  const figures = { ...counted, bytes: throughput?.total ?? 0, seconds: duration, rss }
  console.log(JSON.stringify({ ...figures, failed: errors + non2xx + mismatches }))
})
