'use strict'

// Owns the help, rendered from the option table.

const { OptionsError } = require('../errors')
const { show } = require('../foreign-text')
const { GROUPS, flags, isSwitch } = require('../options/table')
const { suggest } = require('../suggest')
const { EXIT } = require('./exit-code')

/** @typedef {ReadonlyArray<Readonly<import('./commands').Command>>} Commands */

const WIDTH = 80
const INDENT = 8

/**
 * @param {Commands} commands
 * @returns {import('./commands').Run} `help compare` is `compare --help`
 */
function runHelp (commands) {
  return ([word = '--help'], surroundings) => {
    if (word.startsWith('-')) return { text: help(commands), code: EXIT.good }
    const command = commands.find(({ name, aliases }) => name === word || aliases.includes(word))
    if (command !== undefined) return command.load()(['--help'], surroundings)
    const words = commands.flatMap(({ name, aliases }) => [name, ...aliases])
    throw new OptionsError([`there is no command ${show(word)}${suggest(word, words)}`])
  }
}

/**
 * @param {Commands} commands
 * @returns {string}
 */
function help (commands) {
  const groups = GROUPS.map(([title, options]) => `${title}:\n${options.filter(({ where }) => where !== 'api').map(entryOf).join('\n')}`)
  return `Usage: autocannon [options] URL [URL …]

URL is an http or https URL; http:// may be left out. When the environment
variable PORT is set it may be a path, which stands for
http://localhost:$PORT/path.

${groups.join('\n\n')}

Examples:
  autocannon -c 100 -d 30s http://localhost:3000
  autocannon -c 100 -p 10 -a 1000000 http://localhost:3000/path
  autocannon -c 50 --rate 500 -d 1m localhost:3000
  autocannon -m POST -H "content-type: application/json" -b '{"a":1}' \\
    localhost:3000
  autocannon -X PUT -H "content-type: application/json" -b @body.json \\
    localhost:3000
  autocannon --on-port /path -- node server.js
  autocannon --ui --open -d 1m localhost:3000
  autocannon --threshold "p99 < 50ms" --threshold "failures == 0" localhost:3000

Commands:
${commands.map(summaryOf).join('\n')}

Exit codes:
  0    answers came
  1    no answer at all, the run could not start, or an output could not be
       written
  2    wrong use: a flag or a value is not valid
  3    a check or a threshold failed, or a figure is worse than --fail-if allows
  4    a gate could not judge: see --inconclusive
  130  interrupted with Ctrl-C; the report shows what was measured until then
When several fit: 130, then 1 for no answer, then 3, then 4, then 1 for an
output.
`
}

/** @param {Commands[number]} command */
function summaryOf ({ name, aliases, summary }) {
  return `  ${[name, ...aliases].join(', ').padEnd(12)}  ${summary}`
}

/** @param {import('../options/table').Option} option */
function entryOf (option) {
  return `  ${flags(option)}${option.arg === undefined ? '' : ' ' + option.arg}\n${wrap(option.help + defaultOf(option))}`
}

/** @param {import('../options/table').Option} option */
function defaultOf (option) {
  return option.default === undefined || isSwitch(option) ? '' : ` Default: ${option.default}.`
}

/** @param {string} text */
function wrap (text) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1]
    if (line !== '' && INDENT + line.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map(line => ' '.repeat(INDENT) + line).join('\n')
}

module.exports = { runHelp, help, entryOf }
