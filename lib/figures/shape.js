'use strict'

// Owns the shapes of results and snapshots that come from a file, another version, another tool or another process. All
// other code trusts them. docs/result.schema.json is of no use here: results of older versions and of autocannon 9 have
// less, and raw results and snapshots are not in it. Of the same shapes as JSON schemas, ajv makes 280 KB of standalone
// code, which can't compare figures with each other and has other messages.

const { show } = require('../foreign-text')
const { COUNT: BUCKETS } = require('../record/buckets')
const { COUNTERS, LATER } = require('../record/counters')
const { Histogram } = require('../record/histogram')
const { STAGE_COUNTERS } = require('../instruments/stages/stage-tally')
const { agree, all, each, fields, is, list, maybe, nullable, object, oneOf, optional } = require('../shape')
const { ARRAY, COUNT, FLAG, OBJECT, TEXT } = require('../shape')
const { VERDICTS } = require('./generator-verdict')

/** A run may last this many times as long as its samples: the thread of a generator may have been blocked. */
const BLOCKED = 100

const MAYBE_COUNT = maybe(COUNT)
const COUNTS = each(COUNT)
const INDEX = is('a whole number of at least 0', value => Number.isInteger(value) && value >= 0)
const INDEX_OR_NULL = is('a whole number of at least 0, or null', value => value === null || INDEX(value) === null)
const TEXT_OR_NULL = is('a text or null', value => value === null || typeof value === 'string')
const DATE = is('a date', value =>
  (typeof value === 'string' || value instanceof Date) && !Number.isNaN(+new Date(value)))
const PERCENTILE = is('a number above 0 and up to 100', value => typeof value === 'number' && value > 0 && value <= 100)
const VERDICT = oneOf(VERDICTS)

const SQUARES = object({ sumOfSquares: COUNT })
/** Of raw results of the format before. */
const OLD_SQUARES = object(fields(['shift', 'squares'], COUNT))

const DISTRIBUTION = object(
  { ...fields(['count', 'sum', 'min', 'max'], COUNT), buckets: ARRAY },
  value => value.sumOfSquares === undefined ? OLD_SQUARES(value) : SQUARES(value),
  agree(({ count, buckets }) => {
    let total = 0
    for (let i = 0; i < buckets.length; i += 2) {
      const [bucket, n] = [buckets[i], buckets[i + 1]]
      if (!Number.isInteger(bucket) || bucket >= BUCKETS || (i > 0 && bucket <= buckets[i - 2])) {
        return `.buckets[${i}] is ${show(bucket)}, expected the number of a bucket, higher than the one before`
      }
      if (!(n >= 0 && Number.isFinite(n))) return `.buckets[${i + 1}] is ${show(n)}, expected a number of at least 0`
      total += n
    }
    return total !== count && ` has ${count} values, and ${total} in its buckets`
  })
)

/** What is counted of a part of a run. */
const PART = { ...fields(['allowed', 'faulty'], COUNT), statuses: COUNTS, latency: DISTRIBUTION }

const HEADER = is('a name and a value', value => Array.isArray(value) && value.length === 2)
const SAMPLE_OF_CHECK = object({ status: COUNT, headers: list(HEADER), body: TEXT })

const SINGLE = object({
  // One that was in flight when the figures began has less than none. A date has an end.
  time: is('a number', value => Math.abs(value) <= 1e15),
  request: TEXT,
  ...fields(['name', 'error'], TEXT_OR_NULL),
  ...fields(['connection', 'waited', 'total', 'size'], COUNT),
  ...fields(['connect', 'firstByte', 'status'], MAYBE_COUNT),
  trace: optional(object({ ...fields(['id', 'parent'], TEXT), sampled: FLAG }))
})

const ROUNDS = object({
  scenarios: list(object(
    {
      scenario: INDEX,
      ...fields(['started', 'completed', 'longestActive'], COUNT),
      waiting: nullable(DISTRIBUTION),
      cutBy: COUNTS,
      ...fields(['duration', 'active'], DISTRIBUTION)
    },
    agree(({ completed, ...counted }) => ['duration', 'active'].filter(key => counted[key].count < completed)
      .map(key => `.completed is ${completed}, and ${key} has ${counted[key].count} values`)[0])
  )),
  arrivals: list(object(
    { scenario: INDEX_OR_NULL, ...fields(['arrived', 'neverStarted'], COUNT), wait: DISTRIBUTION },
    agree(({ arrived, wait }) => wait.count > arrived && `.arrived is ${arrived}, and wait has ${wait.count} values`)
  ))
})

