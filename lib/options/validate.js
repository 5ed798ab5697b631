'use strict'

// Validates raw options and reports all problems at once: single options, unknown names, and rules across options.

const { OptionsError } = require('../core/errors')
const { hasFraming } = require('../requests/framing')
const { isRecord, show } = require('../core/foreign-text')
const { problemAt, problemWith, unplaced } = require('../core/problem')
const { withoutUserinfo } = require('../core/secrets')
const { suggest } = require('../core/suggest')
const { formatInteger } = require('../core/units')
const { PROTOCOLS } = require('../parts')
const { selectedBy, traitsIn } = require('../protocols/protocol')
const { SHAPED, arrivalsIn } = require('../shapes/shape')
const { derive, withExtent } = require('./derived')
const { aboutLoad, mostConnections } = require('./load/load')
const { aboutUsers, hasUsers, usersPerConnection } = require('./users/user-rules')
const { normalize } = require('./normalize')
const { KINDS, SOCKET_KINDS } = require('./requests/block-kinds')
const { REQUEST_KEYS } = require('./requests/request-fields')
const { aboutPauses, missingOrigins } = require('./requests/har-rules')
const { entriesIn, hasTemplates } = require('./requests/requests')
const { aboutStreams } = require('./streams')
const { aboutMessages, hasMessages } = require('./websocket')
const { ABOUT_AGENTS, ROUTE, TABLE, byName, setAmong } = require('./table')
const { aboutTls } = require('./net/tls')
const { aboutVerdicts } = require('./verdict-rules')

/** Options that each give a body. */
const BODIES = ['body', 'bodyRaw', 'input', 'data', 'jsonBody', 'form']

/**
 * Options that other rules depend on. While one of them is wrong itself, problems that follow from its absence are not
 * reported.
 */
const GROUNDS = [
  'scenarios', 'requests', 'har', 'data', 'initialContext', 'stages', 'rate', 'replay', 'pause', 'every', 'cookies',
  'redirects', 'retries'
]

/** Each is a row in the exchange table of its connection, which takes 24 bytes before the first request is sent. */
const MAX_IN_FLIGHT = 10_000_000

/**
 * @param {Record<string, unknown>} raw
 * @param {import('./normalize').Label} [label]
 * @param {Array<string | Problem>} [found] problems that are known already, which come first
 * @param {Readonly<Record<string, string | undefined>>} [env] variables of the environment, which options may name
 * @returns {{ values: import('./normalize').Values, warnings: string[] }} with a sentence for each ignored option
 * @throws {OptionsError}
 */
function validate (raw, label = option => option.name, found = [], env = {}) {
  if (!isRecord(raw)) throw new OptionsError([`expected an object of options, got ${show(raw)}`])
  const { values: each, placed: wrong } = normalize(raw, label)
  /** @type {Problem[]} */
  const problems = []
  const call = (/** @type {string} */ name) => label(option(name))
  // Without a prototype: env.constructor is no variable.
  const read = derive({ ...each, env: Object.assign(Object.create(null), env) }, { raw, call, problems })
  // Problems that follow from a wrong value are not reported.
  const isGrounded = !GROUNDS.some(name => isWrong(name, raw, each))
  /** @type {Problem[]} */
  const across = []
  const values = isGrounded ? withExtent(read, { raw, call, problems: across }) : read
  if (isGrounded) across.push(...acrossOptions(values, raw, call))
  const { misspelt, strange } = ignored(raw)
  const known = found.filter(one => typeof one === 'string')
  const all = [
    ...found.filter(one => typeof one !== 'string'), ...wrong,
    ...[...problems, ...across].map(({ place, text }) => ({ place, text: (label.at?.(place) ?? '') + text })),
    ...misspelt.map(unplaced)
  ]
  if (known.length + all.length > 0) throw new OptionsError([...known, ...inOrder(all, label)])
  return {
    values: Object.freeze(values.agents === undefined ? values : require('./net/agents').withRedis(values)),
    warnings: strange
  }
}

/**
 * @param {string} name of an option
 * @param {Record<string, unknown>} raw
 * @param {import('./normalize').Values} values
 * @returns {boolean} whether it is given, and no value
 */
function isWrong (name, raw, values) {
  return raw[name] !== undefined && raw[name] !== null && values[name] === undefined
}

/**
 * @param {import('./normalize').Values} values
 * @param {Record<string, unknown>} raw
 * @param {(name: string) => string} call how the user calls an option
 * @returns {Problem[]} one for each rule across options that is broken
 */
