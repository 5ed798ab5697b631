'use strict'

// The error classes, and each error code with its meaning and advice. error-codes.json declares them. Our codes never
// change their meaning. Codes of the system, OpenSSL and Node.js (ECONNREFUSED …) are passed through.

const { inspect, types } = require('node:util')
const { foreign, hints, http2Hints, ours } = require('./error-codes.json')
const { oneLine, printable, printableLines, withoutColours } = require('./foreign-text')
const { tryOr } = require('./try-or')

/** The error codes of HTTP/2 by number (RFC 9113 §7). */
const HTTP2_ERRORS = Object.freeze([
  'NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED',
  'FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'
])

/** Returns a code such as AC_H2_RESET_CANCEL. @param {'RESET' | 'GOAWAY'} frame @param {string} meaning */
const ofHttp2 = (frame, meaning) =>
  Object.fromEntries(HTTP2_ERRORS.slice(1).map(name => [`AC_H2_${frame}_${name}`, `${meaning}: ${name}`]))

/** @typedef {Record<string, { meaning: string, hint?: string }>} Declared `hint` may name a shared hint */

/** @param {Declared} codes */
const meaningsOf = codes => Object.fromEntries(Object.entries(codes).map(([code, { meaning }]) => [code, meaning]))

/** code → meaning. docs/errors.md repeats them; a test compares both. @type {Readonly<Record<string, string>>} */
const CODES = Object.freeze({
  ...meaningsOf(ours),
  ...ofHttp2('RESET', 'the server reset the stream'),
  AC_H2_RESET_HTTP_1_1_REQUIRED: 'the server requires HTTP/1.1 for this request: HTTP_1_1_REQUIRED',
  ...ofHttp2('GOAWAY', 'the server ended the connection')
})

/** @typedef {keyof typeof CODES} Code */

/** Meanings of codes of the system, OpenSSL and Node.js. */
const FOREIGN_CODES = Object.freeze(meaningsOf(foreign))

// Maps and not objects, because a server or an agent chooses the suffix of some codes, and `toString` would match.
const DECLARED = new Map(Object.entries(/** @type {Declared} */ ({ ...ours, ...foreign })))
const SHARED_HINTS = new Map(Object.entries(hints))
const HTTP2_HINTS = new Map(Object.entries(http2Hints))

/** Prefixes of codes that end with the error code or the close code of the server. */
const FROM_SERVER = /^AC_(?:H2_RESET|H2_GOAWAY|WS_CLOSE)_(.+)$/

/**
 * @param {string} code
 * @returns {string | undefined} advice, as a sentence; undefined for codes without advice
 */
function hintOf (code) {
  const [, end] = FROM_SERVER.exec(code) ?? []
  const hint = DECLARED.get(code)?.hint ?? (end === undefined ? undefined : HTTP2_HINTS.get(end) ?? 'SERVER_LOG')
  return hint === undefined ? undefined : SHARED_HINTS.get(hint) ?? hint
}

/** A close code of an application, sent by the server (RFC 6455 §7.4.2). */
const CLOSE = /^AC_WS_CLOSE_([34]\d{3})$/

/**  @type {(code: string) => string | undefined} */
function meaningOf (code) {
  const [, closeCode] = CLOSE.exec(code) ?? []
  if (closeCode !== undefined) return `the server closed the WebSocket with the code ${closeCode} of its application`
  return CODES[code] ?? FOREIGN_CODES[code]
}

/** The base of every error of this project. Its message is printable, even with quoted text of servers or users. */
class AutocannonError extends Error {
  /**
   * @param {string} code a key of CODES
   * @param {string} [message] what was given and what to do; default: the meaning of the code
   * @param {{ cause?: unknown }} [options]
   */
  constructor (code, message = CODES[code], options) {
    super(printableLines(withoutColours(message)), options)
    this.name = new.target.name
    this.code = code
  }
}

/** Wrong usage, with all problems of the options at once. */
class OptionsError extends AutocannonError {
  /** @param {string[]} problems one sentence each */
  constructor (problems) {
    const lines = problems.map(printable)
    super('AC_OPTIONS', lines.join('\n'))
    this.problems = lines
  }

