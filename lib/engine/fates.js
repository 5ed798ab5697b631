'use strict'

// Settles requests without a response: each gets exactly one fate, and its row is freed.

const { ConnectionError, TIMEOUTS, codeOf, isTimeout } = require('../core/errors')
const { isIdempotent } = require('../requests/request')
const { NONE } = require('./exchanges')
const { noteLoss } = require('./exemplars')

/** The part of requests without a name. */
const NO_INSPECTOR = { tally: null }

/**
 * The limit of attempts to send one request again; the pipelining depth if that is more. Over HTTP/1.1 each connection
 * completes at least one response, so the pipelining depth bounds repetitions. Over HTTP/2 other streams complete, and
 * a request that ends each connection would be sent again until its timeout.
 */
const MAX_RESENDS = 8

class Fates {
  /**
   * @param {import('./exchanges').Exchanges} exchanges
   * @param {import('./responses').Responses} responses
   * @param {import('./shared').Shared} shared
   */
  constructor (exchanges, responses, shared) {
    this.exchanges = exchanges
    this.responses = responses
    this.shared = shared
  }

  /**
   * @param {import('../protocols/peer').Peer} peer of the connection that ended
   * @returns {Set<number>} rows of the requests to send again on the next connection: idempotent ones after the last
   *   that is not, without a byte of their response
   */
  repeatable (peer) {
    const { exchanges } = this
    const limit = Math.max(MAX_RESENDS, exchanges.capacity)
    const rows = new Set()
    for (let row = exchanges.newest; row !== NONE; row = exchanges.older[row]) {
      if (peer.untouched(row)) continue
      if (!isIdempotent(exchanges.methodOf(row))) break
      if (peer.hasBegun(row) || exchanges.resends[row] === limit) continue
      exchanges.resends[row]++
      rows.add(row)
    }
    return rows
  }

  /**
   * Fails requests in flight. After an orderly end or a timeout, the oldest one is truncated or timed out, and later
   * ones fail because of the lost connection. Requests to send again have no fate yet.
   * @param {Error & { code?: string } | null} error
   * @param {ReadonlySet<number>} kept rows of the requests to send again
   * @param {import('../protocols/peer').Peer | null} peer of the connection that ended; null if it never opened: it has
   *   no state of requests of an earlier connection
   */
  loseOldest (error, kept, peer) {
    const { responses, exchanges, shared: { now } } = this
    const at = now()
    const late = error !== null && isTimeout(error)
    // Before the first row is freed, because the peer identifies requests by rows.
    const cut = error === null && peer !== null ? exchanges.rows().filter(row => peer.hasBegun(row)) : []
    const reason = late ? new ConnectionError('AC_BEHIND_TIMEOUT') : error ?? new ConnectionError('AC_CLOSED')
    for (const row of exchanges.rows()) {
      // A failure may have ended the run by `bailout` or by a listener, which settled all requests.
      if (exchanges.count === 0) return
      if (kept.has(row)) continue
      // Without any response, requests are not sent again.
      if (peer !== null && responses.completed > 0 && peer.untouched(row)) continue
      if (late && responses.isOverdue(row, at)) this.lose(row, error, at)
      else this.lose(row, cut.includes(row) ? new ConnectionError('AC_TRUNCATED') : reason, at)
    }
  }

  /**
   * Settles a request without a response.
   * @param {number} row
   * @param {Error & { code?: string }} error
   * @param {number} at the time now
   */
  lose (row, error, at) {
    const { exchanges, shared: { recorder, observer } } = this
    const { responses: { readers, user, attempts } } = this
    const { tally } = exchanges.steps[row].inspector ?? NO_INSPECTOR
    const stage = exchanges.stages === null ? null : exchanges.stages[row]
    const started = exchanges.started[row]
    const origin = exchanges.origins[row]
    this.note(row, at - origin, codeOf(error))
    if (readers !== null && readers.areStreams) this.loseStream(readers, row, at, isTimeout(error))
    readers?.release(row)
    this.responses.waiting?.delete(row)
    exchanges.remove(row)
    const goesOn = user !== null && user.lost(error, at, row)
    const wholeMs = at - attempts.originOf(origin)
    if (goesOn) attempts.goOn(origin, started, 0, at)
    else attempts.end()
    if (isTimeout(error)) {
      recorder.timeOut(error, at - origin, at - started, observer, goesOn ? null : tally, stage, wholeMs)
    } else recorder.fail(error, observer, goesOn ? null : tally, stage)
  }

