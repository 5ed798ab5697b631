'use strict'

// One run from the command line: starts its server with --on-port, and ends the run on a signal or when the server
// exits.

const { setTimeout } = require('node:timers/promises')
const { printable } = require('../../core/foreign-text')
const { meet, portOf } = require('../../server/addresses')
const { responsesOf } = require('../exit-code')
const { say } = require('../say')

/** The wait for a report of the server's exit after the last request, ms. */
const EXIT_REPORTED_AFTER = 500

/**
 * @typedef {import('../process/interrupt').Interrupt} Interrupt
 * @typedef {import('../../server/on-port').Server} Server
 */

/**
 * Rejects with the interrupt when a signal comes before the server listens.
 * @param {string[]} command
 * @param {import('../../options/normalize').Values} values
 * @param {Interrupt} interrupt
 * @returns {Promise<{ server: Server, values: import('../../options/normalize').Values }>} values: with the address of
 *   the server
 */
async function startServer (command, values, interrupt) {
  const { startServer } = require('../../server/on-port')
  const controller = new AbortController()
  interrupt.onSignal = () => controller.abort(interrupt)
  const server = await startServer(command, {
    stdout: process.stderr, stderr: process.stderr, quiet: values.quietServer, ports: values.url.map(portOf),
    say: sentence => say(process.stderr, printable(sentence)), signal: controller.signal
  })
  return {
    server,
    values: {
      ...values, ...meet(values.url, server.addresses), started: { pid: server.pid, folder: server.folder, command }
    }
  }
}

/**
 * @param {import('../../run/instance').Instance} instance
 * @param {{ interrupt: Interrupt, server: Server | null, forever?: boolean, untilThen?: string }} context server:
 *   started by --on-port, its exit ends the run; untilThen: whether the partial result is kept
 * @returns {Promise<Record<string, any>>} the result
 * @throws {import('../../core/errors').AutocannonError} when the server ended before the run did
 */
async function measured (
  instance, { interrupt, server, forever = false, untilThen = 'The result is of the time until then.' }
) {
  interrupt.onSignal = () => instance.stop()
  if (interrupt.signal !== null) instance.stop()
  let serverEnded = false
  server?.exited.then(() => {
    serverEnded = true
    instance.endBy(server.explainEnd(untilThen))
  })
  const result = await /** @type {Promise<Record<string, any>>} */ (/** @type {unknown} */ (instance))
  const isSilent = responsesOf(result) === 0
  // With a silent server, a run with an amount may end before the exit of its process is reported.
  if (server !== null && isSilent && !serverEnded && interrupt.signal === null) {
    await Promise.race([server.exited, setTimeout(EXIT_REPORTED_AFTER, undefined, { ref: false })])
  }
  const isWhole = result.interrupted === false && !forever && !isSilent
  if (serverEnded && !isWhole && interrupt.signal === null) throw await server?.explainEnd(untilThen)
  return result
}

/**
 * @param {unknown} error that ended a run
 * @returns {Record<string, any> | null} the partial result, raw if configured so; null if no request was sent
 */
function measuredBefore (error) {
  const { result } = /** @type {{ result?: Record<string, any> }} */ (error)
  return result !== undefined && (result.requests ?? result.totals).sent > 0 ? result : null
}

module.exports = { startServer, measured, measuredBefore }
