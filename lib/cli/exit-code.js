'use strict'

// The exit codes of the command line, and their order of precedence.

const EXIT = Object.freeze({ good: 0, impossible: 1, misuse: 2, failed: 3, unsure: 4 })

/** @typedef {import('../judge/inconclusive').Inconclusive} Inconclusive */

/** @type {Readonly<Record<string, number>>} the exit code of a run that a signal ended */
const SIGNALS = Object.freeze({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 })

/**
 * The first that applies: a signal ended the run (130 …), no response (1), a threshold or check failed (3) or was
 * inconclusive (4), an output could not be written (1). A full disk never hides a verdict: stderr reports both.
 * @param {Record<string, any>} result
 * @param {{ signal?: string | null, forever?: boolean, inconclusive?: Inconclusive }} [run] signal: received, perhaps
 *   after the end; forever: only a signal could end the run; inconclusive: how inconclusive checks count
 * @returns {number} the code if every output was written; see unwritten()
 */
function exitCodeOf (result, { signal = null, forever = false, inconclusive } = {}) {
  if (signal !== null && (forever || result.interrupted !== false)) return SIGNALS[signal]
  // Lazy: neither the help nor a wrong flag needs these.
  if (responsesOf(result) === 0 || require('../instruments/proxies/refused').isRefusedByProxy(result)) {
    return EXIT.impossible
  }
  const { hasFailed, isUnsure } = require('../report/headline')
  return verdictCode({ failed: hasFailed(result), unsure: isUnsure(result) }, inconclusive)
}

/**
 * @param {Record<string, any>} result raw, too
 * @returns {number} responses; 0 for none
 */
function responsesOf (result) {
  const { completed, sent, streams, websocket, errorCodes } = result.requests === undefined
    ? result.totals
    : { ...result, completed: result.requests.total, sent: result.requests.sent }
  // Connections without requests are intended if their pings get responses.
  const pongs = sent === 0 && websocket ? pingsIn(websocket.ping) - (errorCodes.AC_WS_PING_TIMEOUT ?? 0) : 0
  // Streams that are still open at the end of the run have events, but no completed response.
  return completed + (streams?.events ?? 0) + pongs
}

/** @param {{ totalCount?: number, buckets?: number[] }} ping of a result, or encoded in a raw one */
function pingsIn ({ totalCount, buckets = [] }) {
  return totalCount ?? buckets.reduce((sum, n, i) => i % 2 === 1 ? sum + n : sum, 0)
}

/**
 * @param {{ failed: boolean, unsure: boolean }} verdict failed: a check failed; unsure: a check was inconclusive
 * @param {Inconclusive} [inconclusive]
 * @returns {number}
 */
function verdictCode ({ failed, unsure }, inconclusive) {
  if (failed || (unsure && inconclusive === 'fail')) return EXIT.failed
  return unsure && inconclusive !== 'pass' ? EXIT.unsure : EXIT.good
}

/** Returns the exit code after an output could not be written. @type {(code: number) => number} */
function unwritten (code) {
  return code === EXIT.good ? EXIT.impossible : code
}

/** Returns the exit code after the reader of an output closed the pipe. @type {(code: number) => number} */
function unread (code) {
  return code === EXIT.good ? SIGNALS.SIGPIPE : code
}

module.exports = { EXIT, SIGNALS, responsesOf, exitCodeOf, verdictCode, unread, unwritten }
