'use strict'

// `autocannon agent`: sends load for runs that other machines coordinate, until a signal stops it.

const { statSync } = require('node:fs')
const { AutocannonError, OptionsError } = require('../../core/errors')
const { printableLines, show } = require('../../core/foreign-text')
const { URL_VARIABLE } = require('../../options/net/agents')
const { normalize } = require('../../options/normalize')
const { AGENT } = require('./agent-flags')
const { TABLE } = require('../../options/table')
const { grammarOf, readArguments } = require('../args')
const { EXIT, SIGNALS } = require('../exit-code')

/**
 * @typedef {import('./subcommand').Outcome} Outcome
 * @typedef {import('./subcommand').Context} Context
 */

const ROWS = [...TABLE.filter(({ name }) => ['redis', 'redisCluster', 'redisPrefix'].includes(name)), ...AGENT]

function help () {
  const { entryOf } = require('../help')
  return `Usage: autocannon agent [options]

Waits for runs with --agents, and sends their load from this machine. It serves
one run at a time, until it is interrupted.

  autocannon agent --redis redis://redis:6379       # on each machine
  autocannon --agents 3 --redis redis://redis:6379 -c 600 http://server:3000

With the same environment variable AUTOCANNON_KEY on both sides, an agent accepts
only signed messages. Requires bullmq and ioredis: npm install bullmq ioredis

Options:
${ROWS.map(entryOf).join('\n')}

Exit codes:
  0    ended by Ctrl-C or SIGTERM, or after one run with --once
  1    Redis cannot be used
  2    wrong use: a flag or a value is not valid
`
}

/**
 * @param {string[]} argv after `agent`
 * @param {Context} context
 * @returns {Promise<Outcome>}
 * @throws {AutocannonError}
 */
async function runAgent (argv, { env, stderr, interrupt }) {
  const { raw, command, reader: { words, problems } } = readArguments(argv, grammarOf(ROWS, 'files'))
  if (raw.help === true) return { text: help(), code: EXIT.good }
  const { values, problems: wrong } = normalize(
    { ...raw, redis: raw.redis ?? env[URL_VARIABLE] },
    ({ name }) =>
      raw[name] === undefined && name === 'redis' ? `the environment variable ${URL_VARIABLE}` : `--${name}`,
    ROWS
  )
  problems.push(...wrong)
  for (const word of [...words, ...command]) {
    problems.push(
      `expected flags only, got ${JSON.stringify(word)}: the run sets the targets: autocannon --agents 1 URL`
    )
  }
  if (values.redis === undefined && wrong.length === 0) {
    problems.push('--redis: expected where runs and agents meet, such as redis://redis:6379, got none, and no ' +
      `variable ${URL_VARIABLE}`)
  }
  if (values.modules !== undefined && !isFolder(values.modules)) {
    problems.push(
      `--modules: expected the folder in which this agent has modules, got ${show(values.modules)}, which is no folder`
    )
  }
  if (problems.length > 0) throw new OptionsError(problems)
  const { Agent } = require('../../run/agents/agent')
  const { admit } = require('../../run/agents/admission')
  const { readKey } = require('../../run/agents/signature')
  const { DEFAULT, parseAllowed } = require('../../net/allowed')
  const notify = (/** @type {string} */ sentence) => { stderr.write(`autocannon agent: ${printableLines(sentence)}\n`) }
  /** @type {(error: Error | null) => void} */
  let end = () => {}
  const ended = new Promise(resolve => { end = resolve })
  const agent = new Agent({
    redis: { url: values.redis, cluster: values.redisCluster, prefix: values.redisPrefix },
    name: values.name,
    workers: values.workers,
    once: values.once,
    key: readKey(env.AUTOCANNON_KEY),
    admit: plan => admit(plan, { allow: values.allow ?? parseAllowed(DEFAULT), modules: values.modules ?? null })
  }, { notify, onEnd: error => end(error) })
  interrupt.onSignal = () => end(null)
  interrupt.listen()
  await agent.start()
  const { name, cores } = agent.announcement
  notify(`${name} waits for runs at ${agent.redis.shown} (${values.workers ?? cores} ` +
    `${(values.workers ?? cores) === 1 ? 'thread' : 'threads'})`)
  const error = await ended
  await agent.stop()
  if (error !== null) {
    throw error instanceof AutocannonError
      ? error
      : new AutocannonError('AC_REDIS', /** @type {Error} */ (error).message)
  }
  notify(`${name} ends`)
  return {
    text: '',
    code: interrupt.signal === null || interrupt.signal === 'SIGINT' || interrupt.signal === 'SIGTERM'
      ? EXIT.good
      : SIGNALS[interrupt.signal]
  }
}

/** @param {string} path */
function isFolder (path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

module.exports = { runAgent }
