'use strict'

// All error codes of the project with their meanings. A code never changes its meaning. Codes of the operating system,
// OpenSSL and Node.js (ECONNREFUSED, CERT_HAS_EXPIRED …) are passed through; common ones have a meaning here.

const { inspect, types } = require('node:util')
const { oneLine, printable, printableLines, withoutColours } = require('./foreign-text')

/** The error codes of HTTP/2 by number (RFC 9113 §7). */
const HTTP2_ERRORS = Object.freeze([
  'NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED',
  'FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'
])

/** Such as AC_H2_RESET_CANCEL. @param {'RESET' | 'GOAWAY'} frame @param {string} meaning */
const ofHttp2 = (frame, meaning) =>
  Object.fromEntries(HTTP2_ERRORS.slice(1).map(name => [`AC_H2_${frame}_${name}`, `${meaning}: ${name}`]))

/** code → meaning. docs/errors.md repeats them; a test compares both. @type {Readonly<Record<string, string>>} */
const CODES = Object.freeze({
  AC_OPTIONS: 'an option is missing or invalid, or a flag or a key of a config is unknown',
  AC_ON_PORT_SPAWN: 'the command after -- could not be started',
  AC_ON_PORT_EXITED: 'the command after -- ended before it listened',
  AC_ON_PORT_TIMEOUT: 'the command after -- did not respond over HTTP in time',
  AC_ON_PORT_ENDED: 'the command after -- ended during the run',
  AC_NO_CONNECTION: 'no connection to any server of the run',
  AC_WATCH: 'a process cannot be watched: it does not exist, belongs to another user, or this system has no such data',
  AC_WATCH_ENDED: 'a watched process ended during the run',
  AC_WORKER: 'a worker thread crashed or ended early',
  AC_AGENT: 'an agent was lost during the run: its machine, its process or its network',
  AC_REDIS: 'agents are not available: Redis cannot be reached or used, or bullmq and ioredis are not installed',
  AC_AGGREGATE: 'results can be aggregated only if they are complete, given once, from simultaneous runs with ' +
    'skipAggregateResult, and of the same version and sampleInt',
  AC_OUTPUT: 'a report could not be written',
  AC_VIEW: 'a live view could not be opened: its address is in use, or does not belong to this machine',
  AC_HOOK: 'a hook could not be loaded, threw, or returned a promise or another invalid value',
  AC_TEMPLATE: 'values of a template are invalid at their place in every request, so nothing can be sent',
  AC_PIPELINED_CLIENT: 'a Client can change its requests only while pipelining is 1, because several requests in ' +
    'flight would be ambiguous',
  AC_TARGETS_CLIENT: 'with targets, a Client can only replace all its requests by setRequests, because the next one ' +
    'is not known in advance',
  AC_USERS_CLIENT: 'a Client cannot change the requests of a user with scenarios, pauses, captured values or a ' +
    'session: use setupRequest',

  AC_RUN_ENDED: 'the run ended before the request of a user function had its response',
  AC_ITERATION_OVER: 'a user function sent a request after its iteration had ended: is an await missing?',
  AC_CAPTURE: 'a response lacks a value that its request captures',
  AC_JSON: 'a body that a user function reads as JSON is not JSON',
  AC_HTML: 'a page is too large to find values in its HTML',
  AC_NO_STREAM: 'a response that a user function reads as a stream is none',
  AC_UNREAD_EVENTS: 'a user function reads the events of a stream more slowly than they arrive: too many wait for it',

  AC_TIMEOUT: 'no complete response within the timeout',
  AC_IDLE_TIMEOUT: 'a stream delivered no event within the idle timeout',
  AC_BEHIND_TIMEOUT: 'pipelined after a request that timed out, so its connection was closed',
  AC_CONNECT_TIMEOUT: 'no connection within the timeout',
  AC_LOOKUP_TIMEOUT: 'no name server responded within the timeout',
  AC_KEY: 'a coordinator and an agent do not have the same AUTOCANNON_KEY',
  AC_NOT_ALLOWED: 'the --allow of an agent does not include that host',
  AC_PROXY_CONNECT: 'no connection to the proxy',
  AC_PROXY_TIMEOUT: 'the proxy did not respond within the timeout',
  AC_PROXY_CLOSED: 'the proxy closed the connection before it was connected to the server',
  AC_PROXY_AUTH: 'the proxy requires credentials, or rejected them',
  AC_PROXY_REFUSED: 'the proxy refused to connect to the server',
  AC_PROXY_UNREACHED: 'the proxy did not reach the server',
  AC_PROXY_ANSWER: 'the response of the proxy does not follow its protocol',
  AC_TUNNEL_CLOSED: 'a tunnel ended in the TLS handshake: the proxy or the server closed it',
  AC_UNDICI_BODY: 'over HTTP/2 undici sends a body only with POST, PUT and PATCH',
  AC_UNDICI_SESSION: 'undici: the server violated HTTP/2, and Node.js ended the session without an event',
  AC_CLOSED: 'the server closed the connection before its response',
  AC_TRUNCATED: 'the connection ended inside a response',

  AC_EVENT_SIZE: 'an event of a stream is larger than 16 MiB',
  AC_LLM_EMPTY: 'with stream openai: a completion ended with [DONE] and has no chunk',
  AC_LLM_ERROR: 'with stream openai: an event of a completion is an error',
  AC_LLM_JSON: 'with stream openai: an event of a completion is not a JSON object',
  AC_LLM_TRUNCATED: 'with stream openai: a completion ended without a finish_reason and without [DONE]',

  AC_TLS_ALERT: 'the response is a TLS alert: the server expects https',
  AC_STATUS_LINE: 'the response does not start with a valid HTTP/1.x status line',
  AC_HEADER: 'a header or trailer line is malformed',
  AC_HEAD_SIZE: 'the head or the trailer of a response is larger than 64 KiB',
  AC_CONTENT_LENGTH: 'Content-Length is not one number, or comes with Transfer-Encoding',
  AC_TRANSFER_ENCODING: 'Transfer-Encoding does not end in chunked just once',
  AC_CHUNK: 'a chunk of the body is malformed',
  AC_UNREQUESTED: 'a response without a request',
  AC_CONTENT_ENCODING: 'with compressed: a body does not match its Content-Encoding, or the coding is not supported',
  AC_CHARSET: 'a body that a check or a capture reads has an unknown charset or invalid bytes',
  AC_DECODED_SIZE: 'a compressed body decodes to more than 64 MiB, or 4 KiB of a stream to more than 16 MiB',
  AC_WS_STATUS: 'the server did not accept the WebSocket handshake: its status is not 101, or over HTTP/2 not 2xx',
  AC_WS_UPGRADE: 'the response to the WebSocket handshake lacks Upgrade: websocket',
  AC_WS_CONNECTION: 'the response to the WebSocket handshake lacks Connection: Upgrade',
  AC_WS_ACCEPT: 'the Sec-WebSocket-Accept of the server does not match the key of the handshake',
  AC_WS_SUBPROTOCOL: 'the server chose no WebSocket subprotocol, or one that was not offered',
  AC_WS_EXTENSION: 'the server chose a WebSocket extension or a parameter that was not offered',
  AC_WS_SILENT: 'the server did not respond to the WebSocket handshake within the timeout',
  AC_WS_HTTP2: 'the server does not accept WebSocket over HTTP/2 (RFC 8441): use HTTP/1.1',
  AC_WS_RESERVED: 'a WebSocket frame has a reserved bit that no extension uses',
  AC_WS_OPCODE: 'a WebSocket frame has a reserved opcode',
  AC_WS_MASKED: 'the server masks its WebSocket frames, which only clients do',
  AC_WS_LENGTH: 'the length of a WebSocket frame is not in its shortest form, or is larger than 2^63 − 1',
  AC_WS_CONTROL: 'a WebSocket control frame is fragmented, or longer than 125 bytes',
  AC_WS_FRAGMENT: 'a WebSocket message begins inside another one, or goes on before it began',
  AC_WS_UTF8: 'a WebSocket text message or close reason is not UTF-8',
  AC_WS_CLOSE_FRAME: 'a WebSocket close frame has an invalid code, or one byte',
  AC_WS_SIZE: 'a WebSocket message is larger than 16 MiB',
  AC_WS_DEFLATE: 'a compressed WebSocket message cannot be decompressed',
  AC_WS_MATCH: 'a message that is sent has no value at the path of match, so nothing can respond to it',
  AC_WS_REPEATED: 'a message repeats the id of one that timed out, so a response could be to either',
  AC_WS_ABNORMAL: 'the server ended the connection without a WebSocket close frame',
  AC_WS_CLOSED: 'a user function uses a WebSocket that is closed',
  AC_WS_PING_TIMEOUT: 'the server did not respond to a WebSocket ping within the timeout',
  AC_WS_CLOSE: 'the server closed the WebSocket without a code',
  AC_WS_CLOSE_NORMAL: 'the server closed the WebSocket: 1000, normal',
  AC_WS_CLOSE_GOING_AWAY: 'the server closed the WebSocket: 1001, going away',
  AC_WS_CLOSE_PROTOCOL_ERROR: 'the server closed the WebSocket: 1002, protocol error',
  AC_WS_CLOSE_UNSUPPORTED_DATA: 'the server closed the WebSocket: 1003, unsupported data',
  AC_WS_CLOSE_INVALID_PAYLOAD: 'the server closed the WebSocket: 1007, invalid payload',
  AC_WS_CLOSE_POLICY_VIOLATION: 'the server closed the WebSocket: 1008, policy violation',
  AC_WS_CLOSE_TOO_LARGE: 'the server closed the WebSocket: 1009, message too large',
  AC_WS_CLOSE_EXTENSION_MISSING: 'the server closed the WebSocket: 1010, extension missing',
  AC_WS_CLOSE_INTERNAL_ERROR: 'the server closed the WebSocket: 1011, internal error',
  AC_WS_CLOSE_SERVICE_RESTART: 'the server closed the WebSocket: 1012, service restart',
  AC_WS_CLOSE_TRY_AGAIN_LATER: 'the server closed the WebSocket: 1013, try again later',
  AC_WS_CLOSE_BAD_GATEWAY: 'the server closed the WebSocket: 1014, bad gateway',
  AC_H2_COMPRESSION: 'a header block of an HTTP/2 response cannot be decoded (COMPRESSION_ERROR)',
  AC_H2_MALFORMED: 'the header or trailer of an HTTP/2 response has an invalid field, or no :status (PROTOCOL_ERROR)',
  AC_H2_HEADER: 'a request has a header that HTTP/2 forbids',
  AC_H2_ALPN: 'the server does not offer HTTP/2 (ALPN)',
  AC_H2_HTTP1: 'the server speaks HTTP/1, not HTTP/2',
  AC_H2_SILENT: 'the server accepts connections, but no HTTP/2 request within the timeout',
  AC_H2_NO_STREAMS:
    'the server speaks HTTP/2 but allows no stream within the timeout (SETTINGS_MAX_CONCURRENT_STREAMS is 0)',
  AC_H2_PREFACE: 'the server did not start with the HTTP/2 SETTINGS frame',
  AC_H2_PROTOCOL: 'a frame violates HTTP/2 (PROTOCOL_ERROR)',
  AC_H2_FRAME_SIZE: 'a frame is too large, or has an invalid length for its type (FRAME_SIZE_ERROR)',
  AC_H2_FLOW_CONTROL: 'a window is larger than 2^31 − 1 (FLOW_CONTROL_ERROR)',
  AC_H2_STREAM_CLOSED: 'a frame for a response that has ended (STREAM_CLOSED)',
  AC_H2_PUSH: 'the server pushes responses, although push is disabled (PROTOCOL_ERROR)',
  AC_H2_FLOOD: 'the server floods the connection with frames that belong to no response (ENHANCE_YOUR_CALM)',
  AC_H2_RESET: 'the server reset the stream with NO_ERROR, or a code not in RFC 9113, before it responded',
  AC_H2_GOAWAY: 'the server ended the connection with a code not in RFC 9113',
  ...ofHttp2('RESET', 'the server reset the stream'),
  AC_H2_RESET_HTTP_1_1_REQUIRED: 'the server requires HTTP/1.1 for this request: HTTP_1_1_REQUIRED',
  ...ofHttp2('GOAWAY', 'the server ended the connection')
})

