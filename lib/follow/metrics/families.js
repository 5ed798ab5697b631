'use strict'

// The table of metrics: names, units, labels and sources, for Prometheus, OpenTelemetry and the docs. Names follow
// OpenTelemetry and its semantic conventions for HTTP clients.

const { VERDICTS } = require('../../instruments/generator/verdict')
const { cut, printable } = require('../../core/foreign-text')
const { INSTRUMENTS } = require('../../instruments')
const { counter, gauge, histogram, updown } = require('./family')

/**
 * @typedef {Record<string, string>} Labels
 * @typedef {import('../../record/histogram').Histogram} Histogram
 * @typedef {number | Histogram} Value histograms in µs
 * @typedef {[labels: Labels, value: Value | null | undefined]} Point a null value is omitted
 *
 * @typedef {object} Source the current state of a run
 * @property {import('../../record/totals').Totals} totals
 * @property {Record<string, any> | null} result so far, or at the end
 * @property {{ connections: number, inFlight: number }} gauges
 * @property {boolean} isOver
 * @property {number} runs the number of ended runs, including this one
 * @property {number} elapsed s
 * @property {Labels} server labels of the target, if there is only one
 *
 * @typedef {object} Family
 * @property {string} name
 * @property {'counter' | 'updown' | 'gauge' | 'histogram'} type counters and histograms are summed over the runs of a
 *   command; updown is a current count, which Prometheus calls a gauge
 * @property {string} unit in UCUM; empty for counts
 * @property {ReadonlyArray<string>} labels
 * @property {string} help
 * @property {(source: Source) => Point[] | Value | null | undefined} read a value that has no labels, or points
 */

/** Longer labels are cut, because each series keeps its labels in memory. */
const LONGEST = 200

const STATES = Object.freeze(Object.entries({ passed: true, failed: false, unknown: null }))

const OF_SERVER = { labels: ['server.address', 'server.port'] }
const BY_REQUEST = { labels: ['request'] }

/** The families of instruments. @type {Family[]} */
const MEASURED = Object.values(INSTRUMENTS).flatMap((/** @type {any} */ { families }) => families?.() ?? [])

