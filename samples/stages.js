'use strict'

// Shows a load that changes over time: up to 200 requests per second, a peak, and back; what each stage came to beside what it was
// to be, and a threshold about one of them. Run it with
//
//   node samples/stages.js

const autocannon = require('..')
const { withServer } = require('./helpers/server')

withServer(async ({ url }) => {
  const { byStage, thresholds } = await autocannon({
    url,
    connections: 20,
    stages: ['1s:200/s', '0s:400/s', { name: 'peak', duration: 1, rate: 400 }, '0s:50/s', '1s:50/s'],
    thresholds: ['peak: p99 < 1s', 'stage 3: failures == 0']
  })
  for (const [i, { name, target: { start, end }, rate: { target, achieved }, count, latency }] of byStage.entries()) {
    console.log(`stage ${i + 1}${name === undefined ? '' : ` (${name})`}: from ${start} to ${end} requests/s, ${count} responses, p99 ${latency.p99} ms`)
    console.log(`  ${achieved} of ${target} requests/s were sent in it`)
  }
  for (const { expression, stage, passed } of thresholds) console.log(`${passed ? '✓' : '✗'} ${expression} (stage ${stage})`)
})
