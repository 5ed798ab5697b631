'use strict'

// Random input: objects of options and lists of arguments. Whatever it is, it is refused by an OptionsError with words, or a
// plan is made of it whose requests are requests, and a result can say what was asked for.

require('../helpers/options/no-input')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { compile } = require('../../lib/checks/compile')
const { parseArguments } = require('../../lib/cli/main')
const { OptionsError } = require('../../lib/core/errors')
const { describeOptions } = require('../../lib/options/describe')
const { Exchanges } = require('../../lib/engine/exchanges')
const { TABLE } = require('../../lib/options/table')
const { buildPlan } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { validate } = require('../../lib/options/validate')
const { compileScenario } = require('../../lib/users/compiled-scenario')
const { contextMaker } = require('../../lib/templates/context')
const { ID } = require('../../lib/templates/ids')
const { Own } = require('../../lib/templates/own')
const { Script } = require('../../lib/users/script')
const { serialize } = require('../../lib/protocols/serialize')

/** Words of JavaScript itself: code that reads them has a hole in a check. */
const ENGINE = /Cannot (read|set|convert|destructure|assign)|is not (a function|iterable|defined|a constructor)|Maximum call|null prototype/

/** What one input may take, ms: a busy machine has to be forgiven. */
const PATIENCE = 5000

/**
 * @param {() => Record<string, any>} makeOptions
 * @returns {boolean} whether it was accepted
 */
function isSettled (makeOptions) {
  const startedAt = performance.now()
  try {
    const given = makeOptions()
    const { values } = validate(given)
    const described = describeOptions(given, values)
    assert.deepEqual(JSON.parse(JSON.stringify(described)), described, 'what is said of the options is plain')
    for (const plan of split(buildPlan(values), Math.min(values.workers ?? 1, 8))) checkPlan(plan)
    return true
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error
    assert.ok(error.problems.length > 0 && error.problems.every(problem => problem !== ''), 'says what is wrong')
    assert.doesNotMatch(error.message, ENGINE)
    // eslint-disable-next-line no-control-regex
    for (const problem of error.problems) assert.doesNotMatch(problem, /[\0-\x1f]/, 'is one line')
    return false
  } finally {
    const took = performance.now() - startedAt
    assert.ok(took < PATIENCE, `took ${Math.round(took)} ms`)
  }
}

/** @param {import('../../lib/options/plan').Plan} plan */
function checkPlan (plan) {
  const { idReplacement, initialContext } = plan
  const means = { encode: serialize, tags: idReplacement ? [ID] : [], pipelining: 2, makeContext: contextMaker(initialContext), sharedValues: null }
  for (const { steps } of plan.scenarios) {
    for (const { request, rule: { expect }, target } of steps) {
      if (expect !== null) compile(expect)
      const [start, ...lines] = serialize(request, plan.targets[target]).toString('latin1').split('\r\n\r\n')[0].split('\r\n')
      assert.match(start, /^[!-~]+ [!-~]+ HTTP\/1\.1$/)

      for (const line of lines) assert.match(line, /^[!#$%&'*+.^_`|~0-9A-Za-z-]+: [^\r\n\0]*$/)
    }
    const bare = steps.map(({ request, target }) => ({ request, target: plan.targets[target], setupRequest: undefined, onResponse: undefined, inspector: null }))
    if (bare.length > 0) new Script(compileScenario(bare, means), new Own(means.makeContext()), () => {}, () => {}).next(2, new Exchanges(2))
  }
}

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom('', ' ', 'GET', '/', '*', 'a: b', 'a=b', '\r\n', '\0', '\ud800', '[<id>]', '{"a":1}', '{', '[]', '.', '/dev/null', 'a\r\nb: c', '__proto__'))
const url = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), text.map(part => `http://localhost/${part}`), text.map(part => `http://${part}/`), text,
  fc.constantFrom('localhost', 'localhost:3000', '[::1]:80', '::1', 'https://a:b@c', 'http://a:99999', '/path', 'http:/a', '//a'))
const number = fc.oneof(fc.nat(20), fc.integer(), fc.double(), fc.constantFrom(0, -0, 1, 1e9, 1e12, 1e13, NaN, Infinity), fc.nat(20).map(String), fc.constantFrom('1m30s', '10ms', '1e3', '0x10', '-5'))
const trap = () => { throw new Error('a trap') }
const strange = fc.oneof(
  fc.anything({ withBigInt: true, withBoxedValues: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, withObjectString: true, withSparseArray: true, withTypedArray: true, withUnicodeString: true }),
  fc.constantFrom(() => {}, class {}, Symbol('s'), { get a () { return trap() } }, { toString: trap }, new URL('http://a'), new Headers({ a: 'b' }), new Map([['a', 'b']])))
