'use strict'

// Owns every error code of the project: what it means, and how the summary names it. A code never changes its meaning.
// Codes of the operating system, of OpenSSL and of Node.js (ECONNREFUSED, CERT_HAS_EXPIRED …) pass through as they are; those
// that users meet often have words here.

const { inspect, types } = require('node:util')
const { oneLine, printable, printableLines, withoutColours } = require('./foreign-text')

/**
 * code → what it means. The words stand in docs/errors.md, too; a test holds the two together.
 * @type {Readonly<Record<string, string>>}
 */
const CODES = Object.freeze({
  AC_OPTIONS: 'one or more options are missing or out of bounds, or a flag or a key of a config is unknown',
  AC_ON_PORT_SPAWN: 'the command after -- could not be started',
  AC_ON_PORT_EXITED: 'the command after -- ended before it listened',
  AC_ON_PORT_TIMEOUT: 'the command after -- did not respond over HTTP in time',
  AC_ON_PORT_ENDED: 'the command after -- ended during the run',
  AC_NO_CONNECTION: 'no connection was made to any server of the run',
  AC_WATCH: 'a process can not be watched: there is none, it is of another user, or this system does not tell of it',
  AC_WATCH_ENDED: 'a process that is watched ended during the run',
  AC_WORKER: 'a worker thread crashed or ended early',
  AC_AGENT: 'an agent was lost during the run: its machine, its process or its network',
  AC_REDIS: 'agents can not be met: Redis can not be reached or used, or bullmq and ioredis are not installed',
  AC_AGGREGATE: 'results can be aggregated only if all come from runs with skipAggregateResult of the same version and sampleInt, each is whole and given once, and they went on at the same time',
  AC_OUTPUT: 'a report could not be written',
  AC_VIEW: 'a live view could not be opened: its address is in use, or not of this machine',
  AC_HOOK: 'a hook could not be loaded, threw, or returned a promise or something that it may not return',
  AC_TEMPLATE: 'the values of a template may not stand where they are put, again and again, so that no request is left to send',
  AC_PIPELINED_CLIENT: 'a Client can change its requests only while pipelining is 1: of several in flight nobody could tell which have the change',
  AC_TARGETS_CLIENT: 'with targets, a Client can replace all its requests by setRequests, and not change the next one: which that is nobody knows before',
  AC_USERS_CLIENT: 'a Client can not change the requests of a user, who goes through scenarios with pauses, captured values or a session: setupRequest can',

  AC_TIMEOUT: 'no complete response within the timeout',
  AC_BEHIND_TIMEOUT: 'pipelined behind a request that timed out, so its connection was closed',
  AC_CONNECT_TIMEOUT: 'no connection within the timeout',
  AC_LOOKUP_TIMEOUT: 'no name server has responded within the timeout',
  AC_KEY: 'a coordinator and an agent do not have the same AUTOCANNON_KEY',
  AC_NOT_ALLOWED: 'an agent sends no load to that host: its --allow does not have it',
  AC_PROXY_CONNECT: 'no connection to the proxy',
  AC_PROXY_TIMEOUT: 'the proxy did not respond within the timeout',
  AC_PROXY_CLOSED: 'the proxy closed the connection before it had made one to the server',
  AC_PROXY_AUTH: 'the proxy wants credentials, or other ones',
  AC_PROXY_REFUSED: 'the proxy refused to make a connection to the server',
  AC_PROXY_UNREACHED: 'the proxy did not reach the server',
  AC_PROXY_ANSWER: 'the response of the proxy is not of its protocol',
  AC_TUNNEL_CLOSED: 'a tunnel ended in the TLS handshake: the proxy or the server closed it',
  AC_UNDICI_BODY: 'over HTTP/2 undici sends a body with POST, PUT and PATCH alone',
  AC_UNDICI_SESSION: 'undici: the server broke the protocol of HTTP/2, and Node.js ended the session without a report',
  AC_CLOSED: 'the server closed the connection before its response',
  AC_TRUNCATED: 'the connection ended inside a response',

  AC_TLS_ALERT: 'the response is a TLS alert: the server expects https',
  AC_STATUS_LINE: 'the response does not start with a valid HTTP/1.x status line',
  AC_HEADER: 'a header or trailer line is malformed',
  AC_HEAD_SIZE: 'the head or the trailer of a response is larger than 64 KiB',
  AC_CONTENT_LENGTH: 'Content-Length is not one number, or comes with Transfer-Encoding',
  AC_TRANSFER_ENCODING: 'Transfer-Encoding does not end in chunked just once',
  AC_CHUNK: 'a chunk of the body is malformed',
  AC_UNREQUESTED: 'a response that nobody asked for',
  AC_CONTENT_ENCODING: 'with compressed: a body is not what its Content-Encoding says, or nobody here can decode it',
  AC_CHARSET: 'a body that a check or a capture reads has an unknown charset, or bytes that are no characters of it',
  AC_DECODED_SIZE: 'with compressed: a body has more than 64 MiB when it is decoded',
  AC_H2_COMPRESSION: 'a header block of an HTTP/2 response can not be decoded (COMPRESSION_ERROR)',
  AC_H2_MALFORMED: 'the header or trailer of an HTTP/2 response has a field that may not be there, or no :status (PROTOCOL_ERROR)',
  AC_H2_HEADER: 'a request has a header that HTTP/2 requests can not have',
  AC_H2_ALPN: 'the server does not offer HTTP/2 (ALPN)',
  AC_H2_HTTP1: 'the server speaks HTTP/1, not HTTP/2',
  AC_H2_SILENT: 'the server takes connections, and no request of HTTP/2 within the timeout',
  AC_H2_NO_STREAMS: 'the server speaks HTTP/2 and allows no stream within the timeout (SETTINGS_MAX_CONCURRENT_STREAMS is 0)',
  AC_H2_PREFACE: 'what the server sends does not begin as HTTP/2 does, with SETTINGS',
  AC_H2_PROTOCOL: 'a frame that breaks the rules of HTTP/2 (PROTOCOL_ERROR)',
  AC_H2_FRAME_SIZE: 'a frame is too large, or has another length than frames of its kind (FRAME_SIZE_ERROR)',
  AC_H2_FLOW_CONTROL: 'a window is larger than 2^31 − 1 (FLOW_CONTROL_ERROR)',
  AC_H2_STREAM_CLOSED: 'a frame of a response that has ended already (STREAM_CLOSED)',
  AC_H2_PUSH: 'the server pushes responses, although it was told not to (PROTOCOL_ERROR)',
  AC_H2_FLOOD: 'the server sends thousands of frames that bring no response forward (ENHANCE_YOUR_CALM)',
  AC_H2_RESET: 'the server reset the stream with NO_ERROR, or a code that RFC 9113 does not know, before it responded',
  AC_H2_GOAWAY: 'the server ended the connection with a code that RFC 9113 does not know',
  AC_H2_RESET_PROTOCOL_ERROR: 'the server reset the stream: PROTOCOL_ERROR',
  AC_H2_RESET_INTERNAL_ERROR: 'the server reset the stream: INTERNAL_ERROR',
  AC_H2_RESET_FLOW_CONTROL_ERROR: 'the server reset the stream: FLOW_CONTROL_ERROR',
  AC_H2_RESET_SETTINGS_TIMEOUT: 'the server reset the stream: SETTINGS_TIMEOUT',
  AC_H2_RESET_STREAM_CLOSED: 'the server reset the stream: STREAM_CLOSED',
  AC_H2_RESET_FRAME_SIZE_ERROR: 'the server reset the stream: FRAME_SIZE_ERROR',
  AC_H2_RESET_REFUSED_STREAM: 'the server reset the stream: REFUSED_STREAM',
  AC_H2_RESET_CANCEL: 'the server reset the stream: CANCEL',
  AC_H2_RESET_COMPRESSION_ERROR: 'the server reset the stream: COMPRESSION_ERROR',
  AC_H2_RESET_CONNECT_ERROR: 'the server reset the stream: CONNECT_ERROR',
  AC_H2_RESET_ENHANCE_YOUR_CALM: 'the server reset the stream: ENHANCE_YOUR_CALM',
  AC_H2_RESET_INADEQUATE_SECURITY: 'the server reset the stream: INADEQUATE_SECURITY',
  AC_H2_RESET_HTTP_1_1_REQUIRED: 'the server wants this request over HTTP/1.1: HTTP_1_1_REQUIRED',
  AC_H2_GOAWAY_PROTOCOL_ERROR: 'the server ended the connection: PROTOCOL_ERROR',
  AC_H2_GOAWAY_INTERNAL_ERROR: 'the server ended the connection: INTERNAL_ERROR',
  AC_H2_GOAWAY_FLOW_CONTROL_ERROR: 'the server ended the connection: FLOW_CONTROL_ERROR',
  AC_H2_GOAWAY_SETTINGS_TIMEOUT: 'the server ended the connection: SETTINGS_TIMEOUT',
  AC_H2_GOAWAY_STREAM_CLOSED: 'the server ended the connection: STREAM_CLOSED',
  AC_H2_GOAWAY_FRAME_SIZE_ERROR: 'the server ended the connection: FRAME_SIZE_ERROR',
  AC_H2_GOAWAY_REFUSED_STREAM: 'the server ended the connection: REFUSED_STREAM',
  AC_H2_GOAWAY_CANCEL: 'the server ended the connection: CANCEL',
  AC_H2_GOAWAY_COMPRESSION_ERROR: 'the server ended the connection: COMPRESSION_ERROR',
  AC_H2_GOAWAY_CONNECT_ERROR: 'the server ended the connection: CONNECT_ERROR',
  AC_H2_GOAWAY_ENHANCE_YOUR_CALM: 'the server ended the connection: ENHANCE_YOUR_CALM',
  AC_H2_GOAWAY_INADEQUATE_SECURITY: 'the server ended the connection: INADEQUATE_SECURITY',
  AC_H2_GOAWAY_HTTP_1_1_REQUIRED: 'the server ended the connection: HTTP_1_1_REQUIRED'
})

