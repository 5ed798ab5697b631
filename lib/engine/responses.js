'use strict'

// Handles the responses on one connection: receives events of a peer, counts responses, and runs hooks and checks.

const { ConnectionError } = require('../core/errors')
const { NONE } = require('./exchanges')
const { FINE, FAILED, MISMATCHED } = require('../response/reader')
const { noteResponse } = require('./exemplars')
const { Attempts } = require('../users/attempts')

/**
 * @typedef {import('../response/readers').Readers} Readers
 * @typedef {import('../protocols/peer').Receiver} Receiver
 */

/** Replaces an unknown arrival time. */
const UNKNOWN = -1

/** @implements {Receiver} */
class Responses {
  /**
   * @param {import('./connection').Connection} connection that sends the requests
   * @param {import('./exchanges').Exchanges} exchanges
   * @param {Pick<import('./shared').Shared, 'recorder' | 'observer' | 'onFailure'>} shared
   */
  constructor (connection, exchanges, { recorder, observer, onFailure }) {
    this.connection = connection
    this.exchanges = exchanges
    this.recorder = recorder
    this.exemplars = recorder.instruments.exemplars
    this.observer = observer
    this.onFailure = onFailure
    /** @type {Readers | null} null while responses are not inspected */
    this.readers = null
    /**
     * @type {import('../users/user').User | import('../functions/lane').Lane |
     *   import('../functions/sockets/socket-lane').SocketLane | null} the user that waits for responses; null if
     *   requests do not depend on responses
     */
    this.user = null
    /** The start of the request that the user continues with. */
    this.attempts = new Attempts()
    /** The arrival time of the last bytes; if unknown, the time of the read. */
    this.readAt = 0
    /** Their arrival time in the kernel; UNKNOWN if only the time of the read is known. */
    this.arrival = UNKNOWN
    /** The number of responses since the connection was opened. */
    this.completed = 0
    /**
     * Rows of requests that wait for a stream, each with whether a stream has carried it before; null before the first.
     * @type {Map<number, boolean> | null}
     */
    this.waiting = null
  }

  /** @returns {boolean} whether responses are inspected */
  get looks () {
    return this.readers !== null
  }

  /**
   * Uses the current time for bytes that arrived before the write of their request, so that no latency is negative. The
   * wall clock may have been set, or the server may have responded early.
   * @param {number} started time of the write
   * @returns {number} `readAt`
   */
  readAfter (started) {
    if (this.readAt < started) this.readAt = this.connection.now()
    return this.readAt
  }

  /** @returns {boolean} whether a stream has delivered data */
  get hasMessages () {
    const { exchanges, readers } = this
    return readers !== null && readers.areStreams &&
      exchanges.rows().some(row => (readers.streamOf(row)?.messages ?? 0) > 0)
  }

  /**
   * @param {number} at the time now
   * @returns {number} the row of a request that has timed out; NONE without any. The oldest request times out first,
   *   except for streams and for requests with individual timeouts
   */
  overdue (at) {
    const { exchanges, readers, user } = this
    if (exchanges.count === 0) return NONE
    if ((readers !== null && readers.areStreams) || (user !== null && user.timeouts !== null)) {
      return exchanges.rows().find(row => this.isOverdue(row, at)) ?? NONE
    }
    return this.isOverdue(exchanges.oldest, at) ? exchanges.oldest : NONE
  }

  /** @type {(row: number, at: number) => boolean} */
  isOverdue (row, at) {
    const { connection: { shared }, exchanges, readers, user } = this
    const stream = readers !== null && readers.areStreams ? readers.streamOf(row) : null
    return stream === null
      ? at - exchanges.started[row] >= (user?.timeouts?.[row] ?? user?.timeout ?? shared.timeout)
      : stream.isIdle(at)
  }

  /** @param {number} row of a request that is overdue */
  timeoutOf (row) {
    return this.readers?.streamOf(row) == null
      // The message of autocannon 9, which scripts search for.
      ? new ConnectionError('AC_TIMEOUT', 'request timed out')
      : new ConnectionError('AC_IDLE_TIMEOUT')
  }

