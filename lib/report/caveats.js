'use strict'

// Owns the sentences about how a run begins and ends, and what that does to its figures: connections that were not there yet, a
// start that is left out, answers that it did not wait for.

const { formatDuration, formatInteger, formatLatency, formatPercent, formatRate, plural, round } = require('../units')
const { gapsOf } = require('../figures/gaps')
const { silenceSentence } = require('../figures/silence')

/** Up to this part of the requests may be unfinished without a note. */
const UNFINISHED = 0.01

/** A single request of many that has waited so long is named, ms. */
const OLD = 500

/** How many gaps are named. */
const MOST_GAPS = 3

/** Connecting may take up to this part of a run without a note. */
const CONNECTING = 0.05
/** In a shorter run, seconds, requests per second say little with or without the time of connecting. */
const SHORT = 1

/**
 * A closed loop sends on each connection as soon as it is there.
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function connectingNote ({ connecting, connections, connect, duration, rate, requests, skipped }) {
  if (connecting === undefined || rate !== undefined || requests.total === 0 || duration < SHORT) return []
  const ms = connecting.ms - 1000 * (skipped?.seconds ?? 0)
  if (ms < CONNECTING * duration * 1000) return []
  // Through undici it is not known how many were made.
  const made = connect?.totalCount ?? connections
  const [some, all] = [formatInteger(Math.min(made, connections)), plural(connections, 'connection')]
  const of = `of ${formatDuration(duration)}`
  if (ms >= duration * 1000 - 1) return made < connections ? [`Only ${some} of ${all} were there when the run ended after ${formatDuration(duration)}.`] : []
  const there = made < connections
    ? `The first attempts to connect took ${formatDuration(ms / 1000)} ${of}`
    : `${connections === 1 ? 'The connection was' : `All ${all} were`} there after ${formatDuration(ms / 1000)} ${of}`
  return [connecting.requestsPerSecond === null ? `${there}: the request rate is lower for it.` : `${there}; from then on ${formatRate(connecting.requestsPerSecond)} req/s.`]
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function warmingUpNote ({ warmingUp, requests, latency, skipped }) {
  if (warmingUp === undefined) return []
  const { seconds, requestsPerSecond, average } = warmingUp
  const effect = average === undefined
    ? `the request rate is ${formatPercent(requestsPerSecond / requests.average - 1)} higher (${formatRate(requestsPerSecond)} req/s)`
    : `the mean latency is ${formatPercent(1 - average / latency.average)} lower (${formatLatency(average)})`
  return [`The first ${formatDuration(seconds)} were slower than the rest: without them ${effect}; --skip-first ${round((skipped?.seconds ?? 0) + seconds)}s leaves them out.`]
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} what its figures leave out, such as `the first 2s are left out`; null for nothing
 */
function skippedPart ({ skipped }) {
  return skipped === undefined ? null : `the first ${formatDuration(skipped.seconds)} with ${formatInteger(skipped.requests)} requests are left out`
}

/**
 * The sentence is left out where the note of a failed threshold has it already.
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function silenceNote (result) {
  const sentence = silenceSentence(result)
  const { thresholds = [] } = result
  return sentence === null || thresholds.some((/** @type {any} */ { note }) => note === sentence) ? [] : [sentence + '.']
}

