'use strict'

// Every option of the table with every kind of value: a new one is covered by itself. Either it is accepted, and a plan can
// be made of it, or it is refused with its name, what was given and what is allowed.

require('../helpers/options/no-input')
const t = require('tap')
const autocannon = require('../..')
const { readFlags } = require('../../lib/cli/args')
const { OptionsError } = require('../../lib/core/errors')
const { buildPlan } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { TABLE, flags } = require('../../lib/options/table')
const { validate } = require('../../lib/options/validate')

const url = 'http://localhost:3000'

const trap = () => { throw new Error('a trap') }
const cyclic = {}
Object.assign(cyclic, { cyclic })
const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000))

/** @type {Record<string, unknown>} */
const KINDS = {
  'an empty string': '',
  blanks: '  ',
  'a string': 'some text',
  'a huge string': 'x'.repeat(1e6),
  'a line break': 'a: b\r\nc: d',
  'a NUL': 'a\0b',
  'half a character': '\ud800',
  JSON: '{"a":1}',
  zero: 0,
  'negative zero': -0,
  'a negative number': -1,
  'a fraction': 1.5,
  'a number': 5,
  NaN,
  Infinity,
  '-Infinity': -Infinity,
  'a huge number': Number.MAX_VALUE,
  'a tiny number': Number.MIN_VALUE,
  'a BigInt': 10n,
  'a symbol': Symbol('s'),
  true: true,
  false: false,
  'an object': {},
  'an object without a prototype': Object.create(null),
  'a cyclic object': cyclic,
  'an object that throws when read': { get a () { throw new Error('a trap') } },
  'an object that throws when written out': { toString: trap, toJSON: trap, [Symbol.toPrimitive]: trap },
  'an object that throws at everything': new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap }),
  'a broken iterable': { [Symbol.iterator]: 5 },
  'an iterable of nothing': { * [Symbol.iterator] () { yield null } },
  'an empty array': [],
  'an array of null': [null],
  'an array of undefined': [undefined],
  'an array of symbols': [Symbol('s')],
  'an array of objects': [{}],
  'an array of arrays': [[]],
  'a deep array': deep,
  'a huge array': new Array(1e5).fill('x'),
  'a sparse array': new Array(3),
  'an arrow function': () => {},
  'a class': class {},
  'a Date': new Date(0),
  'a broken Date': new Date(NaN),
  'a Map': new Map([['a', 'b']]),
  'a strange Map': new Map([[1, 2]]),
  'a Set': new Set(['ab']),
  'a WeakMap': new WeakMap(),
  'a RegExp': /x/,
  'an Error': new Error('x'),
  'a Promise': Promise.resolve(1),
  'a Buffer': Buffer.alloc(3),
  'an ArrayBuffer': new ArrayBuffer(3),
  'a URL': new URL('http://localhost'),
  'a boxed number': Object(5),
  'a boxed string': Object('x')
}

