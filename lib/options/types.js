'use strict'

// The types that the option table names (type.js). Modules that few runs need are loaded on use.

const { Amount, readAmount } = require('../core/amount')
const { show, isRecord } = require('../core/foreign-text')
const { toNumber } = require('../core/numbers')
const { readFile } = require('../requests/file')
const { parseJson } = require('../requests/json')
const { eachWithin } = require('../requests/place')
const { originOf, parseTarget } = require('../requests/target')
const { SCHEMES } = require('../protocols/protocol')
const { redacted, redactedUrl, shownSubprotocols, withoutUserinfo } = require('../core/secrets')
const { readRate } = require('../shapes/rate')
const { ENTRIES } = require('./requests/request-fields')
const { readRequests } = require('./requests/requests')
const { readObject } = require('../requests/fields')
const { byName } = require('./table')
const { parseAlpn, parseTlsVersion } = require('./net/tls')
const {
  A_FILE, BODY, CHOICE, EXPECT, FILE, FLAG, HEADERS, HOOK, INTEGER, METHOD, PAUSE, RATE, RETRIES, SECONDS, TEXT,
  bounded, listOf, quantity
} = require('./type')

/**
 * @typedef {import('./table').Option} Option
 * @typedef {import('./type').Type} Type
 */

/** Of the path of a Unix socket: sun_path of unix(7), whose last byte need not be 0. */
const SOCKET_PATH_BYTES = 108

/** Texts that are read together. @type {(parse: Type['parse'], more?: Partial<Type>) => Type} */
const textsBy = (parse, more) => ({
  ts: 'string | ReadonlyArray<string>', repeats: true, schema: ({ orList, TEXT }) => orList(TEXT), parse, ...more
})

const expectations = () => require('../checks/expectation')

/** Values with a user and password. @type {Pick<Type, 'described' | 'printed'>} */
const URL_WITH_SECRET = { described: withoutUserinfo, printed: (typed, shown) => withoutUserinfo(String(shown)) }

/** Keys of a warm-up, with the bounds that they have in the run. */
const WARMUP = Object.freeze(Object.fromEntries(Object.entries({ connections: INTEGER, duration: SECONDS }).map(
  ([name, type]) => {
    const { min, above, max } = /** @type {Option} */ (byName.get(name))
    return [name, { ...type, min, above, max }]
  }
)))

