'use strict'

// When a thread was ready to run and had to wait for a core: what is late then is not the fault of its program. Only
// Linux tells (schedstat); elsewhere there are none, and everything is judged.

const { readFileSync } = require('node:fs')
const { sharedNow } = require('../../lib/core/clock')

const INTERVAL = 20
/** Waits of less in an interval make nothing late that matters: 5 % of 100 ms are 5 ms. */
const LEAST = 4

/** @typedef {{ from: number, to: number, ms: number }} Wait */

class CoreWaits {
  constructor () {
    this.list = []
    this.last = { at: sharedNow(), waited: waited() }
    this.timer = setInterval(() => this.look(), INTERVAL).unref()
  }

  look () {
    const now = { at: sharedNow(), waited: waited() }
    const ms = now.waited - this.last.waited
    if (ms >= LEAST) this.list.push({ from: this.last.at, to: now.at, ms })
    this.last = now
  }

  stop () {
    clearInterval(this.timer)
    this.look()
    return this.list
  }
}

/** @returns {number} how long this thread has waited for a core since it began, ms */
function waited () {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

module.exports = { CoreWaits, waited }
