'use strict'

// Shows how to run until a figure is known well enough, instead of for a time that somebody has guessed: for a second at the
// least, and for ten if that is what it takes. Run it with
//
//   node samples/until-precise.js

const autocannon = require('..')
const { withServer } = require('./helpers/server')

withServer(async ({ url }) => {
  const { until, duration } = await autocannon({ url, rate: 500, duration: 1, until: 'rps ±10%' })

  console.log(`${until.expression}: ${until.reached ? 'reached' : 'not reached'} after ${duration < 1 ? 'too little' : duration > 11 ? 'too much' : '1 to 10'} s`)
  console.log(`between ${Math.floor(until.low)} and ${Math.ceil(until.high)} requests/s, at ${until.confidence * 100} %`)
})