/** @type {ReadonlyArray<Family>} */
const FAMILIES = Object.freeze([
  histogram('http.client.request.duration', 'Latency of requests that completed or timed out. With a rate, it ' +
    'starts when a request is due.',
  ({ totals, server }) => [[server, totals.distributions.latency]], OF_SERVER),
  updown('http.client.active_requests', 'Requests in flight.',
    ({ gauges, server, isOver }) => [[server, isOver ? 0 : gauges.inFlight]], OF_SERVER),
  updown('http.client.open_connections', 'Open connections.',
    ({ gauges, server, isOver }) => [[server, isOver ? 0 : gauges.connections]], OF_SERVER),
  histogram('autocannon.service_time', 'From the write of a request to the last byte of its response.',
    ({ totals }) => totals.distributions.serviceTime),
  histogram('autocannon.time_to_first_byte', 'From the write of a request to the first byte of its response.',
    ({ totals }) => totals.distributions.ttfb),
  histogram('autocannon.read_late', 'From the arrival of a response in the kernel to its read: the latency error ' +
    'that arrival times avoid. Native sockets only.',
  ({ totals }) => totals.arrived > 0 ? totals.distributions.late : null),
  counter('autocannon.timed_by_arrival', 'Responses with a latency that ends at their arrival in the kernel, of all ' +
    'completed requests.', ({ totals }) => totals.arrived > 0 ? totals.arrived : null),
  histogram('autocannon.connect.duration', 'Time to open a connection: DNS, TCP and TLS.',
    ({ totals }) => totals.distributions.connect),
  ...MEASURED,
  counter('autocannon.sent', 'Requests that were sent.', ({ totals }) => totals.sent),
  counter('autocannon.resent', 'Requests that were sent again because the server closed the connection. The server ' +
    'received up to sent + resent requests.', ({ totals }) => totals.resent),
  counter('autocannon.requests', 'Requests by outcome: completed, timed_out, failed, or abandoned when the run ' +
    'ended.', ({ totals: { completed, timedOut, failed, abandoned } }) => byLabel('outcome', {
    completed, timed_out: timedOut, failed, abandoned
  }), { labels: ['outcome'] }),
  counter('autocannon.responses', 'Responses by status.',
    ({ totals: { statuses } }) => Object.entries(statuses).map(([status, n]) => [labelsOfStatus(status), n]),
    { labels: ['http.response.status_code'] }),
  counter('autocannon.failures', 'Failed requests: no response, an unexpected 4xx or 5xx, or a failed check.',
    ({ totals }) => totals.failures),
  counter('autocannon.errors', 'Errors by code.',
    ({ totals }) => byLabel('error.type', totals.errorCodes), { labels: ['error.type'] }),
  counter('autocannon.received', 'Bytes read.',
    ({ totals, result }) => result?.throughput === null ? null : totals.bytes, { unit: 'By' }),
  counter('autocannon.late', 'With a rate: requests that waited for a free connection when they were due.',
    ({ totals, result }) => result?.rate && totals.late),
  counter('autocannon.unsent', 'With a rate: requests that were due but not sent when the run ended.',
    ({ totals, result }) => result?.rate && totals.unsent),
  gauge('autocannon.rate.target', 'Mean target rate in requests per second.',
    ({ result }) => result?.rate?.target, { unit: '{request}/s' }),
  gauge('autocannon.rate.achieved', 'Mean achieved rate in requests per second.',
    ({ result }) => result?.rate?.achieved, { unit: '{request}/s' }),
  counter('autocannon.checks', 'Responses by the result of a check: passed or failed. Without a request label, the ' +
    'check applies to all requests without their own.',
  ({ result }) => each(result?.checks, ({ name, request, passed, failed }) =>
    byLabel('result', { passed, failed }, { check: name, ...request !== undefined && { request } })),
  { labels: ['check', 'request', 'result'] }),
  gauge('autocannon.threshold.state', 'State of a threshold: 1 for the current state (passed, failed or unknown), 0 ' +
    'for the others.',
  ({ result }) => each(result?.thresholds, ({ expression, passed }) => STATES.map(([state, value]) =>
    [{ threshold: expression, state }, passed === value ? 1 : 0])),
  { labels: ['threshold', 'state'] }),
  counter('autocannon.named.responses', 'Responses to named requests, by status.',
    ({ totals }) => named(totals, ({ name, statuses }) =>
      Object.entries(statuses).map(([status, n]) => [{ request: name, ...labelsOfStatus(status) }, n])),
    { labels: ['request', 'http.response.status_code'] }),
  counter('autocannon.named.errors', 'Named requests that failed or timed out.',
    ({ totals }) => named(totals, ({ name, errors }) => [[{ request: name }, errors]]), BY_REQUEST),
  counter('autocannon.named.failures', 'Failed named requests.',
    ({ totals }) => named(totals, ({ name, failures }) => [[{ request: name }, failures]]), BY_REQUEST),
  histogram('autocannon.named.duration', 'Latency of named requests.',
    ({ totals }) => named(totals, ({ name, latency }) => [[{ request: name }, latency]]), BY_REQUEST),
  gauge('autocannon.generator.verdict', 'State of the load generators so far: 1 for the current state (healthy, ' +
    'busy, starved or saturated), 0 for the others.',
  ({ result }) => result?.generator.verdict == null
    ? []
    : VERDICTS.map(verdict => [{ verdict }, result.generator.verdict === verdict ? 1 : 0]),
  { labels: ['verdict'] }),
  gauge('autocannon.generator.cpu', 'Share of a core that the busiest load generator uses, idle polling of an even ' +
    'pace included.', ({ result }) => result?.generator.cpu, { unit: '1' }),
  gauge('autocannon.generator.cores', 'Cores that all load generators use together.',
    ({ result }) => result?.generator.cpuTotal),
  gauge('autocannon.generator.event_loop.utilization', 'Event loop utilization of the busiest load generator, ' +
    'without idle polling.', ({ result }) => result?.generator.eventLoopUtilization, { unit: '1' }),
  gauge('autocannon.generator.lag', 'Delay of the load generators: with a rate, of their requests; otherwise of ' +
    'their event loops. p50, p99 and max.',
  ({ result }) => result === null
    ? []
    : ['p50', 'p99', 'max'].map(percentile => [{ percentile }, result.generator.lag[percentile] / 1000]),
  { unit: 's', labels: ['percentile'] }),
  gauge('autocannon.server.cpu', 'Cores that all processes of the watched server use together.', serverFigure('cpu')),
  gauge('autocannon.server.memory', 'Memory (RSS) of all processes of the watched server.',
    serverFigure('rss'), { unit: 'By' }),
  gauge('autocannon.server.processes', 'Processes of the watched server.', serverFigure('processes')),
  gauge('autocannon.server.threads', 'Threads of the watched server.', serverFigure('threads')),
  gauge('autocannon.server.open_files', 'Open files of the watched server, sockets included.', serverFigure('files')),
  gauge('autocannon.server.event_loop.utilization', 'Event loop utilization of the busiest Node.js process of ' +
    '--on-port.', serverFigure('eventLoopUtilization'), { unit: '1' }),
  gauge('autocannon.server.event_loop.delay', 'Mean delay of its timers.',
    serverFigure('eventLoopDelay', 1000), { unit: 's' }),
  gauge('autocannon.server.heap', 'The largest heap of a Node.js process of --on-port.',
    serverFigure('heapUsed'), { unit: 'By' }),
  gauge('autocannon.server.gc', 'Share of time in garbage collection.', serverFigure('gc'), { unit: '1' }),
  counter('autocannon.runs', 'Runs that have ended: several with -f and versus.', ({ runs }) => runs),
  counter('autocannon.measured', 'Measured time, without excluded parts.', ({ elapsed }) => elapsed, { unit: 's' }),
  gauge('autocannon.running', '1 during a run.', ({ isOver }) => isOver ? 0 : 1)
])

