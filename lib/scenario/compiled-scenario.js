'use strict'

// Owns a scenario that is compiled: each step's bytes are made once and shared by all connections that send them. A compiled
// scenario never changes: an edited one is another that shares all other steps, so what one connection edits no other sees.

const { findPlaces, withPlaces } = require('./ids')
const { Batch } = require('./batch')

/**
 * @typedef {import('./request').Request} Request
 * @typedef {import('./target').Target} Target
 * @typedef {import('./context').Context} Context
 * @typedef {(request: Record<string, any>, context: Context) => Record<string, any> | null | undefined | false} SetupRequest
 * @typedef {(status: number, body: string, context: Context, headers: Record<string, string | string[]>) => void} OnResponse
 * @typedef {{ setupRequest?: SetupRequest, onResponse?: OnResponse }} RequestHooks
 */

/**
 * @typedef {object} Step one request of a scenario
 * @property {Request} request
 * @property {Target} target
 * @property {SetupRequest | undefined} setupRequest
 * @property {OnResponse | undefined} onResponse
 * @property {any} examiner what its answers are held to: made in response/, only carried here; null when nobody looks at answers
 *
 * @typedef {{ bytes: Buffer, places: number[] }} Encoded bytes of a request, and where the ids in them stand
 * @typedef {Step & { index: number, method: string, bytes: Buffer | null, places: number[] }} CompiledStep bytes are null when a
 *   hook makes the request
 */

/**
 * @typedef {object} Means what all scenarios of a run are compiled with
 * @property {(request: Request, target: Target) => Buffer} encode of the wire
 * @property {boolean} idReplacement
 * @property {number} pipelining
 * @property {() => Context} makeContext for each round
 */

class CompiledScenario {
  /**
   * @param {ReadonlyArray<CompiledStep>} steps
   * @param {Means} means
   */
  constructor (steps, means) {
    this.steps = steps
    this.means = means
    const isStatic = !means.idReplacement && steps.every(({ setupRequest, onResponse }) => setupRequest === undefined && onResponse === undefined)
    /** Runs of several steps as one write; null when hooks or ids have a say in what is sent. */
    this.batch = isStatic ? new Batch(steps.map(({ bytes }) => /** @type {Buffer} */ (bytes)), means.pipelining) : null
  }

  /**
   * @param {number} index
   * @param {Request} request in place of that step's
   * @returns {CompiledScenario}
   */
  edit (index, request) {
    const { steps, means } = this
    return new CompiledScenario(steps.with(index, compileStep({ ...steps[index], request }, index, means)), means)
  }
}

/**
 * @param {ReadonlyArray<Step>} steps
 * @param {Means} means
 */
function compileScenario (steps, means) {
  return new CompiledScenario(steps.map((step, index) => compileStep(step, index, means)), means)
}

/**
 * @param {Step} step
 * @param {number} index
 * @param {Means} means
 * @returns {CompiledStep}
 */
function compileStep ({ request, target, setupRequest, onResponse, examiner }, index, means) {
  const { bytes, places } = setupRequest === undefined ? encode(request, target, means) : { bytes: null, places: [] }
  return { index, request, target, method: request.method, bytes, places, setupRequest, onResponse, examiner }
}

/**
 * @param {Request} request
 * @param {Target} target
 * @param {Means} means
 * @returns {Encoded}
 */
function encode (request, target, { encode, idReplacement }) {
  if (!idReplacement) return { bytes: encode(request, target), places: [] }
  const bytes = encode(withPlaces(request.path === null ? { ...request, path: decodeTags(target.path) } : request), target)
  return { bytes, places: findPlaces(bytes) }
}

/**
 * `[<id>]` in the path of a URL has been percent-encoded with it.
 * @param {string} path
 */
function decodeTags (path) {
  return path.replace(/(?:\[|%5B)(?:<|%3C)id(?:>|%3E)(?:\]|%5D)/gi, '[<id>]')
}

module.exports = { CompiledScenario, compileScenario, encode }