/** Words of JavaScript itself: code that reads them has a hole in a check. */
const ENGINE = /Cannot |is not (a function|iterable|defined|a constructor|extensible)|\[object|Maximum call|Reduce of|null prototype|Invalid array|Invalid string/

/**
 * @param {Record<string, unknown>} options
 * @returns {string[]} problems; none when a plan was made
 */
function problemsOf (options) {
  try {
    const { values } = validate(options)
    split(buildPlan(values), values.workers ?? 2)
    return []
  } catch (error) {
    if (error instanceof OptionsError) return error.problems
    throw error
  }
}

/**
 * @param {string} problem
 * @param {string} name of the option
 * @returns {boolean} whether it is one short line that names the option, perhaps a place in it, what was given and what is allowed
 */
const isSaid = (problem, name) => problem.startsWith(name) && /^[\w.[\]]*: /.test(problem.slice(name.length)) && problem.length < 1300 && !ENGINE.test(problem) && !/[\r\n\0]/.test(problem) &&
  /expected .* got |could not read|is not a header name|has a line break|reading it failed: Error: a trap|has to be |has the type |is not a URL|unknown keys? .*; there are |is not valid JSON/.test(problem)

/** They mean nothing without messages over WebSocket. */
const OF_MESSAGES = ['match', 'receive', 'age', 'ping', 'subprotocol']
const OVER_WEBSOCKET = { url: 'ws://localhost:3000', body: 'x' }

for (const option of TABLE) {
  t.test(`${option.name}: whatever it is, it is accepted or refused with words`, async t => {
    const complaints = Object.entries(KINDS).flatMap(([kind, value]) => {
      try {
        const problems = problemsOf(option.name === 'url' ? { url: value } : { url, [option.name]: value, ...OF_MESSAGES.includes(option.name) && OVER_WEBSOCKET })
        return problems.length <= 10 && problems.every(problem => isSaid(problem, option.name)) ? [] : [[kind, problems]]
      } catch (error) {
        return [[kind, /** @type {any} */ (error)?.stack]]
      }
    })
    t.strictSame(complaints, [])
  })
}

t.test('options that throw when they are read reject, as all that is wrong with them', async t => {
  const url = 'http://127.0.0.1:1'
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  for (const given of [
    { url, get zzz () { return trap() } }, { get url () { return trap() } },
    new Proxy({}, { ownKeys: trap }), new Proxy({ url }, { get: trap }), revoked.proxy
  ]) {
    for (const call of [autocannon, autocannon.find, autocannon.versus]) {
      /** @type {any} */
      let made
      t.doesNotThrow(() => { made = call(given) })
      await t.rejects(made, { code: 'AC_OPTIONS', message: /^could not read the options: (a trap|.*revoked)$/ })
    }
  }
})

/** A speed is that of a recording. */
const RECORDED = { harPauses: true, har: { log: { entries: [{ startedDateTime: '2026-01-31T12:00:00Z', request: { method: 'GET', url } }] } } }

/** They mean nothing without streams. */
const OF_STREAMS = ['streamFor', 'streamReconnect', 'events', 'stall', 'idleTimeout']

t.test('numbers end at their bounds', async t => {
  const numbers = TABLE.filter(({ type }) => ['integer', 'number', 'seconds'].includes(type))
  t.ok(numbers.length > 10)
  for (const { name, type, min, above, max } of numbers) {
    const step = type === 'integer' ? 1 : 0.001
    const lowest = min ?? /** @type {number} */ (above) + step
    const highest = /** @type {number} */ (max)
    // Other rules may have something against it: many connections need many requests, and what is left out needs a run that lasts longer.
    const others = OF_MESSAGES.includes(name) ? OVER_WEBSOCKET : OF_STREAMS.includes(name) ? { stream: 'sse' } : name === 'maxOverallRequests' ? { connections: 1 } : name === 'skipFirst' ? { amount: 10 } : name === 'speed' ? RECORDED : name === 'seed' ? { rate: 1, arrivals: 'poisson' } : name === 'agentsTimeout' ? { agents: 1, redis: 'localhost' } : name === 'metricsLinger' ? { metricsListen: ':0' } : {}
    const refused = (/** @type {unknown} */ value) => problemsOf({ url, [name]: value, ...others }).some(problem => problem.startsWith(name + ': '))
    for (const form of [Number, String]) {
      t.notOk(refused(form(lowest)), `${name}: ${lowest}`)
      t.notOk(refused(form(highest)), `${name}: ${highest}`)
      for (const value of [lowest - step, highest + 1, highest * 10, -highest, lowest > 0 ? 0 : -1, NaN, Infinity, -Infinity]) t.ok(refused(form(value)), `${name}: ${value}`)
      if (type === 'integer') t.ok(refused(form(lowest + 0.5)), `${name}: ${lowest + 0.5}`)
    }
  }
})

t.test('too many requests in flight are refused, not tried', async t => {
  t.strictSame(problemsOf({ url, connections: 100_000, pipelining: 10_000 }),
    ['connections and pipelining: expected at most 10,000,000 requests in flight in a thread, got 1,000,000,000'])
  t.strictSame(problemsOf({ url, connections: 100_000, pipelining: 10_000, workers: 100 }), [])
})

t.test('who forgets the value of a flag is told that it took the URL', async t => {
  for (const name of ['otlp', 'proxy']) t.match(problemsOf({ [name]: url }), [`a URL is required: give the address of the server, such as http://localhost:3000; the one that is there is the value of ${name}`])
  t.match(problemsOf({}), [/such as http:\/\/localhost:3000$/])
})

t.test('what has no effect is warned of', async t => {
  for (const { name, type, where } of TABLE) {
    // parseArguments() gives debug for the program that calls it; the others are refused alone.
    if (where !== 'cli' || type !== 'flag' || ['debug', 'quietServer', 'open', 'uiAllowRemote', 'acrossMachines'].includes(name)) continue
    t.match(validate({ url, [name]: !['progress', 'verbose', 'chart'].includes(name) }).warnings, [`the option '${name}' is one of the command line`], name)
  }
  t.match(validate({ url, input: __filename }).warnings, ["the option 'input' is one of the command line, and has no effect here"])
  const { env, ...defaults } = validate({ url }).values
  t.strictSame(validate(defaults).warnings, [], 'defaults are not')
  t.strictSame(validate({ url, requests: [{ path: '/' }, { title: 'x' }] }).warnings, ["unknown key 'title' in requests[1]"])
  t.strictSame(problemsOf({ requests: [{ setupReqest: () => {} }, { methd: 'GET', title: 'x' }], url }), [
    "unknown key 'setupReqest' in requests[0], did you mean 'setupRequest'?",
    "unknown key 'methd' in requests[1], did you mean 'method'?"
  ])
})

t.test('no other value can add a header', async t => {
  for (const evil of ['x\r\nEvil: 1', 'x\nEvil: 1', 'x\rEvil: 1', 'x\0', 'x\r\n\r\nGET /evil HTTP/1.1']) {
    for (const [given, part] of /** @type {Array<[Record<string, unknown>, string]>} */ ([
      [{ method: evil }, 'method'],
      [{ headers: { a: evil } }, 'headers'],
      [{ headers: { [evil]: 'a' } }, 'headers'],
      [{ headers: `a: ${evil}` }, 'headers'],
      [{ headers: [`a=${evil}`] }, 'headers'],
      [{ headers: new Map([['a', evil]]) }, 'headers'],
      [{ headers: { a: ['b', evil] } }, 'headers'],
      [{ requests: [{ method: evil }] }, 'requests[0].method'],
      [{ requests: [{ headers: { a: evil } }] }, 'requests[0].headers'],
      [{ servername: evil }, 'servername'],
      [{ form: { a: { type: 'text', value: 'b', options: { contentType: evil } } } }, 'form'],
      [{ form: { a: { type: 'text', value: 'b', options: { header: { X: evil } } } } }, 'form'],
      [{ form: { a: { type: 'text', value: 'b', options: { header: evil } } } }, 'form'],
      [{ har: { log: { entries: [{ request: { method: evil, url } }] } } }, 'har'],
      [{ har: { log: { entries: [{ request: { method: 'GET', url, headers: [{ name: 'a', value: evil }] } }] } } }, 'har'],
      [{ url: `http://localhost/${evil}` }, 'url']
    ])) {
      const problems = problemsOf({ url, ...given })
      t.equal(problems.length, 1, `${part}: ${JSON.stringify(evil)}`)
      t.ok(problems[0]?.startsWith(part + ': '), problems[0])
      t.notMatch(problems[0], /[\r\n\0]/)
    }
    // What can be encoded is.
    const { scenarios: [{ steps: [{ request }] }], targets: [target] } = buildPlan(validate({ url, requests: [{ path: `/${evil}`, body: evil }] }).values)
    const { serialize } = require('../../lib/protocols/serialize')
    const head = serialize(request, target).toString('latin1').split('\r\n\r\n')[0]
    t.notMatch(head, /\nEvil|\r(?!\n)|\0|\n.*GET/)
    if (evil.includes('\0')) continue
    const form = buildPlan(validate({ url, form: { [evil]: { type: 'text', value: 'b', options: { filename: 'a"b' } } } }).values).scenarios[0].steps[0].request
    t.notMatch(String(form.body).split('\r\n\r\n')[0].replaceAll('\r\n', ''), /[\r\n\0]/)
  }
})

t.test('files and documents that can not be read are named', async t => {
  const dir = t.testdir({ 'broken.json': '{"log":', 'other.json': '[]', 'bom.json': '\ufeff{"log":{"entries":[]}}' })
  /** @param {unknown[]} entries */
  const har = entries => ({ log: { entries } })
  for (const [given, expected] of /** @type {Array<[Record<string, unknown>, RegExp]>} */ ([
    [{ har: `${dir}/broken.json` }, /^har: the file '.*broken\.json' is not valid JSON: /],
    [{ har: `${dir}/other.json` }, /^har: this is not a HAR: expected an object with log\.entries, got an array$/],
    [{ har: dir }, /^har: could not read the file '.*': EISDIR: illegal operation on a directory, read$/],
    [{ har: har([null]) }, /log\.entries\[0\] has no valid request: expected an object with request, got null$/],
    [{ har: har([{ request: { url } }, { request: { url: 'nope' } }]) }, /log\.entries\[1\] has no valid request: expected a request\.url such as http:\S+, got 'nope'$/],
    [{ har: har([{ request: { url, headers: {} } }]) }, /expected request\.headers to be an array, got an object$/],
    [{ har: har([{ request: { url, headers: [{ value: 'x' }] } }]) }, /expected request\.headers to have objects with name and value, got an object$/],
    [{ har: har([{ request: { url, postData: 'x' } }]) }, /expected request\.postData to be an object, got a string$/],
    [{ har: har([{ request: { url, postData: { params: [null] } } }]) }, /expected request\.postData\.params to have objects with name and value, got null$/],
    [{ har: `${dir}/bom.json` }, /^har: no request of the file goes to http:/],
    [{ form: '{"a":' }, /^form: the form is not valid JSON: /],
    [{ form: `${dir}/nothing.json` }, /^form: could not read the form '.*': ENOENT/],
    [{ form: { a: { type: 'file', path: `${dir}/nothing` } } }, /^form: could not read the file of field 'a' '.*': ENOENT/],
    [{ form: { a: { type: 'file' } } }, /^form: the file field 'a' has no path$/],
    [{ form: { a: { type: 'text', value: {} } } }, /^form: the text field 'a' has an object as value: expected a string$/],
    [{ form: { a: { type: 'text', value: 'x', options: 5 } } }, /^form: the options of the field 'a' have to be an object, got 5$/]
  ])) {
    const problems = problemsOf({ url, ...given })
    t.equal(problems.length, 1)
    t.match(problems[0], expected)
  }
})

/** Otherwise each option meets each text in one of its forms, and each form meets each text with one of the options: npm run test:all has all of them. */
const EVERY = process.env.CONTRACT_MODES === 'all'

t.test('every flag on the command line with every kind of text', async t => {
  let [tried, left] = [0, 0]
  const texts = ['', ' ', '-', '--', '-1', '=', '0', 'NaN', 'Infinity', '1e400', 'x'.repeat(500), 'a\r\nb', '[', ']', '{', '"', 'true', '--help', 'ä', '%', '\ud800']
  for (const [i, option] of TABLE.filter(({ where }) => where !== 'api').entries()) {
    const forms = [`--${option.name}`, ...option.short === undefined ? [] : [`-${option.short}`], `--no-${option.name}`]
    // A value stands behind the letter of a short flag, or else in an argument of its own; --no-x has none.
    const apart = (/** @type {string} */ flag, /** @type {string} */ text) => flag.startsWith('--no-') ? [] : [[flag, text], ...flag.startsWith('--') ? [] : [[flag + text]]]
    const withTexts = texts.flatMap((text, j) => {
      const all = forms.flatMap(flag => [[`${flag}=${text}`], ...apart(flag, text)])
      if (EVERY) return all
      const some = (i + j) % 3 === 0 ? [all[(i + j) % all.length]] : []
      left += all.length - some.length
      return some
    })
    for (const argv of [...forms.flatMap(flag => [[flag], [`${flag}x`]]), ...withTexts]) {
      tried++
      try {
        const { raw, problems } = readFlags([...argv, url], {})
        validate(raw, ({ name }) => name === 'url' ? 'URL' : flags(option), problems)
      } catch (error) {
        if (!(error instanceof OptionsError)) t.fail(`${JSON.stringify(argv)}: ${/** @type {any} */ (error)?.stack}`)
        else if (ENGINE.test(error.message)) t.fail(`${JSON.stringify(argv)}: ${error.message}`)
      }
    }
  }
  t.ok(tried > 1000, `${tried} argument lists`)
  if (left > 0) t.comment(`${left} more combinations: npm run test:all`)
})
