'use strict'

// A dispatcher of undici from the user. It is always connected, and selects the number of connections and the
// connection of each request.

const { originOf } = require('../../requests/target')
const { Exchange } = require('./exchange')

/**
 * A request of a dispatcher. It also has the handler interface of undici 7, which interceptors use, and which is the
 * only one in undici 8.
 */
class DispatcherExchange extends Exchange {
  /** @param {{ abort: (reason: Error) => void }} controller */
  onRequestStart (controller) {
    this.onConnect(() => controller.abort(new Error('aborted')))
  }

  /**
   * @param {unknown} controller
   * @param {number} status
   * @param {Record<string, string | string[]>} headers
   * @param {string} [statusMessage]
   */
  onResponseStart (controller, status, headers, statusMessage) {
    this.onHeaders(status, /** @type {any} */ (Object.entries(headers).flat(1)), () => {}, statusMessage)
  }

  /** @type {(controller: unknown, chunk: Buffer) => void} */
  onResponseData (controller, chunk) {
    this.onData(chunk)
  }

  /** @param {unknown} controller @param {Record<string, string | string[]>} [trailers] */
  onResponseEnd (controller, trailers) {
    this.onComplete(trailers)
  }

  /** @type {(controller: unknown, error: Error) => void} */
  onResponseError (controller, error) {
    this.onError(error)
  }

  /**
   * @param {unknown} controller
   * @param {number} status
   * @param {Record<string, string | string[]>} headers
   * @param {import('node:stream').Duplex} socket
   */
  onRequestUpgrade (controller, status, headers, socket) {
    this.onUpgrade(status, /** @type {any} */ (Object.entries(headers).flat(1)), socket)
  }
}

class SharedLink {
  /** @param {import('undici').Dispatcher} dispatcher @param {import('../../requests/target').Target} target */
  constructor (dispatcher, target) {
    this.dispatcher = dispatcher
    this.origin = originOf(target)
    this.isClosed = false
    // Its connections are unknown.
    this.isHttp2 = false
    this.isOver = false
    /** @type {Error | null} */
    this.failure = null
    /** Whether the connection is kept when a request is cancelled. */
    this.keeps = true
    /** It may respond synchronously: without a pause, that would block the event loop. */
    this.mayRespondSynchronously = true
    this.Exchange = DispatcherExchange
  }

  /** @type {(request: import('./requests').Dispatch, exchange: Exchange) => void} */
  dispatch (request, exchange) {
    try {
      this.dispatcher.dispatch(/** @type {any} */ ({ ...request, origin: this.origin }), /** @type {any} */ (exchange))
    } catch (error) {
      exchange.onError(/** @type {Error} */ (error))
    }
  }

  destroy () {
    this.isClosed = true
  }
}

module.exports = { SharedLink }
