'use strict'

// Completes a partial result, so that reports can trust it: a result of another tool or version, or one with keys
// removed. A missing figure becomes NaN, which is shown as –. A missing count becomes 0, so that no sentence mentions
// it. An optional part without its required keys is left out.

const { isRecord } = require('../core/foreign-text')
const { lifted } = require('../figures/lifted')

/** Counts of a run, which reports mention unless they are 0. */
const COUNTS = ['errors', 'timeouts', 'mismatches', 'non2xx', 'resets', '1xx', '2xx', '3xx', '4xx', '5xx']

/** Figures of every report. */
const FIGURES = {
  requests: ['total', 'sent', 'average', 'stddev', 'min', 'p1', 'p2_5', 'p50', 'p97_5'],
  throughput: ['total', 'average', 'stddev', 'min', 'p1', 'p2_5', 'p50', 'p97_5'],
  latency: ['totalCount']
}

/**
 * @typedef {'number' | 'number?' | 'text' | 'record' | 'list' | 'any'} Kind `number?` may also be null or
 *   missing, which becomes null; `any` may not be missing
 * @typedef {Record<string, Kind>} Shape the keys that a part must have
 */

/** Figures of a point of the series that charts show. */
const DRAWN = ['time', 'length', 'average', 'p50', 'p95', 'p99', 'max']

/** @type {Shape} of all iterations, and of those of a scenario */
const ITERATIONS = {
  started: 'number', completed: 'number', cut: 'number', cutBy: 'record', unfinished: 'number', perSecond: 'number'
}

/** @type {Record<string, Shape>} parts that are one record */
const PARTS = {
  rate: { target: 'number', achieved: 'number', ratio: 'number', sent: 'number', late: 'number', unsent: 'number' },
  serviceTime: {},
  ttfb: {},
  connect: {},
  fates: { sent: 'number', completed: 'number', timedOut: 'number', failed: 'number', abandoned: 'number' },
  generator: { cpu: 'number', eventLoopUtilization: 'number', saturated: 'any' },
  environment: {},
  options: {},
  errorCodes: {},
  connecting: { ms: 'number', requestsPerSecond: 'number?' },
  warmingUp: { seconds: 'number' },
  skipped: { seconds: 'number', requests: 'number' },
  decoded: { encoded: 'number', bytes: 'number' },
  handshakes: { count: 'number', perSecond: 'number', resumed: 'number', latency: 'record', negotiated: 'list' },
  streams: {
    opened: 'number', events: 'number', eventsPerSecond: 'number', stalls: 'number', closed: 'number',
    truncated: 'number', firstEvent: 'record', gap: 'record', duration: 'record'
  },
  clock: { arrival: 'number', shared: 'number', late: 'record' },
  proxy: { refused: 'number' },
  until: { expression: 'text' },
  comparison: { limits: 'list' },
  iterations: ITERATIONS,
  search: {},
  server: {}
}

/** @type {Shape} the keys of streams with tokens: all or none */
const COMPLETIONS = {
  tokens: 'record', firstToken: 'record', firstReasoning: 'record', interToken: 'record', timePerOutputToken: 'record',
  finishReasons: 'record', completionFailures: 'record'
}

/** @type {Shape} */
const GOODPUT = { expression: 'text', good: 'number', requests: 'number', share: 'number?' }

/** @type {Shape} */
const CHECK = { name: 'text', reasons: 'record' }

/** @type {Record<string, Shape>} parts that are a list of records */
const LISTS = {
  thresholds: { expression: 'text', passed: 'any' },
  checks: CHECK,
  byStage: { target: 'record', latency: 'record' },
  agents: {},
  slowest: {},
  firstFailures: {},
  series: {}
}

/** @type {Record<string, Shape>} parts that have a record for each name */
const NAMED = {
  byRequest: { latency: 'record' },
  byScenario: ITERATIONS,
  statusCodeStats: { count: 'number' }
}

/** Records whose values are numbers, but the text of a histogram: of a run, a request, a stage or a scenario. */
const DISTRIBUTIONS = ['latency', 'serviceTime', 'ttfb', 'connect', 'active', 'wait']

