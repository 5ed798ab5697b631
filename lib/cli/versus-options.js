'use strict'

// Owns what `autocannon versus` is given: the options of a run from the one table, which hold for both sides, and the two servers.

const { OptionsError } = require('../errors')
const { show } = require('../foreign-text')
const { normalize } = require('../options/normalize')
const { TABLE, VERSUS, byName } = require('../options/table')
const { skippedOrigins } = require('../options/validate')
const { withoutUserinfo } = require('../secrets')
const { differenceOfWork } = require('../verdict/work')
const { readFlags, grammarOf } = require('./args')
const { formatCommand } = require('../server/command')
const { validated, withConfig } = require('./given')
const { summaryProblems } = require('./github-summary')
const { placeOf, problemOfFile } = require('./output-path')

/**
 * @typedef {import('../options/table').Option} Option
 * @typedef {import('../run/rounds').Side} Side
 *
 * @typedef {object} Server one of the two
 * @property {string} name as the user may have typed it, without secrets
 * @property {string} url
 * @property {string[] | null} command that starts it, for each run anew
 *
 * @typedef {object} Versus
 * @property {import('../options/normalize').Values} values of each run
 * @property {Record<string, any>} own typed values of VERSUS and of the gate
 * @property {Record<Side, Server>} servers
 * @property {boolean} same whether both are one
 * @property {string[]} hints to say before the first run
 */

/** Options of a run that mean something else here, or nothing: what to do instead. */
const NOT_HERE = Object.freeze(/** @type {Record<string, string>} */ ({
  abortOn: 'a run that ends early can\'t be compared: give --threshold, which holds for each run, or --fail-if',
  bailout: 'a run that ends early can\'t be compared: leave it out',
  baseline: 'base is the first of the two servers: leave it out; results in files are compared by autocannon compare',
  forever: '--rounds says how often both are measured',
  skipAggregateResult: 'a raw result has no figures that could be compared: leave it out',
  until: 'runs of different lengths can\'t be compared: leave it out, rounds end when the verdict is certain',
  watch: 'a PID is that of one server, and there are two: --on-port starts both, and watches them',
  output: 'it is for one run: --json, --markdown, --junit and --github-summary write the comparison, --save-base and --save-new the runs',
  latency: 'it is about the report of one run, which is not shown here',
  renderStatusCodes: 'it is about the report of one run, which is not shown here',
  chart: 'it is about the report of one run, which is not shown here',
  verbose: 'it is about the report of one run, which is not shown here; -n leaves out the lines of the runs',
  printConfig: 'it shows the options of one run: leave versus out',
  version: 'it stands alone: autocannon --version'
}))

const GRAMMAR = grammarOf([...TABLE, ...VERSUS], 'two urls')

/** What is read for the comparison and not for its runs. */
const OWN = [...VERSUS, ...['failIf', 'inconclusive'].map(name => /** @type {Option} */ (byName.get(name)))]

const EXAMPLES = 'autocannon versus http://localhost:3000 http://localhost:4000, or autocannon versus --on-port / -- node base.js -- node new.js'

/**
 * @param {string[]} argv behind `versus`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Versus | null>} null when the help is wanted
 * @throws {OptionsError}
 */
async function readVersus (argv, env) {
  const flagsOnly = readFlags(argv, env, undefined, GRAMMAR)
  if (flagsOnly.raw.help === true) return null
  const { raw: all, command, problems, label, notes } = await withConfig(argv, flagsOnly, GRAMMAR)
  const own = normalize(all, label, OWN)
  const names = new Set(OWN.map(({ name }) => name))
  const raw = Object.fromEntries(Object.entries(all).filter(([name]) => !names.has(name)))
  if (raw.thresholds !== undefined) raw.thresholds = [raw.thresholds].flat().map(atTheEnd)
  const asked = raw.onPort === true
  const commands = asked ? split(command) : []
  // Of a word that is no URL has been told already.
  const about = problems.length > 0 ? [] : [...asked ? problemsOfCommands(commands) : [], ...problemsOfUrls(raw.url, asked), ...problemsOfSocket(raw, label, asked), ...problemsOfLimits(own.values, asked)]
  problems.push(...own.problems, ...misplaced(raw, label), ...about, ...problemsOfOutputs(all, own.values, env))
  raw.url ??= ['http://localhost/']
  const { values } = validated(raw, label, problems)
  const urls = [values.url[0], values.url[1] ?? values.url[0]]
  const work = differenceOfWork(...pair(urls.map(url => [{ url, options: { requests: values.requests, scenarios: values.scenarios, har: values.har, targets: values.targets?.source } }])))
  if (work !== null) throw new OptionsError([`base and new would not do the same work (${work}), so there would be no verdict: give both the same path`])
  const [base, next] = urls.map((url, i) => {
    const command = commands[i] ?? null
    return { name: command === null ? withoutUserinfo(raw.url[i]) : formatCommand(command), url, command }
  })
  const same = base.name === next.name && base.url === next.url
  return { values, own: own.values, servers: { base, new: next }, same, hints: [...notes, ...asked ? [] : skippedOrigins(values)] }
}

