'use strict'

// An instrument measures something beside the requests and latencies of a whole run. Each is a folder here, with
// index.js for the rest of the program, and a line of parts.js. The engine, the result and reports iterate over them.
// Its modules are loaded when they are used: a run loads those of what it measures before its load begins.

const { INSTRUMENTS: PARTS } = require('../parts')

/**
 * Its modules, which the file with the name of the folder lists:
 *
 * - `record`: counts of a generator, and their sum. `Total` has `add(report)`, `encode()`, and `abandonRest()` where a
 *   generator may be lost. The class that a generator fills, which may be the same, has `take(isLast)`, `skip(at)`, and
 *   where it needs them `onError(code, message, n, isUnsent)` for each error that is counted, `onSample(recorder)`
 *   before the counts of a sample start from 0, and `onLost` with `onAbandoned` for requests without a stream
 *   (`Recorder.losePending`, `abandonPending`). Where every run measures it, `Live` is that class.
 * - `check`: `report`, the shape of foreign counts, and `total` where that of a whole run is stricter; `snapshot`,
 *   `raw` and `point`, further keys of a snapshot, a raw result and a point of the series; `isRequired` where no raw
 *   result is without it. Left out where the shape follows from the fields of the counts (record/counts).
 * - `point`: `together(parts, length, inRow)` are its figures of several points of the series, `Course`, where it has
 *   some, finds those of one after the other by `next(open, figures, index)`, after `add(index, snapshot)`, if it has
 *   that, of each snapshot in it.
 * - `result`: `derive(total, context)` returns its part of a result, and `ofPart(total, kind, name, context)` that of a
 *   named request or the like; `ofRuns(raws)` merges several runs, and `moved(report, move)` moves a report into that.
 * - `metrics`: rows of figures/metric, times that are not the latency, `read(figures)`, the source of both,
 *   `inPoint(point)`, quantiles of its times in a point of the series, and `ofPart(result, name)` where it has parts,
 *   with the `figures` that other instruments read.
 * - `findings`: codes and facts (findings/findings).
 * - `report`: how reports show it; see report/authored.
 * @typedef {object} Instrument
 * @property {(plan: Plan) => boolean} isIn whether a run of that plan measures it; always when left out
 * @property {(plan: Plan) => any} [begin] its counts from the start of such a load; null or left out where they begin
 *   later, or need the engine
 * @property {(outcome: Outcome) => boolean} [hasResult] whether the result has it; where it was counted when left out
 * @property {Place} place of its figures in a result, and of its lines and columns in reports
 * @property {(result: Record<string, any>) => boolean} [isShown] whether reports show it; left out where it has neither
 *   `report` nor `findings`
 *
 * @typedef {'parts' | 'times' | 'end' | 'last'} Place
 * @typedef {import('../options/plan').Plan} Plan
 * @typedef {import('../figures/result').Outcome} Outcome
 * @typedef {Record<string, any>} Result
 * @typedef {import('./iterations/result').Users} Users
 * @typedef {import('./agents/result').AgentOutcome} AgentOutcome
 * @typedef {import('./server/result').ServerKey} ServerKey
 * @typedef {import('./server/result').ServerFigure} ServerFigure
 * @typedef {import('./stages/stage-tally').StageTally} StageTally
 * @typedef {import('./generator/point').PointHealth & { server?: import('./server/result').ServerPoint | null,
 *   streams?: import('./streams/point').StreamsPoint }} PointOf what a point of the series has of instruments; server:
 *   null where it was not looked at
 */

/**
 * @typedef {{ [K in keyof typeof PARTS]: ReturnType<typeof PARTS[K]['load']> }} List
 * @typedef {{ [K in keyof List]: List[K] extends { record: Function } ? K : never }[keyof List]} Key under which
 *   snapshots, raw results and the totals have the counts
 * @typedef {{ [K in Key]: List[K] extends { isIn: Function } ? never : K }[Key]} Always instruments of every run
 * @typedef {{ [K in Key]: InstanceType<ReturnType<List[K]['record']>['Total']> | (K extends Always ? never : null) }}
 *   Totals null where nothing of it was counted
 * @typedef {{ [K in Always]: InstanceType<ReturnType<List[K]['record']>['Live']> }} AlwaysLive
 * @typedef {Omit<Totals, 'stages' | Always> & AlwaysLive &
 *   { stages: import('./stages/live-stages').LiveStages | null }} Live null where a run does not measure it
 * @typedef {{ [K in Exclude<Key, 'distributions'>]: ReturnType<NonNullable<Live[K]>['take']> | null } &
 *   { distributions: Distributions | null }} Reports null in a sample in which nothing is handed over
 * @typedef {import('../record/distributions').Distributions | import('../record/distributions').EncodedDistributions}
 *   Distributions valid until the next `take`; encoded when they have travelled
 */

/** @type {List} */
const INSTRUMENTS = /** @type {any} */ (Object.freeze(
  Object.fromEntries(Object.entries(PARTS).map(([key, { load }]) => [key, load()]))
))

/** @type {ReadonlyArray<Key>} */
const KEYS = Object.freeze(
  /** @type {any[]} */ (Object.entries(INSTRUMENTS).flatMap(([key, one]) => 'record' in one ? [key] : []))
)

/**
 * @param {'Total' | 'Live'} role
 * @returns {any} an entry for each counting instrument, empty except for those of every run
 */
function places (role) {
  return Object.fromEntries(KEYS.map(key =>
    [key, 'isIn' in INSTRUMENTS[key] ? null : new (/** @type {any} */ (INSTRUMENTS[key].record())[role])()]))
}

/**
 * @param {Plan} plan
 * @returns {Array<[Key, any]>} the counts that begin with the load, except those that need the engine
 */
function beginFor (plan) {
  return KEYS.flatMap(key => {
    const { isIn, begin } = /** @type {any} */ (INSTRUMENTS[key])
    const live = begin !== undefined && isIn(plan) ? begin(plan) : null
    return live === null ? [] : /** @type {Array<[Key, any]>} */ ([[key, live]])
  })
}

/**
 * No module is loaded once connections have taken all descriptors, and a result may be requested in the middle of a
 * run.
 * @param {Plan} plan
 */
function loadFor (plan) {
  for (const { isIn, record, result, findings } of /** @type {any[]} */ (Object.values(INSTRUMENTS))) {
    if (isIn !== undefined && !isIn(plan)) continue
    record?.()
    result()
    findings?.()
  }
}

module.exports = { INSTRUMENTS, KEYS, beginFor, loadFor, places }
