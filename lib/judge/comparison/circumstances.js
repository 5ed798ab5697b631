'use strict'

// Circumstances that prevent or weaken a verdict on two servers: different requests, early ends, and different clients.

const { isTimedByArrival } = require('../../instruments/clock/arrivals')
const { verdictOf, waitsForCpu } = require('../../instruments/generator/verdict')
const { SETTINGS, differenceOfMachines } = require('./machines')
const { differenceOfWork } = require('./work')

/**
 * @typedef {Record<string, any>} Result
 *
 * @typedef {object} Circumstances
 * @property {Reason | null} work that base and new did different work, so that no limit is judged
 * @property {Reason | null} unlike that their clients differ, which may explain every difference of the servers
 * @property {Reason | null} hides what may hide a difference: no limit passes, and a comparison without a difference is
 *   inconclusive
 * @property {{ unlike: Reason | null, hides: Reason | null }} ofLatencies `unlike` and `hides` for latencies. A wait
 *   for the CPU does not change latencies that end when the kernel receives the response
 * @property {Reason | null} cut that a run is incomplete, so that no limit can be judged
 * @property {Finding[]} findings an error is the reason why there is no verdict
 *
 * @typedef {import('../reason').Reason} Reason
 * @typedef {import('../../findings/findings').Finding} Finding
 * @typedef {'starved' | 'saturated' | 'undici' | 'batched'} State
 */

/** The default of --stall, s (options/topics/streams). */
const DEFAULT_STALL = 1

/** Conditions that must be the same on both sides. */
const CONDITIONS = Object.freeze(/** @type {Array<[name: string, of: (result: Result) => unknown]>} */ ([
  ['connections', ({ connections }) => connections],
  ['pipelining', ({ pipelining }) => pipelining],
  ['workers', ({ workers }) => workers],
  // Older versions spoke HTTP/1.1 only. The version that a dispatcher speaks is unknown.
  ['version of HTTP', ({ http, client }) => http ?? (client === undefined ? '1.1' : 'unknown')],
  // A latency is longer if it ends when a busy process reads the response.
  ['end of a latency', ({ clock }) => clock === undefined ? 'the read' : 'the arrival in the kernel'],
  ['proxy', ({ options }) => options?.proxy],
  ['rate', ({ rate }) => rate?.target],
  ['rate of iterations', ({ iterations }) => iterations?.target],
  ['pause', ({ options }) => options?.pause && JSON.stringify(options.pause)],
  ['every', ({ options }) => options?.every],
  ['speed of the recording', ({ options }) => options?.harPauses === true ? options.speed ?? 1 : undefined],
  ['stream', ({ options }) => options?.stream],
  ['stall', ({ options, streams }) => streams && (options?.stall ?? DEFAULT_STALL)],
  ['events of a stream', ({ options }) => options?.events],
  ['length of a stream', ({ options }) => options?.streamFor],
  ['receive', ({ options }) => options?.receive],
  ['match', ({ options, websocket }) => websocket && (options?.match ?? 'next')],
  ['skipFirst', ({ skipped, options }) => skipped === undefined ? undefined : options?.skipFirst ?? skipped.seconds]
]))

/** Problems of a load generator. @type {Record<State, (result: Result) => boolean>} */
const STATES = {
  starved: ({ generator }) => verdictOf(generator) === 'starved',
  saturated: ({ generator }) => verdictOf(generator) === 'saturated',
  undici: ({ client }) => client === 'undici',
  // Older versions always sent a rate in batches.
  batched: ({ rate }) => (rate?.pace ?? 'batched') === 'batched'
}

/** @param {Result[]} base @param {Result[]} next @returns {Circumstances} */
function circumstancesOf (base, next) {
  const all = [...base, ...next]
  const difference = differenceOfWork(base, next)
  const work = difference === null ? null : { code: 'different-work', facts: { difference } }
  const byArrival = all.every(isTimedByArrival)
  const unlike = clientsOf(base, next)
  const cut = [['interrupted-runs', isInterrupted], ['early-ends', isEndedEarly], ['incomplete-load', lacksAgent]]
    .filter(([, is]) => all.some(/** @type {(result: Result) => boolean} */ (is)))
    .map(([code]) => ({ code: String(code), facts: {} }))
    .at(0) ?? null
  const found = /** @type {State[]} */ (['starved', 'saturated']).filter(state => all.some(STATES[state]))
  const [client] = found
  /** @param {State | undefined} state @param {boolean} [latenciesHold] */
  const hiddenBy = (state, latenciesHold = false) => state === undefined
    ? null
    : {
        code: 'hidden-differences',
        facts: {
          state: named(state, all),
          runs: [all.filter(STATES[state]).length, all.length],
          ...latenciesHold && { latenciesHold }
        }
      }
  const hides = hiddenBy(client, byArrival && client === 'starved')
  const ofLatencies = byArrival
    ? { unlike: clientsOf(base, next, false), hides: hiddenBy(found.find(state => state !== 'starved')) }
    : { unlike, hides }
  const unlikeClients = unlike === null || ofLatencies.unlike !== null
    ? unlike
    : { ...unlike, facts: { ...unlike.facts, latenciesHold: true } }
  /** @type {(reason: Reason | null, severity?: Finding['severity']) => Finding[]} */
  const finding = (reason, severity = 'warning') =>
    reason === null ? [] : [{ code: reason.code, severity, facts: reason.facts }]
  return {
    work,
    unlike,
    ofLatencies,
    cut,
    hides,
    findings: [
      ...finding(work, 'error'),
      ...finding(unlikeClients, 'error'),
      ...onMachines(base, next).flatMap(reason => finding(reason)),
      ...notAlike(base, next).flatMap(reason => finding(reason)),
      ...unlike !== null && unlike.facts.state === hides?.facts.state
        ? []
        : finding(hides, unlike === null ? 'error' : 'warning'),
      ...finding(cut)
    ]
  }
}

