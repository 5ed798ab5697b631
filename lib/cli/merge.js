'use strict'

// Owns `autocannon merge`: raw results of several runs, from files, become one result.

const { printableData, toJson } = require('../foreign-text')
const { readResults } = require('../options/results-file')
const { badNewsOf } = require('../report/headline')
const { printResult } = require('../report/text')
const { aggregateNamed } = require('../run/aggregate-result')
const { settle } = require('../verdict/inconclusive')
const { passedOf } = require('../verdict/passed')
const { STRICT, parseThreshold } = require('../verdict/threshold')
const { EXIT, exitCodeOf } = require('./exit-code')
const { readCommand, collect, readInconclusive, throwAll } = require('./subcommand')

const HELP = `Usage: autocannon merge [options] FILE…

Makes one result of runs that were made with --raw, of one machine or many that
ran at the same time: counts and latencies are added up, samples by time.

  autocannon --raw -d 30 http://server:3000 > a.json     # on one machine
  autocannon --raw -d 30 http://server:3000 > b.json     # on another
  autocannon merge a.json b.json

Options:
  --title TITLE
        A name for the merged result.
  --threshold EXPR
        What the result has to keep to, such as "p99 < 50ms". Repeat it for more.
  --strict
        Hold the runs to generators that were healthy or busy, as the threshold
        "generator <= busy" does.
  --inconclusive pass|fail|exact
        What a threshold that could not be judged counts as, because a run was
        interrupted or too short, its figure is too near to the limit, or an
        older version made it that does not say how its generator was. exact:
        the figure alone decides, however uncertain it is.
  --json
        Print the result as one line of JSON.
  -h/--help
        Print this help.

Exit codes:
  0    merged; every threshold passed
  1    the runs can't be merged, have no response, or the result could not
       be written
  2    wrong use: a flag, a threshold or a file is not valid
  3    a threshold failed
  4    a threshold could not be judged, because a run was interrupted or does
       not say enough
`

const OPTIONS = ['title', 'thresholds', 'strict', 'inconclusive', 'json', 'help']

/**
 * @param {string[]} argv behind `merge`
 * @param {{ stdout: NodeJS.WritableStream }} surroundings
 * @returns {import('./subcommand').Outcome}
 * @throws {import('../errors').AutocannonError}
 */
function runMerge (argv, { stdout }) {
  const { values, files, problems } = readCommand(argv, OPTIONS)
  if (values.help) return { text: HELP, code: EXIT.good }
  const thresholds = [...values.thresholds ?? []]
  if (values.strict) thresholds.push(STRICT)
  for (const threshold of thresholds) collect('--threshold', problems, () => parseThreshold(threshold))
  const inconclusive = readInconclusive(values, thresholds.length > 0, '--threshold', problems, ['pass', 'fail', 'exact'])
  if (files.length === 0) problems.push('expected the files of raw results: autocannon merge a.json b.json')
  const raws = files.flatMap(file => collect('', problems, () => readRaw(file)) ?? [])
  throwAll(problems)
  const result = aggregateNamed(raws.map(({ raw }) => raw), { title: values.title, thresholds }, i => raws[i].name)
  result.thresholds = settle(result.thresholds, inconclusive)
  result.passed = passedOf(result)
  const text = values.json ? toJson(result) + '\n' : printResult(result, { outputStream: stdout }).trimStart()
  return { text, code: exitCodeOf(result, { inconclusive }), complaint: values.json ? badNewsOf(printableData(result))?.sentence : null }
}

/**
 * @param {string} file
 * @throws {TypeError}
 */
function readRaw (file) {
  const results = readResults(file)
  if (results.some(({ format }) => format === undefined)) {
    throw new TypeError(`the file '${file}' has a finished result in it, and percentiles can't be added up: run autocannon with --raw to have one that can be merged`)
  }
  return results.map((raw, i) => ({ raw, name: results.length > 1 ? `number ${i + 1} of '${file}'` : `'${file}'` }))
}

module.exports = { runMerge }
