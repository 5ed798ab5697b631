'use strict'

// Determines which options turn connections into users, and which options cannot be combined with users.

const { Amount } = require('../../core/amount')
const { show } = require('../../core/foreign-text')
const { problemWith, problemAt } = require('../../core/problem')
const { inIterations, isPaced, streamsOf } = require('../load/load')
const { writtenAs } = require('../requests/block-kinds')
const { entriesIn, isFlow, isSocketStep } = require('../requests/requests')
const { hasMessages } = require('../websocket')

/** Options that turn connections into users. */
const FOR_USERS = ['user', 'scenarios', 'pause', 'every', 'cookies', 'redirects', 'retries', 'streamReconnect']

/** Keys of a request that turn connections into users. */
const KEYS_FOR_USERS = ['pause', 'capture', 'retries', 'once']

/**
 * A user sends one request at a time, and the next one may depend on the response.
 * @param {import('../normalize').Values} values
 * @returns {string[]} the options that require users, and `requests` if a request does
 */
function optionsForUsers (values) {
  const used = FOR_USERS.filter(name => values[name] !== undefined && values[name] !== false && values[name] !== 0)
  const { requests = [] } = values
  const iterations = inIterations(values)
  if (iterations !== null) used.push(iterations)
  if (values.amount instanceof Amount) used.push('amount')
  const isSet = (/** @type {unknown} */ value) => value !== undefined && value !== null && value !== 0 &&
    value !== false
  return isFlow(requests) || requests.some((/** @type {Record<string, unknown>} */ entry) =>
    KEYS_FOR_USERS.some(key => isSet(entry[key])))
    ? [...used, 'requests']
    : used
}

/** @param {import('../normalize').Values} values */
function hasUsers (values) {
  return optionsForUsers(values).length > 0
}

/** @param {import('../normalize').Values} values @returns {boolean} whether some users are functions */
function hasFunctions ({ user, scenarios = [] }) {
  return user !== undefined || scenarios.some((/** @type {Record<string, any>} */ { user }) => user !== undefined)
}

/**
 * @param {import('../normalize').Values} values
 * @returns {boolean} whether some users have conditions, loops or parallel requests
 */
function hasFlows ({ requests = [], scenarios = [] }) {
  return isFlow(requests) || scenarios.some((/** @type {Record<string, any>} */ { requests }) => isFlow(requests))
}

/** @param {import('../normalize').Values} values @returns {boolean} whether some scenarios as data open WebSockets */
function hasSockets (values) {
  return entriesIn(values).some(([, entry]) => isSocketStep(entry))
}

/**
 * @param {import('../normalize').Values} values
 * @returns {boolean} whether a scenario has `setup` or `teardown`
 */
function hasAsides ({ scenarios = [] }) {
  return scenarios.some((/** @type {Record<string, any>} */ { setup, teardown }) => (setup ?? teardown) !== undefined)
}

/**
 * @param {import('../normalize').Values} values
 * @returns {number} the number of users, or WebSockets, per connection; 1 without users
 */
function usersPerConnection (values) {
  return hasUsers(values) || hasMessages(values) ? streamsOf(values) : 1
}

/**
 * @param {import('../normalize').Values} values
 * @param {string} first of the options that require users
 * @param {(name: string) => string} call how the user calls an option
 */
function aboutStreams (values, first, call) {
  const { pipelining, reconnectRate = Infinity, disableKeepalive, client, http } = values
  if (pipelining === 1) return []
  const streams = streamsOf(values)
  // WebSockets on a shared connection are reopened individually.
  if (streams > 1 && hasMessages(values)) return []
  if (http === 'auto' && client !== 'undici') {
    return [problemAt(call, ['pipelining', first], `${call('http')} auto may select HTTP/1.1, where each user has a ` +
      `connection and ${call('pipelining')} has to be 1; use ${call('http2')} for ${pipelining} users on each ` +
      'connection')]
  }
  if (streams === 1) {
    const where = client === 'undici'
      ? `with ${call('client')} undici`
      : `over HTTP/1.1; with ${call('http2')} each connection has that many users`
    return [problemAt(call, ['pipelining', first], 'a user waits for each response before the next request, so ' +
      `${call('pipelining')} has to be 1 ${where}; for more load use more connections`)]
  }
  const most = disableKeepalive ? 1 : reconnectRate
  return most < streams
    ? [problemAt(call, [disableKeepalive ? 'disableKeepalive' : 'reconnectRate', 'pipelining'], 'a connection that ' +
      `${streams} users share carries at least ${streams} requests, got ${most}: with ${call('pipelining')} 1 each ` +
      'user has a connection')]
    : []
}

