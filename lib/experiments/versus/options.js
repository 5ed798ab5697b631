'use strict'

// Reads the options of a comparison of two servers: those of each run, the two URLs, and refused ones.

const { OptionsError } = require('../../core/errors')
const { isRecord, show } = require('../../core/foreign-text')
const { withoutUserinfo } = require('../../core/secrets')
const { differenceOfWork } = require('../../judge/comparison/work')
const { normalize } = require('../../options/normalize')
const { withSeed } = require('../../options/load/seed')
const { TABLE, byName } = require('../../options/table')
const { misplaced } = require('../misplaced')
const { VERSUS } = require('./flags')
const { validate } = require('../../options/validate')
const { unmeasured } = require('../../options/verdict-rules')

/**
 * @typedef {import('../../options/table').Option} Option
 * @typedef {import('../../options/normalize').Label} Label
 *
 * @typedef {object} How
 * @property {boolean} isProgram whether the options come from a program, and have no dashes
 * @property {boolean} startsServers whether autocannon starts and watches both servers: their URLs may be left out
 *
 * @typedef {object} Versus
 * @property {import('../../options/normalize').Values} values of each run
 * @property {{ runs: number, failIf: import('../../judge/comparison/regression').Regression[] }} own
 * @property {[string, string]} urls of base and of new
 * @property {[string, string]} names the URLs as the user gave them, without secrets
 * @property {string[]} warnings about names of options
 */

/** Options of a run that a comparison refuses: what to do instead. */
const REFUSED = Object.freeze(/** @type {Record<string, string>} */ ({
  abortOn: 'a run that ends early can\'t be compared: give --threshold, which holds for each run, or --fail-if',
  bailout: 'a run that ends early can\'t be compared: omit it',
  baseline: 'base is the first of the two servers: omit it; results in files are compared by autocannon compare',
  acrossMachines: 'both servers are measured by this machine: omit it',
  forever: '--runs says how often both are measured',
  skipAggregateResult: 'a raw result has no figures that could be compared: omit it',
  until: 'runs of different lengths can\'t be compared: omit it, they end when the verdict is certain',
  watch: 'a PID is that of one server, and there are two: --on-port starts both, and watches them',
  latency: 'it is about the report of one run, which is not shown here',
  renderStatusCodes: 'it is about the report of one run, which is not shown here',
  chart: 'it is about the report of one run, which is not shown here',
  verbose: 'it is about the report of one run, which is not shown here; -n hides the lines of the runs',
  printConfig: 'it shows the options of one run: leave versus out',
  version: 'it stands alone: autocannon --version'
}))

/** The same with other words for programs. @type {Readonly<Record<string, string>>} */
const IN_PROGRAMS = Object.freeze({
  forever: 'runs is the number of runs of each server',
  watch: 'a PID is that of one server, and there are two: omit it'
})

/** The options of the comparison that programs and the command line have in common. */
const OWN = [...(VERSUS.filter(({ where }) => where === undefined)), /** @type {Option} */ (byName.get('failIf'))]

const EXAMPLES = {
  program: "autocannon.versus({ url: ['http://localhost:3000', 'http://localhost:4000'] })",
  urls: 'autocannon versus http://localhost:3000 http://localhost:4000',
  commands: 'autocannon versus --on-port / -- node base.js -- node new.js'
}

/**
 * @param {Record<string, any>} given
 * @param {Label} [label] the name of an option as the user writes it
 * @param {Array<string | import('../../core/problem').Problem>} [found] problems that are known already
 * @param {{ startsServers?: boolean, env?: Readonly<Record<string, string | undefined>> }} [where] `startsServers`: see
 *   How; `env`: variables of the environment, which options may name
 * @returns {Versus}
 * @throws {OptionsError}
 */