  /**
   * @template T
   * @param {string} what the object that is read; its getters and proxies may throw anything
   * @param {() => T} read
   * @returns {T}
   * @throws {OptionsError} if it cannot be read
   */
  static reading (what, read) {
    try {
      return read()
    } catch (error) {
      throw error instanceof OptionsError
        ? error
        : new OptionsError([`could not read ${what}: ${HookError.wordsOf(error)}`])
    }
  }
}

/** The limit of a hook's message, which may contain a whole response. */
const LONGEST_WORDS = 500

/** Paths of modules that this thread cannot load, by their errors. @type {WeakMap<object, string>} */
const UNUSABLE = new WeakMap()

/** A user function failed, so the run cannot continue. */
class HookError extends AutocannonError {
  /** @param {string} message which hook, and how it failed @param {unknown} [cause] */
  constructor (message, cause) {
    super('AC_HOOK', message, { cause })
  }

  /**
   * The error of a module that could not be loaded: no request has been sent.
   * @param {string | null} path of the module
   * @param {string} message
   * @param {unknown} [cause]
   */
  static notLoaded (path, message, cause) {
    return HookError.ofModule(path, new HookError(message, cause))
  }

  /**
   * Marks an error as the load error of a module, and returns it.
   * @type {<T extends Error>(path: string | null, error: T) => T}
   */
  static ofModule (path, error) {
    if (path !== null) UNUSABLE.set(error, path)
    return error
  }

  /** Returns the path of a module that could not be loaded; null for another error. @param {object} error */
  static unusableOf (error) {
    return UNUSABLE.get(error) ?? null
  }

  /**
   * @param {string} hook the name of the hook and its request
   * @param {unknown} cause the thrown value
   */
  static failed (hook, cause) {
    // A URL in the message may have a token.
    const { redactedText } = require('./secrets')
    return new HookError(`${hook} failed: ${redactedText(HookError.wordsOf(cause))}`, cause)
  }

  /** @param {unknown} thrown anything */
  static wordsOf (thrown) {
    return oneLine(messageOf(thrown) ?? `it threw ${looksOf(thrown)}`, LONGEST_WORDS)
  }
}

/**
 * @param {any} thrown anything; reading it may throw again
 * @returns {string | null} its message; null for none
 */
function messageOf (thrown) {
  if (typeof thrown === 'string') return thrown
  return tryOr(null, () => {
    const { message, name } = thrown ?? {}
    if (typeof message === 'string' && message !== '') return message
    return types.isNativeError(thrown) && typeof name === 'string' ? name : null
  })
}

/** @param {unknown} thrown anything @returns {string} */
const looksOf = thrown =>
  tryOr('something that cannot be read', () => inspect(thrown, { depth: 0, customInspect: false }))

/** A lost agent: its generators report nothing more, and the run may continue without them. */
class AgentLostError extends AutocannonError {
  /**
   * @param {string} message which agent, and how the loss was detected
   * @param {string} [reason] the reason alone, for output that shows the agent's name separately
   * @param {'silent' | 'left' | 'failed'} [how]
   */
  constructor (message, reason = message, how = 'failed') {
    super('AC_AGENT', message)
    this.reason = printableLines(withoutColours(reason))
    this.how = how
  }
}

/** The server broke the protocol. */
class ProtocolError extends AutocannonError {}

/** Returns the code under which the error is counted. @type {(error: Error & { code?: string }) => string} */
function codeOf (error) {
  return error.code ?? error.name
}

/** Codes of timed-out requests. @type {ReadonlySet<string>} */
const TIMEOUTS = new Set(['AC_TIMEOUT', 'AC_IDLE_TIMEOUT'])

/** Returns whether a request timed out. @type {(error: Error & { code?: string }) => boolean} */
function isTimeout ({ code }) {
  return code !== undefined && TIMEOUTS.has(code)
}

/** A request or a connection failed without a violation of the protocol. */
class ConnectionError extends AutocannonError {}

module.exports = {
  CODES, FOREIGN_CODES, HTTP2_ERRORS, TIMEOUTS, hintOf, meaningOf, AutocannonError, OptionsError, HookError,
  AgentLostError, ProtocolError, ConnectionError, codeOf, isTimeout, messageOf, looksOf
}