/** @type {import('../normalize').Rules} */
function aboutUsers (values, call) {
  const used = optionsForUsers(values)
  if (values.redirectsAnywhere && values.redirects === 0 && !hasFunctions(values)) {
    return [problemAt(call, 'redirectsAnywhere', `expected ${call('redirects')} as well, got none: no redirect is ` +
      'followed')]
  }
  if (used.length === 0) {
    return values.sticky
      ? [problemAt(call, 'sticky', `expected ${call('scenarios')} as well, got none: there is nothing that a user ` +
        'could stay with')]
      : []
  }
  const problems = values.cookies ? require('./cookies').aboutCookies(values, call) : []
  const [first] = used
  problems.push(...aboutStreams(values, first, call))
  if (values.harPauses) {
    problems.push(problemAt(call, ['harPauses', first], 'a recording keeps its own time; use one of them'))
  }
  if (values.targets !== undefined) {
    problems.push(problemAt(call, ['targets', first], 'the requests of a file are no iterations of users; use one of ' +
      'them'))
  }
  if (hasFunctions(values)) problems.push(...require('./function-rules').aboutFunctions(values, call))
  if (hasFlows(values) || hasAsides(values)) problems.push(...require('./flow-rules').aboutFlows(values, call))
  if (values.scenarios !== undefined) {
    for (const name of ['requests', 'har']) {
      if (values[name] !== undefined) {
        problems.push(problemWith(call, [name, 'scenarios'], 'each set the requests: use one of them'))
      }
    }
  }
  problems.push(...aboutFragments(values, call))
  // Scenarios with their own load are checked in load/side-by-side.
  if (isBeside(values)) return problems
  if (inIterations(values) !== null) problems.push(...aboutArrivals(values, call))
  else if (isPaced(values)) {
    const place = pausePlace(values)
    if (place !== null) {
      problems.push(problemWith(call, place, 'and a rate of requests each set when a request is sent: omit the ' +
        'pauses, or give a rate of iterations, such as ' +
        `${values.rate?.unit === 'requests' ? values.rate.number : 10} iterations/s`))
    }
  }
  return problems
}

/** A user acts like a browser, which does not send a fragment. @type {import('../normalize').Rules} */
function aboutFragments (values, call) {
  return entriesIn(values).flatMap(([place, entry]) => {
    const { path } = entry
    const [fragment] = /#.*/s.exec((path ?? '').replace(/\{\{.*?\}\}/gs, '')) ?? []
    if (fragment === undefined) return []
    const [, name] = /#\{\s*([\w.]+)\s*\}/.exec(path) ?? []
    return [problemAt(call, `${place}.${writtenAs(entry, 'path')}`, `${show(path)} has a #, and the text ` +
      'after it is never sent: ' +
      (name === undefined ? 'omit it, or write %23 for the character' : `a value is written as {{${name}}}`))]
  })
}

/** @param {import('../normalize').Values} values */
const isBeside = values => values.scenarios !== undefined && require('../load/side-by-side').runSideBySide(values)

/**
 * With a rate of iterations, a user runs one iteration, so there is no pause after it.
 * @type {import('../normalize').Rules}
 */
function aboutArrivals (values, call) {
  return ['pause', 'every'].flatMap(name => {
    /** @type {Array<Record<string, any>>} */
    const scenarios = values.scenarios ?? []
    const i = scenarios.findIndex(one => (one[name] ?? null) !== null)
    const place = values[name] !== undefined ? name : i === -1 ? undefined : `scenarios[${i}].${name}`
    return place === undefined
      ? []
      : [problemWith(call, place, 'and a rate of iterations each set when an iteration begins: omit one of them; ' +
        'pauses between the requests of an iteration are fine')]
  })
}

/**
 * Returns where the first pause is; null without one.
 * @type {(values: import('../normalize').Values) => string | null}
 */
function pausePlace (values) {
  const { scenarios = [] } = values
  const all = [
    ...scenarios.map((
      /** @type {Record<string, any>} */ one, /** @type {number} */ i
    ) => /** @type {const} */ ([`scenarios[${i}]`, one])),
    ...entriesIn(values)
  ]
  for (const name of ['pause', 'every']) {
    if (values[name] !== undefined) return name
    const found = all.find(([, one]) => (one[name] ?? null) !== null)
    if (found !== undefined) return `${found[0]}.${name}`
  }
  return null
}

/**
 * @param {import('../normalize').Values} values
 * @returns {string[]} a warning for the first pause that is longer than the run
 */
function longPauses (values) {
  const { pause, duration, amount, until, stages, scenarios = [{}] } = values
  // With these options, the duration is not the end of the run. A search has stages.
  if ((amount ?? until ?? stages) !== undefined) return []
  const between = scenarios.map((
    /** @type {Record<string, any>} */ one, /** @type {number} */ i
  ) => one.pause === undefined ? ['pause', pause] : [`scenarios[${i}].pause`, one.pause])
  const inside = entriesIn(values).map(([place, entry]) => [`${place}.pause`, entry.pause])
  const [place, long] = [...between, ...inside].find(([, one]) => one?.from >= duration * 1000) ?? []
  return place === undefined
    ? []
    : [`${place}: a user who comes to a pause of ` +
    `${long.from === long.to ? '' : 'at least '}${long.from / 1000} s in a run of ${duration} s sends nothing more: ` +
    'a number is seconds, milliseconds are written as in 50ms']
}

module.exports = { aboutUsers, hasAsides, hasFlows, hasFunctions, hasSockets, hasUsers, longPauses, usersPerConnection }
