'use strict'

// Checks results and snapshots from files, other versions, tools or processes. All other code trusts them.
// docs/result.schema.json is no substitute: results of older versions and of autocannon 9 have fewer keys, and it has
// no raw results and snapshots. As JSON schemas, ajv makes 280 KB of standalone code of these shapes, cannot compare
// figures with each other, and has other messages.

const { sumOf } = require('../core/statistics')
const { INSTRUMENTS } = require('../instruments')
const { choicesOf } = require('../protocols/protocol')
const { COUNTERS, LATER } = require('../record/counters')
const { Histogram } = require('../record/histogram')
const { COUNTS, INDEX, MAYBE_COUNT, reportShape } = require('../record/shapes')
const { agree, each, fields, is, list, maybe, nullable, object, oneOf, optional } = require('../core/shape')
const { COUNT, FLAG, OBJECT, TEXT } = require('../core/shape')

/** The greatest length of a run, as a multiple of its samples: the thread of a generator may have been blocked. */
const BLOCKED = 100

const DATE = is('a date', value =>
  (typeof value === 'string' || value instanceof Date) && !Number.isNaN(+new Date(value)))
const PERCENTILE = is('a number above 0 and up to 100', value => typeof value === 'number' && value > 0 && value <= 100)

/** The checks of each instrument. @type {Array<Record<string, any>>} */
const CHECKS = Object.entries(INSTRUMENTS).map(([key, one]) => {
  const { check, record } = /** @type {any} */ (one)
  return { key, ...check !== undefined ? check() : record !== undefined && { report: reportShape(record().Total) } }
})

/**
 * @type {(what: 'raw' | 'snapshot' | 'point') => Record<string, import('../core/shape').Shape>} keys of instruments in
 *   a raw result, in a snapshot (other than counts), or in a point of the series
 */
const allOf = what => Object.assign({}, ...CHECKS.map(({ [what]: shapes }) => shapes))

/**
 * @type {(what: 'report' | 'total') => Record<string, import('../core/shape').Shape>} counts of instruments, in a
 *   sample or in a whole run
 */
const reportsOf = what => Object.fromEntries(CHECKS.flatMap(({ key, isRequired, report, [what]: shape = report }) =>
  shape === undefined ? [] : [[key, isRequired && what === 'total' ? shape : maybe(shape)]]))

const PACE_CAUSE = object({
  code: oneOf(['cpu-wait', 'few-cores', 'few-cores-of-agent'], 'the reason of a batched pace'),
  ...fields(['from', 'threads', 'cores'], optional(COUNT))
})

/** Raw results of older versions have a sentence. @type {import('../core/shape').Shape} */
const PACE_REASON = nullable(value => typeof value === 'string' ? null : PACE_CAUSE(value))

/** Keys that totals and snapshots have in common. */
const COUNTED = {
  ...fields(COUNTERS.filter(counter => !LATER.has(counter)), COUNT),
  ...fields([...LATER], optional(COUNT)),
  sentUntil: COUNT,
  ...fields(['statuses', 'errorCodes'], COUNTS),
  ...fields(['connectingMs', 'silentFrom', 'streamLimit'], MAYBE_COUNT),
  skipped: maybe(object({ ...fields(['ms', 'requests', 'inFlight', 'forgone'], COUNT), resent: MAYBE_COUNT })),
  keptPace: maybe(object({ pace: oneOf(['even', 'batched'], 'even or batched'), reason: PACE_REASON })),
  ...reportsOf('report')
}

const SNAPSHOT = object({
  snapshot: object({
    ...fields(['from', 'to', 'connections', 'bailing'], COUNT),
    sample: INDEX,
    ...COUNTED,
    ...allOf('snapshot')
  })
})

const POINT = allOf('point')

/** @type {(errorCodes: import('../core/shape').Shape) => import('../core/shape').Shape} */
const seriesWith = errorCodes => list(object(
  { length: COUNT, errorCodes, ...POINT },
  // All other keys are numbers.
  each(MAYBE_COUNT, new Set(['errorCodes', ...Object.keys(POINT)]))
))

