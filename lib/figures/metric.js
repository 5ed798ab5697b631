'use strict'

// The metrics, which thresholds and limits can be about: their syntax, sources, better direction, and where they are
// allowed.

const { printable, show } = require('../core/foreign-text')
const { suggest } = require('../core/suggest')
const { listed } = require('../core/units')
const { INSTRUMENTS } = require('../instruments')
const { percentileKey } = require('../record/percentiles')
const { EXAMPLE, needsTokens, parseGoodput } = require('./goodput')

/**
 * @typedef {'ms' | 'count' | 'share' | 'requests/s' | 'iterations/s' | 'handshakes/s' | 'events/s' | 'tokens/s'
 *   | 'bytes/s' | 'bytes' | 'utilization' | 'verdict'} Unit a share is 0 to 1, written as %; so is a utilization, of
 *   which several cores have more than 1; a verdict is a word
 */

/**
 * Sources of metrics: counts of a run, of a named request or of a part of a run. Absent if not counted. Instruments
 * have others.
 * @typedef {Counts & Record<string, number>} Counted
 *
 * @typedef {object} Counts
 * @property {number} responses
 * @property {number} ended requests, with those that are never sent
 * @property {number} sent requests that ended
 * @property {number} written requests that were sent, with those that have not ended
 * @property {number} resent how often one of them was sent again
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
 * @property {number} waited iterations that began after they were due, as every connection was busy
 * @property {number} neverStarted iterations that were due
 * @property {number} due iterations, with those that never started
 * @property {number} arrived iterations that were due, and began
 * @property {number} rounds that ended
 * @property {number} seconds
 */

/**
 * @typedef {'request' | 'stage' | 'scenario' | 'group'} PartKind
 *
 * @typedef {object} Row
 * @property {string[]} [aliases]
 * @property {Unit} unit
 * @property {string} [of] the key that it counts
 * @property {string} [per] the divisor: always of a rate, for the share of a count; 0 ÷ 0 is no figure
 * @property {'average' | 'min' | 'max'} [latency] which figure of the latency it is
 * @property {true | string} [share] whether a `%` after the limit makes it a share; the name of the share, if it can be
 *   used by that
 * @property {boolean} [highIsGood]
 * @property {PartKind[]} [parts] the parts that have it beside the whole run; those of the iterations of one scenario
 *   apply to all of them
 * @property {false} [run] the whole run does not have it
 * @property {string} [time] which one it is of, where it is not of the latency
 * @property {true} [streams] it needs streams
 * @property {true} [websocket] it needs messages over WebSocket
 * @property {boolean} [completions] and these have to be completions
 * @property {import('./goodput').Goodput} [goodput] bounds that a counted request has met
 * @property {true} [arrivals] of iterations it needs a rate of iterations
 * @property {boolean} [compared] whether two runs are compared by it, or by its share
 * @property {Array<'errors' | 'responses' | 'cuts' | 'load'>} [sees] a limit for it covers this kind of failed
 *   requests, aborted iterations, or missing load
 * @property {import('../instruments').ServerKey} [server] which figure of a watched server it is
 * @property {'average' | 'max'} [which] of its two
 * @property {ReadonlyArray<string>} [words] of a verdict, from best to worst
 * @property {'<' | '>'} [abortOn] the operators that can be lost before the end: a count never falls, so a lost `<`
 *   stays lost
 * @property {string} [noAbortOn] why it has none
 */

/** Every part of a run. @type {Row['parts']} */
const EVERY = ['request', 'stage']
/** Parts with times, iterations of a scenario and groups among them. @type {Row['parts']} */
const TIMED = ['request', 'stage', 'scenario', 'group']

/** Metrics of instruments. @type {any[]} */
const MEASURED = Object.values(INSTRUMENTS)
  .flatMap((/** @type {any} */ { metrics }) => metrics === undefined ? [] : [metrics()])

/**
 * Times beside the latency: the words before the figure, their meaning, and how the row differs.
 * @typedef {{ aliases?: string[], what: string, row: Partial<Row> }} Time
 */
const TIMES = /** @type {Readonly<Record<string, Time>>} */ (Object.freeze({
  ...Object.assign({}, ...MEASURED.map(({ times }) => times))
}))

/** @type {ReadonlyArray<[written: string, time: string]>} every way to write a time, and the time */
const TIME_NAMES = Object.freeze(Object.entries(TIMES).flatMap(([time, { aliases = [] }]) =>
  [time, ...aliases].map(written => /** @type {[string, string]} */ ([written, time]))))

