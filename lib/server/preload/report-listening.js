'use strict'

// Reports from inside a Node.js program that the program runs, and the addresses of its servers. It is required before
// the program in every Node.js process below the command of --on-port, and appends one line of JSON per fact to the
// journal at AUTOCANNON_ON_PORT, which on-port.js reads. It writes a file and not to a socket, because an append is
// synchronous and leaves no handle open in the measured process. The parent receives the report before the first line
// of the program runs, which may then block for seconds.
//
// The server may run on another version of Node.js than autocannon: this file needs Node.js 8. The diagnostics channel
// tracing:net.server.listen would make the wrapper unnecessary, but exists only since 2024 (nodejs/node#53136).

const journal = process.env.AUTOCANNON_ON_PORT

/**
 * A server other than HTTP is reported if it still listens after this time, ms: a search for a free port is over by
 * then.
 */
const PLAIN_TCP = 250
/**
 * The same for a pipe, ms. Most pipes are private channels between processes, so a port gets more time to appear first.
 */
const PLAIN_PIPE = 1500

if (journal) {
  attempt(() => watch(journal))
  attempt(() => reportBeside(journal))
}

/** Reports during the run are in the folder of the journal. @param {string} journal */
function reportBeside (journal) {
  const folder = require('path').dirname(journal)
  if (require('fs').existsSync(folder)) {
    require('./report-loop').reportLoop(require('path').join(folder, `${process.pid}.loop`), attempt)
  }
}

/** @param {string} journal */
function watch (journal) {
  const { appendFileSync, existsSync } = require('fs')
  const path = require('path')
  const { Server } = require('net')
  const later = setTimeout
  // The parent removes the journal once the address of the server is known.
  if (!existsSync(journal)) return

  /** @param {object} fact */
  const append = fact => appendFileSync(journal, JSON.stringify({ pid: process.pid, ...fact }) + '\n')
  append({ known: inspectorPort() })

  /** @type {WeakSet<object>} servers with our listener: a server that tries several ports would collect one for each */
  const awaited = new WeakSet()
  const listen = Server.prototype.listen
  /**
   * @this {import('net').Server}
   * @param {any[]} args
   */
  const watched = function (...args) {
    const server = this
    attempt(() => {
      if (awaited.has(server)) return
      awaited.add(server)
      server.prependOnceListener('listening', () => {
        awaited.delete(server)
        attempt(() => reportServer(server, args[0]))
      })
    })
    const returned = listen.apply(server, /** @type {any} */ (args))
    // The server often listens already, but a busy program delays the event.
    attempt(() => reportKnown(where(server, args[0])))
    return returned
  }
  for (const name of ['name', 'length']) {
    Object.defineProperty(
      watched, name, /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(listen, name))
    )
  }
  Server.prototype.listen = /** @type {any} */ (watched)

  /**
   * Reports a socket. The parent does not treat a known socket as a server until it is reported as one.
   * @param {{ port?: number, socketPath?: string } | null} fact
   */
  function reportKnown (fact) {
    if (fact) append({ known: fact.port || fact.socketPath })
  }

  /** @type {(server: import('net').Server, options: any) => void} */
  function reportServer (server, options) {
    const fact = where(server, options)
    reportKnown(fact)
    if (!fact) return
    // http.Server, https.Server and their subclasses have this property.
    const http = 'headersTimeout' in server
    const say = () => {
      if (server.listening && keepsAlive(server)) append({ ...fact, http })
    }
    if (http) return say()
    const timer = later(() => attempt(say), fact.socketPath ? PLAIN_PIPE : PLAIN_TCP)
    timer.unref()
  }

  /**
   * @param {import('net').Server} server
   * @param {any} options
   * @returns {{ port?: number, host?: string, socketPath?: string } | null}
   */
  function where (server, options) {
    const address = server.address()
    if (typeof address === 'string') {
      // The path is made absolute, because the parent may have another working directory. The first byte of an abstract
      // socket's name is 0, which autocannon writes as @.
      return { socketPath: address[0] === '\0' ? '@' + address.slice(1) : path.resolve(address) }
    }
    if (!address) return null
    const only6 = Boolean(options && options.ipv6Only)
    return { port: address.port, host: address.address === '::' ? (only6 ? '::1' : '0.0.0.0') : address.address }
  }
}

/**
 * Returns whether the server keeps its process alive. Others are auxiliary, such as tsx's pipe to its child and ports
 * of metrics exporters.
 * @type {(server: any) => boolean}
 */
function keepsAlive (server) {
  const handle = server._handle
  return !handle || typeof handle.hasRef !== 'function' || handle.hasRef()
}

/** @returns {number | undefined} the port of --inspect */
function inspectorPort () {
  try {
    const url = require('inspector').url()
    return url ? Number(new URL(url).port) : undefined
  } catch (_) {
    return undefined
  }
}

/** Hides our exceptions from the program. @param {() => void} action */
function attempt (action) {
  try {
    action()
  } catch (_) {}
}
