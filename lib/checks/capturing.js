'use strict'

// Extracts values from a response into the context of an iteration. It is compiled once per request. A missing value
// fails a check named after the capture, and its reasons contain no text of the response.

const { HookError } = require('../core/errors')
const { isPromise, promised } = require('../requests/hook-result')
const { keepText, textOf } = require('../requests/json-numbers')
const { numberTextAt, parseJsonPath, valueAt } = require('../requests/json-path')
const { linearWherePossible } = require('../requests/linear-pattern')
const { isSecretName } = require('../core/secrets')
const { isAssertion, isProtocolError, reasonOf } = require('./failure')
const { Response } = require('./response')
const { StreamEvent } = require('./stream-event')

/**
 * @typedef {import('./capture').Capture} Capture
 *
 * @typedef {object} Finder extracts a value
 * @property {boolean} readsBody whether the whole body is needed
 * @property {string} missing the reason when there is no value
 * @property {(response: Response, hook: string, random: () => number) => unknown} find undefined or null for a missing
 *   value; throws when the response is not JSON, for failed assertions, or a HookError
 * @property {(response: Response, number: number) => string} [textOf] returns the text of the number in the response
 */

/** Extracts one value from the responses to one request. */
class Capturing {
  /**
   * @param {string} name of the value in the context
   * @param {Capture} capture
   * @param {number | string} index of the request, as messages call it
   */
  constructor (name, capture, index) {
    const finder = finderOf(capture)
    const { readsBody, missing, find, textOf } = capture.picks ? picking(finder) : finder
    this.name = name
    /** The number of the event with the value; −1 for the last one, null for the response. */
    this.event = capture.event
    this.hook = `capture ${name} of request ${index}`
    this.fallback = capture.fallback
    this.readsBody = readsBody
    this.missing = missing
    this.find = find
    this.textOf = textOf
  }

  /**
   * @param {Response} response
   * @param {Record<string, any>} context of the iteration, which receives the value
   * @param {() => number} random from 0 up to, excluding, 1
   * @returns {string | null} the reason for a missing value; null when there is one
   * @throws {HookError}
   */
  take (response, context, random) {
    const { name, fallback } = this
    let text = null
    let value
    let reason = this.missing
    try {
      value = this.find(response, this.hook, random)
    } catch (error) {
      if (error instanceof HookError) throw error
      // The message of an assertion contains the value.
      if (!isAssertion(error) || !isSecretName(name)) reason = reasonOf(error)
    }
    if (this.readsBody && Response.isDamaged(response, value)) {
      reason = 'AC_CHARSET: a byte of the body is no character of its charset'
      value = undefined
    }
    if (value === undefined || value === null) {
      // A status of 4xx or 5xx usually explains the missing value.
      if (fallback === null) return response.status >= 400 ? `${reason} (status ${response.status})` : reason
      value = typeof fallback.value === 'object' ? structuredClone(fallback.value) : fallback.value
    } else if (typeof value === 'number' && this.textOf !== undefined) text = this.textOf(response, value)
    keepText(context, name, text)
    context[name] = value
    return null
  }
}

/**
 * @param {Readonly<Record<string, Capture>>} captures by name
 * @param {number | string} index of the request, as messages call it
 */
function compileCaptures (captures, index) {
  return Object.entries(captures).map(([name, capture]) => new Capturing(name, capture, index))
}

/** @type {(capture: Capture) => Finder} */
function finderOf (capture) {
  const { event: number, kind } = capture
  if (number === null) return FINDERS[/** @type {keyof typeof FINDERS} */ (kind)](capture)
  const where = number === -1 ? 'the last event' : `event ${number}`
  const none = number === -1 ? 'no event' : `no event ${number}`
  if (kind === 'id' || kind === 'type') {
    return {
      readsBody: false,
      missing: `${where}: no ${kind}`,
      find (response) {
        const { lastEventId, type } = eventOf(response, number, none)
        return kind === 'type' ? type : lastEventId === '' ? undefined : lastEventId
      }
    }
  }
  const { missing, find, textOf } = FINDERS[kind](capture)
  /** @type {(response: Response) => Response} */
  const within = response => StreamEvent.asResponse(eventOf(response, number, none))
  return {
    readsBody: false,
    missing: `${where}: ${missing}`,
    find (response, hook, random) {
      if (kind === 'json') eventOf(response, number, none).json()
      return find(within(response), hook, random)
    },
    ...textOf !== undefined && { textOf: (response, value) => textOf(within(response), value) }
  }
}

/**
 * @param {Response} response
 * @param {number} number
 * @param {string} none the reason when there is no such event
 * @returns {StreamEvent}
 * @throws {Error}
 */
function eventOf (response, number, none) {
  const event = Response.eventsOf(response)?.at(number) ?? null
  if (event === null) throw new Error(none)
  return event
}

