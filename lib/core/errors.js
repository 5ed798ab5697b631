'use strict'

// The error classes, and each error code with its meaning and advice. error-codes.json declares them. Our codes never
// change their meaning; those of the system, OpenSSL and Node.js (ECONNREFUSED …) are passed through.

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

/** Such as AC_H2_RESET_CANCEL. @param {'RESET' | 'GOAWAY'} frame @param {string} meaning */
const ofHttp2 = (frame, meaning) =>
  Object.fromEntries(HTTP2_ERRORS.slice(1).map(name => [`AC_H2_${frame}_${name}`, `${meaning}: ${name}`]))

/** @typedef {Record<string, { meaning: string, hint?: string }>} Declared `hint` may be the name of a shared one */

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

/** The same for codes of others. */
const FOREIGN_CODES = Object.freeze(meaningsOf(foreign))

// Maps, because a server or an agent chooses the end of some codes: an object has a toString.
const DECLARED = new Map(Object.entries(/** @type {Declared} */ ({ ...ours, ...foreign })))
const SHARED_HINTS = new Map(Object.entries(hints))
const HTTP2_HINTS = new Map(Object.entries(http2Hints))

/** Codes that end with the error code or the close code of the server. */
const FROM_SERVER = /^AC_(?:H2_RESET|H2_GOAWAY|WS_CLOSE)_(.+)$/

/**
 * @param {string} code
 * @returns {string | undefined} advice, as a sentence; none for a code that no request ends with
 */
function hintOf (code) {
  const [, end] = FROM_SERVER.exec(code) ?? []
  const hint = DECLARED.get(code)?.hint ?? (end === undefined ? undefined : HTTP2_HINTS.get(end) ?? 'SERVER_LOG')
  return hint === undefined ? undefined : SHARED_HINTS.get(hint) ?? hint
}

/** The close code of an application, which the server sent (RFC 6455 §7.4.2). */
const CLOSE = /^AC_WS_CLOSE_([34]\d{3})$/

/**  @type {(code: string) => string | undefined} */
function meaningOf (code) {
  const [, closeCode] = CLOSE.exec(code) ?? []
  if (closeCode !== undefined) return `the server closed the WebSocket with the code ${closeCode} of its application`
  return CODES[code] ?? FOREIGN_CODES[code]
}

/** The base of every error of this project. Its message is printable, even with quotations. */
class AutocannonError extends Error {
  /**
   * @param {string} code a key of CODES
   * @param {string} [message] what was given and what to do; the meaning of the code by default
   * @param {{ cause?: unknown }} [options]
   */
  constructor (code, message = CODES[code], options) {
    super(printableLines(withoutColours(message)), options)
    this.name = new.target.name
    this.code = code
  }
}

/** Wrong use: every problem that was found with the options, at once. */
class OptionsError extends AutocannonError {
  /** @param {string[]} problems one sentence each */
  constructor (problems) {
    const lines = problems.map(printable)
    super('AC_OPTIONS', lines.join('\n'))
    this.problems = lines
  }

  /**
   * @template T
   * @param {string} what has getters and proxies of the user, which may throw anything
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

/** The words of a hook may have a whole response in them. */
const LONGEST_WORDS = 500

/** Modules that cannot be used in this thread, by their errors. @type {WeakMap<object, string>} */
const UNUSABLE = new WeakMap()

/** A function of the user's failed: the run can't go on. */
class HookError extends AutocannonError {
  /** @param {string} message which hook, and how it failed @param {unknown} [cause] */
  constructor (message, cause) {
    super('AC_HOOK', message, { cause })
  }

  /**
   * Nothing has been sent then.
   * @param {string | null} path of the module
   * @param {string} message
   * @param {unknown} [cause]
   */
  static notLoaded (path, message, cause) {
    return HookError.ofModule(path, new HookError(message, cause))
  }

  /**
   * Returns the same error, which is of a module that cannot be used.
   * @type {<T extends Error>(path: string | null, error: T) => T}
   */
  static ofModule (path, error) {
    if (path !== null) UNUSABLE.set(error, path)
    return error
  }

  /** Returns the path of the module that cannot be used; null for another error. @param {object} error */
  static unusableOf (error) {
    return UNUSABLE.get(error) ?? null
  }

  /**
   * @param {string} hook its name and request
   * @param {unknown} cause the thrown value
   */
  static failed (hook, cause) {
    // A URL in it may have a token.
    const { redactedText } = require('./secrets')
    return new HookError(`${hook} failed: ${redactedText(HookError.wordsOf(cause))}`, cause)
  }

  /** @param {unknown} thrown anything */
  static wordsOf (thrown) {
    return oneLine(messageOf(thrown) ?? `it threw ${looksOf(thrown)}`, LONGEST_WORDS)
  }
}

/**
 * @param {any} thrown anything: to look at it may throw again
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

/** An agent is not there any more: its generators report nothing more, and the run may go on without them. */
class AgentLostError extends AutocannonError {
  /**
   * @param {string} message which agent, and how that was noticed
   * @param {string} [reason] the reason alone, where the name of the agent is beside it
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

/** Codes of requests that waited for too long. @type {ReadonlySet<string>} */
const TIMEOUTS = new Set(['AC_TIMEOUT', 'AC_IDLE_TIMEOUT'])

/** Returns whether a request has waited for too long. @type {(error: Error & { code?: string }) => boolean} */
function isTimeout ({ code }) {
  return code !== undefined && TIMEOUTS.has(code)
}

/** A request or a connection failed without a violation of the protocol. */
class ConnectionError extends AutocannonError {}

module.exports = {
  CODES, FOREIGN_CODES, HTTP2_ERRORS, TIMEOUTS, hintOf, meaningOf, AutocannonError, OptionsError, HookError,
  AgentLostError, ProtocolError, ConnectionError, codeOf, isTimeout, messageOf, looksOf
}
