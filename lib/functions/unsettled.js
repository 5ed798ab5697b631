'use strict'

// User functions that await something which never settles: nothing of the run, or a request for which they leave no
// connection. A run by amount would wait for them for ever, and one by duration reports at its end how many there are.

const { HookError } = require('../core/errors')
const { formatDuration, plural } = require('../core/units')

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
 * @property {{ requests: number, pauses: number, changedAt: number } | null} iteration
 * @property {{ isAwaited: boolean } | null} sockets whether the function waits for a message of one, or for its end
 * @property {boolean} isBlocked whether a request waits for a connection, and streams that nothing reads have all
 * @property {{ length: number }} queue of requests that wait for a connection
 */

const UNBLOCK = 'Read or close streams first, or raise connectionsPerUser (--connections-per-user)'

class Unsettled {
  /** @param {number} timeout of a request, ms */
  constructor (timeout) {
    this.limit = Math.max(TIMEOUTS * timeout, LEAST)
    /** ms between two looks */
    this.every = this.limit / LOOKS
    this.looks = 0
    this.sent = -1
    this.changedAt = -Infinity
  }

  /**
   * @param {number} sent so far
   * @param {ReadonlyArray<Seen>} users
   * @returns {HookError | null} why the run ends
   */
  look (sent, users) {
    const open = users.filter(({ closed }) => !closed)
    const changedAt = lastChangeOf(open)
    const isStill = sent === this.sent && changedAt === this.changedAt && open.length > 0 &&
      open.every(user => user.isBlocked || awaitsNothing(user))
    this.sent = sent
    this.changedAt = changedAt
    this.looks = isStill ? this.looks + 1 : 0
    if (this.looks < LOOKS) return null
    const blocked = open.find(({ isBlocked }) => isBlocked)
    if (blocked !== undefined) {
      return new HookError(`a request of user ${blocked.number} has waited for a connection for ` +
        `${formatDuration(this.limit / 1000)}: streams of the same function that it does not read have all of them. ` +
        UNBLOCK)
    }
    return new HookError(`the function of user ${open[0].number} has not ended, and awaited no request, pause or ` +
      `WebSocket for ${formatDuration(this.limit / 1000)}: is there an await that never ends? A longer timeout (-t) ` +
      'gives it more time')
  }
}

/** @param {ReadonlyArray<Seen>} users @returns {number} the last `changedAt`; -Infinity for none */
function lastChangeOf (users) {
  let last = -Infinity
  for (const { iteration } of users) if (iteration !== null && iteration.changedAt > last) last = iteration.changedAt
  return last
}

/** Whether nothing of the run can continue it. @param {Seen} user */
function awaitsNothing ({ iteration, sockets }) {
  if (iteration === null || iteration.requests > 0 || iteration.pauses > 0) return false
  return sockets === null || !sockets.isAwaited
}

/**
 * @param {ReadonlyArray<Seen>} users when the run ends
 * @param {number} at the time now
 * @param {number} timeout of a request, ms
 * @returns {string[]} a line for each kind of them
 */
function unsettledAtEnd (users, at, timeout) {
  const open = users.filter(({ closed }) => !closed)
  const idle = open.filter(user => awaitsNothing(user) && at - Number(user.iteration?.changedAt) > timeout).length
  const waiting = open.reduce((sum, { isBlocked, queue }) => sum + (isBlocked ? queue.length : 0), 0)
  const lines = []
  if (idle > 0) {
    lines.push(`the function${idle === 1 ? '' : 's'} of ${plural(idle, 'user')} awaited no request, pause or ` +
      `WebSocket for more than ${formatDuration(timeout / 1000)} when the run ended: is there an await ` +
      'that never ends?')
  }
  if (waiting > 0) {
    lines.push(`${plural(waiting, 'request')} of user functions waited for a connection when the run ended: streams ` +
      `of the same function that it does not read had all of them. ${UNBLOCK}`)
  }
  return lines
}

module.exports = { Unsettled, unsettledAtEnd }
