'use strict'

// The charts of the page as data. A chart and the table below it have the same source.

const { countedIn, eventRate } = require('../../core/counted')
const { formatLatencies, formatLatency, formatValue, round } = require('../../core/units')
const { isOfEvents, iterationRows } = require('../../figures/parts')
const { unfollowed } = require('../../findings/responses')
const { label } = require('../../instruments/iterations/report')
const { label: stageLabel, stagesOf } = require('../../instruments/stages/report')
const { capital } = require('../../words/sentence')
const { limitIn } = require('../verdicts')
const { heatMap, heatTable } = require('./heat-map')
const { valuesOf, edgesOf, binsOf, percentilesFor, curveOf } = require('./distribution')

/**
 * @typedef {object} Line
 * @property {string} label empty for the rate in the unit of the run
 * @property {string} color a custom property of the style sheet
 * @property {boolean} [bars]
 * @property {boolean} [thin] drawn below the others, as the target
 * @property {boolean} [inLegend] whether its name is only in the legend, as it is too long for the end of the line
 *
 * @typedef {object} Chart
 * @property {string} id
 * @property {string} title
 * @property {string} unit
 * @property {'time' | 'bins' | 'percentiles'} kind of the x axis
 * @property {string} xName
 * @property {boolean} [log] whether the y axis is logarithmic
 * @property {number} [most] lower bound of the end of the y axis
 * @property {number} [mark] a value of the y axis to be marked
 * @property {Array<{ label: string, value: number, from?: number, to?: number }>} [limits] thresholds; `from`, `to`:
 *   the part of the run, s
 * @property {Array<{ label: string, value: number }>} [marks] values of the x axis to be marked, rising
 * @property {number} [until] the end of the time axis, s
 * @property {number[]} [steps] the time that a point covers, s; for each run
 * @property {Array<{ label: string, from: number, to: number }>} [stages] of the load, s
 * @property {string} [note]
 * @property {number[]} [heat] of a heat map: the edges of its rows, ms. Its lines are the rows, and its values counts
 * @property {number[]} [edges] of the bins, ms
 * @property {Line[]} lines
 * @property {string[]} [names] of the runs, if the second one is no baseline
 * @property {Array<Array<Array<number | null>>>} runs for each run x, and the values of each line
 */

/**
 * A chart of the series. `partial`: lines without a value are left out, and without a line the chart is. `map`: the
 * time of streams that a heat map below shows.
 * @typedef {Omit<Chart, 'runs' | 'until' | 'steps' | 'kind' | 'lines' | 'xName'> & { partial?: true,
 *   map?: 'firstToken' | 'firstEvent' | 'gap',
 *   lines: Array<Line & { read: (point: any) => number | null }> }} TimeChart
 */

/** Charts that are empty if no stream has ended. */
const OF_RESPONSES = new Set(['rate', 'latency'])

/** Charts of times, which may need a log scale. */
const OF_TIMES = new Set(['latency', 'first-token', 'first-event', 'gap'])

/** Titles for messages instead of events, by chart. */
const OF_MESSAGES = Object.freeze(/** @type {Record<string, Partial<TimeChart>>} */ ({
  events: { title: 'Messages received per second', unit: 'received/s' },
  'first-event': { title: 'First message' },
  gap: { title: 'Gap between messages' }
}))

/** @param {(point: any) => Record<string, any> | undefined} timeOf @returns {TimeChart['lines']} */
const quantileLines = timeOf => ['p50', 'p95', 'p99'].map(key =>
  ({ label: key, color: `--${key}`, read: point => timeOf(point)?.[key] ?? null }))

/** @type {(id: string, title: string, time: 'firstToken' | 'firstEvent' | 'gap') => TimeChart} of a time of streams */
const streamChart = (id, title, time) =>
  ({ id, title, unit: 'ms', partial: true, map: time, lines: quantileLines(({ streams }) => streams?.[time]) })