/** @typedef {keyof typeof CODES} Code */

/** The same for codes of others. @type {Readonly<Record<string, string>>} */
const FOREIGN_CODES = Object.freeze({
  ECONNREFUSED: 'nothing listens at that address',
  ECONNRESET: 'the server reset the connection',
  EPIPE: 'the server closed the connection',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'the name of the host is unknown',
  EAI_AGAIN: 'no name server responds',
  EHOSTUNREACH: 'there is no route to that address',
  ENETUNREACH: 'there is no route to that address',
  ETIMEDOUT: 'the server no longer responds',
  EADDRNOTAVAIL: 'no local port or address is free',
  EADDRINUSE: 'no port is free at the local address',
  EMFILE: 'this process has no free file descriptor',
  ENFILE: 'the system has no free file descriptor',
  UND_ERR_SOCKET: 'undici: the server reset the connection, or sent a response without a request',
  HTTPParserError: 'undici: the response is malformed',
  UND_ERR_HEADERS_OVERFLOW:
    'undici: the head of a response exceeds --max-http-header-size of Node.js (default: 16 KiB)',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'undici: the length of the body differs from Content-Length',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'undici: the length of the request body differs from Content-Length',
  UND_ERR_INVALID_ARG: 'undici refuses the request: its path, a header or the body',
  UND_ERR_NOT_SUPPORTED: 'undici cannot send this request',
  UND_ERR_CONNECT_TIMEOUT: 'undici: no connection within its connectTimeout',
  UND_ERR_HEADERS_TIMEOUT: 'undici: no head within its headersTimeout',
  UND_ERR_BODY_TIMEOUT: 'undici: no data of the body for its bodyTimeout',
  UND_ERR_INFO: 'undici closed the connection',
  UND_ERR_ABORTED: 'undici aborted the request: an interceptor or a proxy refused it',
  ERR_HTTP2_ERROR: 'undici: the response is not HTTP/2, or violates it',
  ERR_HTTP2_INVALID_SESSION: 'undici: the HTTP/2 connection had ended',
  ERR_HTTP2_GOAWAY_SESSION: 'undici: the server had announced the end of the HTTP/2 connection (GOAWAY)',
  ERR_HTTP2_SESSION_ERROR: 'undici: the server ended the HTTP/2 connection with an error (GOAWAY)',
  ERR_HTTP2_STREAM_ERROR: 'undici: the server reset the stream (RST_STREAM)',
  ERR_HTTP2_STREAM_CANCEL: 'undici: the HTTP/2 connection ended before the response was complete',
  ERR_ASSERTION: 'undici failed with an internal error, and closed the connection',
  UND_ERR_DESTROYED: 'the dispatcher of undici has been destroyed',
  UND_ERR_CLOSED: 'the dispatcher of undici has been closed',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the server was issued by an untrusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the server was issued by an untrusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the server was issued by an untrusted authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server at that address does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server at that address does not speak TLS',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'the server supports none of the offered protocols (ALPN)',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server supports none of the offered TLS versions',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server uses a TLS version that was not offered',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE:
    'the server supports none of the offered ciphers or TLS versions, or requires a certificate',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server requires a client certificate'
})

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
  try {
    const { message, name } = thrown ?? {}
    if (typeof message === 'string' && message !== '') return message
    return types.isNativeError(thrown) && typeof name === 'string' ? name : null
  } catch {
    return null
  }
}

/** @param {unknown} thrown anything @returns {string} */
function looksOf (thrown) {
  try {
    return inspect(thrown, { depth: 0, customInspect: false })
  } catch {
    return 'something that cannot be read'
  }
}

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
  CODES, FOREIGN_CODES, HTTP2_ERRORS, TIMEOUTS, meaningOf, AutocannonError, OptionsError, HookError, AgentLostError,
  ProtocolError, ConnectionError, codeOf, isTimeout, messageOf, looksOf
}
