'use strict'

// User functions that await something which never settles, and nothing of the run. A run by amount would wait for them
// for ever.

const { HookError } = require('../core/errors')
const { formatDuration } = require('../core/units')

/** A thread that sends nothing for this multiple of the timeout ends its run. */
const TIMEOUTS = 10
/** The shortest such time, ms. */
const LEAST = 60_000
/** The number of looks in that time. */
const LOOKS = 10

/**
 * @typedef {object} Seen of a user
 * @property {number} number
 * @property {boolean} closed
 * @property {{ requests: number, pauses: number } | null} iteration
 * @property {{ size: number } | null} sockets
 */

class Unsettled {
  /** @param {number} timeout of a request, ms */
  constructor (timeout) {
    this.limit = Math.max(TIMEOUTS * timeout, LEAST)
    /** ms between two looks */
    this.every = this.limit / LOOKS
    this.looks = 0
    this.sent = -1
  }

  /**
   * @param {number} sent so far
   * @param {ReadonlyArray<Seen>} users
   * @returns {HookError | null} why the run ends
   */
  look (sent, users) {
    const open = users.filter(({ closed }) => !closed)
    const isStill = sent === this.sent && open.length > 0 && open.every(awaitsNothing)
    this.sent = sent
    this.looks = isStill ? this.looks + 1 : 0
    if (this.looks < LOOKS) return null
    return new HookError(`the function of user ${open[0].number} has not ended, and awaited no request, pause or ` +
      `WebSocket for ${formatDuration(this.limit / 1000)}: is there an await that never ends? A longer timeout (-t) ` +
      'gives it more time')
  }
}

/** Whether nothing of the run can continue it. @param {Seen} user */
function awaitsNothing ({ iteration, sockets }) {
  return iteration !== null && iteration.requests === 0 && iteration.pauses === 0 && (sockets?.size ?? 0) === 0
}

module.exports = { Unsettled }
