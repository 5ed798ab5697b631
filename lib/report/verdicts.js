'use strict'

// The words and figures of thresholds and comparisons. Its input is printable (core/foreign-text.js).

const { REQUESTS } = require('../core/counted')
const {
  formatBeside, formatBytes, formatDifference, formatInteger, formatLatency, formatPercent, formatRate, plural
} = require('../core/units')
const { parseThreshold } = require('../judge/threshold')
const { sentenceOf } = require('../words/judgements')
const { capital } = require('../words/sentence')

/** @typedef {Record<string, any>} Result */

/**
 * @param {string} unit as in `result.thresholds`
 * @param {number | null} value
 * @param {number} [digits] significant ones
 * @param {import('../core/counted').Counted} [counted]
 */
function formatFigure (unit, value, digits, counted = REQUESTS) {
  if (value === null) return '–'
  switch (unit) {
    case 'ms': return formatLatency(value, digits)
    case 'share':
    case 'utilization': return formatPercent(value, digits)
    case 'bytes': return formatBytes(value, digits)
    case 'bytes/s': return `${formatBytes(value, digits)}/s`
    case 'requests/s': return `${formatRate(value, digits)} ${counted.rate}`
    default: return unit.endsWith('/s') ? `${formatRate(value, digits)} ${unit}` : formatInteger(value)
  }
}

/**
 * The figure has enough digits to differ from its limit.
 * @param {{ unit: string, actual: number | string | null, expression?: string }} threshold
 * @param {import('../core/counted').Counted} [counted]
 */
function formatActual ({ unit, actual, expression }, counted = REQUESTS) {
  if (typeof actual === 'string') return actual
  const limit = expression === undefined ? null : limitIn(expression)
  return actual === null || limit === null
    ? formatFigure(unit, actual, undefined, counted)
    : formatBeside((value, digits) => formatFigure(unit, value, digits, counted), actual, limit)
}

/**
 * @param {string} expression of a threshold
 * @returns {number | null} null if it cannot be parsed, as one of another version
 */
