'use strict'

// `autocannon merge`: merges raw results of several runs, read from files, into one result.

const { printableData, toJson } = require('../../core/foreign-text')
const { readResults } = require('../../options/results-file')
const { findRepeatedRaw } = require('../../figures/repeated')
const { badNewsOf } = require('../../report/headline')
const { printResult } = require('../../report/text')
const { aggregateResult } = require('../../run/aggregate-result')
const { settle } = require('../../judge/inconclusive')
const { passedOf } = require('../../judge/passed')
const { STRICT, parseThreshold } = require('../../judge/threshold')
const { EXIT, exitCodeOf } = require('../exit-code')
const { concludedBy } = require('./concluded')
const { readCommand, collect, readInconclusive, throwAll } = require('./subcommand')

const HELP = `Usage: autocannon merge [options] FILE…

Merges raw results (--raw) of simultaneous runs, of one machine or many, into
one result: counts and latencies are added, samples by time.

  autocannon --raw -d 30 http://server:3000 > a.json     # on one machine
  autocannon --raw -d 30 http://server:3000 > b.json     # on another
  autocannon merge a.json b.json

Options:
  --title TITLE
        A name for the merged result.
  --threshold EXPR
        A requirement for the result, such as "p99 < 50ms". Repeat it for more.
  --strict
        Fail if a load generator was overloaded: the same as the threshold
        "generator <= busy".
  --inconclusive pass|fail|exact
        Treat an inconclusive threshold as pass or fail, or let the exact figure
        decide. A threshold is inconclusive if a run was interrupted or too
        short, if the figure is too close to the limit, or if a result of an
        older version has no data on its load generator.
  --json
        Print the result as one line of JSON.
  -h/--help
        Print this help.

Exit codes:
  0    merged; every threshold passed
  1    the runs can't be merged, have no response, or the result could not
       be written
  2    wrong use: a flag, a threshold or a file is not valid, or a run is given
       twice
  3    a threshold failed
  4    inconclusive: a threshold could not be decided, because a run was
       interrupted or has too little data
`

const OPTIONS = ['title', 'thresholds', 'strict', 'inconclusive', 'json', 'help']

/**
 * @param {string[]} argv after `merge`
 * @param {{ stdout: NodeJS.WritableStream }} context
 * @returns {import('./subcommand').Outcome}
 * @throws {import('../../core/errors').AutocannonError}
 */
function runMerge (argv, { stdout }) {
  const { values, files, problems } = readCommand(argv, OPTIONS)
  if (values.help) return { text: HELP, code: EXIT.good }
  const thresholds = [...values.thresholds ?? []]
  if (values.strict) thresholds.push(STRICT)
  for (const threshold of thresholds) collect('--threshold', problems, () => parseThreshold(threshold))
  const inconclusive = readInconclusive(
    values, thresholds.length > 0, '--threshold', problems, ['pass', 'fail', 'exact']
  )
  if (files.length === 0) problems.push('expected the files of raw results: autocannon merge a.json b.json')
  const raws = files.flatMap(file => collect('', problems, () => readRaw(file)) ?? [])
  problems.push(...repeatedIn(raws))
  throwAll(problems)
  const result = aggregateResult(
    raws.map(({ raw }) => raw), { title: values.title, thresholds }, i => raws[i].name, inconclusive
  )
  result.thresholds = settle(result.thresholds, inconclusive)
  result.passed = passedOf(result)
  const text = values.json ? toJson(result) + '\n' : printResult(result, { outputStream: stdout }).trimStart()
  const code = exitCodeOf(result, { inconclusive })
  return {
    text, code,
    ...!values.json && { last: concludedBy(result, { code, inconclusive }, stdout) },
    complaint: values.json ? badNewsOf(printableData(result))?.sentence : null
  }
}

/**
 * @param {string} file
 * @throws {TypeError}
 */
function readRaw (file) {
  const results = readResults(file)
  if (results.some(({ format }) => format === undefined)) {
    throw new TypeError(`the file '${file}' has a finished result in it, and percentiles can't be added up: run ` +
      'autocannon with --raw to have one that can be merged')
  }
  return results.map((raw, i) => ({ raw, name: results.length > 1 ? `number ${i + 1} of '${file}'` : `'${file}'` }))
}

/**
 * @param {ReturnType<typeof readRaw>} raws
 * @returns {string[]} problems
 */
function repeatedIn (raws) {
  const repeated = findRepeatedRaw(raws.map(({ raw }) => raw))
  if (repeated === null) return []
  const [first, again] = repeated.map(i => raws[i].name)
  return [`${again} is the same run as ${first}, and every request would count twice: give each run once`]
}

module.exports = { runMerge }
