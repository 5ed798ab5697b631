'use strict'

// Measures the arrival of tokens of one completion. streams/openai detects tokens.

/** @typedef {import('../instruments/tokens/record').TokenTally} TokenTally */

class CompletionTimes {
  /** @param {import('../instruments/tokens/record').Tokens} counts */
  constructor (counts) {
    this.counts = counts
    /** The tallies for this completion. @type {ReadonlyArray<TokenTally>} */
    this.tallies = []
    /** The times of its stage. @type {import('../instruments/stages/stage-times').StageTimes | null} */
    this.stage = null
    this.hasContent = false
    this.hasReasoning = false
    this.outputs = 0
    this.deltas = 0
    // −0: see Recorder. The times of the request, and of the first and the last event with output.
    this.origin = -0
    this.firstAt = -0
    this.lastAt = -0
  }

  /**
   * Starts a response.
   * @param {string | null} name of its request
   * @param {string | null} scenario of its request
   * @param {number} origin start of its latency
   * @param {import('../instruments/stages/stage-times').StageTimes | null} stage
   */
  open (name, scenario, origin, stage) {
    this.tallies = this.counts.talliesOf(name, scenario)
    this.stage = stage
    this.hasContent = this.hasReasoning = false
    this.outputs = this.deltas = 0
    this.origin = origin
  }

  /**
   * @param {import('../streams/stream').Delivered} delivered by the events of one read
   * @param {number} at arrival time
   */
  read (delivered, at) {
    const { outputs, contents, reasonings, deltas } = delivered
    if (outputs === 0) return
    delivered.count()
    for (const tally of this.tallies) this.record(tally, outputs, contents, reasonings, deltas, at)
    if (this.stage !== null) this.recordStage(this.stage, outputs, contents, at)
    if (this.outputs === 0) this.firstAt = at
    if (contents > 0) this.hasContent = true
    if (reasonings > 0) this.hasReasoning = true
    this.outputs += outputs
    this.deltas += deltas
    this.lastAt = at
  }

  /**
   * @param {TokenTally} tally
   * @param {number} n events with output that arrived together
   * @param {number} contents
   * @param {number} reasonings
   * @param {number} deltas
   * @param {number} at
   */
  record (tally, n, contents, reasonings, deltas, at) {
    tally.outputs += n
    tally.deltas += deltas
    if (contents > 0 && !this.hasContent) tally.first(at - this.origin)
    if (reasonings > 0 && !this.hasReasoning) tally.firstReasoning.record(at - this.origin)
    if (this.outputs > 0) tally.interToken.record(at - this.lastAt)
    if (n > 1) tally.interToken.record(0, n - 1)
  }

  /**
   * @param {import('../instruments/stages/stage-times').StageTimes} stage
   * @param {number} n as in `record`
   * @param {number} contents
   * @param {number} at
   */
  recordStage ({ firstToken, interToken }, n, contents, at) {
    if (contents > 0 && !this.hasContent) firstToken?.record(at - this.origin)
    if (this.outputs > 0) interToken?.record(at - this.lastAt)
    if (n > 1) interToken?.record(0, n - 1)
  }

  /**
   * Completes the response, or ends one that was closed in order.
   * @param {import('../streams/stream').Delivered} delivered
   * @param {boolean} isLeft whether this side closed it
   * @returns {import('../streams/stream').Failure | null} its problem
   */
  finish (delivered, isLeft) {
    const { tokens, promptTokens, isLying, finishes } = delivered
    const failure = isLeft ? delivered.failure : delivered.fault
    const { outputs, deltas, firstAt, lastAt, origin } = this
    let perToken = NaN
    for (const tally of this.tallies) {
      perToken = tally.end({
        tokens, promptTokens, isLying, outputs, deltas, finishes, failure: failure?.code ?? null,
        spanMs: lastAt - firstAt, wholeMs: lastAt - origin
      })
    }
    if (!Number.isNaN(perToken)) this.stage?.perToken?.record(perToken)
    return failure
  }

  /**
   * Counts a response that timed out.
   * @param {import('../streams/stream').Delivered} delivered
   * @param {number} at
   */
  lose (delivered, at) {
    const misses = this.misses(delivered)
    for (const tally of this.tallies) {
      if (!this.hasContent) tally.first(at - this.origin)
      if (misses) tally.interToken.record(at - this.lastAt)
    }
    if (!this.hasContent) this.stage?.firstToken?.record(at - this.origin)
    if (misses) this.stage?.interToken?.record(at - this.lastAt)
  }

  /**
   * Counts an incomplete response at the end of the run.
   * @param {import('../streams/stream').Delivered} delivered
   * @param {number} at
   * @param {boolean} paced whether requests have an intended time
   * @param {number} stallMs the shortest gap that counts as a stall
   */
  abandon (delivered, at, paced, stallMs) {
    const isStall = at - this.lastAt > stallMs && this.misses(delivered)
    for (const tally of this.tallies) {
      if (!this.hasContent) tally.pending(at - this.origin, paced)
      if (isStall) tally.interToken.record(at - this.lastAt)
    }
  }

  /**
   * @param {import('../streams/stream').Delivered} delivered
   * @returns {boolean} whether more tokens should have followed
   */
  misses ({ fault }) {
    return this.outputs > 0 && fault !== null
  }
}

module.exports = { CompletionTimes }
