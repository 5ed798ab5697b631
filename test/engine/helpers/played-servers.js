'use strict'

// A run whose servers are in the hands of the test: one behind each socket that is opened.

const { generatorOf, nobody } = require('./fake-load')

/**
 * @param {{ edge: () => Record<string, unknown>, Server: new (socket: object) => any }} kind what else of the generator's is the test's, and the
 *   server's end of its connection
 * @param {Record<string, unknown>} opts
 */
function playServers ({ edge, Server }, opts, observer = nobody) {
  const log = generatorOf(opts, observer, {}, edge())
  const servers = []
  return Object.assign(log, {
    servers,
    /** The newest connection is there, or that one, and its server says so. */
    ready (socket = log.sockets.at(-1), ...greeting) {
      const server = new Server(socket)
      socket.write = bytes => { server.receive(bytes); return true }
      servers.push(server)
      socket.ready()
      server.greet?.(...greeting)
      return server
    },
    start (...greeting) {
      log.generator.start()
      return this.ready(undefined, ...greeting)
    }
  })
}

module.exports = { playServers }