/** Messages over WebSocket have no status. @type {(status: string) => Labels} */
function labelsOfStatus (status) {
  return status === '0' ? {} : { 'http.response.status_code': status }
}

/**
 * @param {keyof import('../../instruments/server/result').ServerPoint} key
 * @param {number} [divisor]
 * @returns {Family['read']} the figures of a watched server in the last point of the series
 */
function serverFigure (key, divisor = 1) {
  return ({ result }) => {
    const value = result?.series?.at(-1)?.server?.[key]
    return value == null ? null : value / divisor
  }
}

/**
 * @type {(label: string, counts: Record<string, number>, others?: Labels) => Point[]} returns a point for each of the
 *   counts
 */
const byLabel = (label, counts, others) => Object.entries(counts).map(([key, n]) => [{ ...others, [label]: key }, n])

/** @param {Array<Record<string, any>> | undefined} list @param {(one: Record<string, any>) => Point[]} pointsOf */
function each (list = [], pointsOf) {
  return list.flatMap(pointsOf)
}

/**
 * @param {import('../../record/totals').Totals} totals
 * @param {(tally: import('../../instruments/requests/record').RequestTally) => Point[]} pointsOf
 */
function named ({ instruments }, pointsOf) {
  return Array.from(instruments.requests.tallies.values(), pointsOf).flat()
}

/**
 * Returns points with printable labels.
 * @type {(family: Family, source: Source, beside: Labels) => Array<{ labels: Labels, value: Value }>}
 */
function readFamily (family, source, beside) {
  const found = family.read(source)
  const points = Array.isArray(found) ? found : [/** @type {Point} */([{}, found])]
  return points.flatMap(([labels, value]) => value == null || Number.isNaN(value)
    ? []
    : [{
        labels: Object.fromEntries(
          Object.entries({ ...beside, ...labels }).map(([name, text]) => [name, cut(printable(text), LONGEST)])
        ),
        value
      }])
}

/** The label for the compared server, base or new. */
const SIDE = 'side'

/** Labels of families, which are reserved: a tag must have another name. */
const LABELS = Object.freeze([...new Set([SIDE, 'le', ...FAMILIES.flatMap(({ labels }) => labels)])])

/** Returns whether the values of runs are summed. @type {(family: Family) => boolean} */
function addsUp ({ type }) {
  return type === 'counter' || type === 'histogram'
}

module.exports = { FAMILIES, addsUp, LABELS, SIDE, readFamily }
