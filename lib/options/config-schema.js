'use strict'

// The keys of a config and their places: the options of the table, and the keys inside them. It is a JSON schema
// (draft-07), the source of docs/config.schema.json, with two annotations of its own: texts that are paths, and texts
// that may be regular expressions. Parsers interpret the values.

const { isModule } = require('./users/pauses')
const { isModulePath } = require('./users/functions')
const { typeOf } = require('./types')

/**
 * @typedef {{ [keyword: string]: any }} Schema
 * - `isPath`: whether a text is a path, which starts at the folder of the config: true for every one, or a function of
 * the text
 * - `isFor`: returns whether an object has this form, and no other one that it might have
 * - `isPattern`: true where a text `/…/` is a regular expression
 */

/** A value that an environment variable gives is a text. */
const FROM_ENVIRONMENT = '\\$\\{'

/** @param {Schema} schema */
const orTexts = schema => ({ anyOf: [schema, { type: 'string', pattern: FROM_ENVIRONMENT }] })

/** @param {Schema} schema */
const orList = schema => ({ anyOf: [schema, { type: 'array', items: schema }] })

/** @param {string} description @param {Schema} schema */
const described = (description, schema) => ({ description, ...schema })

/** @param {Record<string, Schema>} properties @param {string[]} [required] */
const object = (properties, required = []) =>
  ({ type: 'object', properties, ...required.length > 0 && { required }, additionalProperties: false })

/** @type {(keys: string[], schema: Schema) => Schema} */
const withOneOf = (keys, schema) => ({ ...schema, oneOf: keys.map(key => ({ required: [key] })) })

/** @type {Schema} */
const TEXT = { type: 'string' }

/** @type {Schema} */
const FILLED = { type: 'string', minLength: 1 }

/** @type {Schema} */
const PATH = { type: 'string', isPath: true }

/** @type {Schema} a text that is a number, a time or a rate */
const QUANTITY_TEXT = { type: 'string', pattern: `^\\s*[\\d.]|${FROM_ENVIRONMENT}` }

/** @type {Schema} */
const RATE_TEXT = {
  type: 'string',
  pattern: '^\\s*[\\d.][\\d.eE+]*\\s*(([iI]teration|[rR]ound)s?\\s*/\\s*1?s|/1?s|[rR][pP][sS]|[rR]eq/s)?\\s*$' +
    `|${FROM_ENVIRONMENT}`
}

/** @param {Schema} bounds */
const rate = bounds => ({ anyOf: [{ type: 'number', ...bounds }, RATE_TEXT] })

/** @param {import('./table').Option} option */
const boundsOf = ({ min, above, max }) => ({
  ...min !== undefined && { minimum: min },
  ...above !== undefined && { exclusiveMinimum: above },
  ...max !== undefined && { maximum: max }
})

/** @param {Schema} bounds @param {string} type */
const number = (bounds, type = 'number') => ({ anyOf: [{ type, ...bounds }, QUANTITY_TEXT] })

/** Also as texts. */
const FLAG = { anyOf: [{ type: 'boolean' }, { type: 'string', pattern: `^(true|false)$|${FROM_ENVIRONMENT}` }] }

/** Seconds, or a text such as 500ms. */
const TIME = number({ minimum: 0, maximum: 2_000_000 })

/** Longer ones are reported as too long. */
const NAME = { type: 'string', minLength: 1, maxLength: 100 }

const HEADERS = {
  anyOf: [
    { type: 'object', additionalProperties: orList({ type: ['string', 'number', 'boolean', 'null'] }) },
    orList({ type: 'string', pattern: `[=:]|${FROM_ENVIRONMENT}` })
  ]
}

const USER = { type: 'string', isPath: isModulePath, minLength: 1 }

/** @type {Schema} */
const HOOK = { type: 'string', isPath: true, minLength: 1 }

const PAUSE = {
  description: "A time such as 1s, or seconds; two of them for any time in between, as ['500ms', '2s'] or 500ms-2s; " +
    'the mean of times that are distributed exponentially; or the path of a module that exports a function of the ' +
    'context.',
  anyOf: [
    { type: 'number', minimum: 0, maximum: 2_000_000 },
    { type: 'string', isPath: isModule, pattern: `^\\s*[\\d.]|[/\\\\]|\\.[cm]?[jt]s$|${FROM_ENVIRONMENT}` },
    { type: 'array', items: TIME, minItems: 2, maxItems: 2 },
    object({ exponential: described('The mean.', TIME) }, ['exponential'])
  ]
}

