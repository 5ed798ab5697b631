'use strict'

// Owns what results and snapshots that come from elsewhere have to look like: from a file, another version, another tool, another
// process. Everything behind trusts it. The first thing that is wrong is named by its place.

const { isRecord, show } = require('../foreign-text')
const { COUNT } = require('../record/buckets')
const { VERDICTS } = require('./generator-verdict')
const { COUNTERS, LATER } = require('../record/counters')
const { Histogram } = require('../record/histogram')
const { STAGE_COUNTERS } = require('../record/stage-tally')

/** How many times as much as its samples say the time of a run may be: the thread of a generator may have been blocked. */
const BLOCKED = 100

class ShapeError extends Error {}

/**
 * @param {any} result with figures, of this tool, an older version or autocannon 9, which has less
 * @returns {string | null} what is wrong with it
 */
function problemOfResult (result) {
  return problemIn(() => {
    record(result, 'the result')
    date(result.start, 'start')
    for (const [part, keys] of Object.entries(FIGURES)) {
      // undici does not tell what it reads.
      if (part === 'throughput' && result.throughput === null) continue
      record(result[part], part)
      for (const key of keys) count(result[part][key], `${part}.${key}`)
    }
    count(result.errors, 'errors')
    const { histogram, ...latency } = result.latency
    for (const [key, value] of Object.entries(latency)) maybe(value, `latency.${key}`)
    if (histogram !== undefined) decodable(histogram, 'latency.histogram')
    for (const key of ['failures', 'unexpected', 'non2xx', 'timeouts', 'duration', '4xx', '5xx']) maybe(result[key], key)
    if (result.statusCodeStats !== undefined) each(result.statusCodeStats, 'statusCodeStats', (stat, at) => count(record(stat, at).count, `${at}.count`))
    if (result.series !== undefined) points(result.series)
    if (result.checks !== undefined) list(result.checks, 'checks', record)
  })
}

const FIGURES = Object.freeze({ requests: ['average', 'total'], throughput: ['average'], latency: [] })

/**
 * @param {any} raw in the format of this version
 * @returns {string | null} what is wrong with it
 */
function problemOfRaw (raw) {
  return problemIn(() => {
    identity(raw)
    date(raw.start, 'start')
    date(raw.finish, 'finish')
    count(raw.elapsed, 'elapsed')
    if (!(Number.isInteger(raw.sampleInt) && raw.sampleInt > 0)) wrong('sampleInt', 'a whole number of ms', raw.sampleInt)
    if (typeof raw.interrupted !== 'boolean') wrong('interrupted', 'true or false', raw.interrupted)
    if (raw.targetRate !== null) count(raw.targetRate, 'targetRate')
    if (raw.stages != null) list(raw.stages, 'stages', stage)
    if (raw.users != null) users(raw.users)
    totals(raw.totals)
    let length = 0
    list(raw.samples, 'samples', (sample, at) => {
      for (const key of ['requests', 'bytes', 'length']) count(record(sample, at)[key], `${at}.${key}`)
      length += sample.length
    })
    // Shared out by time, a sample that lasts for years would be billions of them.
    const longest = BLOCKED * raw.sampleInt * (raw.samples.length + 1)
    if (length > longest || raw.elapsed > longest) throw new ShapeError(`elapsed is ${raw.elapsed} ms, and it has ${raw.samples.length} samples of ${raw.sampleInt} ms, which last ${length} ms`)
    points(raw.series)
    for (const [i, { time, length }] of raw.series.entries()) {
      if (time + length > longest) throw new ShapeError(`series[${i}] ends after ${time + length} ms, and the run after ${raw.elapsed}`)
    }
    list(raw.loads, 'loads', usage)
    if (raw.agents !== undefined) list(raw.agents, 'agents', agent)
  })
}

/**
 * @param {any} snapshot with its distributions encoded
 * @returns {string | null} what is wrong with it
 */
function problemOfSnapshot (snapshot) {
  return problemIn(() => {
    record(snapshot, 'snapshot')
    for (const key of ['from', 'to', 'sample', 'connections', 'bailing']) count(snapshot[key], key)
    if (!Number.isInteger(snapshot.sample)) wrong('sample', 'a whole number', snapshot.sample)
    counted(snapshot, 'snapshot')
    usage(snapshot.usage, 'usage')
  })
}