/** @type {TimeChart[]} */
const OVER_TIME = [
  {
    id: 'rate',
    title: '',
    unit: '',
    lines: [{ label: '', color: '--line', read: ({ requests, length }) => perSecond(requests, length) }]
  },
  {
    id: 'connections',
    title: 'Connections',
    unit: '',
    most: 1,
    lines: [{ label: 'Open', color: '--line', read: ({ connections }) => connections ?? null }]
  },
  {
    id: 'latency',
    title: 'Latency',
    unit: 'ms',
    lines: quantileLines(point => point)
  },
  {
    id: 'events',
    title: 'Events per second',
    unit: 'events/s',
    partial: true,
    lines: [{
      label: '', color: '--line',
      read: ({ streams, length }) => streams ? perSecond(streams.events, length) : null
    }]
  },
  {
    id: 'tokens',
    title: 'Tokens per second',
    unit: 'tokens/s',
    partial: true,
    lines: [{
      label: 'Tokens/s', color: '--line',
      read: ({ streams, length }) => typeof streams?.tokens === 'number' ? perSecond(streams.tokens, length) : null
    }]
  },
  streamChart('first-token', 'First token of a completion', 'firstToken'),
  streamChart('first-event', 'First event of a stream', 'firstEvent'),
  streamChart('gap', 'Gap between events', 'gap'),
  {
    id: 'errors',
    title: 'Errors and non-2xx responses',
    unit: '/s',
    most: 1,
    lines: [
      { label: 'Errors/s', color: '--bad', read: ({ errors, length }) => perSecond(errors, length) },
      { label: 'Not 2xx/s', color: '--warning', read: point => perSecond(unfollowed(point), point.length) }
    ]
  },
  {
    id: 'generator',
    title: 'Load generator',
    unit: '%',
    most: 100,
    mark: 95,
    note: 'If the event loop is busy for 95 % of the time or more, the figures show the client and not the server. ' +
      'An event loop that is blocked for 1 % of the time changes p99, for 5 % also p95. ' +
      'CPU wait changes p99 if it delays at least 1 % of the run by a tenth of p99, and p95 if it delays 5 % by a ' +
      'tenth of p95. ' +
      'Latencies that end at the arrival in the kernel are not affected.',
    lines: [
      { label: 'Event loop', color: '--line', read: ({ eventLoopUtilization }) => percent(eventLoopUtilization) },
      { label: 'CPU', color: '--quiet', read: ({ cpu }) => percent(cpu) },
      {
        label: 'CPU wait or blocked',
        color: '--bad',
        inLegend: true,
        read: ({ runDelay, blocked }) =>
          percent(blocked === undefined ? undefined : Math.min(1, (runDelay ?? 0) + blocked))
      }
    ]
  }
]

/**
 * @param {Record<string, any>} result
 * @param {{ baseline?: Record<string, any>, soFar?: boolean }} [about] `soFar`: whether the run is in progress
 * @param {TimeChart[]} [wanted]
 * @returns {Chart[]}
 */
function timeCharts (result, { baseline, soFar = false } = {}, wanted = OVER_TIME) {
  const all = [result, ...baseline === undefined ? [] : [baseline]]
  const runs = all.map(({ series = [] }) => series)
  const until = Math.max(...all.map(endOf))
  const stages = stagesOf(result).filter(({ seconds }) => seconds > 0)
    .map(stage => ({ label: stageLabel(stage), from: stage.from, to: stage.to }))
  const unit = unitOf(result)
  const counted = countedIn(result)
  const areOfEvents = all.every(isOfEvents)
  const isListed = (/** @type {TimeChart} */ { id }) =>
    isShown(id, runs, unit) && !(areOfEvents && OF_RESPONSES.has(id))
  return wanted.filter(isListed).flatMap(({ lines: own, partial, map, ...given }) => {
    const chart = { ...given, ...result.streams?.kind === 'messages' && OF_MESSAGES[given.id] }
    const known = partial
      ? own.filter(({ read }) => runs.some(points => points.some((/** @type {any} */ point) => read(point) !== null)))
      : own
    if (known.length === 0) return []
    const lines = TARGETS[unit] === chart.id
      ? [TARGET, ...known]
      : chart.id === 'rate' && result.rate !== undefined ? [constantTarget(result.rate.target), ...known] : known
    const made = {
      ...chart,
      ...chart.id === 'rate' && { title: `${counted.title} per second`, unit: counted.rate },
      kind: /** @type {const} */ ('time'),
      xName: 'Second',
      until,
      steps: runs.map(stepOf),
      ...stages.length > 0 && { stages },
      ...chart.id === 'generator' && hasEvenPace(result) && { note: `${chart.note} ${POLLING}` },
      lines: lines.map(({ label, color, thin, inLegend }) => ({
        label: label || (chart.id === 'events' ? capital(eventRate(result)) : counted.head),
        color,
        ...thin && { thin },
        ...inLegend && { inLegend }
      })),
      runs: runs.map(points =>
        [points.map((/** @type {any} */ { time }) => time / 1000), ...lines.map(({ read }) => points.map(read))])
    }
    const limits = limitsOf(result, chart.id)
    const shown = limits.length === 0 ? made : { ...made, limits }
    const cells = map && heatMap(runs[0], ({ streams }) => streams?.[map]?.buckets, { step: made.steps[0], soFar })
    return [
      OF_TIMES.has(chart.id) ? { ...shown, log: spreads(made.runs) } : shown,
      // The cells of a baseline would hide those of the run.
      ...cells ? [{ ...shown, ...cells, id: `${chart.id}-map`, title: `${chart.title}: heat map` }] : []
    ]
  })
}