function limitIn (expression) {
  try {
    return parseThreshold(expression).limit
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** @param {{ passed: boolean | null }} judged a threshold or a limit @returns {'✓' | '✗' | '?'} */
function mark ({ passed }) {
  return passed === null ? '?' : passed ? '✓' : '✗'
}

/**
 * @param {Result} result
 * @param {{ concluded?: boolean, explained?: unknown[] }} [verdict] `concluded`: whether the last line of the report
 *   has the verdict; `explained`: thresholds whose notes are in it
 * @returns {string[]} notes that are neither in the table nor in the verdict
 */
function remarks ({ thresholds, interrupted }, { concluded = false, explained = [] } = {}) {
  const notes = thresholds.filter((/** @type {any} */ one) => one.note !== undefined && !explained.includes(one))
    .map((/** @type {any} */ { expression, note }) => `${expression}: ${note}.`)
  if (interrupted) return concluded ? notes : ['The run was interrupted: no threshold was judged.', ...notes]
  const lost = thresholds.find((/** @type {{ aborted?: boolean }} */ { aborted }) => aborted)
  return lost === undefined ? notes : [...notes, `The run ended early: ${lost.expression} could not be met any more.`]
}

/** @typedef {import('../../index').Comparison} Comparison */

/** Words for better and worse. */
const WORDS = {
  ms: { better: 'faster', worse: 'slower' },
  'requests/s': { better: 'faster', worse: 'slower' },
  'bytes/s': { better: 'more', worse: 'less' },
  'events/s': { better: 'more', worse: 'fewer' },
  'tokens/s': { better: 'more', worse: 'fewer' },
  share: { better: 'fewer', worse: 'more' },
  bytes: { better: 'less', worse: 'more' },
  utilization: { better: 'less', worse: 'more' },
  count: { better: 'better', worse: 'worse' }
}

/** @param {Comparison['metrics'][number]} metric @param {boolean} [brief] @returns {string[]} the cells of its row */
function cells (metric, brief = false) {
  const { unit, low, high, verdict } = metric
  // In a narrow table, only the difference has its unit.
  const [from, to] = [low, high].map(value => formatDifference(unit, value))
  const between = low === null ? '–' : `${withoutUnit(from)} … ${brief ? withoutUnit(to) : to}`
  const words = verdict === 'better' || verdict === 'worse'
    ? WORDS[/** @type {keyof typeof WORDS} */ (unit)][verdict]
    : verdict === 'no difference' ? 'no difference found' : 'inconclusive'
  return [
    metric.metric,
    ...[metric.base, metric.new].map(value => figureIn(unit, value)),
    formatDifference(unit, metric.difference),
    between,
    words
  ]
}

/** Omits the unit of a rate, which is in the name. @type {(unit: string, value: number | null) => string} */
const figureIn = (unit, value) =>
  unit.endsWith('/s') && unit !== 'bytes/s' && value !== null ? formatRate(value) : formatFigure(unit, value)

/** @param {string} figure */
function withoutUnit (figure) {
  return figure.replace(/ \S+$/, '')
}

/**
 * @param {Comparison} comparison
 * @returns {string[]} the heads of the columns; from one run on each side, the verdict is an indication
 */
function heads ({ basis }) {
  return ['', 'Base', 'New', 'Difference', '95 % CI', basis === 'samples' ? 'Indication' : 'Verdict']
}

/** @param {Comparison} comparison @returns {string} the data from which the intervals were computed */
function basisOf ({ basis, runs, metrics }) {
  const what = basis === 'pairs'
    ? plural(runs.base, 'pair of runs', 'pairs of runs')
    : `${plural(runs.base, 'run')} against ${formatInteger(runs.new)}`
  return metrics.every(({ low }) => low === null) ? what : `${what}; the intervals hold for all figures at once`
}

/** @param {Comparison} comparison @returns {string} the verdict, in the middle of a sentence */
function comparisonClause ({ basis, metrics, runs, inconclusive }) {
  if (metrics.length === 0) return `nothing is compared: ${countsOf(runs)}`
  const { kind, clause } = foundIn(metrics, inconclusive)
  return basis === 'samples' && kind !== 'inconclusive' ? `${clause} (an indication from one run on each side)` : clause
}

/** @param {Comparison} comparison @returns {string} the verdict in one sentence */
const comparisonHeadline = comparison => `${capital(comparisonClause(comparison))}.`

/** @param {Comparison['runs']} runs @returns {string} `1 run of base, none of new` */
function countsOf ({ base, new: next }) {
  if (base + next === 0) return 'no run of either side'
  return `${base === 0 ? 'no run' : plural(base, 'run')} of base, ${next === 0 ? 'none' : formatInteger(next)} of new`
}

/**
 * @param {Comparison['metrics']} metrics
 * @param {string} [inconclusive] why a difference may be hidden
 * @returns {{ kind: 'worse' | 'better' | 'inconclusive' | 'same', clause: string }}
 */
function foundIn (metrics, inconclusive) {
  const real = metrics.filter(({ verdict }) => verdict === 'better' || verdict === 'worse')
  const listed = (/** @type {typeof metrics} */ list) =>
    list.map(metric => `${metric.metric} ${formatDifference(metric.unit, metric.difference)}`).join(', ')
  const worse = real.filter(({ verdict }) => verdict === 'worse')
  const better = real.filter(({ verdict }) => verdict === 'better')
  if (worse.length > 0) {
    return { kind: 'worse', clause: `worse: ${listed(worse)}${better.length > 0 ? `; better: ${listed(better)}` : ''}` }
  }
  if (better.length > 0) return { kind: 'better', clause: `better: ${listed(better)}` }
  // Of the times of streams, the gap is last, and has the most values.
  const first = metrics.find(({ metric }) => metric === 'p50') ??
    metrics.findLast(({ metric }) => metric.endsWith(' p50')) ?? metrics[0]
  const { metric, unit, low, high, verdict } = first
  if (inconclusive !== undefined && verdict !== 'no difference') {
    return { kind: 'inconclusive', clause: `inconclusive: ${inconclusive}` }
  }
  if (low === null || high === null) {
    return { kind: 'inconclusive', clause: 'inconclusive: these runs do not show whether there is a difference' }
  }
  if (verdict !== 'no difference') {
    const between = `between ${formatDifference(unit, low)} and ${formatDifference(unit, high)}`
    return { kind: 'inconclusive', clause: `inconclusive: the runs vary too much (${metric} ${between})` }
  }
  const percent = formatPercent((high - low) / 2)
  const least = unit === 'share' ? percent.replace('%', 'points') : percent
  const others = metrics.filter(({ low, verdict }) => low !== null && verdict === 'unknown').map(({ metric }) => metric)
  const rest = others.length > 0 ? `; inconclusive for ${others.join(', ')}` : ''
  return {
    kind: 'same',
    clause: `no difference found: ${metric} would have to differ by about ${least} to be noticed${rest}`
  }
}

/** @param {Comparison} comparison @returns {boolean} whether its headline says inconclusive */
function isInconclusive ({ metrics, inconclusive }) {
  return metrics.length > 0 && foundIn(metrics, inconclusive).kind === 'inconclusive'
}

/** @param {Comparison} comparison @returns {boolean} whether its headline has the reason why there is no verdict */
function isExplained (comparison) {
  return comparison.inconclusive !== undefined && isInconclusive(comparison)
}

/** @typedef {NonNullable<Comparison['findings']>[number]} Finding */

/**
 * @param {Comparison} comparison
 * @param {Pick<Finding, 'code' | 'facts'>} [finding]
 * @returns {boolean} whether it is the reason why there is no verdict
 */
function isCause ({ findings = [] }, finding) {
  const cause = findings.find(({ severity }) => severity === 'error')
  return cause !== undefined && cause.code === finding?.code && cause.facts.state === finding.facts.state
}

/**
 * @param {Comparison} comparison
 * @param {{ reason: string, finding?: Finding }} limit
 * @returns {string} its reason, without the part in the headline
 */
function reasonIn (comparison, { reason, finding }) {
  if (!isExplained(comparison) || finding === undefined) return reason
  if (isCause(comparison, finding)) return 'not judged'
  const { code, facts: { because, ...facts } } = finding
  return code === 'doubtful' && isCause(comparison, because) ? sentenceOf({ code, facts }) : reason
}

/**
 * @template {Comparison} T
 * @param {T} comparison
 * @returns {T} with the reasons of limits, without the parts in the headline
 */
function withoutRepeated (comparison) {
  return { ...comparison, limits: comparison.limits.map(limit => ({ ...limit, reason: reasonIn(comparison, limit) })) }
}

/**
 * @param {Comparison} comparison
 * @param {string[]} [shown] codes of findings that are shown elsewhere
 * @returns {string[]} the notes that are neither in the headline nor in the reason of a limit
 */
function notesIn (comparison, shown = []) {
  const { limits, notes, findings = [] } = comparison
  const isShown = isExplained(comparison) ||
    limits.some(({ finding }) => [finding, finding?.facts.because].some(one => isCause(comparison, one)))
  // This note says more than the headline.
  const isRepeated = (/** @type {Finding} */ finding) => isShown && isCause(comparison, finding) &&
    !(finding.code === 'unlike-clients' && finding.facts.latenciesHold)
  return notes.filter((_, i) => !shown.includes(findings[i]?.code) && !isRepeated(findings[i]))
}

module.exports = {
  formatFigure, limitIn, countsOf, heads, cells, basisOf, comparisonClause, comparisonHeadline, isExplained,
  isInconclusive, notesIn, reasonIn, withoutRepeated, formatActual, mark, remarks
}