/**
 * @param {any} given
 * @param {string} at
 */
function usage (given, at) {
  for (const key of ['cpuMs', 'activeMs', 'gcMs', 'wallMs', 'standstillMs']) count(record(given, at)[key], `${at}.${key}`)
  for (const key of ['runDelayMs', 'idleMs', 'blockedMs', 'lateMs', 'stolenMs', 'throttledMs']) maybe(given[key], `${at}.${key}`)
  if (given.waits != null) for (const key of ['ms', 'squares']) count(record(given.waits, `${at}.waits`)[key], `${at}.waits.${key}`)
  for (const key of ['p50', 'p99', 'max']) count(record(given.delay, `${at}.delay`)[key], `${at}.delay.${key}`)
}

/**
 * @param {any} given an agent of a raw result
 * @param {string} at
 */
function agent (given, at) {
  named(given, at)
  const { host, node, cores, workers, connections, requests, health, skew, clockError, lost } = given
  for (const [key, value] of Object.entries({ host, node })) text(value, `${at}.${key}`)
  for (const [key, value] of Object.entries({ cores, workers, connections, clockError })) count(value, `${at}.${key}`)
  for (const key of ['sent', 'total']) count(record(requests, `${at}.requests`)[key], `${at}.requests.${key}`)
  for (const key of ['cpu', 'cpuTotal', 'eventLoopUtilization']) count(record(health, `${at}.health`)[key], `${at}.health.${key}`)
  count(health.standstillMs, `${at}.health.standstillMs`)
  if (health.verdict !== null && !VERDICTS.includes(health.verdict)) wrong(`${at}.health.verdict`, VERDICTS.join(', '), health.verdict)
  if (health.cause !== null) text(health.cause, `${at}.health.cause`)
  // One that began before the others has less than none.
  if (skew !== null && !Number.isFinite(skew)) wrong(`${at}.skew`, 'a number or null', skew)
  if (lost === null) return
  count(record(lost, `${at}.lost`).after, `${at}.lost.after`)
  text(lost.reason, `${at}.lost.reason`)
  count(record(lost.missing, `${at}.lost.missing`).share, `${at}.lost.missing.share`)
  maybe(lost.missing.requests, `${at}.lost.missing.requests`)
}

/**
 * @param {any} given what a merged result shall say of itself
 * @returns {string | null} what is wrong with it
 */
function problemOfIdentity (given) {
  return problemIn(() => identity(given))
}

/** @param {any} raw says of itself what it is of */
function identity ({ title, url, socketPath, http, client, connections, pipelining, workers, percentiles, options, environment }) {
  for (const [key, value] of Object.entries({ title, socketPath })) if (value !== undefined) text(value, key)
  if (Array.isArray(url) && url.length > 0) list(url, 'url', text)
  else text(url, 'url')
  if (http !== undefined && http !== '1.1' && http !== '2') wrong('http', '1.1 or 2', http)
  if (client !== undefined && client !== 'undici') wrong('client', 'undici', client)
  count(connections, 'connections')
  count(pipelining, 'pipelining')
  if (workers !== undefined) count(workers, 'workers')
  if (percentiles !== undefined) list(percentiles, 'percentiles', (one, at) => { if (!(typeof one === 'number' && one > 0 && one <= 100)) wrong(at, 'a number above 0 and up to 100', one) })
  for (const [key, value] of Object.entries({ options, environment })) if (value !== undefined) record(value, key)
}

/** @param {any} given */
function totals (given) {
  counted(record(given, 'totals'), 'totals')
  if (given.rounds != null) given.rounds.scenarios.forEach(ended)
  record(given.distributions, 'totals.distributions')
  const { sent, completed, timedOut, failed, abandoned } = given
  const fates = completed + timedOut + failed + abandoned
  if (sent !== fates) throw new ShapeError(`totals.sent is ${sent}, and completed, timedOut, failed and abandoned are ${fates} together`)
}

/**
 * @param {any} given totals or a snapshot
 * @param {string} at
 */
