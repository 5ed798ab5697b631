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
   * Replaces the headers of the request that is sent next, at this and all later iterations. Headers of the run's
   * options are kept, such as the authorization beside an added id.
   * @param {Record<string, string | string[]>} [headers] default: none at all
   */
  setHeaders (headers) {
    this.change({ headers })
  }

  /** Replaces the body of the request that is sent next. @param {string | Uint8Array} [body] default: no body */
  setBody (body) {
    this.change({ body })
  }

  /** @param {Record<string, string | string[]>} [headers] @param {string | Uint8Array} [body] */
  setHeadersAndBody (headers, body) {
    this.change({ headers, body })
  }

  /**
   * Replaces the next request. Missing properties have the values of the run's options.
   * @param {Record<string, unknown>} request
   */
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
 * Removes the content-length of a replaced body: headers and body may be set one after the other.
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
