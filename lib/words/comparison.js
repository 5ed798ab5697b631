'use strict'

// The sentences of comparisons: what weakens one, and why a limit passed, failed or is inconclusive.

const {
  formatBytes, formatDifference, formatDuration, formatInteger, formatLatency, formatPercent, formatRate, plural
} = require('../core/units')
const { BY_ARRIVAL, troubleWords } = require('./load-generator')

/** @typedef {import('./judgements').Words} Words */

/** Problems of the load generator. @type {Record<string, string>} */
const STATES = {
  starved: troubleWords('starved'),
  blocked: troubleWords('blocked'),
  saturated: troubleWords('saturated'),
  batched: 'the load was sent in batches',
  undici: 'requests went through undici'
}

/** The cause of a difference if one side has the problem. @type {Record<string, string>} */
const CAUSES = {
  starved: 'the machine',
  blocked: 'the machine',
  saturated: 'the client',
  undici: 'the client',
  batched: 'the pace, which --pace sets for both'
}

/** @type {Record<string, (size: number) => string>} */
const IN_UNIT = {
  ms: formatLatency,
  'bytes/s': size => `${formatBytes(size)}/s`,
  bytes: formatBytes,
  utilization: size => `${formatRate(size)} cores`
}

/**
 * @param {{ unit: string, absolute: boolean }} limit
 * @param {number} value
 * @returns {string} with its sign
 */
function formatIn ({ unit, absolute }, value) {
  if (!absolute || unit === 'share') return formatDifference(/** @type {any} */ (unit), value)
  const size = Math.abs(value)
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${IN_UNIT[unit]?.(size) ?? `${formatRate(size)}/s`}`
}

/** @param {any} facts */
const between = facts => `between ${formatIn(facts, facts.low)} and ${formatIn(facts, facts.high)}`

/** @param {{ runs: number }} facts */
const more = ({ runs }) => `${plural(runs, 'more run')} on each side`

/** @param {[number, number]} counts */
const share = ([some, all]) => `${some} of ${all}`

/** @param {{ base: number, new: number }} runs complete ones */
const interrupted = ({ base, new: next }) =>
  `interrupted after ${plural(base, 'run')} of base and ${formatInteger(next)} of new`

/** The sentences by code of a finding of a comparison. @type {Record<string, Words>} */
const NOTES = {
  'different-work': ({ difference }) => `base and new did not do the same work (${difference}): there is no verdict`,
  'unlike-clients': ({ state, base, new: next, latenciesHold }) =>
    `${STATES[state]} in ${share(base)} runs of base and ${share(next)} of new, ` +
    `so the difference may be that of ${CAUSES[state]}${latenciesHold ? `; ${BY_ARRIVAL}` : ''}`,
  'different-machines': ({ difference }) =>
    `base and new were measured on different machines (${difference}): a difference may be theirs`,
  'different-conditions': ({ difference }) => `base and new were not measured alike: ${difference}`,
  'hidden-differences': ({ state, runs, latenciesHold }) =>
    `${STATES[state]} in ${formatInteger(runs[0])} of ${plural(runs[1], 'run')}, ` +
    `which hides differences of the servers${latenciesHold ? ` in their rates; ${BY_ARRIVAL}` : ''}`,
  'interrupted-runs': () => 'at least one run was interrupted',
  'early-ends': () => 'at least one run ended early, by bailout or a threshold that could not be met any more',
  'incomplete-load': () => 'at least one run lost an agent, and with it a part of its load',
  'concurrent-runs': () =>
    'runs of base and new went on at the same time: what one takes from the machine, the other has not',
  'one-side-first': ({ first, second }) =>
    `all of ${first} ran before all of ${second}: drift of the machine is in the difference`,
  'few-turns': ({ turns }) =>
    `base and new alternated only ${turns} times: drift of the machine is in part of the difference`,
  'no-samples': () =>
    'a single run without its samples (made by another version or tool) does not show how much it varies: ' +
    'only several of them can be compared',
  'few-samples': ({ needed }) =>
    `a single run of fewer than ${needed} samples does not show how much it varies: run for longer, or several times`,
  'single-runs': ({ allowance, block }) =>
    'one run on each side is an indication: ' +
    'what differs from one start of a server to the next can\'t be seen in it, ' +
    `and a standard deviation of ${formatPercent(allowance)} is allowed for. Its samples are like their neighbours, ` +
    `and count in blocks of up to ${formatDuration(block)}. Three alternating runs on each side are better.`,
  'interrupted-comparison': runs => `the comparison was ${interrupted(runs)}`,
  'certain-verdict': ({ runs, planned }) =>
    `ended after ${runs} of ${planned} runs on each side: the verdict was certain`,
  'same-server': () => 'base and new are the same server: this is an A/A test'
}

/** @param {any} facts @param {string} what failed in the first of these runs, in the words of its report */
function failedRuns ({ side, run, failed, runs }, what) {
  return failed === 1
    ? `${side}, run ${run}: ${what}`
    : `${side}, ${formatInteger(failed)} of ${plural(runs, 'run')}, such as run ${run}: ${what}`
}

/** The sentences by code of the reason of a limit. @type {Record<string, Words>} */
const REASONS = {
  'nothing-measured': () => 'nothing was measured',
  'not-same-work': ({ difference }) => `not the same work: ${difference}`,
  unbreakable: ({ unit }) =>
    `this limit can't be broken: base has ${unit === 'share' ? 'too much of it for' : 'less than'} that`,
  incomplete: ({ because }) => `${because}: run it again`,
  'few-runs': facts => facts.runs === null
    ? 'it is unknown how much these figures vary'
    : `too few runs to know how much they vary: at least ${more(facts)} ${facts.runs === 1 ? 'is' : 'are'} needed`,
  within: facts => `within the limit: ${between(facts)}`,
  beyond: facts =>
    `${formatIn(facts, facts.difference)} (${between(facts)}) is beyond the limit` +
    (facts.whole ? '' : ', and a difference is certain'),
  doubtful: ({ because, ...facts }) => `${between(facts)}${because === undefined ? '' : `, but ${because}`}`,
  indication: facts =>
    `${between(facts)}, but one run on each side is an indication only: at least 2 more on each side are needed`,
  coarse: facts => `${between(facts)}: these figures are too coarse for a verdict`,
  wild: ({ because, ...facts }) =>
    `the runs vary too much (${between(facts)}): ` +
    (because ?? 'a quieter machine and longer runs help, then more runs'),
  'many-runs': ({ because, ...facts }) =>
    `${between(facts)}: more than ${more(facts)} would be needed; ` +
    (because ?? 'longer runs or a quieter machine help more'),
  'more-runs': facts => `${between(facts)}: about ${more(facts)} may decide`,
  'unwatched-failures': ({ metric, difference }) =>
    `the ${metric} rose (${formatDifference('share', difference)}), and no limit bounds it: ` +
    `add one, such as '${metric} +1%'`,
  'failed-runs': facts => failedRuns(facts, 'a check or threshold failed'),
  'failed-server': ({ side }) => `${side}: the server gave no response`,
  'no-usable-run': ({ side }) => `${side}: there is no usable run`,
  'no-run': ({ side }) => `there is no run of ${side ?? 'either side'}`
}

module.exports = { NOTES, REASONS, failedRuns, interrupted }