const REQUESTS = optional(list(OBJECT))

/** The options that comparisons read. */
const OPTIONS = optional(object({
  requests: REQUESTS,
  scenarios: optional(list(object({ requests: REQUESTS })))
}))

const decodable = is('a histogram as --json writes it', value => {
  try {
    return typeof value === 'string' && Boolean(Histogram.decode(value))
  } catch {
    return false
  }
})

const RESULT = object({
  start: DATE,
  requests: object(fields(['average', 'total'], COUNT)),
  // undici does not report the bytes it reads.
  throughput: nullable(object({ average: COUNT })),
  errors: COUNT,
  latency: object({ histogram: optional(decodable) }, each(MAYBE_COUNT, new Set(['histogram']))),
  ...fields(['failures', 'unexpected', 'non2xx', 'timeouts', 'duration', '4xx', '5xx'], MAYBE_COUNT),
  statusCodeStats: optional(each(object({ count: COUNT }))),
  series: optional(seriesWith(optional(COUNTS))),
  options: OPTIONS,
  environment: optional(OBJECT),
  checks: optional(list(OBJECT)),
  thresholds: optional(list(OBJECT)),
  fates: optional(each(MAYBE_COUNT))
})

/** The part of a result that identifies the run. */
const IDENTITY = {
  ...fields(['title', 'socketPath'], optional(TEXT)),
  url: (/** @type {any} */ value) => Array.isArray(value) && value.length > 0 ? list(TEXT)(value) : TEXT(value),
  http: optional(oneOf(['1.1', '2'], '1.1 or 2')),
  client: optional(oneOf(choicesOf('client'))),
  ...fields(['connections', 'pipelining'], COUNT),
  workers: optional(COUNT),
  percentiles: optional(list(PERCENTILE)),
  options: OPTIONS,
  environment: optional(OBJECT)
}

const RAW = object({
  ...IDENTITY,
  ...fields(['start', 'finish'], DATE),
  elapsed: COUNT,
  sampleInt: is('a whole number of ms', value => Number.isInteger(value) && value > 0),
  interrupted: FLAG,
  targetRate: nullable(COUNT),
  totals: object(
    { ...COUNTED, ...reportsOf('total') },
    agree(({ sent, completed, timedOut, failed, abandoned }) => {
      const fates = completed + timedOut + failed + abandoned
      return sent !== fates && `.sent is ${sent}, and completed, timedOut, failed and abandoned are ${fates} together`
    })
  ),
  samples: list(object(fields(['requests', 'bytes', 'length'], COUNT))),
  series: seriesWith(COUNTS),
  ...allOf('raw')
}, agree(({ elapsed, sampleInt, samples, series }) => {
  // A sample that lasts for years would be divided into billions of points.
  const length = sumOf(samples, sample => sample.length)
  const longest = BLOCKED * sampleInt * (samples.length + 1)
  if (length > longest || elapsed > longest) {
    return `elapsed is ${elapsed} ms, and it has ${samples.length} samples of ${sampleInt} ms, which last ${length} ms`
  }
  const late = series.findIndex((/** @type {Record<string, number>} */ { time, length }) => time + length > longest)
  return late !== -1 &&
    `series[${late}] ends after ${series[late].time + series[late].length} ms, and the run after ${elapsed}`
}))

/** @type {(shape: import('../core/shape').Shape, name?: string) => (value: any) => string | null} */
const problemIn = (shape, name) => value => shape(value)?.text(name ?? '') ?? null

module.exports = {
  /** Checks a result, which may be of an older version or of autocannon 9. */
  problemOfResult: problemIn(RESULT, 'the result'),
  /** Checks a raw result in the format of this version. */
  problemOfRaw: problemIn(RAW),
  /** Checks a snapshot with encoded distributions. */
  problemOfSnapshot: (/** @type {unknown} */ snapshot) => problemIn(SNAPSHOT)({ snapshot }),
  /** Checks the identity that a user gives for a merged result. */
  problemOfIdentity: problemIn(object(IDENTITY))
}
