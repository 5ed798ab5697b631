'use strict'

// Renders the state of a run as lines for a width and a height. The least important lines are dropped first. All
// figures come from the partial result and its series.

const { countedIn, eventRate } = require('../../core/counted')
const { cut, printable } = require('../../core/foreign-text')
const { meaningOf } = require('../../core/errors')
const { troubleOf } = require('../../instruments/generator/verdict')
const { troubleState } = require('../../words/load-generator')
const { isOfRedirects } = require('../../findings/redirects')
const { isResentOften } = require('../../findings/responses')
const { latencyOf } = require('../../report/figures')
const { latencyChart } = require('../../report/latency-chart')
const { stageNow } = require('../../instruments/stages/report')
const { widthOf } = require('../../report/table')
const { formatActual, mark } = require('../../report/verdicts')
const { formatInteger, formatLatency, formatPercent, formatRate, plural } = require('../../core/units')
const { formatTime, oneLine } = require('./brief')
const { sparkline } = require('./sparkline')

/** Narrower terminals show one line. */
const NARROWEST = 60
/** The area is never wider. */
const WIDEST = 120
/** The maximum height of the area, if the terminal has so many lines. */
const HIGHEST = 30

/** The width of labels. */
const LABEL = 13
/** The maximum width of the progress bar. */
const BAR = 30
const FIGURE = 9
const ROWS_OF_CHART = 8
/** Waiting iterations are shown above this share of the due ones. */
const BEHIND = 0.01
/** After this time without a response a hint is shown, ms. */
const QUIET = 2000

/**
 * The sections to shrink if the terminal has too few lines, the first ones first, and the number of lines that stay.
 * Failures stay longest; without room for them, the area is one line.
 * @type {ReadonlyArray<readonly [section: keyof Sections, stays: number]>}
 */
const DROPPED_FIRST = Object.freeze([
  ['chart', 5],
  ['space', 0],
  ['health', 0],
  ['connections', 0],
  ['chart', 0],
  ['head', 0],
  ['errors', 2],
  ['thresholds', 2],
  ['resent', 0],
  ['status', 0],
  ['checks', 0],
  ['errors', 1],
  ['thresholds', 1],
  ['stage', 0],
  ['iterations', 0],
  ['trouble', 0],
  ['failedChecks', 0],
  ['quiet', 0]
])

/** The order of the sections on the screen. @type {ReadonlyArray<keyof Sections>} */
const ORDER = Object.freeze([
  'title', 'progress', 'space', 'stage', 'head', 'figures', 'iterations', 'chart', 'quiet', 'status', 'errors',
  'resent', 'failedChecks', 'checks', 'thresholds', 'connections', 'trouble', 'health'
])

/**
 * @typedef {Record<'title' | 'progress' | 'space' | 'head' | 'figures' | 'stage' | 'iterations' | 'chart' | 'quiet' |
 *   'status' | 'errors' | 'resent' | 'failedChecks' | 'checks' | 'thresholds' | 'connections' | 'trouble' | 'health',
 *   string[]>} Sections
 *
 * @typedef {import('../../report/table').Colors} Colors
 *
 * @typedef {object} LiveState
 * @property {string} title of this run in a series; empty for a single run
 * @property {Progress} progress
 * @property {Record<string, any> | null} result so far; null before the first sample
 * @property {import('../../figures/series').Point[]} minute the points of the last minute
 * @property {{ connections: number, inFlight: number, generator: import('../followers').Tick['generator'] } | null}
 *   tick the last one
 * @property {number} [quiet] time without a completed request while requests were waiting, ms
 *
 * @typedef {object} Progress
 * @property {number} ratio 0 to 1
 * @property {string} done such as `6s of 10s`
 * @property {number | null} left seconds; null when unknown
 */

/**
 * Returns the lines. Each is narrower than the terminal, so none wraps, and one row of its height stays free.
 * @type {(state: LiveState, screen: { columns: number, rows: number, color: Colors, chart?: boolean }) => string[]}
 */
function liveLines (state, { columns, rows, color, chart = true }) {
  const height = Math.min(HIGHEST, rows - 1)
  if (columns < NARROWEST) return [oneLine(state, columns)]
  const width = Math.min(columns, WIDEST) - 1
  const sections = { ...sectionsOf(state, width, color), ...!chart && { chart: [] } }
  const all = () => ORDER.reduce((sum, name) => sum + sections[name].length, 0)
  for (const [name, stays] of DROPPED_FIRST) {
    const missing = all() - height
    if (missing <= 0) break
    const lines = sections[name]
    const left = Math.max(stays, lines.length - missing)
    // A lower chart is rendered again with fewer ranges: cutting it would lose values.
    sections[name] = name !== 'chart'
      ? lines.slice(0, left)
      : stays > 0 && lines.length > 0
        ? chartOf(state, width, color, left)
        : []
  }
  return all() > height ? [oneLine(state, columns)] : ORDER.flatMap(name => sections[name])
}

