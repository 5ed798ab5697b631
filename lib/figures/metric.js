'use strict'

// The metrics of thresholds and limits: their syntax, their sources, whether higher is better, and where they are
// allowed.

const { printable, show } = require('../core/foreign-text')
const { suggest } = require('../core/suggest')
const { listed } = require('../core/units')
const { INSTRUMENTS } = require('../instruments')
const { percentileKey } = require('../record/percentiles')
const { EXAMPLE, needsTokens, parseGoodput } = require('./goodput')

/**
 * @typedef {'ms' | 'count' | 'share' | 'requests/s' | 'iterations/s' | 'handshakes/s' | 'events/s' | 'tokens/s'
 *   | 'bytes/s' | 'bytes' | 'utilization' | 'verdict'} Unit a share is 0 to 1, written as %; so is a utilization, which
 *   may exceed 1 with several cores; a verdict is a word
 */

/**
 * The sources of metrics: counts of a run or of a part of it, absent if not counted. Instruments add others.
 * @typedef {Counts & Record<string, number>} Counted
 *
 * @typedef {object} Counts
 * @property {number} responses
 * @property {number} ended requests, with those that were never sent
 * @property {number} sent requests that ended
 * @property {number} written requests that were sent, ended or not
 * @property {number} resent requests that were sent again, each time
 * @property {number} failures
 * @property {number} errors
 * @property {number} non2xx
 * @property {number} timeouts
 * @property {number} mismatches
 * @property {number} compared responses whose body was compared
 * @property {number} failedChecks
 * @property {number} checks
 * @property {number} rateRatio achieved ÷ target
 * @property {number} bytes
 * @property {number} started iterations
 * @property {number} completed iterations
 * @property {number} cut iterations that were aborted
 * @property {number} waited iterations that waited for a free connection after their due time
 * @property {number} neverStarted iterations that were due
 * @property {number} due iterations, with those that never started
 * @property {number} arrived iterations that were due, and began
 * @property {number} iterations that ended
 * @property {number} seconds
 */

/**
 * @typedef {'request' | 'stage' | 'scenario' | 'group'} PartKind
 *
 * @typedef {object} Row
 * @property {string[]} [aliases]
 * @property {Unit} unit
 * @property {string} [of] the key of its count
 * @property {string} [per] the key of the divisor, for a rate or for the share of a count; 0 ÷ 0 is no figure
 * @property {'average' | 'min' | 'max'} [latency] its key in the latency, or in another time
 * @property {true | string} [share] whether a `%` after the limit makes it a share; or the name of the share
 * @property {boolean} [highIsGood]
 * @property {PartKind[]} [parts] the parts of a run that have it; `scenario` includes the iterations of all scenarios
 * @property {false} [run] the whole run does not have it
 * @property {string} [time] the time it belongs to, other than the latency
 * @property {true} [streams] it needs streams
 * @property {true} [websocket] it needs messages over WebSocket
 * @property {boolean} [completions] it needs streams of completions
 * @property {import('./goodput').Goodput} [goodput] the bounds that it counts
 * @property {true} [arrivals] for iterations, it needs a rate of iterations
 * @property {boolean} [compared] whether runs are compared by it, or by its share
 * @property {Array<'errors' | 'responses' | 'cuts' | 'load'>} [covers] what its thresholds limit: requests without a
 *   response, failed responses, aborted iterations, or missing load
 * @property {import('../instruments').ServerKey} [server] its key in the figures of a watched server
 * @property {'average' | 'max'} [which] the average or the maximum of it
 * @property {ReadonlyArray<string>} [words] of a verdict, from best to worst
 * @property {'<' | '>'} [abortOn] the operators that abortOn can watch: a count never falls, so a missed `<` stays
 *   missed
 * @property {string} [noAbortOn] why abortOn cannot watch it
 */

/** Parts with requests. @type {Row['parts']} */
const EVERY = ['request', 'stage']
/** Parts with times. @type {Row['parts']} */
const TIMED = ['request', 'stage', 'scenario', 'group']

