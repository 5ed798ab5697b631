'use strict'

// lib/parts.js lists what there is: the options, the help, the schemas, index.d.ts and the docs have each of its parts, and no other.

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const parts = require('../lib/parts')
const { COMMANDS } = require('../lib/cli/commands/index')
const { allHelp } = require('../lib/cli/help')
const { byName, flags, GROUPS } = require('../lib/options/table')
const { OPERATORS } = require('../lib/judge/operators')
const { ENDINGS } = require('../lib/report/formats/format')
const { functionsOf, membersOf } = require('./helpers/options/declarations')
const autocannon = require('..')

const { ARRIVALS, EXPERIMENTS, PROTOCOLS, RENDERERS, SHAPES, STREAMS, VIEWS } = parts
const read = name => readFileSync(join(__dirname, '..', name), 'utf8')
const help = allHelp(COMMANDS)
const docs = readdirSync(join(__dirname, '../docs')).filter(name => name.endsWith('.md')).map(name => read(`docs/${name}`)).join('\n')
const page = topic => read(GROUPS.find(group => group.topic === topic).page)
const declarations = read('index.d.ts')
/** The texts of a union in index.d.ts. */
const union = text => [...text.matchAll(/'([^']+)'/g)].map(([, one]) => one)

t.test('each part says in a few words what it is, and can be loaded', async t => {
  t.ok(read('lib/parts.js').split('\n').length <= 150, 'the list is one that can be read')
  for (const [list, all] of Object.entries(parts)) {
    for (const [name, { doc, ...rest }] of Object.entries(all)) {
      t.match(doc, /^\S.{0,70}[^.]$/, `${list}: ${name}`)
      for (const load of Object.values(rest).filter(one => typeof one === 'function')) t.ok(load(), `${list}: ${name}`)
    }
  }
})

t.test('a shape has an option, with its flag in the help and its place in the docs', async t => {
  for (const [name, { load }] of Object.entries(SHAPES)) {
    const { option } = load()
    t.equal(byName.get(option.name), option, name)
    t.ok(help.includes(`\n  ${flags(option)} `), flags(option))
    t.ok(page('rates').includes(flags(option)), `${flags(option)} in the docs`)
    t.ok(membersOf('Options').has(option.name), `${option.name} in index.d.ts`)
  }
  const choices = ['even', ...Object.keys(ARRIVALS)]
  t.strictSame(byName.get('arrivals').choices, choices)
  t.strictSame(union(membersOf('Options').get('arrivals').type), choices)
  for (const name of Object.keys(ARRIVALS)) t.ok(page('rates').includes(`--arrivals ${name}`), name)
})

t.test('a protocol is asked for by the scheme of a URL or a value of an option, which the help, the schemas, index.d.ts and the docs have', async t => {
  const config = JSON.parse(read('docs/config.schema.json')).properties
  const result = JSON.parse(read('docs/result.schema.json')).properties
  for (const [name, { when }] of Object.entries(PROTOCOLS)) {
    for (const [option, value] of Object.entries(when)) {
      if (option === 'url') {
        t.ok([help, docs, declarations].every(text => text.includes(`${value}://`)), name)
        continue
      }
      t.ok(byName.get(option).choices.includes(value), name)
      t.ok(JSON.stringify(config[option]).includes(`"${value}"`), `${name} in the schema of a config`)
      t.ok(JSON.stringify(result[option]).includes(`"${value}"`), `${name} in the schema of a result`)
      t.ok(union(membersOf('Options').get(option).type).includes(value), `${name} in index.d.ts`)
      t.ok(help.replace(/\s+/g, ' ').includes(value), `${name} in the help`)
      t.ok(docs.includes(`--${option} ${value}`) || docs.includes(`--${name}`), `${name} in the docs`)
    }
  }
})

t.test('a kind of stream is a value of an option, which index.d.ts, the schema of a result and the docs have', async t => {
  t.strictSame(byName.get('stream').choices, Object.keys(STREAMS))
  t.strictSame(union(membersOf('Options').get('stream').type), Object.keys(STREAMS))
  t.strictSame(JSON.parse(read('docs/result.schema.json')).properties.streams.properties.kind.enum, [...Object.keys(STREAMS), 'messages', null])
  for (const name of Object.keys(STREAMS)) t.ok(page('streams').includes(`--stream ${name}`), name)
})

t.test('a renderer is a format of formatResult, and an ending of -o', async t => {
  const [, formats] = /\n {2}type Format = (.*)/.exec(declarations)
  t.strictSame(union(formats), Object.keys(RENDERERS), 'UPDATE_GOLDEN=1 node test/options/table.test.js writes them')
  for (const name of ENDINGS) t.match(help, new RegExp(`\\.${name}\\b`), name)
  for (const name of Object.keys(RENDERERS)) t.match(page('reports'), new RegExp(`\\.${name}\\b|--${name}\\b`), name)
})

t.test('an operator of thresholds is in the docs', async t => {
  t.ok(page('ci').includes(`with \`${Object.keys(OPERATORS).join(' ')}\`.`))
})

t.test('a view has an option, and its place in the docs', async t => {
  for (const name of Object.keys(VIEWS)) {
    t.ok(byName.has(name), name)
    t.ok(docs.includes(flags(byName.get(name))), name)
  }
})

t.test('an experiment is a command and a function, with its flags in the docs', async t => {
  for (const [name, { doc, aliases = [], flags: own, run, command }] of Object.entries(EXPERIMENTS)) {
    t.match(COMMANDS.find(one => one.name === name), { summary: doc, aliases, load: command })
    t.equal(typeof run(), 'function')
    t.type(autocannon[name], 'function')
    t.ok(functionsOf().includes(name), `${name} in index.d.ts`)
    for (const option of own()) t.ok(docs.includes(flags(option)), `${flags(option)} in the docs`)
    t.ok(help.includes(doc), name)
  }
})
