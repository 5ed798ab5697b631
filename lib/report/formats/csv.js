'use strict'

// The result as CSV (RFC 4180): a head, a row for the whole run, and one for each named request, each stage and each
// scenario. All files have the same columns, so that they can be concatenated.

const { sumOf } = require('../../core/statistics')
const { namedRequests, iterationRows, stagesOf } = require('../../figures/parts')
const { round } = require('../../core/units')
const { columnsOf } = require('../document')

/** @typedef {import('../authored').Columns} Columns */

/** @type {(name: string, key: string) => [string, (figures: any) => unknown]} */
const timeOf = (name, key) => [
  `${name}_${key}_ms`,
  figures => figures[name]?.totalCount === 0 ? undefined : figures[name]?.[key]
]

/** @type {(key: string) => [string, (figures: any, result: any) => unknown]} */
const lateOf = key => [`read_late_${key}_ms`, (_, { clock }) => clock?.late?.[key]]

/** @type {Columns} of the run */
const RUN = [
  ['title', (_, { title }) => title],
  ['url', (_, { url = [] }) => [url].flat().join(' ')],
  ['start', (_, { start }) => start === undefined ? undefined : new Date(start).toISOString()],
  ['duration_s', (_, { duration }) => duration],
  ['connections', (_, { connections }) => connections],
  ['pipelining', (_, { pipelining }) => pipelining],
  // An option may set the number per agent.
  ['workers', (_, { workers, agents }) => agents ? sumOf(agents, ({ workers }) => workers) : workers],
  ['target_rate', (_, { rate }) => rate?.target],
  ['achieved_rate', (_, { rate }) => rate?.achieved]
]

/** @type {Columns} */
const NAME = [['request', ({ name }) => name]]

/** @type {Columns} of the run, or of a part */
const FIGURES = [
  ['requests', ({ count, requests }) => requests?.total ?? count],
  ['requests_per_s', ({ requests, perSecond }) => requests?.average ?? (perSecond && round(perSecond))],
  ['failures', ({ failures }) => failures],
  ['errors', ({ errors }) => errors],
  ['timeouts', ({ timeouts }) => timeouts],
  ['mismatches', ({ mismatches }) => mismatches],
  ['2xx', ({ count, non2xx, ...figures }) => figures['2xx'] ?? (count === undefined ? undefined : count - non2xx)],
  ['non2xx', ({ non2xx }) => non2xx],
  ['checks_failed', ({ checks }) => checks && sumOf(checks, ({ failed }) => failed)],
  ['bytes', ({ throughput, bytes }) => throughput?.total ?? bytes],
  ['bytes_per_s', ({ throughput }) => throughput?.average],
  ...['latency', 'ttfb'].flatMap(name => [
    'average', 'stddev', 'min', 'p50', 'p75', 'p90', 'p95', 'p97_5', 'p99', 'p99_9', 'p99_99', 'max'
  ].map(key => timeOf(name, key)))
]

/** @type {Columns} of a stage */
const STAGE = [
  ['stage', ({ number }) => number],
  ['stage_name', ({ own }) => own],
  ['stage_from_s', ({ number, from }) => number && from],
  ['stage_to_s', ({ number, to }) => number && to],
  ['stage_target_start', ({ target }) => target?.start],
  ['stage_target_end', ({ target }) => target?.end],
  ['stage_target_unit', ({ target }) => target?.unit],
  [
    'stage_target',
    ({ number, target, rate, iterations: due = rate }) => number && (due === undefined ? target.end : due.target)
  ],
  [
    'stage_achieved',
    ({ number, rate, iterations: due = rate, connections }) =>
      number && (due === undefined ? connections : due.achieved)
  ]
]

/** @type {Columns} of the run: how requests were sent */
const TRANSPORT = [
  ['http', (_, { http }) => http],
  ['client', (_, { client }) => client],
  ['proxy', (_, { options }) => options?.proxy]
]

/** @type {Columns} */
const HEALTH = [
  ['generator_cpu', (_, { generator }) => generator?.cpu],
  ['generator_event_loop', (_, { generator }) => generator?.eventLoopUtilization],
  ['generator_saturated', (_, { generator }) => generator?.saturated],
  ['generator_verdict', (_, { generator }) => generator?.verdict],
  ['generator_run_delay_ms', (_, { generator }) => generator?.runDelayMs],
  ['generator_blocked_ms', (_, { generator }) => generator?.blockedMs]
]

/** @type {Columns} of the run: the arrivals of responses; empty if only their reads are known */
const CLOCK = [
  ['arrival_share', (_, { clock }) => clock?.arrival],
  ['arrivals_shared', (_, { clock }) => clock?.shared],
  ...['average', 'p50', 'p95', 'p99', 'max'].map(lateOf)
]

/** @type {Columns} of the run */
const RESENT = [['resent', ({ resent }) => resent]]

/** @param {Record<string, any>} result */
function toCsv (result) {
  const parts = [
    { ...result, name: '' },
    ...namedRequests(result),
    ...stagesOf(result).map(stage => ({ ...stage, name: '' })),
    ...result.byScenario === undefined
      ? []
      : iterationRows(result).map(iterations =>
        ({ name: '', scenario: iterations.scenario, iterations, streams: iterations.streams }))
  ]
  const columns = [
    ...RUN,
    ...NAME,
    ...FIGURES,
    ...STAGE,
    ...HEALTH,
    ...columnsOf('parts'),
    ...columnsOf('times'),
    ...TRANSPORT,
    ...columnsOf('end'),
    ...columnsOf('last'),
    ...RESENT,
    ...CLOCK
  ]
  const head = columns.map(([column]) => column)
  const rows = parts.map(figures => columns.map(([, read]) => read(figures, result)))
  return [head, ...rows].map(row => row.map(cell).join(',') + '\r\n').join('')
}

/** @param {unknown} value printable */
function cell (value) {
  if (typeof value !== 'string') {
    return value === undefined || value === null || Number.isNaN(value) ? '' : String(value)
  }
  // A spreadsheet would run such a text as a formula.
  const text = /^[=+\-@]/.test(value) ? "'" + value : value
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

module.exports = { toCsv }
