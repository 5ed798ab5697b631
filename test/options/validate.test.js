'use strict'

const t = require('tap')
const { OptionsError, AutocannonError } = require('../../lib/core/errors')
const { TABLE, flags } = require('../../lib/options/table')
const { validate } = require('../../lib/options/validate')
const { suggest } = require('../../lib/core/suggest')
const { problemsIn } = require('../helpers/options/problems')

const url = 'http://localhost:3000'

const problemsOf = (...args) => problemsIn(() => validate(...args))

t.test('a URL is all that is needed', async t => {
  const { values, warnings } = validate({ url })
  t.ok(Object.isFrozen(values), 'what has been read never changes')
  t.strictSame(warnings, [])
  t.strictSame(values, { ...Object.fromEntries(TABLE.map(option => [option.name, option.default])), url: [url], env: Object.create(null) })
})

t.test('a URL is needed', async t => {
  for (const given of [{}, { url: undefined }, { url: null }]) {
    t.strictSame(problemsOf(given), ['a URL is required: give the address of the server, such as http://localhost:3000'])
  }
})

t.test('what has no arrivals is not asked for them, and undici has no native sockets', async t => {
  for (const [given, problem] of /** @type {Array<[Record<string, any>, string]>} */ ([
    [{ sockets: 'node', clock: 'arrival' }, 'clock: expected read with sockets node, got arrival: the sockets of Node.js do not report when a response arrived'],
    [{ client: 'undici', clock: 'arrival' }, 'clock: expected read with client undici, got arrival: undici does not report when a response arrived'],
    [{ client: 'undici', sockets: 'node', clock: 'arrival' }, 'clock: expected read with client undici, got arrival: undici does not report when a response arrived'],
    [{ client: 'undici', sockets: 'native' }, 'sockets: expected node with client undici, got native: undici uses the sockets of Node.js']
  ])) t.strictSame(problemsOf({ url, ...given }), [problem])
  for (const given of [{ sockets: 'native', clock: 'arrival' }, { sockets: 'node', clock: 'read' }, { client: 'undici', sockets: 'node', clock: 'read' }, { sockets: 'node' }, { client: 'undici' }]) t.ok(validate({ url, ...given }))
})

t.test('undici is asked for what a run is to know', async t => {
  t.ok(validate({ url, client: 'undici', until: 'decided', thresholds: ['p99 < 1s'] }))
  t.match(problemsOf({ url, client: 'undici', until: 'bytes/s ±2%' }), [/^until: undici does not .* how many bytes it reads/])
})

t.test('a mistake is said once', async t => {
  for (const given of [{ until: 'decided' }, { skipAggregateResult: true, thresholds: ['p99 < 1s'], baseline: undefined, until: 'p99 ±2%' }, { failIf: 'server cpu > 10%' }]) {
    const problems = problemsOf({ url, ...given })
    t.strictSame(problems, [...new Set(problems)])
  }
})

t.test('options have to be an object', async t => {
  for (const given of [undefined, null, 5, url, true]) {
    t.strictSame(problemsOf(/** @type {any} */ (given)), [`expected an object of options, got ${given === url ? `'${url}'` : given}`])
  }
})

t.test('the error has a code and every problem', async t => {
  try {
    validate({ url: 'ftp://a', connections: 0, duration: 'x' })
    t.fail('should have thrown')
  } catch (error) {
    t.ok(error instanceof OptionsError && error instanceof AutocannonError)
    t.equal(error.code, 'AC_OPTIONS')
    t.equal(error.name, 'OptionsError')
    t.equal(error.problems.length, 3)
    t.equal(error.message, error.problems.join('\n'))
  }
})

t.test('problems that were found before come first', async t => {
  t.strictSame(problemsOf({ url, connections: 0 }, ({ name }) => name, ['unknown flag --x']).map(problem => problem.split(':')[0]),
    ['unknown flag --x', 'connections'])
})