/** @typedef {keyof typeof CODES} Code */

/**
 * The same for codes of others.
 * @type {Readonly<Record<string, string>>}
 */
const FOREIGN_CODES = Object.freeze({
  ECONNREFUSED: 'nothing listens at that address',
  ECONNRESET: 'the server broke the connection off',
  EPIPE: 'the server had closed the connection',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'the name of the host is unknown',
  EAI_AGAIN: 'no name server responds',
  EHOSTUNREACH: 'no way leads to that address',
  ENETUNREACH: 'no way leads to that address',
  ETIMEDOUT: 'the server no longer responds',
  EADDRNOTAVAIL: 'no local port or address is free',
  EADDRINUSE: 'no port is free at the local address',
  EMFILE: 'no file descriptor of this process is free',
  ENFILE: 'no file descriptor of the system is free',
  UND_ERR_SOCKET: 'undici: the server broke the connection off, or sent what nobody asked for',
  HTTPParserError: 'undici: the response is malformed',
  UND_ERR_HEADERS_OVERFLOW: 'undici: the head of a response is larger than --max-http-header-size of Node.js, 16 KiB unless it is said',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'undici: the body is not as long as Content-Length says',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'undici: the body of the request is not as long as its Content-Length says',
  UND_ERR_INVALID_ARG: 'undici refuses the request: its path, a header or the body',
  UND_ERR_NOT_SUPPORTED: 'undici can not send such a request',
  UND_ERR_CONNECT_TIMEOUT: 'undici: no connection within its connectTimeout',
  UND_ERR_HEADERS_TIMEOUT: 'undici: no head within its headersTimeout',
  UND_ERR_BODY_TIMEOUT: 'undici: the body stood still for its bodyTimeout',
  UND_ERR_INFO: 'undici gave up the connection',
  UND_ERR_ABORTED: 'undici gave up the request: an interceptor or a proxy refused it',
  ERR_HTTP2_ERROR: 'undici: what the server sends is not HTTP/2, or breaks its rules',
  ERR_HTTP2_INVALID_SESSION: 'undici: the HTTP/2 connection had ended',
  ERR_HTTP2_GOAWAY_SESSION: 'undici: the server had announced the end of the HTTP/2 connection (GOAWAY)',
  ERR_HTTP2_SESSION_ERROR: 'undici: the server ended the HTTP/2 connection with an error (GOAWAY)',
  ERR_HTTP2_STREAM_ERROR: 'undici: the server reset the stream (RST_STREAM)',
  ERR_HTTP2_STREAM_CANCEL: 'undici: the HTTP/2 connection ended before the response was complete',
  ERR_ASSERTION: 'undici failed in itself, and its connection with it',
  UND_ERR_DESTROYED: 'the dispatcher of undici has been destroyed',
  UND_ERR_CLOSED: 'the dispatcher of undici has been closed',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate of the server comes from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the server comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the server comes from an authority that is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server at that address does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server at that address does not speak TLS',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'the server speaks none of the protocols that were offered (ALPN)',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'the server takes none of the versions of TLS that were offered',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'the server has another version of TLS than those that were offered',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'the server takes none of the ciphers or versions of TLS that were offered, or wants a certificate',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the server wants a certificate of the client'
})