const A_STATUS = '[1-9](\\d\\d|[xX][xX])'

/** @param {string} more alternatives */
const statusOr = more => orList({
  anyOf: [{ type: 'integer', minimum: 100, maximum: 999 }, { type: 'string', pattern: `${more}${FROM_ENVIRONMENT}` }]
})

const STATUS = statusOr(`^\\s*${A_STATUS}(\\s*,\\s*${A_STATUS})*\\s*$|`)

const COUNT_OF_EVENTS = number({ minimum: 0 }, 'integer')

/** A text that the data includes, a pattern, or values of its JSON by path. */
const WANTED_OF_EVENT = {
  anyOf: [{ type: 'string', isPattern: true, minLength: 1 }, { type: 'object', additionalProperties: true }]
}

const EXPECT = object({
  status: described('A code, a class such as 2xx, or several of them.', STATUS),
  headers: {
    description: 'By name: the value, a pattern such as /json/, or whether there is such a header at all.',
    type: 'object',
    additionalProperties: orList({ anyOf: [{ type: 'string', isPattern: true }, { type: ['number', 'boolean'] }] })
  },
  body: {
    description: 'All of it, a pattern such as /ok/i, or texts that are in it.',
    anyOf: [
      { type: 'string', isPattern: true }, object({ includes: orList({ type: 'string', minLength: 1 }) }, ['includes'])
    ]
  },
  json: { description: "Values by path, such as 'items[0].id': 42.", type: 'object', additionalProperties: true },
  maxBytes: described('Maximum size of the body in bytes.', number({ minimum: 0 }, 'integer')),
  maxMs: described('Maximum latency in ms.', number({ minimum: 0 })),
  events: {
    description: 'Of the events of a stream: how many there are, or an object.',
    anyOf: [COUNT_OF_EVENTS, object({
      min: described('Minimum number of events.', COUNT_OF_EVENTS),
      max: described('Maximum number of events.', COUNT_OF_EVENTS),
      each: described('What each event has.', WANTED_OF_EVENT),
      some: described('What at least one event has.', WANTED_OF_EVENT),
      first: described('What the first event has.', WANTED_OF_EVENT),
      last: described('What the last event has.', WANTED_OF_EVENT)
    })]
  }
})

/** Whether a capture is a module: neither a regular expression nor the place of a value. */
const isCapturing = (/** @type {string} */ text) => isModule(text) &&
  !/^\s*(\/.+\/[a-z]*(\s+(all|pick\s+random))?\s*$|(json|header|cookie|html|event)\s)/s.test(text)

const CAPTURE = { type: 'string', isPath: isCapturing, minLength: 1 }

const RETRIES = {
  anyOf: [
    number({ minimum: 0, maximum: 1000 }, 'integer'),
    object({
      times: described('Maximum number of retries of a request.', number({ minimum: 0, maximum: 1000 }, 'integer')),
      on: described(
        'Statuses, classes such as 5xx and codes of errors such as AC_CLOSED.',
        statusOr(`^${A_STATUS}$|^[A-Z][A-Z\\d_]+$|`)
      ),
      pause: { description: 'Pause before each attempt. Default: that of Retry-After, or none.', allOf: [PAUSE] }
    }, ['times'])
  ]
}

const COOKIES = {
  anyOf: [
    FLAG,
    object({
      keep: described(
        'How long cookies are kept: for an iteration, the default with scenarios, or for the connection, the default ' +
          'without and where a request is sent once.',
        orTexts({ enum: ['iteration', 'round', 'connection'] })
      ),
      start: described('Initial cookies: names and values, or Set-Cookie lines.', {
        anyOf: [{ type: 'object', additionalProperties: { type: ['string', 'number'] } }, {
          type: 'array', items: { type: 'string', minLength: 1 }
        }]
      })
    })
  ]
}

const FIELD = object({
  type: described('A text, or a file to send.', { enum: ['text', 'file'] }),
  value: described('Of a text.', TEXT),
  path: described('Of a file.', PATH),
  options: { type: 'object' }
}, ['type'])