/** @type {Record<Exclude<Capture['kind'], 'id' | 'type'>, (capture: Capture) => Finder>} */
const FINDERS = {
  status: () => ({ readsBody: false, missing: 'no status', find: ({ status }) => status }),
  body: () => ({ readsBody: true, missing: 'no body', find: ({ body }) => body }),
  header:
    ({ key }) => ({ readsBody: false, missing: `no header ${key}`, find: ({ headers }) => firstOf(headers, key)[0] }),
  cookie: ({ key }) =>
    ({
      readsBody: false,
      missing: `no cookie ${key}`,
      find: ({ headers }) => cookieOf(firstOf(headers, 'set-cookie'), key)
    }),
  json ({ key }) {
    const steps = parseJsonPath(key)
    return {
      readsBody: true,
      missing: `json ${key}: missing`,
      find (response) {
        const value = valueAt(response.json(), steps)
        return typeof value === 'object' ? valueAt(Response.jsonWithTexts(response), steps) : value
      },
      textOf: (response, number) => numberTextAt(Response.jsonWithTexts(response), steps, number)
    }
  },
  html ({ key, attribute, beside, all }) {
    const { loadHtml, missingFor, valuesIn } = require('./html')
    if (loadHtml(beside === null ? [] : [beside]) === null) throw new HookError(missingFor('html'))
    return {
      readsBody: true,
      missing: `html ${key}${attribute === null ? '' : ` attr ${attribute}`}: missing`,
      find (response) {
        const values = valuesIn(response, key, attribute)
        return all ? listOf(values, response.body) : values.next().value
      }
    }
  },
  pattern (capture) {
    const given = /** @type {RegExp} */ (capture.pattern)
    const pattern = linearWherePossible(given)
    const missing = `the body does not match ${given}`
    if (capture.all) return { readsBody: true, missing, find: ({ body }) => listOf(pattern.all(body), body) }
    return {
      readsBody: true,
      missing,
      find ({ body }) {
        const match = pattern.exec(body)
        return match === null ? undefined : own(match.length > 1 ? match[1] : match[0], body)
      }
    }
  },
  function (capture) {
    const capturing = /** @type {(response: Response) => unknown} */ (capture.hook)
    return {
      readsBody: true,
      missing: 'the function returned nothing',
      find: (response, hook) => responseOf(capturing, response, hook)
    }
  }
}

/**
 * @param {Finder} finder for a list
 * @returns {Finder} for a random element of that list
 */
function picking ({ readsBody, missing, find }) {
  /** @type {any[]} */
  let list = []
  let index = 0
  return {
    readsBody,
    missing,
    find (response, hook, random) {
      const value = find(response, hook, random)
      if (value === undefined || value === null) return undefined
      if (!Array.isArray(value)) throw new Error('the value to pick from is no list')
      if (value.length === 0) throw new Error('the list to pick from is empty')
      list = value
      index = Math.floor(random() * list.length)
      return list[index]
    },
    textOf: (response, number) => textOf(list, String(index), number)
  }
}

/** Limits of a list: a response must not fill the memory. */
const MOST_MATCHES = 10_000
const LONGEST_MATCHES = 2 ** 20

/**
 * @param {Iterable<string | undefined>} values
 * @param {string} text the text that contains them
 * @returns {string[] | undefined} the first values, up to the limits; undefined for none
 */
function listOf (values, text) {
  /** @type {string[]} */
  const list = []
  let length = 0
  for (const value of values) {
    if (value === undefined) continue
    length += value.length
    if (list.length === MOST_MATCHES || length > LONGEST_MATCHES) break
    list.push(/** @type {string} */ (own(value, text)))
  }
  return list.length === 0 ? undefined : list
}

/**
 * @param {Readonly<Record<string, string | string[]>>} headers
 * @param {string} name lower-case
 * @returns {string[]} its values, in order
 */
function firstOf (headers, name) {
  return Object.hasOwn(headers, name) ? [headers[name]].flat() : []
}

/**
 * @param {string[]} lines of Set-Cookie
 * @param {string} name
 * @returns {string | undefined} the value that a cookie jar would keep: the last one
 */
function cookieOf (lines, name) {
  for (const line of lines.toReversed()) {
    const [pair] = line.split(';', 1)
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** A part that is shorter by this length is copied, because V8 would keep the whole text in memory for it. */
const MUCH_SHORTER = 1024

/**
 * @param {string | undefined} part
 * @param {string} text that contains it
 * @returns {string | undefined} the same
 */
function own (part, text) {
  return part === undefined || text.length - part.length < MUCH_SHORTER
    ? part
    : Buffer.from(part, 'utf16le').toString('utf16le')
}

/**
 * @param {(response: Response) => unknown} capturing
 * @param {Response} response
 * @param {string} hook its name and its request, for messages
 * @throws {HookError}
 */
function responseOf (capturing, response, hook) {
  let captured
  try {
    captured = capturing(response)
  } catch (error) {
    if (isAssertion(error) || isProtocolError(error)) throw error
    throw HookError.failed(hook, error)
  }
  if (isPromise(captured)) throw promised(hook, captured)
  return captured
}

module.exports = { compileCaptures }
