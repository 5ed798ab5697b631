'use strict'

// `autocannon compare`: compares the results of two servers, read from files.

const { readFigures } = require('../../options/results-file')
const { parseRegression } = require('../../judge/comparison/regression')
const { findRepeated } = require('../../figures/repeated')
const { problemOfMachines } = require('../machines')
const { compareRuns, outcomeOf } = require('./comparison')
const { EXIT } = require('../exit-code')
const { summaryProblems } = require('../output/github-summary')
const { readCommand, collect, readInconclusive, throwAll } = require('./subcommand')

const HELP = `Usage: autocannon compare [options] BASE NEW
       autocannon compare [options] BASE… vs NEW…

Compares two servers: the difference, its confidence interval, and a verdict.
Each file has one or more results of autocannon --json, one line per run. Use
several alternating runs per side: autocannon versus does that, and writes such
files.

Options:
  --fail-if EXPR
        A limit, such as "p99 +10%", "rps -5%" or "avg +2ms". Repeat it for
        more. A significant difference beyond it gives exit code 3, an
        inconclusive comparison 4.
  --across-machines
        Compare results of different machines, which are refused by default.
  --inconclusive pass|fail
        Treat an inconclusive limit as pass or fail. With only one run per
        side, each limit is inconclusive.
  --markdown
        Print Markdown, for a pull request.
  --json
        Print the comparison as one line of JSON.
  --github-summary
        Append Markdown to the file that GITHUB_STEP_SUMMARY names.
  -h/--help
        Print this help.

Exit codes:
  0    compared; every limit of --fail-if is kept
  1    the comparison could not be written
  2    wrong use: a flag, a limit or a file is not valid
  3    a limit of --fail-if is broken
  4    inconclusive: a limit could not be decided
`

const OPTIONS = ['failIf', 'acrossMachines', 'inconclusive', 'markdown', 'json', 'githubSummary', 'help']

/**
 * @param {string[]} argv after `compare`
 * @param {{ stdout: NodeJS.WritableStream, env: NodeJS.ProcessEnv }} context
 * @returns {import('./subcommand').Outcome}
 * @throws {import('../../core/errors').OptionsError}
 */
function runCompare (argv, { stdout, env }) {
  const { values, files, problems } = readCommand(argv, OPTIONS)
  if (values.help) return { text: HELP, code: EXIT.good }
  const failIf = (values.failIf ?? []).flatMap((/** @type {string} */ limit) =>
    collect('--fail-if', problems, () => parseRegression(limit)) ?? [])
  if (values.markdown && values.json) problems.push('--markdown and --json: give one of them')
  const inconclusive = readInconclusive(values, failIf.length > 0, '--fail-if', problems)
  const sides = sidesOf(files, problems).map(side =>
    side.flatMap(file => collect('', problems, () => readNamed(file)) ?? []))
  problems.push(...repeatedIn(sides.flat()))
  if (sides.length === 2 && !values.acrossMachines) {
    problems.push(...problemOfMachines(resultsOf(sides[0]), resultsOf(sides[1])))
  }
  if (values.githubSummary) problems.push(...summaryProblems(env))
  throwAll(problems)
  const comparison = compareRuns(resultsOf(sides[0]), resultsOf(sides[1]), { failIf, inconclusive })
  return outcomeOf(
    comparison,
    { inconclusive, json: values.json, markdown: values.markdown, githubSummary: values.githubSummary },
    { stdout, env }
  )
}

/** @typedef {{ result: Record<string, any>, name: string }} Named */

/**
 * @throws {TypeError}
 * @type {(file: string) => Named[]}
 */
function readNamed (file) {
  return readFigures(file).map(
    (result, i, { length }) => ({ result, name: length > 1 ? `number ${i + 1} of '${file}'` : `'${file}'` })
  )
}

/** @param {Named[]} named */
function resultsOf (named) {
  return named.map(({ result }) => result)
}

/**
 * @param {Named[]} named of both sides
 * @returns {string[]} problems
 */
function repeatedIn (named) {
  const repeated = findRepeated(resultsOf(named))
  if (repeated === null) return []
  const [first, again] = repeated.map(i => named[i].name)
  return [`${again} is the same run as ${first}, but the comparison needs different runs: give each run once`]
}

/** @type {(files: string[], problems: string[]) => string[][]} */
function sidesOf (files, problems) {
  const at = files.indexOf('vs')
  const sides = at === -1 ? files.map(file => [file]) : [files.slice(0, at), files.slice(at + 1)]
  if (sides.length === 2 && sides.every(side => side.length > 0) && files.lastIndexOf('vs') === at) return sides
  problems.push('expected two files, or several on each side: autocannon compare base.json new.json, or autocannon ' +
    'compare base-*.json vs new-*.json')
  return []
}

module.exports = { runCompare }
