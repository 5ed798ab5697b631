'use strict'

// Owns the way from what a user gave to typed values: numbers from strings, seconds from timestrings, the forms of
// headers, files. It looks at one option at a time; rules across options are in validate.js.

const { show, isRecord } = require('../foreign-text')
const { suggest } = require('../suggest')
const { parseSeconds, toNumber } = require('../numbers')
const { formatInteger } = require('../units')
const { parseTarget } = require('../scenario/target')
const { parseHeaders } = require('../scenario/headers')
const { parseMethod, parseBody } = require('../scenario/request')
const { readFile } = require('../scenario/file')
const { parseJson } = require('../scenario/json')
const { PlacedError } = require('../scenario/place')
const { parseRate, readRate } = require('./load-values')
const { parseHook, readRequests } = require('./requests')
const { TABLE, byName } = require('./table')
const { parseAlpn, parseTlsVersion } = require('./tls')

/**
 * @typedef {((option: import('./table').Option) => string) & { at?: (place: string) => string }} Label how the user calls an option; in a config, `at` says in which line it stands
 *
 * @typedef {Record<string, any>} Values typed values by option name, defaults filled in; `url` is an array of URLs and
 *   `headers` an array of pairs
 */

/**
 * @param {Record<string, unknown>} raw
 * @param {Label} label
 * @param {ReadonlyArray<Readonly<import('./table').Option>>} [rows] of the options that are looked at: those of a run unless said
 * @returns {{ values: Values, problems: string[] }}
 */
function normalize (raw, label, rows = TABLE) {
  /** @type {Values} */
  const values = {}
  /** @type {string[]} */
  const problems = []
  for (const option of rows) {
    try {
      const given = raw[option.name]
      values[option.name] = given === undefined || given === null ? option.default : PARSERS[option.type](given, option)
    } catch (error) {
      // A parser throws TypeErrors; the getters, proxies and toString of what was given throw anything.
      const [place, reason] = error instanceof PlacedError ? [error.place, error.reason] : ['', error instanceof TypeError ? error.message : `reading it failed: ${error}`]
      problems.push(`${label.at?.(option.name + place) ?? ''}${label(option)}${place}: ${reason}`)
    }
  }
  return { values, problems }
}

/**
 * Each takes a raw value and returns a typed one, or throws a TypeError that says what was expected.
 * @type {Record<import('./table').Option['type'], (given: unknown, option: import('./table').Option) => unknown>}
 */
