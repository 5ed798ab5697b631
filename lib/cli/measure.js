'use strict'

// Owns one run from the command line: its server, when that is ours, and the end that a signal or the end of the server gives it.

const { meet, portOf } = require('../server/addresses')

/**
 * @typedef {import('./interrupt').Interrupt} Interrupt
 * @typedef {import('../server/on-port').Server} Server
 */

/**
 * Rejects with the interrupt when a signal comes before the server listens.
 * @param {string[]} command
 * @param {Record<string, any>} raw its url or socketPath is set to where the server listens
 * @param {boolean} quiet
 * @param {Interrupt} interrupt
 * @returns {Promise<Server>}
 */
async function startServer (command, raw, quiet, interrupt) {
  const { startServer } = require('../server/on-port')
  const controller = new AbortController()
  interrupt.onSignal = () => controller.abort(interrupt)
  const server = await startServer(command, { stdout: process.stderr, stderr: process.stderr, quiet, ports: raw.url.map(portOf), signal: controller.signal })
  Object.assign(raw, meet(raw.url, server.addresses))
  return server
}

/**
 * @param {import('../run/instance').Instance} instance
 * @param {{ interrupt: Interrupt, server: Server | null, forever?: boolean, untilThen?: string }} surroundings server: one of ours, whose
 *   end is that of the run; untilThen: what becomes of what was measured before it
 * @returns {Promise<Record<string, any>>} the result
 * @throws {import('../errors').AutocannonError} when the server ended before the run did
 */
async function measured (instance, { interrupt, server, forever = false, untilThen = 'The result is of the time until then.' }) {
  interrupt.onSignal = () => instance.stop()
  if (interrupt.signal !== null) instance.stop()
  let serverEnded = false
  server?.exited.then(() => {
    serverEnded = true
    instance.stop()
  })
  const result = await /** @type {Promise<Record<string, any>>} */ (/** @type {unknown} */ (instance))
  const isWhole = result.interrupted === false && !forever
  if (serverEnded && !isWhole && interrupt.signal === null) throw await server?.explainEnd(untilThen)
  return result
}

module.exports = { startServer, measured }
