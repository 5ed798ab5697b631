'use strict'

// The sentences on the start and the end of a run.

const { amountText } = require('../core/amount')
const { countedIn } = require('../core/counted')
const {
  formatDuration, formatInteger, formatLatency, formatPercent, formatRate, plural, round
} = require('../core/units')
const { led, listed, whole } = require('./sentence')

/** @typedef {import('../core/counted').Counted} Counted */

/** @type {(facts: any, counted: Counted) => string} */
function lateConnections ({ made, connections, seconds, duration, never, requestsPerSecond }, { one, rate }) {
  const [some, all] = [formatInteger(made), plural(connections, 'connection')]
  if (never) return `Only ${some} of ${all} were open when the run ended after ${formatDuration(duration)}.`
  const of = `of ${formatDuration(duration)}`
  const there = made < connections
    ? `The first attempts to connect took ${formatDuration(seconds)} ${of}`
    : `${connections === 1 ? 'The connection was' : `All ${all} were`} open after ${formatDuration(seconds)} ${of}`
  return requestsPerSecond === null
    ? `${there}, which lowers the ${one} rate.`
    : `${there}; from then on ${formatRate(requestsPerSecond)} ${rate}.`
}

/** @type {(facts: any, counted: Counted) => string} */
function warmUp ({ seconds, skipFirst, requestsPerSecond, higher, average, lower }, { one, rate }) {
  const effect = average === undefined
    ? `the ${one} rate is ${formatPercent(higher)} higher (${formatRate(requestsPerSecond)} ${rate})`
    : `the mean latency is ${formatPercent(lower)} lower (${formatLatency(average)})`
  return `The first ${formatDuration(seconds)} were slower than the rest: without them ${effect}; ` +
    `--skip-first ${round(skipFirst)}s excludes them.`
}

/** @type {(facts: any, counted: Counted) => string} */
function unfinished ({ unfinished, sent, closed, inLatency, oldest, percentile, paced, lag }, { one, many }) {
  const higher = percentile === null
    ? ''
    : percentile === 0
      ? ' All true percentiles can be higher than shown.'
      : ` From p${percentile} on, true percentiles can be higher than shown.`
  if (closed && inLatency > 0) {
    const were = `${plural(unfinished, `${one} was`, `${many} were`)} still in flight when the run ended`
    const have = inLatency === 1 ? 'has' : 'have'
    const who = inLatency === unfinished ? inLatency === 1 ? 'It' : 'They' : formatInteger(inLatency)
    return `${were}. ${who} ${have} waited longer than any response took, ` +
      `${inLatency === 1 ? '' : 'the oldest '}${formatLatency(oldest)}. The latency includes this wait.${higher}`
  }
  if (closed) {
    return `${formatInteger(unfinished)} of ${plural(sent, one)} were still in flight when the run ended` +
      `${paced ? '' : ', as in every closed loop'}. The latency does not include them.${higher}`
  }
  const noResponse = `${plural(unfinished, one)} had no response when the run ended. The latency`
  if (inLatency > 0 && inLatency < unfinished) {
    return `${plural(unfinished, one)} had no response when the run ended. ` +
      `${formatInteger(inLatency)} of them had waited longer than the mean latency, ` +
      `and the latency includes ${inLatency === 1 ? 'this wait' : 'these waits'}.${higher}`
  }
  if (inLatency > 0) return `${noResponse} includes their wait.${higher}`
  const why = lag === null
    ? ''
    : `: they waited for the load generator, which was late by up to ${formatLatency(lag)}`
  return `${noResponse} does not include their wait${why}.${higher}`
}

/** @param {any} facts */
function gapsLead ({ gaps, count }) {
  const times = gaps.map((/** @type {any} */ { from, to }) =>
    `from ${formatDuration(from / 1000)} to ${formatDuration(to / 1000)}`)
  const left = count - gaps.length
  if (left > 0) times.push(left === 1 ? 'and once more' : `and ${formatInteger(left)} times more`)
  return `No response came ${times.join(', ')}`
}

/** @type {(facts: any, counted: Counted) => string} */
function silence ({ seconds, duration, waiting }, { one, many }) {
  const [last, all] = [seconds, duration].map(seconds => formatDuration(Number(seconds.toFixed(1))))
  return `No response came in the last ${last} of ${all}` +
    (waiting === 0 ? '' : `; ${plural(waiting, `${one} was`, `${many} were`)} waiting`)
}

/** @param {any} facts */
function bailout ({ seconds, planned, bailout }) {
  const when = planned === null ? '' : ` after ${formatDuration(seconds)} of ${formatDuration(planned)}`
  return `Bailout ended the run${when}` +
    (bailout === null ? '' : `: it had ${formatInteger(bailout)} errors, mismatches and failed checks`)
}

/** @type {(facts: any, counted: Counted) => string} */
function endedAfter ({ requests, amount, seconds, planned }, { one }) {
  return amount === undefined
    ? `after ${formatDuration(seconds)}${planned === null ? '' : ` of ${formatDuration(planned)}`}`
    : `after ${formatInteger(requests)} of ${amountText(amount, one)}`
}

/** @type {Record<string, import('./findings').Words>} */
const WORDS = {
  'late-connections': (facts, _, result) => whole(lateConnections(facts, countedIn(result))),
  'warm-up': (facts, _, result) => whole(warmUp(facts, countedIn(result))),
  'unfinished-requests': (facts, _, result) => whole(unfinished(facts, countedIn(result))),
  'unjudged-checks': ({ unjudged, judged }) =>
    whole(`${plural(unjudged, 'check')} had no verdict when the run ended: ${unjudged === 1 ? 'its' : 'their'} ` +
      `promise${unjudged === 1 ? ' was' : 's were'} still open. ${formatInteger(judged)} had one.`),
  silence: (facts, _, result) => led(silence(facts, countedIn(result))),
  bailout: facts => led(bailout(facts), 'The report has the results until then.'),
  interrupted: (facts, _, result) =>
    listed(`Ended early, ${endedAfter(facts, countedIn(result))}`, 'the report has the results until then'),
  'undici-client': () =>
    whole('The requests went through undici: latencies include its work and its queue, ' +
      'as in a Node.js service. Bytes on the wire and connect times are unknown.'),
  gaps: facts => led(gapsLead(facts), `What waited then took up to ${formatLatency(facts.longest)}.` +
    (facts.closed
      ? ' Nothing else was sent meanwhile, so percentiles hardly show it: with a rate (--rate) they do.'
      : ''))
}

module.exports = { WORDS, endedAfter, silenceWords: silence }
