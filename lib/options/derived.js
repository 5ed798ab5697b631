'use strict'

// Derives values from other options: switches that are short for another option, files, clients and stages. Each
// function returns new values, and adds contradictions to the problems.

const { isUtf8 } = require('node:buffer')
const { show } = require('../core/foreign-text')
const { problemAt, unplaced } = require('../core/problem')
const { hasExpression } = require('../requests/expression')
const { hasFunctions } = require('./users/user-rules')
const { connectionsFor, inIterations, streamsOf, withStages } = require('./load/load')
const { usualSample } = require('./load/sample')
const { TABLE } = require('./table')
const { hasMessages } = require('./websocket')

/**
 * @typedef {import('./normalize').Values} Values
 *
 * @typedef {object} Given
 * @property {Record<string, unknown>} raw
 * @property {(name: string) => string} call how the user calls an option
 * @property {import('../core/problem').Problem[]} problems gets one for each contradiction
 *
 * @typedef {(values: Values, given: Given) => Values} Derivation
 */

const SHORT = TABLE.filter(({ means }) => means !== undefined)

/** @param {Given} given @param {string} name of an option */
const isGiven = ({ raw }, name) => (raw[name] ?? null) !== null

/** From the values of each option alone. @type {Derivation} */
function derive (values, given) {
  const read = withCookies(withCredentials(withBodies(values)), given)
  const sampled = isGiven(given, 'sampleInt') ? read : { ...read, sampleInt: usualSample(read) }
  const sent = withClient(withMeanings(sampled, given), given)
  // Forms, data and JSON imply POST.
  const isPosted = (sent.form ?? sent.dataBody ?? sent.jsonBody) !== undefined && !isGiven(given, 'method') &&
    !hasMessages(values)
  const posted = isPosted ? { ...sent, method: 'POST' } : sent
  const completed = posted.stream === 'openai' ? require('./completions').withCompletions(posted, given) : posted
  return withUrls(completed, given)
}

/** @type {(values: Values) => Values} */
function withCredentials (values) {
  const { credentials } = values.user ?? {}
  return credentials === undefined ? values : { ...values, user: undefined, credentials }
}

/** A user function keeps cookies by default, as a browser does. @type {Derivation} */
function withCookies (values, given) {
  return isGiven(given, 'cookies') || !hasFunctions(values) ? values : { ...values, cookies: { keep: null, start: [] } }
}

/** A text is a template, also in a file. Bytes are sent unchanged. @type {(values: Values) => Values} */
function withBodies (values) {
  const { data, input, bodyRaw } = values
  return {
    ...values,
    input: templateIn(input, hasMessages(values)),
    bodyRaw: typeof bodyRaw === 'string' && hasExpression(bodyRaw) ? Buffer.from(bodyRaw) : bodyRaw,
    // --data has two meanings.
    ...data !== undefined && { data: data.data, dataBody: templateIn(data.body) }
  }
}

/** @param {any} bytes @param {boolean} [isMessage] which is sent as a text where it is one */
function templateIn (bytes, isMessage = false) {
  if (!(bytes instanceof Uint8Array)) return bytes
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return (isMessage || buffer.includes('{{')) && isUtf8(bytes) ? buffer.toString() : bytes
}

/** Puts in the values that switches such as --http2 are short for. @type {Derivation} */
function withMeanings (values, given) {
  const { raw, call, problems } = given
  /** @type {Record<string, { value: unknown, by: string }>} */
  const meant = {}
  for (const { name, means = {} } of SHORT.filter(({ name }) => values[name])) {
    for (const [target, value] of Object.entries(means)) {
      const other = meant[target]
      if (other === undefined && isGiven(given, target) && values[target] !== value) {
        problems.push(problemAt(call, [name, target], `expected one of them, or both to be ${value}, got ` +
          `${show(raw[target])}`))
      } else if (other !== undefined && other.value !== value) {
        problems.push(problemAt(call, [name, other.by], 'expected one of them'))
      }
      meant[target] ??= { value, by: name }
    }
  }
  return { ...values, ...Object.fromEntries(Object.entries(meant).map(([target, { value }]) => [target, value])) }
}

/** @type {Derivation} */
function withClient (values, { raw, call, problems }) {
  if (values.dispatcher === undefined) return values
  if (raw.client === 'autocannon') {
    problems.push(problemAt(call, ['dispatcher', 'client'], 'a dispatcher is one of undici; omit one of them'))
  }
  return { ...values, client: 'undici' }
}

/** Targets define the servers. @type {Derivation} */
function withUrls (values, given) {
  const { raw, call, problems } = given
  const { targets } = values
  if (targets !== undefined) {
    // An invalid URL has been reported already.
    if (!isGiven(given, 'url') || values.url !== undefined) {
      problems.push(...require('./listing').aboutTargets(values, call))
    }
    return {
      ...values,
      url: values.url ?? targets.list.origins.flatMap((/** @type {{ url: string | null }} */ { url }) => url ?? [])
    }
  }
  // Wrong targets have been reported already.
  if (!isGiven(given, 'url') && !isGiven(given, 'targets')) {
    // A flag without its value takes the next word.
    const taker = ['otlp', 'proxy'].find(name => typeof raw[name] === 'string' && /^https?:\/\//.test(raw[name]))
    problems.push(unplaced('a URL is required: give the address of the server, such as ' +
      `http://localhost:3000${taker === undefined ? '' : `; the one that is there is the value of ${call(taker)}`}`))
  }
  return values
}

/** Stages, traces and scenarios define the duration and the connections. @type {Derivation} */
function withExtent (values, given) {
  const replayed = values.replay === undefined ? values : require('./load/replay').withReplay(values, given)
  const staged = values.stages === undefined ? replayed : withStages(replayed, given)
  const arriving = !isGiven(given, 'connections') && inIterations({ ...staged, scenarios: [] }) !== null
  const counted = arriving ? { ...staged, connections: connectionsFor(staged, streamsOf(staged)) } : staged
  if (values.scenarios === undefined) return counted
  const { runSideBySide, withSides } = require('./load/side-by-side')
  return runSideBySide(counted) ? withSides(counted, given) : counted
}

module.exports = { derive, withExtent }
