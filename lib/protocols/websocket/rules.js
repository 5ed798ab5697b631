'use strict'

// Options that cannot be combined with a WebSocket URL: those for HTTP requests, and those without an implementation.

const { problemAt } = require('../../core/problem')
const { OWN } = require('./handshake')

/** Options that give a message, or are rejected themselves. */
const BODIES = ['body', 'input', 'dataBody', 'jsonBody', 'bodyRaw', 'form']

/** Options that set the number of messages, beside the shapes of a load. */
const LOADS = [
  'amount', 'overallRate', 'connectionRate', 'reconnectRate', 'maxOverallRequests', 'maxConnectionRequests',
  'pipelining'
]

/** Options for the contents of messages or responses. */
const OF_SENT = [
  'idReplacement', 'match', 'expect', 'expectBody', 'expectJson', 'expectIncludes', 'check', 'verifyBody', 'onResponse'
]

/** Options without a meaning for messages, and the reason. @type {Readonly<Record<string, string>>} */
const REFUSED = Object.freeze({
  method: 'a message has no method',
  form: 'a message is a text or bytes; give it with the body',
  targets: 'a list of requests has methods and paths, which messages do not have',
  har: 'the requests of a HAR file are those of HTTP',
  stream: 'messages are no part of a response',
  client: 'undici sends requests of HTTP only here',
  dispatcher: 'undici sends requests of HTTP only here',
  redirects: 'a message is not redirected',
  cookies: 'cookies are headers of the handshake: give them with the headers',
  retries: 'a message is sent once',
  trace: 'a message has no headers',
  user: "give the URL with http:// or https://, and open a WebSocket in the function with await ws('/chat')",
  expectStatus: 'a message has no status',
  expectHeader: 'a message has no headers',
  bodyRaw: 'whether it is text or binary is not known; give it with the body'
})

/** Keys of an entry of requests. @type {Readonly<Record<string, string>>} */
const IN_ENTRIES = Object.freeze({
  method: REFUSED.method,
  path: 'all messages go to the URL of the run',
  url: 'all messages go to the URL of the run',
  headers: 'a message has no headers',
  json: REFUSED.form,
  form: REFUSED.form,
  multipart: REFUSED.form,
  retries: REFUSED.retries,
  stream: REFUSED.stream
})

/** Keys of an expectation. @type {Readonly<Record<string, string>>} */
const IN_EXPECTATIONS = Object.freeze({ status: REFUSED.expectStatus, headers: REFUSED.expectHeader })

/** @type {import('../protocol').Rules} */
function aboutWebSocket (values, call, { entries, set, shapes }) {
  const { url = [], headers = [], expect, receive } = values
  // The other rules are about messages of options, which a user function does not have.
  if (set(['user']).length > 0) return [refusal(call, 'user', REFUSED.user)]
  const [socket] = entries.filter(([, { ws }]) => ws !== undefined)
  if (socket !== undefined) {
    return [problemAt(call, `${socket[0]}.ws`, 'a WebSocket of an iteration needs a URL with http:// or https://: ' +
      'with a WebSocket URL, each connection is one, and requests are its messages, as in body: hello')]
  }
  const problems = set(Object.keys(REFUSED)).map(name => refusal(call, name, REFUSED[name]))
  if (values.http === 'auto') {
    problems.push(problemAt(call, 'http', 'expected 1.1 or 2 with a WebSocket URL, got auto: servers are not checked ' +
      'for WebSocket over HTTP/2'))
  }
  if (url.some((/** @type {string} */ one) => !/^wss?:/i.test(one))) {
    problems.push(problemAt(call, 'url', 'expected all of them to be ws:// or wss:// URLs, or none'))
  }
  for (const [name] of headers) {
    if (OWN.includes(name.toLowerCase())) {
      problems.push(problemAt(call, 'headers', `${name} belongs to the handshake: ` +
        (name.toLowerCase() === 'sec-websocket-protocol' ? `use ${call('subprotocol')}` : 'omit it')))
    }
  }
  problems.push(...within(call, 'expect', expect, IN_EXPECTATIONS))
  for (const [place, entry] of entries) {
    problems.push(
      ...within(call, place, entry, IN_ENTRIES), ...within(call, `${place}.expect`, entry.expect, IN_EXPECTATIONS)
    )
  }
  if (set(BODIES).length > 0 || entries.length > 0) return problems
  // With `stream`, the URL may be the mistake.
  if (!receive && set(['stream']).length === 0) {
    problems.push(problemAt(call, 'body', 'expected a message, got none: connections have nothing to send; ' +
      `${call('receive')} lets them listen only`))
  }
  // Stages of connections and, over HTTP/2, pipelining also apply to connections without messages.
  const isLoad = (/** @type {string} */ name) => name === 'stages'
    ? values.stages[0].rate !== undefined
    : name !== 'pipelining' || values.http !== '2'
  for (const name of set([...LOADS, ...shapes]).filter(isLoad)) {
    problems.push(problemAt(call, name, 'expected a message as well, got none: connections that listen only send ' +
      'nothing'))
  }
  for (const name of set(OF_SENT)) {
    problems.push(problemAt(call, name, 'expected a message as well, got none: connections that listen only have no ' +
      'responses'))
  }
  return problems
}

/**
 * @param {import('../../core/problem').Call} call
 * @param {string} place
 * @param {Record<string, any> | undefined | null} given
 * @param {Readonly<Record<string, string>>} refused
 * @returns {import('../../core/problem').Problem[]}
 */
function within (call, place, given, refused) {
  return Object.keys(refused).filter(key => (given?.[key] ?? null) !== null)
    .map(key => refusal(call, `${place}.${key}`, refused[key]))
}

/** @param {import('../../core/problem').Call} call @param {string} place @param {string} reason */
function refusal (call, place, reason) {
  return problemAt(call, place, `expected none with a WebSocket URL: ${reason}`)
}

module.exports = { aboutWebSocket }
