'use strict'

// The HTTP server for scrapers. It limits the cost of frequent scrapes and of slow readers for the run.

const { createServer } = require('node:http')
const { now } = require('../../core/clock')
const { withTimeout } = require('../../core/timers')
const { LIMITS, isAddress, listenAt, nameOf, shownHost } = require('../listening')
const { Throttle } = require('../throttle')

/** The limit of sockets, more than any set-up has scrapers. A scraper that does not read keeps one text in memory. */
const MOST_SOCKETS = 32

/** The shortest interval between texts, ms: a generator may send requests from the same thread. */
const LEAST_GAP = 250
/** Rendering takes at most 1/COST of the time, */
const COST = 100
/** but figures are never older than this, ms. */
const MOST_GAP = 5000

/** The timeout of pending responses at the end, ms. */
const CLOSE_TIMEOUT = 1000

/**
 * The Accept header of each format, the richest format first; a weight of 0 refuses a format (RFC 9110 §12.4.2).
 * @type {ReadonlyArray<[import('./prometheus').Kind, RegExp]>}
 */
const ACCEPTED = Object.freeze([
  ['protobuf', accepts(
    'application/vnd\\.google\\.protobuf\\s*;\\s*proto=io\\.prometheus\\.client\\.MetricFamily\\s*;' +
    '\\s*encoding=delimited'
  )],
  ['openmetrics', accepts('application/openmetrics-text')]
])

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {{ revision: number, ended: number, read: () => import('./ledger').Reading[] }} Ledger
 * @typedef {{ write: (readings: import('./ledger').Reading[], kind: import('./prometheus').Kind) =>
 *   Promise<import('./prometheus').Exposition> }} Format
 */

class MetricsServer {
  /** @param {Ledger} ledger @param {Format} format @param {{ clock?: import('../../core/clock').Clock }} [options] */
  constructor (ledger, format, { clock = now } = {}) {
    this.ledger = ledger
    this.format = format
    this.clock = clock
    /**
     * The last text of each format.
     * @type {Map<import('./prometheus').Kind, { revision: number, ended: number, at: number, exposition:
     *   Promise<import('./prometheus').Exposition> }>}
     */
    this.written = new Map()
    this.throttle = new Throttle(LEAST_GAP, MOST_GAP)
    /**
     * Whether only this machine can connect. Requests with foreign host names are then refused, against DNS rebinding.
     */
    this.isLocal = false
    /** Whether the figures are final. */
    this.isOver = false
    /** Called when a scraper has received the final figures. */
    this.onLast = () => {}
    /** Pending responses. @type {Set<Promise<unknown>>} */
    this.busy = new Set()
    this.server = createServer(LIMITS, (request, response) => { this.response(request, response) })
    this.server.maxConnections = MOST_SOCKETS
    // Without this listener, Node.js itself responds to a request that is not HTTP.
    this.server.on('clientError', (error, socket) => socket.destroy(error))
  }

  /**
   * @param {{ host: string, port: number, isLoopback?: boolean }} address
   * @returns {Promise<string>} the URL of the metrics
   * @throws {import('../../core/errors').AutocannonError}
   */
  async listen (address) {
    this.isLocal = address.isLoopback === true
    const port = await listenAt(this.server, address, '--metrics-listen')
    return `http://${shownHost(address.host)}:${port}/metrics`
  }

  /** @type {(request: Request, response: Response) => void} */
  response (request, response) {
    response.on('error', () => {})
    const closed = new Promise(resolve => response.once('close', resolve))
    this.busy.add(closed)
    closed.then(() => this.busy.delete(closed))
    const { method, headers, headersDistinct: { host: hosts = [] }, url = '' } = request
    const name = hosts.length === 1 ? nameOf(hosts[0]) : null
    if (this.isLocal && !(name !== null && (isAddress(name) || name === 'localhost' || name.endsWith('.localhost')))) {
      return this.say(response, 403, 'Metrics are available under that name only with another address: use ' +
        'localhost, or change the address.')
    }
    const path = url.replace(/\?.*$/s, '')
    if (path !== '/metrics') return this.say(response, 404, 'Metrics are at /metrics.')
    if (method !== 'GET' && method !== 'HEAD') return this.say(response, 405, 'GET or HEAD is expected here.')
    const { isOver } = this
    this.expose(kindFor(headers.accept ?? '')).then(({ type, text }) => {
      response.once('finish', () => { if (isOver && method === 'GET') this.onLast() })
      response.writeHead(200, {
        'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', connection: 'close'
      })
        .end(text)
    }, () => this.say(response, 500, 'The metrics could not be written.'))
  }

  /**
   * @param {import('./prometheus').Kind} kind
   * @returns {Promise<import('./prometheus').Exposition>} as of the last sample
   */
  expose (kind) {
    const { ledger, format, clock, isOver } = this
    const before = this.written.get(kind)
    if (before !== undefined && (before.revision === ledger.revision ||
      (!isOver && before.ended === ledger.ended && clock() - before.at < this.throttle.gap))) {
      return before.exposition
    }
    const at = clock()
    const exposition = format.write(ledger.read(), kind)
    exposition.then(() => this.throttle.took(clock() - at, COST), () => {})
    this.written.set(kind, { revision: ledger.revision, ended: ledger.ended, at, exposition })
    return exposition
  }

  /** @type {(response: Response, status: number, text: string) => void} */
  say (response, status, text) {
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', connection: 'close'
    })
      .end(`${text}\n`)
  }

  /**
   * @param {number} linger ms to wait for a last scrape
   * @param {Promise<unknown>} ended resolves to end the wait
   */
  async end (linger, ended) {
    this.isOver = true
    if (linger > 0) {
      const scraped = new Promise(resolve => { this.onLast = () => resolve(undefined) })
      await withTimeout(linger, Promise.race([ended, scraped]))
    }
    const closed = new Promise(resolve => this.server.close(resolve))
    await withTimeout(CLOSE_TIMEOUT, Promise.all(this.busy))
    this.server.closeAllConnections()
    await closed
  }
}

/**
 * @param {string} type of content
 * @returns {RegExp} matches a header Accept
 */
function accepts (type) {
  return new RegExp(`${type}(?![^,]*;\\s*q=0(?:\\.0*)?\\s*(?:[,;]|$))`, 'i')
}

/** @type {(accept: string) => import('./prometheus').Kind} */
function kindFor (accept) {
  return ACCEPTED.find(([, pattern]) => pattern.test(accept))?.[0] ?? 'text'
}

module.exports = { MetricsServer }
