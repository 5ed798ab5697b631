'use strict'

// The README's option table is made from the option table. UPDATE_GOLDEN=1 writes it anew.

const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { GROUPS, flags } = require('../../lib/options/table')

const README = join(__dirname, '../../README.md')
const BEGIN = '<!-- options: made from lib/options/table.js -->\n'
const END = '<!-- /options -->'

function tablesInMarkdown () {
  return GROUPS.map(([title, options]) => `**${title}**\n\n| Command line | API | Meaning |\n|---|---|---|\n${options.map(rowOf).join('\n')}\n`).join('\n')
}

/** @param {import('../../lib/options/table').Option} option */
function rowOf (option) {
  const flag = option.where === 'api' ? '–' : '`' + flags(option) + '`'
  const name = option.where === 'cli' ? '–' : '`' + option.name + '`'
  const fallback = option.default === undefined || option.type === 'flag' ? '' : ` Default: \`${option.default}\`.`
  return `| ${flag} | ${name} | ${(option.help + fallback).replaceAll('|', '\\|')} |`
}

t.test('the README lists every option with its flags, name, words and default', async t => {
  const readme = readFileSync(README, 'utf8')
  const start = readme.indexOf(BEGIN) + BEGIN.length
  const end = readme.indexOf(END)
  t.ok(start >= BEGIN.length && end > start, 'the markers are there')
  if (process.env.UPDATE_GOLDEN) writeFileSync(README, readme.slice(0, start) + tablesInMarkdown() + readme.slice(end))
  else t.equal(readme.slice(start, end), tablesInMarkdown())
})
