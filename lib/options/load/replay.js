'use strict'

// A trace beside its due times: the number of requests, and the rows that templates may name.

const { problemAt, problemWith } = require('../../core/problem')
const { formatInteger } = require('../../core/units')
const { Amount } = require('../../core/amount')
const { Data } = require('../requests/data')
const { hasUsers } = require('../users/user-rules')

/** Its name in templates. */
const NAME = 'trace'

/**
 * @param {import('../normalize').Values} values
 * @returns {boolean} whether each request has its own row of the trace; otherwise, each iteration has one
 */
function isRequestPerRow (values) {
  const { requests = [], har, targets } = values
  return requests.length <= 1 && har === undefined && targets === undefined && !hasUsers(values)
}

/**
 * A generator takes rows in the order in which its requests are due. Of several, each takes every n-th row, as it takes
 * every n-th arrival, so each request has its own row.
 * @type {import('../derived').Derivation}
 */
function withReplay (values, { raw, call, problems }) {
  const { replay: { file, rows, times }, amount, until } = values
  // A content that has been read may be read again, with the same rows.
  /** @type {Data['sources']} */
  const sources = (values.data?.sources ?? []).filter((/** @type {Data['sources'][number]} */ { source }) =>
    source !== null)
  if (sources.some(({ name }) => name === NAME)) {
    problems.push(problemWith(call, ['replay', 'data'], `each have rows that are called ${NAME}: rename those of data`))
  }
  if (amount instanceof Amount || amount > times.length) {
    problems.push(problemAt(call, 'amount', `expected at most the ${formatInteger(times.length)} requests of the ` +
      `trace, got ${amount}`))
  }
  const isTimed = (raw.duration ?? null) !== null || until !== undefined
  return {
    ...values,
    ...!isTimed && amount === undefined && { amount: times.length },
    ...rows !== null && isRequestPerRow(values) && {
      data: new Data([
        ...sources, { name: NAME, pick: 'order', end: 'run', source: null, file, rows, breaks: new Map() }
      ])
    }
  }
}

module.exports = { withReplay }
