'use strict'

// A printed config and the command of a report have *** in the place of secrets: run as they are, they would send it.

const t = require('tap')
const { writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { labelOf, validated, withConfig } = require('../../lib/cli/raw-options')
const { readFlags } = require('../../lib/cli/args')
const { printedConfig } = require('../../lib/cli/config/print-config')
const { runFind } = require('../../lib/cli/commands/find')
const { commandOf } = require('../../lib/report/html/command')

const URL = 'http://localhost:3000'

/** @param {string[]} argv */
function problemsOf (argv) {
  const flags = readFlags(argv, {})
  try {
    validated(flags.raw, labelOf(flags), flags.problems)
    return []
  } catch (error) {
    return error.problems
  }
}

/** @param {any} t @param {string} text */
async function problemsOfConfig (t, text) {
  const file = join(t.testdir(), 'printed.json')
  writeFileSync(file, text)
  const given = await withConfig(['--config', file], readFlags(['--config', file], {}))
  try {
    validated(given.raw, given.label, given.problems)
    return []
  } catch (error) {
    return error.problems.map(problem => problem.replace(file, 'FILE'))
  }
}

const SAID = ': *** replaces a hidden secret: insert the secret, in a config as ${NAME} for an environment variable' // eslint-disable-line no-template-curly-in-string

for (const [what, argv, place] of [
  ['a header', ['-H', 'authorization: Bearer abcdef', URL], 'headers.authorization'],
  ['a part of a body of JSON', ['-b', '{"password":"x","name":"y"}', URL], 'body'],
  ['a part of a form', ['-b', 'name=y&password=x', URL], 'body'],
  ['user and password of a URL', ['http://me:word@localhost:3000'], 'url[0]'],
  ['a part of a query', [`${URL}/?access_token=x&page=1`], 'url[0]'],
  ['a user', ['-u', 'me:word', URL], 'user'],
  ['an expectation', ['--expect-json', 'token=abc', URL], 'expectJson[0]']
]) {
  t.test(`refuses what --print-config has for ${what}`, async t => {
    const flags = readFlags(argv, {})
    const { values } = validated(flags.raw, labelOf(flags), flags.problems)
    t.match(await problemsOfConfig(t, printedConfig(values, flags.raw)), [new RegExp(`^the config 'FILE', line \\d+: ${place.replace(/[[\].]/g, '\\$&')}: \\*\\*\\* replaces a hidden secret`)])
  })
}

t.test('in requests and cookies, too, and all of it at once', async t => {
  const config = { url: URL, requests: [{ path: '/?token=***' }, { headers: { 'x-api-key': '***' }, body: 'a=***' }], cookies: { start: { sid: '***' } }, tlsOptions: { key: '***' } }
  t.strictSame((await problemsOfConfig(t, JSON.stringify(config, null, 1))).map(problem => problem.replace(/^.*line \d+: |: \*.*/g, '')), ['requests[0].path', 'requests[1].headers.x-api-key', 'requests[1].body', 'cookies.start.sid', 'tlsOptions.key'])
})

t.test('refuses the command of a page in which nothing has been filled in', async t => {
  const { command } = commandOf({ url: [URL], headers: [['x-id', '***']], body: '[12 bytes]' })
  t.equal(command, `autocannon --header 'x-id: ***' --body '***' ${URL}`)
  t.strictSame(problemsOf(['--header', 'x-id: ***', '--body', '***', URL]), [`-H/--headers${SAID}`, `-b/--body${SAID}`])
})

t.test('three stars elsewhere are three stars', async t => {
  for (const argv of [['-b', 'a *** review'], ['-b', '{"text":"***!","password":"x"}'], ['-H', 'x: a***'], ['-T', 'five *** hotels']]) t.strictSame(problemsOf([...argv, URL]), [], argv[1])
})

t.test('a search refuses it as a run does', async t => {
  await t.rejects(Promise.resolve(runFind(['--header', 'x-api-key: ***', '--threshold', 'p99 < 5ms', URL], { env: {}, stdout: process.stdout, stderr: process.stderr, interrupt: { signal: null }, onUnwritten () {} })), { problems: [`-H/--headers${SAID}`] })
})
