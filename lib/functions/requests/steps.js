'use strict'

// The steps of the requests of user functions. Requests with the same name and expectations share a step, so that they
// are counted together and their expectations are compiled once.

const { types } = require('node:util')
const { parseName } = require('../../checks/rule')
const { cut, printable, show } = require('../../core/foreign-text')
const { within } = require('../../requests/place')
const { KeptByTarget } = require('../kept')

/** The limit of request names. A name with an id in it would fill the memory and every report. */
const MOST_NAMES = 1000
const MOST_BYTES = 8 * 1024 * 1024
const LONGEST_TITLE = 100
/** In keys, marks values that JSON lacks. */
const STRANGE = '\0'

/**
 * @typedef {import('../../requests/request').Request} Request
 * @typedef {import('../../requests/target').Target} Target
 * @typedef {import('../../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../../users/retries').RetryPlan} RetryPlan
 *
 * @typedef {object} Rules expectations of a response, apart from the request
 * @property {string | undefined} name
 * @property {unknown} expect
 * @property {unknown} capture
 * @property {RetryPlan | 0} retries
 * @property {boolean} [isMessage] whether it is a message of a WebSocket
 *
 * @typedef {object} Needs
 * @property {boolean} byRequest whether requests without a name are counted by method and path
 * @property {RetryPlan | 0} retries the default
 * @property {(target: Target, request: Request, rules: Rules) => CompiledStep} stepOf
 */

class Steps {
  /** @param {Needs} needs */
  constructor ({ byRequest, retries, stepOf }) {
    this.byRequest = byRequest
    this.retries = retries
    this.stepOf = stepOf
    /** @type {KeptByTarget<CompiledStep>} */
    this.kept = new KeptByTarget(2 * MOST_NAMES, MOST_BYTES)
    /** Those that are given. @type {Set<string>} */
    this.names = new Set()
    /** Those of requests without one. @type {Set<string>} */
    this.titles = new Set()
    /**
     * Numbers of functions in keys: two with the same text may see different variables.
     * @type {WeakMap<Function, number>}
     */
    this.numbers = new WeakMap()
    this.numbered = 0
    /** Replaces values that JSON lacks. @type {(key: string, value: any) => unknown} */
    this.keyOf = (key, value) => {
      if (typeof value === 'function') return [STRANGE, 'function', this.numberOf(value)]
      const isKnown = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
      return isKnown || (typeof value === 'object' && !types.isRegExp(value))
        ? value
        : [STRANGE, typeof value, String(value)]
    }
  }

  /** @param {Function} hook */
  numberOf (hook) {
    const number = this.numbers.get(hook) ?? this.numbered++
    this.numbers.set(hook, number)
    return number
  }

  /**
   * @param {unknown} given the option `name`
   * @param {Request} request
   * @returns {string | undefined} under which it is counted
   * @throws {TypeError}
   */
  nameOf (given, request) {
    return given === undefined ? this.titleOf(request) : this.checkName(given)
  }

  /** @param {unknown} given @returns {string} @throws {TypeError} */
  checkName (given) {
    const name = within('name', () => parseName(given))
    if (this.names.size >= MOST_NAMES && !this.names.has(name)) {
      throw new TypeError(`more than ${MOST_NAMES} names of requests: name a request by what it does, without ids, ` +
        `got ${show(name)}`)
    }
    this.names.add(name)
    return name
  }

  /** @param {Request} request @returns {string | undefined} undefined as well once there are too many of them */
  titleOf ({ method, path }) {
    if (!this.byRequest) return undefined
    const title = cut(printable(`${method} ${String(path).replace(/[?#].*/s, '')}`), LONGEST_TITLE)
    if (!this.titles.has(title) && this.titles.size >= MOST_NAMES) return undefined
    this.titles.add(title)
    return title
  }

  /** @type {(target: Target, request: Request, rules: Rules) => CompiledStep} */
  of (target, request, rules) {
    const { name, expect, capture, retries, isMessage = false } = rules
    const isNamed = expect === undefined && capture === undefined && (isMessage || retries === this.retries)
    const kind = isMessage ? '+' : '='
    // Text before the name: a request without a name would have the key of one with an empty name.
    const key = kind + (isNamed ? name ?? '' : JSON.stringify([name, expect, capture, retries], this.keyOf))
    const kept = this.kept.of(target)
    let step = kept.get(key)
    if (step === undefined) kept.set(key, step = this.stepOf(target, request, rules), 0)
    return step
  }
}

module.exports = { Steps }
