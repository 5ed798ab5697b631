'use strict'

// The Client that hooks and listeners receive: the requests of one connection, which it can replace, and its events. It
// is created on first use.

const { EventEmitter } = require('node:events')
const { AutocannonError } = require('../core/errors')
const { framed, framingProblem } = require('../requests/framing')
const { toRequest } = require('../requests/request')

/**
 * Events: `headers` (object with statusCode, statusMessage and the raw `headers` array), `body` (Buffer), `response`
 * (statusCode, bytes on the wire, ms), `reset` (the sequence started over because setupRequest returned nothing).
 */
class Client extends EventEmitter {
  /** @param {Editable} connection @param {number} pipelining */
  constructor (connection, pipelining) {
    super()
    this.connection = connection
    this.pipelining = pipelining
  }

  /**
   * Replaces the headers of the request that is sent next, at this and all later iterations. Those of the options of
   * the run stay under them: a client that adds an id of its own keeps the authorization of all.
   * @param {Record<string, string | string[]>} [headers] none at all when left out
   */
  setHeaders (headers) {
    this.change({ headers })
  }

  /** Replaces the body of the request that is sent next. @param {string | Uint8Array} [body] none by default */
  setBody (body) {
    this.change({ body })
  }

  /** @param {Record<string, string | string[]>} [headers] @param {string | Uint8Array} [body] */
  setHeadersAndBody (headers, body) {
    this.change({ headers, body })
  }

  /** Replaces the next request; the default is that of the run's options. @param {Record<string, unknown>} request */
  setRequest (request) {
    this.check()
    this.connection.editRequest(framed(toRequest(request, this.connection.defaults)))
  }

  /**
   * Replaces the whole sequence, which starts at its first request.
   * @param {Array<Record<string, unknown>>} requests
   */
  setRequests (requests) {
    this.check()
    if (!Array.isArray(requests) || requests.length === 0) {
      throw new TypeError('setRequests expects an array with at least one request')
    }
    this.connection.replaceRequests(requests)
  }

  /** @param {{ headers?: Record<string, any>, body?: string | Uint8Array }} change */
  change (change) {
    this.check()
    const bare = { ...this.connection.currentRequest() }
    if ('headers' in change) bare.headers = change.headers === undefined ? [] : this.connection.defaults.headers
    if ('body' in change) bare.body = null
    this.connection.editRequest(framed(withoutLength(toRequest(change, bare))))
  }

  /**
   * Emits an event. An exception in a listener must not interrupt the parser.
   * @type {(event: string, ...details: unknown[]) => void}
   */
  report (event, ...details) {
    try {
      this.emit(event, ...details)
    } catch (error) {
      process.nextTick(() => { throw error })
    }
  }

  check () {
    if (this.pipelining > 1) throw new AutocannonError('AC_PIPELINED_CLIENT')
  }
}

/**
 * Headers and the body may come one after the other: a length that is that of another body is not sent.
 * @type {(request: import('../requests/request').Request) => import('../requests/request').Request}
 */
function withoutLength (request) {
  if (framingProblem(request) === null) return request
  return { ...request, headers: request.headers.filter(([name]) => name.toLowerCase() !== 'content-length') }
}

/**
 * The part of a connection that a Client uses.
 * @typedef {object} Editable
 * @property {import('../requests/request').Request} defaults
 * @property {() => import('../requests/request').Request} currentRequest
 * @property {(request: import('../requests/request').Request) => void} editRequest
 * @property {(requests: Array<Record<string, unknown>>) => void} replaceRequests
 */

module.exports = { Client }
