'use strict'

// The CPU time of user functions in reports, with the place that takes most of it.

const { cut, printable } = require('../../core/foreign-text')
const { formatPercent } = require('../../core/units')

/** The least share that is reported. */
const LEAST = 0.2

/** Characters of a path. A longer one is cut at its start, as its end has the name of the file. */
const LONGEST_PATH = 60

/** @param {Record<string, any>} result */
function facts ({ userCode: { share, places } }) {
  const [first] = places
  if (share < LEAST || first === undefined) return []
  const path = printable(first.file)
  const file = path.length > LONGEST_PATH ? `…${path.slice(1 - LONGEST_PATH)}` : path
  const line = first.line > 0 ? ` line ${first.line}` : ''
  const where = `${file}${line}${first.name === '' ? '' : ` (${cut(printable(first.name), 40)})`}`
  return [`${formatPercent(share, 2)} of the CPU time of the load generator was spent in user functions, ` +
    `${formatPercent(first.share, 2)} in ${where}`]
}

module.exports = { facts }
