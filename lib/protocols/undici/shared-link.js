'use strict'

// A dispatcher of undici that the user gave instead of our own client: always connected. It chooses the number of
// connections, and the connection of each request.

const { originOf } = require('../../requests/target')
const { Exchange } = require('./exchange')

/**
 * A request in the hands of a dispatcher, in the words of undici from 7 on as well: interceptors speak them, and undici
 * 8 no others.
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
    // Of its connections nothing is known.
    this.isHttp2 = false
    this.isOver = false
    /** @type {Error | null} */
    this.failure = null
    /** Whether it is kept when one request is cancelled. */
    this.keeps = true
    /** It may answer at once, and repeatedly: that would keep the loop from all else. */
    this.tellsAtOnce = true
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