/** Metrics of instruments. @type {any[]} */
const MEASURED = Object.values(INSTRUMENTS)
  .flatMap((/** @type {any} */ { metrics }) => metrics === undefined ? [] : [metrics()])

/**
 * Times other than the latency, by the words before the figure; `what`: the meaning; `row`: differences of the row.
 * @typedef {{ aliases?: string[], what: string, row: Partial<Row> }} Time
 */
const TIMES = /** @type {Readonly<Record<string, Time>>} */ (Object.freeze({
  ...Object.assign({}, ...MEASURED.map(({ times }) => times))
}))

/** Each spelling of a time, and the time. @type {ReadonlyArray<[written: string, time: string]>} */
const TIME_NAMES = Object.freeze(Object.entries(TIMES).flatMap(([time, { aliases = [] }]) =>
  [time, ...aliases].map(written => /** @type {[string, string]} */ ([written, time]))))

/** The metrics by name. @type {Readonly<Record<string, Row>>} */
const TABLE = Object.freeze({
  avg: { aliases: ['average', 'mean'], unit: 'ms', latency: 'average', parts: TIMED, compared: true, abortOn: '<' },
  min: { unit: 'ms', latency: 'min', parts: TIMED, abortOn: '>' },
  max: { unit: 'ms', latency: 'max', parts: TIMED, abortOn: '<' },
  rps: {
    aliases: ['requests/s', 'req/s', 'messages/s'], unit: 'requests/s', of: 'responses', per: 'seconds',
    highIsGood: true, parts: EVERY, compared: true, covers: ['load'], abortOn: '>'
  },
  'bytes/s': {
    aliases: ['throughput'], unit: 'bytes/s', of: 'bytes', per: 'seconds', highIsGood: true, parts: ['stage'],
    compared: true, abortOn: '>'
  },
  requests: {
    unit: 'count', of: 'responses', per: 'ended', highIsGood: true, parts: EVERY, covers: ['load'], abortOn: '<'
  },
  failures: {
    aliases: ['failed requests'], unit: 'count', of: 'failures', per: 'ended', share: 'failure rate', parts: EVERY,
    compared: true, covers: ['errors', 'responses'], abortOn: '<'
  },
  errors: {
    unit: 'count', of: 'errors', per: 'ended', share: 'error rate', parts: EVERY, compared: true, covers: ['errors'],
    abortOn: '<'
  },
  non2xx: {
    unit: 'count', of: 'non2xx', per: 'responses', share: true, parts: EVERY, compared: true, covers: ['responses'],
    abortOn: '<'
  },
  timeouts: { unit: 'count', of: 'timeouts', per: 'sent', share: true, parts: ['stage'], abortOn: '<' },
  mismatches: { unit: 'count', of: 'mismatches', per: 'compared', share: true, abortOn: '<' },
  resent: {
    aliases: ['resent requests'], unit: 'count', of: 'resent', per: 'written', share: 'resent rate', abortOn: '<'
  },
  ...Object.assign({}, ...MEASURED.map(({ rows }) => rows))
})

/**
 * @typedef {object} Metric
 * @property {string} name as it is shown
 * @property {string} key unique: the share of errors has another key than their number
 * @property {Unit} unit
 * @property {boolean} highIsGood
 * @property {number | null} percentile of the latency
 * @property {Row} row
 */

/** The row of a percentile. @type {Row} */
const PERCENTILE = Object.freeze({ unit: 'ms', parts: TIMED, compared: true, abortOn: '<' })

/** The metrics of the table, and the shares that have a name. @type {Readonly<Record<string, Row>>} */
const NAMED = Object.freeze(Object.fromEntries(Object.entries(TABLE).flatMap(([name, row]) =>
  typeof row.share === 'string'
    ? [[name, row], [row.share, { ...row, unit: 'share', aliases: [], share: undefined }]]
    : [[name, row]])))

/** The names by spelling. @type {Map<string, string>} */
const NAMES = new Map(
  Object.entries(NAMED).flatMap(([name, { aliases = [] }]) => [name, ...aliases].map(alias => [alias, name]))
)

