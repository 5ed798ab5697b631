'use strict'

// The first line of a report: the key figures of a run.

const { isMaximum, percentileKey } = require('../record/percentiles')
const { unsentErrors } = require('../figures/error-words')
const { hasNoResponse } = require('../figures/parts')
const { troubleOf } = require('../instruments/generator/verdict')
const { troubleState } = require('../words/load-generator')
const { countedIn } = require('../core/counted')
const { formatDuration, formatInteger, formatLatency, formatPercent, formatRate, plural } = require('../core/units')
const { missedRate } = require('../findings/rate')
const { interruption } = require('../findings/start-and-end')
const { endedAfter } = require('../words/start-and-end')
const { widthOf } = require('./table')

/** The percentiles of the line, without those of too few requests, which would be the maximum. */
const SHOWN = [50, 90, 95, 99, 99.9]

const SEPARATOR = ' · '

/** From this share on, failures come first: the speed of failed requests means nothing. */
const MOSTLY_FAILED = 0.5

/**
 * @typedef {object} Fact
 * @property {string} name `events`, `first event`, `gap`, `iterations`, `rate`, `p50`, `p90`, `p95`, `p99`, `p99.9`,
 *   `ping`, `max`, `failures`, `other`, `ended`, `agents` or `generator`
 * @property {string} text
 * @property {'warning' | 'bad' | null} level null if it is no problem
 */

/** @type {(name: string, text: string, level?: Fact['level']) => Fact} */
const fact = (name, text, level = null) => ({ name, text, level })

/**
 * @param {Record<string, any>} result which may lack keys, as one of another tool or version
 * @returns {Fact[]} the most important first
 */
function resultFacts (result) {
  const speed = [
    ...streamFacts(result), ...iterationFacts(result), ...rateFacts(result), ...latencyFacts(result)
  ]
  const failures = failureFacts(result)
  const isLost = result.requests?.total > 0 &&
    result.failures >= MOSTLY_FAILED * (result.requests.total + result.errors)
  return [...isLost ? [...failures, ...speed] : [...speed, ...failures], ...circumstances(result)]
}

/** @param {Record<string, any>} result */
function streamFacts (result) {
  // Lazy, for the start-up time.
  return [
    ...result.streams === undefined ? [] : require('../instruments/streams/report').headFacts(result),
    ...result.websocket === undefined ? [] : require('../instruments/websocket/report').headFacts(result)
  ].map(({ name, text }) => fact(name, text))
}

/**
 * With a rate of iterations, the figure counts started iterations, which the rate determines.
 * @param {Record<string, any>} result
 */
function iterationFacts (result) {
  const { iterations } = result
  // Lazy, for the start-up time.
  if (iterations === undefined || require('../instruments/iterations/report').areRequests(result)) return []
  const { target, achieved, perSecond, waited, neverStarted } = iterations
  if (target === undefined) return [fact('iterations', `${formatRate(perSecond)} iterations/s`)]
  const text = `${formatRate(achieved)} of ${formatRate(target)} iterations/s started`
  return [fact('iterations', text, achieved < 0.99 * target && waited + neverStarted > 0 ? 'warning' : null)]
}

/** With a rate, the figure counts sent requests. @param {Record<string, any>} result */
function rateFacts (result) {
  const { requests, rate, byStage = [], options } = result
  const { many, rate: unit } = countedIn(result)
  if (hasNoResponse(result)) return [fact('rate', isUnsent(result) ? `no ${many} sent` : 'no responses', 'bad')]
  const stages = byStage.length > 1 ? ` in ${byStage.length} stages` : ''
  if (rate !== undefined) {
    const how = options?.arrivals === 'poisson' ? ' due by a Poisson draw' : ''
    const text = `${formatRate(rate.achieved)} of ${formatRate(rate.target)} ${unit}${how}${stages}`
    return [fact('rate', text, missedRate(result) === null ? null : 'warning')]
  }
  // Streams that do not end have no responses.
  if (!Number.isFinite(requests?.average) || requests.total === 0) return []
  return [fact('rate', `${formatRate(requests.average)} ${unit}${stages}`)]
}

/** @param {Record<string, any>} result */
function latencyFacts ({ latency, requests }) {
  if (latency == null || latency.totalCount === 0 || requests?.total === 0) return []
  const percentiles = SHOWN.filter(percentile => !isMaximum(percentile, latency.totalCount))
    .map(percentile => [`p${percentile}`, latency[percentileKey(percentile)]])
  const shown = [...percentiles, ['max', latency.max]].filter(([, value]) => Number.isFinite(value))
  const latencies = shown.map(([name, value]) => [name, ...formatLatency(value).split(' ')])
  // To save room, only the first figure has a unit if all are in ms.
  const isOfOneUnit = latencies.every(([, , unit]) => unit === 'ms')
  return latencies.map(([name, digits, unit], i) =>
    fact(name, `${name} ${digits}${isOfOneUnit && i > 0 ? '' : ` ${unit}`}`))
}

