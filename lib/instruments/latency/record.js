'use strict'

// The distributions that every run measures: latency, service time, time to first byte, connecting, and how late
// requests were sent and responses read.

const { Distributions } = require('../../record/distributions')
const { LiveDistributions } = require('../../record/live-distributions')

module.exports = { Live: LiveDistributions, Total: Distributions }
