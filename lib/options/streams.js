'use strict'

// Options of streams: their part of a plan, and the options that they exclude.

const { problemAt } = require('../core/problem')
const { entriesIn, isPause } = require('./requests/requests')
const { inIterations, isPaced } = require('./load/load')
const { setAmong } = require('./table')
const { hasFlows, hasFunctions, hasSockets } = require('./users/user-rules')

/** They mean nothing without `stream`. */
const OF_STREAMS = ['streamFor', 'streamReconnect', 'events', 'stall', 'idleTimeout', 'checkEvent']

/** They are about all streams of a run alike, which user functions close one by one. */
const OF_EACH = ['streamFor', 'streamReconnect', 'events', 'checkEvent']

/** Options that compare a whole body, which is not kept of a stream. */
const OF_BODIES = ['expectBody', 'verifyBody', 'expectJson', 'expectIncludes']

/**
 * @param {import('./normalize').Values} values
 * @returns {import('./plan').StreamPlan | null} without a kind of users who open streams or WebSockets one by one
 */
function planStream (values) {
  const { stream, streamFor, streamReconnect, events, stall, idleTimeout, timeout } = values
  return stream === undefined && !hasFunctions(values) && !hasSockets(values)
    ? null
    : Object.freeze({
      kind: stream ?? null,
      openMs: streamFor === undefined ? null : streamFor * 1000,
      messages: events ?? null,
      stallMs: stall * 1000,
      idleMs: (idleTimeout ?? timeout) * 1000,
      reconnectMs: streamReconnect === undefined ? null : streamReconnect * 1000
    })
}

/**
 * @param {import('./normalize').Values} values
 * @returns {ReadonlyArray<import('../figures/goodput').Goodput> | null} each goodput in its thresholds once
 */
function goodputsOf ({ stream, thresholds = [] }) {
  /** @type {Map<string, import('../figures/goodput').Goodput>} */
  const all = new Map()
  for (const { metric: { row: { goodput } } } of thresholds) {
    if (goodput !== undefined) all.set(goodput.expression, goodput)
  }
  return stream === undefined || all.size === 0 ? null : Object.freeze([...all.values()])
}

/** @type {import('./normalize').Rules} */
function aboutStreams (values, call) {
  const { stream, http, pipelining, client } = values
  if (stream === undefined) {
    const isCode = hasFunctions(values)
    const isPushed = values.receive || hasSockets(values)
    const places = [
      ...isCode ? [] : setAmong(values, OF_STREAMS).filter(name => name !== 'stall' || !isPushed),
      ...values.expect?.events ? ['expect.events'] : [],
      ...entriesIn(values).flatMap(readersOfEvents)
    ]
    return [
      ...setAmong(values, isCode ? OF_EACH : []).map(name => problemAt(call, name, 'a user function leaves each ' +
        `stream itself, with break, and checks its events in the loop; omit ${call(name)}`)),
      ...places.map(place =>
        problemAt(call, place, `expected ${call('stream')} as well, got none: there are no streams`))
    ]
  }
  const problems = []
  if (pipelining > 1 && http !== '2') {
    problems.push(problemAt(call, ['stream', 'pipelining'], 'over HTTP/1.1 a stream takes its connection to itself, ' +
      `so ${call('pipelining')} has to be 1; use more connections, or ${call('http2')}`))
  }
  if (client === 'undici') {
    problems.push(problemAt(call, ['stream', 'client'], `undici reports no times of events; omit ${call('client')}`))
  }
  if (hasFunctions(values)) {
    problems.push(problemAt(call, ['stream', 'user'], 'a user function opens streams itself: use http.stream(path), ' +
      `and omit ${call('stream')}`))
  }
  for (const place of entriesIn(values).filter(([, entry]) => entry.stream === false).flatMap(readersOfEvents)) {
    problems.push(problemAt(call, place, 'the request has stream: false, so its response has no events; omit one of ' +
      'them'))
  }
  return [
    ...problems, ...aboutReconnects(values, call), ...aboutMethods(values, call), ...aboutBodies(values, call)
  ]
}

/** @type {import('./normalize').Rules} */
function aboutReconnects (values, call) {
  const { stream, streamReconnect } = values
  if (streamReconnect === undefined) return []
  if (stream !== 'sse') {
    return [problemAt(call, ['streamReconnect', 'stream'], `only Server-Sent Events have ids to continue from: use ${
      call('stream')} sse, or omit ${call('streamReconnect')}`)]
  }
  return [
    ...hasFlows(values)
      ? [problemAt(call, 'streamReconnect', 'scenarios with conditions, loops or parallel requests do not reconnect; ' +
        `omit ${call('streamReconnect')}`)]
      : [],
    ...isPaced(values) && inIterations(values) === null
      ? [problemAt(call, 'streamReconnect', 'a stream that has ended and a rate of requests each set when a request ' +
        `is sent: give a rate of iterations, such as ${call('rate')} '${values.rate?.number ?? 10} iterations/s'`)]
      : []
  ]
}

/**
 * @param {[place: string, entry: Record<string, any>]} entry of requests
 * @returns {string[]} the places of options that read events
 */
function readersOfEvents ([place, { checkEvent, expect, capture }]) {
  const captured = Object.entries(capture ?? {}).filter(([, { event }]) => event !== null)
  return [
    ...(checkEvent ?? null) === null ? [] : [`${place}.checkEvent`],
    ...(expect?.events ?? null) === null ? [] : [`${place}.expect.events`],
    ...captured.map(([name]) => `${place}.capture.${name}`)
  ]
}

/** @param {[place: string, entry: Record<string, any>]} entry of requests */
const isStreamed = ([, entry]) => entry.stream !== false && !isPause(entry)

/** @type {import('./normalize').Rules} */
function aboutMethods (values, call) {
  const { method } = values
  const entries = entriesIn(values)
  /** @type {Array<[string, unknown]>} */
  const all = entries.length === 0 && values.targets === undefined && values.har === undefined
    ? [['method', method]]
    : entries.filter(isStreamed).map(([place, entry]) => [`${place}.method`, entry.method ?? method])
  return all.filter(([, one]) => String(one).toUpperCase() === 'HEAD')
    .map(([place]) => problemAt(call, place, 'a response to HEAD has no body, so it is no stream; use another ' +
      `method, or omit ${call('stream')}`))
}

/** @type {import('./normalize').Rules} */
function aboutBodies (values, call) {
  /** @param {string} place */
  const refusal = place => problemAt(call, place, 'it compares a whole body, of which nothing is kept with ' +
    `${call('stream')}; omit one of them`)
  /** @type {(place: string, expect: any) => import('../core/problem').Problem[]} */
  const ofExpectation = (place, expect) => ['body', 'json'].filter(key => (expect?.[key] ?? null) !== null)
    .map(key => refusal(`${place}.${key}`))
  return [
    ...OF_BODIES.filter(name => (values[name] ?? null) !== null).map(name => refusal(name)),
    ...ofExpectation('expect', values.expect),
    ...entriesIn(values).filter(isStreamed).flatMap(([place, { expect }]) => ofExpectation(`${place}.expect`, expect))
  ]
}

module.exports = { aboutStreams, goodputsOf, planStream }
