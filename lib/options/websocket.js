'use strict'

// Options of WebSocket: their part of a plan, and the ws:// URL that they need. protocols/websocket/rules has the
// options that they exclude.

const { traitsIn } = require('../protocols/protocol')
const { entriesIn } = require('./requests/requests')
const { hasExpression, hasExpressionWithin } = require('../requests/expression')
const { problemAt } = require('../core/problem')
const { setAmong } = require('./table')

/** They mean nothing without messages. */
const OF_MESSAGES = ['match', 'receive', 'age', 'ping', 'subprotocol']

/** @type {(values: import('./normalize').Values) => boolean} */
const hasMessages = values => traitsIn(values).hasMessages === true

/** The parts of a handshake: a URL, in a list, and headers. */
const OF_HANDSHAKE = ['url', 'headers']
const DEEPEST = 3

/** Each gives a message. */
const BODIES = ['body', 'input', 'dataBody', 'jsonBody']

/** @type {(values: import('./normalize').Values) => boolean} */
const sendsMessages = values => BODIES.some(name => (values[name] ?? null) !== null) || entriesIn(values).length > 0

/** @type {(values: import('./normalize').Values) => import('./plan').WebSocketPlan | null} */
function planWebSocket (values) {
  if (!hasMessages(values)) return null
  const { match, receive, age, ping, subprotocol, stall, compressed } = values
  return Object.freeze({
    match: typeof match === 'object' ? 'next' : match,
    subprotocols: Object.freeze(subprotocol ?? []),
    pingMs: ping === undefined ? null : ping * 1000,
    receives: receive,
    listens: !sendsMessages(values),
    age: age ?? null,
    stallMs: stall * 1000,
    deflates: compressed
  })
}

/** @type {import('./normalize').Rules} */
function aboutMessages (values, call) {
  if (hasMessages(values)) {
    const problems = OF_HANDSHAKE.filter(name => hasExpressionWithin(values[name], DEEPEST)).map(name =>
      problemAt(call, name, 'expected no template, got one: the handshake is the same on each connection. User ' +
        'functions open WebSockets with headers and paths of their own: docs/user-functions.md'))
    if (values.age !== undefined && !values.receive) {
      problems.push(problemAt(call, 'age', `expected ${call('receive')} as well, got none: messages that respond to ` +
        'something have a latency'))
    }
    return problems
  }
  const example = values.onPort ? `${call('onPort')} ws://localhost/chat` : 'ws://localhost:3000/chat'
  const given = values.url === undefined || values.onPort ? 'none' : 'an HTTP URL'
  return setAmong(values, OF_MESSAGES).map(name => problemAt(call, name,
    `expected a WebSocket URL such as ${example}, got ${given}: only WebSockets have messages and pings`))
}

/** Metrics that no message has, and why. @type {Readonly<Record<string, string>>} */
const NOT_OF_MESSAGES = Object.freeze({ non2xx: 'a message has no status', resent: 'a message is sent once' })

/** Metrics of sent messages, or of their responses. */
const OF_SENT = new Set(['responses', 'timeouts', 'mismatches', 'failedChecks', 'passedChecks', 'lateMessages'])

/**
 * @param {import('../judge/threshold').Threshold['metric']} metric
 * @param {import('./normalize').Values} values of a run over WebSocket
 * @param {import('../core/problem').Call} call
 * @returns {string | null} why the run would have no such figure; null where it has
 */
function problemOfMetric ({ row, unit }, values, call) {
  const { of = '', time } = row
  const { receive, match } = values
  if (Object.hasOwn(NOT_OF_MESSAGES, of)) return `${NOT_OF_MESSAGES[of]}, so it is not counted`
  if (of === 'unmatched' && receive) {
    return `with ${call('receive')} messages that respond to nothing are those of the server: use events/s`
  }
  if (!sendsMessages(values) && (OF_SENT.has(of) || (unit === 'ms' && time === undefined))) {
    return 'connections that listen only send no message: use ' +
      (unit === 'ms' ? 'gap p99 or first event p99' : 'events/s or events') + `, or give ${call('body')}`
  }
  return of === 'lateMessages' && match === 'next'
    ? `responses in order have no late ones: use timeouts, or ${call('match')} 'json id'`
    : null
}

/** @type {(text: string) => unknown} undefined for none */
function jsonIn (text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * @param {import('./normalize').Values} values
 * @returns {string[]} that several messages in flight have the same id; empty when that is not known beforehand
 */
function repeatedIds (values) {
  const { match, pipelining } = values
  if (!hasMessages(values) || pipelining === 1 || typeof match !== 'string' || match === 'next') return []
  const bodies = [
    ...BODIES.map(name => values[name]), ...entriesIn(values).map(([, { body }]) => body)
  ].filter(body => body !== undefined && body !== null)
  if (!bodies.every(body => typeof body === 'string' && !hasExpression(body))) return []
  const { parseJsonPath, valueAt } = require('../requests/json-path')
  const steps = parseJsonPath(match.replace(/^json /, ''))
  const ids = new Set(bodies.map(body => valueAt(jsonIn(body), steps)))
  // A message without one ends the run.
  return ids.size >= pipelining || ids.has(undefined)
    ? []
    : [`messages in flight have the same value at the path of '${match}', so their responses are assigned in order: ` +
        'give each another one, such as {{counter}}']
}

module.exports = { aboutMessages, hasMessages, planWebSocket, problemOfMetric, repeatedIds }
