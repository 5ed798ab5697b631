'use strict'

// The shape of a recorded trace: requests are due when those of the trace arrived.

const { isRecord, show } = require('../../core/foreign-text')
const { toNumber } = require('../../core/numbers')
const { formatInteger } = require('../../core/units')
const { refuseUnknownKeys } = require('../../core/suggest')

const MOST_SPEED = 1_000_000

/** @satisfies {import('../../requests/fields').Fields} */
const FIELDS = Object.freeze({
  file: { schema: ({ PATH }) => PATH, required: true, help: 'Path of the trace.' },
  speed: {
    schema: ({ number }) => number({ exclusiveMinimum: 0, maximum: MOST_SPEED }),
    help: 'How many times as fast as it was recorded.'
  }
})

const KEYS = Object.keys(FIELDS)

/** A parsed trace: a pipe cannot be read twice. */
class Replay {
  /**
   * @param {string} file
   * @param {number} speed factor relative to the recorded speed
   * @param {import('./trace').Trace} trace
   */
  constructor (file, speed, { times, rows }) {
    this.file = file
    this.speed = speed
    /** ms since the first arrival, in order. */
    this.times = speed === 1 ? times : times.map(time => time / speed)
    this.rows = rows
  }
}

/**
 * @param {unknown} given a file, or `FILE,speed=2`, or an object
 * @throws {TypeError}
 */
function parseReplay (given) {
  if (given instanceof Replay) return given
  const { file, speed = 1 } = partsOf(given)
  if (typeof file !== 'string' || file === '') {
    throw new TypeError(`expected the path of a file, and perhaps a speed, as in trace.csv,speed=2, got ${show(given)}`)
  }
  const factor = toNumber(speed)
  if (!(factor > 0 && factor <= MOST_SPEED)) {
    throw new TypeError(`speed: expected a factor above 0 and up to ${formatInteger(MOST_SPEED)}, got ${show(speed)}`)
  }
  return new Replay(file, factor, require('./trace').readTrace(file))
}

/** @type {(given: unknown) => Record<string, unknown>} */
function partsOf (given) {
  if (typeof given === 'string') return { .../^(?<file>.*?)(?:,speed=(?<speed>[^,]*))?$/s.exec(given)?.groups }
  if (!isRecord(given)) return {}
  refuseUnknownKeys(given, KEYS)
  return given
}

/**
 * @typedef {import('../pace').Pace} Pace
 * @implements {Pace}
 */
class ReplayPace {
  /**
   * @param {Float64Array} times ms, in order
   * @param {number} [end] ms; later due requests are not part of the run
   */
  constructor (times, end = Infinity) {
    this.times = times
    const after = times.findIndex(time => time >= end)
    this.total = after === -1 ? times.length : after
    /** The last result of `dueBy`, from which the next search starts. */
    this.due = 0
  }

  /** @param {number} n */
  dueAt (n) {
    return n < this.total ? this.times[n] : Infinity
  }

  /** @param {number} at */
  dueBy (at) {
    const { times, total } = this
    // Calls have increasing times, so this takes one or two steps.
    let { due } = this
    while (due > 0 && times[due - 1] > at) due--
    while (due < total && times[due] <= at) due++
    this.due = due
    return due
  }
}

/** Returns the highest number of requests within one second. @type {(replay: Replay) => number} */
function mostOf ({ times }) {
  let most = 0
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last] - times[first] >= 1000) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

/**
 * @param {string | { file: string, speed?: number }} replay as options have it
 * @returns {string} such as `trace.csv,speed=2`
 */
function textOf (replay) {
  if (typeof replay === 'string') return replay
  const { file, speed = 1 } = replay
  return Number(speed) === 1 ? file : `${file},speed=${speed}`
}

/** @type {import('../../options/type').Type} */
const type = {
  ts: 'string | { file: string, speed?: number }',
  schema: ({ PATH, object }) => ({ anyOf: [PATH, object(FIELDS)] }),
  parse: parseReplay,
  shown: textOf
}

/** @type {import('../shape').Shape & { Replay: typeof Replay, ReplayPace: typeof ReplayPace }} */
module.exports = {
  Replay,
  ReplayPace,
  option: {
    name: 'replay',
    type,
    arg: 'FILE',
    help: 'Send requests at the arrival times of a recorded trace: CSV (TIMESTAMP,ContextTokens,GeneratedTokens) or ' +
      'JSON lines (timestamp, input_length, output_length). The body may use {{trace.prompt}}, {{trace.input}} and ' +
      '{{trace.output}}. The run ends when all have their responses, or with -d. trace.csv,speed=2 is twice as fast.',
    example: '--replay trace.csv -c 500 http://localhost:3000'
  },
  unitOf: () => 'requests',
  mostOf,
  planned: ({ times }) =>
    ({ rate: times.length / Math.max(1, times[times.length - 1] / 1000), form: times, isPooled: true }),
  paceOf: ({ form }, end) => new ReplayPace(form, end),
  isCounted: true,
  setsArrivals: true,
  line: replay => `replay ${textOf(replay)}`,
  texts: replay => [textOf(replay)]
}
