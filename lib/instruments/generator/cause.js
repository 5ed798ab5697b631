'use strict'

// Owns the verdict on the generators over a whole run, and the one sentence that says why, when, and what it did to which figures.

const { formatDuration, formatPercent } = require('../../core/units')
const { takerOf } = require('./cpu-wait')
const { LONG_ENOUGH, STARVED, judgeRun, sharesOf, spoils, worstOf } = require('./verdict')

/** A worse part of the run that is as long, as a share of it, decides the verdict on the run: p95 may come out of it. */
const DECIDES = 0.05
/** One that is as long is named: p99 may come out of it. */
const NAMED = 0.01
/** One that is as long counts as the whole run. */
const ALL = 0.9
/** From here on a generator has no time left, as a share of it. */
const FULL = 0.9
/** What makes room for generators on this machine. */
const WORKERS = '--workers'
/** How many times are named; of more, their number is. */
const MOST_TIMES = 2
/** Times that are closer than this are one, ms. */
const BETWEEN = 1000

/**
 * @typedef {import('../../record/usage').Usage} Usage
 * @typedef {import('./verdict').Verdict} Verdict
 * @typedef {import('./verdict').Reason} Reason
 *
 * @typedef {object} Facts
 * @property {number} cpu share of a core
 * @property {number} eventLoop share of the time, as the following are
 * @property {number | null} runDelay
 * @property {number} blocked
 * @property {number} standstillMs
 * @property {string} more what makes room: `--workers`, or `more agents`
 * @property {boolean} [byArrival] see Circumstances
 * @property {boolean} [hasHooks] see Circumstances
 * @property {boolean} [sentLate] see Circumstances
 * @property {boolean} [rateKept] see Circumstances
 */

/**
 * What else a sentence on the load generator depends on.
 *
 * @typedef {object} Circumstances
 * @property {boolean} [byArrival] whether latencies end at the arrival of responses in the kernel, and not when a busy process reads them
 * @property {boolean} [hasHooks] whether hooks may be what takes time
 * @property {import('./cpu-wait').Latency | null} [latency] of the responses
 * @property {boolean} [sentLate] whether so many requests were sent after they were due that p99 includes it
 * @property {boolean} [rateKept] whether all that was due was sent
 */

/**
 * @param {Usage[]} usages one of each generator, over the whole run
 * @param {import('../../figures/series').Point[]} series
 * @param {string} more what makes room
 * @param {Circumstances} circumstances
 * @returns {{ verdict: Verdict | null, reason: Reason | null, cause: string | null }} the cause is the sentence on the reason
 */
function causeOf (usages, series, more, circumstances) {
  const judged = usages.map(usage => judgeRun(usage, circumstances.latency))
  const worst = worstOf(judged)
  const { verdict, reason } = worst
  const usage = usages[judged.indexOf(worst)]
  const part = worsePart(series, more)
  if (part !== null && part.share < ALL && part.share >= NAMED) {
    const decides = part.share >= DECIDES || spoils(verdict)
    const why = narrowed(part.reason, usages)
    return { verdict: decides ? part.verdict : verdict && 'busy', reason: why, cause: `${part.when} the${SENTENCES[why]({ ...part.facts, ...circumstances }).slice('The'.length)}` }
  }
  const sentences = verdict === 'busy' ? { ...SENTENCES, ...WEAKER } : SENTENCES
  return { verdict, reason, cause: reason === null ? null : sentences[reason]({ ...sharesOf(usage), standstillMs: usage.standstillMs, more, ...circumstances }) }
}

/**
 * Points do not say whose fault it is: that of the whole run is the best guess.
 * @param {Reason} reason of a part of a run
 * @param {Usage[]} usages
 * @returns {Reason}
 */
function narrowed (reason, usages) {
  if (reason === 'blocked') return usages.some(({ gcMs, blockedMs = 0 }) => gcMs > blockedMs / 2) ? 'collection' : reason
  return reason === 'core' ? usages.map(takerOf).find(taker => taker !== 'core') ?? reason : reason
}

/**
 * @param {import('../../figures/series').Point[]} series
 * @param {string} [more] what makes room
 * @returns {{ share: number, verdict: Verdict, reason: Reason, facts: Facts, when: string } | null} the time in which a generator was
 *   starved or saturated, whichever was longer; null when there was too little of it
 */