/** @type {Record<Kind, (value: any) => boolean>} */
const IS = {
  number: Number.isFinite,
  'number?': value => (value ?? null) === null || Number.isFinite(value),
  text: value => typeof value === 'string',
  record: isRecord,
  list: Array.isArray,
  any: value => value !== undefined
}

/** @param {Record<string, any>} given @returns {boolean} whether it is a result before its figures are derived */
function isRaw ({ format, totals, requests }) {
  return requests === undefined && (format !== undefined || totals !== undefined)
}

/** @param {any} part @param {Shape} shape */
function has (part, shape) {
  return isRecord(part) && Object.entries(shape).every(([key, kind]) => IS[kind](part[key]))
}

/**
 * @param {Record<string, any>} part
 * @param {Shape} shape that it has
 * @returns {Record<string, any>} with null for each missing optional figure
 */
function withNulls (part, shape) {
  const missing = Object.keys(shape).filter(key => part[key] === undefined)
  return missing.length === 0 ? part : { ...part, ...Object.fromEntries(missing.map(key => [key, null])) }
}

/**
 * @param {Record<string, any>} result
 * @param {string} key
 * @param {any} value the valid content of the part; undefined for none
 */
function keep (result, key, value) {
  if (value === undefined) delete result[key]
  else result[key] = value
}

/**
 * @param {any} part
 * @param {(value: any, name: string) => boolean} isGood
 * @returns {any} the valid values of the record; undefined if it is none
 */
function sifted (part, isGood) {
  return isRecord(part)
    ? Object.fromEntries(Object.entries(part).filter(([name, value]) => isGood(value, name)))
    : undefined
}

/** @param {any} list @param {(value: any) => boolean} isGood @returns {any} the same of a list */
function siftedList (list, isGood) {
  return Array.isArray(list) ? list.filter(isGood) : undefined
}

/** @param {Record<string, any>} distribution @returns {Record<string, any>} */
function numbersOf (distribution) {
  return sifted(distribution, (value, name) => IS[name === 'histogram' ? 'text' : 'number'](value))
}

/** @param {Record<string, any>} named @param {(one: Record<string, any>) => Record<string, any>} change */
function eachOf (named, change) {
  return Object.fromEntries(Object.entries(named).map(([name, one]) => [name, change(one)]))
}

/** @param {Record<string, any>} given of a request, a stage or a scenario @returns {Record<string, any>} */
function partOf (given) {
  const part = { ...given }
  for (const key of DISTRIBUTIONS) {
    if (key in part) part[key] = isRecord(part[key]) ? numbersOf(part[key]) : { totalCount: 0 }
  }
  if ('checks' in part) keep(part, 'checks', siftedList(part.checks, one => has(one, CHECK))?.map(checkOf))
  if ('streams' in part) keep(part, 'streams', has(part.streams, PARTS.streams) ? streamsOf(part.streams) : undefined)
  if ('statusCodeStats' in part) {
    keep(part, 'statusCodeStats', sifted(part.statusCodeStats, one => has(one, NAMED.statusCodeStats)))
  }
  return part
}

/** @param {Record<string, any>} check @returns {Record<string, any>} the same, without invalid samples */
function checkOf ({ samples, ...check }) {
  return isRecord(samples) ? { ...check, samples } : check
}

/** @param {any} headers */
function isPairs (headers) {
  return Array.isArray(headers) &&
    headers.every(pair => Array.isArray(pair) && pair.length === 2 && pair.every(IS.text))
}

/** @param {Record<string, any>} iterations which may lack durations @returns {Record<string, any>} with durations */
function withTimes (iterations) {
  const { duration, ...rest } = iterations
  return {
    active: { totalCount: 0 }, ...partOf(rest), duration: isRecord(duration) ? numbersOf(duration) : { totalCount: 0 }
  }
}

/**
 * @param {Record<string, any>} given
 * @returns {Record<string, any>} the same, with valid figures of tokens and of goodput only
 */
