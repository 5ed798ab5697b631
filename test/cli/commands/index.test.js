'use strict'

// The list of commands: dispatch, help and suggestions come from it.

const { readdirSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { COMMANDS, WORDS, commandOf } = require('../../../lib/cli/commands/index')
const { cli } = require('../../helpers/processes/cli')

const FOLDER = join(__dirname, '../../../lib/cli/commands')

t.test('every word runs one command', async t => {
  t.strictSame([...new Set(WORDS)], [...WORDS])
  for (const word of WORDS) t.equal(commandOf(word)?.aliases.includes(word) || commandOf(word)?.name === word, true, word)
  for (const none of [undefined, '', 'constructor', 'localhost']) t.equal(commandOf(none), undefined)
})

t.test('every file of a command is in the list', async t => {
  const files = readdirSync(FOLDER).filter(name => /^(async )?function run[A-Z]\w* \((argv|\))/m.test(readFileSync(join(FOLDER, name), 'utf8')))
  t.strictSame(files.sort(), COMMANDS.map(({ name }) => `${name}.js`).filter(name => name !== 'help.js').sort())
  for (const { name, summary, load } of COMMANDS) {
    t.type(load(), 'function', name)
    t.ok(summary.length <= 60, `${name}: the summary fits on a line of the help`)
  }
})

t.test('every command answers --help, -h, and help in front of it, alike', async t => {
  const general = await cli(['--help'])
  for (const word of WORDS) {
    const [long, short, before] = await Promise.all([[word, '--help'], [word, '-h'], ['help', word]].map(argv => cli(argv)))
    t.match(long, { code: 0, stderr: '', stdout: word === 'help' ? general.stdout : `Usage: autocannon ${commandOf(word)?.name} ` }, word)
    t.strictSame(short, long, `${word} -h`)
    t.strictSame(before, long, `help ${word}`)
  }
  for (const { name } of COMMANDS) t.match(general.stdout, new RegExp(`^  ${name}\\b`, 'm'), `the help names ${name}`)
})

t.test('a mistyped command gets a suggestion', async t => {
  for (const [argv, words] of /** @type {Array<[string[], string]>} */ ([
    [['agnet'], "'agnet' is neither a URL nor a command, did you mean 'agent'? A host of that name is http://agnet/"],
    [['agnet', '--redis', 'redis://localhost'], "did you mean 'agent'? A host of that name is http://agnet/"],
    [['help', 'agnet'], "did you mean 'agent'?"]
  ])) {
    const { code, stdout, stderr } = await cli(argv)
    t.match({ code, stdout }, { code: 2, stdout: '' })
    t.ok(stderr.includes(words), stderr)
  }
})