  /** @type {Receiver['onHead']} */
  onHead (row, head) {
    const { exchanges } = this
    const reader = /** @type {Readers} */ (this.readers).take(row)
    const isWanted = reader.begin(
      head, exchanges.steps[row], exchanges.requestOf(row), exchanges.contextOf(row), exchanges.expected[row]
    )
    if (reader.stream === null) return isWanted
    const stage = exchanges.stages === null ? null : exchanges.stages[row].times
    return reader.openStream(exchanges.origins[row], this.readAfter(exchanges.started[row]), stage)
  }

  /** @type {Receiver['onBody']} */
  onBody (row, buf, start, end) {
    const reader = this.readers === null ? null : this.readers.of(row)
    if (reader === null) return
    if (reader.stream !== null) reader.stream.add(buf, start, end, this.readAfter(this.exchanges.started[row]))
    reader.add(buf, start, end)
  }

  /** @type {Receiver['onTrailers']} */
  onTrailers (row, raw) {
    const reader = this.readers?.of(row)
    if (reader) reader.rawTrailers = raw
  }

  /** @type {Receiver['onComplete']} */
  onComplete (row, status, size, begunAt) {
    const { connection, recorder, exchanges, readers, user } = this
    const started = exchanges.started[row]
    if (this.arrival >= started) recorder.arrived++
    const readAt = this.readAfter(started)
    // The arrival of the first byte is unknown, or later than that of the last byte, which `readAfter` has corrected.
    if (begunAt < started || begunAt > readAt) begunAt = readAt
    if (readers !== null && readers.areStreams) readers.streamOf(row)?.finish(readAt)
    const origin = exchanges.origins[row]
    const ms = readAt - origin
    const counts = recorder.complete(status, size, ms, readAt - started, begunAt - started)
    const isSlow = counts && ms > this.exemplars.slowest.floor
    if (isSlow || status >= 400 || readers !== null) this.note(row, status, size, ms, begunAt - started, isSlow)
    exchanges.remove(row)
    this.completed++
    if (exchanges.stages !== null) recorder.completePart(exchanges.stages[row], status, size, ms, begunAt - started)
    connection.noteRoom(readAt)
    if (user === null) {
      if (readers !== null && !this.judge(readers, row, status, size, ms, begunAt - started)) return
    } else if (!this.deliver(user, row, status, size, begunAt, origin, started)) return
    if (this.observer.response !== null) this.observer.response(connection, status, size, ms)
  }

  /**
   * Whether the response is one of the slowest, a failure, or may become one by a check.
   * @type {(row: number, status: number, size: number, ms: number, ttfb: number, isSlow: boolean) => void}
   */
  note (row, status, size, ms, ttfb, isSlow) {
    const { connection, readers, exemplars: { slowest, failures } } = this
    if (isSlow) noteResponse(slowest.enter(ms), connection, row, status, size, ms, ttfb)
    if (status < 400 && readers === null) return
    if (!failures.isOpen) return
    noteResponse(failures.draft, connection, row, status, size, ms, ttfb)
    // Without a body, the status alone decides.
    if (status >= 400 && (readers === null || readers.of(row) === null)) failures.keep(null)
  }

  /** Handles the loss of a single request; others may still get responses. @type {Receiver['onLost']} */
  onLost (row, error) {
    const { connection } = this
    const readAt = this.readAfter(this.exchanges.started[row])
    connection.fates.lose(row, error, readAt)
    if (!connection.ended) connection.noteRoom(readAt)
  }

  /** The peer has changed its limit of requests in flight. */
  onLimit () {
    this.connection.limit()
  }

  /** @type {Receiver['onWait']} */
  onWait (row) {
    this.waiting ??= new Map()
    if (!this.waiting.has(row)) this.waiting.set(row, false)
  }

  /** Counts a repetition, but not if the request was waiting for its first stream. @type {Receiver['onRepeat']} */
  onRepeat (row) {
    if (this.waiting?.get(row) !== false) this.recorder.resent++
    this.waiting?.delete(row)
  }