/**
 * @param {any} threshold of a config, maybe with abortOn
 * @returns {any} the same, judged at the end of each run: those that end early could not be compared
 */
function atTheEnd (threshold) {
  return typeof threshold === 'object' && threshold !== null ? { ...threshold, abortOn: false } : threshold
}

/**
 * @param {string[]} words behind the first `--`
 * @returns {string[][]} the commands between the others
 */
function split (words) {
  const at = words.indexOf('--')
  return at === -1 ? [words] : [words.slice(0, at), ...split(words.slice(at + 1))]
}

/**
 * @param {string[][]} commands
 * @returns {string[]}
 */
function problemsOfCommands (commands) {
  if (commands.length === 2 && commands.every(words => words.length > 0)) return []
  // One that is missing altogether has been told of.
  const got = commands.length === 1 ? `one: ${formatCommand(commands[0])}` : commands.length === 2 ? 'one that is empty' : `${commands.length}; a command that has a -- in itself has to be one word of a shell: sh -c 'npm start -- --port 3000'`
  return [`expected two commands, each behind a -- of its own, got ${got}; such as ${EXAMPLES.split(', or ')[1]}`]
}

/**
 * @param {Record<string, any>} own typed
 * @param {boolean} asked whether both servers are started here, and watched
 * @returns {string[]}
 */
function problemsOfLimits ({ failIf = [] }, asked) {
  const unseen = asked ? undefined : failIf.find((/** @type {any} */ { metric }) => metric.row.server !== undefined)
  return unseen === undefined ? [] : [`--fail-if: ${show(unseen.expression)}: no server is watched: expected --on-port as well, which starts both and watches them`]
}

/**
 * @param {unknown} urls
 * @param {boolean} asked whether the servers are asked where they listen: one URL, or none, is of both then
 * @returns {string[]}
 */
function problemsOfUrls (urls, asked) {
  const given = [urls ?? []].flat()
  if (given.length === 2 || (asked && given.length < 2)) return []
  if (asked) return [`expected one URL for both commands, or one for each, got ${given.length}; such as ${EXAMPLES.split(', or ')[1]}`]
  return [`expected two URLs, of base and of new, got ${given.length === 0 ? 'none' : given.length === 1 ? `one: ${show(given[0])}` : given.length}; such as ${EXAMPLES}`]
}

/**
 * @param {Record<string, any>} raw
 * @param {(option: Option) => string} label
 * @param {boolean} asked as above
 * @returns {string[]}
 */
function problemsOfSocket ({ socketPath, url }, label, asked) {
  if (socketPath === undefined || socketPath === null) return []
  const call = label(/** @type {Option} */ (byName.get('socketPath')))
  if (asked) return [`${call}: the servers of --on-port are asked where they listen, which may be a socket of each: leave it out`]
  if (new Set([url].flat()).size < 2) return []
  return [`${call}: both URLs would lead to the server of this one socket: give the same URL twice for an A/A test, or let autocannon start both servers and find their sockets: autocannon versus --on-port / -- COMMAND -- COMMAND`]
}

/**
 * @param {Record<string, any>} raw
 * @param {(option: Option) => string} label
 * @returns {string[]}
 */
function misplaced (raw, label) {
  return Object.entries(NOT_HERE).flatMap(([name, instead]) => {
    const option = /** @type {Option} */ (byName.get(name))
    const given = raw[name] === 'true' ? true : raw[name] === 'false' ? false : raw[name]
    if (given === undefined || given === null || given === option.default) return []
    // What has been told of is not looked at again.
    delete raw[name]
    return [`${label(option)}: ${instead}`]
  })
}

/**
 * @param {Record<string, any>} raw
 * @param {Record<string, any>} own typed
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
function problemsOfOutputs ({ json, junit, githubSummary, saveBase: givenBase, saveNew: givenNew }, { markdown, save, saveBase, saveNew, failIf = [], inconclusive }, env) {
  const files = [...save === false ? [] : [['--save-base', saveBase], ['--save-new', saveNew]], ...junit === undefined ? [] : [['--junit', junit]]]
    .filter(([, file]) => typeof file === 'string' && file !== '')
  const places = files.map(([, file]) => placeOf(file))
  const twice = files.find((_, i) => places.indexOf(places[i]) !== i)
  return [
    ...save === false && (givenBase ?? givenNew) !== undefined ? [`--no-save and ${givenBase === undefined ? '--save-new' : '--save-base'}: use one of them`] : [],
    ...markdown && json ? ['--markdown and --json: give one of them'] : [],
    ...files.flatMap(([flag, file]) => file === '-' ? `${flag} -: stdout has the comparison; give a file` : problemOfFile(flag, file) ?? []),
    ...twice === undefined || twice[1].startsWith('/dev/') ? [] : [`${twice[0]}: the file ${show(twice[1])} is given twice`],
    ...githubSummary ? summaryProblems(env) : [],
    ...inconclusive !== undefined && failIf.length === 0 ? ['--inconclusive: expected a gate as well, which is --fail-if, got none: nothing is judged'] : []
  ]
}

/**
 * @template T
 * @param {T[]} two
 * @returns {[T, T]}
 */
function pair ([one, other]) {
  return [one, other]
}

module.exports = { readVersus }
