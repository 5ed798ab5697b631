'use strict'

// Reads stages from texts or objects.

const { parseName } = require('../../checks/rule')
const { stageKey, stageNumber } = require('../../figures/parts')
const { isRecord, show } = require('../../core/foreign-text')
const { readObject } = require('../../requests/fields')
const { within } = require('../../requests/place')
const { parseSeconds, toNumber } = require('../../core/numbers')
const { formatInteger } = require('../../core/units')
const { MAX_RATE, Rate, readRate } = require('../rate')
const { secondsOf } = require('../stages')

/** @typedef {import('../stages').GivenStage} GivenStage */

const MAX_CONNECTIONS = 100_000
const MAX_SECONDS = 2_000_000
const MAX_STAGES = 10_000

/** @satisfies {import('../../requests/fields').Fields} */
const FIELDS = Object.freeze({
  duration: {
    ts: 'number | string', schema: ({ TIME }) => TIME, parse: secondsIn, required: true, help: 'Length; 0 for a jump.'
  },
  rate: {
    ts: 'number | string', schema: ({ rate }) => rate({ minimum: 0, maximum: MAX_RATE }), parse: rateIn,
    help: "Requests per second at its end, or iterations: '50 iterations/s'."
  },
  connections: {
    ts: 'number', schema: ({ number }) => number({ minimum: 0, maximum: MAX_CONNECTIONS }, 'integer'),
    parse: connectionsIn, help: 'Number of connections at its end.'
  },
  name: { ts: 'string', schema: ({ NAME }) => NAME, parse: nameOf, help: 'Name, in addition to its number.' }
})

const SHAPES = '30s:500/s (to 500 requests/s within 30 s), 30s:200 (to 200 connections), 30s:50iterations/s (to 50 ' +
  'iterations of user scenarios per second) or 0s:50/s (at once)'

/**
 * @param {unknown} given one stage or an array of them: objects, or texts, which may be several with commas
 * @throws {TypeError}
 */
function parseStages (given) {
  // As in k6, commas separate several stages.
  const list = (Array.isArray(given) ? Array.from(given) : [given]).flatMap(one =>
    typeof one === 'string' ? one.split(',') : [one])
  if (list.length === 0) throw new TypeError(`expected at least one stage such as ${SHAPES}, got an empty array`)
  if (list.length > MAX_STAGES) {
    throw new TypeError(`expected at most ${formatInteger(MAX_STAGES)} stages, got ${formatInteger(list.length)}`)
  }
  // Errors of texts show the text instead of an index.
  const stages = list.map((one, i) =>
    typeof one === 'string'
      ? parseText(one)
      : Array.isArray(given)
        ? within(`[${i}]`, () => parseObject(one))
        : parseObject(one))
  const problem = problemOf(stages, list)
  if (problem !== null) throw new TypeError(problem)
  return stages
}

/** @param {string} text such as `peak=30s:500/s` */
function parseText (text) {
  const [, name, duration, target] = /^\s*(?:([^=:]*)=)?([^:]*):(.*)$/s.exec(text) ?? []
  if (target === undefined) throw new TypeError(`expected a stage such as ${SHAPES}, got ${show(text)}`)
  /** @param {string} message */
  const inside = message => new TypeError(`${message} in ${show(text)}`)
  const seconds = durationOf(duration)
  if (seconds === null) throw inside(`expected a time before the colon, such as 30s or 1m30s, got ${show(duration)}`)
  const { number: value, unit } = readRate(target)
  /** @type {GivenStage} */
  const stage = { duration: seconds }
  if (unit === null) {
    if (!isIn(value, MAX_CONNECTIONS) || !Number.isInteger(value)) {
      throw inside('expected requests per second such as 500/s, or a whole number of connections up to ' +
        `${formatInteger(MAX_CONNECTIONS)}, got ${show(target)}`)
    }
    stage.connections = value
  } else {
    if (!isIn(value, MAX_RATE)) {
      throw inside(`expected a rate from 0/s to ${formatInteger(MAX_RATE)}/s, got ${show(target)}`)
    }
    stage.rate = new Rate(value, unit)
  }
  if (name !== undefined) stage.name = nameOf(name)
  return stage
}