function counted (given, at) {
  for (const counter of [...COUNTERS, 'sentUntil']) if (given[counter] !== undefined || !LATER.has(counter)) count(given[counter], `${at}.${counter}`)
  each(given.statuses, `${at}.statuses`, count)
  each(given.errorCodes, `${at}.errorCodes`, count)
  for (const key of ['connectingMs', 'silentFrom', 'streamLimit']) maybe(given[key], `${at}.${key}`)
  if (given.skipped !== undefined && given.skipped !== null) {
    for (const key of ['ms', 'requests', 'inFlight', 'forgone']) count(record(given.skipped, `${at}.skipped`)[key], `${at}.skipped.${key}`)
    maybe(given.skipped.resent, `${at}.skipped.resent`)
  }
  if (given.keptPace != null) {
    const { pace, reason } = record(given.keptPace, `${at}.keptPace`)
    if (pace !== 'even' && pace !== 'batched') wrong(`${at}.keptPace.pace`, 'even or batched', pace)
    if (reason !== null) text(reason, `${at}.keptPace.reason`)
  }
  if (given.distributions !== null) {
    const distributions = record(given.distributions, `${at}.distributions`)
    for (const name of ['latency', 'serviceTime', 'ttfb', 'connect', 'lag']) distribution(distributions[name], `${at}.distributions.${name}`)
    if (distributions.late !== undefined) distribution(distributions.late, `${at}.distributions.late`)
  }
  list(given.checks, `${at}.checks`, (check, at) => {
    named(check, at)
    if (check.request !== null && typeof check.request !== 'string') wrong(`${at}.request`, 'a text or null', check.request)
    for (const key of ['passed', 'failed']) count(check[key], `${at}.${key}`)
    each(check.reasons, `${at}.reasons`, count)
    each(check.samples, `${at}.samples`, (sample, where) => {
      count(record(sample, where).status, `${where}.status`)
      list(sample.headers, `${where}.headers`, (pair, place) => { if (!Array.isArray(pair) || pair.length !== 2) wrong(place, 'a name and a value', pair) })
      text(sample.body, `${where}.body`)
    })
  })
  list(given.requests, `${at}.requests`, (request, at) => {
    named(request, at)
    tally(request, at, ['errors'])
    distribution(request.ttfb, `${at}.ttfb`)
  })
  if (given.singles != null) for (const key of ['slowest', 'failures']) list(record(given.singles, `${at}.singles`)[key], `${at}.singles.${key}`, single)
  if (given.rounds != null) rounds(given.rounds, `${at}.rounds`)
  if (given.proxied != null) proxied(given.proxied, `${at}.proxied`)
  if (given.handshakes != null) handshakes(given.handshakes, `${at}.handshakes`)
  if (given.stages == null) return
  const { settled, counts } = record(given.stages, `${at}.stages`)
  maybe(settled, `${at}.stages.settled`)
  list(counts, `${at}.stages.counts`, (stage, at) => {
    if (!Number.isInteger(record(stage, at).stage)) wrong(`${at}.stage`, 'a whole number', stage.stage)
    tally(stage, at, ['stage', ...STAGE_COUNTERS])
    each(stage.errorCodes, `${at}.errorCodes`, count)
  })
}

/**
 * @param {any} given a request that is kept by itself
 * @param {string} at
 */
function single (given, at) {
  const { time, name, request, connection, connect, waited, firstByte, total, status, size, error, trace } = record(given, at)
  // One that was in flight when the figures began has less than none. A date has an end.
  if (!(Math.abs(time) <= 1e15)) wrong(`${at}.time`, 'a number', time)
  text(request, `${at}.request`)
  for (const [key, value] of Object.entries({ name, error })) if (value !== null) text(value, `${at}.${key}`)
  for (const [key, value] of Object.entries({ connection, waited, total, size })) count(value, `${at}.${key}`)
  for (const [key, value] of Object.entries({ connect, firstByte, status })) maybe(value, `${at}.${key}`)
  if (trace === undefined) return
  for (const key of ['id', 'parent']) text(record(trace, `${at}.trace`)[key], `${at}.trace.${key}`)
  if (typeof trace.sampled !== 'boolean') wrong(`${at}.trace.sampled`, 'true or false', trace.sampled)
}

/**
 * Of a whole run: what ends in a sample may have started before it.
 * @param {import('../record/round-tally').RoundCounts} counts
 * @param {number} i
 */