/**
 * @param {State} state
 * @param {Result[]} all
 * @returns {State | 'blocked'} `blocked` if no generator waited for the CPU, so that code in its thread was the cause
 */
function named (state, all) {
  return state === 'starved' && !all.some(({ generator }) => waitsForCpu(generator)) ? 'blocked' : state
}

/** @param {Result} result */
function isInterrupted ({ interrupted }) {
  return interrupted === true
}

/** @param {Result} result @returns {boolean} whether bailout or a threshold ended it early */
function isEndedEarly ({ bailedOut, thresholds = [] }) {
  return bailedOut === true || thresholds.some((/** @type {any} */ { aborted }) => aborted === true)
}

/** @param {Result} result */
function lacksAgent ({ agents = [] }) {
  return agents.some((/** @type {any} */ { lost }) => lost !== null)
}

/**
 * A saturated load generator makes a server look slower. If that was base, a worse figure of new is real.
 * @param {Result[]} base
 * @param {Result[]} next
 * @param {boolean} [withWaits] whether a wait for the CPU counts
 * @returns {Reason | null} how the clients of the two sides differ
 */
function clientsOf (base, next, withWaits = true) {
  const isPaced = [...base, ...next].every(({ rate }) => rate !== undefined)
  const state = /** @type {State[]} */ ([
    'undici', ...withWaits ? ['starved'] : [], 'saturated', ...isPaced ? ['batched'] : []
  ])
    .find(state =>
      isOnOneSide(state, base, next) && (state !== 'saturated' || shareOf(state, next) > shareOf(state, base)))
  if (state === undefined) return null
  const [before, after] = [base, next].map(side => [side.filter(STATES[state]).length, side.length])
  return { code: 'unlike-clients', facts: { state: named(state, [...base, ...next]), base: before, new: after } }
}

/**
 * @param {State} state
 * @param {Result[]} base
 * @param {Result[]} next
 * @returns {boolean} whether it affected one side far more often. Effects on a few runs are part of the variance
 *   between runs
 */
function isOnOneSide (state, base, next) {
  return Math.abs(shareOf(state, base) - shareOf(state, next)) >= 0.5
}

/** @param {State} state @param {Result[]} side */
function shareOf (state, side) {
  return side.filter(STATES[state]).length / side.length
}

/**
 * @param {Result[]} base
 * @param {Result[]} next
 * @returns {Reason[]} the differences of their machines and of their settings
 */
function onMachines (base, next) {
  const [machines, settings] = [differenceOfMachines(base, next), differenceOfMachines(base, next, SETTINGS)]
  return [
    ...machines === null ? [] : [{ code: 'different-machines', facts: { difference: machines } }],
    ...settings === null ? [] : [unlikeIn(settings)]
  ]
}

/** @param {string} difference @returns {Reason} */
const unlikeIn = difference => ({ code: 'different-conditions', facts: { difference } })

/** @param {Result[]} base @param {Result[]} next @returns {Reason[]} the differences of their load */
function notAlike (base, next) {
  const differ = CONDITIONS.flatMap(([name, of]) => {
    const [before, after] = valuesOf(base, next, result => of(result) ?? 'none')
    return before === after ? [] : [`${name} ${before} and ${after}`]
  })
  const ends = valuesOf(base, next, ({ options }) =>
    options === undefined ? 'unknown' : options.amount === undefined ? 'after a time' : 'after an amount')
  if (!ends.includes('unknown') && ends[0] !== ends[1]) differ.push(`they end ${ends[0]} and ${ends[1]}`)
  return differ.map(unlikeIn)
}

/**
 * @param {Result[]} base
 * @param {Result[]} next
 * @param {(result: Result) => unknown} of
 * @returns {string[]} the values of base and new
 */
function valuesOf (base, next, of) {
  return [base, next].map(side => [...new Set(side.map(of))].join(', '))
}

module.exports = { circumstancesOf }
