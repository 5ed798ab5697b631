'use strict'

// The content of one completion: events with output, tokens, and its end. It is read from the JSON of events. Most
// events differ from the previous one only in a text, and need no JSON.parse.

const { isRecord, show } = require('../../core/foreign-text')
const {
  CONTENT, NONE, REASONING, contentIn, isErrorIn, isGiven, isPlausible, isTokens, kindIn, reasoningIn, usageIn
} = require('./chunk')
const { Likeness } = require('./likeness')

const DONE = Buffer.from('[DONE]')

/** The longest shown error message. */
const LONGEST_MESSAGE = 200
/** The number of bits for choices: further choices share them. */
const BITS = 31
/** The limit of kept finish reasons. */
const MOST_CHOICES = 128

/**
 * @typedef {'AC_LLM_EMPTY' | 'AC_LLM_ERROR' | 'AC_LLM_JSON' | 'AC_LLM_TRUNCATED'} Code
 * @typedef {{ code: Code, message: string }} Failure
 */

/** @type {Failure} */
const EMPTY = { code: 'AC_LLM_EMPTY', message: 'the stream ended with [DONE] before any chunk' }

class Completion {
  constructor () {
    this.likeness = new Likeness()
    this.left = Infinity
    // Events since the last `count`: those with output; of these, those with content, and those with reasoning.
    this.outputs = 0
    this.contents = 0
    this.reasonings = 0
    /** Texts and parts of tool calls in them; an event may have one for each choice. */
    this.deltas = 0
    // For the whole response: tokens as reported by the server; −1 without a report.
    this.tokens = -1
    this.promptTokens = -1
    /** Whether its reported usage is impossible. */
    this.isLying = false
    /** The finish reasons of its choices. @type {string[]} */
    this.finishes = []
    // Choices with output, and choices that have ended, as bits.
    this.begun = 0
    this.ended = 0
    /** Whether an event was a JSON object. */
    this.hasChunk = false
    this.isDone = false
    this.size = 0
    /** The first failure. @type {Failure | null} */
    this.failure = null
  }

  reset () {
    this.count()
    this.tokens = this.promptTokens = -1
    this.isLying = this.hasChunk = this.isDone = false
    this.begun = this.ended = this.size = 0
    if (this.finishes.length > 0) this.finishes = []
    this.failure = null
    this.likeness.reset()
  }

  /** Resets the counts of events. */
  count () {
    this.outputs = this.contents = this.reasonings = this.deltas = 0
  }

  /** @returns {Failure | null} the failure of a response that has ended */
  get fault () {
    if (this.failure !== null) return this.failure
    // Events that were recognized without parsing have output.
    if (this.isDone) return this.hasChunk || this.begun !== 0 ? null : EMPTY
    return this.ended !== 0 && (this.begun & ~this.ended) === 0
      ? null
      : { code: 'AC_LLM_TRUNCATED', message: 'the stream ended without a finish_reason and without [DONE]' }
  }

  /**
   * @param {Buffer} bytes with the data of an event
   * @param {number} start
   * @param {number} end
   * @param {boolean} isError whether the name of the event is `error`
   */
  read (bytes, start, end, isError) {
    if (this.isDone || this.left-- <= 0) return
    if (!isError) {
      const kind = this.likeness.kindOf(bytes, start, end)
      if (kind !== NONE) {
        this.begun |= this.likeness.bit
        return this.add(kind === CONTENT ? 1 : 0, kind === REASONING ? 1 : 0)
      }
      if (end - start >= DONE.length && isDone(bytes, start, end)) {
        this.isDone = true
        return
      }
    }
    /** @type {any} */
    const chunk = parsed(bytes.toString('utf8', start, end))
    if (isError) return this.fail('AC_LLM_ERROR', messageOf(chunk?.error ?? chunk, bytes, start, end))
    if (!isRecord(chunk)) {
      return this.fail('AC_LLM_JSON', `an event is not a JSON object: ${cutText(bytes, start, end)}`)
    }
    this.hasChunk = true
    this.take(chunk)
    if (kindIn(chunk) === NONE) return
    const [{ index }] = /** @type {any[]} */ (chunk.choices)
    this.likeness.learn(bytes, start, end, bitOf(index))
  }

