'use strict'

// Counts of completions: the times and numbers of their tokens, and their ends.

const { CountsByKey } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')
const { WaitedTally, withWaits } = require('../../record/waited-tally')

/** Servers make up reasons; those beyond this number are counted together. */
const MOST_REASONS = 20
const LONGEST_REASON = 40

/**
 * @typedef {import('../../record/counts').ReportOf<typeof TokenTally>} TokenReport
 * @typedef {TokenReport & Record<import('../../record/waited-tally').Family, Array<TokenReport & { name: string }>>}
 *   TokensReport a plain object
 *
 * @typedef {object} Ended a completion that has ended in order
 * @property {number} tokens −1 if the server does not report them
 * @property {number} promptTokens likewise
 * @property {boolean} isLying whether the usage that it reports cannot be right
 * @property {number} outputs events with output
 * @property {number} deltas
 * @property {ReadonlyArray<string>} finishes
 * @property {string | null} failure a code
 * @property {number} spanMs from the first output to the last
 * @property {number} wholeMs from when it was due (with a rate) or written to the last output
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
    /** From when a request was due (with a rate) or written to its first event with content, ms. */
    this.firstToken = new Histogram()
    /** Likewise with reasoning. */
    this.firstReasoning = new Histogram()
    /** From one event with output to the next, ms. */
    this.interToken = new Histogram()
    /** From the first output to the last by the tokens after the first, of each completion, ms. */
    this.perToken = new Histogram()
    /** Tokens per second of each completion, as if they were ms. */
    this.speed = new Histogram()
    /** One more than the tokens of each, where a time has µs: a histogram has no 0. */
    this.perRequest = new Histogram()
    this.outputs = 0
    /** Texts and parts of tool calls in them. */
    this.deltas = 0
    /** Completions whose tokens the server has counted, and those whose deltas are counted instead of them. */
    this.reported = 0
    this.counted = 0
    /** Tokens, deltas and events with output of the former. */
    this.usageTokens = 0
    this.usageDeltas = 0
    this.usageOutputs = 0
    /** Completions of which the server reports a usage that cannot be right. */
    this.invalidUsage = 0
    this.promptTokens = 0
    /** Completions of which they are known. */
    this.prompts = 0
    this.finishes = new CountsByKey(MOST_REASONS)
    /** By code. */
    this.failures = new CountsByKey(MOST_REASONS)
  }

  get firsts () {
    return this.firstToken
  }

  /** @param {Ended} ended @returns {number} ms per token after the first; NaN where it has none */
  end ({ tokens, promptTokens, isLying, outputs, deltas, finishes, failure, spanMs, wholeMs }) {
    // A request that has received a token had one.
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

/** Half of a surrogate pair can't be encoded. @param {string} reason */
const shortened = reason => reason.slice(0, LONGEST_REASON).replace(/[\ud800-\udbff]$/, '')

module.exports = { Tokens, TokenTally, Total: Tokens }
