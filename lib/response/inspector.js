'use strict'

// The response inspector: checks the responses to one request of a sequence (`expect`, `check`, `capture`, hooks), and
// counts them under its name. A connection has inspectors only if a check, a name or a hook needs them.

const { types } = require('node:util')
const { reasonOf } = require('../checks/failure')
const { Response } = require('../checks/response')
const { HookError } = require('../core/errors')
const { IN_SCENARIOS, isPromise, promised } = require('../requests/hook-result')
const { show } = require('../core/foreign-text')
const { redacted, redactedText } = require('../core/secrets')

/** The limit of a failing response's body in samples, bytes. */
const SAMPLE_BODY = 2048

/**
 * @typedef {import('../instruments/checks/record').CheckTally} CheckTally
 * @typedef {(response: Response, context: Record<string, any>) => unknown} Check
 * @typedef {(event: import('../checks/stream-event').StreamEvent, context: Record<string, any>) => unknown} CheckEvent
 * @typedef {import('../checks/response').Source} Source
 * @typedef {Readonly<Record<string, import('../checks/capture').Capture>>} Captures by name
 */

class Inspector {
  /**
   * @param {import('../checks/rule').Rule} rule
   * @param {{ check?: Check, ownCheck: boolean, checkEvent?: CheckEvent, ownCheckEvent?: boolean, verifies: boolean,
   *   responds: boolean, captures?: Captures, awaited?: import('../requests/hook-result').Awaits | null }} hooks of the
   *   request, and its captures; awaited: where the promise of an async check is tracked; null without async checks
   * @param {number | string} index of the request, its name in messages
   * @param {string} path of the target
   * @param {import('../record/recorder').Recorder} recorder
   * @param {import('../templates/shared-values').SharedValues | null} sharedValues source of the values of templates;
   *   null without templates in expectations
   */
  constructor (
    { name, title, expect, ownExpect },
    { check = passes, ownCheck, checkEvent, ownCheckEvent = false, verifies, responds, captures, awaited = null },
    index, path,
    { instruments: { checks, requests } }, sharedValues
  ) {
    /** The name for statistics. */
    this.tally = name === null ? null : requests.of(name)
    /** @param {boolean} own whether it applies only to this request */
    const request = own => this.tally?.name ?? (own ? title : null)
    const { readsBody, test, statuses, expectedTexts, events } = expect === null
      ? NOTHING
      : require('../checks/compile').compile(expect, sharedValues)
    this.name = name
    this.path = path
    this.index = index
    this.check = check
    this.awaited = awaited
    this.test = test
    this.statuses = statuses
    /** Returns expected texts that depend on the request; null without any. */
    this.expectedTexts = expectedTexts
    this.expected = expect === null ? null : checks.of('expect', request(ownExpect))
    this.checked = check === passes ? null : checks.of('check', request(ownCheck))
    this.verified = verifies ? checks.of('verifyBody', request(false)) : null
    this.responded = responds ? checks.of('onResponse', request(true)) : null
    this.captured = captures === undefined
      ? null
      : require('../checks/capturing').compileCaptures(captures, index).map(
        capturing => ({ capturing, tally: checks.of(`capture ${capturing.name}`, request(true)) })
      )
    this.checkEvent = checkEvent ?? null
    this.checkedEvent = checkEvent === undefined ? null : checks.of('checkEvent', request(ownCheckEvent))
    /** Expectations for the events of a stream. */
    this.events = events
    /** The numbers of captured events, except for the last one. @type {Set<number>} */
    this.keptEvents = new Set((this.captured ?? []).map(({ capturing }) => capturing.event ?? 0))
    /** Whether it needs the texts of events. */
    this.readsEvents = this.checkEvent !== null || (events !== null && events.readsTexts) ||
      (this.captured ?? []).some(({ capturing }) => capturing.event !== null)
    // Loaded before connections open.
    if (this.readsEvents) require('./event-inspector')
    this.readsBody = readsBody || this.checked !== null ||
      (this.captured !== null && this.captured.some(({ capturing }) => capturing.readsBody))
    /** Whether it inspects responses: a name alone does not require it. */
    this.inspects = this.expected !== null || this.checked !== null || this.captured !== null ||
      this.checkEvent !== null
  }

