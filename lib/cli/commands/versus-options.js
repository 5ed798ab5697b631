'use strict'

// The options of `autocannon versus`: the two servers, and the options of a run, which apply to both.

const { show } = require('../../core/foreign-text')
const { normalize } = require('../../options/normalize')
const { VERSUS } = require('../../experiments/versus/flags')
const { TABLE, byName } = require('../../options/table')
const { skippedOrigins } = require('../../options/requests/har-rules')
const options = require('../../experiments/versus/options')
const { readFlags, grammarOf } = require('../args')
const { formatCommand } = require('../../server/command')
const { filesOf, problemsOfFormats } = require('./comparison-files')
const { callOf, refuseHidden, unusedDuration, withConfig } = require('../raw-options')
const { summaryProblems } = require('../output/github-summary')
const { placeOf, problemOfFile } = require('../output/output-path')
const { headersGivenTwice } = require('../run-values')

/**
 * @typedef {import('../../options/table').Option} Option
 * @typedef {import('../../experiments/versus/alternation').Side} Side
 *
 * @typedef {object} Server one of the two
 * @property {string} name as the user may have typed it, without secrets
 * @property {string} url
 * @property {string[] | null} command that starts it, for each run again
 *
 * @typedef {object} Versus
 * @property {import('../../options/normalize').Values} values of each run
 * @property {Record<string, any>} own typed values of the options in VERSUS and of the limits
 * @property {Record<Side, Server>} servers
 * @property {boolean} same whether both servers are the same
 * @property {string[]} hints shown before the first run
 */

const GRAMMAR = grammarOf([...TABLE, ...VERSUS], 'two urls')

/** Options of a comparison on the command line only. */
const OWN = [...VERSUS.filter(({ where }) => where === 'cli'), /** @type {Option} */ (byName.get('inconclusive'))]

/**
 * @param {string[]} argv after `versus`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Versus | null>} null for a request for help
 * @throws {OptionsError}
 */
async function readVersus (argv, env) {
  const flagsOnly = readFlags(argv, env, undefined, GRAMMAR)
  if (flagsOnly.raw.help === true) return null
  const { raw: all, command, problems, label, notes } = await withConfig(argv, flagsOnly, GRAMMAR)
  const own = normalize(all, label, OWN)
  const names = new Set(OWN.map(({ name }) => name))
  const raw = Object.fromEntries(Object.entries(all).filter(([name]) => !names.has(name)))
  refuseHidden(raw, label, problems)
  const startsServers = raw.onPort === true
  const commands = startsServers ? split(command) : []
  // The URLs are checked later: a word that is no URL has already been reported.
  const about = problems.length === 0 && startsServers ? problemsOfCommands(commands) : []
  const ofCommand = [
    ...problems,
    ...own.placed,
    ...about,
    ...problemsOfOutputs(all, own.values, env),
    ...headersGivenTwice(raw, callOf(label))
  ]
  const { values, urls, own: { runs, failIf }, names: given } =
    options.readVersus(raw, label, ofCommand, { startsServers, env })
  const [base, next] = urls.map((url, i) => {
    const command = commands[i] ?? null
    return { name: command === null ? given[i] : formatCommand(command), url, command }
  })
  const same = base.name === next.name && base.url === next.url
  return {
    values,
    own: { ...own.values, runs, failIf },
    servers: { base, new: next },
    same,
    hints: [...notes, ...unusedDuration(values, raw, label), ...startsServers ? [] : skippedOrigins(values)]
  }
}

/**
 * @param {string[]} words after the first `--`
 * @returns {string[][]} the commands between the others
 */
function split (words) {
  const at = words.indexOf('--')
  return at === -1 ? [words] : [words.slice(0, at), ...split(words.slice(at + 1))]
}

/** @type {(commands: string[][]) => string[]} */
function problemsOfCommands (commands) {
  if (commands.length === 2 && commands.every(words => words.length > 0)) return []
  // A missing command has already been reported.
  const got = commands.length === 1
    ? `one: ${formatCommand(commands[0])}`
    : commands.length === 2
      ? 'one that is empty'
      : `${commands.length}; a command that has a -- in itself has to be one word of a shell: sh -c 'npm start -- ` +
      '--port 3000\''
  return [`expected two commands, each after its own --, got ${got}; such as ${options.EXAMPLES.commands}`]
}

/** @param {Record<string, any>} raw @param {Record<string, any>} own typed @param {NodeJS.ProcessEnv} env */
function problemsOfOutputs (
  { json, junit, output, githubSummary, failIf = [], saveBase: givenBase, saveNew: givenNew },
  { markdown, save, saveBase, saveNew, inconclusive }, env
) {
  const files = [
    ...save === false ? [] : [['--save-base', saveBase], ['--save-new', saveNew]],
    ...junit === undefined ? [] : [['--junit', junit]], ...filesOf(output).map(file => ['-o/--output', file])
  ]
    .filter(([, file]) => typeof file === 'string' && file !== '')
  const places = files.map(([, file]) => placeOf(file))
  const twice = files.find((_, i) => places.indexOf(places[i]) !== i)
  return [
    ...save === false && (givenBase ?? givenNew) !== undefined
      ? [`--no-save and ${givenBase === undefined ? '--save-new' : '--save-base'}: use one of them`]
      : [],
    ...markdown && json ? ['--markdown and --json: give one of them'] : [],
    ...problemsOfFormats(output),
    ...files.flatMap(([flag, file]) =>
      file === '-' || (flag === '-o/--output' && /^-\.\w+$/.test(file))
        ? `${flag} ${file}: stdout has the comparison; give a file`
        : problemOfFile(flag, file) ?? []),
    ...twice === undefined || twice[1].startsWith('/dev/')
      ? []
      : [`${twice[0]}: the file ${show(twice[1])} is given twice`],
    ...githubSummary ? summaryProblems(env) : [],
    ...inconclusive === 'exact'
      ? ['--inconclusive: expected pass or fail, got exact: that is for thresholds of one run']
      : [],
    ...inconclusive !== undefined && failIf.length === 0
      ? ['--inconclusive: expected a gate as well, which is --fail-if, got none: nothing is judged']
      : []
  ]
}

module.exports = { readVersus }