const headers = fc.oneof(fc.dictionary(text, fc.oneof(text, number, fc.array(text, { maxLength: 3 }))), fc.array(text, { maxLength: 3 }), text)
const body = fc.oneof(text, fc.uint8Array({ maxLength: 20 }))
const hook = fc.constantFrom(() => {}, './hook.js', '', null, 5)
const status = fc.oneof(number, text, fc.constantFrom('2xx', 200, '200,404', [200, '3xx']))
const expectation = fc.record({
  status,
  headers: fc.dictionary(text, fc.oneof(text, number, fc.constantFrom(/a/, true, false))),
  body: fc.oneof(body, fc.constantFrom(/a/g, { includes: 'a' }, { includes: [] })),
  json: fc.oneof(fc.dictionary(text, strange), hook),
  maxBytes: number,
  maxMs: number,
  more: strange
}, { requiredKeys: [] })
const request = fc.record({ method: text, path: text, headers, body, name: text, expect: fc.oneof(expectation, strange), check: hook, setupRequest: hook, onResponse: hook, titel: text }, { requiredKeys: [] })
const field = fc.oneof(fc.record({ type: fc.constantFrom('text', 'file', 'other'), value: fc.oneof(text, number), path: text, options: fc.oneof(fc.record({ filename: text, contentType: text, header: headers }, { requiredKeys: [] }), strange) }, { requiredKeys: [] }), strange)
const pairs = fc.array(fc.record({ name: text, value: text }))
const recorded = fc.record({
  method: text,
  url,
  headers: fc.oneof(strange, pairs),
  postData: fc.oneof(strange, fc.record({ text, params: pairs }, { requiredKeys: [] }))
}, { requiredKeys: ['method', 'url'] })
const har = fc.record({ log: fc.record({ entries: fc.array(fc.oneof(strange, fc.record({ request: recorded })), { maxLength: 3 }) }) })

const limit = fc.tuple(fc.constantFrom('p99', 'p97.5', 'avg', 'rps', 'bytes/s', 'errors', 'error rate', 'generator', 'login: p95', 'x'), fc.constantFrom('<', '<=', '>', '>=', '==', '+', '-', '=>'), number, fc.constantFrom('', 'ms', 's', '%', 'MB/s', 'healthy', 'x'))
  .map(([metric, operator, value, unit]) => `${metric} ${operator} ${value}${unit}`)
const limits = fc.oneof(limit, fc.array(fc.oneof(limit, fc.record({ threshold: limit, abortOn: fc.boolean(), more: strange }, { requiredKeys: [] })), { maxLength: 3 }))

const stage = fc.oneof(fc.tuple(fc.constantFrom('', 'peak='), fc.constantFrom('30s', '0s', '1m', '1.5', 'x'), fc.oneof(number.map(String), fc.constantFrom('500/s', '50rps', '10'))).map(([name, time, load]) => `${name}${time}:${load}`), fc.record({ name: text, duration: number, rate: number, connections: number, more: strange }, { requiredKeys: [] }))

