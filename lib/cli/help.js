'use strict'

// The help, rendered from the option table and the list of commands: one screen for most users, then topics, options
// and commands.

const { existsSync, readFileSync, readdirSync } = require('node:fs')
const { join } = require('node:path')
const { OptionsError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { GROUPS, byName, flags } = require('../options/table')
const { typeOf } = require('../options/types')
const { suggest } = require('../core/suggest')
const { formatInteger } = require('../core/units')
const { EXIT } = require('./exit-code')

/**
 * @typedef {ReadonlyArray<Readonly<import('./commands/index').Command>>} Commands
 * @typedef {Readonly<import('../options/table').Option>} Option
 */

const WIDTH = 80
const INDENT = 8

/** The flags of the first screen, in a few words each. */
const FIRST = Object.freeze({
  connections: 'Connections; each is a virtual user.',
  duration: 'Length of the run: seconds, or 1m30s.',
  amount: '1000, or "100 iterations" of users; then it ends.',
  rate: 'Requests per second, in total (open model).',
  stages: 'Ramp the load: --stage 30s:500/s --stage 1m:500/s',
  pipelining: 'Requests in flight per connection.',
  workers: 'Worker threads.',
  timeout: 'Time limit of a request.',
  method: 'HTTP method.',
  headers: 'Request header. Repeat it for more.',
  body: 'Request body, or @FILE.',
  config: 'Read options and user scenarios from YAML or JSON.',
  onPort: 'Start the command after --, load it, stop it.',
  thresholds: 'Exit with code 3 unless it holds: "p99 < 50ms".',
  output: 'Also write a .html, .json, .csv or .md file.',
  json: 'Print the result as JSON.',
  ui: 'Show the run live on a web page.'
})

/** The topic of the exit codes, which has no options. */
const EXIT_TOPIC = 'exit'
const EXIT_WORD = /^(exit([- ]?(code|status)s?)?|codes?)$/i
const TOPICS = [...GROUPS.map(({ topic }) => topic), EXIT_TOPIC]

const EXIT_CODES = `Exit codes:
  0    responses arrived
  1    no response at all, the run could not start, or an output could not be
       written
  2    wrong use: a flag or a value is not valid
  3    a check or a threshold failed, or a figure is worse than --fail-if allows
  4    a check is inconclusive: see --inconclusive
  129  interrupted by SIGHUP, as 130
  130  interrupted with Ctrl-C; the report shows the results until then
  141  stdout or stderr was closed, as by head, and nothing had failed
  143  interrupted by SIGTERM, as 130
If several apply: an interruption, then 1 for no response, then 3, then 4, then
1 for an output.
`

/**
 * @param {Commands} commands
 * @returns {import('./commands/index').Run} help about the word after it, or the first screen
 */
function runHelp (commands) {
  return ([word = '--help'], context) => {
    const name = word.replace(/^--?(no-)?(?=.)/, '')
    const isFlag = name !== word
    if (isFlag && (name === 'help' || name === 'h')) return { text: help(commands), code: EXIT.good }
    if (name === 'all') return { text: allHelp(commands), code: EXIT.good }
    if (!isFlag && EXIT_WORD.test(name)) return { text: `${EXIT_CODES}\nMore: docs/ci.md\n`, code: EXIT.good }
    const group = isFlag ? undefined : GROUPS.find(({ topic }) => topic === name)
    if (group !== undefined) return { text: topicHelp(group), code: EXIT.good }
    const command = isFlag
      ? undefined
      : commands.find(({ name: own, aliases }) => own === name || aliases.includes(name))
    if (command !== undefined) return command.load()(['--help'], context)
    const found = findOption(name, commands)
    if (found !== null) return { text: optionHelp(found), code: EXIT.good }
    const words = commands.flatMap(({ name, aliases }) => [name, ...aliases])
    const known = [
      'all', EXIT_TOPIC, ...GROUPS.map(({ topic }) => topic), ...words,
      ...GROUPS.flatMap(({ options }) => options).flatMap(namesOf)
    ]
    const near = suggest(name, known.filter(one => one.length > 1))
    const mentions = isFlag || near !== '' ? null : mentionsOf(name, commands)
    if (mentions !== null) return { text: mentions, code: EXIT.good }
    throw new OptionsError(['there is no topic, option or command ' +
      `${show(word)}${near === '' ? `; the topics are ${TOPICS.join(', ')} and all` : near}`])
  }
}

/**
 * @param {string[]} argv with `help` or --help
 * @returns {string[]} the topic: `rate` for `--help rate`, `--help=rate` and `rate --help`; none for the first screen
 */
function subjectIn (argv) {
  const at = argv.findIndex(arg => arg === '-h' || arg === '--help')
  const [, value] = /^(?:-h|--help)=(.*)$/s.exec(argv.find(arg => /^(-h|--help)=/.test(arg)) ?? '') ?? []
  if (value !== undefined && value !== '' && value !== 'true') return [value]
  const subject = [argv[0], argv[at + 1]].find(word =>
    /^[a-z][\w-]*$/i.test(word ?? '') && !/^(true|false|localhost)$/i.test(word))
  return subject === undefined ? [] : [subject]
}

/**
 * of an option without dashes
 * @type {(name: string, commands: Commands) => { option: Option, command: string, page: string } | null}
 */
function findOption (name, commands) {
  const group = GROUPS.find(({ options }) => options.some(option => namesOf(option).includes(name)))
  const lists = /** @type {Array<[string, string, ReadonlyArray<Option>]>} */ ([
    ...group === undefined ? [] : [['', group.page, group.options]],
    ...commands.map(({ name, page = '', flags = () => [] }) => [`${name} `, page, flags()])
  ])
  for (const [command, page, options] of lists) {
    const option = options.find(option => namesOf(option).includes(name))
    if (option !== undefined) return { option, command, page }
  }
  return null
}

/** The limit of listed options and pages that mention a word. */
const MOST_MENTIONS = 12

/**
 * @param {string} word that is no topic, option or command
 * @param {Commands} commands
 * @returns {string | null} the options and pages of the documentation that mention it; null for none
 */
function mentionsOf (word, commands) {
  const pattern = new RegExp(`(?<![a-z0-9])${word.replace(/[^a-z0-9]/gi, '\\$&')}(?![a-z0-9])`, 'gi')
  const count = (/** @type {string} */ text) => [...text.matchAll(pattern)].length
  const options = GROUPS.flatMap(({ options }) => options)
    .filter(({ help, example = '' }) => count(`${help} ${example}`) > 0)
  const folder = join(__dirname, '../../docs')
  const pages = (existsSync(folder) ? readdirSync(folder) : []).filter(name => name.endsWith('.md'))
    .map(name => ({ name, times: count(readFileSync(join(folder, name), 'utf8')) }))
    .filter(({ times }) => times > 0).sort((a, b) => b.times - a.times)
  if (options.length + pages.length === 0) return null
  const heads = options.slice(0, MOST_MENTIONS).map(option => `  --${spelled(option)}`)
  return [
    ...heads.length === 0 ? [] : [`Options that mention ${word} (autocannon help OPTION):`, ...heads, ''],
    ...pages.length === 0
      ? []
      : [`Pages that mention ${word}:`, ...pages.slice(0, 5).map(({ name, times }) => `  docs/${name} (${times})`)]
  ].join('\n').trimEnd() + '\n'
}

/** @param {Option} option @returns {string} its name with hyphens, if it has such an alias */
const spelled = ({ name, aliases = [] }) => aliases.find(alias => alias.includes('-')) ?? name

/** @param {Option} option */
function namesOf ({ name, short, aliases = [] }) {
  return [name, ...short === undefined ? [] : [short], ...aliases]
}

/** Returns the first screen, at most 45 lines. @type {(commands: Commands) => string} */
function help (commands) {
  const first = Object.entries(FIRST).map(([name, words]) => {
    const { option } = /** @type {NonNullable<ReturnType<typeof findOption>>} */ (findOption(name, commands))
    return `  ${headOf(option).padEnd(23)}  ${words}${defaultOf(option)}`
  })
  return `Usage: autocannon [options] URL [URL …]
       autocannon COMMAND [options]

Load-tests an HTTP or WebSocket server. A connection sends its next request
after the response (closed model); --rate sends at a fixed rate (open model).

Options:
${first.join('\n')}

Examples:
  autocannon -c 100 -d 30s http://localhost:3000
  autocannon -c 50 --rate 500 --threshold "p99 < 50ms" http://localhost:3000
  autocannon -c 20 -o report.html --on-port / -- node server.js

Commands:
${commands.map(summaryOf).join('\n')}

More help:
  autocannon help rate   one option, with an example
  autocannon help tls    ${topicLines().join('\n                         ')}
  autocannon help all    every option, and the exit codes
`
}

function topicLines () {
  return linesOf(`one topic: ${TOPICS.join(', ')}`, WIDTH - 25)
}

/** @type {(commands: Commands) => string} */
function allHelp (commands) {
  const groups = GROUPS.map(({ title, options }) =>
    `${title}:\n${options.filter(({ where }) => where !== 'api').map(entryOf).join('\n')}`)
  return `Usage: autocannon [options] URL [URL …]
       autocannon COMMAND [options]

URL is an http or https URL; http:// may be omitted. If the environment
variable PORT is set, a path means http://localhost:$PORT/path.

${groups.join('\n\n')}

Commands (details: autocannon COMMAND --help):
${commands.map(summaryOf).join('\n')}

${EXIT_CODES}`
}

/** @param {typeof GROUPS[number]} group */
function topicHelp ({ topic, title, page, options }) {
  const inConfigs = options.filter(({ where }) => where === 'api').map(({ name, help }) => `  ${name}\n${wrap(help)}`)
  const inFlags = options.filter(({ where }) => where !== 'api').map(entryOf)
  const parts = [
    `${title} (autocannon help ${topic})`,
    ...inFlags.length === 0 ? [] : [`Options:\n${inFlags.join('\n')}`],
    ...inConfigs.length === 0 ? [] : [`Options of a config (--config) and of the API only:\n${inConfigs.join('\n')}`],
    `More: ${page}`
  ]
  return `${parts.join('\n\n')}\n`
}

/** @param {NonNullable<ReturnType<typeof findOption>>} found */
function optionHelp ({ option, command, page }) {
  const { name, where, choices, default: fallback, short, flagOnly } = option
  const isFlag = where !== 'api'
  const others = isFlag ? namesOf(option).filter(one => one !== short && !flags(option).endsWith(`--${one}`)) : []
  const facts = [
    ['Type', isFlag ? typeOf(option).noun ?? option.arg : undefined],
    ['Allowed', choices?.join(', ') ?? boundsOf(option)],
    [
      'Default',
      fallback === undefined ? undefined : typeOf(option).isSwitch ? (fallback ? 'on' : 'off') : String(fallback)
    ],
    ['Also', others.length === 0 ? undefined : others.map(one => one.length === 1 ? `-${one}` : `--${one}`).join(', ')],
    ['In a config', command === '' && !flagOnly ? name : undefined],
    ['Example', option.example === undefined ? undefined : `autocannon ${option.example}`],
    ['More', page]
  ].flatMap(([title, value]) => value === undefined ? [] : `  ${`${title}:`.padEnd(13)}${value}`)
  const head = isFlag
    ? `autocannon ${command}${headOf(option)}`
    : `${name}, an option of a config (--config) and of the API`
  const metrics = name === 'thresholds' ? `\n${metricLines().join('\n')}\n` : ''
  const help = linesOf(option.help, WIDTH - 2).map(line => `  ${line}`).join('\n')
  return `${head}\n\n${help}\n\n${facts.join('\n')}\n${metrics}`
}

/** The names that thresholds have for parts of a run. */
const PARTS = ['login: p95 < 1s', 'stage 3: …', 'scenario buy: …', 'iterations: …', 'group buy: …']

/**
 * @returns {string[]} the metrics for thresholds, of the load and of the server, and the parts of a run that have them
 */
function metricLines () {
  const { METRICS, TIMED_METRICS } = require('../figures/metric')
  const ofServer = METRICS.filter(name => name.startsWith('server '))
  const others = METRICS.filter(name => !name.startsWith('server '))
  const list = (/** @type {string[]} */ names) => linesOf(names.join(', '), WIDTH - 4).map(line => `    ${line}`)
  return [
    '  Metrics:',
    ...list(['p50, p97.5 and any other percentile', ...others]),
    '  Other times, with a percentile, avg, min or max:',
    ...list(TIMED_METRICS.map(name => `${name} p99`)),
    '  The share of responses that met all bounds:',
    ...list(['goodput(first token < 300ms, gap p99 < 50ms)']),
    '  Metrics of the server:',
    ...list(ofServer),
    '  A part of the run has its name before the metric:',
    ...list(PARTS)
  ]
}

/** @param {Option} option */
function boundsOf ({ min, above, max }) {
  if (min === undefined && above === undefined && max === undefined) return undefined
  const least = above !== undefined
    ? `more than ${above}`
    : min !== undefined
      ? `from ${Number.isInteger(min) ? formatInteger(min) : min}`
      : ''
  return `${least}${max === undefined ? '' : `${least === '' ? '' : ' '}up to ${formatInteger(max)}`}`
}

/** @param {Commands[number]} command */
function summaryOf ({ name, aliases, summary }) {
  return `  ${[name, ...aliases].join(', ').padEnd(10)}  ${summary}`
}

/** @param {Option} option */
function headOf (option) {
  return `${flags(option)}${option.arg === undefined ? '' : ' ' + option.arg}`
}

/** @param {Option} option */
function entryOf (option) {
  return `  ${headOf(option)}\n${wrap(option.help + defaultOf(option))}`
}

/**
 * @param {string[]} names of options of a run
 * @param {Record<string, string>} here the help of options with a different meaning in a command
 * @returns {Option[]}
 */
function optionsHere (names, here) {
  return names.map(name => {
    const option = /** @type {Option} */ (byName.get(name))
    return here[name] === undefined ? option : { ...option, default: undefined, help: here[name] }
  })
}

/** @param {Option} option */
function defaultOf (option) {
  return option.default === undefined || typeOf(option).isSwitch ? '' : ` Default: ${option.default}.`
}

/** @param {string} text */
function wrap (text) {
  return linesOf(text, WIDTH - INDENT).map(line => ' '.repeat(INDENT) + line).join('\n')
}

/** @type {(text: string, width: number) => string[]} */
function linesOf (text, width) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1]
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

module.exports = { FIRST, runHelp, subjectIn, help, allHelp, entryOf, optionsHere }