function readVersus (given, label = option => option.name, found = [], { startsServers = false, env = {} } = {}) {
  if (!isRecord(given)) throw new OptionsError([`expected an object of options, got ${show(given)}`])
  const names = new Set(OWN.map(({ name }) => name))
  const raw = Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)))
  if (raw.thresholds !== undefined && raw.thresholds !== null) raw.thresholds = [raw.thresholds].flat().map(atTheEnd)
  const isProgram = label(TABLE[0]) === TABLE[0].name
  const how = { isProgram, startsServers }
  const { values, placed: wrong } = normalize(given, label, OWN)
  const { runs } = values
  /** @type {import('../../judge/comparison/regression').Regression[]} */
  const failIf = values.failIf ?? []
  const problems = [
    ...found, ...wrong, ...misplaced(REFUSED, raw, label, sentenceFor(isProgram)),
    // A word that is no URL was reported above.
    ...found.length > 0 ? [] : [...problemsOfUrls(raw.url, how), ...problemsOfSocket(raw, label, how)],
    ...problemsOfLimits(failIf, label, how)
  ]
  // The problem of missing URLs has been reported.
  raw.url ??= ['http://localhost/']
  const { values: run, warnings } = validate(raw, label, problems, env)
  const call = (/** @type {string} */ name) => label(/** @type {Option} */ (byName.get(name)))
  const without = failIf.flatMap(({ expression, metric }) =>
    unmeasured(metric, run, call).map(reason => `${call('failIf')}: ${show(expression)}: ${reason}`))
  if (without.length > 0) throw new OptionsError(without)
  const [base, next = base] = run.url
  const sideOf = (/** @type {string} */ url) =>
    [{ url, options: { requests: run.requests, scenarios: run.scenarios, har: run.har, targets: run.targets?.source } }]
  const work = differenceOfWork(sideOf(base), sideOf(next))
  if (work !== null) {
    throw new OptionsError([
      `base and new would not do the same work (${work}), so there would be no verdict: give both the same path`
    ])
  }
  const shown = [raw.url].flat().map(url => withoutUserinfo(String(url)))
  return {
    values: withSeed(run), own: { runs, failIf }, urls: [base, next], names: [shown[0], shown[1] ?? shown[0]],
    warnings
  }
}

/**
 * @param {any} threshold of a config, maybe with abortOn
 * @returns {any} the same without abortOn: a run that ends early cannot be compared
 */
function atTheEnd (threshold) {
  return isRecord(threshold) ? { ...threshold, abortOn: false } : threshold
}

/**
 * If a program gives an option of the command line, a warning as that of autocannon() follows.
 * @type {(isProgram: boolean) => Parameters<typeof misplaced>[3]}
 */
const sentenceFor = isProgram =>
  (instead, { name, where }) => !isProgram ? instead : where === 'cli' ? null : IN_PROGRAMS[name] ?? instead

/** @param {unknown} urls @param {How} how */
function problemsOfUrls (urls, { isProgram, startsServers }) {
  const given = [urls ?? []].flat()
  if (given.length === 2 || (startsServers && given.length < 2)) return []
  if (startsServers) {
    return [`expected one URL for both commands, or one for each, got ${given.length}; such as ${EXAMPLES.commands}`]
  }
  const got = given.length === 0 ? 'none' : given.length === 1 ? `one: ${show(given[0])}` : given.length
  const example = isProgram ? EXAMPLES.program : `${EXAMPLES.urls}, or ${EXAMPLES.commands}`
  return [`${isProgram ? 'url: ' : ''}expected two URLs, of base and of new, got ${got}; such as ${example}`]
}

/** @param {Record<string, any>} raw @param {Label} label @param {How} how */
function problemsOfSocket ({ socketPath, url }, label, { isProgram, startsServers }) {
  if (socketPath === undefined || socketPath === null) return []
  const call = label(/** @type {Option} */ (byName.get('socketPath')))
  if (startsServers) {
    return [`${call}: the servers of --on-port are asked where they listen, which may be a socket of each: omit it`]
  }
  if (new Set([url].flat()).size < 2) return []
  const instead = isProgram
    ? ''
    : ', or let autocannon start both servers and find their sockets: ' +
      'autocannon versus --on-port / -- COMMAND -- COMMAND'
  return [
    `${call}: both URLs would lead to the server of this one socket: give the same URL twice for an A/A test${instead}`
  ]
}

/** @param {import('../../judge/comparison/regression').Regression[]} failIf @param {Label} label @param {How} how */
function problemsOfLimits (failIf, label, { isProgram, startsServers }) {
  const unseen = startsServers ? undefined : failIf.find(({ metric }) => metric.row.server !== undefined)
  const call = label(/** @type {Option} */ (byName.get('failIf')))
  const instead = isProgram ? 'omit it' : 'expected --on-port as well, which starts both and watches them'
  return unseen === undefined ? [] : [`${call}: ${show(unseen.expression)}: no server is watched: ${instead}`]
}

module.exports = { EXAMPLES, OWN, readVersus }
