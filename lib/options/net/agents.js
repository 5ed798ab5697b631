'use strict'

// The options for agents: their number, Redis, the division of the load, and options that cannot be combined with them.

const { show } = require('../../core/foreign-text')
const { problemWith, problemAt, unplaced } = require('../../core/problem')
const { userinfoOf, withoutUserinfo } = require('../../core/secrets')
const { toNumber } = require('../../core/numbers')
const { ABOUT_AGENTS, byName } = require('../table')

/** All idle agents. */
const ALL = 'all'

/** How many one coordinator is known to follow. */
const MOST_AGENTS = 10_000

/** A weight is a number of generators. */
const MOST_WEIGHT = 1024

/** Where the URL of Redis stands when no option gives it. */
const URL_VARIABLE = 'AUTOCANNON_REDIS'

/**
 * @throws {TypeError}
 * @type {(given: unknown) => number | 'all'}
 */
function parseAgents (given) {
  if (given === ALL) return ALL
  const count = toNumber(given)
  if (!Number.isInteger(count) || count < 1 || count > MOST_AGENTS) {
    throw new TypeError(`expected how many agents, from 1 to ${MOST_AGENTS}, or all, got ${show(given)}`)
  }
  return count
}

/**
 * @param {unknown} given
 * @returns {string} a URL of Redis, with a password that is never shown
 * @throws {TypeError}
 */
function parseRedis (given) {
  const text = given instanceof URL ? given.href : given
  if (typeof text !== 'string' || text.trim() === '') {
    throw new TypeError(`expected the URL of a Redis such as redis://redis:6379, got ${show(given)}`)
  }
  const shown = show(withoutUserinfo(text))
  const [, scheme, rest] = /^(?:([a-z][a-z\d+.-]*):\/\/)?(.*)$/is.exec(text.trim()) ?? []
  if (scheme !== undefined && !['redis', 'rediss'].includes(scheme.toLowerCase())) {
    throw new TypeError(`expected redis:// or rediss:// (TLS), got ${shown}`)
  }
  const url = `${(scheme ?? 'redis').toLowerCase()}://${rest}`
  const { hostname, pathname, search, port, username, password } = URL.canParse(url)
    ? new URL(url)
    : { hostname: '', pathname: '', search: '', port: '', username: '', password: '' }
  if (hostname === '' || port === '0') {
    throw new TypeError(`expected the URL of a Redis such as redis://redis:6379, got ${shown}; in a password, / # ? ` +
      'and @ are written as %2F %23 %3F and %40')
  }
  if (!/^(\/\d*)?$/.test(pathname) || search !== '') {
    throw new TypeError(
      `expected only the number of a database after the port, such as redis://redis:6379/1, got ${shown}`
    )
  }
  userinfoOf({ username, password }, shown)
  return url
}

/**
 * @param {unknown} given `2,1,1`, `big=4,small=1`, or the same as an array or object
 * @returns {Record<string, number> | number[]} how many generators an agent has: by its name, or in the order in which
 *   they come
 * @throws {TypeError}
 */
function parseWeights (given) {
  const parts = typeof given === 'string'
    ? given.split(',')
    : typeof given === 'object' && given !== null && !Array.isArray(given)
      ? Object.entries(given).map(([name, weight]) => `${name}=${typeof weight === 'object' ? show(weight) : weight}`)
      : [given].flat()
  const named = parts.map(part =>
    /^(?:(.+)=)?(.*)$/s.exec(typeof part === 'string' || typeof part === 'number' ? String(part).trim() : '') ?? [])
  const weights = named.map(([, , weight]) => toNumber(weight))
  const names = named.map(([, name]) => name)
  const isRight = parts.length > 0 &&
    weights.every(weight => Number.isInteger(weight) && weight >= 1 && weight <= MOST_WEIGHT)
  if (!isRight || (names.some(name => name !== undefined) && new Set(names).size < names.length) ||
    new Set(names.map(name => name === undefined)).size > 1) {
    throw new TypeError(`expected whole numbers from 1 to ${MOST_WEIGHT}, one for each agent, such as 2,1,1, or one ` +
      `by name such as big=4,small=1, got ${show(given)}`)
  }
  return names[0] === undefined ? weights : Object.fromEntries(names.map((name, i) => [name, weights[i]]))
}

/**
 * @param {import('../normalize').Values} values
 * @param {Readonly<Record<string, unknown>>} raw
 * @param {(name: string) => string} call how the user calls an option
 * @returns {import('../../core/problem').Problem[]} one for each rule that is broken
 */
function aboutAgents (values, raw, call) {
  const { agents, weights, workers, redis } = values
  // A printed config has the defaults in it.
  const set = ABOUT_AGENTS.filter(name =>
    raw[name] !== undefined && raw[name] !== null &&
      (values[name] === undefined || values[name] !== byName.get(name)?.default))
  // An invalid one has no value, and has been reported.
  if (agents === undefined && raw.agents !== undefined && raw.agents !== null) return []
  const right = set.filter(name => values[name] !== undefined)
  if (agents === undefined) {
    return right.length === 0
      ? []
      : [{
          place: right[0],
          text: `${right.map(call).join(', ')}: expected ${call('agents')} as well, such as ${call('agents')} 3, got ` +
            'none: the load comes from this process'
        }]
  }
  const problems = []
  try {
    if (redis === undefined && !set.includes('redis') && withRedis(values).redis === undefined) {
      problems.push(problemAt(call, 'agents', `expected ${call('redis')} as well, the Redis server that coordinates ` +
        `the agents, such as redis://redis:6379, got none, and no variable ${URL_VARIABLE}`))
    }
  } catch (error) {
    problems.push(unplaced(`the environment variable ${URL_VARIABLE}: ${/** @type {Error} */ (error).message}`))
  }
  const given = Object.keys(weights ?? {}).length
  if (weights !== undefined && agents !== ALL && given !== agents) {
    problems.push(problemAt(call, 'weights', `expected one for each of the ${agents} agents, got ${given}`))
  }
  if (weights !== undefined && workers !== undefined) {
    problems.push(problemWith(call, ['weights', 'workers'], 'each set the threads of an agent: use one of them'))
  }
  return problems
}

/**
 * @param {import('../normalize').Values} values
 * @returns {import('../normalize').Values} with the Redis of the environment by default
 * @throws {TypeError} for an invalid variable
 */
function withRedis (values) {
  const inEnvironment = values.env[URL_VARIABLE] ?? ''
  return values.redis !== undefined || inEnvironment === '' ? values : { ...values, redis: parseRedis(inEnvironment) }
}

module.exports = { URL_VARIABLE, aboutAgents, parseAgents, parseRedis, parseWeights, withRedis }