/** @param {Record<string, any>} result */
function failureFacts (result) {
  const { requests, errors, redirects = 0 } = result
  const all = requests?.total + errors
  const failures = Math.min(all, result.failures ?? leastFailures(result))
  const others = result['3xx'] - redirects
  return [
    // NaN for a result of another tool without these counts.
    ...all > 0 && failures >= 0
      ? [fact('failures', failureText(result, failures, all), failures > 0 ? 'bad' : null)]
      : [],
    ...others > 0 ? [fact('other', `${formatInteger(others)} × 3xx`, 'warning')] : []
  ]
}

/** @param {Record<string, any>} result @param {number} failures @param {number} all requests that ended, sent or not */
function failureText (result, failures, all) {
  if (isUnsent(result)) return plural(failures, 'connection error')
  const unsent = unsentErrors(result)
  const text = `${plural(failures, 'failure')} of ${formatInteger(all)}${shareOf(failures, all)}`
  return unsent > 0
    ? `${text}, ${formatInteger(unsent)} of them ${unsent === 1 ? 'a connection error' : 'connection errors'}`
    : text
}

/** @param {Record<string, any>} result @returns {boolean} whether there are only errors of connections */
function isUnsent ({ requests, errors }) {
  return requests?.sent === 0 && errors > 0
}

/**
 * @param {Record<string, any>} result that does not count requests that failed
 * @returns {number} the failures that are known; NaN with failed checks, as a request may fail several
 */
function leastFailures ({ errors, mismatches = 0, checks = [], ...result }) {
  return checks.some((/** @type {any} */ { failed }) => failed > 0)
    ? NaN
    : errors + mismatches + result['4xx'] + result['5xx']
}

/** @param {number} some @param {number} all @returns {string} such as ` (1.2 %)`; empty for none and for all */
function shareOf (some, all) {
  if (some === 0 || some >= all) return ''
  return ` (${formatPercent(some / all)})`
}

/** @param {Record<string, any>} result */
function circumstances (result) {
  const { bailedOut, duration, skipped, agents, generator } = result
  const [interrupted] = interruption(result)
  const lost = agents === undefined ? null : require('../instruments/agents/report').lossSentence(result)
  const trouble = troubleOf(generator)
  return [
    ...bailedOut ? [fact('ended', `bailout after ${formatDuration(duration + (skipped?.seconds ?? 0))}`, 'bad')] : [],
    ...interrupted === undefined
      ? []
      : [fact('ended', `ended ${endedAfter(interrupted.facts, countedIn(result))}`, 'warning')],
    ...lost === null ? [] : [fact('agents', lost[0].toLowerCase() + lost.slice(1), 'bad')],
    // Without a response, the load generator cannot have changed a latency.
    ...trouble === null || hasNoResponse(result)
      ? []
      : [fact('generator', `load generator: ${troubleState(trouble)}`, 'warning')]
  ]
}

/**
 * @param {Record<string, any>} result printable
 * @param {Partial<import('./table').Screen>} [screen] a terminal wraps the line between facts; a pipe has one line
 * @returns {string[]} none for a result without figures
 */
function resultLines (result, { columns = Infinity, wraps = false, color } = {}) {
  const facts = resultFacts(result)
  if (facts.length === 0) return []
  return brokenAt(facts, wraps ? columns : Infinity).map(line => line.map(fact => painted(fact, color)).join(SEPARATOR))
}

/** @param {Fact[]} facts @param {number} columns @returns {Fact[][]} the facts of each line */
function brokenAt (facts, columns) {
  /** @type {Fact[][]} */
  const lines = [[]]
  let used = 0
  for (const one of facts) {
    const width = widthOf(one.text)
    if (used > 0 && used + SEPARATOR.length + width > columns) {
      lines.push([])
      used = 0
    }
    used += width + (used > 0 ? SEPARATOR.length : 0)
    lines[lines.length - 1].push(one)
  }
  return lines
}

/** @param {Fact} fact @param {import('./table').Colors} [color] */
function painted ({ name, text, level }, color) {
  if (color === undefined) return text
  if (level === 'bad') return color.red(text)
  if (level === 'warning') return color.yellow(text)
  return name === 'rate' || name === 'iterations' ? color.bold(text) : text
}

/** @param {Record<string, any>} result printable @returns {string} one line; empty for a result without figures */
function resultLine (result) {
  return resultLines(result).join('')
}

module.exports = { resultFacts, resultLine, resultLines }
