'use strict'

// The times of requests and connections in a result.

/**
 * @param {import('../../record/distributions').Distributions} distributions
 * @param {import('../../figures/result').Context} context
 */
function derive ({ latency, serviceTime, ttfb, connect }, { hasWireFigures, summary }) {
  return {
    latency: summary(latency), serviceTime: summary(serviceTime), ttfb: summary(ttfb),
    connect: hasWireFigures ? summary(connect) : null
  }
}

module.exports = { derive }