/** What is likely to be accepted, by type. @type {Record<string, fc.Arbitrary<any>>} */
const LIKELY = {
  integer: number,
  number,
  seconds: number,
  flag: fc.oneof(fc.boolean(), fc.constantFrom('true', 'false', 'no')),
  text,
  socket: text,
  body,
  headers,
  url: fc.oneof(url, fc.array(url, { maxLength: 3 })),
  method: text,
  file: text,
  data: fc.oneof(text, fc.array(text, { maxLength: 2 })),
  credentials: fc.oneof(text, fc.constantFrom('a:b', ':', 'a:')),
  files: fc.array(text, { maxLength: 2 }),
  hook,
  requests: fc.array(request, { maxLength: 3 }),
  object: fc.dictionary(text, strange),
  expect: expectation,
  status,
  texts: fc.array(text, { maxLength: 2 }),
  expectedHeaders: fc.array(text, { maxLength: 2 }),
  expectedJson: fc.array(fc.oneof(text, fc.constantFrom('a=1', 'a[0].b="c"')), { maxLength: 2 }),
  form: fc.oneof(fc.dictionary(text, field), text),
  har: fc.oneof(har, text),
  targets: fc.oneof(text, fc.array(fc.oneof(url, text, fc.record({ url, method: text, headers, body, more: strange }, { requiredKeys: ['url'] })), { maxLength: 3 })),
  warmup: fc.record({ connections: number, duration: number, more: strange }, { requiredKeys: [] }),
  percentiles: fc.oneof(fc.array(number, { maxLength: 4 }), text),
  thresholds: limits,
  regressions: limits,
  until: fc.oneof(fc.constantFrom('p99 ±2%', 'rps +-5%', 'p50 ±0%', 'errors ±1%', 'x ±1'), text),
  json: fc.oneof(text, strange),
  stages: fc.oneof(stage, fc.array(stage, { maxLength: 4 })),
  burst: fc.oneof(fc.constantFrom('100/5s', '1/0s', '5'), fc.record({ requests: number, every: number, more: strange }, { requiredKeys: [] })),
  results: text,
  paths: fc.array(text, { maxLength: 2 }),
  choice: fc.constantFrom('even', 'batched', 'pass', 'fail', 'order', 'random', 'once', 'x')
}

const known = fc.record(Object.fromEntries(TABLE.map(({ name, type }) => [name, fc.oneof({ arbitrary: LIKELY[type] ?? text, weight: 4 }, { arbitrary: strange, weight: 1 })])), { requiredKeys: [] })
const few = fc.tuple(known, fc.array(fc.constantFrom(...TABLE.map(({ name }) => name)), { maxLength: 5 }), fc.oneof({ arbitrary: fc.constant('http://localhost/'), weight: 3 }, LIKELY.url))
  .map(([all, names, url]) => ({ url, ...Object.fromEntries(names.filter(name => name !== 'url' && name in all).map(name => [name, /** @type {any} */ (all)[name]])) }))
const options = fc.oneof({ arbitrary: few, weight: 4 }, { arbitrary: known, weight: 1 }, { arbitrary: strange, weight: 1 },
  { arbitrary: fc.tuple(few, fc.dictionary(text, strange)).map(([some, others]) => ({ ...others, ...some })), weight: 1 })

const names = TABLE.flatMap(({ name, short, aliases = [] }) => [`--${name}`, `--no-${name}`, ...aliases.map(alias => `--${alias}`), ...short === undefined ? [] : [`-${short}`]])
const flag = fc.constantFrom(...names)
const value = fc.oneof(text, number.map(String), url, fc.constantFrom('true', 'false', '[', ']', '--', '-', '-5', '=', '-1m'))
const argument = fc.oneof(flag, fc.tuple(flag, value).map(([name, given]) => `${name}=${given}`), fc.tuple(flag, value).map(([name, given]) => name + given),
  value, fc.array(fc.constantFrom(...names.filter(name => name.length === 2).map(name => name[1])), { maxLength: 5 }).map(letters => `-${letters.join('')}`), fc.string({ maxLength: 5 }).map(rest => `--${rest}`))
// No program can be given a NUL.
const argv = fc.array(argument.map(argument => argument.replaceAll('\0', '')), { maxLength: 8 })
  .map(list => list.filter(argument => !/onport|on-port/i.test(argument)))
  .chain(list => fc.boolean().map(withUrl => withUrl ? [...list, 'http://localhost:3000'] : list))

/** @type {Record<string, { arbitrary: fc.Arbitrary<any>, settle: (given: any) => boolean }>} */
const INPUTS = {
  options: { arbitrary: options, settle: given => isSettled(() => given) },
  argv: { arbitrary: argv, settle: given => isSettled(() => parseArguments(given)) }
}

/**
 * @param {keyof typeof INPUTS} name
 * @param {number} seed
 * @param {number} runs
 * @returns {{ tried: number, accepted: number, failure: string | null }}
 */
function fuzzInput (name, seed, runs) {
  const { arbitrary, settle } = INPUTS[name]
  let accepted = 0
  const details = fc.check(fc.property(arbitrary, given => {
    if (settle(given)) accepted++
  }), { seed, numRuns: runs })
  const failure = details.failed ? `${fc.stringify(details.counterexample)}\n${/** @type {any} */ (details.errorInstance)?.stack ?? details.errorInstance}` : null
  return { tried: details.numRuns, accepted, failure }
}

module.exports = { INPUTS, fuzzInput }