/** @type {(given: unknown) => GivenStage} */
function parseObject (given) {
  if (!isRecord(given)) {
    throw new TypeError(
      `expected a stage such as ${SHAPES}, or an object with duration and rate or connections, got ${show(given)}`
    )
  }
  const stage = readObject(given, FIELDS)
  const isRate = stage.rate !== undefined
  if (isRate === (stage.connections !== undefined)) {
    throw new TypeError(`a stage has either a rate or connections, got ${isRate ? 'both' : 'neither'}`)
  }
  return /** @type {GivenStage} */ (stage)
}

/** @param {unknown} given */
function secondsIn (given) {
  const seconds = durationOf(given)
  if (seconds === null) throw new TypeError(`expected seconds or a time such as 1m30s, got ${show(given)}`)
  return seconds
}

/** @param {unknown} given */
function rateIn (given) {
  const { number, unit } = readRate(given)
  if (isIn(number, MAX_RATE)) return new Rate(number, unit ?? 'requests')
  throw new TypeError('expected requests per second, or iterations such as \'50 iterations/s\', from 0 to ' +
    `${formatInteger(MAX_RATE)}, got ${show(given)}`)
}

/** @param {unknown} given */
function connectionsIn (given) {
  const number = toNumber(given)
  if (isIn(number, MAX_CONNECTIONS) && Number.isInteger(number)) return number
  throw new TypeError(`expected a whole number from 0 to ${formatInteger(MAX_CONNECTIONS)}, got ${show(given)}`)
}

/** @type {(value: number, max: number) => boolean} */
const isIn = (value, max) => value >= 0 && value <= max

/** @param {unknown} given */
function durationOf (given) {
  const seconds = parseSeconds(given)
  return isIn(seconds, MAX_SECONDS) ? seconds : null
}

/** @type {(given: unknown) => string} */
function nameOf (given) {
  const name = parseName(given)
  // `stage 5` in a threshold is the fifth stage, so a name must not be a number.
  if (stageNumber(`stage ${stageKey(name)}`) !== null || stageNumber(name) !== null || name.includes(':')) {
    throw new TypeError(`expected a name without a colon that is not the number of a stage, got ${show(name)}`)
  }
  return name
}

/** The rules across stages. @type {(stages: GivenStage[], given: unknown[]) => string | null} */
function problemOf (stages, given) {
  const rated = stages.findIndex(({ rate }) => rate !== undefined)
  const connected = stages.findIndex(({ connections }) => connections !== undefined)
  if (rated !== -1 && connected !== -1) {
    const [one, other] = [given[Math.min(rated, connected)], given[Math.max(rated, connected)]]
    return 'all stages of a run are rates, such as 30s:500/s, or all are connections, such as 30s:200, got ' +
      `both${typeof one === 'string' && typeof other === 'string' ? `: ${show(one)} and ${show(other)}` : ''}`
  }
  const other = stages.findIndex(({ rate }) => rate?.unit !== stages[0].rate?.unit)
  if (other !== -1) {
    const [one, another] = [given[0], given[other]]
    return 'all stages of a run are rates of requests, such as 30s:500/s, or all are rates of iterations, such as ' +
      '30s:50iterations/s, got ' +
      `both${typeof one === 'string' && typeof another === 'string' ? `: ${show(one)} and ${show(another)}` : ''}`
  }
  const seconds = secondsOf(stages)
  if (seconds === 0) {
    return 'expected a stage that takes time, got ' +
      `${stages.length === 1 ? 'one that takes none' : `${stages.length} that take none`}: the run lasts as long as ` +
      'its stages together'
  }
  if (seconds > MAX_SECONDS) {
    return `expected stages of at most ${formatInteger(MAX_SECONDS)} s together, got ${formatInteger(seconds)} s`
  }
  const named = stages.find(({ name, duration }) => name !== undefined && duration === 0)
  if (named !== undefined) {
    return `the stage ${show(named.name)} takes no time, so it has no figures: name the stage after it`
  }
  const names = stages.flatMap(({ name }) => name ?? [])
  const keys = names.map(stageKey)
  const twice = names.find((_, i) => keys.indexOf(keys[i]) !== i)
  if (twice !== undefined) {
    return `the name ${show(twice)} is given to two stages: a name must be unique, with or without the word stage ` +
      'before it'
  }
  return stages.every(({ rate, connections }) => (rate?.number ?? connections) === 0)
    ? 'expected a stage with a load, got 0 in all of them: nothing would be sent'
    : null
}

module.exports = { FIELDS, parseStages }