/** The metrics of k6, and what to write instead of them. @type {Readonly<Record<string, string>>} */
const OF_K6 = Object.freeze({
  rate: 'the failure rate here, as in failure rate < 1%; requests per second are rps, as in rps > 500',
  http_req_failed: 'the failure rate here, as in failure rate < 1%',
  med: 'p50 here, as in p50 < 5ms',
  median: 'p50 here, as in p50 < 5ms',
  http_req_duration: 'the latency here, as in p95 < 500ms',
  http_reqs: 'rps here, as in rps > 500',
  iterations: 'iterations: completed here, as in iterations: completed > 50; their rate is iterations/s',
  iteration_duration: 'a figure of iterations here, as in iterations: p95 < 2s',
  group_duration: 'a figure of a group here, as in group NAME: p95 < 2s',
  dropped_iterations: 'never started here, as in iterations: never started < 10'
})

/**
 * Factors by spelling of a unit; '' for none. Other rates are written with their name.
 * @type {Record<string, Record<string, number>>}
 */
const UNITS = {
  ms: { '': 1, us: 0.001, µs: 0.001, ms: 1, s: 1000 },
  count: { '': 1 },
  share: { '%': 0.01 },
  'requests/s': { '': 1, '/s': 1, rps: 1, 'req/s': 1, 'messages/s': 1 },
  'iterations/s': { '': 1, '/s': 1, 'iterations/s': 1 },
  verdict: {},
  // A number without a unit would be ambiguous.
  utilization: { '%': 0.01, cores: 1, core: 1 },
  bytes: { '': 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 },
  'bytes/s': {
    '': 1, 'B/s': 1, 'KB/s': 1e3, 'MB/s': 1e6, 'GB/s': 1e9, 'KiB/s': 1024, 'MiB/s': 1024 ** 2, 'GiB/s': 1024 ** 3
  }
}

/**
 * @param {string} given such as `p99` or `error rate`
 * @param {boolean} [shared] whether the share of a count is meant
 * @param {PartKind | null} [kind] the part of the run, for the metrics that a message lists
 * @returns {Metric}
 * @throws {TypeError} if there is no such metric
 */
function parseMetric (given, shared = false, kind = null) {
  const [, bounds] = /^goodput *(\(.*\))?$/is.exec(given.trim()) ?? []
  if (bounds !== undefined) return goodputMetric(parseGoodput(bounds.slice(1, -1), parseQuantity))
  const written = given.trim().replace(/\s+/g, ' ').toLowerCase()
  if (written.startsWith('goodput')) throw new TypeError(`a goodput has bounds in parentheses, as in ${EXAMPLE}`)
  for (const [alias, time] of TIME_NAMES) {
    if (written.startsWith(`${alias} `)) return timeMetric(time, parseMetric(written.slice(alias.length + 1)))
  }
  const percentile = /^p(\d+(?:\.\d+)?)$/.exec(written)
  if (percentile !== null) {
    const p = Number(percentile[1])
    if (!(p > 0 && p <= 100)) throw new TypeError(`a percentile is above 0 and up to 100, got ${show(given.trim())}`)
    return { name: `p${p}`, key: percentileKey(p), unit: 'ms', highIsGood: false, percentile: p, row: PERCENTILE }
  }
  if (Object.hasOwn(OF_K6, written)) throw new TypeError(`${show(given.trim())} (k6) is ${OF_K6[written]}`)
  const [, ofK6] = /^p\((\d+(?:\.\d+)?)\)$/.exec(written) ?? []
  if (ofK6 !== undefined) throw new TypeError(`${show(given.trim())} (k6) is p${ofK6} here, as in p${ofK6} < 200ms`)
  const [, ofServer, which] = /^(server .+) (avg|average|max)$/.exec(written) ?? []
  if (which !== undefined && NAMES.has(ofServer)) {
    return serverMetric(parseMetric(ofServer), which === 'max' ? 'max' : 'average')
  }
  const time = meantTime(written)
  if (time !== null) throw new TypeError(`unknown metric ${show(given.trim())}, did you mean '${time}'?`)
  const [, part, figure] = OF_A_PART.exec(given.trim()) ?? []
  if (part !== undefined) {
    const name = /^iteration$/i.test(part) ? 'iterations' : part
    throw new TypeError(`unknown metric ${show(given.trim())}: a part of the run has a colon after its name, ` +
      `as in ${printable(name)}: ${figure}`)
  }
  const name = NAMES.get(written)
  if (written === 'latency') {
    throw new TypeError(`${show(given.trim())} is a distribution: say which figure of it, such as p99 or avg; ` +
      'also p50, p97.5 and any other percentile, min and max')
  }
  if (name === undefined) throw new TypeError(`unknown metric ${show(given.trim())}${ofMetric(written, kind)}`)
  const row = NAMED[name]
  const { unit, share, highIsGood = false } = row
  if (!shared || share === undefined) return { name, key: name, unit, highIsGood, percentile: null, row }
  return { name, key: share === true ? `${name} share` : share, unit: 'share', highIsGood, percentile: null, row }
}