/** The table: a metric more is a row. @type {Readonly<Record<string, Row>>} */
const TABLE = Object.freeze({
  avg: { aliases: ['average', 'mean'], unit: 'ms', latency: 'average', parts: TIMED, compared: true, abortOn: '<' },
  min: { unit: 'ms', latency: 'min', parts: TIMED, abortOn: '>' },
  max: { unit: 'ms', latency: 'max', parts: TIMED, abortOn: '<' },
  rps: {
    aliases: ['requests/s', 'req/s', 'messages/s'], unit: 'requests/s', of: 'responses', per: 'seconds',
    highIsGood: true, parts: EVERY, compared: true, sees: ['load'], abortOn: '>'
  },
  'bytes/s': {
    aliases: ['throughput'], unit: 'bytes/s', of: 'bytes', per: 'seconds', highIsGood: true, parts: ['stage'],
    compared: true, abortOn: '>'
  },
  requests: {
    unit: 'count', of: 'responses', per: 'ended', highIsGood: true, parts: EVERY, sees: ['load'], abortOn: '<'
  },
  failures: {
    aliases: ['failed requests'], unit: 'count', of: 'failures', per: 'ended', share: 'failure rate', parts: EVERY,
    compared: true, sees: ['errors', 'responses'], abortOn: '<'
  },
  errors: {
    unit: 'count', of: 'errors', per: 'ended', share: 'error rate', parts: EVERY, compared: true, sees: ['errors'],
    abortOn: '<'
  },
  non2xx: {
    unit: 'count', of: 'non2xx', per: 'responses', share: true, parts: EVERY, compared: true, sees: ['responses'],
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
 * @property {string} key distinguishes it: the share of errors is not their number
 * @property {Unit} unit
 * @property {boolean} highIsGood
 * @property {number | null} percentile of the latency
 * @property {Row} row
 */

/** The row of a percentile. @type {Row} */
const PERCENTILE = Object.freeze({ unit: 'ms', parts: TIMED, compared: true, abortOn: '<' })

/** @type {Readonly<Record<string, Row>>} those of the table, each followed by its share if that has a name */
const NAMED = Object.freeze(Object.fromEntries(Object.entries(TABLE).flatMap(([name, row]) =>
  typeof row.share === 'string'
    ? [[name, row], [row.share, { ...row, unit: 'share', aliases: [], share: undefined }]]
    : [[name, row]])))

/** @type {Map<string, string>} every way to write a name → the name */
const NAMES = new Map(
  Object.entries(NAMED).flatMap(([name, { aliases = [] }]) => [name, ...aliases].map(alias => [alias, name]))
)

/** Metrics of k6. @type {Readonly<Record<string, string>>} */
const OF_K6 = Object.freeze({
  rate: 'the failure rate here, as in failure rate < 1%; requests per second are rps, as in rps > 500',
  http_req_failed: 'the failure rate here, as in failure rate < 1%',
  med: 'p50 here, as in p50 < 5ms',
  median: 'p50 here, as in p50 < 5ms',
  http_req_duration: 'the latency here, as in p95 < 500ms',
  http_reqs: 'rps here, as in rps > 500',
  iterations: 'iterations/s here, as in iterations/s > 50',
  iteration_duration: 'a figure of iterations here, as in iterations: p95 < 2s',
  group_duration: 'a figure of a group here, as in group NAME: p95 < 2s',
  dropped_iterations: 'never started here, as in iterations: never started < 10'
})

/**
 * @type {Record<string, Record<string, number>>} spellings of units → factor; '' for no unit; another rate is written
 *   by its name
 */
const UNITS = {
  ms: { '': 1, us: 0.001, µs: 0.001, ms: 1, s: 1000 },
  count: { '': 1 },
  share: { '%': 0.01 },
  'requests/s': { '': 1, '/s': 1, rps: 1, 'req/s': 1, 'messages/s': 1 },
  'iterations/s': { '': 1, '/s': 1, 'iterations/s': 1, 'rounds/s': 1 },
  verdict: {},
  // A plain number could be meant as either.
  utilization: { '%': 0.01, cores: 1, core: 1 },
  bytes: { '': 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 },
  'bytes/s': {
    '': 1, 'B/s': 1, 'KB/s': 1e3, 'MB/s': 1e6, 'GB/s': 1e9, 'KiB/s': 1024, 'MiB/s': 1024 ** 2, 'GiB/s': 1024 ** 3
  }
}

/**
 * @param {string} given such as `p99` or `error rate`
 * @param {boolean} [shared] the share of a count instead of the count
 * @returns {Metric}
 * @throws {TypeError} when there is no such metric
 */
function parseMetric (given, shared = false) {
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
    throw new TypeError(`unknown metric ${show(given.trim())}: a part of the run has a colon behind its name, ` +
      `as in ${printable(name)}: ${figure}`)
  }
  const name = NAMES.get(written)
  if (written === 'latency') {
    throw new TypeError(`${show(given.trim())} is a distribution: say which figure of it, such as p99 or avg; ` +
      'also p50, p97.5 and any other percentile, min and max')
  }
  if (name === undefined) throw new TypeError(`unknown metric ${show(given.trim())}${ofMetric(written)}`)
  const row = NAMED[name]
  const { unit, share, highIsGood = false } = row
  if (!shared || share === undefined) return { name, key: name, unit, highIsGood, percentile: null, row }
  return { name, key: share === true ? `${name} share` : share, unit: 'share', highIsGood, percentile: null, row }
}

/** The result has none of them in its keys, and other tools have hyphens. */
const BLANKS = /[ -]/g

/**
 * @param {string} written
 * @returns {string | null} the figure of a time that is meant: the key of the result (`firsttoken p99`), a figure
 *   before its time (`p99 first token`), a time without a figure, or the latency by its name
 */
function meantTime (written) {
  const [, before, , rest = written, behind] =
    /^(?:(p[\d.]+|avg|min|max)( of)? )?(.+?)(?: (p[\d.]+|avg|min|max))?$/.exec(written) ?? []
  const figure = behind ?? before
  if (rest === 'latency' && figure !== undefined) return figure
  const found = TIME_NAMES.find(([alias]) => alias.replace(BLANKS, '') === rest.replace(BLANKS, ''))
  return found === undefined ? null : `${found[1]} ${figure ?? 'p99'}`
}

/** A figure of a part whose colon is missing. */
const OF_A_PART = /^(iterations?|(?:scenario|stage|group) .+?)(?: duration)? (p[\d.]+|avg|min|max)$/i

/** @param {string} written @returns {string} the metric that is meant, or those that are used most */
function ofMetric (written) {
  const near = suggest(written, [...NAMES.keys()], 1)
  const known = near === ''
    ? '; there are p50, p99 and any other percentile, avg, rps, failure rate and more'
    : `${near} More`
  return `${known}: autocannon help thresholds`
}

/** @param {string} time @param {Metric} metric @returns {Metric} the same of that time */
function timeMetric (time, { name, key, row, ...metric }) {
  if (metric.unit !== 'ms' || row.time !== undefined) {
    throw new TypeError(`${time} is ${TIMES[time].what}: expected a percentile, avg, min or max behind it, ` +
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
 * @returns {Metric} the same, of the two figures that one
 */
function serverMetric (metric, which) {
  if (metric.row.which === which) return metric
  const name = `${metric.name} ${which === 'max' ? 'max' : 'avg'}`
  return { ...metric, name, key: name, row: { ...metric.row, which } }
}

/**
 * @param {string} given such as `50ms`, `1 %`, `2.5 MB/s`
 * @param {Metric} metric
 * @returns {number} in the unit of the metric; of a verdict its rank
 * @throws {TypeError}
 */
function parseQuantity (given, { unit, name, row }) {
  if (row?.words !== undefined) return parseWord(given, row.words)
  const [, digits, written] = /^([\d.]+(?:e\d+)?)\s*(.*)$/is.exec(given) ?? []
  const number = Number(digits)
  if (digits === undefined || !Number.isFinite(number)) {
    throw new TypeError(`expected a number behind the operator, such as ${EXAMPLES[unit] ?? '500'}, got ${show(given)}`)
  }
  const units = UNITS[unit] ?? { '': 1, '/s': 1, [unit]: 1 }
  // μ has two code points, bytes/s may be written without the time, and a rate ratio without %.
  const normal = written.trim().replace('μ', 'µ').toLowerCase()
  const found = Object.keys(units)
    .find(one => one.toLowerCase() === normal || (unit === 'bytes/s' && one.toLowerCase() === normal + '/s'))
  // Without the rounding error of the product: 95 times 0.01 is above 0.95, which 19 of 20 would miss.
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
    throw new TypeError(`expected ${listed(words, 'or')} behind the operator, ` +
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

/** @param {PartKind} part @returns {string[]} the names of its counts */
function metricsOf (part) {
  return [
    'any percentile',
    ...part === 'scenario' ? ['active p95 and the like'] : [],
    // Few runs have streams.
    ...Object.keys(NAMED).filter(name => NAMED[name].parts?.includes(part) && !NAMED[name].streams)
  ]
}

/** Named shares are counted with their count. */
const METRICS = Object.freeze(Object.keys(TABLE))

/** Each of these is followed by a percentile, avg, min or max. */
const TIMED_METRICS = Object.freeze(Object.keys(TIMES))

/** Those of them that two runs are compared by. */
const COMPARED_TIMES = Object.freeze(TIMED_METRICS.filter(time => TIMES[time].row.compared))

/** Rates of streams that two runs are compared by. */
const COMPARED_RATES = Object.freeze(METRICS.filter(name => TABLE[name].streams && TABLE[name].compared))

/**
 * @param {'errors' | 'responses' | 'cuts' | 'load'} what
 * @returns {Set<string>} the names of the metrics that look at it
 */
function seeing (what) {
  return new Set(Object.keys(NAMED).filter(name => NAMED[name].sees?.includes(what)))
}

module.exports = {
  parseMetric, parseQuantity, seeing, metricsOf, MEASURED, COMPARED_RATES, COMPARED_TIMES, METRICS, TIMED_METRICS
}