function ended ({ started, completed, cutBy, duration, active, waiting }, i) {
  const at = `totals.rounds.scenarios[${i}]`
  const all = Object.values(cutBy).reduce((sum, n) => sum + n, completed)
  if (all > started) throw new ShapeError(`${at}.started is ${started}, and completed and cutBy are ${all} together`)
  // Of those that are unfinished some have a value as well.
  for (const [key, { count }] of Object.entries({ duration, active })) if (count > started - all + completed) throw new ShapeError(`${at}.${key} has ${count} values, and ${started - all + completed} iterations were completed or are unfinished`)
  if (waiting !== null && waiting.count > started - all) throw new ShapeError(`${at}.waiting has ${waiting.count} values, and ${started - all} iterations are unfinished`)
}

/**
 * @param {any} given what was counted of the rounds of users
 * @param {string} at
 */
function rounds (given, at) {
  const { scenarios, arrivals } = record(given, at)
  list(scenarios, `${at}.scenarios`, (one, at) => {
    const { scenario, started, completed, cutBy, duration, active, longestActive, waiting } = record(one, at)
    if (!(Number.isInteger(scenario) && scenario >= 0)) wrong(`${at}.scenario`, 'a whole number of at least 0', scenario)
    for (const [key, value] of Object.entries({ started, completed, longestActive })) count(value, `${at}.${key}`)
    if (waiting !== null) distribution(waiting, `${at}.waiting`)
    each(cutBy, `${at}.cutBy`, count)
    for (const [key, value] of Object.entries({ duration, active })) distribution(value, `${at}.${key}`)
    for (const [key, value] of Object.entries({ duration, active })) if (value.count < completed) throw new ShapeError(`${at}.completed is ${completed}, and ${key} has ${value.count} values`)
  })
  list(arrivals, `${at}.arrivals`, (one, at) => {
    const { scenario, arrived, neverStarted, wait } = record(one, at)
    if (scenario !== null && !(Number.isInteger(scenario) && scenario >= 0)) wrong(`${at}.scenario`, 'a whole number of at least 0, or null', scenario)
    for (const [key, value] of Object.entries({ arrived, neverStarted })) count(value, `${at}.${key}`)
    distribution(wait, `${at}.wait`)
    if (wait.count > arrived) throw new ShapeError(`${at}.arrived is ${arrived}, and wait has ${wait.count} values`)
  })
}

/**
 * @param {any} given what was counted of connections through proxies
 * @param {string} at
 */
function proxied (given, at) {
  const { connect, errors, refused } = record(given, at)
  distribution(connect, `${at}.connect`)
  count(refused, `${at}.refused`)
  list(errors, `${at}.errors`, (one, at) => {
    const { code, message, count: n } = record(one, at)
    text(code, `${at}.code`)
    text(message, `${at}.message`)
    count(n, `${at}.count`)
  })
}

/**
 * @param {any} given what was counted of handshakes
 * @param {string} at
 */
function handshakes (given, at) {
  const { latency, resumed, agreed } = record(given, at)
  distribution(latency, `${at}.latency`)
  count(resumed, `${at}.resumed`)
  each(agreed, `${at}.agreed`, count)
}

/**
 * @param {any} given what was counted of a part of a run
 * @param {string} at
 * @param {string[]} counters it has, beside those of every part
 */
function tally (given, at, counters) {
  for (const key of [...counters, 'allowed', 'faulty']) count(given[key], `${at}.${key}`)
  each(given.statuses, `${at}.statuses`, count)
  distribution(given.latency, `${at}.latency`)
}

/** @param {any} given what the users of a run do */
function users (given) {
  const { scenarios, rate, rates, ...session } = record(given, 'users')
  list(scenarios, 'users.scenarios', text)
  maybe(rate, 'users.rate')
  list(rates, 'users.rates', maybe)
  for (const key of ['redirects', 'retries']) if (typeof session[key] !== 'boolean') wrong(`users.${key}`, 'true or false', session[key])
}

/**
 * @param {any} given a stage of a load
 * @param {string} at
 */
function stage (given, at) {
  const { name, over } = record(given, at)
  if (name !== null) text(name, `${at}.name`)
  if (!['rate', 'rounds', 'connections'].includes(over)) wrong(`${at}.over`, 'rate, rounds or connections', over)
  for (const key of ['from', 'until', 'start', 'end']) count(given[key], `${at}.${key}`)
}

/**
 * @param {any} given an encoded histogram
 * @param {string} at
 */
