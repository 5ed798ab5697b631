'use strict'

// The content of one completion: events with output, tokens, and its end. It is read from the JSON of its events; most
// are like the last one but for a text, and need no JSON.parse.

const { isRecord, show } = require('../../core/foreign-text')
const {
  CONTENT, NONE, REASONING, contentIn, isErrorIn, isGiven, isPlausible, isTokens, kindIn, reasoningIn, usageIn
} = require('./chunk')
const { Likeness } = require('./likeness')

const DONE = Buffer.from('[DONE]')

/** The limit of an error's message. */
const LONGEST_MESSAGE = 200
/** Bits of an integer: choices beyond share them. */
const BITS = 31
/** The limit of kept choices. */
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
    // Events since they were last counted: those with output, and of these those with content, and with reasoning.
    this.outputs = 0
    this.contents = 0
    this.reasonings = 0
    /** Texts and parts of tool calls that they brought; an event may have one for each choice. */
    this.deltas = 0
    // Of the whole response. Tokens by the server's report; −1 without one.
    this.tokens = -1
    this.promptTokens = -1
    /** Whether its usage cannot be right. */
    this.isLying = false
    /** Why its choices ended. @type {string[]} */
    this.finishes = []
    // Which choices have had output, and which have ended, as bits.
    this.begun = 0
    this.ended = 0
    /** Whether an event was parsed as a JSON object. */
    this.hasChunk = false
    this.isDone = false
    this.size = 0
    /** The first thing that is wrong. @type {Failure | null} */
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

  /** The events so far have been counted. */
  count () {
    this.outputs = this.contents = this.reasonings = this.deltas = 0
  }

  /** @returns {Failure | null} the problem of a response that the server has ended */
  get fault () {
    if (this.failure !== null) return this.failure
    // Events that are like an earlier one are not parsed, and have output.
    if (this.isDone) return this.hasChunk || this.begun !== 0 ? null : EMPTY
    return this.ended !== 0 && (this.begun & ~this.ended) === 0
      ? null
      : { code: 'AC_LLM_TRUNCATED', message: 'the stream ended without a finish_reason and without [DONE]' }
  }

  /**
   * @param {Buffer} bytes with the data of an event
   * @param {number} start
   * @param {number} end
   * @param {boolean} isError whether the event is called so
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
   * Reads an event that is whole and like an earlier one, without looking for its lines.
   * @param {Buffer} bytes
   * @param {number} start where the event begins
   * @param {number} end
   * @returns {number} where the next one begins; −1 where `read` has to look at this one
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
   * An event has output.
   * @param {number} contents texts of the response, and parts of tool calls
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

  /** Some servers repeat it, as with the usage. @type {(reason: unknown, bit: number, index: unknown) => void} */
  finish (reason, bit, index) {
    if ((this.ended & bit) !== 0 && (!(Number(index) >= BITS) || this.finishes.length >= MOST_CHOICES)) return
    this.ended |= bit
    this.finishes.push(typeof reason === 'string' ? reason : 'other')
    if (reason === 'error') this.fail('AC_LLM_ERROR', 'finish_reason error')
  }

  /** The last one counts: some servers send one with each event. @param {Record<string, any>} usage */
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

/** @param {string} text @returns {any} null for no JSON */
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
