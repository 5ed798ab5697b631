'use strict'

// Owns what the runs of two servers were like, as far as it keeps a verdict from being made, or makes it worth less: what they did,
// how they ended, and whether the clients of both sides were alike.

const { isTimedByArrival } = require('../../instruments/clock/arrivals')
const { BY_ARRIVAL } = require('../../instruments/generator/cause')
const { TROUBLES, verdictOf, waitsForCpu } = require('../../instruments/generator/verdict')
const { formatInteger, plural } = require('../../core/units')
const { SETTINGS, differenceOfMachines } = require('./machines')
const { differenceOfWork } = require('./work')

/**
 * @typedef {Record<string, any>} Result
 *
 * @typedef {object} Circumstances
 * @property {string | null} work how what base and new did differs: no limit is kept then
 * @property {string | null} unlike how their clients differ: the difference may be theirs, and nothing can be told
 * @property {{ unlike: string | null, hides: string | null }} ofLatencies the same two for latencies: those that end at the arrival of responses in the kernel
 *   are not changed by a wait for the CPU
 * @property {string | null} cut why a run was not whole, so that no limit can be told
 * @property {string | null} hides why a difference may be there and not be seen: no limit passes, and a comparison without a difference
 *   is inconclusive
 * @property {string[]} notes what has to be known beside the figures
 */

/** What has to be the same on both sides: how it is called, and what a run has. */
const CONDITIONS = Object.freeze(/** @type {Array<[name: string, of: (result: Result) => unknown]>} */ ([
  ['connections', ({ connections }) => connections],
  ['pipelining', ({ pipelining }) => pipelining],
  ['workers', ({ workers }) => workers],
  // Older versions know no other. What a dispatcher speaks nobody knows.
  ['version of HTTP', ({ http, client }) => http ?? (client === undefined ? '1.1' : 'unknown')],
  // A latency that ends when a busy process reads the response is longer.
  ['end of a latency', ({ clock }) => clock === undefined ? 'the read' : 'the arrival in the kernel'],
  ['proxy', ({ options }) => options?.proxy],
  ['rate', ({ rate }) => rate?.target],
  ['rate of iterations', ({ rounds }) => rounds?.target],
  ['pause', ({ options }) => options?.pause && JSON.stringify(options.pause)],
  ['every', ({ options }) => options?.every],
  ['speed of the recording', ({ options }) => options?.harPauses === true ? options.speed ?? 1 : undefined],
  ['skipFirst', ({ skipped, options }) => skipped === undefined ? undefined : options?.skipFirst ?? skipped.seconds]
]))

const STARVED = `the load generator ${TROUBLES.cpu.predicate}`
const BLOCKED = `the load generator ${TROUBLES.loop.predicate}`
const SATURATED = `the load generator ${TROUBLES.limit.predicate}`
const BATCHED = 'requests left in batches'
const THROUGH_UNDICI = 'requests went through undici'

/** @type {Record<string, (result: Result) => boolean>} */
const STATES = {
  [STARVED]: ({ generator }) => verdictOf(generator) === 'starved',
  [SATURATED]: ({ generator }) => verdictOf(generator) === 'saturated',
  [THROUGH_UNDICI]: ({ client }) => client === 'undici',
  // Older versions with a rate knew no other pace.
  [BATCHED]: ({ rate }) => (rate?.pace ?? 'batched') === 'batched'
}

/**
 * @param {Result[]} base
 * @param {Result[]} next
 * @returns {Circumstances}
 */
function circumstancesOf (base, next) {
  const all = [...base, ...next]
  const work = differenceOfWork(base, next)
  const byArrival = all.every(isTimedByArrival)
  const unlike = clientsOf(base, next)
  const cut = all.some(({ interrupted }) => interrupted === true)
    ? 'at least one run was interrupted'
    : all.some(isEndedEarly)
      ? 'at least one run ended early, by bailout or a threshold that could not be met any more'
      : all.some(lacksAgent) ? 'at least one run lost an agent, and with it a part of its load' : null
  const found = [STARVED, SATURATED].filter(state => all.some(STATES[state]))
  const [client] = found
  /** @param {string | undefined} state @param {string} [what] */
  const hiddenBy = (state, what = '') => state === undefined ? null : `${named(state, all)} in ${formatInteger(all.filter(STATES[state]).length)} of ${plural(all.length, 'run')}, which hides differences of the servers${what}`
  const hides = hiddenBy(client, byArrival && client === STARVED ? ` in their rates; ${BY_ARRIVAL}` : '')
  const ofLatencies = byArrival ? { unlike: clientsOf(base, next, false), hides: hiddenBy(found.find(state => state !== STARVED)) } : { unlike, hides }
  return {
    work,
    unlike,
    ofLatencies,
    cut,
    hides,
    notes: [
      ...work === null ? [] : [`base and new did not do the same work (${work}): there is no verdict`],
      ...unlike === null ? [] : [ofLatencies.unlike === null ? `${unlike}; ${BY_ARRIVAL}` : unlike],
      ...onMachines(base, next),
      ...notAlike(base, next),
      ...hides === null || unlike?.startsWith(named(/** @type {string} */ (client), all)) ? [] : [hides],
      ...cut === null ? [] : [cut]
    ]
  }
}