  /**
   * @param {Source} source
   * @param {number} ms latency
   * @param {Record<string, any>} context
   * @param {ReadonlyArray<string>} values of expected texts that depend on the request
   * @returns {boolean} whether the response passes
   * @throws {HookError}
   */
  inspect (source, ms, context, values) {
    const response = new Response(source, ms, this)
    let good = true
    if (this.expected !== null) good = this.count(this.expected, this.findUnexpected(response, values), source)
    const verdict = this.checked === null ? null : this.callCheck(response, context)
    const isLate = typeof verdict === 'object' && verdict !== null
    // An async check reads the response after the next one has arrived.
    const kept = isLate ? Response.keep(response) : source
    if (source.events?.hasRefused) good = false
    if (this.checked !== null && !isLate) good = this.count(this.checked, verdict, source) && good
    if (this.captured !== null) good = this.capture(this.captured, response, context, source) && good
    if (isLate) source.late = this.later(verdict, response, kept, good)
    else response.close()
    return good
  }

  /**
   * @param {NonNullable<Inspector['captured']>} captured
   * @param {Response} response
   * @param {Record<string, any>} context
   * @param {Source} source receives the name of the first missing value
   * @returns {boolean} whether all values are present
   * @throws {HookError}
   */
  capture (captured, response, context, source) {
    for (const { capturing, tally } of captured) {
      const reason = capturing.take(response, context, source.random)
      if (!this.count(tally, reason, source)) source.missing ??= capturing.name
    }
    return source.missing === null
  }

  /**
   * Fails the checks of a body that is only kept in part. Returns the name of the first value that cannot be captured.
   * @type {(reason: string, source: Source) => string | null}
   */
  refuse (reason, source) {
    const { expected, checked, captured } = this
    for (const tally of [expected, checked, ...(captured ?? []).map(({ tally }) => tally)]) {
      if (tally !== null) this.count(tally, reason, source)
    }
    return captured === null ? null : captured[0].capturing.name
  }

  /** Returns whether a 4xx or 5xx is expected. @type {(status: number) => boolean} */
  allows (status) {
    return this.statuses !== null && this.statuses[status] === 1
  }

  /** @type {(response: Response, values: ReadonlyArray<string>) => string | null} */
  findUnexpected (response, values) {
    try {
      return this.test(response, values)
    } catch (error) {
      // Invalid JSON, or an exception in a user function, fails the check.
      return reasonOf(error)
    }
  }

  /**
   * @param {PromiseLike<unknown>} verdict of its async check
   * @param {Response} response
   * @param {Source} source with a copy of the response
   * @param {boolean} isGood whether no other check failed
   * @returns {Promise<boolean>} whether this check failed and no other did
   */
  async later (verdict, response, source, isGood) {
    const awaited = /** @type {import('../requests/hook-result').Awaits} */ (this.awaited)
    let reason
    try {
      reason = this.read(await awaited.settled(
        verdict, () => new Error(`no verdict within ${awaited.limit}`), this.checked
      ))
    } catch (error) {
      if (error instanceof HookError) throw error
      reason = reasonOf(error)
    }
    response.close()
    return !this.count(this.checked, reason, source) && isGood
  }

  /**
   * @type {(response: Response, context: Record<string, any>) => string | null | PromiseLike<unknown>} the reason of a
   *   failure; a promise for an async check
   */
  callCheck (response, context) {
    let returned
    try {
      returned = this.check(response, context)
    } catch (error) {
      // An exception is a failure of the check.
      return reasonOf(error)
    }
    return this.awaited !== null && isPromise(returned) ? returned : this.read(returned)
  }

