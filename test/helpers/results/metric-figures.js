'use strict'

// What a test compares of the metrics of a run with its results: each total, as a result has it.

const { printable } = require('../../../lib/core/foreign-text')

/** @typedef {import('./exposition').Family} Family */

/** What is counted of messages over WebSocket. */
const OF_MESSAGES = ['opened', 'sent', 'received', 'unmatched', 'late']

/**
 * @param {Map<string, Family>} families as a scraper gets them, in either format
 * @param {Record<string, string>} [only] labels that samples have to have
 */
function readFigures (families, only = {}) {
  const all = [...families.values()].flatMap(({ samples }) => samples).filter(({ labels }) => Object.entries(only).every(([name, value]) => labels[name] === value))
  /** @param {string} name @param {string[]} by */
  const table = (name, ...by) => Object.fromEntries(all.filter(sample => sample.name === name && sample.value > 0).map(({ labels, value }) => [by.map(label => labels[label] ?? '').join(' · '), value]))
  /** @param {string} name */
  const total = name => all.filter(sample => sample.name === name).reduce((sum, { value }) => sum + value, 0)
  return {
    sent: total('autocannon_sent_total'),
    resent: total('autocannon_resent_total'),
    fates: table('autocannon_requests_total', 'outcome'),
    statuses: table('autocannon_responses_total', 'http_response_status_code'),
    errors: table('autocannon_errors_total', 'error_type'),
    failures: total('autocannon_failures_total'),
    bytes: total('autocannon_received_bytes_total'),
    latencies: total('http_client_request_duration_seconds_count'),
    services: total('autocannon_service_time_seconds_count'),
    firstBytes: total('autocannon_time_to_first_byte_seconds_count'),
    checks: table('autocannon_checks_total', 'check', 'request', 'result'),
    named: table('autocannon_named_responses_total', 'request', 'http_response_status_code'),
    namedErrors: table('autocannon_named_errors_total', 'request'),
    namedLatencies: table('autocannon_named_duration_seconds_count', 'request'),
    messages: Object.fromEntries(OF_MESSAGES.map(what => [what, total(`autocannon_websocket_${what}_total`)])),
    refused: table('autocannon_websocket_refused_total', 'http_response_status_code'),
    closed: table('autocannon_websocket_closed_total', 'close_code'),
    pings: total('autocannon_websocket_ping_seconds_count'),
    ages: total('autocannon_websocket_message_age_seconds_count'),
    streams: { ...table('autocannon_streams_total', 'outcome'), events: total('autocannon_stream_events_total'), reconnects: total('autocannon_stream_reconnects_total') },
    tokens: table('autocannon_completion_usage_tokens_total', 'token_type'),
    thresholds: table('autocannon_threshold_state', 'threshold', 'state'),
    runs: total('autocannon_runs_total'),
    ms: Math.round(total('autocannon_measured_seconds_total') * 1000)
  }
}

/** @param {any[]} results of runs that add up @returns {ReturnType<typeof readFigures>} */
readFigures.of = results => {
  /** @param {(result: any) => Array<[string, number]>} entriesOf */
  const table = entriesOf => {
    /** @type {Record<string, number>} */
    const sums = {}
    for (const [key, n] of results.flatMap(entriesOf)) if (n > 0) sums[key] = (sums[key] ?? 0) + n
    return sums
  }
  /** @param {(result: any) => number} of */
  const total = of => results.reduce((sum, result) => sum + of(result), 0)
  const NAMES = { completed: 'completed', timedOut: 'timed_out', failed: 'failed', abandoned: 'abandoned' }
  const last = results.at(-1)
  return {
    sent: total(result => result.requests.sent),
    resent: total(result => result.resent),
    fates: table(({ fates }) => Object.entries(NAMES).map(([key, name]) => [name, fates[key]])),
    // Messages have none.
    statuses: table(({ statusCodeStats, websocket, requests }) => websocket !== undefined ? [['', requests.total]] : Object.entries(statusCodeStats).map(([status, { count }]) => [status, count])),
    errors: table(({ errorCodes }) => Object.entries(errorCodes)),
    failures: total(result => result.failures),
    bytes: total(result => result.throughput?.total ?? 0),
    latencies: total(result => result.latency.totalCount),
    services: total(result => result.serviceTime.totalCount),
    firstBytes: total(result => result.ttfb.totalCount),
    checks: table(({ checks }) => checks.flatMap((/** @type {any} */ { name, request = '', passed, failed }) => [[[name, printable(request), 'passed'].join(' · '), passed], [[name, printable(request), 'failed'].join(' · '), failed]])),
    named: table(({ byRequest }) => Object.entries(byRequest).flatMap(([name, { statusCodeStats }]) => Object.entries(statusCodeStats).map(([status, { count }]) => [`${printable(name)} · ${status}`, count]))),
    namedErrors: table(({ byRequest }) => Object.entries(byRequest).map(([name, { errors }]) => [printable(name), errors])),
    namedLatencies: table(({ byRequest }) => Object.entries(byRequest).map(([name, { latency }]) => [printable(name), latency.totalCount])),
    messages: Object.fromEntries(OF_MESSAGES.map(what => [what, total(({ websocket }) => websocket?.[what] ?? 0)])),
    refused: table(({ websocket }) => Object.entries(websocket?.refused ?? {})),
    closed: table(({ websocket }) => Object.entries(websocket?.closed ?? {})),
    pings: total(({ websocket }) => websocket?.ping.totalCount ?? 0),
    ages: total(({ websocket }) => websocket?.age.totalCount ?? 0),
    streams: { ...table(({ streams }) => ['opened', 'completed', 'closed', 'truncated'].map(what => [what, streams?.[what] ?? 0])), events: total(({ streams }) => streams?.events ?? 0), reconnects: total(({ streams }) => streams?.reconnects ?? 0) },
    tokens: table(({ streams }) => streams?.tokens === undefined ? [] : [['output', streams.tokens.total], ['prompt', streams.tokens.prompt ?? 0]]),
    thresholds: Object.fromEntries(last.thresholds.map((/** @type {any} */ { expression, passed }) => [`${expression} · ${passed === null ? 'unknown' : passed ? 'passed' : 'failed'}`, 1])),
    runs: results.length,
    ms: Math.round(total(result => result.duration) * 1000)
  }
}

module.exports = { readFigures }
