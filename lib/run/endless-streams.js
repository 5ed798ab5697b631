'use strict'

// A run that ends after a number of requests goes on for ever where the server never ends its streams. After some time
// in which events came, and no stream ended, a notice names the options that close them.

const { amountText } = require('../core/amount')
const { formatInteger } = require('../core/units')

/** ms */
const PATIENCE = 5000

class EndlessStreams {
  /**
   * @param {unknown} amount of requests or iterations, after which the run ends
   * @param {(sentence: string) => void} warn
   */
  constructor (amount, warn) {
    this.amount = amount
    this.warn = warn
    this.events = 0
    this.isTold = false
  }

  /** @param {Pick<import('../follow/followers').Sample, 'point' | 'totals'>} sample */
  sample ({ point, totals }) {
    this.events += point.streams?.events ?? 0
    if (this.isTold || this.events === 0 || totals.completed > 0 || point.time + point.length < PATIENCE) return
    this.isTold = true
    this.warn(`${formatInteger(this.events)} events arrived, and no stream has ended: the run ends after ` +
      `${amountText(this.amount)}. --stream-for or --events closes streams in order, Ctrl-C ends the run`)
  }
}

module.exports = { EndlessStreams }
