'use strict'

// The keys of a request in a list.

const { BODY, EXPECT, FLAG, HEADERS, HOOK, METHOD, NAME, PAUSE, RETRIES, TEXT } = require('../type')

/** A list of requests in index.d.ts. */
const ENTRIES = 'Array<Request | PauseAlone | SocketStep | Block>'

const VALUE = 'string | number | boolean'

/** These are kept as they were given: rules are made of them later. @param {import('../type').Type} type */
const checked = type => ({
  ...type,
  parse (/** @type {unknown} */ given, /** @type {any} */ field) {
    type.parse(given, field)
    return given
  }
})

/** Keys of the request itself. forms.js reads those that give the path or the body in another form. */
const OF_REQUEST = Object.freeze(/** @satisfies {import('../../requests/fields').Fields} */ ({
  method: { ...METHOD, help: 'Overrides the method of the options.' },
  path: { ...TEXT, help: 'Overrides the path of the URL.' },
  url: {
    ts: 'string', schema: ({ FROM_ENVIRONMENT }) => ({ type: 'string', pattern: `^https?://|${FROM_ENVIRONMENT}` }),
    help: 'Instead of path: a URL of another origin, which url or origins have.'
  },
  headers: { ...HEADERS, help: 'Merged with the headers of the options, which they override.' },
  body: { ...BODY, help: 'Overrides the body of the options.' },
  json: { ts: 'unknown', schema: () => ({}), help: 'Instead of body: a value, sent as JSON.' },
  form: {
    ts: `Record<string, ${VALUE} | ReadonlyArray<${VALUE}>>`,
    schema: ({ orList, VALUES }) => ({ type: 'object', additionalProperties: orList(VALUES) }),
    help: 'Instead of body: names and values, sent URL-encoded.'
  },
  multipart: {
    ts: `Record<string, ${VALUE} | FormText | FormFile>`,
    schema: ({ DEFINITIONS }) => ({
      type: 'object',
      additionalProperties: { anyOf: [DEFINITIONS.formField, { type: ['string', 'number', 'boolean'] }] }
    }),
    help: 'Instead of body: names and texts, or files such as { type: file, path: ./photo.png }.'
  }
}))

/** Keys beside it. */
const BESIDE = Object.freeze(/** @satisfies {import('../../requests/fields').Fields} */ ({
  name: { ...checked(NAME), help: 'Name in results and thresholds.' },
  expect: { ...checked(EXPECT), help: 'Added to what the options expect.' },
  check: { ...HOOK, help: 'The path of a module that exports a function of the response and the context.' },
  checkEvent: { ...HOOK, help: 'The path of a module that exports a function of each event and the context.' },
  setupRequest: { ...HOOK, help: 'The path of a module with a function that returns the request to send.' },
  onResponse: { ...HOOK, help: 'The path of a module with a function that receives each response.' },
  pause: {
    ...PAUSE, help: 'How long a user waits after the response, before what follows. Alone, it is a pause at its place.'
  },
  capture: {
    ts: 'Record<string, Capture | CaptureOptions>',
    schema: ({ CAPTURE, object }) => ({
      type: 'object', additionalProperties: { anyOf: [CAPTURE, object(require('../../checks/capture').FIELDS)] }
    }),
    parse: given => require('../../checks/capture').parseCaptures(given),
    help: "What is taken from the response into the context of the iteration, by its name there: 'json " +
      "auth.token', 'json items[*].id pick random', 'header location', 'cookie sid', html 'input[name=csrf]' attr " +
      "value, 'status', 'body', 'event last json id' of a stream, a regular expression such as /id=(\\d+)/, or the " +
      'path of a module that exports a function of the response.'
  },
  retries: { ...RETRIES, help: 'Overrides retries of the options; 0 for none.' },
  once: {
    ...FLAG, default: false,
    help: 'Sent in the first iteration of a user only, such as a login. Its captured values stay for later ' +
      'iterations. Such requests come before all others.'
  },
  stream: {
    ...FLAG, parse: parseIsStream, default: true,
    help: 'With the option stream: whether the response is one. A login before it is none.'
  }
}))

const FIELDS = Object.freeze({ ...OF_REQUEST, ...BESIDE })

const REQUEST_KEYS = Object.keys(FIELDS)

/** @type {import('../type').Type['parse']} whether events of the response are measured */
function parseIsStream (given, option) {
  try {
    return FLAG.parse(given, option)
  } catch (error) {
    const { message } = /** @type {TypeError} */ (error)
    throw new TypeError(`${message}; the kind of stream is an option of the run, such as stream: sse`)
  }
}

module.exports = { BESIDE, ENTRIES, FIELDS, REQUEST_KEYS }
