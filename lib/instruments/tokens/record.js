'use strict'

// Counts of completions: the times and numbers of their tokens, and how they ended.

const { CountsByKey } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')
const { WaitedTally, withWaits } = require('../../record/waited-tally')

/** Servers may send any reason. Further ones are counted together. */
const MOST_REASONS = 20
const LONGEST_REASON = 40

/**
 * @typedef {import('../../record/counts').ReportOf<typeof TokenTally>} TokenReport
 * @typedef {TokenReport & Record<import('../../record/waited-tally').Family, Array<TokenReport & { name: string }>>}
 *   TokensReport a plain object
 *
 * @typedef {object} Ended a completion that has ended in order
 * @property {number} tokens −1 if the server reported none
 * @property {number} promptTokens likewise
 * @property {boolean} isLying whether the reported usage cannot be right
 * @property {number} outputs events with output
 * @property {number} deltas
 * @property {ReadonlyArray<string>} finishes
 * @property {string | null} failure a code
 * @property {number} spanMs from the first output to the last
 * @property {number} wholeMs from its due time (with a rate), or its write, to the last output
 */

/** @extends {WaitedTally<TokenReport>} */
class TokenTally extends WaitedTally {
  static FIELDS = /** @type {const} */ ([
    'firstToken', 'firstReasoning', 'interToken', 'perToken', 'speed', 'perRequest', 'outputs', 'deltas', 'reported',
    'counted', 'usageTokens', 'usageDeltas', 'usageOutputs', 'invalidUsage', 'promptTokens', 'prompts', 'finishes',
    'failures'
  ])

  constructor () {
    super()
    /** From the due time of a request (with a rate), or its write, to its first event with content, ms. */
    this.firstToken = new Histogram()
    /** Likewise to its first event with reasoning. */
    this.firstReasoning = new Histogram()
    /** From one event with output to the next, ms. */
    this.interToken = new Histogram()
    /** From the first output to the last ÷ the tokens after the first, of each completion, ms. */
    this.perToken = new Histogram()
    /** Tokens per second of each completion, as if they were ms. */
    this.speed = new Histogram()
    /** Tokens of each completion, plus 1, as if they were µs: a histogram has no 0. */
    this.perRequest = new Histogram()
    /** Events with output. */
    this.outputs = 0
    /** Texts and parts of tool calls in these events. */
    this.deltas = 0
    /** Completions with a usage of the server, and those without, whose deltas are counted as tokens. */
    this.reported = 0
    this.counted = 0
    /** Tokens, deltas and events with output of completions with a usage. */
    this.usageTokens = 0
    this.usageDeltas = 0
    this.usageOutputs = 0
    /** Completions with a usage that cannot be right. */
    this.invalidUsage = 0
    this.promptTokens = 0
    /** Completions whose prompt tokens are known. */
    this.prompts = 0
    this.finishes = new CountsByKey(MOST_REASONS)
    /** Failed completions by code. */
    this.failures = new CountsByKey(MOST_REASONS)
  }

  get firsts () {
    return this.firstToken
  }

  /** @param {Ended} ended @returns {number} ms per token after the first; NaN without one */
  end ({ tokens, promptTokens, isLying, outputs, deltas, finishes, failure, spanMs, wholeMs }) {
    // A usage of 0 is wrong if there were deltas.
    const isKnown = tokens > 0 || (tokens === 0 && deltas === 0)
    if (isLying || (tokens === 0 && !isKnown)) this.invalidUsage++
    if (isKnown) {
      this.reported++
      this.usageTokens += tokens
      this.usageDeltas += deltas
      this.usageOutputs += outputs
    } else this.counted++
    const n = isKnown ? tokens : deltas
    this.perRequest.record((n + 1) / 1000)
    const perToken = outputs > 1 && n > 1 ? spanMs / (n - 1) : NaN
    if (!Number.isNaN(perToken)) this.perToken.record(perToken)
    if (outputs > 0 && wholeMs > 0) this.speed.record(n / wholeMs * 1000)
    if (promptTokens >= 0) {
      this.prompts++
      this.promptTokens += promptTokens
    }
    for (const reason of finishes) this.finishes.count(shortened(reason))
    if (failure !== null) this.failures.count(shortened(failure))
    return perToken
  }

  get hasCounted () {
    return this.outputs + this.reported + this.counted + this.firstToken.count > 0
  }
}

/** The completions of a run, and those of each named request and scenario. */
class Tokens extends withWaits(TokenTally, 'firstToken', ({ isCompletion }) => isCompletion) {}

/** The cut must not leave half of a surrogate pair, which UTF-8 cannot encode. @param {string} reason */
const shortened = reason => reason.slice(0, LONGEST_REASON).replace(/[\ud800-\udbff]$/, '')

module.exports = { Tokens, TokenTally, Total: Tokens }
