'use strict'

// Owns how a partial result is made fit for reports: one of another tool or version, or with keys removed. Reports trust what comes from here. A figure that is
// missing is NaN, which is shown as –; a count that is missing is 0, so no sentence mentions it; and an optional part without its required keys is left out.

const { isRecord } = require('../foreign-text')

/** Counts of a run. Reports mention them from 1 on. */
const COUNTS = ['errors', 'timeouts', 'mismatches', 'non2xx', 'resets', '1xx', '2xx', '3xx', '4xx', '5xx']

/** Figures that every report has a place for. Of those of `latency` a report already shows – for what is missing. */
const FIGURES = {
  requests: ['total', 'sent', 'average', 'stddev', 'min', 'p1', 'p2_5', 'p50', 'p97_5'],
  throughput: ['total', 'average', 'stddev', 'min', 'p1', 'p2_5', 'p50', 'p97_5'],
  latency: ['totalCount']
}

/**
 * @typedef {'number' | 'number?' | 'text' | 'record' | 'list' | 'any'} Kind `number?` may also be null; `any` may not be missing
 * @typedef {Record<string, Kind>} Shape the keys that a part must have
 */

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
  proxy: { refused: 'number' },
  until: { expression: 'text' },
  comparison: { limits: 'list' },
  rounds: { started: 'number', completed: 'number', cut: 'number', cutBy: 'record', unfinished: 'number', perSecond: 'number' },
  search: {},
  server: {}
}

/** @type {Record<string, Shape>} parts that are a list of records, or have one for each name */
const LISTS = {
  thresholds: { expression: 'text', passed: 'any' },
  checks: { name: 'text', reasons: 'record' },
  byRequest: { latency: 'record' },
  byStage: { target: 'record', latency: 'record' },
  byScenario: {},
  statusCodeStats: { count: 'number' },
  agents: {},
  slowest: {},
  firstFailures: {},
  series: {}
}

/** @type {Record<Kind, (value: any) => boolean>} */
const IS = {
  number: Number.isFinite,
  'number?': value => value === null || Number.isFinite(value),
  text: value => typeof value === 'string',
  record: isRecord,
  list: Array.isArray,
  any: value => value !== undefined
}

/**
 * @param {Record<string, any>} given
 * @returns {boolean} whether it is a result before its figures are derived
 */
function isRaw ({ format, totals, requests }) {
  return requests === undefined && (format !== undefined || totals !== undefined)
}

/**
 * @param {any} part
 * @param {Shape} shape
 */
function has (part, shape) {
  return isRecord(part) && Object.entries(shape).every(([key, kind]) => IS[kind](part[key]))
}

/**
 * @param {any} part a list, or a record of records
 * @param {Shape} shape of each
 * @returns {any} without those that lack a key; undefined for what is no such part
 */
function whole (part, shape) {
  if (Array.isArray(part)) return part.filter(one => has(one, shape))
  return isRecord(part) ? Object.fromEntries(Object.entries(part).filter(([, one]) => has(one, shape))) : undefined
}

/**
 * @param {Record<string, any>} given
 * @returns {Record<string, any>} with all that reports rely on
 */
function completed (given) {
  const result = { ...given }
  for (const key of COUNTS) if (!Number.isFinite(result[key])) result[key] = 0
  for (const [part, keys] of Object.entries(FIGURES)) {
    // What is not known is left out, as of undici, which does not report what it reads.
    if (part === 'throughput' && !isRecord(result.throughput)) {
      result.throughput = null
      continue
    }
    result[part] = { ...isRecord(result[part]) && result[part] }
    for (const key of keys) if (!Number.isFinite(result[part][key])) result[part][key] = NaN
  }
  for (const key of ['duration', 'sampleInt', 'samples', 'connections', 'pipelining']) if (!Number.isFinite(result[key])) result[key] = NaN
  for (const [key, shape] of Object.entries(PARTS)) if (key in result && !has(result[key], shape)) delete result[key]
  if (result.rounds !== undefined) result.rounds = { duration: { totalCount: 0 }, active: { totalCount: 0 }, ...result.rounds }
  for (const [key, shape] of Object.entries(LISTS)) {
    if (!(key in result)) continue
    const kept = whole(result[key], shape)
    if (kept === undefined) delete result[key]
    else result[key] = kept
  }
  return result
}

module.exports = { completed, isRaw }
