'use strict'

// `autocannon find`: searches for the highest load that a server sustains.

const { fstatSync } = require('node:fs')
const { AutocannonError } = require('../../core/errors')
const { printable, toJson } = require('../../core/foreign-text')
const { tryOr } = require('../../core/try-or')
const { readGoal } = require('../../experiments/find/options')
const { FIND } = require('../../experiments/find/flags')
const { TABLE } = require('../../options/table')
const { withoutUserinfo } = require('../../core/secrets')
const { grammarOf, readFlags } = require('../args')
const { concludedBy } = require('./concluded')
const { EXIT, SIGNALS, exitCodeOf } = require('../exit-code')
const { refuseHidden, withConfig } = require('../raw-options')
const { measured, measuredBefore, startServer } = require('./measure')
const { runValues } = require('../run-values')
const { openViews } = require('../output/views')
const { say } = require('../say')

/**
 * @typedef {import('./subcommand').Outcome} Outcome
 * @typedef {import('./subcommand').Context} Context
 */

const GRAMMAR = grammarOf([...TABLE, ...FIND], 'url')

/**
 * @param {string[]} argv after `find`
 * @param {Context} context
 * @returns {Promise<Outcome>}
 * @throws {AutocannonError}
 */
async function runFind (argv, { stdout, stderr, env, interrupt, onUnwritten }) {
  const given = readFlags(argv, env, undefined, GRAMMAR)
  if (given.raw.help === true) return { text: help(), code: EXIT.good }
  const { raw, command, problems, label, notes } = await withConfig(argv, given, GRAMMAR)
  const outputs = new (require('../output/outputs').Outputs)(raw, { stdout, env, onUnwritten })
  refuseHidden(raw, label, problems)
  const { values, goal } = readGoal(raw, label, [...problems, ...outputs.problems()], env)
  if (!values.json) for (const note of notes) say(stderr, note)
  const { Find, readSearch } = require('../../experiments/find/find')
  // If the progress goes to the same place, it has already listed the steps.
  const hasSteps = !values.progress || !isSameFile(stdout, stderr)
  interrupt.listen()
  let server = null
  let views = null
  /** @type {import('../../experiments/find/find').Find | null} */
  let instance = null
  try {
    views = await openViews(values, { stderr, env, interrupt })
    let run = runValues(values)
    if (values.onPort) ({ server, values: run } = await startServer(command, run, interrupt))
    instance = new Find(run, undefined, undefined, values => readSearch(values, goal))
    instance.on('notice', sentence => say(stderr, printable(sentence)))
    if (values.debug) require('../output/debug').printErrors(instance, stderr)
    if (values.progress && !values.json) {
      instance.follow(new (require('../../follow/search-progress').SearchProgress)(instance, stderr))
    }
    outputs.follow(instance)
    views.follow(instance)
    const result = await measured(instance, { interrupt, server })
    const { inconclusive } = values
    const code = exitCodeOf(result, { signal: interrupt.signal, inconclusive })
    const outcome = outcomeOf(result, code, values.json, stdout, hasSteps)
    if (values.json) return outcome
    const conclusion = concludedBy(result, { code, signal: interrupt.signal, by: interrupt.by, inconclusive }, stdout)
    return { ...outcome, text: `${outcome.text}${conclusion}\n` }
  } catch (error) {
    if (error === interrupt && interrupt.signal !== null) return { text: '', code: SIGNALS[interrupt.signal] }
    if (!(error instanceof AutocannonError)) throw error
    outputs.fail(error, values.title ?? `autocannon find ${values.url.map(withoutUserinfo).join(' ')}`)
    // Completed steps keep their results when a later step fails.
    const result = await foundBefore(error, instance)
    if (result === null) throw error
    return { ...outcomeOf(result, EXIT.impossible, values.json, stdout, hasSteps), complaint: null, failure: error }
  } finally {
    await Promise.all([outputs.end(), views?.end(), server?.stop()])
  }
}