  /**
   * Prepares requests in flight for a new connection.
   * @param {Map<number, boolean> | null} before `waiting` at the end of the last connection
   */
  onResent (before) {
    const { exchanges, waiting, recorder } = this
    for (const row of exchanges.rows()) {
      const wasSent = before?.get(row) ?? true
      if (waiting?.has(row)) waiting.set(row, wasSent)
      else if (wasSent) recorder.resent++
    }
  }

  /**
   * Delivers a response to the user, which may send the request again.
   * @param {NonNullable<Responses['user']>} user
   * @param {number} row
   * @param {number} status
   * @param {number} size
   * @param {number} begunAt
   * @param {number} origin start of its latency
   * @param {number} started time of the write
   * @returns {boolean} false if a hook failed, which ends the run
   */
  deliver (user, row, status, size, begunAt, origin, started) {
    const { readers, readAt, attempts } = this
    const reader = readers === null ? null : readers.of(row)
    if (reader !== null && user.goesOn(reader, readAt)) {
      if (status >= 400) this.exemplars.failures.keep(null)
      attempts.goOn(origin, started, size, readAt)
      const { client } = /** @type {Readers} */ (readers)
      if (client !== null) client.report('response', status, size, readAt - origin)
      readers?.release(row)
      return true
    }
    if (!Number.isNaN(attempts.origin)) {
      attempts.leaveOut(origin)
      size += attempts.size
      origin = attempts.origin
      started = attempts.started
      attempts.end()
    }
    if (readers !== null && !this.judge(readers, row, status, size, readAt - origin, begunAt - started)) return false
    if (reader !== null && reader.missing !== null) user.cut(`capture ${reader.missing}`, readAt, row)
    else user.responseEnded(readAt, row)
    return true
  }

  /**
   * Runs hooks on a complete response.
   * @param {Readers} readers
   * @param {number} row of the completed request
   * @param {number} status
   * @param {number} size of the responses to all attempts
   * @param {number} ms of all attempts
   * @param {number} ttfb of all attempts
   * @returns {boolean} false if a hook failed, which ends the run
   */
  judge (readers, row, status, size, ms, ttfb) {
    const { recorder, exemplars, user, exchanges: { stages } } = this
    const reader = readers.of(row)
    if (reader === null) return true
    const { inspector } = reader
    reader.ms = ms
    reader.ttfb = ttfb
    if (user !== null) reader.random = user.random
    const tally = inspector?.tally ?? null
    const stage = stages === null ? null : stages[row]
    if (tally !== null) recorder.completePart(tally, status, size, ms, ttfb)
    // Before hooks, which may end the run.
    const isError = status >= 400
    const allowed = isError && inspector !== null && inspector.allows(status)
    if (allowed) recorder.allow(tally, stage)
    else if (isError) exemplars.failures.keep(null)
    if (readers.judgesBody) recorder.compared++
    try {
      let verdict = reader.judge(ms)
      if (user !== null && !user.accepts(reader, row) && verdict === FINE) verdict = FAILED
      if (reader.stream !== null) reader.stream.conclude(reader, verdict === FINE && (!isError || allowed), ms, stage)
      if (verdict !== FINE && (!isError || allowed)) {
        recorder.fault(tally, stage)
        exemplars.failures.keep(verdict === MISMATCHED ? 'body' : 'check')
      }
      if (verdict === MISMATCHED) {
        // First, because this mismatch may end the run.
        if (this.observer.mismatch !== null) this.observer.mismatch(reader.utf8())
        recorder.mismatch()
      } else if (verdict === FAILED) recorder.countTowardsBailout(1)
      else if (reader.late !== null && user !== null) user.judgesLater(stage, isError && !allowed)
    } catch (error) {
      this.onFailure(/** @type {Error} */ (error))
      return false
    }
    if (readers.client !== null) readers.client.report('response', status, size, ms)
    readers.release(row)
    return true
  }
}

module.exports = { Responses }