const DISTRIBUTIONS = object({
  ...fields(['latency', 'serviceTime', 'ttfb', 'connect', 'lag'], DISTRIBUTION),
  late: optional(DISTRIBUTION)
})

/** Totals, or a snapshot. */
const COUNTED = {
  ...fields(COUNTERS.filter(counter => !LATER.has(counter)), COUNT),
  ...fields([...LATER], optional(COUNT)),
  sentUntil: COUNT,
  ...fields(['statuses', 'errorCodes'], COUNTS),
  ...fields(['connectingMs', 'silentFrom', 'streamLimit'], MAYBE_COUNT),
  skipped: maybe(object({ ...fields(['ms', 'requests', 'inFlight', 'forgone'], COUNT), resent: MAYBE_COUNT })),
  keptPace: maybe(object({ pace: oneOf(['even', 'batched'], 'even or batched'), reason: TEXT_OR_NULL })),
  checks: list(object({
    name: TEXT,
    request: TEXT_OR_NULL,
    ...fields(['passed', 'failed'], COUNT),
    reasons: COUNTS,
    samples: each(SAMPLE_OF_CHECK)
  })),
  requests: list(object({ name: TEXT, errors: COUNT, ...PART, ttfb: DISTRIBUTION })),
  singles: maybe(object(fields(['slowest', 'failures'], list(SINGLE)))),
  rounds: maybe(ROUNDS),
  proxied: maybe(object({
    connect: DISTRIBUTION,
    refused: COUNT,
    errors: list(object({ ...fields(['code', 'message'], TEXT), count: COUNT }))
  })),
  handshakes: maybe(object({ latency: DISTRIBUTION, resumed: COUNT, agreed: COUNTS })),
  stages: maybe(object({
    settled: MAYBE_COUNT,
    counts: list(object({ stage: INDEX, ...fields(STAGE_COUNTERS, COUNT), ...PART, errorCodes: COUNTS }))
  }))
}

const USAGE = object({
  ...fields(['cpuMs', 'activeMs', 'gcMs', 'wallMs', 'standstillMs'], COUNT),
  ...fields(['runDelayMs', 'idleMs', 'blockedMs', 'lateMs', 'stolenMs', 'throttledMs'], MAYBE_COUNT),
  waits: maybe(object(fields(['ms', 'squares'], COUNT))),
  delay: object(fields(['p50', 'p99', 'max'], COUNT))
})

const SNAPSHOT = object({
  snapshot: object({
    ...fields(['from', 'to', 'connections', 'bailing'], COUNT),
    sample: INDEX,
    ...COUNTED,
    distributions: nullable(DISTRIBUTIONS),
    usage: USAGE
  })
})

/** Values of a point that are no numbers. */
const APART = new Set(['errorCodes', 'verdict', 'server'])

const SERIES = list(object(
  { length: COUNT, verdict: maybe(VERDICT), errorCodes: optional(COUNTS), server: maybe(each(MAYBE_COUNT)) },
  each(MAYBE_COUNT, APART)
))

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
  // undici does not tell what it reads.
  throughput: nullable(object({ average: COUNT })),
  errors: COUNT,
  latency: object({ histogram: optional(decodable) }, each(MAYBE_COUNT, new Set(['histogram']))),
  ...fields(['failures', 'unexpected', 'non2xx', 'timeouts', 'duration', '4xx', '5xx'], MAYBE_COUNT),
  statusCodeStats: optional(each(object({ count: COUNT }))),
  series: optional(SERIES),
  checks: optional(list(OBJECT))
})

/** What a result says that it is of. */
const IDENTITY = {
  ...fields(['title', 'socketPath'], optional(TEXT)),
  url: (/** @type {any} */ value) => Array.isArray(value) && value.length > 0 ? list(TEXT)(value) : TEXT(value),
  http: optional(oneOf(['1.1', '2'], '1.1 or 2')),
  client: optional(oneOf(['undici'])),
  ...fields(['connections', 'pipelining'], COUNT),
  workers: optional(COUNT),
  percentiles: optional(list(PERCENTILE)),
  ...fields(['options', 'environment'], optional(OBJECT))
}

