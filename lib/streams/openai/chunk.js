'use strict'

// Reads one event of a completion: deltas of content and of reasoning, and the usage.

const { isRecord } = require('../../core/foreign-text')

/** The limit of plausible tokens: the largest contexts are 10 million (2026). */
const MOST_TOKENS = 1e7

const NONE = 0
const CONTENT = 1
const REASONING = 2

/** @param {unknown} value @returns {boolean} */
const isGiven = value => value !== undefined && value !== null && value !== false && value !== ''

/** @param {unknown} value @returns {boolean} whether it is a plausible number of tokens */
const isTokens = value => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS

/**
 * Each sent token has at least one byte. Tokens of reasoning may be counted without being sent.
 * @param {Record<string, any>} usage
 * @param {number} bytes size of the body so far
 */
function isPlausible ({ completion_tokens: tokens, completion_tokens_details: details }, bytes) {
  const reasoning = isRecord(details) && isTokens(details.reasoning_tokens) ? Number(details.reasoning_tokens) : 0
  return isTokens(tokens) && tokens - reasoning <= bytes
}

/** @param {unknown} value */
const isText = value => typeof value === 'string' && value !== ''

/** @param {unknown} value a text, or an array of parts @returns {number} how many texts */
const textsIn = value => isText(value) || (Array.isArray(value) && value.length > 0) ? 1 : 0

/** @param {Record<string, any>} choice @returns {number} number of deltas of content: texts and parts of tool calls */
function contentIn ({ delta, text }) {
  if (!isRecord(delta)) return textsIn(text)
  const { content, refusal, tool_calls: calls, function_call: call, audio } = delta
  return textsIn(content) + textsIn(refusal) + (Array.isArray(calls) ? calls.length : 0) +
    (isRecord(call) ? 1 : 0) + (isRecord(audio) ? 1 : 0)
}

/**
 * DeepSeek, vLLM and others use `reasoning_content`, OpenRouter and Groq `reasoning`.
 * @param {Record<string, any>} choice
 * @returns {number} number of deltas of reasoning
 */
function reasoningIn ({ delta }) {
  if (!isRecord(delta)) return 0
  // Some servers send both, with the same text.
  return textsIn(delta.reasoning_content) || textsIn(delta.reasoning)
}

/**
 * @param {any} chunk
 * @returns {number} CONTENT or REASONING for an event with one text of one choice and nothing else; NONE otherwise
 */
function kindIn (chunk) {
  if (!isRecord(chunk) || isErrorIn(chunk) || usageIn(chunk) !== null) return NONE
  const { choices } = chunk
  if (!Array.isArray(choices) || choices.length !== 1 || !isRecord(choices[0])) return NONE
  const [choice] = choices
  const [content, reasoning] = [contentIn(choice), reasoningIn(choice)]
  if (isGiven(choice.finish_reason) || content + reasoning !== 1) return NONE
  return content === 1 ? CONTENT : REASONING
}

/** @param {Record<string, any>} chunk */
const isErrorIn = ({ error, object }) => isGiven(error) || object === 'error'

/** @param {Record<string, any>} chunk @returns {Record<string, any> | null} null for none */
function usageIn ({ usage, x_groq: groq }) {
  if (isRecord(usage)) return usage
  return isRecord(groq?.usage) ? groq.usage : null
}

module.exports = {
  CONTENT, NONE, REASONING, contentIn, isErrorIn, isGiven, isPlausible, isTokens, kindIn, reasoningIn, usageIn
}