const REQUEST = object({
  method: described('Overrides the method of the options.', TEXT),
  path: described('Overrides the path of the URL.', { type: 'string', minLength: 1 }),
  url: described('Instead of path: a URL of another origin, which url or origins have.', {
    type: 'string', pattern: `^https?://|${FROM_ENVIRONMENT}`
  }),
  headers: described('Merged with the headers of the options, which they override.', HEADERS),
  body: described('Overrides the body of the options.', TEXT),
  json: described('Instead of body: a value, sent as JSON.', {}),
  form: described('Instead of body: names and values, sent URL-encoded.', {
    type: 'object', additionalProperties: orList({ type: ['string', 'number', 'boolean', 'null'] })
  }),
  multipart: described('Instead of body: names and texts, or files such as { type: file, path: ./photo.png }.', {
    type: 'object', additionalProperties: { anyOf: [FIELD, { type: ['string', 'number', 'boolean'] }] }
  }),
  name: described('Name in results and thresholds.', NAME),
  expect: { description: 'Added to what the options expect.', allOf: [EXPECT] },
  check: described('The path of a module that exports a function of the response and the context.', HOOK),
  checkEvent: described('The path of a module that exports a function of each event and the context.', HOOK),
  setupRequest: described('The path of a module with a function that returns the request to send.', HOOK),
  onResponse: described('The path of a module with a function that receives each response.', HOOK),
  pause: {
    description: 'How long a user waits after the response, before what follows. Alone, it is a pause at its place.',
    allOf: [PAUSE]
  },
  capture: {
    description: "What is taken from the response into the context of the iteration, by its name there: 'json " +
      "auth.token', 'json items[*].id pick random', 'header location', 'cookie sid', html 'input[name=csrf]' attr " +
        "value, 'status', 'body', 'event last json id' of a stream, a regular expression such as /id=(\\d+)/, or the " +
        'path of a module that exports a function of the response.',
    type: 'object',
    additionalProperties: {
      anyOf: [CAPTURE, object(
        {
          from: described('The source of the value.', CAPTURE),
          default: described('The value if there is none in the response.', {}),
          all: {
            description: 'Whether the value is a list: of all matches of a pattern, or of all elements of html.',
            default: false, ...FLAG
          },
          pick: described('The value is a random one of the list.', orTexts({ enum: ['random'] }))
        },
        ['from']
      )]
    }
  },
  retries: described('Overrides retries of the options; 0 for none.', RETRIES),
  once: {
    description: 'Sent in the first iteration of a user only, such as a login. Its captured values stay for later ' +
      'iterations. Such requests come before all others.',
    default: false, ...FLAG
  },
  stream: {
    description: 'With the option stream: whether the response is one. A login before it is none.',
    default: true, ...FLAG
  }
})

/** @type {Schema} whose items are requests, pauses, steps of WebSockets and blocks, which have such a list again */
const REQUESTS = { type: 'array', items: {}, minItems: 1 }

const FORMULA = { type: ['string', 'boolean'], minLength: 1 }

/** @type {(kind: string, schema: Schema, more?: Record<string, Schema>) => Schema} */
const blockOf = (kind, schema, more = {}) => ({
  isFor: (/** @type {Record<string, unknown> | null} */ entry) => (entry ?? {})[kind] !== undefined,
  ...object({ [kind]: schema, ...more }, [kind, ...Object.keys(more).filter(key => key !== 'else')])
})

const TURNS = { minimum: 0, maximum: 1_000_000 }

const BLOCKS = [
  blockOf('if', described("An expression, such as 'status == 200'.", FORMULA), {
    requests: described('Sent when it is true.', { allOf: [REQUESTS] }),
    else: described('Sent when it is false.', { allOf: [REQUESTS] })
  }),
  blockOf('repeat', described('How often, a number or an expression.', {
    anyOf: [{ type: 'integer', ...TURNS }, { type: 'string', minLength: 1 }]
  }), { requests: REQUESTS }),
  blockOf('while', described('An expression that is evaluated before each turn.', FORMULA), {
    max: described('The maximum number of turns. One that is still true then aborts the iteration.', number({
      ...TURNS, minimum: 1
    }, 'integer')),
    requests: REQUESTS
  }),
  blockOf('forEach', described("A list and the name of its element in templates: 'items as item'.", {
    type: 'string', pattern: `\\sas\\s|${FROM_ENVIRONMENT}`
  }), { requests: REQUESTS })
]

const BRANCH = {
  isFor: (/** @type {Record<string, unknown> | null} */ entry) => (entry ?? {}).requests !== undefined,
  ...object({ requests: REQUESTS }, ['requests'])
}

/** @type {Schema} */
const REQUESTS_AT_ONCE = { anyOf: [] }

