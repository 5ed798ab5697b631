'use strict'

// Explains why a run with an amount does not end: user functions send no requests, or the server never ends its
// streams. A notice follows after some time without progress.

const { amountText, isOfIterations } = require('../core/amount')
const { formatInteger } = require('../core/units')
const { hasFlows, hasFunctions } = require('../options/users/user-rules')

/** ms */
const NOTICE_AFTER = 5000

class IdleUsers {
  /**
   * @param {unknown} amount of requests or iterations, after which the run ends
   * @param {(sentence: string) => void} warn
   */
  constructor (amount, warn) {
    this.amount = amount
    this.warn = warn
    this.byIterations = isOfIterations(amount)
    this.completed = 0
    /** Time without a sent request, ms. */
    this.idle = 0
    this.isReported = false
  }

  /** @param {import('../follow/followers').Tick} tick */
  tick ({ counter, iterations = 0, inFlight, length }) {
    const before = this.completed
    this.completed = this.byIterations ? iterations : before + counter
    this.idle = counter === 0 && inFlight === 0 && this.completed === before ? this.idle + length : 0
    if (this.isReported || this.idle < NOTICE_AFTER) return
    this.isReported = true
    const { amount, byIterations, completed, idle } = this
    this.warn(`no user function has sent a request for ${Math.round(idle / 1000)} s: the run ends after ` +
      `${amountText(amount)}, ${formatInteger(completed)} of which have ${byIterations ? 'ended' : 'a response'}, ` +
      'and waits for the rest. Is there a long pause, an await that never ends, or a return before the first ' +
      'request? Ctrl-C ends it')
  }
}

class EndlessStreams {
  /**
   * @param {unknown} amount of requests or iterations, after which the run ends
   * @param {(sentence: string) => void} warn
   */
  constructor (amount, warn) {
    this.amount = amount
    this.warn = warn
    this.events = 0
    this.isReported = false
  }

  /** @param {Pick<import('../follow/followers').Sample, 'point' | 'totals'>} sample */
  sample ({ point, totals }) {
    this.events += point.streams?.events ?? 0
    if (this.isReported || this.events === 0 || totals.completed > 0 || point.time + point.length < NOTICE_AFTER) return
    this.isReported = true
    this.warn(`${formatInteger(this.events)} events arrived, and no stream has ended: the run ends after ` +
      `${amountText(this.amount)}. --stream-for or --events closes streams in order, Ctrl-C ends the run`)
  }
}

/**
 * @param {import('../options/read').Reading['values']} values with an amount
 * @param {(sentence: string) => void} warn
 * @returns {import('../follow/followers').Follower[]}
 */
function endlessBy (values, warn) {
  const { amount, stream, streamFor, events } = values
  // Streams of completions end by themselves.
  const isEndless = stream !== undefined && stream !== 'openai' && (streamFor ?? events) === undefined
  return [
    ...isEndless ? [new EndlessStreams(amount, warn)] : [],
    ...hasFunctions(values) || hasFlows(values) ? [new IdleUsers(amount, warn)] : []
  ]
}

module.exports = { EndlessStreams, IdleUsers, endlessBy }
