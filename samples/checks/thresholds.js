'use strict'

// Shows thresholds: what a result has to keep to, what it came to, and a run that ends by itself once it has lost.
// Run it with
//
//   node samples/checks/thresholds.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

withServer(async ({ url }) => {
  const { thresholds } = await autocannon({ url, amount: 1000, thresholds: ['p99 < 1s', 'failures == 0', 'requests > 5000'] })
  for (const { expression, actual, passed } of thresholds) {
    console.log(`${passed ? '✓' : '✗'} ${expression}${expression.startsWith('p99') ? '' : `: ${actual}`}`)
  }

  const lost = await autocannon({ url: `${url}/private`, duration: 60, sampleInt: 100, thresholds: [{ threshold: 'non2xx < 50', abortOn: true }] })
  console.log(`ended early: ${lost.duration < 60 && lost.thresholds[0].aborted === true}`)
})