  /**
   * @param {import('../response/readers').Readers} readers
   * @param {number} row of a request that has failed
   * @param {number} at
   * @param {boolean} waited whether it timed out
   */
  loseStream (readers, row, at, waited) {
    const { origins, stages, steps } = this.exchanges
    const stream = readers.streamOf(row)
    if (steps[row].isStream) {
      const ms = waited && stream === null ? at - origins[row] : NaN
      this.shared.recorder.losePending(ms, 1, stages?.[row], this.partOf(readers, row))
    }
    stream?.lose(at, waited)
  }

  /**
   * @param {number} row of a request that has failed
   * @param {number} ms latency so far
   * @param {string} code
   */
  note (row, ms, code) {
    const { responses: { connection }, shared: { recorder } } = this
    const { slowest, failures } = recorder.instruments.exemplars
    if (TIMEOUTS.has(code) && recorder.hasPending && ms > slowest.floor) {
      noteLoss(slowest.enter(ms), connection, row, ms, code)
    }
    if (!failures.isOpen) return
    noteLoss(failures.draft, connection, row, ms, code)
    failures.keep(code)
  }

  /**
   * Handles a failed connect to the target of a redirect: the redirected request fails, and the user's iteration ends.
   * @param {Error & { code?: string }} error
   * @returns {boolean} whether a redirect was pending
   */
  strand (error) {
    const { responses: { user, attempts }, shared: { now } } = this
    const step = user === null ? null : user.stranded(error, now())
    if (step === null) return false
    step.inspector?.tally?.fail()
    attempts.end()
    return true
  }

  /**
   * @param {import('../response/readers').Readers} readers
   * @param {number} row
   * @param {number} at
   * @param {boolean} paced
   */
  abandonStream (readers, row, at, paced) {
    const stream = readers.streamOf(row)
    if (stream !== null) return stream.abandon(at, paced)
    readers.of(row)?.noteFault()
    if (!this.exchanges.steps[row].isStream) return
    const ms = at - this.exchanges.origins[row]
    this.shared.recorder.abandonPending(ms, paced, 1, null, this.partOf(readers, row))
  }

  /**
   * @param {import('../response/readers').Readers} readers
   * @param {number} row
   * @returns {import('../record/recorder').StreamPart} the part of the run to which its request belongs
   */
  partOf ({ expected }, row) {
    const step = this.exchanges.steps[row]
    return {
      name: step.inspector?.tally?.name ?? null,
      scenario: expected?.scenarioOf(step) ?? step.scenario,
      isCompletion: expected?.times !== null
    }
  }

  /**
   * Abandons requests in flight at the end of the run.
   * @param {boolean} paced whether requests have an intended time
   * @param {number} meanLatency of the responses, ms
   * @param {number} longestLatency of the responses, ms
   */
  abandon (paced, meanLatency, longestLatency) {
    const { exchanges, responses, shared: { recorder, correctsOmission, now } } = this
    const { user, attempts } = responses
    const { slowest } = recorder.instruments.exemplars
    const at = now()
    if (user !== null && exchanges.count > 0) user.abandoned(exchanges.started[exchanges.oldest], at)
    recorder.abandoned += exchanges.count
    while (exchanges.count > 0) {
      const row = exchanges.oldest
      const { tally } = exchanges.steps[row].inspector ?? NO_INSPECTOR
      const stage = exchanges.stages === null ? null : exchanges.stages[row]
      const latency = at - exchanges.origins[row]
      if (responses.readers?.areStreams) this.abandonStream(responses.readers, row, at, paced)
      const wholeMs = at - attempts.originOf(exchanges.origins[row])
      const counts = paced
        ? correctsOmission && recorder.recordPendingPaced(latency, meanLatency, 1, tally, stage, wholeMs)
        : recorder.recordPendingUnpaced(latency, longestLatency, tally, stage, wholeMs)
      if (counts && recorder.hasPending && latency > slowest.floor) {
        noteLoss(slowest.enter(latency), responses.connection, row, latency, null)
      }
      exchanges.remove(row)
      stage?.abandon()
    }
  }
}

module.exports = { Fates }
