'use strict'

// Reads results from a file: one JSON document, or a line of JSON for each run, as `--json` writes them.

const { readFile } = require('../requests/file')
const { parseJson } = require('../requests/json')

/**
 * @param {unknown} given the path of a file
 * @returns {Array<Record<string, any>>} at least one; raw results, too
 * @throws {TypeError} with the problem of the file
 */
function readResults (given) {
  const { lifted } = require('../figures/lifted')
  const { problemOfResult } = require('../figures/shape')
  const text = readFile(given).toString()
  const path = String(given)
  const results = documentsIn(path, text).map(lifted)
  if (results.length === 0) {
    throw new TypeError(`the file '${path}' has no result in it: expected what autocannon --json writes`)
  }
  results.forEach((result, i) => {
    const problem = isRaw(result) ? null : problemOfResult(result)
    if (problem === null) return
    const which = results.length > 1 ? ` (number ${i + 1})` : ''
    throw new TypeError(typeof result?.requests !== 'object'
      ? `the file '${path}' has something else than a result in it${which}: expected what autocannon --json writes`
      : `the file '${path}' has a result in it that is not whole${which}: ${problem}`)
  })
  return results
}

/**
 * @param {unknown} given the path of a file
 * @returns {Array<Record<string, any>>} results with figures
 * @throws {TypeError}
 */
function readFigures (given) {
  const results = readResults(given)
  if (results.some(isRaw)) {
    throw new TypeError(`the file '${given}' has a raw result in it, which has no figures yet: make a result of it ` +
      'with autocannon merge --json')
  }
  const repeated = require('../figures/repeated').findRepeated(results)
  if (repeated !== null) {
    throw new TypeError(`the file '${given}' has the same run twice (number ${repeated[0] + 1} ` +
    `and ${repeated[1] + 1}), but the comparison needs different runs: give each run once`)
  }
  return results
}

/**
 * @param {unknown} given the path of a file
 * @returns {Array<Record<string, any>>} results with figures
 * @throws {TypeError} which says how a file that is missing is made
 */
function readBaseline (given) {
  try {
    return readFigures(given)
  } catch (error) {
    const problem = /** @type {Error} */ (error)
    if (problem.message.includes("': ENOENT: ")) problem.message += `; a run with --json > ${given} writes it`
    throw problem
  }
}

/** @param {any} result */
function isRaw (result) {
  return typeof result?.format === 'string'
}

/** @type {(path: string, text: string) => any[]} */
function documentsIn (path, text) {
  const what = `the file '${path}'`
  const lines = text.split('\n')
  const filled = lines.filter(line => line.trim() !== '')
  // A line for each run; else the file is one document over several lines.
  if (filled.length > 1 && isJson(filled[0])) {
    return lines.flatMap((line, i) => line.trim() === '' ? [] : [parseJson(line, what, i + 1)])
  }
  return filled.length === 0 ? [] : [parseJson(text, what)].flat()
}

/** @param {string} text */
function isJson (text) {
  try {
    parseJson(text, '')
    return true
  } catch {
    return false
  }
}

module.exports = { readBaseline, readFigures, readResults }