/** Keys of a result have no blanks, and other tools have hyphens. */
const BLANKS = /[ -]/g

/**
 * @param {string} written
 * @returns {string | null} the metric that is probably meant by the key of a result (`firsttoken p99`), a figure before
 *   its time (`p99 first token`), a time without a figure, or `latency` with one
 */
function meantTime (written) {
  const [, before, , rest = written, after] =
    /^(?:(p[\d.]+|avg|min|max)( of)? )?(.+?)(?: (p[\d.]+|avg|min|max))?$/.exec(written) ?? []
  const figure = after ?? before
  if (rest === 'latency' && figure !== undefined) return figure
  const found = TIME_NAMES.find(([alias]) => alias.replace(BLANKS, '') === rest.replace(BLANKS, ''))
  return found === undefined ? null : `${found[1]} ${figure ?? 'p99'}`
}

/** A figure of a part whose colon is missing. */
const OF_A_PART = /^(iterations?|(?:scenario|stage|group) .+?)(?: duration)? (p[\d.]+|avg|min|max)$/i

/**
 * @param {string} written
 * @param {PartKind | null} kind
 * @returns {string} a similar metric, or the most common ones; of a part, all that it has
 */
function ofMetric (written, kind) {
  const near = suggest(written, [...NAMES.keys()], 1)
  if (near === '' && kind !== null) return `; there are ${metricsOf(kind).join(', ')}`
  const known = near === ''
    ? '; there are p50, p99 and any other percentile, avg, rps, failure rate and more'
    : `${near} More`
  return `${known}: autocannon help thresholds`
}

/** @param {string} time @param {Metric} metric of the latency @returns {Metric} the same of that time */
function timeMetric (time, { name, key, row, ...metric }) {
  if (metric.unit !== 'ms' || row.time !== undefined) {
    throw new TypeError(`${time} is ${TIMES[time].what}: expected a percentile, avg, min or max after it, ` +
      `such as ${time} p95, got ${show(name)}`)
  }
  const written = { name: `${time} ${name}`, key: `${time} ${key}` }
  const compared = row.compared === true && TIMES[time].row.compared === true
  return { ...metric, ...written, row: { ...row, time, ...TIMES[time].row, compared } }
}

/** @param {import('./goodput').Goodput} goodput @returns {Metric} the share of requests that met its bounds */
function goodputMetric (goodput) {
  const name = `goodput(${goodput.expression})`
  return {
    name,
    key: name,
    unit: 'share',
    highIsGood: true,
    percentile: null,
    row: {
      unit: 'share', of: `good: ${goodput.expression}`, per: `ended: ${goodput.expression}`, streams: true,
      parts: ['request', 'scenario'], completions: needsTokens(goodput), goodput,
      noAbortOn: 'goodput: it is judged when the run is over'
    }
  }
}

/**
 * @param {Metric} metric of the server
 * @param {'average' | 'max'} which
 * @returns {Metric} the same for its average or its maximum
 */
function serverMetric (metric, which) {
  if (metric.row.which === which) return metric
  const name = `${metric.name} ${which === 'max' ? 'max' : 'avg'}`
  return { ...metric, name, key: name, row: { ...metric.row, which } }
}