function distribution (given, at) {
  record(given, at)
  const squares = given.sumOfSquares === undefined ? ['shift', 'squares'] : ['sumOfSquares']
  for (const key of ['count', 'sum', 'min', 'max', ...squares]) count(given[key], `${at}.${key}`)
  const { buckets } = given
  if (!Array.isArray(buckets)) wrong(`${at}.buckets`, 'an array', buckets)
  let total = 0
  for (let i = 0; i < buckets.length; i += 2) {
    // There are thousands: only what is wrong is given a place.
    if (i + 1 < buckets.length && !(buckets[i + 1] >= 0 && Number.isFinite(buckets[i + 1]))) count(buckets[i + 1], `${at}.buckets[${i + 1}]`)
    if (!Number.isInteger(buckets[i]) || buckets[i] >= COUNT || (i > 0 && buckets[i] <= buckets[i - 2])) wrong(`${at}.buckets[${i}]`, 'the number of a bucket, higher than the one before', buckets[i])
    total += buckets[i + 1]
  }
  if (total !== given.count) throw new ShapeError(`${at} has ${given.count} values, and ${Number.isNaN(total) ? 'a bucket without a count' : `${total} in its buckets`}`)
}

/** What of a point is no number. */
const APART = new Set(['errorCodes', 'verdict', 'server'])

/** @param {any} given the points of a series */
function points (given) {
  list(given, 'series', (point, at) => {
    record(point, at)
    count(point.length, `${at}.length`)
    for (const [key, value] of Object.entries(point)) if (!APART.has(key)) maybe(value, `${at}.${key}`)
    if (point.verdict != null && !VERDICTS.includes(point.verdict)) wrong(`${at}.verdict`, VERDICTS.join(', '), point.verdict)
    if (point.errorCodes !== undefined) each(point.errorCodes, `${at}.errorCodes`, count)
    if (point.server != null) each(point.server, `${at}.server`, maybe)
  })
}

/**
 * @param {() => void} look
 * @returns {string | null}
 */
function problemIn (look) {
  try {
    look()
    return null
  } catch (error) {
    if (error instanceof ShapeError) return error.message
    throw error
  }
}

/**
 * @param {string} at
 * @param {string} expected
 * @param {unknown} given
 * @returns {never}
 */
function wrong (at, expected, given) {
  throw new ShapeError(given === undefined ? `it has no ${at}` : `${at} is ${show(given)}, expected ${expected}`)
}

/**
 * @param {any} given
 * @param {string} at
 */
function record (given, at) {
  return isRecord(given) ? /** @type {any} */ (given) : wrong(at, 'an object', given)
}

/**
 * @param {any} given
 * @param {string} at
 */
function count (given, at) {
  if (typeof given !== 'number' || !Number.isFinite(given) || given < 0) wrong(at, 'a number of at least 0', given)
}

/**
 * @param {any} given may be left out, or be null where there was nothing
 * @param {string} at
 */
function maybe (given, at) {
  if (given !== undefined && given !== null) count(given, at)
}

/**
 * @param {any} given
 * @param {string} at
 */
function text (given, at) {
  if (typeof given !== 'string') wrong(at, 'a text', given)
}

/**
 * @param {any} given
 * @param {string} at
 */
function named (given, at) {
  text(record(given, at).name, `${at}.name`)
}

/**
 * @param {any} given
 * @param {string} at
 */
function date (given, at) {
  if (!(typeof given === 'string' || given instanceof Date) || Number.isNaN(+new Date(given))) wrong(at, 'a date', given instanceof Date ? 'Invalid Date' : given)
}

/**
 * @param {any} given
 * @param {string} at
 * @param {(one: any, at: string) => void} look
 */
function list (given, at, look) {
  if (!Array.isArray(given)) wrong(at, 'an array', given)
  given.forEach((/** @type {any} */ one, /** @type {number} */ i) => look(one, `${at}[${i}]`))
}

/**
 * @param {any} given
 * @param {string} at
 * @param {(one: any, at: string) => void} look
 */
function each (given, at, look) {
  for (const [key, one] of Object.entries(record(given, at))) look(one, `${at}.${key}`)
}

/**
 * @param {any} given
 * @param {string} at
 */
function decodable (given, at) {
  try {
    if (typeof given === 'string') return Histogram.decode(given)
  } catch {}
  wrong(at, 'a histogram as --json writes it', given)
}

module.exports = { problemOfResult, problemOfRaw, problemOfSnapshot, problemOfIdentity }