function worsePart (series, more = WORKERS) {
  /** @param {Array<{ length: number }>} points */
  const lengthOf = points => points.reduce((sum, { length }) => sum + length, 0)
  const [starved, saturated] = ['starved', 'saturated'].map(verdict => series.filter(point => point.verdict === verdict))
  const points = lengthOf(saturated) > lengthOf(starved) ? saturated : starved
  const length = lengthOf(points)
  if (length < LONG_ENOUGH) return null
  /** @param {'cpu' | 'eventLoopUtilization' | 'runDelay' | 'blocked'} key */
  const mean = key => points.reduce((sum, point) => sum + (point[key] ?? 0) * point.length, 0) / length
  const facts = {
    cpu: mean('cpu'),
    eventLoop: mean('eventLoopUtilization'),
    runDelay: points.some(({ runDelay }) => runDelay === null) ? null : mean('runDelay'),
    blocked: mean('blocked'),
    standstillMs: 0,
    more
  }
  const all = lengthOf(series)
  const times = timesOf(points)
  const when = times.length > MOST_TIMES ? `${times.length} times` : times.map(({ from, to }) => `from ${briefly(from)} to ${briefly(to)}`).join(', ')
  return {
    share: length / all,
    verdict: points === saturated ? 'saturated' : 'starved',
    reason: points === saturated ? 'full' : reasonOf(facts),
    facts,
    when: `For ${briefly(length)} of ${briefly(all)} (${when})`
  }
}

/**
 * @param {import('../../figures/series').Point[]} points of a part of a run
 * @param {Circumstances} [circumstances]
 * @returns {{ verdict: Verdict | null, cause: string | null }} as `causeOf`, as far as points tell
 */
function verdictIn (points, circumstances) {
  const part = worsePart(points)
  if (part !== null && part.share >= DECIDES) return { verdict: part.verdict, cause: SENTENCES[part.reason]({ ...part.facts, ...circumstances }) }
  const all = points.reduce((sum, { length }) => sum + length, 0)
  const busy = points.reduce((sum, { verdict, length }) => verdict === 'healthy' || verdict === null ? sum : sum + length, 0)
  if (all < LONG_ENOUGH || points.every(({ verdict }) => verdict === null)) return { verdict: null, cause: null }
  return { verdict: busy >= DECIDES * all ? 'busy' : 'healthy', cause: null }
}

/**
 * @param {import('../../figures/series').Point[]} points of a part of a run
 * @returns {{ lost: number | null, cpu: number }} the part of its time that the generator had no core, or was blocked; null where the system does not tell
 */
function lossIn (points) {
  const all = points.reduce((sum, { length }) => sum + length, 0)
  /** @param {(point: import('../../figures/series').Point) => number} value */
  const mean = value => all === 0 ? 0 : points.reduce((sum, point) => sum + value(point) * point.length, 0) / all
  const isUnknown = points.some(({ runDelay }) => runDelay === null)
  return { lost: isUnknown ? null : Math.max(mean(({ runDelay }) => runDelay ?? 0), mean(({ blocked }) => blocked)), cpu: mean(({ cpu }) => cpu) }
}

/**
 * A generator that was starved for a tenth of the time explains a tenth of the requests that are missing or late. Whatever is beyond that has another cause.
 * @param {{ verdict: Verdict | null, lost: number | null, cpu: number }} generator
 * @param {number} share of the requests
 * @returns {boolean} whether the generator explains it
 */
function explains ({ verdict, lost, cpu }, share) {
  if (verdict !== 'starved') return verdict === 'saturated'
  return lost === null || share <= lost || cpu + lost >= FULL
}

/**
 * @param {Facts} facts of a time in which a generator was starved
 * @returns {Reason}
 */
function reasonOf ({ cpu, runDelay, blocked }) {
  if (runDelay !== null && (runDelay / (runDelay + cpu) >= STARVED || runDelay > blocked)) return 'core'
  return runDelay !== null || blocked > 0 ? 'blocked' : 'late'
}

/**
 * @param {Array<{ time: number, length: number }>} points
 * @returns {Array<{ from: number, to: number }>} ms; neighbours are one, and so are those less than a second apart: a point of 0.1 s is judged with the second
 *   before it, so which of them were worse is chance
 */
function timesOf (points) {
  /** @type {Array<{ from: number, to: number }>} */
  const times = []
  for (const { time, length } of points) {
    const last = times.at(-1)
    // The times of points are those of a grid, and their lengths what they really were.
    if (last !== undefined && time - last.to < Math.max(length / 2, BETWEEN)) last.to = time + length
    else times.push({ from: time, to: time + length })
  }
  return times
}

/** @param {number} ms */
const briefly = ms => formatDuration(Number((ms / 1000).toFixed(1)))

/** @param {number | null} share */
const percent = share => formatPercent(share ?? 0)

const OWN_CORE = 'Give it a core (taskset -c 1 autocannon …) or a machine of its own'

/** How sentences on it begin. */
const SUBJECT = 'The load generator'

const BY_ARRIVAL = 'latencies end at the arrival in the kernel and are not affected'
const SENT_LATE = 'latencies count from the time at which requests were due, so they include how late these were sent'

/**
 * @param {Pick<Circumstances, 'byArrival' | 'sentLate'>} circumstances
 * @returns {string | null} what is known of latencies; null where they may be too high
 */