/**
 * @param {AutocannonError} error
 * @param {import('../../experiments/find/find').Find | null} instance
 * @returns {Promise<Record<string, any> | null>} the result of the completed steps; null without any
 */
async function foundBefore (error, instance) {
  if (instance === null) return null
  if (error.code !== 'AC_ON_PORT_ENDED') return measuredBefore(error)
  const result = /** @type {Record<string, any>} */ (await /** @type {unknown} */ (instance))
  return result.search.steps.length === 0 ? null : result
}

/**
 * @param {NodeJS.WriteStream} stdout
 * @param {NodeJS.WriteStream} stderr
 * @returns {boolean} whether both lead to one terminal, pipe or file, as with `2>&1`
 */
function isSameFile (stdout, stderr) {
  // A closed stream has no destination.
  return tryOr(false, () => {
    const [one, other] = /** @type {any[]} */ ([stdout, stderr]).map(({ fd }) => fstatSync(fd))
    return one.dev === other.dev && one.ino === other.ino
  })
}

/**
 * @param {Record<string, any>} result
 * @param {number} code
 * @param {boolean} json
 * @param {NodeJS.WriteStream} stdout decides how the text looks
 * @param {boolean} hasSteps whether the text lists the steps
 * @returns {Outcome}
 */
function outcomeOf (result, code, json, stdout, hasSteps) {
  if (!json) {
    const { printResult } = require('../../report/text')
    return { text: printResult(result, { outputStream: stdout, renderResultsTable: hasSteps }), code }
  }
  const { printableData } = require('../../core/foreign-text')
  return {
    text: toJson(result) + '\n',
    code,
    ...code !== EXIT.good && {
      complaint: require('../../report/headline').headlineOf(printableData(result)).sentence
    }
  }
}

/** The help of options with a different meaning in a search. */
const HERE = {
  connections: 'Number of connections with a rate. Default: enough for the load if responses take as long as the ' +
    'thresholds allow.',
  inconclusive: 'Treat an inconclusive limit or --fail-below as pass or fail. Without it the exit code is 4.'
}

function help () {
  const { entryOf, optionsHere } = require('../help')
  const shared = ['thresholds', 'connections', 'arrivals', 'inconclusive', 'output', 'json', 'progress', 'ui']
  return `Usage: autocannon find [options] --threshold EXPR URL
       autocannon find [options] --threshold EXPR --on-port PATH -- COMMAND

Searches for the highest load at which the server meets the thresholds. The load
doubles until a step fails twice. A binary search then narrows the range between
the highest load that held and the lowest that failed to --precision. Both are
tried again until they are certain. All steps are one run, and its connections
stay open. If a search takes longer than 31 minutes (with the defaults), it ends
and reports the range so far.

A load holds when all thresholds pass and no queue grows. A step that failed
because of the load generator or of too few connections is marked: it is not the
limit of the server.

Options:
${[...FIND, ...optionsHere(shared, HERE)].map(entryOf).join('\n')}

All other options of a run (autocannon --help), except load and length, apply to
each step, such as -H, -w and --config.

Examples:
  autocannon find --threshold "p99 < 50ms" --threshold "errors == 0" \\
    http://localhost:3000
  autocannon find --from 1000/s --to 20000/s --precision 1% --step 30s \\
    --threshold "p99.9 < 100ms" http://localhost:3000
  autocannon find --over connections --threshold "p99 < 50ms" localhost:3000
  autocannon find --fail-below 4000/s --threshold "p99 < 50ms" \\
    --on-port / -- node server.js

Exit codes:
  0    the limit is known, or is above --to; it is not below --fail-below
  1    no response, the server could not be started or ended meanwhile, or
       an output could not be written
  2    wrong use: a flag or a value is not valid
  3    the limit is below --fail-below, or even the lowest load failed
  4    inconclusive (--inconclusive): the load generator reached its limit
       before the server; the range of the limit is wider than --precision
       or contains --fail-below; or the time was over before it was certain
  130  interrupted with Ctrl-C; the report has the steps until then
`
}

module.exports = { runFind }
