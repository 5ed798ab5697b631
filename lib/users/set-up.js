'use strict'

// Validates the request that setupRequest returns.

const { AutocannonError, HookError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { headersObject, parseHeaders } = require('../requests/headers')
const { framed } = require('../requests/framing')
const { IN_SCENARIOS, isPromise, promised } = require('../requests/hook-result')
const { parseMethod, parsePath, parseBody } = require('../requests/request')

/** The limit of consecutive restarts of a scenario without a sent request. The run fails at that limit. */
const MAX_RESTARTS = 1000

/**
 * @typedef {import('../requests/request').Request} Request
 *
 * @param {import('./compiled-scenario').CompiledStep} step
 * @param {import('./compiled-scenario').SetupRequest} setupRequest of the step
 * @param {Request} request of the step, with its values
 * @param {import('../templates/context').Context} context of the iteration
 * @returns {Request | null} null when the scenario is to start over
 * @throws {HookError}
 */
function setUp (step, setupRequest, request, context) {
  const made = callHook(step, setupRequest, request, context)
  if (isPromise(made)) throw promised(hookOf(step), made, IN_SCENARIOS)
  return read(step, request, made)
}

/**
 * As `setUp`, for a hook that may return a promise.
 * @type {(awaits: import('../requests/hook-result').Awaits, ...given: Parameters<typeof setUp>) =>
 *   Promise<Request | null>}
 * @throws {HookError}
 */
async function setUpLater (awaits, step, setupRequest, request, context) {
  let made = callHook(step, setupRequest, request, context)
  if (isPromise(made)) {
    try {
      made = await awaits.settled(made, () =>
        new Error(`its promise has not settled within ${awaits.limit}: is there an await that never ends?`))
    } catch (error) {
      throw HookError.failed(hookOf(step), error)
    }
  }
  return read(step, request, made)
}

/** @param {import('./compiled-scenario').CompiledStep} step */
const hookOf = ({ index }) => `setupRequest of request ${index}`

/** @type {(...given: Parameters<typeof setUp>) => any} */
function callHook (step, setupRequest, { method, path, headers, body }, context) {
  const fresh = {
    method,
    path: path ?? step.target.path,
    headers: headersObject(headers),
    body: body === null ? undefined : typeof body === 'string' ? body : Buffer.from(body)
  }
  try {
    return setupRequest(fresh, context)
  } catch (error) {
    throw HookError.failed(hookOf(step), error)
  }
}

/** @type {(step: import('./compiled-scenario').CompiledStep, request: Request, made: any) => Request | null} */
function read (step, { method }, made) {
  if (!made) return null
  try {
    return readMade(made, method)
  } catch (error) {
    throw HookError.failed(hookOf(step), error)
  }
}

/**
 * @param {Record<string, any>} made by setupRequest
 * @param {string} method of the request that it received
 * @returns {Request}
 * @throws {TypeError}
 */
function readMade (made, method) {
  if (typeof made !== 'object') {
    throw new TypeError(`expected it to return the request, or nothing to start over, got ${show(made)}`)
  }
  return framed({
    method: made.method === method ? method : parseMethod(made.method),
    path: parsePath(made.path),
    headers: parseHeaders(made.headers ?? {}),
    body: made.body === undefined || made.body === null ? null : parseBody(made.body)
  })
}

/**
 * @param {number | string} index of the request, as in messages
 * @param {string | null} refused the reason why its last request could not be sent; null when setupRequest returned
 *   nothing
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

module.exports = { MAX_RESTARTS, restartsForEver, setUp, setUpLater }
