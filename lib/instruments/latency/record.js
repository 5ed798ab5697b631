'use strict'

// The distributions that every run measures: latency, service time, time to first byte, time to connect, and the delays
// of sends and reads.

const { Distributions } = require('../../record/distributions')
const { LiveDistributions } = require('../../record/live-distributions')

module.exports = { Live: LiveDistributions, Total: Distributions }
