'use strict'

// The option table, `--help` and index.d.ts say the same (UPDATE_GOLDEN=1 writes options, keys and types that index.d.ts lacks; docs/reference.md:
// reference.test.js).

const { existsSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { COMMANDS, WORDS } = require('../../lib/cli/commands/index')
const { allHelp } = require('../../lib/cli/help')
const { normalize } = require('../../lib/options/normalize')
const { FIELDS: CAPTURE } = require('../../lib/checks/capture')
const { FIELDS: EVENTS } = require('../../lib/checks/events')
const { FIELDS: EXPECT } = require('../../lib/checks/expectation')
const { FIELDS: BLOCKS } = require('../../lib/options/requests/blocks')
const { FIELDS: SOURCE } = require('../../lib/options/requests/data')
const { FIELDS: REQUEST } = require('../../lib/options/requests/request-fields')
const { FIELDS: SOCKET_STEPS } = require('../../lib/options/requests/socket-steps')
const { GROUPS, TABLE, byName, flags } = require('../../lib/options/table')
const { typeOf } = require('../../lib/options/types')
const { FIELDS: COOKIES } = require('../../lib/options/users/cookies')
const { FIELDS: RETRIES } = require('../../lib/options/users/retries')
const { FIELDS: SCENARIO } = require('../../lib/options/users/scenarios')
const { FIELDS: STAGE } = require('../../lib/shapes/staged/parse')
const { RENDERERS } = require('../../lib/parts')
const { declare, declareUnion, keysOfUnion, membersOf } = require('../helpers/options/declarations')

/** The keys inside of options, by their interfaces. */
const INTERFACES = /** @type {Record<string, import('../../lib/requests/fields').Fields>} */ ({
  Request: REQUEST, Scenario: SCENARIO, Expectation: EXPECT, ExpectedEvents: EVENTS, CaptureOptions: CAPTURE, Retries: RETRIES, Cookies: COOKIES,
  Stage: STAGE, DataSource: SOURCE, OpenSocket: SOCKET_STEPS.ws, SendMessage: SOCKET_STEPS.send, CloseSocket: SOCKET_STEPS.close,
  // It has those of messages as well.
  ReceiveMessages: Object.fromEntries(Object.entries(SOCKET_STEPS.receive).filter(([key]) => !Object.hasOwn(SOCKET_STEPS.send, key)))
})

const cli = TABLE.filter(({ where }) => where !== 'api')
const api = TABLE.filter(({ where }) => where !== 'cli')

/** @param {unknown[]} all */
const twice = all => all.filter((one, i) => all.indexOf(one) !== i)

t.test('rows', async t => {
  for (const option of TABLE) {
    t.match(option.help, /^[A-Z].*\.$/s, `${option.name}: the help is sentences`)
    t.notMatch(option.help, /[\n\t]| {2}/, `${option.name}: the help is one line`)
    t.match(option.name, /^[a-z][A-Za-z\d]*$/)
    t.ok([undefined, 'cli', 'api'].includes(option.where), `${option.name}: where`)
    if (option.short !== undefined) t.match(option.short, /^[A-Za-z46]$/)
    if (option.where === 'api') t.strictSame([option.short, option.aliases, option.arg, option.negated], [undefined, undefined, undefined, undefined], `${option.name} has no flag`)
    else if (typeOf(option).isSwitch) t.equal(option.arg, undefined, `${option.name} takes no value`)
    else t.match(option.arg, /\S/, `${option.name}: the help says what its value is`)
    if (option.negated) t.strictSame([option.type, option.default], ['flag', true], `${option.name} is on unless --no-${option.name}`)
  }
})

t.test('names are unique', async t => {
  const names = TABLE.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  t.strictSame(twice(names), [])
  t.strictSame(twice(names.map(name => name.toLowerCase())), [], 'also for who forgets the upper case')
  t.strictSame(twice(cli.flatMap(({ short, aliases = [] }) => [short ?? [], aliases.filter(alias => alias.length === 1)].flat())), [])
  t.strictSame(names.filter(name => name.startsWith('no-')), [], 'that is how a flag is negated')
  t.equal(byName.size, TABLE.length)
  for (const option of TABLE) t.equal(byName.get(option.name), option)
})

t.test('defaults are valid', async t => {
  for (const option of TABLE.filter(option => option.default !== undefined)) {
    const { values, problems } = normalize({ [option.name]: option.default }, ({ name }) => name)
    t.strictSame(problems, [], option.name)
    t.strictSame(values[option.name], option.default, `${option.name} is typed already`)
  }
  t.strictSame(TABLE.filter(({ type, default: value }) => type === 'flag' && typeof value !== 'boolean').map(({ name }) => name), ['insecure', 'verbose'], 'a flag is on or off, but for those that are neither unless they are given')
})

t.test('bounds make sense', async t => {
  for (const { name, type, min, above, max } of TABLE) {
    if (['integer', 'amount', 'number', 'rate', 'seconds'].includes(type)) {
      t.ok((min ?? above ?? Infinity) < (max ?? -Infinity), `${name}: ${min ?? above} to ${max}`)
      t.ok(min === undefined || above === undefined, `${name} has one lowest value`)
    } else {
      t.strictSame([min, above, max], [undefined, undefined, undefined], `${name} is no number`)
    }
  }
})

t.test('the table can not be changed', async t => {
  t.ok(Object.isFrozen(TABLE))
})

t.test('the letters of autocannon 9 mean what they mean there', async t => {
  const letters = { c: 'connections', p: 'pipelining', d: 'duration', a: 'amount', L: 'sampleInt', S: 'socketPath', w: 'workers', W: 'warmup', m: 'method', t: 'timeout', T: 'title', b: 'body', F: 'form', i: 'input', H: 'headers', B: 'bailout', M: 'maxConnectionRequests', O: 'maxOverallRequests', r: 'connectionRate', R: 'overallRate', C: 'ignoreCoordinatedOmission', D: 'reconnectRate', n: 'progress', l: 'latency', I: 'idReplacement', j: 'json', f: 'forever', s: 'servername', x: 'excludeErrorStats', E: 'expectBody', v: 'version', V: 'verbose', h: 'help' }
  for (const [letter, name] of Object.entries(letters)) t.equal(TABLE.find(({ short, aliases }) => short === letter || aliases?.includes(letter))?.name, name, `-${letter}`)
})

t.test('every option has one topic', async t => {
  t.strictSame(GROUPS.flatMap(({ options }) => options), TABLE)
  t.strictSame(twice(GROUPS.map(({ topic }) => topic)), [])
  for (const { topic, title, page, options } of GROUPS) {
    t.ok(options.some(({ where }) => where !== 'api'), title)
    t.ok(existsSync(join(__dirname, '../..', page)), page)
    t.notOk(WORDS.includes(topic), `${topic} is no command`)
    const same = TABLE.find(({ name, aliases = [] }) => name === topic || aliases.includes(topic))
    t.ok(same === undefined || options.includes(same), `help ${topic} shows the option of that name`)
  }
})

t.test('flags are written in one way', async t => {
  t.equal(flags({ name: 'connections', short: 'c', type: 'integer', help: '' }), '-c/--connections')
  t.equal(flags({ name: 'debug', type: 'flag', where: 'cli', help: '' }), '--debug')
  t.equal(flags({ name: 'progress', short: 'n', negated: true, type: 'flag', where: 'cli', help: '' }), '-n/--no-progress')
  t.equal(flags({ name: 'onPort', aliases: ['on-port'], type: 'flag', where: 'cli', help: '' }), '--on-port')
})

t.test('--help all has every flag with its words and its default', async t => {
  const text = allHelp(COMMANDS)
  const words = text.replace(/\s+/g, ' ')
  for (const option of cli) {
    t.ok(text.includes(`\n  ${flags(option)}${option.arg === undefined ? '' : ' ' + option.arg}\n`), flags(option))
    const shown = option.default === undefined || typeOf(option).isSwitch ? '' : ` Default: ${option.default}.`
    t.ok(words.includes(option.help + shown), `${option.name}: ${option.help}${shown}`)
  }
  const shown = [...text.matchAll(/^ {2}((?:-\w\/)?--[\w.-]+)/gm)].map(([, flag]) => flag)
  t.strictSame(shown, cli.map(flags), 'and no other, in the order of the table')
})

/** @param {import('../../lib/options/table').Option} option */
function declaredType (option) {
  const { ts } = typeOf(option)
  return typeof ts === 'function' ? ts(option) : ts
}

t.test('index.d.ts has the options of the API and no other, with their types and defaults', async t => {
  const options = membersOf('Options')
  if (process.env.UPDATE_GOLDEN) {
    declare('Options', api.map(option => ({ name: option.name, type: declaredType(option), default: option.default, comment: option.help })))
    return declareUnion('Format', Object.keys(RENDERERS))
  }
  t.strictSame([...options.keys()].sort(), api.map(({ name }) => name).sort())
  for (const option of api) {
    const declared = options.get(option.name)
    if (declared === undefined) continue
    t.ok(declared.optional, `${option.name} may be left out`)
    t.equal(declared.type, declaredType(option), `type of ${option.name}`)
    t.equal(declared.default, option.default === undefined ? undefined : String(option.default), `@default of ${option.name}`)
    t.ok(declared.comment.length > 0, `${option.name} has a comment`)
  }
})

t.test('index.d.ts has the keys inside of options and no other, with their types and defaults', async t => {
  for (const [name, fields] of Object.entries(INTERFACES)) {
    const members = membersOf(name)
    const keys = Object.entries(fields).map(([key, { ts, required, default: fallback, help, ...more }]) =>
      ({ name: key, type: typeof ts === 'function' ? ts({ ...more, name: key }) : ts, optional: required !== true, default: fallback, comment: help }))
    if (process.env.UPDATE_GOLDEN) {
      declare(name, keys)
      continue
    }
    t.strictSame([...members.keys()].sort(), Object.keys(fields).sort(), name)
    for (const { name: key, type, optional, default: fallback } of keys) {
      const member = members.get(key)
      t.strictSame([member?.type, member?.optional], [type, optional], `${name}.${key}`)
      if (fallback !== undefined) t.equal(member?.default, String(fallback), `@default of ${name}.${key}`)
    }
  }
})

t.test('index.d.ts has the blocks that there are, with their keys', async t => {
  t.strictSame(keysOfUnion('Block').map(keys => keys.sort()), Object.values(BLOCKS).map(fields => Object.keys(fields).sort()))
})
