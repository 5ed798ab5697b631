'use strict'

// Validates the request that setupRequest returns.

const { AutocannonError, HookError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { headersObject, parseHeaders } = require('../requests/headers')
const { isPromise, promised } = require('../requests/hook-answer')
const { parseMethod, parsePath, parseBody } = require('../requests/request')

/** How often in a row the scenario may start over without a request being sent. The run fails then. */
const MAX_RESTARTS = 1000

/**
 * @typedef {import('../requests/request').Request} Request
 *
 * @param {import('./compiled-scenario').CompiledStep} step
 * @param {import('./compiled-scenario').SetupRequest} setupRequest of the step
 * @param {Request} request of the step, with its values
 * @param {import('../templates/context').Context} context of the round
 * @returns {Request | null} null when the scenario is to start over
 * @throws {HookError}
 */
function setUp ({ index, target }, setupRequest, { method, path, headers, body }, context) {
  const fresh = {
    method,
    path: path ?? target.path,
    headers: headersObject(headers),
    body: body === null ? undefined : typeof body === 'string' ? body : Buffer.from(body)
  }
  const hook = `setupRequest of request ${index}`
  let made
  try {
    made = setupRequest(fresh, context)
    if (!made) return null
    if (!isPromise(made)) return readMade(made, method)
  } catch (error) {
    throw HookError.failed(hook, error)
  }
  throw promised(hook, made)
}

/**
 * @param {Record<string, any>} made by setupRequest
 * @param {string} method that it was given
 * @returns {Request}
 * @throws {TypeError}
 */
function readMade (made, method) {
  if (typeof made !== 'object') {
    throw new TypeError(`expected it to return the request, or nothing to start over, got ${show(made)}`)
  }
  return {
    method: made.method === method ? method : parseMethod(made.method),
    path: parsePath(made.path),
    headers: parseHeaders(made.headers ?? {}),
    body: made.body === undefined || made.body === null ? null : parseBody(made.body)
  }
}

/**
 * @param {number | string} index of the request, as messages call it
 * @param {string | null} refused why its last one could not be sent; null when setupRequest returned nothing
 */
function restartsForEver (index, refused) {
  if (refused !== null) {
    return new AutocannonError(
      'AC_TEMPLATE',
      `request ${index} could not be sent ${MAX_RESTARTS} times in a row: ${refused}`
    )
  }
  return new HookError(
    `setupRequest of request ${index} returned nothing ${MAX_RESTARTS} times in a row: no request is left to send`
  )
}

module.exports = { MAX_RESTARTS, restartsForEver, setUp }
