'use strict'

// A compiled scenario: the bytes of each step are created once, for all connections. It is immutable: an edit creates a
// copy for one connection, which shares all other steps.

const { Batch } = require('../requests/batch')
const { Template, compileRequest } = require('../templates/template')

/**
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('../requests/target').Target} Target
 * @typedef {import('../templates/context').Context} Context
 * @typedef {(request: Record<string, any>, context: Context) => Record<string, any> | null | undefined | false}
 *   SetupRequest
 * @typedef {(status: number, body: string, context: Context, headers: Record<string, string | string[]>) => void}
 *   OnResponse
 * @typedef {{ setupRequest?: SetupRequest, onResponse?: OnResponse }} RequestHooks
 */

/**
 * @typedef {object} Step one request of a scenario
 * @property {Request} request
 * @property {Target} target
 * @property {number} pause ms between the due times of the previous request and this one
 * @property {SetupRequest | undefined} setupRequest
 * @property {OnResponse | undefined} onResponse
 * @property {any} inspector the response inspector (response/); null when responses are not inspected
 * @property {ReadonlyArray<import('./pause').Pause> | null} pauses of a user after its response; null for none
 * @property {import('./retries').Retries | null} retries of a user; null where a request is sent once
 * @property {boolean} [keepsBody] whether the whole body of each response is kept
 * @property {boolean} [isStream] whether its responses may be streams, when the run has streams; true by default
 * @property {boolean} [isSocket] whether it opens a WebSocket or sends a message on it, and is built for each
 *   iteration; false by default
 * @property {string} [called] its name in messages: its index by default
 * @property {string | null} [scenario] the name of its user scenario; none by default
 * @property {ReadonlyArray<string | Uint8Array>} [parts] of a multipart body: texts are templates
 * @property {Templates | null} templates null when neither the request nor its expectations are templates
 *
 * @typedef {Omit<Step, 'keepsBody' | 'isStream' | 'isSocket'> & Compiled} CompiledStep requests of a list with the same
 *   shape share one step
 *
 * @typedef {object} Compiled at most one of `bytes`, `template` and `given` is not null
 * @property {number | string} index its index, or its name in messages
 * @property {string} method
 * @property {boolean} keepsBody
 * @property {boolean} isStream
 * @property {string | null} scenario
 * @property {Buffer | null} bytes of a constant request
 * @property {Template | null} template of a request with values
 * @property {((own: Own) => Request) | null} given returns a new request for each iteration, perhaps for a hook
 * @property {((own: Own) => Buffer) | null} bodyOf returns the body of a multipart with templates
 * @property {((own: Own) => string[]) | null} expected returns the expected texts of one request
 * @property {import('./listed').ListedRequests | null} listed the requests of a list that share the step
 *
 * @typedef {import('../templates/own').Own} Own values of one connection
 *
 * @typedef {object} Templates
 * @property {ReadonlyArray<number>} sources indexes of the data sources in use
 * @property {string | null} title the default name of the request; null when there is only one request
 */

/**
 * @typedef {import('../templates/template').Encoding & SharedParts} Means how all scenarios of a run are compiled
 *
 * @typedef {object} SharedParts
 * @property {((bytes: Buffer) => Buffer) | null} [keep] prepares bytes that are sent repeatedly
 * @property {ReadonlyArray<import('../templates/template').Tag>} tags that mark values
 * @property {import('../templates/trace-parent').TraceParent | null} [trace] the header traceparent of each request;
 *   null for no such header
 * @property {number} pipelining
 * @property {() => Context} makeContext for each iteration
 * @property {boolean} [asTexts] whether the texts of sent requests are needed: each request is then built from texts
 * @property {import('../templates/shared-values').SharedValues | null} sharedValues the values for templates; null
 *   without templates and data
 */

class CompiledScenario {
  /**
   * @param {ReadonlyArray<CompiledStep>} steps
   * @param {Means} means
   * @param {boolean} isStatic whether all requests are constant: no hook, tag or template changes them
   */
  constructor (steps, means, isStatic) {
    this.steps = steps
    this.means = means
    /** Indexes of the data sources with a row in each iteration. */
    this.sources = means.sharedValues === null ? NO_SOURCES : means.sharedValues.usedBy(steps)
    this.pauses = steps.some(({ pause }) => pause > 0)
    /** Joins several steps for one write; null unless it is static. */
    this.batch = isStatic ? new Batch(steps.map(({ bytes }) => /** @type {Buffer} */ (bytes)), means.pipelining) : null
  }

  /** @param {number} index @param {Request} request the new request of that step */
  edit (index, request) {
    const { steps, means, batch } = this
    const step = steps[index]
    const edited = step.templates === null
      ? request
      : require('../templates/fillers').editTemplates(step.request, request)
    return new CompiledScenario(
      steps.with(index, compileStep({ ...step, request: edited }, index, means)),
      means,
      batch !== null
    )
  }
}

/** @type {(steps: ReadonlyArray<Step>, means: Means) => CompiledScenario} */
function compileScenario (steps, means) {
  const isStatic = means.tags.length === 0 && (means.trace ?? null) === null && means.sharedValues === null &&
    steps.every(({ setupRequest, onResponse }) => setupRequest === undefined && onResponse === undefined)
  return new CompiledScenario(steps.map((step, index) => compileStep(step, index, means)), means, isStatic)
}

/** @type {(step: Step, index: number, means: Means) => CompiledStep} */
function compileStep (
  {
    request, target, pause, setupRequest, onResponse, inspector, pauses, retries, templates, keepsBody = false,
    isStream = true, isSocket = false, called, scenario = null, parts
  }, index, means
) {
  const texts = templates === null || request.path !== null ? request : { ...request, path: target.path }
  const { sharedValues, asTexts = false } = means
  const given = templates === null || sharedValues === null || (setupRequest === undefined && !asTexts && !isSocket)
    ? null
    : require('../templates/fillers').requestMaker(texts, sharedValues, means.tags, request.path === null)
  const compiled = setupRequest === undefined && given === null
    ? compileRequest(texts, target, means, templates !== null)
    : null
  const [bytes, template] = compiled instanceof Template
    ? [null, compiled]
    : [compiled !== null && means.keep ? means.keep(compiled) : compiled, null]
  const expected = inspector === null ? null : inspector.expectedTexts
  const bodyOf = parts === undefined || sharedValues === null
    ? null
    : require('../templates/fillers').bodyMaker(parts, sharedValues)
  return {
    index: called ?? index, request, target, pause, method: request.method, bytes, template, setupRequest, onResponse,
    inspector, pauses, retries, templates, listed: null, given, expected, keepsBody, isStream, scenario, bodyOf
  }
}

/** @type {ReadonlyArray<number>} */
const NO_SOURCES = Object.freeze([])

module.exports = { CompiledScenario, compileScenario }