/**
 * @param {string} code
 * @returns {string | undefined} what it means
 */
function meaningOf (code) {
  return CODES[code] ?? FOREIGN_CODES[code]
}

/** The base of every error that this project makes itself. Whatever its message quotes, it can be printed. */
class AutocannonError extends Error {
  /**
   * @param {string} code a key of CODES
   * @param {string} [message] what was given and what to do; the meaning of the code when left out
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
   * @throws {OptionsError} if it can not be read
   */
  static reading (what, read) {
    try {
      return read()
    } catch (error) {
      throw error instanceof OptionsError ? error : new OptionsError([`could not read ${what}: ${HookError.wordsOf(error)}`])
    }
  }
}

/** The words of a hook may have a whole answer in them. */
const LONGEST_WORDS = 500

/** A function of the user's failed: the run can't go on. */
class HookError extends AutocannonError {
  /**
   * @param {string} message which hook, and how it failed
   * @param {unknown} [cause]
   */
  constructor (message, cause) {
    super('AC_HOOK', message, { cause })
  }

  /**
   * @param {string} hook its name, and what it was called for
   * @param {unknown} cause what it threw
   */
  static failed (hook, cause) {
    return new HookError(`${hook} failed: ${HookError.wordsOf(cause)}`, cause)
  }

  /** @param {unknown} thrown anything */
  static wordsOf (thrown) {
    return oneLine(messageOf(thrown) ?? `it threw ${looksOf(thrown)}`, LONGEST_WORDS)
  }
}

