'use strict'

// Owns the list of instruments: all that is measured beside the requests and latencies of a whole run. An instrument is a folder here. The engine, the
// result and reports iterate over the list, so a new one is a folder and an entry. Parts are loaded when they are used: a run loads those of what it
// measures before its load begins.

/**
 * Its parts, each a file of the folder:
 *
 * - `record`: what a generator counts and what adds up. `Total` has `add(report)`, `encode()`, and `abandonRest()` where a generator may be lost.
 *   What a generator fills, which may be the same class, has `take(recorder)`, `skip()`, and where it needs them `onError(code, message, n, isUnsent)`
 *   for each error that is counted and `onSample(recorder)` before the counts of a sample start from 0.
 * - `result`: `derive(total, context)` is what a result has of it, and `moved(report, move)` a report in a result of several runs.
 * - `metrics`: rows of figures/metric, times that are not the latency, and `read(result)`, the figures of both.
 * - `report`: how reports show it; see report/document.
 * @typedef {object} Instrument
 * @property {(plan: Plan) => boolean} isIn whether a run of that plan measures it
 * @property {(outcome: Outcome) => boolean} [hasResult] whether the result has it; where it was counted when left out
 * @property {'parts' | 'times' | 'end'} place of its figures in a result, and of its lines and columns in reports: among the parts of the run, the times, or at the end
 * @property {ReadonlyArray<string>} keys that it has in a result
 *
 * @typedef {import('../options/plan').Plan} Plan
 * @typedef {import('../figures/result').Outcome} Outcome
 */

const INSTRUMENTS = Object.freeze({
  rounds: {
    place: /** @type {const} */ ('parts'),
    keys: ['byScenario', 'rounds', 'redirects', 'retries'],
    isIn: (/** @type {Plan} */ { users }) => users !== null,
    hasResult: (/** @type {Outcome} */ { users }) => users != null,
    record: () => require('./rounds/record'),
    result: () => require('./rounds/result')
  },
  handshakes: {
    place: /** @type {const} */ ('times'),
    keys: ['handshakes'],
    isIn: (/** @type {Plan} */ { targets, session, dispatcher }) => dispatcher === null && (targets.some(({ tls }) => tls) || Boolean(session?.redirects.anywhere)),
    record: () => require('./handshakes/record'),
    metrics: () => require('./handshakes/metrics'),
    result: () => require('./handshakes/result')
  },
  proxied: {
    place: /** @type {const} */ ('times'),
    keys: ['proxy'],
    isIn: (/** @type {Plan} */ { network }) => Boolean(network?.proxies),
    record: () => require('./proxies/record'),
    result: () => require('./proxies/result')
  },
  stages: {
    place: /** @type {const} */ ('parts'),
    keys: ['byStage'],
    isIn: (/** @type {Plan} */ { stages }) => stages !== null,
    hasResult: (/** @type {Outcome} */ { stages }) => stages != null,
    record: () => require('./stages/record'),
    result: () => require('./stages/result')
  }
})

/**
 * @typedef {keyof typeof INSTRUMENTS} Key under which a snapshot, a raw result and the totals have what it counts
 * @typedef {{ [K in Key]: InstanceType<ReturnType<typeof INSTRUMENTS[K]['record']>['Total']> | null }} Totals null where nothing of it was counted
 * @typedef {Omit<Totals, 'stages'> & { stages: import('./stages/live-stages').LiveStages | null }} Live null where a run does not measure it
 * @typedef {{ [K in Key]: ReturnType<NonNullable<Live[K]>['take']> | null }} Reports
 */

/** @type {ReadonlyArray<Key>} */
const KEYS = Object.freeze(/** @type {Key[]} */ (Object.keys(INSTRUMENTS)))

/**
 * No module is loaded once connections have taken all descriptors, and a result may be asked for in the middle of a run.
 * @param {Plan} plan
 */
function loadFor (plan) {
  for (const { isIn, record, result } of Object.values(INSTRUMENTS)) {
    if (!isIn(plan)) continue
    record()
    result()
  }
}

/** @returns {any} a place for each, with nothing in it */
function emptyPlaces () {
  return Object.fromEntries(KEYS.map(key => [key, null]))
}

module.exports = { INSTRUMENTS, KEYS, loadFor, emptyPlaces }
