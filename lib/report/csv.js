'use strict'

// Owns the result as CSV (RFC 4180): a head, a row for the whole run, and one for each named request, each stage and each scenario. Files of several
// runs can be put together: all have the same columns.

const { cutList, namedRequests, roundsRows, stagesOf } = require('../figures/parts')
const { round } = require('../units')

/** @type {Array<[column: string, (result: any) => unknown]>} of the run */
const RUN = [
  ['title', ({ title }) => title],
  ['url', ({ url = [] }) => [url].flat().join(' ')],
  ['start', ({ start }) => start === undefined ? undefined : new Date(start).toISOString()],
  ['duration_s', ({ duration }) => duration],
  ['connections', ({ connections }) => connections],
  ['pipelining', ({ pipelining }) => pipelining],
  // An option says how many each agent has, if it says so.
  ['workers', ({ workers, agents }) => agents?.reduce((/** @type {number} */ sum, /** @type {any} */ { workers }) => sum + workers, 0) ?? workers],
  ['target_rate', ({ rate }) => rate?.target],
  ['achieved_rate', ({ rate }) => rate?.achieved]
]

/** @type {Array<[column: string, (figures: any) => unknown]>} of the run or of a named request; empty where there is none */
const FIGURES = [
  ['requests', ({ count, requests }) => requests?.total ?? count],
  ['requests_per_s', ({ requests, perSecond }) => requests?.average ?? (perSecond && round(perSecond))],
  ['failures', ({ failures }) => failures],
  ['errors', ({ errors }) => errors],
  ['timeouts', ({ timeouts }) => timeouts],
  ['mismatches', ({ mismatches }) => mismatches],
  ['2xx', ({ count, non2xx, ...figures }) => figures['2xx'] ?? (count === undefined ? undefined : count - non2xx)],
  ['non2xx', ({ non2xx }) => non2xx],
  ['checks_failed', ({ checks }) => checks?.reduce((/** @type {number} */ sum, /** @type {any} */ { failed }) => sum + failed, 0)],
  ['bytes', ({ throughput, bytes }) => throughput?.total ?? bytes],
  ['bytes_per_s', ({ throughput }) => throughput?.average],
  ...['latency', 'ttfb'].flatMap(name => ['average', 'stddev', 'min', 'p50', 'p75', 'p90', 'p95', 'p97_5', 'p99', 'p99_9', 'p99_99', 'max'].map(key =>
    /** @type {[string, (figures: any) => unknown]} */ ([`${name}_${key}_ms`, figures => figures[name]?.totalCount === 0 ? undefined : figures[name]?.[key]])))
]

/** @type {Array<[column: string, (figures: any) => unknown]>} empty where it is no stage */
const STAGE = [
  ['stage', ({ number }) => number],
  ['stage_name', ({ own }) => own],
  ['stage_from_s', ({ number, from }) => number && from],
  ['stage_to_s', ({ number, to }) => number && to],
  ['stage_target_start', ({ target }) => target?.start],
  ['stage_target_end', ({ target }) => target?.end],
  ['stage_target_unit', ({ target }) => target?.unit],
  ['stage_target', ({ number, target, rate, rounds = rate }) => number && (rounds === undefined ? target.end : rounds.target)],
  ['stage_achieved', ({ number, rate, rounds = rate, connections }) => number && (rounds === undefined ? connections : rounds.achieved)]
]

/** @type {Array<[column: string, (figures: any) => unknown]>} of the rounds of a scenario, of the run, or as far as it has them of a stage; empty where there are none */
const ROUNDS = [
  ['scenario', ({ scenario }) => scenario],
  ['rounds_started', ({ rounds }) => rounds?.started],
  ['rounds_completed', ({ rounds }) => rounds?.completed],
  ['rounds_cut', ({ rounds }) => rounds?.cut],
  ['rounds_cut_by', ({ rounds }) => rounds?.cutBy && cutList(rounds.cutBy)],
  ['rounds_unfinished', ({ rounds }) => rounds?.unfinished],
  ['rounds_per_s', ({ rounds }) => rounds?.perSecond],
  ...['duration', 'active'].flatMap(name => ['average', 'p50', 'p95', 'p99', 'max'].map(key =>
    /** @type {[string, (figures: any) => unknown]} */ ([`round_${name}_${key}_ms`, ({ rounds }) => rounds?.[name]?.totalCount > 0 ? rounds[name][key] : undefined]))),
  ['rounds_target_per_s', ({ rounds }) => rounds?.target],
  ['rounds_achieved_per_s', ({ rounds }) => rounds?.achieved],
  ['rounds_due', ({ rounds }) => rounds?.due],
  ['rounds_waited', ({ rounds }) => rounds?.waited],
  ['rounds_never_started', ({ rounds }) => rounds?.neverStarted]
]