const PARSERS = {
  integer (given, option) {
    return bounded(toNumber(given), given, option, 'a whole number', Number.isInteger)
  },
  number (given, option) {
    return bounded(option.perSecond ? requestsPerSecond(given) : toNumber(given), given, option, 'a number', Number.isFinite)
  },
  rate: parseRate,
  seconds (given, option) {
    return bounded(parseSeconds(given), given, option, 'seconds or a time such as 1m30s', Number.isFinite)
  },
  flag (given) {
    if (typeof given === 'boolean') return given
    if (given === 'true') return true
    if (given === 'false') return false
    throw new TypeError(`expected true or false, got ${show(given)}`)
  },
  text (given) {
    if (typeof given !== 'string' || given === '') throw new TypeError(`expected a text, got ${show(given)}`)
    // eslint-disable-next-line no-control-regex
    if (/[\0-\x1f\x7f]/.test(given)) throw new TypeError(`expected a text without line breaks and other control characters, got ${show(given)}`)
    return given
  },
  choice (given, { choices = [] }) {
    // YAML has http: 2 for a number.
    const text = typeof given === 'number' ? String(given) : given
    if (typeof text !== 'string' || !choices.includes(text)) throw new TypeError(`expected ${choices.join(' or ')}, got ${show(given)}`)
    return text
  },
  load: given => require('./load-values').parseLoad(given),
  precision: given => require('./load-values').parsePrecision(given),
  socket (given, option) {
    // The name of an abstract socket begins with a zero byte, which nobody can type or read.
    return PARSERS.text(typeof given === 'string' ? given.replace(/^\0/, '@') : given, option)
  },
  body: parseBody,
  file: given => readFile(given),
  data: given => require('./data').parseData(given),
  json: given => require('../scenario/json').readJsonBody(given),
  credentials (given) {
    // It is not shown: a password may be all there is.
    if (typeof given !== 'string' || !/^[^:]+:/.test(given)) {
      // Locust's -u; what is given may be a password, so it is not shown.
      const users = typeof given === 'string' && /^\d+$/.test(given) ? ': virtual users are connections here, given by -c' : ''
      throw new TypeError(`expected user:password, got something without a colon or a user${users}`)
    }
    return given
  },
  method: parseMethod,
  url (given) {
    // Array.from makes holes undefined.
    const urls = Array.isArray(given) ? Array.from(given) : [given]
    if (urls.length === 0) throw new TypeError('expected a URL, got an empty array')
    return urls.map(given => {
      const url = given instanceof URL ? given.href : given
      if (typeof url !== 'string' || url === '') throw new TypeError(`expected a URL such as http://localhost:3000, got ${show(url)}`)
      return parseTarget(url).url
    })
  },
  headers: parseHeaders,
  files (given) {
    return [given].flat().map(path => readFile(path))
  },
  hook: parseHook,
  dispatcher: given => require('./client').parseDispatcher(given),
  requests: readRequests,
  cookies: given => require('./cookies').parseCookies(given),
  scenarios: given => require('./scenarios').parseScenarios(given),
  pause: given => require('./pauses').parsePause(given),
  retries: given => require('./retries').parseRetries(given),
  object (given) {
    if (!isRecord(given)) throw new TypeError(`expected an object, got ${show(given)}`)
    // A getter that throws does it here, and not in the middle of the run.
    return { ...given }
  },
  expect: given => expectations().parseExpectation(given),
  status: given => expectations().parseStatus(given),
  texts: given => expectations().parseTexts(given),
  expectedHeaders: given => expectations().readHeaderLines(given),
  expectedJson: given => expectations().readJsonLines(given),
  form: given => require('../scenario/multipart').buildForm(given),
  har (given) {
    return require('../scenario/har').requestsByOrigin(typeof given === 'string' ? parseJson(readFile(given).toString(), `the file '${given}'`) : given)
  },
  proxy: given => require('./proxy').parseProxy(given),
  connectTo: given => require('./network').parseConnectTo(given),
  resolve: given => require('./network').parseResolve(given),
  addresses: given => require('./network').parseAddresses(given),
  allowed: given => require('../wire/allowed').parseAllowed(given),
  agents: given => require('./agents').parseAgents(given),
  redis: given => require('./agents').parseRedis(given),
  weights: given => require('./agents').parseWeights(given),
  ui: given => require('./ui').parseUi(given),
  trace: given => require('./trace').parseTrace(given),
  listen: given => require('./metrics').parseListen(given),
  otlp: given => require('./metrics').parseOtlp(given),
  tags: given => require('./metrics').parseTags(given),
  pids: given => require('./pids').parsePids(given),
  targets: given => require('../scenario/targets').targetsFrom(given),
  paths (given) {
    return [given].flat().map(path => PARSERS.text(path, /** @type {any} */ (undefined)))
  },
  percentiles (given) {
    const list = (typeof given === 'string' ? given.split(',') : [given].flat()).map(toNumber)
    if (list.length === 0 || !list.every(percentile => percentile > 0 && percentile <= 100)) {
      throw new TypeError(`expected percentiles above 0 and up to 100, such as 50,95,99.9, got ${show(given)}`)
    }
    return [...new Set(list)].sort((a, b) => a - b)
  },
  thresholds (given, { name }) {
    const { parseThreshold } = require('../verdict/threshold')
    return eachOf([given].flat(), one => parseThreshold(name === 'abortOn' ? { threshold: one, abortOn: true } : one))
  },
  regressions (given) {
    const { parseRegression } = require('../verdict/regression')
    return eachOf([given].flat(), parseRegression)
  },
  until: given => require('../verdict/until').parseUntil(given),
  tlsVersion: parseTlsVersion,
  alpn: parseAlpn,
  results: given => require('./results-file').readFigures(given),
  stages: given => require('./stages').parseStages(given),
  burst: given => require('./stages').parseBurst(given),
  warmup (given) {
    if (!isRecord(given)) throw new TypeError(`expected [ -c 1 -d 3 ] or an object with connections and duration, got ${show(given)}`)
    const { connections, duration, ...others } = given
    if (Object.keys(others).length > 0) throw new TypeError(`expected connections and duration only, got ${Object.keys(others).map(show).join(', ')}${suggest(Object.keys(others)[0], ['connections', 'duration'])}`)
    /** @param {string} name */
    const option = name => /** @type {import('./table').Option} */ (byName.get(name))
    return {
      connections: connections === undefined ? undefined : PARSERS.integer(connections, option('connections')),
      duration: duration === undefined ? undefined : PARSERS.seconds(duration, option('duration'))
    }
  }
}

/** @param {unknown} given such as 500 or '500/s' */
function requestsPerSecond (given) {
  const { number, unit } = readRate(given)
  if (unit === 'rounds') throw new TypeError(`expected requests per second, got ${show(given)}: iterations per second are a rate of all users together`)
  return number
}

/** Loaded by those who expect something. */
const expectations = () => require('../checks/expectation')

/** Of a list of wrong texts as many are told. */
const MOST_PROBLEMS = 3

/**
 * @template T
 * @param {unknown[]} list
 * @param {(one: unknown) => T} parse
 * @returns {T[]}
 * @throws {TypeError} that says what is wrong with each
 */
function eachOf (list, parse) {
  /** @type {string[]} */
  const problems = []
  const parsed = list.flatMap(one => {
    if (problems.length === MOST_PROBLEMS) return []
    try {
      return [parse(one)]
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      problems.push(error.message)
      return []
    }
  })
  if (problems.length > 0) throw new TypeError([...new Set(problems)].join('; '))
  return parsed
}

/**
 * @param {number} number
 * @param {unknown} given
 * @param {import('./table').Option} option
 * @param {string} kind
 * @param {(number: number) => boolean} isKind
 */
function bounded (number, given, { min, above, max }, kind, isKind) {
  const inside = isKind(number) && !(min !== undefined && number < min) && !(above !== undefined && number <= above) &&
    !(max !== undefined && number > max)
  if (inside) return number
  const bounds = [
    ...min !== undefined ? [`at least ${Number.isInteger(min) ? formatInteger(min) : min}`] : [],
    ...above !== undefined ? [`more than ${above}`] : [],
    ...max !== undefined ? [`at most ${formatInteger(max)}`] : []
  ]
  throw new TypeError(`expected ${kind}, ${bounds.join(' and ')}, got ${show(given)}`)
}

module.exports = { normalize }
