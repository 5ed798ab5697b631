'use strict'

// Finds iterations that were aborted, hung, or began late.

const { warning } = require('../../core/finding')
const { sumOf } = require('../../core/statistics')
const { iterationRows } = require('../../figures/parts')

/** The least share of iterations that waited for a finding. */
const LEAST_WAITED = 0.01

/** @typedef {import('../../findings/findings').Finding} Finding */

/** @param {Record<string, any>} result @returns {Finding[]} */
function findings (result) {
  const { iterations } = result
  if (iterations === undefined) return []
  const own = iterationRows(result).filter(isTimed)
  // If the due iterations of scenarios are not all, some scenarios share a rate, and only the sum is known.
  const isSum = own.length > 1 && sumOf(own, ({ due }) => due) === iterations.due
  const { completed, cut, cutBy } = iterations
  return [
    ...cut === 0 ? [] : [warning('aborted-iterations', { aborted: cut, ended: completed + cut, cutBy })],
    ...iterationRows(result).filter(({ hanging = 0 }) => hanging > 0)
      .map(({ hanging, scenario }) => warning('hanging-iterations', { hanging, scenario })),
    ...(isSum ? own : [{ ...iterations, scenario: null }])
      .filter(isLate)
      .map(({ scenario, target, achieved, waited, wait, neverStarted }) => warning('late-iterations', {
        scenario,
        target,
        achieved,
        waited,
        neverStarted,
        wait: wait.totalCount === 0 ? null : { average: wait.average, max: wait.max }
      }))
  ]
}

/** @param {Record<string, any>} iterations of a result @returns {boolean} whether they have their own rate */
function isTimed ({ target }) {
  return target !== undefined
}

/** @param {Record<string, any>} iterations of a result @returns {boolean} whether some started late or never */
function isLate ({ target, due, waited, neverStarted }) {
  return target !== undefined && (neverStarted > 0 || (waited > 1 && waited >= LEAST_WAITED * (due - neverStarted)))
}

module.exports = { findings, isTimed }