/**
 * @param {string} given such as `50ms`, `1 %`, `2.5 MB/s`
 * @param {Metric} metric
 * @returns {number} in the unit of the metric; the rank of a verdict
 * @throws {TypeError}
 */
function parseQuantity (given, { unit, name, row }) {
  if (row?.words !== undefined) return parseWord(given, row.words)
  const [, digits, written] = /^([\d.]+(?:e\d+)?)\s*(.*)$/is.exec(given) ?? []
  const number = Number(digits)
  if (digits === undefined || !Number.isFinite(number)) {
    throw new TypeError(`expected a number after the operator, such as ${EXAMPLES[unit] ?? '500'}, got ${show(given)}`)
  }
  const units = UNITS[unit] ?? { '': 1, '/s': 1, [unit]: 1 }
  // μ has two code points. Bytes/s may be written without /s, and a rate ratio without %. Iterations
  // may be called rounds.
  const normal = written.trim().replace('μ', 'µ').toLowerCase().replace(/^rounds(?=\/s$)/, 'iterations')
  const found = Object.keys(units)
    .find(one => one.toLowerCase() === normal || (unit === 'bytes/s' && one.toLowerCase() === normal + '/s'))
  // Rounded: 95 × 0.01 is slightly above 0.95, so that 19 of 20 would miss it.
  if (found !== undefined) return Number((number * units[found]).toPrecision(15))
  if (name === 'rate ratio' && normal === '') return number
  if (unit === 'share' && normal === '' && number > 0 && number < 1) {
    throw new TypeError(`${name} is a share in percent: did you mean ${Number((number * 100).toPrecision(12))}%?`)
  }
  const allowed = Object.keys(units).filter(one => one !== '').join(', ')
  throw new TypeError(`${show(written)} is no unit of ${name}: expected ` +
    `${allowed === '' ? 'a plain number' : allowed}${'' in units && allowed !== '' ? ', or none' : ''}, ` +
    `such as ${EXAMPLES[unit] ?? '500'}`)
}

/** @type {(given: string, words: ReadonlyArray<string>) => number} such as `healthy` */
function parseWord (given, words) {
  const rank = words.indexOf(given.trim().toLowerCase())
  if (rank === -1) {
    throw new TypeError(`expected ${listed(words, 'or')} after the operator, ` +
      `got ${show(given)}`)
  }
  return rank
}

/** @type {Record<string, string>} */
const EXAMPLES = {
  ms: '50ms', count: '10', share: '1%', 'requests/s': '1000', 'iterations/s': '50', 'events/s': '1000',
  'tokens/s': '500',
  'bytes/s': '2.5 MB/s', bytes: '300MB', utilization: '90%', verdict: 'healthy'
}

/** @param {PartKind} part @returns {string[]} the names of its metrics */
function metricsOf (part) {
  return [
    'any percentile',
    ...part === 'scenario' ? ['active p95 and the like'] : [],
    // Those of streams are left out, as few runs have any.
    ...Object.keys(NAMED).filter(name => NAMED[name].parts?.includes(part) && !NAMED[name].streams)
  ]
}

/** The names of metrics; that of a count stands for its share as well. */
const METRICS = Object.freeze(Object.keys(TABLE))

/** Times, each of which is followed by a percentile, avg, min or max. */
const TIMED_METRICS = Object.freeze(Object.keys(TIMES))

/** Times by which runs are compared. */
const COMPARED_TIMES = Object.freeze(TIMED_METRICS.filter(time => TIMES[time].row.compared))

/** Rates of streams by which runs are compared. */
const COMPARED_RATES = Object.freeze(METRICS.filter(name => TABLE[name].streams && TABLE[name].compared))

/**
 * @param {'errors' | 'responses' | 'cuts' | 'load'} what
 * @returns {Set<string>} the metrics whose thresholds limit it
 */
function metricsCovering (what) {
  return new Set(Object.keys(NAMED).filter(name => NAMED[name].covers?.includes(what)))
}

module.exports = {
  parseMetric, parseQuantity, metricsCovering, metricsOf, MEASURED, COMPARED_RATES, COMPARED_TIMES, METRICS,
  TIMED_METRICS
}
