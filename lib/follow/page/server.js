'use strict'

// The HTTP server of a live page. Its limits protect the run: few sockets, small heads, no bodies, and no socket
// without a request.

const { createServer } = require('node:http')
const { withTimeout } = require('../../core/timers')
const { livePage } = require('../../report/html/page')
const { LIMITS, listenAt } = require('../listening')
const { admit } = require('./guard')
const { Viewer } = require('./viewer')

/** The limit of sockets: more than the viewers of a team, each with an additional socket to load the page. */
const MOST_VIEWERS = 100
const MOST_SOCKETS = 160

/** The timeout for sending the last event to all viewers, ms. */
const LAST_EVENT_TIMEOUT = 3000
/** The wait at the end for a viewer that has loaded the page but not yet connected for figures, ms. */
const COMING = 2000

/** Headers in addition to the content security policy of the page. */
const POLICY = "; frame-ancestors 'none'"

const HEADERS = Object.freeze({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close'
})

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 */

class PageServer {
  /**
   * @param {import('./live-page').LivePage} page
   * @param {{ rules: import('./guard').Rules, version: string, stop: () => void }} options
   */
  constructor (page, { rules, version, stop }) {
    this.page = page
    this.rules = rules
    this.stop = stop
    /** Rendered before the run, so that it does not block the load. */
    this.shell = livePage(version)
    /** The time until which a loaded page may connect for the report, ms since 1970. */
    this.awaited = 0
    this.onViewer = () => {}
    /** @type {Promise<void> | null} */
    this.ended = null
    this.server = createServer(LIMITS, (request, response) => this.response(request, response))
    this.server.maxConnections = MOST_SOCKETS
    // Without this listener, Node.js itself responds to a request that is not HTTP.
    this.server.on('clientError', (error, socket) => socket.destroy(error))
  }

  /**
   * @param {{ host: string, port: number }} address
   * @returns {Promise<number>} the port
   * @throws {import('../../core/errors').AutocannonError}
   */
  listen (address) {
    return listenAt(this.server, address, '--ui')
  }

  /** @type {(request: Request, response: Response) => void} */
  response (request, response) {
    response.on('error', () => {})
    const admission = admit(request, this.rules)
    if ('status' in admission) return say(response, admission.status, admission.text)
    HANDLERS[admission.route](this, response)
  }

  /** @param {Response} response */
  sendPage (response) {
    const { text, policy } = this.shell
    this.awaited = Math.max(this.awaited, Date.now() + COMING)
    response.writeHead(200, {
      ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy + POLICY
    })
      .end(text)
  }

  /** @param {Response} response */
  sendEvents (response) {
    if (this.page.viewers.size >= MOST_VIEWERS || this.page.over) {
      return say(response, 503, 'There are too many viewers: the page tries again.')
    }
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' })
    this.awaited = 0
    this.page.join(new Viewer(response))
    this.onViewer()
  }

  /** @param {Response} response */
  sendReport (response) {
    const text = this.page.report()
    if (text === null) return say(response, 404, 'There is no figure yet.')
    response.writeHead(200, {
      ...HEADERS, 'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="${this.page.fileName}"`
    })
      .end(text)
  }

  /** @param {Response} response */
  sendStop (response) {
    this.stop()
    say(response, 202, 'The run ends.')
  }

  /** @returns {Promise<void>} resolves when all viewers have received the report, or after the timeout. Idempotent */
  end () {
    this.ended ??= this.finish()
    return this.ended
  }

  async finish () {
    const wait = this.awaited - Date.now()
    if (wait > 0) await withTimeout(wait, new Promise(resolve => { this.onViewer = () => resolve(undefined) }))
    await withTimeout(LAST_EVENT_TIMEOUT, this.page.end())
    const closed = new Promise(resolve => this.server.close(resolve))
    this.server.closeAllConnections()
    await closed
  }
}

/** @type {Record<import('./guard').Route, (server: PageServer, response: Response) => void>} */
const HANDLERS = {
  page: (server, response) => server.sendPage(response),
  events: (server, response) => server.sendEvents(response),
  report: (server, response) => server.sendReport(response),
  stop: (server, response) => server.sendStop(response)
}

/** @type {(response: Response, status: number, text: string) => void} */
function say (response, status, text) {
  response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(text + '\n')
}

module.exports = { PageServer }
