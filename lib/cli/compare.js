'use strict'

// Owns `autocannon compare`: the results of two servers, from files, and the verdict on them.

const { printableData, toJson } = require('../foreign-text')
const { readFigures } = require('../options/results-file')
const { colorsFor } = require('../report/colors')
const { columnsOf } = require('../report/table')
const { comparisonText, comparisonMarkdown } = require('../report/verdicts')
const { compare } = require('../stats/comparison')
const { parseRegression } = require('../stats/regression')
const { EXIT } = require('./exit-code')
const { readCommand, collect, throwAll } = require('./subcommand')
const { hasRegressed, summaryProblems } = require('./verdict')

const HELP = `Usage: autocannon compare [options] BASE NEW
       autocannon compare [options] BASE… vs NEW…

Says by how much two servers differ, and whether that is real. Each file has one
or several results, as autocannon --json writes them: one line for each run.
Several runs on each side tell more than one, and what is compared should be
measured alike.

Options:
  --fail-if EXPR
        How far a figure may go, such as "p99 +10%", "rps -5%" or "avg +2ms".
        Repeat it for more. A real difference beyond it makes the exit code 3.
  --markdown
        Print Markdown, fit for a pull request.
  --json
        Print the comparison as one line of JSON.
  --github-summary
        Append Markdown to the file that GITHUB_STEP_SUMMARY names.
  -h/--help
        Print this help.

Exit codes:
  0    compared; no limit of --fail-if is broken
  1    the comparison could not be written
  2    wrong use: a flag, a limit or a file is not valid
  3    a limit of --fail-if is broken
`

/** @type {Parameters<typeof readCommand>[1]} */
const OPTIONS = {
  'fail-if': { type: 'string', multiple: true },
  markdown: { type: 'boolean' },
  json: { type: 'boolean' },
  'github-summary': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' }
}

/**
 * @param {string[]} argv behind `compare`
 * @param {{ stdout: NodeJS.WritableStream, env: NodeJS.ProcessEnv }} surroundings
 * @returns {import('./subcommand').Outcome}
 * @throws {import('../errors').OptionsError}
 */
function runCompare (argv, { stdout, env }) {
  const { values, files, problems } = readCommand(argv, OPTIONS)
  if (values.help) return { text: HELP, code: 0 }
  const failIf = (values['fail-if'] ?? []).flatMap((/** @type {unknown} */ limit) =>
    typeof limit === 'string' ? collect('--fail-if', problems, () => parseRegression(limit)) ?? [] : [])
  if (values.markdown && values.json) problems.push('--markdown and --json: give one of them')
  const sides = sidesOf(files, problems).map(side => side.flatMap(file => collect('', problems, () => readFigures(file)) ?? []))
  if (values['github-summary']) problems.push(...summaryProblems(env))
  throwAll(problems)
  const comparison = compare(sides[0], sides[1], failIf)
  const shown = printableData(comparison)
  const text = values.json
    ? toJson(comparison) + '\n'
    : values.markdown ? comparisonMarkdown(shown) : comparisonText(shown, { color: colorsFor(stdout, env), columns: columnsOf(stdout) })
  return {
    text,
    code: hasRegressed(comparison) ? EXIT.failed : EXIT.good,
    ...values['github-summary'] && { summary: `### Comparison\n\n${comparisonMarkdown(shown)}\n` }
  }
}

/**
 * @param {string[]} files
 * @param {string[]} problems
 * @returns {string[][]}
 */
function sidesOf (files, problems) {
  const at = files.indexOf('vs')
  const sides = at === -1 ? files.map(file => [file]) : [files.slice(0, at), files.slice(at + 1)]
  if (sides.length === 2 && sides.every(side => side.length > 0) && files.lastIndexOf('vs') === at) return sides
  problems.push('expected two files, or several on each side: autocannon compare base.json new.json, or autocannon compare base-*.json vs new-*.json')
  return []
}

module.exports = { runCompare }