const TYPES = Object.freeze(/** @satisfies {Record<string, Type>} */ ({
  integer: INTEGER,
  number: quantity(
    'a number',
    (given, { perSecond }) => perSecond ? requestsPerSecond(given) : toNumber(given),
    Number.isFinite,
    { ts: 'number', noun: 'number' }
  ),
  seconds: SECONDS,
  rate: RATE,
  amount: {
    ts: 'number | string',
    noun: 'number of requests or iterations',
    schema: INTEGER.schema,
    parse (given, option) {
      const { number, unit } = readAmount(given)
      // A number of something else.
      const kind = Number.isNaN(number) && typeof given === 'string' && /\d.*[a-z]/i.test(given)
        ? "a whole number such as 1000 or '1000 iterations'"
        : 'a whole number'
      const amount = bounded(number, given, option, kind, Number.isInteger)
      return unit === 'iterations' ? new Amount(amount) : amount
    },
    shown: amount => amount instanceof Amount ? amount.toJSON() : amount
  },
  flag: FLAG,
  command: {
    ...FLAG, schema: ({ TEXT }) => ({ anyOf: [{ const: false }, { type: 'array', items: TEXT, minItems: 1 }] })
  },
  choice: CHOICE,
  text: TEXT,
  texts: listOf(TEXT, { parse: given => expectations().parseTexts(given) }),
  object: {
    ts: ({ name }) => name === 'tlsOptions' ? 'ConnectionOptions' : 'Context',
    isContent: true,
    schema: () => ({ type: 'object' }),
    parse (given) {
      if (!isRecord(given)) throw new TypeError(`expected an object, got ${show(given)}`)
      // A getter that throws does it here, and not in the middle of the run.
      return { ...given }
    }
  },
  hook: HOOK,

  // Files.
  file: FILE,
  files: listOf(FILE),
  paths: listOf({ noun: A_FILE, schema: TEXT.schema, parse: TEXT.parse }),
  results: {
    noun: A_FILE,
    schema: ({ orList, PATH }) => orList(PATH),
    parse: given => require('./results-file').readBaseline(given)
  },

  // Requests.
  url: {
    ts: 'string | string[]',
    schema: ({ orList, FILLED }) => orList(FILLED),
    parse (given) {
      // Array.from makes holes undefined.
      const urls = Array.isArray(given) ? Array.from(given) : [given]
      if (urls.length === 0) throw new TypeError('expected a URL, got an empty array')
      return urls.map(given => {
        const url = given instanceof URL ? given.href : given
        if (typeof url !== 'string' || url === '') {
          throw new TypeError(`expected a URL such as http://localhost:3000, got ${show(url)}`)
        }
        return parseTarget(url, { schemes: SCHEMES }).url
      })
    },
    described: (typed, { targets }) => [targets?.base ?? typed].flat().map(withoutUserinfo),
    printed: typed => typed.length === 1 ? redactedUrl(typed[0]) : typed.map(redactedUrl)
  },
  method: METHOD,
  headers: HEADERS,
  body: BODY,
  json: { schema: () => ({}), parse: given => require('../requests/json').readJsonBody(given) },
  form: {
    ts: 'string | Form',
    isContent: true,
    schema: ({ DEFINITIONS }) => ({
      anyOf: [
        { type: 'string', isPath: (/** @type {string} */ text) => !text.trimStart().startsWith('{') },
        { type: 'object', additionalProperties: DEFINITIONS.formField }
      ]
    }),
    parse: given => require('../requests/multipart').buildForm(given)
  },
  data: {
    ts: 'Record<string, string | DataSource>',
    repeats: true,
    schema: ({ DEFINITIONS, orList, TEXT }) =>
      orList({ anyOf: [{ type: 'object', additionalProperties: DEFINITIONS.source }, TEXT] }),
    parse: given => require('./requests/data').parseData(given),
    described: typed => require('./requests/data').describedData(typed)
  },
  requests: {
    ts: ENTRIES, schema: ({ ref }) => ref('requests'), parse: readRequests
  },
  har: {
    ts: 'object | string',
    noun: A_FILE,
    isContent: true,
    schema: ({ PATH }) => ({ anyOf: [PATH, { type: 'object' }] }),
    parse: given => require('../requests/har').requestsByOrigin(
      typeof given === 'string' ? parseJson(readFile(given).toString(), `the file '${given}'`) : given
    )
  },
  targets: {
    ts: 'string | Array<string | URL | ListedRequest>',
    noun: A_FILE,
    schema: ({ PATH }) => ({ anyOf: [PATH, { type: 'array' }] }),
    parse: given => require('../target-files/targets').targetsFrom(given),
    described: ({ source }) => source
  },
  match: {
    ts: 'string | MatchMessage',
    schema: ({ TEXT }) => TEXT,
    parse: given => require('./message-texts').parseMatch(given),
    described: typed => typeof typed === 'string' ? typed : typeof typed.hook === 'string' ? typed.hook : '[not shown]'
  },
  age: { ts: 'string', schema: ({ TEXT }) => TEXT, parse: given => require('./message-texts').parseAge(given) },
  subprotocols: textsBy(given => require('./message-texts').parseSubprotocols(given), {
    printed: shownSubprotocols, described: shownSubprotocols
  }),
  trace: {
    ts: 'boolean | string',
    takes: word => require('./requests/trace').mayBeShare(word),
    schema: () => ({ anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '%$|^(true|false|)$|\\$\\{' }] }),
    parse: given => require('./requests/trace').parseTrace(given),
    shown: share => require('./requests/trace').shownTrace(share)
  },

  // Users.
  user: {
    ts: 'UserFunction | UserModule | string',
    schema: () => ({ type: 'string', isPath: require('./users/functions').isModulePath, minLength: 1 }),
    parse: given => require('./users/functions').parseUser(given),
    printed: (typed, shown) => typeof shown === 'string' && !require('./users/functions').isModulePath(shown)
      ? redacted(shown, 'password')
      : shown
  },
  origins: {
    repeats: true,
    ts: 'string | string[]',
    schema: ({ orList, FILLED }) => orList(FILLED),
    parse: given => [given].flat().map(one => {
      if (typeof one !== 'string' && !(one instanceof URL)) {
        throw new TypeError(`expected an origin such as https://auth.example, got ${show(one)}`)
      }
      return originOf(parseTarget(String(one)))
    })
  },
  scenarios: {
    ts: 'Scenario[]',
    schema: ({ DEFINITIONS }) => ({ type: 'array', items: DEFINITIONS.scenario, minItems: 1 }),
    parse: given => require('./users/scenarios').parseScenarios(given)
  },
  pause: PAUSE,
  retries: RETRIES,
  cookies: {
    ts: 'boolean | Cookies',
    noun: 'switch',
    isSwitch: true,
    schema: ({ FLAG, object }) => ({ anyOf: [FLAG, object(require('./users/cookies').FIELDS)] }),
    parse: given => require('./users/cookies').parseCookies(given),
    // Cookies that a run starts with are secrets.
    described: ({ keep }) => keep === null ? true : { keep },
    printed: (typed, shown) => require('./users/cookies').withoutValues(shown)
  },

  // Expectations and thresholds.
  expect: EXPECT,
  status: { repeats: true, schema: ({ STATUS }) => STATUS, parse: given => expectations().parseStatus(given) },
  expectedHeaders: textsBy(given => expectations().readHeaderLines(given)),
  expectedJson: textsBy(given => expectations().readJsonLines(given)),
  thresholds: {
    ts: 'ThresholdOption | ThresholdOption[]',
    repeats: true,
    schema: ({ object, orList, TEXT }) => orList({ anyOf: [TEXT, object(require('../judge/threshold').FIELDS)] }),
    parse (given, { name }) {
      const { parseThreshold } = require('../judge/threshold')
      return eachOf(given, one => parseThreshold(name === 'abortOn' ? { threshold: one, abortOn: true } : one))
    },
    described: typed => typed.map(thresholdOf)
  },
  regressions: textsBy(given => eachOf(given, require('../judge/comparison/regression').parseRegression)),
  until: {
    ts: 'string', schema: ({ TEXT }) => TEXT, parse: given => require('../judge/until').parseUntil(given),
    described: ({ expression }) => expression
  },
  percentiles: {
    ts: 'number[] | string',
    schema: ({ orList, number }) => orList(number({ exclusiveMinimum: 0, maximum: 100 })),
    parse (given) {
      const list = (typeof given === 'string' ? given.split(',') : [given].flat()).map(toNumber)
      if (list.length === 0 || !list.every(percentile => percentile > 0 && percentile <= 100)) {
        throw new TypeError(`expected percentiles above 0 and up to 100, such as 50,95,99.9, got ${show(given)}`)
      }
      return [...new Set(list)].sort((a, b) => a - b)
    }
  },

  // Load.
  warmup: {
    ts: '{ connections?: number, duration?: number | string }',
    schema: ({ object }) => object(WARMUP),
    parse (given) {
      if (!isRecord(given)) {
        throw new TypeError(`expected [ -c 1 -d 3 ] or an object with connections and duration, got ${show(given)}`)
      }
      return readObject(given, WARMUP)
    }
  },
  load: {
    noun: 'number of requests per second or connections',
    schema: ({ number }) => number({ exclusiveMinimum: 0 }),
    parse: given => require('./load/load-values').parseLoad(given)
  },
  precision: {
    schema: () => ({ type: ['number', 'string'] }), parse: given => require('./load/load-values').parsePrecision(given)
  },

  // Connections.
  socket: {
    ts: 'string',
    // The name of an abstract socket is no path.
    schema: () => ({ type: 'string', minLength: 1, isPath: (/** @type {string} */ text) => !/^[@\0]/.test(text) }),
    parse (given, option) {
      // The name of an abstract socket begins with a zero byte, which cannot be typed.
      const path =
        /** @type {string} */ (TEXT.parse(typeof given === 'string' ? given.replace(/^\0/, '@') : given, option))
      const bytes = Buffer.byteLength(path)
      // node:net would cut it off, and connect to another socket or to none.
      if (bytes > SOCKET_PATH_BYTES && !path.startsWith('\\\\')) {
        throw new TypeError(`expected at most ${SOCKET_PATH_BYTES} bytes, all that the path of a Unix socket may ` +
          `have, got ${bytes}: ${show(path)}`)
      }
      return path
    }
  },
  proxy: {
    ts: 'string | URL', schema: ({ FILLED }) => FILLED, parse: given => require('./net/proxy').parseProxy(given),
    ...URL_WITH_SECRET
  },
  connectTo: textsBy(given => require('./net/network').parseConnectTo(given)),
  resolve: textsBy(given => require('./net/network').parseResolve(given)),
  addresses: textsBy(given => require('./net/network').parseAddresses(given)),
  allowed: {
    schema: ({ orList, TEXT }) => orList(TEXT), parse: given => require('../net/allowed').parseAllowed(given)
  },
  dispatcher: {
    ts: 'Dispatcher | (() => Dispatcher | Promise<Dispatcher>) | string',
    schema: ({ HOOK }) => HOOK,
    parse: given => require('./requests/dispatcher').parseDispatcher(given),
    described: typed => typeof typed === 'string' ? typed : '[not shown]'
  },
  tlsVersion: {
    ts: "'1.0' | '1.1' | '1.2' | '1.3' | number", schema: () => ({ type: ['number', 'string'] }), parse: parseTlsVersion
  },
  alpn: {
    ts: 'string | string[]', schema: ({ FILLED }) => ({ anyOf: [FILLED, { type: 'array', items: FILLED }] }),
    parse: parseAlpn
  },

  // Other machines and processes.
  agents: {
    ts: "number | 'all'",
    schema: ({ number }) => ({ anyOf: [number({ minimum: 1, maximum: 10_000 }, 'integer'), { const: 'all' }] }),
    parse: given => require('./net/agents').parseAgents(given)
  },
  redis: {
    ts: 'string', schema: ({ TEXT }) => TEXT, parse: given => require('./net/agents').parseRedis(given),
    ...URL_WITH_SECRET
  },
  weights: {
    ts: 'string | number | ReadonlyArray<number> | Readonly<Record<string, number>>',
    schema ({ FILLED, number }) {
      const weight = number({ minimum: 1, maximum: 1024 }, 'integer')
      return {
        anyOf: [FILLED, weight, { type: 'array', items: weight, minItems: 1 }, {
          type: 'object', additionalProperties: weight, minProperties: 1
        }]
      }
    },
    parse: given => require('./net/agents').parseWeights(given)
  },
  pids: {
    ts: 'number | string | ReadonlyArray<number | string>',
    repeats: true,
    schema: ({ number, orList, TEXT }) =>
      orList({ anyOf: [number({ minimum: 1, maximum: 4_194_304 }, 'integer'), TEXT] }),
    parse: given => require('./pids').parsePids(given)
  },

  // Views of a run.
  ui: {
    takes: word => /^:?\d{1,5}$/.test(word),
    schema: () => ({ type: ['string', 'boolean', 'integer'] }),
    parse: given => require('./ui').parseUi(given)
  },
  listen: { schema: () => ({ type: ['string', 'integer'] }), parse: given => require('./metrics').parseListen(given) },
  otlp: { schema: ({ TEXT }) => TEXT, parse: given => require('./metrics').parseOtlp(given) },
  tags: {
    repeats: true,
    schema: ({ orList, TEXT }) => ({
      anyOf: [orList(TEXT), { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }]
    }),
    parse: given => require('./metrics').parseTags(given)
  }
}))

/** @type {Readonly<Record<string, Type>>} */
const BY_NAME = TYPES

/** @type {(option: Pick<Option, 'type'>) => Type} */
const typeOf = ({ type }) => typeof type === 'string' ? BY_NAME[type] : type

/** @param {import('../judge/threshold').Threshold} threshold */
function thresholdOf ({ expression, abortOn }) {
  return abortOn ? { threshold: expression, abortOn } : expression
}

/** @param {unknown} given such as 500 or '500/s' */
function requestsPerSecond (given) {
  const { number, unit } = readRate(given)
  if (unit === 'iterations') {
    throw new TypeError(
      `expected requests per second, got ${show(given)}: iterations per second are a rate of all users together`
    )
  }
  return number
}

/**
 * @template T
 * @param {unknown} given one, or a list
 * @param {(one: unknown) => T} parse
 * @returns {T[]}
 * @throws {TypeError} with the problem of each
 */
function eachOf (given, parse) {
  return Array.isArray(given) ? eachWithin(given, parse) : [parse(given)]
}

module.exports = { TYPES, thresholdOf, typeOf }
