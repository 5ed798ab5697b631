'use strict'

// The sentences on thresholds: why one failed or is inconclusive, and notes on those that passed.

const {
  formatBeside, formatBytes, formatDuration, formatInteger, formatLatencies, formatLatency, formatPercent, formatRate,
  plural
} = require('../core/units')
const { errorList } = require('../figures/error-words')
const { cutList } = require('../figures/parts')
const { troubleWords } = require('./load-generator')
const { agentsLost, hung, ofScenario } = require('./instruments')
const { maximumNote } = require('./percentiles')
const { silenceWords } = require('./start-and-end')

/** @typedef {import('./judgements').Words} Words */

/** @param {{ part?: string | null }} facts */
const inPart = ({ part = null }) => part === null ? '' : ` in ${part}`

/** @type {Words} */
function mostlyFailed ({ responses, errors, unexpected, part = null, isStage = false, ...of }, { many }) {
  const ended = responses + errors
  const to = part === null ? '' : ` ${isStage ? 'in' : 'to'} ${part}`
  const list = errors > 0 ? errorList({ errors, ...of }) : null
  const noResponse = `had no response${list === null ? '' : `: ${list}`}`
  if (unexpected > responses / 2) {
    return `${formatInteger(unexpected)} of ${formatInteger(responses)} responses${to} were 4xx or 5xx, ` +
      'which no expect option allows'
  }
  if (unexpected === 0) return `${formatInteger(errors)} of ${formatInteger(ended)} ${many}${to} ${noResponse}`
  return `${formatInteger(errors + unexpected)} of ${formatInteger(ended)} ${many}${to} failed: ` +
    `${formatInteger(unexpected)} responses were 4xx or 5xx, and ${formatInteger(errors)} ${noResponse}`
}

/**
 * @param {string} unit
 * @param {number} value
 * @param {string} rate the unit of a rate
 * @param {number} [digits] significant ones
 */
function formatIn (unit, value, rate, digits = 3) {
  if (unit === 'ms') return formatLatency(value, digits)
  return unit === 'bytes/s' ? `${formatBytes(value, digits)}/s` : `${formatRate(value, digits)} ${rate}`
}

/** Returns such as `96.0 ms (95 % interval: 84.1 – 108 ms)`. @type {Words} */
function found ({ unit, actual, limit, low, high }, { rate }) {
  const format = (/** @type {number} */ value, /** @type {number | undefined} */ digits) =>
    formatIn(unit, value, rate, digits)
  const interval = unit === 'ms' ? formatLatencies(low, high) : `${format(low, 3)} – ${format(high, 3)}`
  return `${formatBeside(format, actual, limit)} (95 % interval: ${interval})`
}

/** @param {any} facts */
const lateReads = facts => `${troubleWords(facts.trouble)}, and latencies are too high because of that`

/** The sentences by code. @type {Record<string, Words>} */
const THRESHOLDS = {
  // Premises of every threshold.
  'mostly-failed': mostlyFailed,
  silence: silenceWords,
  'mostly-unsent': ({ sent, due, part }, { many }) =>
    `only ${formatInteger(sent)} of ${formatInteger(due)} due ${many}${inPart({ part })} were sent, ` +
    'so the target load was not tested',
  'missing-load': ({ share, ...facts }) =>
    `${agentsLost(facts)}, and ${formatPercent(share)} of the load is missing, so the target load was not tested`,
  'mostly-aborted': ({ aborted, ended, cutBy, ...facts }) =>
    `${formatInteger(aborted)} of ${plural(ended, 'iteration')}${ofScenario(facts.scenario)} ` +
    `${aborted === 1 ? 'was' : 'were'} aborted: ${cutList(cutBy)}`,
  'mostly-stuck': ({ stuck, completed, ...facts }) =>
    `${plural(stuck, 'iteration')}${ofScenario(facts.scenario)} waited for a response when the run ended, ` +
    `longer than any of ${formatInteger(completed)} took`,
  'mostly-unstarted': ({ started, due, ...facts }) =>
    `only ${formatInteger(started)} of ${formatInteger(due)} due iterations${ofScenario(facts.scenario)}` +
    `${inPart(facts)} started, so the target load was not tested`,
  // Why it is inconclusive, or what decided it.
  'undecided-iterations': facts =>
    `${hung(facts)}; it is unknown how ${facts.hanging === 1 ? 'it' : 'they'} would have ended`,
  'bailed-out': () => 'bailout ended the run, and the rest of it is not known',
  'load-generator': ({ verdict }) => `the load generator was ${verdict}`,
  'rate-held': ({ rate }, counted) =>
    `the rate of ${formatRate(rate)} ${counted.rate} was held; ` +
    `the missing ${counted.many} had no response yet when the run ended`,
  'late-rate': facts => `${troubleWords(facts.trouble)}, and the rate is too low because of that`,
  'late-reads': (facts, { rate }) => facts.rate === undefined
    ? lateReads(facts)
    : `at the ${formatRate(facts.rate)} ${rate} that were sent, ${lateReads(facts)}`,
  'late-reads-or-less-load': facts => `${lateReads(facts)}, or too low, as the load was less`,
  'uncertain-figure': found,
  'near-limit': (facts, counted) =>
    `${found(facts, counted)}, so near to the limit that ${facts.times} times as long a run would not decide`,
  'longer-run' ({ requests, seconds, orExact, ...facts }, counted) {
    const more = requests === undefined ? formatDuration(seconds) : `${formatInteger(requests)} ${counted.many}`
    return `${found(facts, counted)}, about ${more} more would decide${orExact ? ' (or --inconclusive exact)' : ''}`
  },
  'few-values': ({ percentiles, counts, perRun }) => maximumNote(percentiles, counts, perRun),
  'unwatched-responses': ({ others, responses, metric }, { many }) =>
    `errors are ${many} without a response: ` +
    `${formatInteger(others)} of ${plural(responses, 'response')} were other than 2xx, which ${metric} counts`,
  // Why there is no figure.
  'not-measured-yet': () => 'nothing was measured yet',
  'unused-name' ({ near, names, more, isGroup = false }) {
    const what = `no ${isGroup ? 'group' : 'request'} has this name`
    if (names.length === 0 && near === null) {
      return `${what}, as none was ${isGroup ? 'completed' : 'given one'}`
    }
    if (names.length === 0) return `${what}, did you mean '${near}'?`
    const known = `here ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}` +
      (more > 0 ? ` and ${formatInteger(more)} more` : '')
    return `${what}${near === null ? `; t${known}` : `, did you mean '${near}'? T${known}`}`
  },
  'no-verdict-on-generator': ({ isShort }) => isShort
    ? 'a run of less than half a second is too little to judge the load generator'
    : 'raw results of an older version, or of runs of less than half a second, ' +
      'are too little to judge the load generator',
  'no-server': () => 'no server was watched',
  'server-not-seen': () => 'the server was not looked at in it: it was too short',
  'only-of-node': () => 'only Node.js programs that --on-port starts report it',
  'not-of-this-system': () => 'this system does not report it, or the run was too short',
  'no-arrivals': () =>
    'no response has a known arrival: that takes native sockets, which need Linux and are not used for TLS'
}

module.exports = { THRESHOLDS }