function streamsOf (given) {
  const streams = { ...given }
  const isWhole = has(streams, COMPLETIONS) && has(streams.tokens, { total: 'number', perSecond: 'number' })
  if (!isWhole) for (const key of Object.keys(COMPLETIONS)) delete streams[key]
  if (isWhole) {
    for (const key of ['finishReasons', 'completionFailures']) streams[key] = sifted(streams[key], IS.number)
    if (!IS.number(streams.tokens.prompt)) streams.tokens = { ...streams.tokens, prompt: null }
  }
  if ('goodput' in streams) {
    keep(streams, 'goodput', siftedList(streams.goodput, one => has(one, GOODPUT))
      ?.map((/** @type {any} */ one) => withNulls(one, GOODPUT)))
  }
  return streams
}

/** @param {any} date @returns {boolean} whether it is a Date, or can be parsed as one */
function isMoment (date) {
  return (typeof date === 'string' || typeof date === 'number' || date instanceof Date) &&
    !Number.isNaN(+new Date(date))
}

/** @param {Record<string, any>} given @returns {Record<string, any>} with everything that reports need */
function completed (given) {
  const result = { ...lifted(given) }
  for (const key of ['start', 'finish']) if (key in result && !isMoment(result[key])) delete result[key]
  if ('title' in result && !IS.text(result.title)) delete result.title
  if ('url' in result) result.url = typeof result.url === 'string' ? result.url : siftedList(result.url, IS.text) ?? []
  if ('percentiles' in result) keep(result, 'percentiles', siftedList(result.percentiles, IS.number))
  for (const key of DISTRIBUTIONS) if (isRecord(result[key])) result[key] = numbersOf(result[key])
  for (const key of COUNTS) if (!Number.isFinite(result[key])) result[key] = 0
  for (const [part, keys] of Object.entries(FIGURES)) {
    // undici does not report the bytes it reads.
    if (part === 'throughput' && !isRecord(result.throughput)) {
      result.throughput = null
      continue
    }
    result[part] = { ...isRecord(result[part]) && result[part] }
    for (const key of keys) if (!Number.isFinite(result[part][key])) result[part][key] = NaN
  }
  for (const key of ['duration', 'sampleInt', 'samples', 'connections', 'pipelining']) {
    if (!Number.isFinite(result[key])) result[key] = NaN
  }
  for (const [key, shape] of Object.entries(PARTS)) {
    if (key in result) keep(result, key, has(result[key], shape) ? withNulls(result[key], shape) : undefined)
  }
  if (result.streams !== undefined) result.streams = streamsOf(result.streams)
  if (result.iterations !== undefined) result.iterations = withTimes(result.iterations)
  for (const [key, shape] of Object.entries(LISTS)) {
    if (key in result) keep(result, key, siftedList(result[key], one => has(one, shape)))
  }
  for (const [key, shape] of Object.entries(NAMED)) {
    if (key in result) keep(result, key, sifted(result[key], one => has(one, shape)))
  }
  if (result.byStage !== undefined) result.byStage = result.byStage.map(partOf)
  if (result.byRequest !== undefined) result.byRequest = eachOf(result.byRequest, partOf)
  if (result.byScenario !== undefined) result.byScenario = eachOf(result.byScenario, withTimes)
  if (result.checks !== undefined) result.checks = result.checks.map(checkOf)
  if (result.generator?.cause !== undefined && !IS.text(result.generator.cause)) {
    result.generator = { ...result.generator, cause: null }
  }
  if (result.options !== undefined) {
    result.options = sifted(result.options, (value, name) => name !== 'headers' || isPairs(value))
  }
  if (result.thresholds !== undefined) {
    result.thresholds = result.thresholds.map((/** @type {any} */ one) =>
      'actual' in one && !IS['number?'](one.actual) && !IS.text(one.actual) ? { ...one, actual: null } : one)
  }
  if (result.series !== undefined) {
    result.series = result.series.map((/** @type {any} */ point) =>
      sifted(point, (value, name) => !DRAWN.includes(name) || IS['number?'](value)))
  }
  return result
}

module.exports = { completed, isMoment, isRaw }