/** @param {LiveState} state @param {number} width @param {Colors} color @returns {Sections} */
function sectionsOf (state, width, color) {
  const { title, result, tick } = state
  const isTroubled = tick !== null && troubleOf(tick.generator) !== null
  const checks = (result?.checks ?? []).filter(isShown)
  const haveFailed = checks.some((/** @type {any} */ { failed }) => failed > 0)
  const lines = (/** @type {Row[]} */ rows) => rows.map(row => labelled(row, width, color))
  const checkLines = lines(checksOf(checks))
  const health = lines(tick === null ? [] : [healthOf(tick.generator)])
  return {
    title: title === '' ? [] : [color.bold(fitted(title, width))],
    progress: [progressOf(state.progress, width, color)],
    space: result === null ? [] : [''],
    ...figuresOf(state, width, color),
    stage: lines(stageOf(result)),
    iterations: lines(iterationsOf(result)),
    chart: chartOf(state, width, color, ROWS_OF_CHART),
    quiet: lines(quietOf(state)),
    status: lines(statusOf(result)),
    errors: lines(errorsOf(result?.errorCodes ?? {})),
    resent: lines(resentOf(result)),
    failedChecks: haveFailed ? checkLines : [],
    checks: haveFailed ? [] : checkLines,
    thresholds: lines(thresholdsOf(result ?? {})),
    connections: lines(tick === null
      ? []
      : [[
          'connections', `${formatInteger(tick.connections)} open`,
          `${plural(tick.inFlight, countedIn(result).one)} in flight`
        ]]),
    trouble: isTroubled ? health : [],
    health: isTroubled ? [] : health
  }
}

/**
 * @typedef {'green' | 'yellow' | 'red' | 'cyan'} Paint
 * @typedef {[label: string, ...parts: Array<string | { text: string, paint: Paint | null }>]} Row the most important
 *   part first: the rest is omitted
 */

/** @param {Row} row @param {number} width @param {Colors} color */
function labelled ([label, ...parts], width, color) {
  let line = color.dim(label.padEnd(LABEL))
  let used = LABEL
  for (const [i, part] of parts.entries()) {
    const { text, paint } = typeof part === 'string' ? { text: part, paint: null } : part
    const between = i === 0 ? '' : '  '
    const room = width - used - between.length
    // The first part is cut and never omitted.
    if (widthOf(text) > room && i > 0) break
    const shown = fitted(text, room)
    line += between + (paint === null ? shown : color[paint](shown))
    used += between.length + widthOf(shown)
  }
  return line
}

/** Cuts a text to a width. @type {(text: string, width: number) => string} */
function fitted (text, width) {
  let shown = cut(text, width)
  while (widthOf(shown) > width && shown.length > 1) shown = cut(shown, shown.length - 1)
  return shown
}

/** @type {(progress: Progress, width: number, color: Colors) => string} */
function progressOf ({ ratio, done, left }, width, color) {
  const room = Math.min(BAR, Math.floor(width / 3))
  const eighths = Math.round(ratio * room * 8)
  const full = '█'.repeat(Math.floor(eighths / 8)) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8]
  const percent = `${Math.floor(ratio * 100)} %`.padStart(5)
  const rest = fitted(
    done + (left === null ? '' : left > 0 ? `, ${formatTime(left)} left` : ', waiting for the last responses'),
    width - room - percent.length - 3
  )
  return `${color.green(full)}${color.dim('░'.repeat(room - full.length))} ${percent}  ${rest}`
}

/**
 * @param {LiveState} state
 * @param {number} width
 * @param {Colors} color
 * @returns {Pick<Sections, 'head' | 'figures'>}
 */
