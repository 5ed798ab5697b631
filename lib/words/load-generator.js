'use strict'

// The sentences on the load generator: the missing resource, the time, the effect on figures, and advice.

const { formatDuration, formatPercent, listed, plural } = require('../core/units')

/**
 * @typedef {Record<string, any>} Facts see instruments/generator/cause
 * @typedef {{ ms: number, of: number, times: Array<{ from: number, to: number }> }} When ms
 * @typedef {{ reason: import('../instruments/generator/verdict').Reason, isWeak?: boolean, when?: When, facts: Facts }}
 *   Why `isWeak`: whether the effect is uncertain; `when`: the part of the run
 */

/** The advice for a run without workers. */
const WORKERS = '--workers'
/** The advice for a run that has workers. */
const MORE_WORKERS = 'more --workers or --agents'

/** The number of times that are named. Of more times, only their number is given. */
const MOST_TIMES = 2

/** @param {number} ms */
const briefly = ms => formatDuration(Number((ms / 1000).toFixed(1)))

/** @param {number | null} share */
const percent = share => formatPercent(share ?? 0)

const OWN_CORE = 'Give it a core (taskset -c 1 autocannon …) or a separate machine'

/** The subject of a sentence. */
const SUBJECT = 'The load generator'

const BY_ARRIVAL = 'latencies end at the arrival in the kernel and are not affected'
const SENT_LATE = 'latencies start at the due times, so they include how late each send was'

/**
 * The words on a trouble, as a state and as a predicate of the load generator.
 * @type {Readonly<Record<import('../instruments/generator/verdict').Trouble, { state: string, predicate: string }>>}
 */
const TROUBLES = Object.freeze({
  starved: { state: 'high CPU wait', predicate: 'had a high CPU wait' },
  blocked: { state: 'blocked event loop', predicate: 'had a blocked event loop' },
  saturated: { state: 'at its limit', predicate: 'was at its limit' }
})

/** @param {import('../instruments/generator/verdict').Trouble} trouble @returns {string} as a clause */
const troubleWords = trouble => `the load generator ${TROUBLES[trouble].predicate}`

/** @param {import('../instruments/generator/verdict').Trouble} trouble @returns {string} in a list of facts */
const troubleState = trouble => TROUBLES[trouble].state

/** @param {Facts} circumstances @returns {string | null} the words on latencies; null if they may be too high */
function latencyWords ({ byArrival, sentLate }) {
  return !byArrival ? null : sentLate ? SENT_LATE : BY_ARRIVAL
}

/** @param {Facts} circumstances @returns {string} a closed loop has no target that its rate could miss */
const rateName = ({ hasTarget }) => hasTarget === false ? 'the throughput' : 'the achieved rate'

/** @param {Facts} circumstances @returns {string} the effects of CPU wait */
function spoiled (circumstances) {
  const latencies = latencyWords(circumstances) ?? 'latencies are too high, p99 above all'
  if (circumstances.rateKept) return latencies
  return circumstances.byArrival
    ? `${rateName(circumstances)} is too low; ${latencies}`
    : `${latencies}, and ${rateName(circumstances)} is too low`
}

/** @param {Facts} circumstances @returns {string} the possible effects of a short wait */
function mayBeSpoiled (circumstances) {
  const latencies = latencyWords(circumstances)
  if (latencies === null) return 'p99 and higher percentiles may be too high'
  return circumstances.rateKept ? latencies : `${rateName(circumstances)} may be too low; ${latencies}`
}

/**
 * @param {(facts: Facts) => string} effect of the wait
 * @returns {Record<'core' | 'quota' | 'steal', (facts: Facts) => string>}
 */
const cpuWaits = effect => ({
  core: facts =>
    `had a CPU wait of ${percent(facts.runDelay)}, as other processes used its core: ${effect(facts)}. ${OWN_CORE}.`,
  quota: facts =>
    `had a CPU wait of ${percent(facts.runDelay)}, as the CPU quota of its container or control group was used up: ` +
    `${effect(facts)}. Raise the quota (cpu.max, docker --cpus, the CPU limit of the pod).`,
  steal: facts =>
    `had no CPU for a part of the time, as the host gave it to other machines (steal): ${effect(facts)}. ` +
    'Use a machine with cores of its own.'
})

/** @param {Facts} facts @returns {string} the effects of a blocked event loop */
function blockedWords (facts) {
  if (facts.byArrival) return spoiled(facts)
  if (facts.rateKept) return 'the highest latencies and p99 are too high'
  return facts.hasTarget === false
    ? 'the highest latencies are too high, and the throughput is too low'
    : 'the highest latencies are too high, with a rate p99 as well, and the achieved rate is too low'
}