/**
 * @param {string} state
 * @param {Result[]} all
 * @returns {string} its name: what starves a generator is another process, or code in its own thread
 */
function named (state, all) {
  return state === STARVED && !all.some(({ generator }) => waitsForCpu(generator)) ? BLOCKED : state
}

/**
 * @param {Result} result
 * @returns {boolean} whether something ended it before its time
 */
function isEndedEarly ({ bailedOut, thresholds = [] }) {
  return bailedOut === true || thresholds.some((/** @type {any} */ { aborted }) => aborted === true)
}

/** @param {Result} result */
function lacksAgent ({ agents = [] }) {
  return agents.some((/** @type {any} */ { lost }) => lost !== null)
}

/**
 * A generator that was the limit makes a server look slower than it is: where that is base, new is worse all the same.
 * @param {Result[]} base
 * @param {Result[]} next
 * @param {boolean} [withWaits] whether a wait for the CPU counts
 * @returns {string | null} how the clients of the two sides differ
 */
function clientsOf (base, next, withWaits = true) {
  if (isOnOneSide(THROUGH_UNDICI, base, next)) return `${counted(THROUGH_UNDICI, base, next)}, so the difference may be that of the client`
  if (withWaits && isOnOneSide(STARVED, base, next)) return `${counted(STARVED, base, next)}, so the difference may be that of the machine`
  if (isOnOneSide(SATURATED, base, next) && shareOf(SATURATED, next) > shareOf(SATURATED, base)) return `${counted(SATURATED, base, next)}, so the difference may be that of the client`
  if ([...base, ...next].every(({ rate }) => rate !== undefined) && isOnOneSide(BATCHED, base, next)) {
    return `${counted(BATCHED, base, next)}, so the difference may be that of the pace, which --pace sets for both`
  }
  return null
}

/**
 * @param {string} state
 * @param {Result[]} base
 * @param {Result[]} next
 * @returns {boolean} whether it befell one side so much more often that it is no chance: what befalls a few runs is in the variance
 *   between them
 */
function isOnOneSide (state, base, next) {
  return Math.abs(shareOf(state, base) - shareOf(state, next)) >= 0.5
}

/**
 * @param {string} state
 * @param {Result[]} side
 */
function shareOf (state, side) {
  return side.filter(STATES[state]).length / side.length
}

/**
 * @param {string} state
 * @param {Result[]} base
 * @param {Result[]} next
 * @returns {string} such as `requests left in batches in 0 of 3 runs of base and 2 of 3 of new`
 */
function counted (state, base, next) {
  const [before, after] = [base, next].map(side => `${side.filter(STATES[state]).length} of ${side.length}`)
  return `${named(state, [...base, ...next])} in ${before} runs of base and ${after} of new`
}

/**
 * @param {Result[]} base
 * @param {Result[]} next
 * @returns {string[]} how their machines differ, and how these were set
 */
function onMachines (base, next) {
  const [machines, settings] = [differenceOfMachines(base, next), differenceOfMachines(base, next, SETTINGS)]
  return [
    ...machines === null ? [] : [`base and new were measured on different machines (${machines}): a difference may be theirs`],
    ...settings === null ? [] : [`base and new were not measured alike: ${settings}`]
  ]
}

/**
 * @param {Result[]} base
 * @param {Result[]} next
 * @returns {string[]} how their load differs
 */
function notAlike (base, next) {
  const differ = CONDITIONS.flatMap(([name, of]) => {
    const [before, after] = valuesOf(base, next, result => of(result) ?? 'none')
    return before === after ? [] : [`${name} ${before} and ${after}`]
  })
  const ends = valuesOf(base, next, ({ options }) => options === undefined ? 'unknown' : options.amount === undefined ? 'after a time' : 'after an amount')
  if (!ends.includes('unknown') && ends[0] !== ends[1]) differ.push(`they end ${ends[0]} and ${ends[1]}`)
  return differ.map(what => `base and new were not measured alike: ${what}`)
}

/**
 * @param {Result[]} base
 * @param {Result[]} next
 * @param {(result: Result) => unknown} of
 * @returns {string[]} what the runs of base have, and those of new
 */
function valuesOf (base, next, of) {
  return [base, next].map(side => [...new Set(side.map(of))].join(', '))
}

module.exports = { circumstancesOf }
