'use strict'

// The shape of bursts: many requests at once, repeatedly.

const { isRecord, show } = require('../core/foreign-text')
const { parseSeconds, timeText, toNumber } = require('../core/numbers')
const { formatInteger } = require('../core/units')
const { MAX_RATE } = require('./rate')

const MAX_SECONDS = 2_000_000

/** @type {import('../requests/fields').Field} */
const MANY = { schema: ({ number }) => number({ minimum: 1, maximum: MAX_RATE }, 'integer') }

/** @satisfies {import('../requests/fields').Fields} */
const FIELDS = Object.freeze({
  requests: { ...MANY, help: 'Number of requests at once.' },
  iterations: { ...MANY, help: 'Number of iterations at once, instead of requests.' },
  every: { schema: ({ TIME }) => TIME, required: true, help: 'The interval of bursts.' }
})

/**
 * @typedef {{ requests: number, every: number, unit?: 'iterations' }} Burst a number of requests or iterations at once,
 *   at an interval
 */

/**
 * @param {unknown} given such as `100/5s` or `100 iterations/5s`, or an object
 * @returns {Burst}
 * @throws {TypeError}
 */
function parseBurst (given) {
  const { requests, iterations, every } = burstIn(given)
  const count = toNumber(requests ?? iterations)
  // 100/s is 100/1s.
  const seconds = parseSeconds(typeof every === 'string' && /^[a-z]+$/i.test(every) ? `1${every}` : every)
  const isOne = (requests === undefined) !== (iterations === undefined)
  if (isOne && Number.isInteger(count) && count >= 1 && count <= MAX_RATE && seconds >= 0.001 &&
    seconds <= MAX_SECONDS) {
    return { requests: count, every: seconds, ...iterations !== undefined && { unit: 'iterations' } }
  }
  throw new TypeError('expected requests at once and how often, such as 100/5s or "100 iterations/5s", from 1 to ' +
    `${formatInteger(MAX_RATE)} and from 1ms on, got ${show(given)}`)
}

/** Returns an empty object if it is no burst. @type {(given: unknown) => Record<string, unknown>} */
function burstIn (given) {
  if (isRecord(given)) {
    const { rounds, ...rest } = given
    if (rounds !== undefined && rest.iterations !== undefined) return {}
    const burst = rounds === undefined ? rest : { ...rest, iterations: rounds }
    return Object.keys(burst).every(key => Object.hasOwn(FIELDS, key)) ? burst : {}
  }
  const [, number, iterations, every] = typeof given === 'string'
    ? /^\s*([^/]*?)\s*((?:iteration|round)s?)?\s*\/\s*(.*)$/is.exec(given) ?? []
    : []
  return iterations === undefined ? { requests: number, every } : { iterations: number, every }
}

/** As for a constant pace: for rounding errors. */
const TOLERANCE = 1e-9

/**
 * @typedef {import('./pace').Pace} Pace
 * @implements {Pace}
 */
class BurstPace {
  /**
   * @param {{ requests: number, every: number }} burst with ms
   * @param {number} [end] ms; later due requests are not part of the run
   */
  constructor ({ requests, every }, end = Infinity) {
    this.requests = requests
    this.every = every
    this.total = Math.ceil(end / every - TOLERANCE) * requests
  }

  /** @param {number} n */
  dueAt (n) {
    return Math.floor(n / this.requests) * this.every
  }

  /** @param {number} at */
  dueBy (at) {
    return Math.max(0, Math.min(this.total, (Math.floor(at / this.every + TOLERANCE) + 1) * this.requests))
  }
}

/** @type {import('../options/type').Type} */
const type = {
  ts: 'string | { requests?: number, iterations?: number, every: number | string }',
  schema: ({ TEXT, object }) => ({ anyOf: [TEXT, object(FIELDS)] }),
  parse: parseBurst,
  described: ({ requests, every, unit }) =>
    unit === 'iterations' ? { iterations: requests, every } : { requests, every }
}

/**
 * @param {string | { requests?: number, iterations?: number, every: number | string, unit?: string }} burst
 * @returns {string} such as `100/5s`
 */
function textOf (burst) {
  if (typeof burst === 'string') return burst
  const { requests, iterations, every, unit } = burst
  return `${iterations ?? requests}${(unit ?? iterations) === undefined ? '' : ' iterations'}/${timeText(every)}`
}

/** @type {import('./shape').Shape & { BurstPace: typeof BurstPace }} */
module.exports = {
  BurstPace,
  option: {
    name: 'burst',
    type,
    arg: 'NUM/TIME',
    help: 'Send a number of requests at once, and again at an interval: 100/5s sends 100 requests every 5 s. "100 ' +
      'iterations/5s" starts 100 iterations of user scenarios every 5 s.',
    example: '--burst 100/5s http://localhost:3000'
  },
  unitOf: ({ unit = 'requests' }) => unit,
  mostOf: ({ requests }) => requests,
  planned: ({ requests, every }) => ({ rate: requests / every, form: { requests, every: every * 1000 } }),
  paceOf: ({ form }, end) => new BurstPace(form, end),
  isCounted: true,
  setsArrivals: true,
  line: burst => `burst ${textOf(burst)}`,
  texts: burst => [textOf(burst)]
}
