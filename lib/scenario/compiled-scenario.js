'use strict'

// Owns a scenario that is compiled: each step's bytes are made once and shared by all connections that send them. A compiled
// scenario never changes: an edited one is another that shares all other steps, so what one connection edits no other sees.

const { Batch } = require('./batch')
const { Template, compileRequest } = require('./template')

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
 * @property {number} pause ms between the time at which the request before it was due and its own
 * @property {SetupRequest | undefined} setupRequest
 * @property {OnResponse | undefined} onResponse
 * @property {any} examiner what its answers are held to: made in response/, only carried here; null when nobody looks at answers
 * @property {ReadonlyArray<import('./pause').Pause> | null} pauses of a user after its answer; null for none
 * @property {import('./retries').Retries | null} retries of a user; null where a request is sent once
 *
 * @typedef {Step & { index: number, method: string, bytes: Buffer | null, template: Template | null, listed: import('./listed').ListedRequests | null }} CompiledStep
 *   bytes of a request that is known, or a template of one that is known in part; neither when a hook makes the request. Of requests of a
 *   list that have all else in common it is one step
 */

/**
 * @typedef {object} Means what all scenarios of a run are compiled with
 * @property {import('./template').Encode} encode of the wire
 * @property {ReadonlyArray<import('./template').Tag>} tags that stand for values
 * @property {number} pipelining
 * @property {() => Context} makeContext for each round
 */

class CompiledScenario {
  /**
   * @param {ReadonlyArray<CompiledStep>} steps
   * @param {Means} means
   * @param {boolean} isStatic whether neither hooks nor tags have a say in what is sent
   */
  constructor (steps, means, isStatic) {
    this.steps = steps
    this.means = means
    this.pauses = steps.some(({ pause }) => pause > 0)
    /** Runs of several steps as one write; null unless it is static. */
    this.batch = isStatic ? new Batch(steps.map(({ bytes }) => /** @type {Buffer} */ (bytes)), means.pipelining) : null
  }

  /**
   * @param {number} index
   * @param {Request} request in place of that step's
   * @returns {CompiledScenario}
   */
  edit (index, request) {
    const { steps, means, batch } = this
    return new CompiledScenario(steps.with(index, compileStep({ ...steps[index], request }, index, means)), means, batch !== null)
  }
}

/**
 * @param {ReadonlyArray<Step>} steps
 * @param {Means} means
 */
function compileScenario (steps, means) {
  const isStatic = means.tags.length === 0 && steps.every(({ setupRequest, onResponse }) => setupRequest === undefined && onResponse === undefined)
  return new CompiledScenario(steps.map((step, index) => compileStep(step, index, means)), means, isStatic)
}

/**
 * @param {Step} step
 * @param {number} index
 * @param {Means} means
 * @returns {CompiledStep}
 */
function compileStep ({ request, target, pause, setupRequest, onResponse, examiner, pauses, retries }, index, means) {
  const compiled = setupRequest === undefined ? compileRequest(request, target, means) : null
  const [bytes, template] = compiled instanceof Template ? [null, compiled] : [compiled, null]
  return { index, request, target, pause, method: request.method, bytes, template, setupRequest, onResponse, examiner, pauses, retries, listed: null }
}

module.exports = { CompiledScenario, compileScenario }