  /**
   * Counts a complete event that is like an earlier one, without searching for its lines.
   * @param {Buffer} bytes
   * @param {number} start offset of the event
   * @param {number} end
   * @returns {number} the offset after the event; −1 when `read` has to process it
   */
  skip (bytes, start, end) {
    if (this.isDone || this.left <= 0) return -1
    const { likeness } = this
    const next = likeness.endOf(bytes, start, end)
    if (next === -1) return -1
    this.left--
    this.begun |= likeness.bit
    this.add(likeness.kind === CONTENT ? 1 : 0, likeness.kind === REASONING ? 1 : 0)
    return next
  }

  /**
   * Counts an event with output.
   * @param {number} contents number of texts and parts of tool calls
   * @param {number} reasonings
   */
  add (contents, reasonings) {
    this.outputs++
    if (contents > 0) this.contents++
    if (reasonings > 0) this.reasonings++
    this.deltas += contents + reasonings
  }

  /** @param {Record<string, any>} chunk */
  take (chunk) {
    const { choices, error } = chunk
    if (isErrorIn(chunk)) this.fail('AC_LLM_ERROR', messageOf(isGiven(error) ? error : chunk))
    let contents = 0
    let reasonings = 0
    for (const choice of Array.isArray(choices) ? choices : []) {
      if (!isRecord(choice)) continue
      const content = contentIn(choice)
      const reasoning = reasoningIn(choice)
      const bit = bitOf(choice.index)
      if (content + reasoning > 0) this.begun |= bit
      contents += content
      reasonings += reasoning
      if (isGiven(choice.finish_reason)) this.finish(choice.finish_reason, bit, choice.index)
    }
    if (contents + reasonings > 0) this.add(contents, reasonings)
    const usage = usageIn(chunk)
    if (usage !== null) this.use(usage)
  }

  /**
   * Some servers send the finish reason of a choice repeatedly.
   * @type {(reason: unknown, bit: number, index: unknown) => void}
   */
  finish (reason, bit, index) {
    if ((this.ended & bit) !== 0 && (!(Number(index) >= BITS) || this.finishes.length >= MOST_CHOICES)) return
    this.ended |= bit
    this.finishes.push(typeof reason === 'string' ? reason : 'other')
    if (reason === 'error') this.fail('AC_LLM_ERROR', 'finish_reason error')
  }

  /** The last usage counts: some servers send one with each event. @param {Record<string, any>} usage */
  use (usage) {
    const { completion_tokens: completion, prompt_tokens: prompt } = usage
    if (completion !== undefined && completion !== null) {
      this.isLying = !isPlausible(usage, this.size)
      this.tokens = this.isLying ? -1 : completion
    }
    if (isTokens(prompt)) this.promptTokens = prompt
  }

  /** @type {(code: Code, message: string) => void} */
  fail (code, message) {
    this.failure ??= { code, message }
  }
}

/** @param {unknown} index of a choice */
const bitOf = index => 1 << (Number.isSafeInteger(index) ? Math.abs(Number(index) % BITS) : 0)

/** @param {string} text @returns {any} null if it is not JSON */
function parsed (text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @type {(bytes: Buffer, start: number, end: number) => boolean} */
function isDone (bytes, start, end) {
  if (bytes[start] !== DONE[0]) return false
  return bytes.toString('latin1', start, Math.min(end, start + 32)).trim() === '[DONE]'
}

/** @type {(bytes: Buffer, start: number, end: number) => string} */
const cutText = (bytes, start, end) =>
  show(bytes.toString('utf8', start, Math.min(end, start + LONGEST_MESSAGE)).slice(0, LONGEST_MESSAGE / 2))

/** @type {(error: any, bytes?: Buffer, start?: number, end?: number) => string} */
function messageOf (error, bytes = DONE, start = 0, end = 0) {
  const message = isRecord(error) ? error.message ?? error.code ?? error.type : error
  const text = typeof message === 'string' || typeof message === 'number'
    ? String(message)
    : isRecord(error) ? JSON.stringify(error).slice(0, 2 * LONGEST_MESSAGE) : bytes.toString('utf8', start, end)
  return text === '' ? 'an error without a message' : show(text.slice(0, LONGEST_MESSAGE))
}

module.exports = { Completion }
