'use strict'

// docs/reference.md says what the option table and index.d.ts say: its tables of options are made from the one
// (UPDATE_GOLDEN=1 writes them anew), and it names every function, event and key of the other.

const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { GROUPS, flags } = require('../../lib/options/table')
const { typeOf } = require('../../lib/options/types')
const { membersOf, functionsOf } = require('../helpers/options/declarations')

const REFERENCE = join(__dirname, '../../docs/reference.md')
const BEGIN = '<!-- options: made from lib/options/table.js -->\n'
const END = '<!-- /options -->'
const reference = readFileSync(REFERENCE, 'utf8')

function tablesInMarkdown () {
  return GROUPS.map(({ title, options }) => `**${title}**\n\n| Command line | API | Meaning |\n|---|---|---|\n${options.map(rowOf).join('\n')}\n`).join('\n')
}

/** @param {import('../../lib/options/table').Option} option */
function rowOf (option) {
  const flag = option.where === 'api' ? '–' : '`' + flags(option) + '`'
  const name = option.where === 'cli' ? '–' : '`' + option.name + '`'
  const fallback = option.default === undefined || typeOf(option).isSwitch ? '' : ` Default: \`${option.default}\`.`
  return `| ${flag} | ${name} | ${(option.help + fallback).replaceAll('|', '\\|')} |`
}

/**
 * @param {string} heading
 * @returns {string} what stands below it, up to the next heading
 */
function section (heading) {
  const [, text] = reference.split(`\n### ${heading}`)
  return text.split('\n## ')[0].split('\n### ')[0]
}

/**
 * @param {string} text
 * @returns {string[]} the names in the first cells of its tables
 */
const firstCells = text => Array.from(text.matchAll(/^\| (`[^|]*) \|/gm), ([, cell]) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name)).flat()

t.test('the reference lists every option with its flags, name, words and default', async t => {
  const start = reference.indexOf(BEGIN) + BEGIN.length
  const end = reference.indexOf(END)
  t.ok(start >= BEGIN.length && end > start, 'the markers are there')
  if (process.env.UPDATE_GOLDEN) writeFileSync(REFERENCE, reference.slice(0, start) + tablesInMarkdown() + reference.slice(end))
  else t.equal(reference.slice(start, end), tablesInMarkdown())
})

t.test('the reference has the keys of the result, the events and the functions of index.d.ts, and no other', async t => {
  const keys = firstCells(section('Result')).flatMap(name => name === '1xx … 5xx' ? ['1xx', '2xx', '3xx', '4xx', '5xx'] : [name])
  t.strictSame(keys.sort(), [...membersOf('Result').keys()].sort())
  t.strictSame(firstCells(section('autocannon(')).sort(), [...membersOf('InstanceEvents').keys()].sort())
  const headings = Array.from(reference.matchAll(/^### (.*)$/gm), ([, text]) => Array.from(text.matchAll(/autocannon\.(\w+)\(/g), ([, name]) => name)).flat()
  t.strictSame(headings.sort(), [...new Set(functionsOf())].sort(), 'overloads are one')
})

t.test('the reference names what instances, Clients and functions take', async t => {
  for (const [heading, types] of Object.entries({
    'autocannon(': ['Instance', 'Tick'],
    'autocannon.track': ['TrackOptions'],
    'autocannon.printResult': ['PrintOptions'],
    'autocannon.aggregateResult': ['AggregateOptions'],
    'autocannon.compareResults': ['CompareOptions'],
    'autocannon.formatResult': ['FormatOptions'],
    Client: ['Client', 'ClientEvents']
  })) {
    for (const name of types.flatMap(type => [...membersOf(type).keys()])) {
      if (!['on', 'once', 'off'].includes(name)) t.match(section(heading), new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``), `${heading}: ${name}`)
    }
  }
})