/** The note on the CPU of a run at an even pace. */
const POLLING = 'The CPU is high because the load generator polls the clock to keep an even pace.'

/** @param {Record<string, any>} result */
function hasEvenPace ({ rate, iterations }) {
  return rate?.pace === 'even' || iterations?.pace === 'even'
}

/** The metrics whose thresholds a chart shows. @type {Record<string, RegExp>} */
const LIMITS = {
  latency: /^(?:avg|max|p[\d.]+)$/, rate: /^rps$/, events: /^events\/s$/, tokens: /^tokens\/s$/, gap: /^gap (?:avg|max|p[\d.]+)$/,
  'first-token': /^first token (?:avg|max|p[\d.]+)$/, 'first-event': /^first event (?:avg|max|p[\d.]+)$/
}

/**
 * @param {Record<string, any>} result
 * @param {string} id of a chart
 * @returns {NonNullable<Chart['limits']>} thresholds on the whole run and on stages: the chart shows no other parts
 */
function limitsOf (result, id) {
  if (LIMITS[id] === undefined) return []
  return (result.thresholds ?? []).flatMap((/** @type {any} */ threshold) => {
    const { expression, metric, request, scenario, group, stage, implied } = threshold
    if (implied || !LIMITS[id].test(metric) || [request, scenario, group].some(part => part !== undefined)) return []
    const value = limitIn(expression)
    if (value === null || stage === undefined) return value === null ? [] : [{ label: expression, value }]
    const part = stagesOf(result).find(({ number }) => number === stage)
    return part === undefined || part.seconds === 0 ? [] : [{ label: expression, value, from: part.from, to: part.to }]
  })
}

/** The line of the target load. @type {Line & { read: (point: any) => number | null }} */
const TARGET = { label: 'Target', color: '--quiet', thin: true, read: ({ target }) => target ?? null }

/**
 * @param {number} target requests per second
 * @returns {typeof TARGET} of a load that does not change
 */
function constantTarget (target) {
  return { ...TARGET, read: () => target }
}

/** The chart with the line of the target, by its unit. @type {Record<string, string>} */
const TARGETS = { 'requests/s': 'rate', connections: 'connections' }

/** @param {Record<string, any>} result */
function unitOf (result) {
  return stagesOf(result)[0]?.target.unit ?? ''
}

/**
 * @param {string} id of a chart
 * @param {any[][]} runs points of each
 * @param {string} unit of the changing load
 * @returns {boolean} whether it shows anything of interest
 */
function isShown (id, runs, unit) {
  if (id === 'connections') return unit === 'connections'
  // The first event of a completion has no token, but only the role.
  if (id === 'first-event') return !runs.some(points => points.some(({ streams }) => streams?.firstToken))
  return id !== 'errors' || runs.some(points => points.some(hasFailures))
}

/** @param {any} point */
function hasFailures (point) {
  return point.errors > 0 || unfollowed(point) > 0
}

/**
 * @param {Record<string, any>} result
 * @returns {number} the end of the run in seconds, even if the last points are missing
 */
function endOf ({ duration, series = [] }) {
  const last = series.at(-1)
  return Math.max(duration, last === undefined ? 0 : round((last.time + last.length) / 1000))
}

/**
 * @param {Array<{ time: number, length: number }>} points of which some may be missing
 * @returns {number} the seconds that a point covers
 */
function stepOf (points) {
  const distances = points.slice(1).map(({ time }, i) => time - points[i].time)
  return round((distances.length === 0 ? points[0]?.length ?? 0 : Math.min(...distances)) / 1000)
}

/**
 * @param {Record<string, any>} result
 * @param {Record<string, any>} [baseline]
 * @returns {Chart[]} none without a latency
 */
function latencyCharts (result, baseline) {
  const both = [result, ...baseline === undefined ? [] : [baseline]]
  const ofGaps = gapCharts(result, both)
  const all = both.map(({ latency }) => valuesOf(latency))
  if (all.every(({ total }) => total === 0)) return ofGaps
  const percentiles = percentilesFor(Math.max(...all.map(({ total }) => total)))
  const curves = all.map(values => [percentiles, curveOf(values, percentiles)])
  return [
    histogramOf({
      id: 'histogram',
      title: 'Distribution of the latency',
      xName: 'Latency, ms',
      line: `Share of ${countedIn(result).many}`
    }, result.latency, all),
    {
      id: 'percentiles',
      title: 'Latency by percentile',
      unit: 'ms',
      kind: 'percentiles',
      xName: 'Percentile',
      log: spreads(curves),
      lines: [{ label: 'Latency', color: '--line' }],
      runs: curves
    },
    ...ofGaps
  ]
}

/**
 * @param {Record<string, any>} result
 * @param {Array<Record<string, any>>} both this and the baseline, where there is one
 * @returns {Chart[]} none without a gap
 */