function acrossOptions (values, raw, call) {
  const problems = conflicts(values, call)
  if ((values.ui !== undefined || values.open || values.uiAllowRemote) && !isWrong('ui', raw, values)) {
    problems.push(...require('./ui').aboutUi(values, call))
  }
  if ((values.metricsLinger ?? values.tag) !== undefined) {
    problems.push(...require('./metrics').aboutMetrics(values, raw, call))
  }
  if (['agents', ...ABOUT_AGENTS].some(name => (raw[name] ?? null) !== null)) {
    problems.push(...require('./net/agents').aboutAgents(values, raw, call))
  }
  if (values.sticky && values.scenarios !== undefined) {
    problems.push(...require('./users/sticky').aboutSticky(values, call))
  }
  if (hasFraming(values.headers ?? []) || entriesIn(values).some(([, { headers }]) => (headers ?? null) !== null)) {
    problems.push(...require('./requests/framing-rules').aboutFraming(values, call))
  }
  if (hasTemplates(values)) problems.push(...require('./requests/templates').aboutTemplates(values, call))
  return problems
}

/** @typedef {import('../core/problem').Problem} Problem */

/** Where each option is in the table. @type {Map<string, number>} */
const rows = new Map(TABLE.map(({ name }, i) => [name, i]))

/**
 * @param {Problem[]} problems
 * @param {import('./normalize').Label} label
 * @returns {string[]} by line in a config, otherwise in the order of the table; each once
 */
