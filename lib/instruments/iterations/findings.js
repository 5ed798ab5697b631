'use strict'

// Finds iterations that were aborted, hung, or began late.

const { iterationRows } = require('../../figures/parts')

/** Up to this part of the iterations may have waited without a note. */
const WAITED = 0.01

/** @typedef {import('../../findings/findings').Finding} Finding */

/** @param {Record<string, any>} result @returns {Finding[]} */
function findings (result) {
  const { iterations } = result
  if (iterations === undefined) return []
  const own = iterationRows(result).filter(isTimed)
  // The sum has those that share a rate as well, and belongs to no scenario.
  const isSum = own.length > 1 && own.reduce((sum, { due }) => sum + due, 0) === iterations.due
  const { completed, cut, cutBy } = iterations
  return [
    ...cut === 0 ? [] : [finding('aborted-iterations', { aborted: cut, ended: completed + cut, cutBy })],
    ...iterationRows(result).filter(({ hanging = 0 }) => hanging > 0)
      .map(({ hanging, scenario }) => finding('hanging-iterations', { hanging, scenario })),
    ...(isSum ? own : [{ ...iterations, scenario: null }])
      .filter(isLate)
      .map(({ scenario, target, achieved, waited, wait, neverStarted }) => finding('late-iterations', {
        scenario,
        target,
        achieved,
        waited,
        neverStarted,
        wait: wait.totalCount === 0 ? null : { average: wait.average, max: wait.max }
      }))
  ]
}

/** @type {(code: string, facts: Record<string, unknown>) => Finding} */
const finding = (code, facts) => ({ code, severity: 'warning', facts })

/** @param {Record<string, any>} iterations of a result @returns {boolean} whether they have a rate of their own */
function isTimed ({ target }) {
  return target !== undefined
}

/** @param {Record<string, any>} iterations of a result, with a rate of iterations or not */
function isLate ({ target, due, waited, neverStarted }) {
  return target !== undefined && (neverStarted > 0 || (waited > 1 && waited >= WAITED * (due - neverStarted)))
}

module.exports = { findings, isTimed }