BLOCKS.push(blockOf('parallel', {
  description: 'Requests that are sent at the same time, or lists of them: { requests: […] }.',
  type: 'array',
  items: REQUESTS_AT_ONCE,
  minItems: 1
}))

const BLOCK = { anyOf: BLOCKS }

/** @type {(kind: string, schema: Schema, more?: Record<string, Schema>) => Schema} */
const stepOf = (kind, schema, more = {}) => ({
  isFor: (/** @type {Record<string, unknown> | null} */ entry) => (entry ?? {})[kind] !== undefined,
  ...object({ [kind]: schema, ...more }, [kind])
})

const { name, expect, check, capture, pause } = REQUEST.properties

const MATCH = { type: 'string', pattern: `^(next|none|json\\s.*)$|${FROM_ENVIRONMENT}` }

const ON = described('The name of its WebSocket; without it, that without a name.', NAME)

const SOCKET_STEP = {
  anyOf: [
    stepOf('ws', described('Opens a WebSocket: a path, or a URL of an origin that url or origins have.', FILLED), {
      as: described('Its name, for on and close, where there are several. One before of that name is closed.', NAME),
      headers: described('Headers of the handshake, merged with those of the options.', HEADERS),
      subprotocols: described('Subprotocols that are offered, the preferred one first.', orList(FILLED)),
      name: described('Name of its messages that have no other.', NAME),
      timeout: described('Overrides the timeout of the run: of the handshake, and of messages.', TIME),
      match: {
        description: "Default for messages: which one is the response, next, 'json id', or none.",
        default: 'next',
        ...MATCH
      },
      compressed: { description: 'Whether compression is offered (permessage-deflate).', default: false, ...FLAG }
    }),
    stepOf('send', described('The message: a text, or an object that is sent as JSON.', {
      type: ['string', 'object', 'array']
    }), {
      on: ON,
      match: described('Which message is its response: next, or the one with the same value at a path, as in ' +
        "'json id'; with none it has no response. Default: that of ws.", MATCH),
      timeout: described('Overrides the timeout of the WebSocket.', TIME),
      name, expect, check, capture, pause
    }),
    stepOf('receive', described('Waits for a message that responds to nothing: next for any, or an expression such ' +
      'as "json type == \'price\'".', FILLED), {
      on: ON,
      count: {
        description: 'Number of messages: it is complete with the last one, which is checked and captured.',
        default: 1,
        ...number({ minimum: 1, maximum: 1_000_000 }, 'integer')
      },
      timeout: described('Overrides the timeout of the WebSocket.', TIME),
      name, expect, check, capture, pause
    }),
    stepOf('close', described('Closes a WebSocket in the middle of an iteration: ws, or its name.', NAME))
  ]
}

REQUESTS_AT_ONCE.anyOf = [BLOCK, SOCKET_STEP, BRANCH, REQUEST]

REQUESTS.items = { anyOf: [BLOCK, SOCKET_STEP, REQUEST] }

const STAGE = {
  anyOf: [
    { type: 'string', pattern: `:|${FROM_ENVIRONMENT}` },
    object({
      duration: described('Length; 0 for a jump.', TIME),
      rate: described("Requests per second at its end, or iterations: '50 iterations/s'.", rate({
        minimum: 0, maximum: 1e7
      })),
      connections: described('Number of connections at its end.', number({ minimum: 0, maximum: 100_000 }, 'integer')),
      name: described('Name, in addition to its number.', NAME)
    }, ['duration'])
  ]
}

const STAGES = orList(STAGE)

const SCENARIO = withOneOf(['requests', 'user'], object({
  name: described('Name in results; required with several scenarios.', NAME),
  weight: {
    description: 'How many of the iterations are its own, beside those of the others.',
    default: 1,
    ...number({ minimum: 1, maximum: 1_000_000 }, 'integer')
  },
  requests: described('The requests of an iteration.', REQUESTS),
  user: described(
    'The path of a module that exports one iteration of a user as a function, instead of requests.', HOOK
  ),
  exec: described('The function that the module of user exports under this name, instead of its default.', FILLED),
  setup: described('Requests that are sent once, before the load. Their captured values are in each iteration.', {
    allOf: [REQUESTS]
  }),
  teardown: described('Requests that are sent once, after the load, also if it was interrupted.', {
    allOf: [REQUESTS]
  }),
  pause: { description: 'Between its iterations; overrides pause of the options.', allOf: [PAUSE] },
  every: described('The minimum interval between starts of iterations; overrides every of the options.', TIME),
  connections: described(
    'Its own load: scenarios run side by side.', number({ minimum: 1, maximum: 100_000 }, 'integer')
  ),
  rate: described("Of its own, such as '50 iterations/s'.", rate({ exclusiveMinimum: 0, maximum: 1e7 })),
  stages: described(
    "Of its own: over a rate, such as '30s:50iterations/s', or over connections, such as '30s:200'.",
    STAGES
  )
}))

