'use strict'

// Owns the list of instruments: all that is measured beside the requests and latencies of a whole run. An instrument is a folder here. The engine, the
// result and reports iterate over the list, so a new one is a folder and an entry. Parts are loaded when they are used: a run loads those of what it
// measures before its load begins.

/**
 * Its parts, each a file of the folder:
 *
 * - `record`: what a generator counts and what adds up. `Total` has `add(report)`, `encode()`, and `abandonRest()` where a generator may be lost.
 *   What a generator fills, which may be the same class, has `take(isLast)`, `skip(at)`, and where it needs them `onError(code, message, n, isUnsent)` for
 *   each error that is counted and `onSample(recorder)` before the counts of a sample start from 0. Where every run measures it, `Live` is that class.
 * - `check`: `report`, the shape of what comes from elsewhere, and `total` where that of a whole run has to fulfil more; `snapshot`, `raw` and `point`,
 *   what a snapshot, a raw result and a point of the series have of it besides.
 * - `point`: `together(parts, length, inRow)` are its figures of several points of the series, `Course`, where it has some, finds those of one after the other.
 * - `result`: `derive(total, context)` is what a result has of it; `ofRuns(raws)` what several runs are together, and `moved(report, move)` a report in that.
 * - `metrics`: rows of figures/metric, times that are not the latency, `read(figures)`, what both are made of, and `ofPart(result, name)` where it has parts.
 * - `findings`: what has to be known beside its figures, as codes and facts (findings/findings).
 * - `report`: how reports show it; see report/authored.
 * @typedef {object} Instrument
 * @property {(plan: Plan) => boolean} isIn whether a run of that plan measures it; always when left out
 * @property {(outcome: Outcome) => boolean} [hasResult] whether the result has it; where it was counted when left out
 * @property {Place} place of its figures in a result, and of its lines and columns in reports
 * @property {(result: Record<string, any>) => boolean} [isTold] whether reports have to say anything of it; left out where it has no `report`
 *
 * @typedef {'parts' | 'times' | 'end' | 'last'} Place
 * @typedef {import('../options/plan').Plan} Plan
 * @typedef {import('../figures/result').Outcome} Outcome
 * @typedef {Record<string, any>} Result
 * @typedef {import('./rounds/result').Users} Users
 * @typedef {import('./agents/result').AgentOutcome} AgentOutcome
 * @typedef {import('./server/result').ServerKey} ServerKey
 * @typedef {import('./server/result').ServerFigure} ServerFigure
 * @typedef {import('./generator/point').PointHealth & { server?: import('./server/result').ServerPoint | null }} PointOf what a point of the series has of instruments; server: null where it was not looked at
 */