/** Predicates of the load generator, by reason. @type {Record<string, (facts: Facts) => string>} */
const SENTENCES = {
  ...cpuWaits(spoiled),
  late: facts => `had late timers, a sign of CPU wait: ${spoiled(facts)}. ${OWN_CORE}.`,
  collection: facts =>
    `had a blocked event loop for ${percent(facts.blocked)} of the time, mostly by garbage collection: ` +
    `${facts.byArrival ? mayBeSpoiled(facts) : 'the highest latencies are too high, and with a rate p99 as well'}. ` +
    `${facts.hasHooks ? `Let hooks make and keep fewer objects, or use ${facts.more}` : `Use ${facts.more}`}.`,
  blocked: facts =>
    `had a blocked event loop for ${percent(facts.blocked)} of the time, ` +
    `${facts.hasHooks ? 'by a slow hook or ' : ''}because the process was stopped: ${blockedWords(facts)}.`,
  stall: ({ stalledMs }) => stalledFor(stalledMs),
  server: () =>
    'and the server run in the same thread: each waits for the other, ' +
    'and the achieved rate and the latencies are those of both. Run the server in a separate process.',
  full: facts => saturated(facts.cpu, facts.more, facts),
  load: facts =>
    `used ${percent(facts.eventLoop)} of its event loop: ` +
    `${facts.byArrival ? mayBeSpoiled(facts) : 'a part of the latencies is its own'}. ` +
    `${facts.more[0].toUpperCase() + facts.more.slice(1)} ` +
    `${facts.hasHooks ? 'or fewer hooks make' : facts.more === WORKERS ? 'makes' : 'make'} room.`
}

/** Predicates for a short wait, whose effect is uncertain. @type {Partial<typeof SENTENCES>} */
const WEAKER = {
  ...cpuWaits(mayBeSpoiled),
  late: facts => `had some late timers, a sign of CPU wait: ${mayBeSpoiled(facts)}. ${OWN_CORE}.`
}

/**
 * @param {number} cpu share of a core
 * @param {string} [more] the advice
 * @param {Facts} [circumstances]
 */
function saturated (cpu, more = WORKERS, circumstances = {}) {
  const busy = cpu > 0.9
    ? `used ${percent(cpu)} of its core`
    : `had no time left although it got only ${percent(cpu)} of a core: other processes need it`
  const latencies = latencyWords(circumstances)
  const effect = latencies !== null
    ? `${rateName(circumstances)} is that of the client, not of the server; ${latencies}`
    : 'these figures show the client, not the server'
  return `${busy}: ${effect}; use ${more}.`
}

/** @param {number} ms */
function stalledFor (ms) {
  return `stalled for ${formatDuration(ms / 1000)}: it was stopped, got no CPU, or was blocked by a hook. ` +
    'That time is in no figure.'
}

/** @param {When} when */
function whenWords ({ ms, of, times }) {
  const named = times.length > MOST_TIMES
    ? `${times.length} times`
    : times.map(({ from, to }) => `from ${briefly(from)} to ${briefly(to)}`).join(', ')
  return `For ${briefly(ms)} of ${briefly(of)} (${named})`
}

/** @param {Why} why @returns {string} what follows the subject */
const predicateOf = ({ reason, isWeak = false, facts }) =>
  ((isWeak ? WEAKER[reason] : undefined) ?? SENTENCES[reason])(facts)

/** @param {Why} why @returns {string} the whole sentence, with advice */
const causeWords = why =>
  `${why.when === undefined ? SUBJECT : `${whenWords(why.when)} the load generator`} ${predicateOf(why)}`

/**
 * @param {{ agents: string[], more: number, share: number }} where the names of some of the worse agents, the number of
 *   further ones, and the share of the load of all of them
 */
function onAgents ({ agents, more, share }) {
  const names = [...agents, ...more > 0 ? [plural(more, 'more agent')] : []]
  return `On ${listed(names)}, which had ${Math.round(100 * share)} % of the load, the load generator`
}

/** @param {Parameters<typeof onAgents>[0]} where @param {Why} why */
const causeOnAgents = (where, why) => `${onAgents(where)} ${predicateOf(why)}`

/**
 * @param {Parameters<typeof onAgents>[0]} where
 * @param {import('../instruments/generator/verdict').Trouble} trouble
 * @param {number} cpu share of a core
 * @param {Facts} circumstances
 * @returns {string} the sentence on agents whose share of the load is too small to decide a percentile
 */
function troubleOnAgents (where, trouble, cpu, circumstances) {
  return `${onAgents(where)} ${TROUBLES[trouble].predicate} (${Math.round(100 * cpu)} % of a core): ` +
    `${mayBeSpoiled(circumstances)}.`
}

/**
 * @param {Record<string, any>} reason a code and facts (record/recorder.js)
 * @returns {string} why requests were not sent evenly
 */
function batchedPace (reason) {
  if (reason.code === 'cpu-wait') {
    return `From ${reason.from.toFixed(1)} s on, the load was sent in batches, one per ms: ` +
      'the CPU wait was too high for an even pace.'
  }
  const { threads, cores } = reason
  const may = `use ${cores === 1 ? 'one' : cores}.`
  if (reason.code === 'few-cores-of-agent') {
    const agent = `an agent with ${threads === 1 ? 'a thread' : `${threads} threads`}`
    return `The load was sent in batches, one per ms: ${agent} at an even pace takes ${threads + 1} cores, ` +
      `and it may ${may}`
  }
  const need = threads === 1
    ? 'an even pace takes a core for itself'
    : `${threads} workers at an even pace take a core each, and the server one`
  return `The load was sent in batches, one per ms: ${need}, and this process may ${may}`
}

/** @param {number} cpu share of a core */
const saturatedSentence = cpu => `${SUBJECT} ${saturated(cpu)}`

/** @param {number} ms */
const stallSentence = ms => `${SUBJECT} ${stalledFor(ms)}`

module.exports = {
  BY_ARRIVAL, batchedPace, MORE_WORKERS, WORKERS, causeOnAgents, causeWords, saturatedSentence, stallSentence,
  troubleOnAgents, troubleState, troubleWords
}