/** @type {Array<[column: string, (figures: any) => unknown]>} of the run; empty where nothing was sent over TLS */
const HANDSHAKES = [
  ['handshakes', ({ handshakes }) => handshakes?.count],
  ['handshakes_per_s', ({ handshakes }) => handshakes?.perSecond],
  ['handshakes_resumed', ({ handshakes }) => handshakes?.resumed],
  ...['average', 'p50', 'p95', 'p99', 'max'].map(key => /** @type {[string, (figures: any) => unknown]} */ ([`handshake_${key}_ms`, ({ handshakes }) => handshakes?.count > 0 ? handshakes.latency[key] : undefined]))
]

/** @type {Array<[column: string, (result: any) => unknown]>} of the run: by which way requests went, and from where */
const WAY = [
  ['http', ({ http }) => http],
  ['client', ({ client }) => client],
  ['proxy', ({ options }) => options?.proxy],
  ['agents', ({ agents }) => agents?.length],
  ['agents_lost', ({ agents }) => agents?.filter((/** @type {any} */ { lost }) => lost !== null).length]
]

/** @type {Array<[column: string, (figures: any) => unknown]>} of the run, or of a stage; empty where no server was watched */
const SERVER = /** @type {const} */ ([
  ['cpu', 'cpu'], ['rss', 'rss_bytes'], ['processes', 'processes'], ['threads', 'threads'], ['files', 'files'], ['eventLoopUtilization', 'event_loop'], ['eventLoopDelay', 'event_loop_delay_ms'], ['heapUsed', 'heap_bytes'], ['gc', 'gc']
]).flatMap(([key, name]) => /** @type {const} */ (['average', 'max']).map(which => /** @type {[string, (result: any) => unknown]} */ ([`server_${name}${which === 'max' ? '_max' : ''}`, ({ server }) => server?.[key]?.[which]])))

/** @type {Array<[column: string, (result: any) => unknown]>} */
const HEALTH = [
  ['generator_cpu', ({ generator }) => generator?.cpu],
  ['generator_event_loop', ({ generator }) => generator?.eventLoopUtilization],
  ['generator_saturated', ({ generator }) => generator?.saturated],
  ['generator_verdict', ({ generator }) => generator?.verdict],
  ['generator_run_delay_ms', ({ generator }) => generator?.runDelayMs],
  ['generator_blocked_ms', ({ generator }) => generator?.blockedMs]
]

/** @type {Array<[column: string, (result: any) => unknown]>} of the run: how its responses were timed; empty where only their reads are known */
const CLOCK = [
  ['arrival_share', ({ clock }) => clock?.arrival],
  ['arrivals_shared', ({ clock }) => clock?.shared],
  ...['average', 'p50', 'p95', 'p99', 'max'].map(key => /** @type {[string, (result: any) => unknown]} */ ([`read_late_${key}_ms`, ({ clock }) => clock?.late?.[key]]))
]

/** @type {Array<[column: string, (figures: any) => unknown]>} of the run; empty in other rows, as nobody counts it there */
const RESENT = [['resent', ({ resent }) => resent]]

/**
 * @param {Record<string, any>} result
 * @returns {string}
 */
function toCsv (result) {
  const parts = [{ ...result, name: '' }, ...namedRequests(result), ...stagesOf(result).map(stage => ({ ...stage, name: '' })), ...result.byScenario === undefined ? [] : roundsRows(result).map(rounds => ({ name: '', scenario: rounds.scenario, rounds }))]
  const rows = parts.map(({ name, ...figures }) => [
    ...RUN.map(([, read]) => read(result)), name, ...[...FIGURES, ...STAGE].map(([, read]) => read(figures)), ...HEALTH.map(([, read]) => read(result)), ...[...ROUNDS, ...HANDSHAKES].map(([, read]) => read(figures)), ...WAY.map(([, read]) => read(result)), ...SERVER.map(([, read]) => read('number' in figures ? figures : result)), ...RESENT.map(([, read]) => read(figures)), ...CLOCK.map(([, read]) => read(result))
  ])
  const head = [...RUN.map(([column]) => column), 'request', ...[...FIGURES, ...STAGE, ...HEALTH, ...ROUNDS, ...HANDSHAKES, ...WAY, ...SERVER, ...RESENT, ...CLOCK].map(([column]) => column)]
  return [head, ...rows].map(row => row.map(cell).join(',') + '\r\n').join('')
}

/** @param {unknown} value printable */
function cell (value) {
  if (typeof value !== 'string') return value === undefined || value === null || Number.isNaN(value) ? '' : String(value)
  // A spreadsheet runs a text that begins like this as a formula.
  const text = /^[=+\-@]/.test(value) ? "'" + value : value
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

module.exports = { toCsv }