function gapCharts ({ streams }, both) {
  if (streams === undefined) return []
  const all = both.map(({ streams }) => valuesOf(streams?.gap ?? { totalCount: 0 }))
  if (all.every(({ total }) => total === 0)) return []
  return [histogramOf({
    id: 'gap-histogram',
    title: `Distribution of gaps between ${streams.kind === 'messages' ? 'messages' : 'events'}`,
    xName: 'Gap, ms',
    line: 'Share of gaps'
  }, streams.gap, all)]
}

/**
 * @param {{ id: string, title: string, xName: string, line: string }} words
 * @param {Record<string, any>} distribution of the result
 * @param {Array<import('./distribution').Values>} all values of the result and of the baseline, not all of them empty
 * @returns {Chart}
 */
function histogramOf ({ line, ...words }, distribution, all) {
  const edges = edgesOf(all)
  return {
    ...words,
    unit: '%',
    kind: 'bins',
    edges: edges.map(us => us / 1000),
    marks: all[0].total === 0
      ? []
      : /** @type {const} */ (['p50', 'p99']).map(key => ({
          label: `${key} ${formatLatency(distribution[key])}`, value: distribution[key]
        })),
    lines: [{ label: line, color: '--line', bars: true }],
    runs: all.map(values => [
      edges.slice(0, -1).map((_, i) => i),
      binsOf(values, edges).map(count => values.total === 0 ? null : round(count / values.total * 100))
    ])
  }
}

/** The number of scenarios with a chart. */
const MOST_SCENARIOS = 12

/**
 * @param {Record<string, any>} result
 * @param {Record<string, any>} [baseline]
 * @returns {Chart[]} the durations of the iterations of each scenario; none without a completed one
 */
function iterationCharts (result, baseline) {
  return iterationRows(result).slice(0, MOST_SCENARIOS).flatMap((iterations, i) => {
    const before = baseline === undefined
      ? []
      : [
          baseline.byScenario?.[iterations.scenario ?? ''] ??
            (iterations.scenario === null ? baseline.iterations : undefined)
        ]
    const all = [iterations, ...before].map(one => valuesOf(one?.duration ?? { totalCount: 0 }))
    if (all.every(({ total }) => total === 0)) return []
    return [histogramOf({
      id: `iterations-${i}`,
      title: `Duration of an iteration: ${label(iterations)}`,
      xName: 'Duration, ms',
      line: 'Share of iterations'
    }, iterations.duration, all)]
  })
}

/**
 * @param {Array<Array<Array<number | null>>>} runs
 * @returns {boolean} whether small values would be invisible on a linear scale
 */
function spreads (runs) {
  const values = runs.flatMap(([, ...columns]) => columns.flat()).filter(value => value !== null && value > 0)
  let [least, greatest] = [Infinity, 0]
  for (const value of /** @type {number[]} */ (values)) {
    least = Math.min(least, value)
    greatest = Math.max(greatest, value)
  }
  return greatest > 20 * least
}

/** @param {Chart} chart @returns {{ head: string[], rows: string[][] }} the same figures as a table */
function tableOf (chart) {
  if (chart.heat !== undefined) return heatTable(chart)
  const { kind, xName, unit, edges, lines, runs, names } = chart
  const head = [
    xName,
    ...runs.flatMap((_, run) =>
      lines.map(({ label }) => run === 0 ? label : `${label}, ${names?.[run] ?? 'baseline'}`))
  ]
  const columns = lines.length
  /** @type {Map<number, string[]>} */
  const rows = new Map()
  for (const [run, [x, ...values]] of runs.entries()) {
    for (const [i, at] of x.entries()) {
      const key = /** @type {number} */ (at)
      if (!rows.has(key)) rows.set(key, [xLabel(kind, key, edges), ...new Array(columns * runs.length).fill('–')])
      const row = /** @type {string[]} */ (rows.get(key))
      values.forEach((column, line) => { row[1 + run * columns + line] = formatValue(unit, column[i]) })
    }
  }
  return { head, rows: [...rows].sort(([a], [b]) => a - b).map(([, row]) => row) }
}

/** @param {Chart['kind']} kind @param {number} x @param {number[]} [edges] */
function xLabel (kind, x, edges) {
  if (kind === 'bins' && edges !== undefined) return formatLatencies(edges[x], edges[x + 1])
  return kind === 'percentiles' ? `p${x}` : String(x)
}

/** @param {number} count @param {number} ms */
function perSecond (count, ms) {
  return ms > 0 ? round(count / ms * 1000) : null
}

/** @param {number | undefined} share missing in results of older versions */
function percent (share) {
  return share === undefined ? null : round(share * 100)
}

module.exports = { timeCharts, latencyCharts, iterationCharts, tableOf }