function inOrder (problems, { lineOf = () => 0 }) {
  // The options of experiments come first.
  const rowOf = (/** @type {string} */ place) =>
    place === '' ? TABLE.length : rows.get(place.split(/[.[]/, 1)[0]) ?? -1
  const sorted = problems.map(({ place, text }) => ({
    line: place === '' ? 0 : lineOf(place), row: rowOf(place), text
  }))
  return [...new Set(sorted.sort((a, b) => a.line - b.line || a.row - b.row).map(({ text }) => text))]
}

/** A getter is not called, as it may throw. @type {(raw: object, name: string) => unknown} */
const valueOf = (raw, name) => Object.getOwnPropertyDescriptor(raw, name)?.value

/**
 * @param {Record<string, any>} raw
 * @returns {{ misspelt: string[], strange: string[] }} a sentence for each name that has no effect on a run: a misspelt
 *   one is near to a known one, and a program that shares its options with others may have strange ones
 */
function ignored (raw) {
  const known = TABLE.map(({ name }) => name)
  /** @type {string[]} */
  const misspelt = []
  /** @type {string[]} */
  const strange = []
  /** @type {(value: unknown, what: string, near: string) => void} */
  const add = (value, what, near) => { (near === '' || value === undefined ? strange : misspelt).push(what + near) }
  for (const name of Object.keys(raw)) {
    const [option, value] = [byName.get(name), valueOf(raw, name)]
    if (option === undefined) add(value, `unknown option ${show(name)}`, suggest(name, known))
    // parseArguments() gives debug for the program that calls it.
    else if (option.where === 'cli' && name !== 'debug' && (value ?? option.default) !== option.default) {
      strange.push(`the option '${name}' is one of the command line, and has no effect here`)
    }
  }
  // An entry of requests with a misspelt hook would have none.
  for (const [i, entry] of (Array.isArray(raw.requests) ? raw.requests : []).entries()) {
    if (isRecord(entry) && [...KINDS, ...SOCKET_KINDS].some(key => Object.hasOwn(entry, key))) continue
    for (const name of Object.keys(isRecord(entry) ? entry : {})) {
      if (REQUEST_KEYS.includes(name)) continue
      add(valueOf(entry, name), `unknown key ${show(name)} in requests[${i}]`, suggest(name, REQUEST_KEYS))
    }
  }
  return { misspelt, strange }
}

/**
 * Only a request to a proxy has a whole URL.
 * @param {import('./normalize').Values} values
 * @returns {string[]} a sentence for each request that may have been meant for another server
 */
function strayPaths (values) {
  const origins = new Set(values.url.map((/** @type {string} */ one) => new URL(one).origin))
  return entriesIn(values).flatMap(([place, { path }]) => {
    const [, origin] = /^(https?:\/\/[^/?#{]+)([/?#]|$)/i.exec(path ?? '') ?? []
    if (origin === undefined || (URL.canParse(origin) && origins.has(new URL(origin).origin))) return []
    return [`${place}.path: ${show(path)} is sent to ${[...origins].join(', ')}, as to a proxy: no connection is ` +
      `made to ${show(origin).slice(1, -1)}; url in place of path ` +
      'sends it there, with that origin in origins; a run for several servers ' +
      'has them in url or targets']
  })
}

/** The rules across options. @type {import('./normalize').Rules} */
function conflicts (values, call) {
  const problems = []
  const { maxOverallRequests, maxConnectionRequests, amount, har } = values
  if (amount === undefined && values.skipFirst >= values.duration) {
    problems.push(problemAt(call, 'skipFirst', `expected less than the ${values.duration} s of the run, got ` +
      `${values.skipFirst} s: nothing would be measured; skip less, or give the run more time with ` +
      `${call(values.stages === undefined ? 'duration' : 'stages')}`))
  }
  const bodies = BODIES.filter(name => values[name === 'data' ? 'dataBody' : name] !== undefined)
  if (/^https?:\/\//i.test(values.servername ?? '')) {
    problems.push(problemAt(call, 'servername', 'this is the server name for TLS, and expects no URL, got ' +
      `${show(withoutUserinfo(values.servername))}; the -s of curl is not needed, omit it`))
  }
  if (/\.lua$/i.test(values.servername ?? '')) {
    problems.push(problemAt(call, 'servername', 'this is the server name for TLS, and there are no Lua scripts: a ' +
      'config has requests, and hooks in JavaScript'))
  }
  if (har === undefined && bodies.length > 1) {
    problems.push(problemWith(call, bodies, 'each give a body: use one of them'))
  }
  if (values.disableKeepalive && values.reconnectRate !== undefined) {
    problems.push(problemWith(call, ['reconnectRate', 'disableKeepalive'], 'each set when a connection is reopened: ' +
      'use one of them'))
  }
  // The limit holds for each worker.
  const streams = usersPerConnection(values)
  const inThread = Math.ceil(mostConnections(values) / (values.workers ?? 1))
  const clients = inThread * streams
  if (maxOverallRequests < clients && maxConnectionRequests === undefined && amount === undefined) {
    problems.push(problemAt(call, 'maxOverallRequests', `expected at least one request for each of the ${clients} ` +
      `${streams === 1 ? 'connections' : hasMessages(values) ? 'WebSockets' : 'users'}, got ${maxOverallRequests}`))
  }
  if (inThread * values.pipelining > MAX_IN_FLIGHT) {
    problems.push(problemAt(call, ['connections', 'pipelining'], `expected at most ${formatInteger(MAX_IN_FLIGHT)} ` +
      `requests in flight in a thread, got ${formatInteger(inThread * values.pipelining)}`))
  }
  problems.push(...aboutVerdicts(values, call))
  problems.push(...aboutTls(values, call))
  if (values.quietServer && values.onPort === false) {
    problems.push(problemAt(call, 'quietServer', `expected ${call('onPort')} as well, got none: there is no server ` +
      'of ours that could be quiet'))
  }
  problems.push(...aboutSockets(values, call))
  const given = {
    entries: entriesIn(values),
    set: (/** @type {ReadonlyArray<string>} */ names) => setAmong(values, names),
    shapes: SHAPED
  }
  for (const name of selectedBy(values)) problems.push(...PROTOCOLS[name].load().rulesOf?.(values, call, given) ?? [])
  problems.push(...aboutLoad(values, call))
  problems.push(...aboutUsers(values, call))
  problems.push(...aboutStreams(values, call), ...aboutMessages(values, call))
  if (values.seed !== undefined && !arrivalsIn(values)?.isRandom && values.pick !== 'random' && !hasUsers(values) &&
    !hasTemplates(values)) {
    problems.push(problemAt(call, 'seed', `expected ${call('arrivals')} poisson or ${call('pick')} random as well, ` +
      'got none: nothing is random'))
  }
  if ((values.workers ?? values.agents) !== undefined) {
    problems.push(...require('./reach').aboutReach(values, call))
  }
  if (setAmong(values, ROUTE).length > 0) problems.push(...require('./net/network').aboutNetwork(values, call))
  problems.push(...missingOrigins(values, call), ...aboutPauses(values, call))
  if (values.pick !== undefined && values.pick !== 'order' && values.targets === undefined) {
    problems.push(problemAt(call, 'pick', `expected ${call('targets')} as well, got none`))
  }
  return problems
}

/** Native sockets alone know arrivals, and only the built-in client has them. @type {import('./normalize').Rules} */
function aboutSockets (values, call) {
  const { sockets, clock, client } = values
  const { isOpaque } = traitsIn(values)
  const problems = []
  if (isOpaque && sockets === 'native') {
    problems.push(problemAt(call, 'sockets', `expected node with ${call('client')} ${client}, got native: ${client} ` +
      'uses the sockets of Node.js'))
  }
  if (clock !== 'arrival') return problems
  if (isOpaque) {
    problems.push(problemAt(call, 'clock', `expected read with ${call('client')} ${client}, got arrival: ${client} ` +
      'does not report when a response arrived'))
  } else if (sockets === 'node') {
    problems.push(problemAt(call, 'clock', `expected read with ${call('sockets')} node, got arrival: the sockets of ` +
      'Node.js do not report when a response arrived'))
  }
  return problems
}

/** @param {string} name */
const option = name => /** @type {import('./table').Option} */ (byName.get(name))

module.exports = { strayPaths, validate, BODIES }
