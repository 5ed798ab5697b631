'use strict'

// An instrument measures something in addition to the requests and latencies of a whole run. Each is a folder here and
// a line of parts.js. The engine, the result and reports iterate over them. Modules of an instrument are loaded when
// they are used: those for a run, before its load begins.

const { INSTRUMENTS: PARTS } = require('../parts')

/**
 * The file with the name of its folder lists its modules:
 *
 * - `record`: what a load generator counts. `Total` is the sum of the counts, with `add(report)`, `encode()`, and
 *   `abandonRest()` for a generator that was lost. The class that a generator fills (`Live`, or `Total` if that is the
 *   same) has `take(isLast)` and `skip(at)`. It may have `onError(code, message, n, isUnsent)`, called for each counted
 *   error; `onSample(recorder)`, called before the counts of a sample start from 0; and `onLost` and `onAbandoned`,
 *   called for requests without a stream (`Recorder.losePending`, `abandonPending`).
 * - `check`: the shapes that data of other processes must have. `report` is that of the counts, `total` that of a whole
 *   run if it is stricter; `snapshot`, `raw` and `point` are further keys of a snapshot, a raw result and a point of
 *   the series; `isRequired`: every raw result has it. Left out if the shape follows from the fields of the counts
 *   (record/counts).
 * - `point`: its figures in the series. `together(parts, length, inRow)` merges those of several points. `Course` finds
 *   those of one point after the other by `next(open, figures, index)`, and may look at each snapshot by `add(index,
 *   snapshot)`.
 * - `result`: `derive(total, context)` returns its part of a result, and `ofPart(total, kind, name, context)` that of a
 *   part of the run. `ofRuns(raws)` merges several runs, for which `moved(report, move)` adapts a report.
 * - `metrics`: rows of figures/metric, and times other than the latency. `read(figures)` returns the sources of both,
 *   `inPoint(point)` quantiles in a point of the series, and `ofPart(result, name)` the sources of a part of the run,
 *   with the `figures` that other instruments read.
 * - `findings`: codes and facts (findings/findings).
 * - `report`: how reports show it (report/authored).
 * - `families`: its metrics for Prometheus and OpenTelemetry (follow/metrics/families).
 * @typedef {object} Instrument
 * @property {(plan: Plan) => boolean} [isIn] whether a run of that plan measures it; always by default
 * @property {(plan: Plan) => any} [begin] makes its counts before the load; null or left out if they begin later, or
 *   need the engine
 * @property {(outcome: Outcome) => boolean} [hasResult] whether the result has it; by default, whether it was counted
 * @property {Place} place of its figures in a result, and of its lines and columns in reports
 * @property {(result: Record<string, any>) => boolean} [isShown] whether reports show it; only with `report` or
 *   `findings`
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
 *   streams?: import('./streams/point').StreamsPoint }} PointOf the figures of instruments in a point of the series;
 *   `server`: null if it was not read then
 */

/**
 * @typedef {{ [K in keyof typeof PARTS]: ReturnType<typeof PARTS[K]['load']> }} List
 * @typedef {{ [K in keyof List]: List[K] extends { record: Function } ? K : never }[keyof List]} Key of
 *   the counts in snapshots, raw results and totals
 * @typedef {{ [K in Key]: List[K] extends { isIn: Function } ? never : K }[Key]} Always instruments of every run
 * @typedef {{ [K in Key]: InstanceType<ReturnType<List[K]['record']>['Total']> | (K extends Always ? never : null) }}
 *   Totals null if nothing was counted
 * @typedef {{ [K in Always]: InstanceType<ReturnType<List[K]['record']>['Live']> }} AlwaysLive
 * @typedef {Omit<Totals, 'stages' | Always> & AlwaysLive &
 *   { stages: import('./stages/live-stages').LiveStages | null }} Live null if the run does not measure it
 * @typedef {{ [K in Exclude<Key, 'distributions'>]: ReturnType<NonNullable<Live[K]>['take']> | null } &
 *   { distributions: Distributions | null }} Reports null in a sample without counts
 * @typedef {import('../record/distributions').Distributions | import('../record/distributions').EncodedDistributions}
 *   Distributions valid until the next `take`; encoded if they come from another thread
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
 * @returns {any} an entry for each instrument that counts; null for those that not every run measures
 */
function places (role) {
  return Object.fromEntries(KEYS.map(key =>
    [key, 'isIn' in INSTRUMENTS[key] ? null : new (/** @type {any} */ (INSTRUMENTS[key].record())[role])()]))
}

/**
 * @param {Plan} plan
 * @returns {Array<[Key, any]>} the counts that exist before the load, except those that need the engine
 */
function beginFor (plan) {
  return KEYS.flatMap(key => {
    const { isIn, begin } = /** @type {any} */ (INSTRUMENTS[key])
    const live = begin !== undefined && isIn(plan) ? begin(plan) : null
    return live === null ? [] : /** @type {Array<[Key, any]>} */ ([[key, live]])
  })
}

/**
 * A result may be requested during a run, when open connections may have taken all file descriptors: no module can be
 * loaded then.
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