t.test('two bodies are refused', async t => {
  const problems = problemsOf({ url, body: 'a', input: __filename }, flags)
  t.equal(problems.length, 1)
  t.match(problems[0], /^-b\/--body and -i\/--input .*: use one of them$/)
  t.strictSame(problemsOf({ url, body: 'a' }), [])
})

t.test('a misspelt option is refused with the nearest known one', async t => {
  t.strictSame(problemsOf({ url, conections: 5 }), ["unknown option 'conections', did you mean 'connections'?"])
  t.strictSame(problemsOf({ url, Duration: 5 }), ["unknown option 'Duration', did you mean 'duration'?"])
  t.strictSame(problemsOf({ url, titel: 'x', bdy: 'y', zzzzzzz: 1 }), ["unknown option 'titel', did you mean 'title'?", "unknown option 'bdy', did you mean 'body'?"])
  t.strictSame(problemsOf({ url, requests: [{ path: '/' }, { bdy: 'x' }] }), ["unknown key 'bdy' in requests[1], did you mean 'body'?"])
})

t.test('an unknown option that is near to none is warned of, and ignored', async t => {
  for (const [options, warnings] of [
    [{ xylophone: 5 }, ["unknown option 'xylophone'"]],
    [{ xylophone: undefined }, ["unknown option 'xylophone'"]],
    [{ conections: undefined }, ["unknown option 'conections', did you mean 'connections'?"]],
    [{ requests: [{ xylophone: 5 }] }, ["unknown key 'xylophone' in requests[0]"]]
  ]) {
    const validated = validate({ url, ...options })
    t.strictSame(validated.warnings, warnings)
    t.strictSame(Object.keys(validated.values), [...TABLE.map(({ name }) => name), 'env'], 'it does not get through')
  }
})

t.test('a pace is that of a rate', async t => {
  t.throws(() => validate({ url, pace: 'even' }), { message: /^pace: expected a rate as well, such as rate, got none: each connection sends as soon as it has its response then$/ })
  for (const rate of ['rate', 'connectionRate', 'overallRate']) t.equal(validate({ url, pace: 'batched', [rate]: 5 }).values.pace, 'batched')
})

t.test('suggestions', async t => {
  const known = ['connections', 'duration', 'no-progress', 'json', 'title', 'timeout']
  /** @type {Array<[name: string, suggestion: string | null]>} */
  const cases = [
    ['connections', 'connections'],
    ['CONNECTIONS', 'connections'],
    ['conection', 'connections'],
    ['durtion', 'duration'],
    ['progress', null],
    ['no-progres', 'no-progress'],
    ['jsno', 'json'],
    ['tiemout', 'timeout'],
    ['time', null],
    ['xylophone', null],
    ['z'.repeat(50), null]
  ]
  for (const [name, suggestion] of cases) t.equal(suggest(name, known), suggestion === null ? '' : `, did you mean '${suggestion}'?`, name)
  t.equal(suggest('anything', []), '')
})

t.test('problems are in the order of the option table, whichever rule found them and however the user calls an option', async t => {
  const flag = Object.assign((/** @type {any} */ { name, short }) => short === undefined ? `--${name}` : `-${short}/--${name}`, {})
  const given = { url: 'http://a', http2: true, client: 'undici', headers: { connection: 'x', expect: '1' }, method: 'DELETE', body: 'x', timeout: 0, thresholds: ['bytes/s > 1'], tlsMin: '1.2' }
  const named = problemsOf(given).map(problem => problem.split(/[ :]/)[0])
  t.strictSame(named, ['timeout', 'method', 'headers', 'headers', 'thresholds', 'tlsMin'])
  t.strictSame(problemsOf(Object.fromEntries(Object.entries(given).reverse())).map(problem => problem.split(/[ :]/)[0]), named, 'in whatever order they were given')
  t.strictSame(problemsOf(given, flag).map(problem => problem.split(/[ :]/)[0]), ['-t/--timeout', '-m/--method', '-H/--headers', '-H/--headers', '--thresholds', '--tlsMin'])
  t.strictSame(problemsOf({ ...given, nonsene: 1 }, undefined, ['found before']).at(0), 'found before')
})