const INSTRUMENTS = Object.freeze({
  checks: {
    place: 'parts',
    metrics: () => require('./checks/metrics'),
    record: () => require('./checks/record'),
    check: () => require('./checks/check'),
    result: () => require('./checks/result')
  },
  requests: {
    place: 'parts',
    record: () => require('./requests/record'),
    check: () => require('./requests/check'),
    result: () => require('./requests/result'),
    isTold: (/** @type {Result} */ { byRequest = {} }) => Object.keys(byRequest).length > 0,
    report: () => require('./requests/report')
  },
  stages: {
    place: 'parts',
    isIn: (/** @type {Plan} */ { stages }) => stages !== null,
    record: () => require('./stages/record'),
    check: () => require('./stages/check'),
    hasResult: (/** @type {Outcome} */ { stages }) => stages != null,
    result: () => require('./stages/result'),
    isTold: (/** @type {Result} */ { byStage }) => byStage !== undefined,
    findings: () => require('./stages/findings'),
    report: () => require('./stages/report')
  },
  rounds: {
    place: 'parts',
    isIn: (/** @type {Plan} */ { users }) => users !== null,
    record: () => require('./rounds/record'),
    check: () => require('./rounds/check'),
    metrics: () => require('./rounds/metrics'),
    hasResult: (/** @type {Outcome} */ { users }) => users != null,
    result: () => require('./rounds/result'),
    isTold: (/** @type {Result} */ { rounds, byScenario, redirects, retries }) => rounds !== undefined || byScenario !== undefined || redirects > 0 || retries > 0,
    findings: () => require('./rounds/findings'),
    report: () => require('./rounds/report')
  },
  clock: {
    place: 'times',
    hasResult: (/** @type {Outcome} */ { totals }) => totals.arrived > 0,
    metrics: () => require('./clock/metrics'),
    result: () => require('./clock/result')
  },
  handshakes: {
    place: 'times',
    isIn: (/** @type {Plan} */ { targets, session, dispatcher }) => dispatcher === null && (targets.some(({ tls }) => tls) || Boolean(session?.redirects.anywhere)),
    record: () => require('./handshakes/record'),
    check: () => require('./handshakes/check'),
    metrics: () => require('./handshakes/metrics'),
    result: () => require('./handshakes/result'),
    isTold: (/** @type {Result} */ { handshakes }) => handshakes !== undefined,
    report: () => require('./handshakes/report')
  },
  proxied: {
    place: 'times',
    isIn: (/** @type {Plan} */ { network }) => Boolean(network?.proxies),
    record: () => require('./proxies/record'),
    check: () => require('./proxies/check'),
    result: () => require('./proxies/result'),
    isTold: (/** @type {Result} */ { proxy, options }) => proxy !== undefined || options?.proxy !== undefined,
    findings: () => require('./proxies/findings'),
    report: () => require('./proxies/report')
  },
  rate: {
    place: 'times',
    hasResult: (/** @type {Outcome} */ { targetRate }) => targetRate !== null,
    metrics: () => require('./rate/metrics'),
    result: () => require('./rate/result')
  },
  agents: {
    place: 'end',
    check: () => require('./agents/check'),
    hasResult: (/** @type {Outcome} */ { agents }) => agents != null,
    result: () => require('./agents/result'),
    isTold: (/** @type {Result} */ { agents }) => agents !== undefined,
    findings: () => require('./agents/findings'),
    report: () => require('./agents/report')
  },
  singles: {
    place: 'end',
    record: () => require('./singles/record'),
    check: () => require('./singles/check'),
    result: () => require('./singles/result'),
    isTold: (/** @type {Result} */ { slowest = [], firstFailures = [] }) => slowest.length + firstFailures.length > 0,
    report: () => require('./singles/report')
  },
  generator: {
    place: 'last',
    hasResult: () => true,
    check: () => require('./generator/check'),
    point: () => require('./generator/point'),
    metrics: () => require('./generator/metrics'),
    result: () => require('./generator/result')
  },
  server: {
    place: 'last',
    check: () => require('./server/check'),
    point: () => require('./server/result'),
    metrics: () => require('./server/metrics'),
    hasResult: (/** @type {Outcome} */ { series }) => series.some(({ server }) => server !== undefined),
    result: () => require('./server/result'),
    isTold: (/** @type {Result} */ { server }) => server !== undefined,
    report: () => require('./server/report')
  }
})

/**
 * @typedef {typeof INSTRUMENTS} List
 * @typedef {{ [K in keyof List]: List[K] extends { record: Function } ? K : never }[keyof List]} Key of what generators count: snapshots, raw results and the totals have it there
 * @typedef {{ [K in Key]: List[K] extends { isIn: Function } ? never : K }[Key]} Always what every run measures
 * @typedef {{ [K in Key]: InstanceType<ReturnType<List[K]['record']>['Total']> | (K extends Always ? never : null) }} Totals null where nothing of it was counted
 * @typedef {{ [K in Always]: InstanceType<ReturnType<List[K]['record']>['Live']> }} AlwaysLive
 * @typedef {Omit<Totals, 'stages' | Always> & AlwaysLive & { stages: import('./stages/live-stages').LiveStages | null }} Live null where a run does not measure it
 * @typedef {{ [K in Key]: ReturnType<NonNullable<Live[K]>['take']> | null }} Reports null in a sample without distributions
 */

/** @type {ReadonlyArray<Key>} */
const KEYS = Object.freeze(/** @type {any[]} */ (Object.entries(INSTRUMENTS).flatMap(([key, one]) => 'record' in one ? [key] : [])))

/**
 * @param {'Total' | 'Live'} role
 * @returns {any} a place for each that is counted, with nothing in it but what every run measures
 */
function places (role) {
  return Object.fromEntries(KEYS.map(key => [key, 'isIn' in INSTRUMENTS[key] ? null : new (/** @type {any} */ (INSTRUMENTS[key].record())[role])()]))
}

/**
 * No module is loaded once connections have taken all descriptors, and a result may be asked for in the middle of a run.
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

module.exports = { INSTRUMENTS, KEYS, loadFor, places }