function figuresOf ({ result, minute }, width, color) {
  if (result === null || minute.length === 0) return { head: [], figures: [] }
  const { latency, requests, rate } = result
  const unit = countedIn(result).rate
  const now = minute[minute.length - 1]
  const aim = rate === undefined ? '' : ` of ${formatRate(rate.target)}`
  const all = [formatRate(requests.average) + aim, ...['p50', 'p99', 'max'].map(key => latencyOf(latency, key))]
  const ofStreams = result.streams === undefined ? [] : streamRows(result, now, minute)
  const last = Math.max(9, ...all.map(text => text.length), ...ofStreams.map(({ whole }) => whole.length))
  const room = Math.min(60, width - LABEL - FIGURE - last - 4)
  /** @type {(label: string, current: string, course: Array<number | null>, whole: string) => string} */
  const row = (label, current, course, whole) => {
    const line = sparkline(course, room)
    return `${color.dim(label.padEnd(LABEL))}${color.bold(current.padStart(FIGURE))}  ` +
      `${color.cyan(line)}${' '.repeat(room - line.length)}  ${whole.padStart(last)}`
  }
  const perSecond = (/** @type {import('../../figures/series').Point} */ { requests, length }) =>
    length > 0 ? requests / length * 1000 : 0
  return {
    head: [color.dim(`${''.padEnd(LABEL)}${'now'.padStart(FIGURE)}  ${(room < 11 ? '' : 'last minute').padEnd(room)} ` +
      ` ${'whole run'.padStart(last)}`)],
    figures: [
      row(unit, formatRate(perSecond(now)), minute.map(perSecond), all[0]),
      row('p50', formatLatency(now.p50), minute.map(({ p50 }) => p50), all[1]),
      row('p99', formatLatency(now.p99), minute.map(({ p99 }) => p99), all[2]),
      row('max', formatLatency(now.max), minute.map(({ max }) => max), all[3]),
      ...ofStreams.map(({ label, current, course, whole }) => row(label, current, course, whole))
    ]
  }
}

/**
 * @param {Record<string, any>} result so far
 * @param {import('../../figures/series').Point} now
 * @param {import('../../figures/series').Point[]} minute
 * @returns {Array<{ label: string, current: string, course: Array<number | null>, whole: string }>}
 */
function streamRows (result, now, minute) {
  const { streams } = result
  /** @typedef {import('../../figures/series').Point} Point */
  /** @type {(label: string, countOf: (point: Point) => number | undefined, whole: number) => any} */
  const rate = (label, countOf, whole) => {
    const perSecond = (/** @type {Point} */ point) =>
      point.length > 0 ? (countOf(point) ?? 0) / point.length * 1000 : 0
    return {
      label, current: formatRate(perSecond(now)), course: minute.map(perSecond), whole: formatRate(whole)
    }
  }
  /** @type {(label: string, time: 'firstEvent' | 'gap', key: 'p50' | 'p99') => any} */
  const time = (label, time, key) => ({
    label,
    current: formatLatency(now.streams?.[time]?.[key] ?? null),
    course: minute.map(({ streams }) => streams?.[time]?.[key] ?? null),
    whole: latencyOf(streams[time], key)
  })
  return [
    rate(eventRate(result), ({ streams }) => streams?.events, streams.eventsPerSecond),
    ...streams.tokens === undefined
      ? []
      : [rate('tokens/s', ({ streams }) => streams?.tokens, streams.tokens.perSecond)],
    time('first event', 'firstEvent', 'p50'), time('gap p50', 'gap', 'p50'), time('gap p99', 'gap', 'p99')
  ]
}

/** @param {LiveState} state @param {number} width @param {Colors} color @param {number} rows the limit */
function chartOf ({ result }, width, color, rows) {
  return result === null || result.requests.total === 0
    ? []
    : latencyChart(result.latency, { columns: width, color }, rows)
}

/** @type {(result: Record<string, any> | null) => Row[]} */
function stageOf (result) {
  const stage = result === null ? null : stageNow(result)
  return stage === null ? [] : [['stage', printable(stage)]]
}

/** Returns the rows about iterations that start at a rate. @type {(result: Record<string, any> | null) => Row[]} */
function iterationsOf (result) {
  const { iterations, duration } = result ?? {}
  if (!(iterations?.target > 0) || !(duration > 0)) return []
  const waiting = Math.round(iterations.target * duration) - iterations.started
  const isBehind = waiting > BEHIND * iterations.target * duration
  return [[
    'iterations/s',
    {
      text: `${formatRate(iterations.started / duration)} of ${formatRate(iterations.target)} started`,
      paint: isBehind ? 'yellow' : null
    },
    ...isBehind
      ? [{ text: `${formatInteger(waiting)} wait for a connection`, paint: /** @type {const} */ ('yellow') }]
      : [],
    `${formatInteger(iterations.completed)} completed`
  ]]
}

/** @type {(state: LiveState) => Row[]} */
function quietOf ({ quiet = 0, tick, minute, result }) {
  // Streams deliver events, but none has ended.
  const hasEvents = (minute.at(-1)?.streams?.events ?? 0) > 0
  if (tick === null || quiet < QUIET || hasEvents) return []
  const { one, many } = countedIn(result)
  return [[
    'server', { text: `no response for ${formatTime(Math.floor(quiet / 1000))}`, paint: 'yellow' },
    plural(tick.inFlight, `${one} waits`, `${many} wait`)
  ]]
}

