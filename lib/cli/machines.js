'use strict'

// Refuses to compare results of different machines unless a flag allows it.

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

module.exports = { problemOfMachines }