/**
 * A request without an answer may take any time: it bounds what is known of the tail. A closed loop has one on each connection
 * when it ends, which are few of many. Those that are in its latency are older than any answer: the oldest is the maximum.
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function unfinishedNote (result) {
  const { rate, rounds, unfinished, latency, requests, timeouts } = result
  const sent = rate === undefined ? requests.sent : rate.sent
  const counted = latency.totalCount > requests.total + timeouts
  const old = rate === undefined && counted && latency.max >= OLD
  if (!(unfinished > UNFINISHED * sent || old)) return []
  const ended = Math.min(latency.totalCount, requests.total + timeouts)
  // A single one changes no percentile that so few values tell.
  if (rate === undefined && !old && (ended === 0 || unfinished < 2)) return []
  // Without an answer there is no latency to be shown.
  const from = knownPercentile(ended / (ended + unfinished))
  const higher = ended === 0 || requests.total === 0 ? '' : from === 0 ? ' All percentiles can be higher than shown.' : ` Percentiles from p${from} on can be higher than shown.`
  if (rate === undefined && counted) {
    const inside = latency.totalCount - requests.total - timeouts
    const [were, have] = [`${plural(unfinished, 'request was', 'requests were')} still in flight when the run ended`, inside === 1 ? 'has' : 'have']
    return [`${were}. ${inside === unfinished ? inside === 1 ? 'It' : 'They' : formatInteger(inside)} ${have} waited longer than any response took, ${inside === 1 ? '' : 'the oldest '}${formatLatency(latency.max)}. The latency includes this wait.${higher}`]
  }
  if (rate === undefined) return [`${formatInteger(unfinished)} of ${plural(sent, 'request')} were still in flight when the run ended${rounds?.target === undefined ? ', as in every closed loop' : ''}. The latency does not include them.${higher}`]
  const inside = latency.totalCount - requests.total - timeouts
  if (counted && inside < unfinished) return [`${plural(unfinished, 'request')} had no response when the run ended. The latency includes the ${plural(inside, 'wait that was', 'waits that were')} longer than the mean latency.${higher}`]
  return [`${plural(unfinished, 'request')} had no response when the run ended. The latency ${counted ? 'includes' : 'does not include'} their wait${counted ? '' : whyNot(result)}.${higher}`]
}

/**
 * @param {number} share of the values that are known, less than 1
 * @returns {number} the percentile up to which they tell, with a digit more than it has nines
 */
function knownPercentile (share) {
  const digits = 10 ** Math.max(1, Math.ceil(-Math.log10(1 - share)) - 1)
  return Math.floor(share * 100 * digits) / digits
}

/**
 * What waited for longer than the mean answer is left out only as far as the generator itself was late.
 * @param {Record<string, any>} result with a rate, in whose latency is nothing of what was unfinished
 */
function whyNot ({ generator, latency, options = {} }) {
  if (options.ignoreCoordinatedOmission || options.excludeErrorStats || !(generator?.lag?.max > latency.average)) return ''
  return `: they waited for the load generator, which was late by up to ${formatLatency(generator.lag.max)}`
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function bailoutNote (result) {
  const sentence = bailoutSentence(result)
  return sentence === null ? [] : [`${sentence}. This is what was measured until then.`]
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} that bailout ended the run, without a full stop; null when it did not
 */
function bailoutSentence ({ bailedOut, options = {}, duration, skipped }) {
  if (!bailedOut) return null
  const seconds = duration + (skipped?.seconds ?? 0)
  const when = options.amount !== undefined || !(options.duration > seconds) ? '' : ` after ${formatDuration(seconds)} of ${formatDuration(options.duration)}`
  return `Bailout ended the run${when}${options.bailout === undefined ? '' : `: it had ${formatInteger(options.bailout)} errors, mismatches and failed checks`}`
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function clientNote ({ client, requests }) {
  if (client !== 'undici' || requests.total === 0) return []
  return ['The requests went through undici: latencies have its own work and its queue in them, as a Node.js service sees them. What it does not tell is left out: bytes on the wire, and how long connecting took.']
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} when a server stood still and came back, without a full stop; null when it did not
 */
function gapSentence (result) {
  const gaps = gapsOf(result)
  if (gaps.length === 0) return null
  const times = gaps.slice(0, MOST_GAPS).map(({ from, to }) => `from ${formatDuration(from / 1000)} to ${formatDuration(to / 1000)}`)
  const more = gaps.length > MOST_GAPS ? [gaps.length === MOST_GAPS + 1 ? 'and once more' : `and ${formatInteger(gaps.length - MOST_GAPS)} times more`] : []
  return `No response came ${[...times, ...more].join(', ')}`
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function gapNote (result) {
  const sentence = gapSentence(result)
  if (sentence === null) return []
  const hidden = result.rate === undefined ? ' Nothing else was sent meanwhile, so percentiles hardly show it: with a rate (--rate) they do.' : ''
  return [`${sentence}. What waited then took up to ${formatLatency(Math.max(...gapsOf(result).map(({ longest }) => longest)))}.${hidden}`]
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} one sentence each
 */
function caveats (result) {
  // Loaded by those who have one.
  const proxied = result.proxy === undefined && result.options?.proxy === undefined ? [] : require('../instruments/proxies/report').proxyNotes(result)
  return [...proxied, ...clientNote(result), ...bailoutNote(result), ...gapNote(result), ...connectingNote(result), ...warmingUpNote(result), ...unfinishedNote(result)]
}

module.exports = { bailoutSentence, caveats, gapSentence, silenceNote, skippedPart }
