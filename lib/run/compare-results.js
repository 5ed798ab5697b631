'use strict'

// compareResults(): compares results of two servers.

const { AutocannonError, OptionsError } = require('../core/errors')
const { compare } = require('../judge/comparison/comparison')
const { lifted } = require('../figures/lifted')
const { findRepeated } = require('../figures/repeated')
const { problemOfResult } = require('../figures/shape')
const { parseRegression } = require('../judge/comparison/regression')

/**
 * @param {Record<string, any> | Array<Record<string, any>>} base
 * @param {Record<string, any> | Array<Record<string, any>>} next
 * @param {{ failIf?: string | string[] }} [opts]
 * @throws {AutocannonError} with the code AC_OPTIONS for an invalid limit, AC_AGGREGATE for an invalid or repeated
 *   result
 */
function compareResults (base, next, { failIf = [] } = {}) {
  const [before, after] = [[base].flat(), [next].flat()].map(results => results.map(lifted))
  if (before.length === 0 || after.length === 0 ||
    [...before, ...after].some(result => typeof result?.requests?.average !== 'number')) {
    throw new AutocannonError('AC_AGGREGATE', 'compareResults expects at least one result on each side; a raw one ' +
      'has no figures yet: pass it through aggregateResult first')
  }
  for (const [side, results] of Object.entries({ base: before, new: after })) {
    for (const [i, result] of results.entries()) {
      const problem = problemOfResult(result)
      if (problem !== null) {
        throw new AutocannonError('AC_AGGREGATE', `compareResults: result ${i} of ${side} is not whole: ${problem}`)
      }
    }
  }
  const repeated = findRepeated([...before, ...after])
  if (repeated !== null) {
    const [first, again] = repeated.map(i =>
      i < before.length ? `result ${i} of base` : `result ${i - before.length} of new`)
    throw new AutocannonError(
      'AC_AGGREGATE',
      `compareResults: ${again} is the same run as ${first}, but a comparison needs different runs. Give each run once`
    )
  }
  return compare(before, after, limitsOf([failIf].flat()))
}

/** @param {string[]} failIf */
function limitsOf (failIf) {
  try {
    return failIf.map(parseRegression)
  } catch (error) {
    throw new OptionsError([`failIf: ${/** @type {Error} */ (error).message}`])
  }
}

module.exports = { compareResults }