const AGENT = object({
  ...fields(['name', 'host', 'node'], TEXT),
  ...fields(['cores', 'workers', 'connections', 'clockError'], COUNT),
  requests: object(fields(['sent', 'total'], COUNT)),
  health: object({
    ...fields(['cpu', 'cpuTotal', 'eventLoopUtilization', 'standstillMs'], COUNT),
    verdict: nullable(VERDICT),
    cause: TEXT_OR_NULL
  }),
  // One that began before the others has less than none.
  skew: is('a number or null', value => value === null || Number.isFinite(value)),
  lost: nullable(object({ after: COUNT, reason: TEXT, missing: object({ share: COUNT, requests: MAYBE_COUNT }) }))
})

/** Of a whole run: what ends in a sample may have started before it. */
const WHOLE_ROUNDS = object({
  scenarios: list(agree(({ started, completed, cutBy, duration, active, waiting }) => {
    const ended = Object.values(cutBy).reduce((sum, n) => sum + n, completed)
    if (ended > started) return `.started is ${started}, and completed and cutBy are ${ended} together`
    const unfinished = started - ended
    // Of those that are unfinished some have a value as well.
    for (const [key, { count }] of Object.entries({ duration, active })) {
      const most = unfinished + completed
      if (count > most) return `.${key} has ${count} values, and ${most} iterations were completed or are unfinished`
    }
    return waiting !== null && waiting.count > unfinished &&
      `.waiting has ${waiting.count} values, and ${unfinished} iterations are unfinished`
  }))
})

const RAW = object({
  ...IDENTITY,
  ...fields(['start', 'finish'], DATE),
  elapsed: COUNT,
  sampleInt: is('a whole number of ms', value => Number.isInteger(value) && value > 0),
  interrupted: FLAG,
  targetRate: nullable(COUNT),
  stages: maybe(list(object({
    name: TEXT_OR_NULL,
    over: oneOf(['rate', 'rounds', 'connections'], 'rate, rounds or connections'),
    ...fields(['from', 'until', 'start', 'end'], COUNT)
  }))),
  users: maybe(object({
    scenarios: list(TEXT),
    rate: MAYBE_COUNT,
    rates: list(MAYBE_COUNT),
    ...fields(['redirects', 'retries'], FLAG)
  })),
  totals: object(
    { ...COUNTED, distributions: DISTRIBUTIONS, rounds: maybe(all(ROUNDS, WHOLE_ROUNDS)) },
    agree(({ sent, completed, timedOut, failed, abandoned }) => {
      const fates = completed + timedOut + failed + abandoned
      return sent !== fates && `.sent is ${sent}, and completed, timedOut, failed and abandoned are ${fates} together`
    })
  ),
  samples: list(object(fields(['requests', 'bytes', 'length'], COUNT))),
  series: SERIES,
  loads: list(USAGE),
  agents: optional(list(AGENT))
}, agree(({ elapsed, sampleInt, samples, series }) => {
  // Shared out by time, a sample that lasts for years would be billions of them.
  const length = samples.reduce((/** @type {number} */ sum, /** @type {any} */ sample) => sum + sample.length, 0)
  const longest = BLOCKED * sampleInt * (samples.length + 1)
  if (length > longest || elapsed > longest) {
    return `elapsed is ${elapsed} ms, and it has ${samples.length} samples of ${sampleInt} ms, which last ${length} ms`
  }
  const late = series.findIndex((/** @type {Record<string, number>} */ { time, length }) => time + length > longest)
  return late !== -1 &&
    `series[${late}] ends after ${series[late].time + series[late].length} ms, and the run after ${elapsed}`
}))

/** @type {(shape: import('../shape').Shape, name?: string) => (value: any) => string | null} */
const problemIn = (shape, name) => value => shape(value)?.text(name ?? '') ?? null

module.exports = {
  /** What is wrong with a result that has figures, of this tool, an older version or autocannon 9, which has less. */
  problemOfResult: problemIn(RESULT, 'the result'),
  /** What is wrong with a raw result in the format of this version. */
  problemOfRaw: problemIn(RAW),
  /** What is wrong with a snapshot, its distributions encoded. */
  problemOfSnapshot: (/** @type {unknown} */ snapshot) => problemIn(SNAPSHOT)({ snapshot }),
  /** What is wrong with what a merged result shall say of itself. */
  problemOfIdentity: problemIn(object(IDENTITY))
}