const THRESHOLDS = orList({
  anyOf: [TEXT, object(
    {
      threshold: described('Such as p99 < 50ms.', TEXT),
      abortOn: described("End the run as soon as it can't be met any more.", orTexts({ type: 'boolean' }))
    },
    ['threshold']
  )]
})

const SOURCE = {
  anyOf: [
    { type: 'string', isPath: true, pattern: `\\.(csv|tsv|json|ndjson|jsonl)$|${FROM_ENVIRONMENT}` },
    object({
      file: described('A .csv, .tsv, .json, .ndjson or .jsonl file; a source has either this or rows.', PATH),
      separator: described(
        'What separates the values of a .csv or .tsv file: one character, such as ;, | or \\t.',
        { type: 'string', minLength: 1 }
      ),
      rows: { description: 'The rows themselves: objects, or values.', type: 'array', minItems: 1 },
      pick: {
        description: 'Which row an iteration has: the next one, one at random, each once over all connections and ' +
          'workers, or one for each connection.',
        default: 'order', ...orTexts({ enum: ['order', 'random', 'once', 'connection'] })
      },
      end: {
        description: 'With pick once: what ends when each row has been used.',
        default: 'run',
        ...orTexts({
          enum: ['run', 'scenario']
        })
      }
    })
  ]
}

const WEIGHT = number({ minimum: 1, maximum: 1024 }, 'integer')

const WEIGHTS = {
  anyOf: [FILLED, WEIGHT, { type: 'array', items: WEIGHT, minItems: 1 }, {
    type: 'object', additionalProperties: WEIGHT, minProperties: 1
  }]
}

const FORM = {
  anyOf: [
    { type: 'string', isPath: (/** @type {string} */ text) => !text.trimStart().startsWith('{') },
    { type: 'object', additionalProperties: FIELD }
  ]
}

/** Parts of option types. */
const SCHEMAS = Object.freeze({
  boundsOf,
  described,
  number,
  object,
  orList,
  orTexts,
  rate,
  /** To start. */
  COMMAND: { type: 'array', items: TEXT, minItems: 1 },
  COOKIES,
  DATA: orList({ anyOf: [{ type: 'object', additionalProperties: SOURCE }, TEXT] }),
  EXPECT,
  FILLED,
  FLAG,
  FORM,
  HEADERS,
  HOOK,
  USER,
  PATH,
  PAUSE,
  PIDS: orList({ anyOf: [number({ minimum: 1, maximum: 4_194_304 }, 'integer'), TEXT] }),
  REQUESTS,
  RETRIES,
  SCENARIOS: { type: 'array', items: SCENARIO, minItems: 1 },
  STAGES,
  STATUS,
  TAGS: { anyOf: [orList(TEXT), { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }] },
  TEXT,
  THRESHOLDS,
  TIME,
  TRACE: { anyOf: [{ type: 'boolean' }, { type: 'string', pattern: '%$|^(true|false|)$|\\$\\{' }] },
  WARMUP: object({ connections: number({ minimum: 1, maximum: 100_000 }, 'integer'), duration: TIME }),
  WEIGHTS
})

/** @param {ReadonlyArray<Readonly<import('./table').Option>>} rows @returns {Schema} of a config that may have those */
function schemaOf (rows) {
  return object(Object.fromEntries(rows.filter(({ flagOnly }) => !flagOnly).map(option => {
    const { name, help, default: fallback } = option
    return [name, {
      description: help, ...fallback !== undefined && { default: fallback }, ...typeOf(option).schema(SCHEMAS, option)
    }]
  })))
}

/** Parts of it that occur in several places, by name. */
const DEFINITIONS = Object.freeze({
  request: REQUEST,
  requests: REQUESTS,
  block: BLOCK,
  socketStep: SOCKET_STEP,
  scenario: SCENARIO, expect: EXPECT, pause: PAUSE, retries: RETRIES, source: SOURCE, stage: STAGE,
  headers: HEADERS, time: TIME
})

module.exports = { DEFINITIONS, SCHEMAS, schemaOf }