/**
 * @param {any} thrown anything: to look at it may throw again
 * @returns {string | null} what it says; null when it says nothing
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

/**
 * @param {unknown} thrown anything
 * @returns {string} what it is
 */
function looksOf (thrown) {
  try {
    return inspect(thrown, { depth: 0, customInspect: false })
  } catch {
    return 'something that can not be looked at'
  }
}

/** An agent is not there any more: its generators report nothing more, and the run may go on without them. */
class AgentLostError extends AutocannonError {
  /**
   * @param {string} message which agent, and how that was noticed
   * @param {string} [reason] the latter alone, where it stands beside the agent's name
   */
  constructor (message, reason = message) {
    super('AC_AGENT', message)
    this.reason = printableLines(withoutColours(reason))
  }
}

/** The server broke the protocol. */
class ProtocolError extends AutocannonError {}

/**
 * @param {Error & { code?: string }} error
 * @returns {string} what errors of its kind are counted as
 */
function codeOf (error) {
  return error.code ?? error.name
}

/** A request or a connection came to nothing although nobody broke the protocol. */
class ConnectionError extends AutocannonError {}

module.exports = { CODES, FOREIGN_CODES, meaningOf, AutocannonError, OptionsError, HookError, AgentLostError, ProtocolError, ConnectionError, codeOf, messageOf, looksOf }