  /**
   * @param {import('../checks/stream-event').StreamEvent} event of a response
   * @param {Source & { context: Record<string, any> }} source
   * @returns {boolean} whether it passes `checkEvent`
   * @throws {HookError}
   */
  passesEvent (event, source) {
    let reason
    try {
      const returned = /** @type {CheckEvent} */ (this.checkEvent)(event, source.context)
      reason = isPromise(returned) ? returned : this.read(returned, 'checkEvent')
    } catch (error) {
      if (error instanceof HookError) throw error
      reason = reasonOf(error)
    }
    if (isPromise(reason)) throw promised(`checkEvent of request ${this.index}`, reason)
    return this.count(this.checkedEvent, reason, source)
  }

  /**
   * @param {unknown} returned by a check
   * @param {string} [name] of the check
   * @throws {HookError} for any other value, which would pass or fail unnoticed
   */
  read (returned, name = 'check') {
    if (returned === true) return null
    if (returned === false) return `${name} returned false`
    if (typeof returned === 'string' || types.isNativeError(returned)) return reasonOf(returned)
    const hook = `${name} of request ${this.index}`
    if (isPromise(returned)) throw promised(hook, returned, IN_SCENARIOS)
    throw new HookError(`${hook} has to return true, false, a reason or an Error, got ${show(returned)}`)
  }

  /**
   * @param {CheckTally | null} tally
   * @param {string | null} reason null if it passed
   * @param {Source} source
   * @returns {boolean} whether it passed
   */
  count (tally, reason, source) {
    if (reason === null) {
      if (tally !== null) tally.passed++
      return true
    }
    tally?.fail(reason, () => sampleOf(source))
    return false
  }
}

/** The check of a request without one. */
const passes = () => true

/** The compiled form of an empty expectation. */
const NOTHING = Object.freeze({
  readsBody: false, statuses: null, test: () => null, expectedTexts: null, events: null
})

/** @param {Source} source @returns {import('../instruments/checks/record').FailedResponse} a sample without secrets */
function sampleOf (source) {
  const raw = source.rawHeaders()
  const { body, ...rest } = source.sample(SAMPLE_BODY)
  const headers = Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i], raw[2 * i + 1]])
  return {
    status: source.status,
    headers: /** @type {Array<[string, string]>} */ (redacted(headers)),
    body: redactedText(body),
    ...rest
  }
}

/**
 * @param {ReadonlyArray<{ target: import('../requests/target').Target, rule: import('../checks/rule').Rule, captures?:
 *   Captures, templates?: object | null, called?: string, awaited?: import('../requests/hook-result').Awaits | null,
 *   hooks: { check?: Check, checkEvent?: CheckEvent, onResponse?: unknown } }>} steps
 * @param {{ check?: Check, checkEvent?: CheckEvent, verifyBody?: unknown }} hooks for all requests
 * @param {import('../record/recorder').Recorder} recorder
 * @param {import('../templates/shared-values').SharedValues | null} [sharedValues] source of the values of templates
 * @returns {Inspector[] | null} one for each step; null if none is needed
 */
function makeInspectors (steps, { check, checkEvent, verifyBody }, recorder, sharedValues = null) {
  const verifies = verifyBody !== undefined
  const inspected = verifies || check !== undefined || checkEvent !== undefined ||
    steps.some(({ rule, hooks, captures }) =>
      captures !== undefined || rule.name !== null || rule.expect !== null || hooks.check !== undefined ||
        hooks.checkEvent !== undefined || hooks.onResponse !== undefined)
  if (!inspected) return null
  return steps.map(({ target, rule, hooks, captures, templates = null, called, awaited }, i) =>
    new Inspector(
      rule,
      {
        check: hooks.check ?? check, ownCheck: hooks.check !== undefined, checkEvent: hooks.checkEvent ?? checkEvent,
        ownCheckEvent: hooks.checkEvent !== undefined, verifies,
        responds: hooks.onResponse !== undefined, captures, awaited
      },
      called ?? i,
      target.path,
      recorder,
      templates === null ? null : sharedValues
    ))
}

module.exports = { Inspector, makeInspectors, sampleOf, SAMPLE_BODY }