function latencyWords ({ byArrival, sentLate }) {
  return !byArrival ? null : sentLate ? SENT_LATE : BY_ARRIVAL
}

/**
 * @param {Circumstances} circumstances
 * @returns {string} what a wait for the CPU did
 */
function spoiled (circumstances) {
  const latencies = latencyWords(circumstances) ?? 'latencies are too high, p99 above all'
  if (circumstances.rateKept) return latencies
  return circumstances.byArrival ? `the request rate is too low; ${latencies}` : `${latencies}, and the request rate is too low`
}

/**
 * @param {Circumstances} circumstances
 * @returns {string} what a short wait may have done
 */
function mayBeSpoiled (circumstances) {
  const latencies = latencyWords(circumstances)
  if (latencies === null) return 'p99 and higher percentiles may be too high'
  return circumstances.rateKept ? latencies : `the request rate may be too low; ${latencies}`
}

/**
 * @param {(facts: Facts) => string} effect of the wait
 * @returns {Record<'core' | 'quota' | 'steal', (facts: Facts) => string>}
 */
const cpuWaits = effect => ({
  core: facts => `${SUBJECT} had a CPU wait of ${percent(facts.runDelay)}, as other processes used its core: ${effect(facts)}. ${OWN_CORE}.`,
  quota: facts => `${SUBJECT} had a CPU wait of ${percent(facts.runDelay)}, as the CPU quota of its container or control group was used up: ${effect(facts)}. Raise the quota (cpu.max, docker --cpus, the CPU limit of the pod).`,
  steal: facts => `${SUBJECT} had no CPU for a part of the time, as the host gave it to other machines (steal): ${effect(facts)}. Use a machine with cores of its own.`
})

/** @type {Record<Reason, (facts: Facts) => string>} each begins with the subject */
const SENTENCES = {
  ...cpuWaits(spoiled),
  late: facts => `${SUBJECT} had late timers, a sign of CPU wait: ${spoiled(facts)}. ${OWN_CORE}.`,
  collection: facts => `${SUBJECT} had a blocked event loop for ${percent(facts.blocked)} of the time, mostly by garbage collection: ${facts.byArrival ? mayBeSpoiled(facts) : 'the highest latencies are too high, and with a rate p99 as well'}. ${facts.hasHooks ? `Let hooks make and keep fewer objects, or use ${facts.more}` : `Use ${facts.more}`}.`,
  blocked: facts => `${SUBJECT} had a blocked event loop for ${percent(facts.blocked)} of the time, by a slow hook or because the process was stopped: ${facts.byArrival ? spoiled(facts) : facts.rateKept ? 'the highest latencies and p99 are too high' : 'the highest latencies are too high, with a rate p99 as well, and the request rate is too low'}.`,
  standstill: ({ standstillMs }) => standstillSentence(standstillMs),
  server: () => `${SUBJECT} and the server run in the same thread: each waits for the other, and the request rate and the latencies are those of both. Run the server in a process of its own.`,
  full: facts => saturatedSentence(facts.cpu, facts.more, facts),
  load: facts => `${SUBJECT} used ${percent(facts.eventLoop)} of its event loop: ${facts.byArrival ? mayBeSpoiled(facts) : 'a part of the latencies is its own'}. ${facts.more[0].toUpperCase() + facts.more.slice(1)} ${facts.hasHooks ? 'or fewer hooks make' : facts.more === WORKERS ? 'makes' : 'make'} room.`
}

/** What a short wait did is not certain. @type {Partial<typeof SENTENCES>} */
const WEAKER = {
  ...cpuWaits(mayBeSpoiled),
  late: facts => `${SUBJECT} had some late timers, a sign of CPU wait: ${mayBeSpoiled(facts)}. ${OWN_CORE}.`
}

/**
 * @param {number} cpu share of a core
 * @param {string} [more] what makes room
 * @param {Circumstances} [circumstances]
 * @returns {string}
 */
function saturatedSentence (cpu, more = WORKERS, circumstances = {}) {
  const busy = cpu > 0.9
    ? `used ${percent(cpu)} of its core`
    : `had no time left although it got only ${percent(cpu)} of a core: other processes need it`
  const latencies = latencyWords(circumstances)
  const effect = latencies !== null ? `the request rate is that of the client, not of the server; ${latencies}` : 'these figures show the client, not the server'
  return `${SUBJECT} ${busy}: ${effect}; use ${more}.`
}

/**
 * @param {number} ms
 * @returns {string}
 */
function standstillSentence (ms) {
  return `${SUBJECT} stood still for ${formatDuration(ms / 1000)}: it was stopped, got no CPU, or was blocked by a hook. That time is in no figure.`
}

module.exports = { BY_ARRIVAL, DECIDES, NAMED, SUBJECT, WORKERS, causeOf, mayBeSpoiled, verdictIn, explains, lossIn, saturatedSentence, standstillSentence }
