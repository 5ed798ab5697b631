'use strict'

// How reports name the code of user functions that takes the CPU time of the load generator.

const { cut, printable } = require('../../core/foreign-text')
const { formatPercent } = require('../../core/units')

/** A smaller share explains nothing. */
const LEAST = 0.2

/** Characters of a path, of which the end has the name of the file. */
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
