'use strict'

// Raw results, which a run with skipAggregateResult returns in a form that survives JSON; and their merge into one
// outcome.

const { sumOf } = require('../core/statistics')
const { isDeepStrictEqual } = require('node:util')
const { countedAt } = require('../core/counted')
const { AutocannonError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { INSTRUMENTS, KEYS } = require('../instruments')
const { findRepeatedRaw } = require('./repeated')
const { Samples } = require('../record/samples')
const { mergeSeries } = require('./series')
const { problemOfRaw } = require('./shape')
const { Totals } = require('../record/totals')

/** @typedef {import('../shapes/stages').Stage} Stage */

/** How much the clocks of machines may differ, ms. Two commands run one after the other have a longer gap. */
const SKEW = 250

/** A new one for each change of the meaning, unit or form of a value in a raw result. */
const FORMAT = 'autocannon-raw-4'
/** Formats that are read. Format 3 has another sum of squares, which loses small deviations of large values. */
const READ = new Set(['autocannon-raw-3', FORMAT])

/**
 * @param {Record<string, any>} identity title, url and the like
 * @param {import('./result').Outcome} outcome
 * @returns {Record<string, any>}
 */
function toRaw (identity, {
  totals, samples, series, elapsed, start, finish, targetRate, stages = null, users = null, usages, interrupted = false,
  agents = null
}) {
  const { instruments, distributions: _, keptPace, streamLimit, ...counted } = totals
  return {
    format: FORMAT,
    ...identity,
    start,
    finish,
    elapsed,
    targetRate,
    stages,
    users,
    loads: usages,
    ...agents !== null && { agents },
    interrupted,
    totals: {
      ...counted,
      ...Object.fromEntries(KEYS.map(key => [key, instruments[key]?.encode() ?? null])),
      keptPace,
      streamLimit
    },
    samples: samples.list,
    series
  }
}

/**
 * @typedef {object} Move the context in which a report is merged into a result of several runs
 * @property {number} offset ms from the start of the first run to that of its run
 * @property {Record<string, any>} raw the result of its run
 * @property {Record<string, any>} together what instruments have merged from all runs (`ofRuns`)
 */

/**
 * @param {Array<Record<string, any>>} raws
 * @param {(i: number) => string} [nameOf] the name of a result in an error
 * @returns {import('./result').Outcome}
 * @throws {AutocannonError} if they cannot be merged
 */
function merge (raws, nameOf = i => `result ${i}`) {
  check(raws, nameOf)
  const { sampleInt } = raws[0]
  const start = Math.min(...raws.map(raw => +new Date(raw.start)))
  const totals = new Totals()
  const samples = new Samples(sampleInt, 0)
  const together = Object.assign(
    {}, ...Object.values(INSTRUMENTS).map(({ result }) => /** @type {any} */ (result()).ofRuns?.(raws))
  )
  let elapsed = 0
  for (const raw of raws) {
    // Machines start at different times.
    const offset = +new Date(raw.start) - start
    /** @param {number | null} [ms] */
    const shifted = ms => ms == null ? null : ms + offset
    // Raw results of older versions have no silentFrom. The server is assumed to have responded until the end.
    const silentFrom = shifted(raw.totals.silentFrom ?? raw.elapsed)
    totals.add({
      ...raw.totals,
      connectingMs: shifted(raw.totals.connectingMs),
      silentFrom,
      ...movedReports(raw.totals, { offset, raw, together })
    })
    samples.addAll(raw.samples, offset)
    elapsed = Math.max(elapsed, offset + raw.elapsed)
  }
  return {
    totals,
    samples,
    series: mergeSeries(raws.map(raw => ({ points: raw.series, offset: +new Date(raw.start) - start }))),
    elapsed,
    start: new Date(start),
    finish: new Date(start + elapsed),
    targetRate: raws.some(raw => raw.targetRate === null) ? null : sumOf(raws, raw => raw.targetRate),
    usages: raws.flatMap(raw => raw.loads),
    interrupted: raws.some(({ interrupted }) => interrupted),
    ...together
  }
}

/**
 * @param {Record<string, any>} totals of a raw result
 * @param {Move} move
 * @returns {Record<string, any>} the reports that change in a result of several runs
 */
function movedReports (totals, move) {
  return Object.fromEntries(KEYS.flatMap(key => {
    const report = totals[key]
    if (report == null) return []
    const { moved } = /** @type {any} */ (INSTRUMENTS[key].result())
    return moved === undefined ? [] : [[key, moved(report, move)]]
  }))
}

/** @param {Array<Record<string, any>>} raws @param {(i: number) => string} nameOf */
function check (raws, nameOf) {
  if (!Array.isArray(raws) || raws.length === 0) {
    throw new AutocannonError('AC_AGGREGATE', 'aggregateResult expects an array with at least one result')
  }
  raws.forEach((raw, i) => {
    if (!READ.has(raw?.format)) {
      refuse(nameOf(i), raw?.format === undefined
        ? 'it does not come from a run with skipAggregateResult: true'
        : `it has the format ${show(raw.format)}, expected ${FORMAT}: make it again with this version`)
    }
    const problem = problemOfRaw(raw)
    if (problem !== null) refuse(nameOf(i), problem)
    if (raw.sampleInt !== raws[0].sampleInt) {
      refuse(nameOf(i), `its samples last ${raw.sampleInt} ms, those of ${nameOf(0)} ${raws[0].sampleInt} ms`)
    }
    if (!isDeepStrictEqual(timesOf(raw), timesOf(raws[0]))) {
      refuse(nameOf(i), `its stages are not those of ${nameOf(0)}: all runs need the same names and times, ` +
        'and may have other loads')
    }
    const [skipped, first] = [raw, raws[0]].map(skippedOf)
    if (raw.stages != null && skipped !== first) {
      refuse(nameOf(i), `its figures begin ${skipped} s after the load, those of ${nameOf(0)} ${first} s: ` +
        'runs with stages need the same skipFirst')
    }
  })
  checkKinds(raws, nameOf)
  checkTwice(raws, nameOf)
  checkTime(raws, nameOf)
}

/**
 * The option is compared, as the measured excluded times of runs differ by some ms.
 * @param {Record<string, any>} raw
 * @returns {number} seconds
 */
function skippedOf ({ options }) {
  return options?.skipFirst ?? 0
}

/** @param {Record<string, any>} raw @returns {any[] | null} what stages of all results must have in common */
function timesOf ({ stages }) {
  return stages?.map((/** @type {Stage} */ { name, over, from, until }) => ({ name, over, from, until })) ?? null
}

/**
 * Refuses results of different kinds: latencies of messages and of responses must not be added, nor times of events and
 * of tokens.
 * @param {Array<Record<string, any>>} raws
 * @param {(i: number) => string} nameOf
 */
function checkKinds (raws, nameOf) {
  const other = raws.findIndex(raw => countedAt(raw.url) !== countedAt(raws[0].url))
  if (other !== -1) {
    const [one, first] = [raws[other], raws[0]].map(({ url }) => countedAt(url).many)
    refuse(nameOf(other), `it counts ${one}, ${nameOf(0)} counts ${first}: ` +
      'merge runs over WebSocket only with each other')
  }
  const kinds = raws.map(({ options }, i) => ({ i, kind: options?.stream })).filter(({ kind }) => kind != null)
  const another = kinds.find(({ kind }) => kind !== kinds[0].kind)
  if (another === undefined) return
  refuse(nameOf(another.i), `its streams are of the kind ${show(another.kind)}, those of ${nameOf(kinds[0].i)} ` +
    `of the kind ${show(kinds[0].kind)}: merge runs with streams of one kind`)
}

/** @param {Array<Record<string, any>>} raws @param {(i: number) => string} nameOf */
function checkTwice (raws, nameOf) {
  const repeated = findRepeatedRaw(raws)
  if (repeated === null) return
  const [first, again] = repeated.map(nameOf)
  refuse(again, `it is the same run as ${first}, and every request would count twice. Give each run once`)
}

/**
 * Refuses runs that did not overlap: their rates must not be added.
 * @param {Array<Record<string, any>>} raws
 * @param {(i: number) => string} nameOf
 */
function checkTime (raws, nameOf) {
  const spans = raws.map(({ start, elapsed }) => ({ from: +new Date(start), to: +new Date(start) + elapsed }))
  const [last, first] = [
    indexOf(spans, (one, other) => one.from > other.from),
    indexOf(spans, (one, other) => one.to < other.to)
  ]
  if (spans[last].from - spans[first].to <= SKEW) return
  const when = (/** @type {number} */ at) => new Date(at).toISOString()
  const why = 'the runs did not go on at the same time; ' +
    `one started at ${when(spans[last].from)}, the other one had ended at ${when(spans[first].to)}. ` +
    'Run them together, and see that the clocks of the machines agree'
  refuse(nameOf(last), why, ` with ${nameOf(first)}`)
}

/** @param {string} name @param {string} why @param {string} [others] @returns {never} */
function refuse (name, why, others = '') {
  throw new AutocannonError('AC_AGGREGATE', `${name} can't be aggregated${others}: ${why}`)
}

/**
 * @template T
 * @param {T[]} list
 * @param {(one: T, other: T) => boolean} isBeyond
 * @returns {number} the index of the one that is beyond all others
 */
function indexOf (list, isBeyond) {
  return list.reduce((best, one, i) => isBeyond(one, list[best]) ? i : best, 0)
}

module.exports = { toRaw, merge }
