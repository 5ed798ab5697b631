'use strict'

// Refuses to compare results of different machines unless a flag allows it.

const { OptionsError } = require('../core/errors')
const { differenceOfMachines } = require('../judge/comparison/machines')

/**
 * @param {Array<Record<string, any>>} base results
 * @param {Array<Record<string, any>>} next
 * @returns {string[]} problems
 */
function problemOfMachines (base, next) {
  const difference = differenceOfMachines(base, next)
  return difference === null
    ? []
    : [`the runs of base and new come from different machines (${difference}): measure ` +
    'both on one machine, or give --across-machines']
}

/**
 * Checks the baseline before the run, so that no run is wasted.
 * @param {Array<Record<string, any>>} baseline results
 * @throws {OptionsError} when they are from another machine
 */
function refuseMachines (baseline) {
  const { environment } = require('../run/environment')
  const problems = problemOfMachines(baseline, [{ environment: environment() }])
  if (problems.length > 0) throw new OptionsError(problems.map(problem => `--baseline: ${problem}`))
}

module.exports = { problemOfMachines, refuseMachines }