/** By the first digit of a status. @type {Readonly<Record<string, Paint>>} */
const PAINTS = { 2: 'green', 3: 'yellow', 4: 'red', 5: 'red' }

/** @type {(result: Record<string, any> | null) => Row[]} */
function statusOf (result) {
  /** @type {Record<string, { count: number }>} */
  const stats = result?.statusCodeStats ?? {}
  const counts = Object.entries(stats).sort(([, a], [, b]) => b.count - a.count)
  if (counts.length === 0) return []
  return [['status', ...counts.map(([status, { count }]) =>
    ({ text: `${formatInteger(count)} × ${printable(status)}`, paint: PAINTS[status[0]] ?? 'cyan' }))]]
}

/** @type {(result: Record<string, any> | null) => Row[]} */
function resentOf (result) {
  if (result === null || !(result.resent > 0)) return []
  const text = `${plural(result.resent, countedIn(result).one)}, because the server closed connections`
  return [['sent again', { text, paint: isResentOften(result) ? 'yellow' : null }]]
}

/** The limit of lines for error codes. */
const CODES = 4

/** @type {(errorCodes: Record<string, number>) => Row[]} */
function errorsOf (errorCodes) {
  const codes = Object.entries(errorCodes).sort(([, a], [, b]) => b - a)
  const more = codes.length > CODES ? ` and ${plural(codes.length - CODES, 'more code')}` : ''
  return codes.slice(0, CODES).map(([code, n], i) => {
    const meaning = meaningOf(code)
    const text = `${formatInteger(n)} × ` +
      `${printable(code)}${meaning === undefined ? '' : `: ${meaning}`}${i === CODES - 1 ? more : ''}`
    return [i === 0 ? 'errors' : '', { text, paint: 'red' }]
  })
}

/** Redirects are counted as a check without any option, so a passed one is not shown. @param {any} check */
const isShown = check => !isOfRedirects(check) || check.failed > 0

/** @type {(checks: Array<Record<string, any>>) => Row[]} */
function checksOf (checks) {
  const sum = (/** @type {'passed' | 'failed'} */ what) => checks.reduce((sum, check) => sum + check[what], 0)
  const [passed, failed] = [sum('passed'), sum('failed')]
  if (passed + failed === 0) return []
  if (failed === 0) return [['checks', { text: `✓ ${formatInteger(passed)} passed`, paint: 'green' }]]
  const worst = checks.filter(({ failed }) => failed > 0).sort((a, b) => b.failed - a.failed)
  const texts = [
    `✗ ${formatInteger(failed)} failed, ${formatInteger(passed)} passed`,
    ...worst.map(({ name, request, failed }) =>
      `${formatInteger(failed)} × ${printable(request === undefined ? name : `${request}: ${name}`)}`)
  ]
  return [['checks', ...texts.map(text => ({ text, paint: /** @type {const} */ ('red') }))]]
}

/** Returns a row per check, failed ones first. @type {(result: Record<string, any>) => Row[]} */
function thresholdsOf (result) {
  const { thresholds = [] } = result
  const counted = countedIn(result)
  const rank = (/** @type {Record<string, any>} */ { passed }) => passed === false ? 0 : passed === null ? 1 : 2
  return [...thresholds].sort((a, b) => rank(a) - rank(b)).map((threshold, i) => [
    i === 0 ? 'thresholds' : '',
    {
      text: `${mark(/** @type {any} */ (threshold))} ${printable(threshold.expression)}`,
      paint: threshold.passed === null ? 'yellow' : threshold.passed ? 'green' : 'red'
    },
    threshold.actual === null
      ? 'nothing measured'
      : `now ${printable(formatActual(/** @type {any} */ (threshold), counted))}`
  ])
}

/**
 * Returns the core share without busy polling: an even pace polls the clock with the rest of a core.
 * @param {import('../followers').Tick['generator']} generator in the last sample
 * @returns {Row}
 */
function healthOf (generator) {
  const { cpu, eventLoopUtilization, lag } = generator
  const trouble = troubleOf(generator)
  return [
    'generator',
    ...trouble === null ? [] : [{ text: troubleState(trouble), paint: /** @type {const} */ ('yellow') }],
    `event loop ${formatPercent(eventLoopUtilization)}`, `lag p99 ${formatLatency(lag.p99)}`,
    `CPU ${formatPercent(cpu)}${cpu > 0.2 && cpu > 2 * eventLoopUtilization ? ', most of it waiting' : ' of a core'}`
  ]
}

module.exports = { DROPPED_FIRST, liveLines }
